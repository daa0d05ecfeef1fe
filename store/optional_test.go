package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/store"
)

// Optional members of events are on disk in more, beside those of later versions, and are read from the log and from snapshots.
func TestOptionalMembers(t *testing.T) {
	t.Parallel()
	dir := golden(t, "later")
	const more = `{"colour":"#c00 <b>","tiers":[{"name":"a","price":1.50},null],` +
		`"event_status":"canceled","event_status_reason":"<b> “ill”","previous_start":"2031-05-10 20:00:00"}`
	before := store.WallOf(time.Date(2031, 5, 10, 20, 0, 0, 0, time.UTC))
	set := func(e *store.Event) {
		e.State, e.StateReason, e.PreviousStart = store.Canceled, "<b> “ill”", before
	}
	s, err := store.Open(store.Options{Dir: dir, Keep: -1})
	must(t, err)
	must(t, s.Update(1, func(tx *store.Tx) error {
		e, series := *tx.Event(4), *tx.Series(1009)
		set(&e)
		set(&series.Event)
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
				if e.State != store.Canceled || e.StateReason != "<b> “ill”" || e.PreviousStart != before {
					t.Errorf("snapshot %t: %+v", snapshot, e)
				}
			}
			if diff := cmp.Diff(more, string(v.Event(4).More)); diff != "" {
				t.Error(diff)
			}
			return nil
		}))
	}
	must(t, s.Update(1, func(tx *store.Tx) error {
		e := *tx.Event(4)
		e.State, e.StateReason, e.PreviousStart = "", "", 0
		return tx.Put(&e)
	}))
	must(t, s.Close())
	logs, err := filepath.Glob(filepath.Join(dir, "log", "*.jsonl"))
	must(t, err)
	text, err := os.ReadFile(logs[len(logs)-1])
	must(t, err)
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	if last := lines[len(lines)-1]; bytes.Contains(last, []byte("event_status")) || !bytes.Contains(last, []byte(`"more":{"colour":`)) {
		t.Errorf("%s", last)
	}
}
