// The forms in which programs write dates, read without the grammar: nearly all
// that a server is sent has one of them.

package caltime

import "time"

// plain reads "2006-01-02", "2006-01-02 15:04:05" and
// "2006-01-02T15:04:05", behind a time also "Z" or "+02:00". What it takes means
// what the grammar says; the rest, and whatever is wrong, it leaves to it.
func plain(text string, zone *Zone) (Moment, bool) {
	if len(text) < len("2006-01-02") || text[4] != '-' || text[7] != '-' {
		return Moment{}, false
	}
	century, year := twoDigits(text, 0), twoDigits(text, 2)
	month, day := twoDigits(text, 5), twoDigits(text, 8)
	if century < 0 || year < 0 || century+year == 0 || month < 1 || month > 12 || day < 1 || day > 31 {
		return Moment{}, false
	}
	year += 100 * century
	if len(text) == len("2006-01-02") {
		wall := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		return Moment{Wall: wall, Instant: zone.Instant(wall)}, true
	}

	if len(text) < len("2006-01-02 15:04:05") || text[10] != ' ' && text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return Moment{}, false
	}
	hour, minute, second := twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return Moment{}, false
	}
	wall := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	behind := text[len("2006-01-02 15:04:05"):]
	if behind == "" {
		return Moment{Wall: wall, Instant: zone.Instant(wall), HasTime: true}, true
	}
	offset, ok := plainOffset(behind)
	if !ok {
		return Moment{}, false
	}
	instant := time.Unix(wall.Unix()-int64(offset), 0).UTC()
	return Moment{Wall: wall, Instant: instant, Explicit: true, HasTime: true}, true
}

// plainOffset reads "Z" and "+02:00" as seconds east of UTC.
func plainOffset(text string) (seconds int, ok bool) {
	if text == "Z" {
		return 0, true
	}
	if len(text) != len("+02:00") || text[0] != '+' && text[0] != '-' || text[3] != ':' {
		return 0, false
	}
	hours, minutes := twoDigits(text, 1), twoDigits(text, 4)
	if hours < 0 || hours > 23 || minutes < 0 || minutes > 59 {
		return 0, false
	}
	seconds = hours*secondsPerHour + minutes*60
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// twoDigits returns the number of two digits, or -1.
func twoDigits(text string, at int) int {
	tens, ones := text[at]-'0', text[at+1]-'0'
	if tens > 9 || ones > 9 {
		return -1
	}
	return int(tens)*10 + int(ones)
}
