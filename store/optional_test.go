package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/store"
)

// Optional members of events are on disk in more, beside those of later versions, and are read
// from the log and from snapshots.
func TestOptionalMembers(t *testing.T) {
	t.Parallel()
	dir := golden(t, "later")
	const online = `"virtual_url":"https://meet.example/<b>",`
	const custom = `"custom_fields":[{"id":"b","label":"B <i>","value":"1"},{"id":"a","label":"","value":"\"\n"}]}`
	const more = `{"colour":"#c00 <b>","tiers":[{"name":"a","price":1.50},null],` +
		`"event_status":"canceled","event_status_reason":"<b> “ill”","previous_start":"2031-05-10 20:00:00",` + online + custom
	fields := store.CustomFields{{Key: "b", Label: "B <i>", Value: "1"}, {Key: "a", Value: "\"\n"}}
	parts := store.Parts{Earlier: 7, Later: 1010}
	before := store.WallOf(time.Date(2031, 5, 10, 20, 0, 0, 0, time.UTC))
	set := func(e *store.Event) {
		e.State, e.StateReason, e.PreviousStart, e.CustomFields = store.Canceled, "<b> “ill”", before, fields
		e.VirtualURL = "https://meet.example/<b>"
	}
	s, err := store.Open(store.Options{Dir: dir, Keep: -1})
	must(t, err)
	var venue, organizer int64
	must(t, s.Update(1, func(tx *store.Tx) error {
		p := store.Post{CustomFields: fields}
		v := &store.Venue{Post: p, Name: "V"}
		o := &store.Organizer{Post: p, Name: "O"}
		must(t, tx.Put(v))
		must(t, tx.Put(o))
		venue = v.ID
		organizer = o.ID
		e := *tx.Event(4)
		series := *tx.Series(1009)
		set(&e)
		set(&series.Event)
		series.Event.Parts = parts
		must(t, tx.Put(&e))
		return tx.Put(&series)
	}))
	for _, snapshot := range []bool{false, true} {
		if snapshot {
			must(t, s.Snapshot(t.Context()))
		}
		must(t, s.Close())
		report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("verified with error %v: %+v", err, report)
		}
		s, err = store.Open(store.Options{Dir: dir, Keep: -1})
		must(t, err)
		must(t, s.View(func(v *store.View) error {
			for _, e := range []*store.Event{v.Event(4), &v.Series(1009).Event} {
				if e.State != store.Canceled || e.StateReason != "<b> “ill”" ||
					e.PreviousStart != before {
					t.Errorf("snapshot %t: %+v", snapshot, e)
				}
			}
			if diff := cmp.Diff([]store.Parts{{}, parts}, []store.Parts{v.Event(4).Parts, v.Series(1009).Event.Parts}); diff != "" {
				t.Errorf("snapshot %t: parts of a series: %s", snapshot, diff)
			}
			if diff := cmp.Diff(more, string(v.Event(4).More)); diff != "" {
				t.Error(diff)
			}
			for _, p := range []*store.Post{&v.Event(4).Post, &v.Series(1009).Event.Post, &v.Venue(venue).Post, &v.Organizer(organizer).Post} {
				if diff := cmp.Diff(fields, p.CustomFields); diff != "" ||
					!strings.HasSuffix(string(p.More), custom) {
					t.Errorf("snapshot %t: %s %s", snapshot, p.More, diff)
				}
			}
			return nil
		}))
	}
	must(t, s.Update(1, func(tx *store.Tx) error {
		e := *tx.Event(4)
		e.State, e.StateReason, e.PreviousStart, e.CustomFields = "", "", 0, nil
		return tx.Put(&e)
	}))
	must(t, s.Close())
	logs, err := filepath.Glob(filepath.Join(dir, "log", "*.jsonl"))
	must(t, err)
	text, err := os.ReadFile(logs[len(logs)-1])
	must(t, err)
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	last := lines[len(lines)-1]
	if bytes.Contains(last, []byte("event_status")) || bytes.Contains(last, []byte("custom")) ||
		!bytes.Contains(last, []byte(`"more":{"colour":`)) {
		t.Errorf("%s", last)
	}
}
