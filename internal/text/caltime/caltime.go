// Package caltime is the only place that knows about time: the clock, time
// zones and the dates people write.
//
// A wall clock reading, or local time, is a time.Time in time.UTC whose date and
// clock are those of a local clock; an instant is a time.Time that is a moment on
// earth. Only a [Zone] converts between them, also where clocks change.
//
//	var clock *caltime.Clock // nil is the real time
//	zone, err := caltime.LoadZone("europe/paris")
//	m, err := caltime.Parse("next monday 9am", clock.Now(), zone)
//	fmt.Println(m.Wall.Format(caltime.Layout), zone.Abbr(m.Instant))
//
// Zones and dates count whole seconds. Everything may be used by several
// goroutines at once. Rules of named zones come from the system or from
// time/tzdata, which the program imports, not this package.
package caltime

import "time"

// Layout is the form of every date on the wire: a wall clock reading to the
// second, without a zone.
const Layout = "2006-01-02 15:04:05"

// StartOfDay returns 00:00:00 of the day of a wall clock reading.
func StartOfDay(local time.Time) time.Time {
	year, month, day := local.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// EndOfDay returns 23:59:59 of the day of a wall clock reading: the last second
// that still belongs to it.
func EndOfDay(local time.Time) time.Time {
	year, month, day := local.Date()
	return time.Date(year, month, day, 23, 59, 59, 0, time.UTC)
}
