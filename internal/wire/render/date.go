// Dates on the wire.

package render

import (
	"time"

	"almanac/internal/text/caltime"
)

// appendDate appends what a clock in UTC shows at t, as AppendFormat does in several
// times as long: an event has some fifteen dates.
func appendDate(b []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(b, caltime.Layout) // the last day of 9999 may be one of 10000 here
	}
	hour, minute, second := t.Clock()
	b = appendPair(appendPair(b, year/100), year%100)
	b = appendPair(append(b, '-'), int(month))
	b = appendPair(append(b, '-'), day)
	b = appendPair(append(b, ' '), hour)
	b = appendPair(append(b, ':'), minute)
	return appendPair(append(b, ':'), second)
}

// appendPair appends a number of two digits.
func appendPair(b []byte, n int) []byte { return append(b, '0'+byte(n/10), '0'+byte(n%10)) }
