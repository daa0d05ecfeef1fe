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
	b = append(b, "0000-00-00 00:00:00"...)
	date := (*[19]byte)(b[len(b)-19:])
	write := func(i, n int) { date[i], date[i+1] = '0'+byte(n/10), '0'+byte(n%10) }
	write(0, year/100)
	write(2, year%100)
	write(5, int(month))
	write(8, day)
	write(11, hour)
	write(14, minute)
	write(17, second)
	return b
}

// appendDetails appends a date that is written already, taken apart.
func appendDetails(b, date []byte) []byte {
	const parts = `","month":"01","day":"02","hour":"15","minutes":"04","seconds":"05"}`
	year, rest := date[:len(date)-len("-01-02 15:04:05")], date[len(date)-len("01-02 15:04:05"):]
	b = append(append(b, `{"year":"`...), year...)
	b = append(b, parts...)
	to := (*[len(parts)]byte)(b[len(b)-len(parts):])
	to[11], to[12] = rest[0], rest[1]
	to[22], to[23] = rest[3], rest[4]
	to[34], to[35] = rest[6], rest[7]
	to[49], to[50] = rest[9], rest[10]
	to[64], to[65] = rest[12], rest[13]
	return b
}
