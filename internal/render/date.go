// Dates on the wire.

package render

import (
	"encoding/binary"
	"time"

	"almanac/internal/caltime"
)

// A calendar appends dates in the layout of the wire. Most dates of a record are
// of the same day as the one before, and many of the same second, so it remembers
// the last.
type calendar struct {
	unix, day int64  // since the beginning of 1970, in seconds and in days
	century   byte   // of the year
	date      uint64 // in the century, as written; 0 at first
	clock     uint64 // as written
}

// appendDate appends what a clock in UTC shows at t.
func (c *calendar) appendDate(b []byte, t time.Time) []byte {
	if unix := t.Unix(); unix != c.unix || c.date == 0 {
		const seconds = 24 * 60 * 60
		day, second := unix/seconds, unix%seconds
		if second < 0 {
			day, second = day-1, second+seconds
		}
		if day != c.day || c.date == 0 {
			year, month, date := t.UTC().Date()
			if year < 0 || year > 9999 {
				return t.UTC().AppendFormat(b, caltime.Layout) // the last day of 9999 may be one of 10000 here
			}
			c.day, c.century = day, byte(year/100)
			c.date = pairs(uint32(year%100), uint32(month), uint32(date), '-')
		}
		c.unix, c.clock = unix, pairs(uint32(second)/3600, uint32(second)/60%60, uint32(second)%60, ':')
	}
	b = append(b, '0'+c.century/10, '0'+c.century%10)
	b = append(binary.LittleEndian.AppendUint64(b, c.date), ' ')
	return binary.LittleEndian.AppendUint64(b, c.clock)
}

// pairs writes three numbers of two digits with a divider between them, as in
// 15:04:05. The first byte is the lowest.
func pairs(first, second, third uint32, divider uint64) uint64 {
	const each = 1<<(0*8) | 1<<(3*8) | 1<<(6*8)
	numbers := uint64(first) | uint64(second)<<(3*8) | uint64(third)<<(6*8)
	tens := numbers * 103 >> 10 & (15 * each) // a tenth and a little more, which is right below 179
	ones := numbers - 10*tens
	return tens + ones<<8 + each*('0'|'0'<<8) + divider<<(2*8) + divider<<(5*8)
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
