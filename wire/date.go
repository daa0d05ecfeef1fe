// Dates on the wire.

package wire

import (
	"time"

	"almanac/caltime"
)

// appendDate appends a date in the layout of the wire.
func appendDate(b []byte, t time.Time) []byte {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(b, caltime.Layout) // in UTC the last day of 9999 may be one of 10000
	}
	hour, minute, second := t.Clock()
	return append(b,
		digit(year/1000), digit(year/100), digit(year/10), digit(year), '-',
		digit(int(month)/10), digit(int(month)), '-',
		digit(day/10), digit(day), ' ',
		digit(hour/10), digit(hour), ':',
		digit(minute/10), digit(minute), ':',
		digit(second/10), digit(second))
}

// digit gives the last digit of n.
func digit(n int) byte { return '0' + byte(uint(n)%10) }

// appendDetails appends a date that is written already, taken apart.
func appendDetails(b, date []byte) []byte {
	year, rest := date[:len(date)-len("-01-02 15:04:05")], date[len(date)-len("01-02 15:04:05"):]
	b = append(append(b, `{"year":"`...), year...)
	b = append(append(b, `","month":"`...), rest[0:2]...)
	b = append(append(b, `","day":"`...), rest[3:5]...)
	b = append(append(b, `","hour":"`...), rest[6:8]...)
	b = append(append(b, `","minutes":"`...), rest[9:11]...)
	b = append(append(b, `","seconds":"`...), rest[12:14]...)
	return append(b, `"}`...)
}
