// Wall clocks: dates and times without a zone.

package store

import (
	"fmt"
	"time"
)

// Wall is a date and time as a clock on the wall shows it, without a zone: the
// seconds from 1970-01-01 00:00:00 on that same clock. Walls of one zone
// compare as integers. Records hold only walls of the years 0 to 9999, which have
// a form on disk and on the wire.
type Wall int64

const wallLayout = "2006-01-02 15:04:05"

// The walls that have a form.
const (
	firstWall Wall = -62_167_219_200 // 0000-01-01 00:00:00
	lastWall  Wall = 253_402_300_799 // 9999-12-31 23:59:59
)

// WallOf returns what a clock in t's own location shows at t.
func WallOf(t time.Time) Wall {
	_, offset := t.Zone()
	return Wall(t.Unix() + int64(offset))
}

// Time returns the reading as a time in UTC. It is not an instant: the zone has
// to be applied to it.
func (w Wall) Time() time.Time { return time.Unix(int64(w), 0).UTC() }

// String returns the form of the wire, 2006-01-02 15:04:05.
func (w Wall) String() string { return w.Time().Format(wallLayout) }

// hasForm reports whether the wall can be written down and read again.
func (w Wall) hasForm() bool { return firstWall <= w && w <= lastWall }

// MarshalText returns the form of String.
func (w Wall) MarshalText() ([]byte, error) {
	if !w.hasForm() {
		return nil, fmt.Errorf("wall clock %d: not in the years 0 to 9999", int64(w))
	}
	return w.Time().AppendFormat(nil, wallLayout), nil
}

// UnmarshalText reads the form of String, and no other, so that MarshalText returns the same bytes.
func (w *Wall) UnmarshalText(text []byte) error {
	t, err := time.Parse(wallLayout, string(text))
	// The package reads fractions and single digits that are not in the layout.
	if err != nil || t.Format(wallLayout) != string(text) {
		return fmt.Errorf("wall clock %q: not of the form %s", text, wallLayout)
	}
	*w = WallOf(t)
	return nil
}
