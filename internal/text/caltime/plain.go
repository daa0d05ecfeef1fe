// The forms in which most programs write dates, read without the grammar, which
// takes some thirty times as long: a list is asked for by two of them.

package caltime

import "time"

// plain reads "2006-01-02", "2006-01-02 15:04:05" and "2006-01-02T15:04:05" quickly,
// with the same result as the grammar. It leaves other texts and errors to the grammar.
func plain(text string, zone *Zone) (Moment, bool) {
	var layout string
	switch {
	case len(text) == len(time.DateOnly):
		layout = time.DateOnly
	case len(text) != len(Layout):
		return Moment{}, false
	case text[10] == 'T':
		layout = "2006-01-02T15:04:05"
	default:
		layout = Layout
	}
	local, err := time.Parse(layout, text)
	if err != nil || local.Year() == 0 {
		return Moment{}, false
	}
	return Moment{
		Wall:    local,
		Instant: zone.Instant(local),
		HasTime: len(text) > len(time.DateOnly),
	}, true
}
