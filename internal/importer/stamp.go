// When records were published and changed, and the dates of seeds.

package importer

import (
	"strings"
	"time"

	"almanac/internal/caltime"
)

// A stamp is one of the two dates that posts carry: when they were published
// and when they were changed.
type stamp struct {
	said  bool      // the record has it
	never bool      // it says that there was none
	at    time.Time // UTC; of one that never was, what stands for it locally
}

// stamp reads a date from its UTC member, or from its local one.
func (im *importer) stamp(r *record, name string) stamp {
	utc := name + "_utc"
	s := stamp{said: r.has(name) || r.has(utc)}
	if r.has(utc) {
		if im.isFree(r, name) {
			r.complain(name, "stands beside %s; give one of them", utc)
		}
		if s.never = isNever(r.text(utc)); !s.never {
			s.at = im.instant(r, utc, caltime.UTC())
			return s
		}
	}
	if r.has(name) {
		if isNever(r.text(name)) {
			s.never = true
		} else if s.at = im.instant(r, name, im.Site); s.at.Year() < 1 || s.at.Year() > 9999 {
			r.complain(name, "must lie in the years 1 to 9999, not at %s", r.text(name))
		}
	}
	return s
}

// instant returns what a date by the clocks of a zone means.
func (im *importer) instant(r *record, name string, zone *caltime.Zone) time.Time {
	switch free := im.isFree(r, name); {
	case !free && strings.HasSuffix(name, "_utc"):
		return r.wall(name) // with the fraction of its second
	case !free:
		return zone.Instant(r.wall(name))
	}
	at, _, err := im.moment(r.text(name), zone, r.start)
	if err != nil && r.wrong == nil {
		r.wrong = r.inField(name, "", err)
	}
	return at
}

// isFree reports whether a date of publication or of a change is written as seeds
// may write it. What was saved from a site has one form, unless it was edited.
func (im *importer) isFree(r *record, name string) bool {
	text := r.text(name)
	_, err := time.Parse(caltime.Layout, text)
	return im.seed && err != nil && !isNever(text) && (!r.has("global_id") || caltime.IsRelative(text))
}

// moment reads a date of a seed: in a form of requests, or relative to now or to a
// start, if that is not zero. named is the zone that a relative one names.
func (im *importer) moment(text string, zone *caltime.Zone, start time.Time) (at time.Time, named *caltime.Zone, err error) {
	if caltime.IsRelative(text) {
		m, named, err := caltime.Relative{Now: im.Now, Zone: zone, Start: start, Zones: im.Zones}.Parse(text)
		return m.Instant, named, err
	}
	m, err := caltime.Parse(text, im.Now, zone)
	// What an offset says beside a date is not asked for, as in a request.
	return zone.Instant(m.Wall), nil, err
}

// isNever reports whether a text is the date that there is not.
func isNever(text string) bool { return text == "" || strings.HasPrefix(text, "0000-") }
