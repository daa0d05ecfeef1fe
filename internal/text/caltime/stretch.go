// Stretches of constant offset. Records of the present are shown so often that a
// zone keeps what its rules say of these years.

package caltime

import (
	"math"
	"sort"
	"time"
)

// A stretch is a time in which the offset of a zone does not change, in Unix
// seconds. It need not be the longest.
type stretch struct {
	from, until int64 // until is not in it
	offset      int64 // seconds east of UTC
	abbr        string
}

func (s *stretch) covers(unix int64) bool { return s.from <= unix && unix < s.until }

// The years that are kept, for nearly all events.
var (
	firstKept = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastKept  = time.Date(2060, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// always returns the stretch of a zone that has only one.
func always(abbr string, offset int) []stretch {
	return []stretch{{math.MinInt64, math.MaxInt64, int64(offset), abbr}}
}

// survey returns the stretches of the years that are kept.
func survey(loc *time.Location) []stretch {
	var known []stretch
	for from := firstKept; from < lastKept; {
		t := time.Unix(from, 0).In(loc)
		abbr, offset := t.Zone()
		until := lastKept
		if end, ok := boundAfter(t); ok {
			until = min(end, lastKept)
		}
		if n := len(known); n > 0 && known[n-1].offset == int64(offset) &&
			known[n-1].abbr == abbr {
			known[n-1].until = until
		} else {
			known = append(known, stretch{from, until, int64(offset), abbr})
		}
		from = until
	}
	return known
}

// boundAfter returns a moment after t, in Unix seconds, up to which nothing changes in the
// zone of t; not ok if nothing does at all.
func boundAfter(t time.Time) (end int64, ok bool) {
	_, bound := t.ZoneBounds()
	if bound.IsZero() {
		return 0, false
	}
	// The bounds that the package gives do not move on from the last day of a leap
	// year that only a zone's rule for the future covers.
	if bound.After(t) {
		return bound.Unix(), true
	}
	return t.Unix() + 24*60*60, true
}

// at returns a stretch that covers a moment; outside of the kept years it is one second.
func (z *Zone) at(unix int64) stretch {
	if z == nil {
		z = utc
	}
	n := sort.Search(len(z.known), func(i int) bool { return unix < z.known[i].until })
	if n < len(z.known) && z.known[n].covers(unix) {
		return z.known[n]
	}
	abbr, offset := time.Unix(unix, 0).In(z.loc).Zone()
	return stretch{unix, unix + 1, int64(offset), abbr}
}
