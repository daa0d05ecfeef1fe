// Relations of an event in its calendar: its other versions, its series, and other events that
// wrongly have its UID.

package files

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"io"
	"math"
	"strconv"
	"strings"

	"almanac/internal/text/rrule"
)

// mostIndexed limits the events and UIDs in an index. Those behind it have no other versions.
const mostIndexed = 1 << 20

// A calendarIndex knows the events of a file by their UIDs. The zero value is empty.
type calendarIndex struct {
	seed     maphash.Seed
	uids     map[uint64]uidUse
	versions map[uint64]version // by UID and date: the one that stands
}

// A uidUse tells what has a UID, beside changed dates.
type uidUse struct {
	sequence int    // the highest
	start    uint64 // of an event with that
	several  bool   // events of that have different starts
	series   int    // line of the first series with that, or 0
	wholeDay bool   // the series has whole days
}

// A version is one of the versions of an event.
type version struct {
	sequence int
	stamp    int64
	line     int
}

func (v version) compare(other version) int {
	return cmp.Or(
		cmp.Compare(v.sequence, other.sequence),
		cmp.Compare(v.stamp, other.stamp),
		cmp.Compare(other.line, v.line), // the first of equal ones
	)
}

// isVersion reports whether an event is a version of one: not if it cannot be read, or only says
// that one is cancelled (RFC 5546, section 3.2.5).
func (e *eventReader) isVersion() bool {
	isCancelled := strings.EqualFold(strings.TrimSpace(e.c.Text("STATUS")), "CANCELLED")
	return e.c.Wrong == "" && e.c.Get("DTSTART") != nil &&
		strings.TrimSpace(e.c.Text("UID")) != "" &&
		!(isCancelled && strings.TrimSpace(e.c.Text("SUMMARY")) == "")
}

// isWholeDays reports whether the event lasts whole days.
func (e *eventReader) isWholeDays() bool {
	var err error
	if e.start, err = e.c.Get("DTSTART").Date(); err == nil {
		e.readWholeDays()
	}
	return e.start.Form == rrule.Date
}

// sequence returns the SEQUENCE of the event.
func (e *eventReader) sequence() int {
	n, _ := strconv.Atoi(strings.TrimSpace(e.c.Text("SEQUENCE")))
	return n
}

// recurs reports whether the event has further dates.
func (e *eventReader) recurs() bool { return e.c.Get("RRULE") != nil || e.c.Get("RDATE") != nil }

func (x *calendarIndex) hash(texts ...string) uint64 {
	return maphash.String(x.seed, strings.Join(texts, "\n"))
}

// keys returns the keys of the UID, and of the date that the event is or changes.
func (x *calendarIndex) keys(e *eventReader) (uid, date uint64) {
	id, _ := siteID(strings.TrimSpace(e.c.Text("UID")))
	of := e.c.Get("RECURRENCE-ID")
	if of == nil {
		of = e.c.Get("DTSTART")
	}
	return x.hash(id), x.hash(id, of.Name, of.Param("TZID"), strings.TrimSpace(of.Value))
}

func (x *calendarIndex) add(e *eventReader) {
	if x.uids == nil {
		x.seed = maphash.MakeSeed()
		x.uids = map[uint64]uidUse{}
		x.versions = map[uint64]version{}
	}
	if !e.isVersion() || len(x.uids)+len(x.versions) >= mostIndexed {
		return
	}
	uid, date := x.keys(e)
	v := version{e.sequence(), e.stamp(), e.c.Line}
	if old, ok := x.versions[date]; !ok || v.compare(old) > 0 {
		x.versions[date] = v
	}
	if e.c.Get("RECURRENCE-ID") != nil {
		return
	}
	use, ok := x.uids[uid]
	if !ok || v.sequence > use.sequence {
		use = uidUse{sequence: v.sequence, start: date}
	}
	if v.sequence == use.sequence {
		use.several = use.several || use.start != date
		if e.recurs() && use.series == 0 {
			use.series = e.c.Line
			use.wholeDay = e.isWholeDays()
		}
	}
	x.uids[uid] = use
}

// isOutdated reports whether the file has a later version of the event.
func (x *calendarIndex) isOutdated(e *eventReader) bool {
	if !e.isVersion() {
		return false
	}
	uid, date := x.keys(e)
	v, ok := x.versions[date]
	use, known := x.uids[uid]
	return ok && v.line != e.c.Line ||
		known && e.c.Get("RECURRENCE-ID") == nil && e.sequence() < use.sequence
}

// isOneOfSeveral reports whether the UID of the event is that of other events too, or of a series.
// The first series with a UID keeps it, for its changed dates.
func (x *calendarIndex) isOneOfSeveral(e *eventReader) bool {
	uid, _ := x.keys(e)
	use := x.uids[uid]
	return use.several && use.series != e.c.Line && e.isVersion()
}

// hasSeries reports whether the file has a series with the UID of the event.
func (x *calendarIndex) hasSeries(e *eventReader) bool {
	uid, _ := x.keys(e)
	return x.uids[uid].series != 0
}

// changesDay reports whether the event changes a date of a series of whole days.
func (x *calendarIndex) changesDay(e *eventReader) bool {
	uid, _ := x.keys(e)
	return x.uids[uid].wholeDay
}

// stamp returns the time of the last change, in seconds; 0 for none.
func (e *eventReader) stamp() int64 {
	for _, name := range []string{"LAST-MODIFIED", "DTSTAMP"} {
		if p := e.c.Get(name); p != nil {
			if d, err := p.Date(); err == nil {
				return d.Seconds
			}
		}
	}
	return 0
}

// mostInMemory is how many bytes of a text stay in memory, if there is another place.
const mostInMemory = 1 << 20

// keep keeps a text that is read twice. If it cannot be read to its end, or not be kept, the
// beginning is kept.
func (rd Reader) keep(r io.Reader) (io.ReadSeekCloser, error) {
	most := int64(math.MaxInt64)
	if rd.Keep != nil {
		most = mostInMemory
	}
	head, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil || int64(len(head)) < most {
		return kept{strings.NewReader(string(head))}, err
	}
	return rd.Keep(io.MultiReader(bytes.NewReader(head), r))
}

// kept is a text in memory.
type kept struct{ *strings.Reader }

// Close does nothing.
func (kept) Close() error { return nil }
