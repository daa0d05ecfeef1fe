// Events of calendars, identified by UID: single events, series, and overrides of single dates, in
// any order.

package intake

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/rrule"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// A CalendarPart is the member calendar of a record: properties of iCalendar that lists have no
// member for.
type CalendarPart struct {
	ID      string   `json:"id,omitempty"`     // RECURRENCE-ID, as iCalendar writes it
	Zone    string   `json:"zone,omitempty"`   // of ID; "" for that of the event
	Rule    string   `json:"rule,omitempty"`   // RRULE
	RDates  []string `json:"rdates,omitempty"` // in the form of iCalendar, in local time or UTC
	EXDates []string `json:"exdates,omitempty"`
	Code    string   `json:"code,omitempty"`    // of the currency
	Stamped bool     `json:"stamped,omitempty"` // modified may be the time of the export
	Start   string   `json:"start,omitempty"`   // in the form of iCalendar, in UTC if there is a zone
	Seconds int64    `json:"seconds,omitempty"` // that pass in a series, of a DURATION
}

// CalendarForm is the form of items from calendars.
const CalendarForm = "calendar"

// overrideKey returns the origin under which the override of one date of a series is stored.
func overrideKey(uid, id string) string { return uid + ";RECURRENCE-ID=" + id }

// startMark stands between a UID that several events of a file have and the start of one.
const startMark = ";DTSTART="

// StartKey returns the origin of one of several events that wrongly have one UID.
func StartKey(uid, start string) string { return uid + startMark + start }

// single returns the event with a UID that is no series, or nil, and its name. It may be the last
// one of several with the UID, or have had the UID for itself.
func (im *importer) single(uid, start string) (e *store.Event, name string) {
	key := StartKey(uid, start)
	if e, ok := im.tx.ByOrigin(store.Events, key).(*store.Event); ok {
		return e, key
	}
	if e, ok := im.known(store.Events, uid).(*store.Event); ok {
		return e, uid
	}
	former, _, ok := strings.Cut(uid, startMark)
	if e, _ = im.known(store.Events, former).(*store.Event); !ok || e == nil {
		return nil, uid
	}
	zone, err := im.Zones.Load(e.Timezone)
	if err != nil {
		return nil, uid
	}
	for _, d := range []rrule.DateTime{
		rrule.At(zone.Instant(e.Start.Time()), rrule.UTC),
		rrule.At(e.Start.Time(), rrule.Date),
		rrule.At(e.Start.Time(), rrule.Local),
	} {
		if d.String() == start {
			return e, uid
		}
	}
	return nil, uid
}

func (im *importer) calendarEvent(r *record) (int64, error) {
	part, err := r.calendarPart()
	if err != nil {
		return 0, err
	}
	uid := r.text("global_id")
	s, _ := im.known(store.AllSeries, uid).(*store.Series)
	if s == nil && im.item.Row {
		if first, _ := im.findNamed(store.Events, r).(*store.Event); first != nil &&
			first.Recurrence != nil {
			if s = im.tx.Series(first.Recurrence.Series); s.Event.Start != first.Start {
				s = nil
			}
		}
	}
	bare := r.onlyState()
	going := s != nil && s.Event.Status != store.Trash
	switch {
	case part.ID != "":
		return im.override(r, part, uid, s, bare)
	case going && r.text("event_status") == store.Canceled && part.Rule == "" && len(part.RDates) == 0:
		return im.cancel(r, s)
	case bare && s != nil && !going:
		return im.leave(s), nil
	case part.Rule != "" || len(part.RDates) > 0:
		return im.filedSeries(r, part, uid, s)
	case going:
		if im.newer(&s.Event.Post, r) {
			return im.leave(s), nil
		}
		e, err := im.stamped(r).Single(im.tx, s, store.WallOf(r.localTime("start_date")))
		if err != nil {
			return 0, err
		}
		return im.filedEvent(r, part, uid, e)
	}
	e, name := im.single(uid, part.Start)
	if e == nil {
		e = im.atPage(r)
	}
	switch {
	case e == nil && bare:
		return 0, errUnknownCanceled
	case e != nil && (im.newer(&e.Post, r) || isGone(r, e) || im.isShown(r, e)):
		return im.leaveAlone(e)
	}
	return im.filedEvent(r, part, name, e)
}

func (r *record) calendarPart() (part CalendarPart, err error) {
	m := r.Member("calendar")
	if m.IsNull() {
		return part, nil
	}
	if err := json.Unmarshal(m.Raw, &part); err != nil {
		return part, r.inField("calendar", "calendar: ", err)
	}
	return part, nil
}

// known returns the record of a kind with a UID, or nil.
func (im *importer) known(k store.Kind, uid string) store.Record {
	if strings.Contains(uid, "?id=") {
		return im.byGlobal(k, uid)
	}
	return im.tx.ByOrigin(k, uid)
}

// isShown reports whether an event came by a list or an export, which told its page, in the
// version of r. The calendar of its site shows less. Calendars of this program, which tell the
// reason of a state, show all.
func (im *importer) isShown(r *record, e *store.Event) bool {
	modified := im.stamp(r, "modified")
	isPage := func(origin string) bool { return strings.Contains(origin, "://") }
	return im.item.As == "" && !r.has("event_status_reason") &&
		strings.Contains(r.text("global_id"), "?id=") && slices.ContainsFunc(e.Origins, isPage) &&
		modified.Said && modified.At.Equal(e.Modified.Truncate(time.Second))
}

// leave reports the events of a series as unchanged, and returns the id of the first.
func (im *importer) leave(s *store.Series) (id int64) {
	im.stored = s
	for _, e := range im.tx.Instances(s.ID) {
		im.note(store.Events, e.ID, write.Unchanged)
		if id == 0 {
			id = e.ID
		}
	}
	return id
}

// leaveAlone reports a record as unchanged, and returns its id.
func (im *importer) leaveAlone(r store.Record) (int64, error) {
	im.note(r.Kind(), r.Key(), write.Unchanged)
	im.stored = r
	return r.Key(), nil
}

// stamped returns an editor of series whose clock shows the modification time in the record.
func (im *importer) stamped(r *record) write.Editor {
	ed := im.editor()
	if modified := im.stamp(r, "modified"); modified.Said {
		ed.Now = modified.At
	}
	return ed
}

// base returns a copy of found, or a new event, with the members reset that a record of a calendar
// sets only if they are not empty. A row of a table resets nothing.
func (r *record) base(found *store.Event) *store.Event {
	e := &store.Event{ShowMap: !r.partial, ShowMapLink: !r.partial}
	if found != nil {
		*e = *found
	}
	if e.Status == store.Trash {
		e.Slug = "" // the trash gave it another slug
	}
	if !r.partial {
		e.Website = ""
		e.NoWebsite = false
	}
	return e
}

// filedEvent stores an event under an origin.
func (im *importer) filedEvent(
	r *record,
	part CalendarPart,
	name string,
	found *store.Event,
) (int64, error) {
	e := r.base(found)
	r.knownBy(name)
	if err := im.fill(r, e, found); err != nil {
		return 0, err
	}
	date := im.dateOfSeries(r)
	if date != nil {
		if err := im.joinDate(date, e); err != nil {
			return 0, err
		}
	}
	id, err := im.commitEvent(r, part, e, found)
	if err == nil && date != nil {
		im.noteDate(r, id)
	}
	return id, err
}

// commitEvent stores an event that was made of r. A file that was only exported later changes
// nothing.
func (im *importer) commitEvent(
	r *record,
	part CalendarPart,
	e, found *store.Event,
) (int64, error) {
	if part.Stamped && found != nil {
		next := *e
		next.Modified = found.Modified
		if write.Same(found, &next) {
			e = &next
		}
	}
	return im.commit(r, e, &e.Meta)
}

// errUnknownCanceled is the reason against a message that cancels an event without a title.
var errUnknownCanceled = errors.New("is cancelled, and is not known here")

// isGone reports whether an event that the record cancels is in the trash, where it stays.
func isGone(r *record, e *store.Event) bool {
	return e != nil && e.Status == store.Trash && r.text("event_status") == store.Canceled
}

// cancel cancels all events of a series that has its rule from elsewhere.
func (im *importer) cancel(r *record, old *store.Series) (int64, error) {
	s := *old
	if s.Event.State = store.Canceled; im.newer(&old.Event.Post, r) || write.Same(old, &s) {
		return im.leave(old), nil
	}
	s.Event.Modified = im.stamped(r).Now
	report, err := im.editor().PutSeries(im.tx, &s, nil)
	if err != nil {
		return 0, inWords(err)
	}
	im.noteAll(report.Kept, write.Updated)
	im.stored = &s
	return s.ID, nil
}

func (im *importer) noteAll(ids []int64, outcome write.Outcome) {
	for _, id := range ids {
		im.note(store.Events, id, outcome)
	}
}

// filedSeries stores a recurring event.
func (im *importer) filedSeries(
	r *record,
	part CalendarPart,
	uid string,
	old *store.Series,
) (int64, error) {
	if old != nil &&
		(im.newer(&old.Event.Post, r) || old.Event.Status == store.Trash && !im.after(r, im.ended(old))) {
		return im.leave(old), nil
	}
	s := &store.Series{}
	var there []*store.Event
	if old != nil {
		if err := im.isOther(r, &old.Event); err != nil {
			return 0, err
		}
		s.Meta, s.Event = old.Meta, *r.base(&old.Event)
	} else {
		s.Event = *r.base(nil)
		e, ok := im.known(store.Events, uid).(*store.Event)
		if !ok && im.item.Row {
			e, ok = im.findNamed(store.Events, r).(*store.Event)
		}
		if ok && e.Recurrence == nil { // a single event becomes recurring
			if im.newer(&e.Post, r) {
				return im.leaveAlone(e)
			}
			first, err := im.unnamed(r, e, uid)
			if err != nil {
				return 0, err
			}
			there = append(there, first)
		}
	}
	if err := im.fillSeries(r, part, uid, s, old); err != nil {
		return 0, err
	}
	if empty, err := im.editor().IsEmpty(s); err != nil || empty {
		return 0, cmp.Or(err, im.endSeries(s, old, there))
	}
	var was store.Wall
	if old != nil {
		was = old.Event.Start
	}
	if err := im.editor().BeginLate(s, was); err != nil {
		return 0, err
	}
	cancelled, overrides, err := im.overrides(r, s, uid)
	if err != nil {
		return 0, inWords(err)
	}
	s.EXDates = slices.AppendSeq(s.EXDates, maps.Keys(cancelled))
	slices.Sort(s.EXDates)
	s.EXDates = slices.Compact(s.EXDates)
	if old != nil {
		said := im.stamp(r, "modified").Said
		if s.Horizon = old.Horizon; part.Stamped || !said {
			next := *s
			if next.Event.Modified = old.Event.Modified; write.Same(old, &next) {
				s = &next
			}
		}
		if write.Same(old, s) {
			return im.leave(old), nil
		}
		if !said {
			s.Event.Modified = im.Now
		}
	}
	report, err := im.editor().PutSeries(im.tx, s, append(there, overrides...))
	if err != nil {
		return 0, inWords(err)
	}
	for date, e := range cancelled {
		if e.Recurrence == nil {
			place := &store.Recurrence{Series: s.ID, Start: date}
			if err := im.editor().SetPlace(im.tx, e, place); err != nil {
				return 0, err
			}
		}
	}
	im.noteAll(report.Made, write.Created)
	im.noteAll(report.Kept, write.Updated)
	im.noteAll(report.Removed, write.Updated)
	im.stored = s
	if part.Seconds > 0 {
		if err := im.editor().EndExactly(im.tx, s, old, part.Seconds); err != nil {
			return 0, err
		}
	}
	return s.ID, im.nameFirst(r, s, old)
}

// endSeries moves what a series without a date has here to the trash: the events of its former
// version, or a single event with its UID.
func (im *importer) endSeries(s, old *store.Series, there []*store.Event) error {
	im.dateless = true
	if old != nil {
		removed, err := im.editor().EndSeries(im.tx, old, s.Event.Modified)
		im.noteAll(removed, write.Updated)
		im.gone = len(removed) > 0
		return err
	}
	for _, e := range there {
		if e.Status == store.Trash {
			continue
		}
		if err := im.editor().Discard(im.tx, e); err != nil {
			return err
		}
		im.gone = true
		im.note(store.Events, e.ID, write.Updated)
	}
	return nil
}

// unnamed fills an event that becomes the first of a series. Its UID becomes the origin of the
// series.
func (im *importer) unnamed(r *record, e *store.Event, uid string) (*store.Event, error) {
	first := r.base(e)
	first.Origins = slices.DeleteFunc(
		slices.Clone(first.Origins),
		func(name string) bool { return sameGlobal(name, uid) },
	)
	r.knownBy()
	if err := im.fill(r, first, e); err != nil {
		return nil, err
	}
	if _, err := im.editor().Store(im.tx, first, false, true); err != nil {
		return nil, err
	}
	return write.Placed(first, &store.Recurrence{Start: first.Start}), nil
}

func (im *importer) fillSeries(
	r *record,
	part CalendarPart,
	uid string,
	s, old *store.Series,
) error {
	slug := s.Event.Slug
	r.knownBy(uid)
	if err := im.fill(r, &s.Event, nil); err != nil {
		return err
	}
	if old != nil {
		s.Event.Author = old.Event.Author
	} else {
		slug = strings.TrimSuffix(im.wantedSlug(r), s.Event.Start.Time().Format("-"+time.DateOnly))
	}
	s.Event.Slug = slug
	rec, err := part.recurrence()
	if err != nil {
		return err
	}
	if rec.Rule != nil && s.Event.AllDay {
		zone, err := im.Zones.Load(s.Event.Timezone)
		if err != nil {
			return err
		}
		rec.Rule.Until = lastDay(rec.Rule.Until, zone)
	}
	if err = im.editor().Describe(s, rec); err == nil && old != nil {
		err = im.editor().KeepDates(s, old)
	}
	s.RDates = slices.DeleteFunc(
		s.RDates,
		func(w store.Wall) bool { return w == s.Event.Start }, // for readers to whom it is no date
	)
	return inWords(err)
}

// lastDay returns the day that an UNTIL in UTC means in a series of whole days (RFC 5545, section
// 3.3.10, asks for the day): that of the date, if its time begins or ends a day; else the nearest
// midnight in the zone.
func lastDay(until rrule.DateTime, zone *caltime.Zone) rrule.DateTime {
	if until.Form != rrule.UTC {
		return until
	}
	at := store.Wall(until.Seconds).Time()
	if clock := at.Format(time.TimeOnly); clock != "00:00:00" && clock != "23:59:59" {
		at = zone.Wall(at).Add(12 * time.Hour)
	}
	return rrule.At(at, rrule.Date)
}

// nameFirst sets the slug of the first event of a new series to that of its record.
func (im *importer) nameFirst(r *record, s, old *store.Series) error {
	wanted := im.wantedSlug(r)
	e := im.tx.Instance(s.ID, s.Event.Start)
	if old != nil || wanted == "" || e == nil {
		return nil
	}
	return im.editor().SetSlug(im.tx, e, wanted)
}

func (im *importer) after(r *record, at time.Time) bool {
	modified := im.stamp(r, "modified")
	return im.item.As == Overwrite || im.item.Base != nil || modified.Said && modified.At.After(at)
}

// ended returns the time at which the events of a deleted series went to the trash.
func (im *importer) ended(s *store.Series) (at time.Time) {
	for _, e := range im.tx.Instances(s.ID) {
		if e.Modified.After(at) {
			at = e.Modified
		}
	}
	return at
}

func (part *CalendarPart) recurrence() (*params.Recurrence, error) {
	rec := &params.Recurrence{
		NoRule:  part.Rule == "",
		RDates:  []rrule.DateTime{},
		ExDates: []rrule.DateTime{},
	}
	var err error
	if part.Rule != "" {
		if rec.Rule, err = rrule.ParseRule(part.Rule); err != nil {
			return nil, fmt.Errorf("RRULE: %w", err)
		}
	}
	for i, list := range [][]string{part.RDates, part.EXDates} {
		to := []*[]rrule.DateTime{&rec.RDates, &rec.ExDates}[i]
		for _, text := range list {
			d, err := rrule.ParseDateTime(text)
			if err != nil {
				return nil, err
			}
			*to = append(*to, d)
		}
	}
	return rec, nil
}
