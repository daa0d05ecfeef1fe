// The records of each source, from one run to the next.

package pull

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/intake"
	"almanac/internal/jsonin"
	"almanac/store"
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
	return (e.Kind == store.Events || e.Kind == store.AllSeries) && !e.Trashed && !e.Gone && !e.isOver(now)
}

func (e entry) isOver(now time.Time) bool { return !e.Until.IsZero() && e.Until.Before(now) }

// Parts of keys: idMark precedes a global id, and dateMark the date of an event that differs from its series.
const idMark, dateMark = ": ", ";RECURRENCE-ID="

// keysOf returns the key of an item, and the keys that stand for it: that of its series, and those of its ids at other sites.
func keysOf(item intake.Item) (key string, also []string) {
	r := jsonin.Value{Raw: item.Record}
	text := func(v *jsonin.Value) string { text, _ := v.Text(); return text }
	if id := text(r.Member("global_id")); id != "" {
		key = item.Kind + idMark + id
	} else {
		key = item.Kind
		for _, name := range []string{"title", "venue", "organizer", "name", "start_date", "slug"} {
			key += " " + text(r.Member(name))
		}
	}
	also = []string{key}
	for _, id := range r.Member("global_id_lineage").Items() {
		also = append(also, item.Kind+idMark+text(id))
	}
	if date := text(r.Member("calendar").Member("id")); date != "" {
		key += dateMark + date
	}
	return key, also
}

// seriesKey returns the key of the series of a date, and other keys as they are.
func seriesKey(key string) string {
	key, _, _ = strings.Cut(key, dateMark)
	return key
}

// readState reads the state for a calendar. A missing file is an empty state.
func readState(file, to string) (*state, error) {
	s := &state{to, map[string]entry{}}
	text, err := os.ReadFile(file)
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

// write replaces the file.
func (s *state) write(file string) error {
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".almanac-pull-*")
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
