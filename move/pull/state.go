// The records of each source, from one run to the next.

package pull

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"almanac/internal/text/jsonio"
	"almanac/internal/write/intake"
	"almanac/store"
	"almanac/store/disk"
)

// A state is the file beside a list of sources.
type state struct {
	To      string           `json:"to"`      // calendar
	Records map[string]entry `json:"records"` // by key
}

// An entry is a record that a source brought.
type entry struct {
	Source string `json:"source"`
	intake.Taken
}

// isComing reports whether the record is an event that is shown and not over.
func (e entry) isComing(now time.Time) bool {
	return (e.Kind == store.Events || e.Kind == store.AllSeries) && !e.Trashed && !e.Gone &&
		!e.isOver(now)
}

func (e entry) isOver(now time.Time) bool { return !e.Until.IsZero() && e.Until.Before(now) }

// Parts of keys: idMark precedes a global id, and dateMark the date of an event that differs from
// its series.
const idMark, dateMark = ": ", ";RECURRENCE-ID="

// keyOf returns the key of an item.
func keyOf(item intake.Item) string {
	r := jsonio.Value{Raw: item.Record}
	text := func(v *jsonio.Value) string { text, _ := v.Text(); return text }
	key := item.Kind
	if id := text(r.Member("global_id")); id != "" {
		key += idMark + id
	} else {
		for _, name := range []string{"title", "venue", "organizer", "name", "start_date", "slug"} {
			key += " " + text(r.Member(name))
		}
	}
	if date := text(r.Member("calendar").Member("id")); date != "" {
		key += dateMark + date
	}
	return key
}

// seriesKey returns the key of the series of a date, and other keys as they are.
func seriesKey(key string) string {
	key, _, _ = strings.Cut(key, dateMark)
	return key
}

// readState reads the state for a calendar. A missing file is an empty state.
func readState(file, to string) (*state, error) {
	s := &state{to, map[string]entry{}}
	text, err := disk.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err == nil && s.To != to {
		err = fmt.Errorf("is about %s, not about %s: give another file by -state", s.To, to)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return s, err
}
