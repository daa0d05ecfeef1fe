// The quick way through the grammar for dates as programs write them.

package caltime

import "time"

// plain reads "2006-01-02", and with a time behind a blank or a T
// "2006-01-02 15:04:05": what nearly every request sends. It takes nothing that
// the grammar takes in another meaning, and leaves what is out of the ordinary to
// it.
func plain(text string, zone *Zone) (Moment, bool) {
	if len(text) != len("2006-01-02") && len(text) != len("2006-01-02 15:04:05") || text[4] != '-' || text[7] != '-' {
		return Moment{}, false
	}
	ok := true
	two := func(i int) int {
		tens, ones := text[i]-'0', text[i+1]-'0'
		ok = ok && tens <= 9 && ones <= 9
		return 10*int(tens) + int(ones)
	}
	year, month, day := 100*two(0)+two(2), two(5), two(8)
	hour, minute, second := 0, 0, 0
	timed := len(text) > len("2006-01-02")
	if timed {
		if c := text[10]; c != ' ' && c != 'T' || text[13] != ':' || text[16] != ':' {
			return Moment{}, false
		}
		hour, minute, second = two(11), two(14), two(17)
	}
	if !ok || year < 1 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59 {
		return Moment{}, false
	}
	wall := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if wall.Day() != day {
		return Moment{}, false
	}
	return Moment{Wall: wall, Instant: zone.Instant(wall), HasTime: timed}, true
}
