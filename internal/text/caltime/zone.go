// A zone turns wall clock readings into instants and back.

package caltime

import "time"

// A Zone is a time zone: a named one whose offset changes over the years, or a
// fixed offset from UTC. It is immutable; nil is UTC.
type Zone struct {
	name  string
	loc   *time.Location
	known []stretch // of loc in the kept years, in order, without gaps

	portable *Zone // nil if the zone is
}

var utc = &Zone{name: "UTC", loc: time.UTC, known: always("UTC", 0)}

// UTC returns the zone UTC.
func UTC() *Zone { return utc }

// fixed makes a zone of an offset in seconds east of UTC.
func fixed(name, abbr string, offset int) *Zone {
	return &Zone{name: name, loc: time.FixedZone(abbr, offset), known: always(abbr, offset)}
}

// Location returns the zone as package time knows zones. Its name may be another.
func (z *Zone) Location() *time.Location {
	if z == nil {
		return time.UTC
	}
	return z.loc
}

// Name returns the canonical name, which [LoadZone] accepts: "Europe/Paris",
// "UTC+5.5", "+02:00".
func (z *Zone) Name() string {
	if z == nil {
		return utc.name
	}
	return z.name
}

// Portable returns the zone under a name by which other programs take it for what it is
// here: UTC+1 for CET, which they take for the time of a city.
func (z *Zone) Portable() *Zone {
	if z == nil || z.portable == nil {
		return z
	}
	return z.portable
}

// String returns the name.
func (z *Zone) String() string { return z.Name() }

// Instant returns the instant, in UTC, at which clocks in the zone show a wall
// clock reading. Only the date and the clock of wall count, to the second; its
// location does not. A reading that clocks skip moves forward by the length of the
// gap (02:30 becomes 03:30); a reading that comes twice is the first of the two.
func (z *Zone) Instant(local time.Time) time.Time {
	_, east := local.Zone()
	reading := local.Unix() + int64(east)

	// Offsets are shorter than a day, so the instant that is sought has the
	// offset of a day before it, or of a day after, or one in between.
	const day = 24 * 60 * 60
	offsetAt := func(unix int64) int64 { return z.at(unix).offset }
	around := z.at(reading - day)
	before := around.offset
	if around.covers(reading + day) {
		return time.Unix(reading-before, 0).UTC()
	}
	found := int64(0)
	ok := false
	for _, offset := range [...]int64{before, offsetAt(reading - before), offsetAt(reading + day)} {
		if at := reading - offset; offsetAt(at) == offset && (!ok || at < found) {
			found = at
			ok = true
		}
	}
	if !ok {
		found = reading - before // skipped: the old offset moves it forward by the gap
	}
	return time.Unix(found, 0).UTC()
}

// Twice reports whether clocks in the zone show again what they show at an instant, since
// they are put back.
func (z *Zone) Twice(instant time.Time) bool {
	const day = 24 * 60 * 60
	unix := instant.Unix()
	now := z.at(unix)
	if now.covers(unix + day) {
		return false
	}
	back := now.offset - z.at(unix+day).offset
	return back > 0 && z.at(unix+back).offset == now.offset-back
}

// Wall returns what clocks in the zone show at an instant, to the second, as a
// time.Time in time.UTC.
func (z *Zone) Wall(instant time.Time) time.Time {
	unix := instant.Unix()
	return time.Unix(unix+z.at(unix).offset, 0).UTC()
}

// Offset returns how many seconds the zone is east of UTC at an instant.
func (z *Zone) Offset(instant time.Time) int { return int(z.at(instant.Unix()).offset) }

// Abbr returns the abbreviation in force at an instant: "EDT", "CEST", or the
// digits "+03" for zones without letters. For "UTC+2" it is the name itself,
// for "+02:00" it is "GMT+0200".
func (z *Zone) Abbr(instant time.Time) string { return z.at(instant.Unix()).abbr }

// ISO writes an instant in ISO 8601 as clocks in the zone show it, with the
// numeric offset: "2031-05-10T10:00:00-04:00".
func (z *Zone) ISO(instant time.Time) string {
	return instant.In(z.Location()).Format("2006-01-02T15:04:05-07:00")
}
