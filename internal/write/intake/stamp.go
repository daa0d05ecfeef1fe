// Times of publication and change, and dates of seeds.

package intake

import (
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/write"
)

// aheadMost is how far ahead of now a time of change may be, because sites and imports have local
// times in different zones. One further ahead keeps no version out that has a time before it.
const aheadMost = 24 * time.Hour

// stamp reads a time. One of a change that is ahead of now counts as not said, if it is of an
// account that may not import everything.
func (rd *reader) stamp(r *record, name string) write.Stamp {
	s := rd.written(r, name)
	if name == "modified" && rd.isLimited() && rd.isAhead(s.At) {
		return write.Stamp{}
	}
	return s
}

func (rd *reader) isAhead(modified time.Time) bool { return modified.After(rd.Now.Add(aheadMost)) }

// written reads a time from its UTC member, or else from its local one.
func (rd *reader) written(r *record, name string) write.Stamp {
	utc := name + "_utc"
	s := write.Stamp{Said: r.has(name) || r.has(utc)}
	if r.has(utc) {
		if rd.isFree(r, name) {
			r.complain(name, "stands beside %s; give one of them", utc)
		}
		if s.Never = isNever(r.text(utc)); !s.Never {
			s.At = rd.instant(r, utc, caltime.UTC())
			return s
		}
	}
	if r.has(name) {
		if isNever(r.text(name)) {
			s.Never = true
		} else if s.At = rd.instant(r, name, rd.Site); s.At.Year() < 1 || s.At.Year() > 9999 {
			r.complain(name, "must lie in the years 1 to 9999, not at %s", r.text(name))
		}
	}
	return s
}

// instant converts a date in the time of a zone.
func (rd *reader) instant(r *record, name string, zone *caltime.Zone) time.Time {
	switch free := rd.isFree(r, name); {
	case !free && strings.HasSuffix(name, "_utc"):
		return r.localTime(name) // keeps the fraction of the second
	case !free:
		return zone.Instant(r.localTime(name))
	}
	at, _, err := rd.moment(r.text(name), zone, r.start)
	if err != nil && r.wrong == nil {
		r.wrong = r.inField(name, "", err)
	}
	return at
}

// isFree reports whether the time has a form that only seeds allow. Records of a site have one
// form, except relative dates that were added by hand.
func (rd *reader) isFree(r *record, name string) bool {
	text := r.text(name)
	_, err := time.Parse(caltime.Layout, text)
	return rd.seed && err != nil && !isNever(text) &&
		(!r.has("global_id") || caltime.IsRelative(text))
}

// moment parses a date of a seed: in a form of requests, or relative to now or to start if that is
// not zero. named is the zone in a relative date.
func (rd *reader) moment(
	text string,
	zone *caltime.Zone,
	start time.Time,
) (at time.Time, named *caltime.Zone, err error) {
	if caltime.IsRelative(text) {
		m, named, err := caltime.Relative{
			Now:   rd.Now,
			Zone:  zone,
			Start: start,
			Zones: rd.Zones,
		}.Parse(text)
		return m.Instant, named, err
	}
	m, err := caltime.Parse(text, rd.Now, zone)
	// As in a request, the offset of a date is ignored.
	return zone.Instant(m.Wall), nil, err
}

// isNever reports whether a text is the wire form of an absent date.
func isNever(text string) bool { return text == "" || strings.HasPrefix(text, "0000-") }
