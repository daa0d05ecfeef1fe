package adopt

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"almanac/internal/tools/race"
	"almanac/move/oldsite"
)

// Adopting 100,000 events takes memory for a number of each, and not for the events.
func TestLargeAlone(t *testing.T) {
	race.AloneInTurn(t)
	const events, size = 100_000, 1000 // size of the description
	text := strings.Repeat("long ", size/5)
	var mu sync.Mutex
	var most, requests uint64
	look := func() {
		mu.Lock()
		defer mu.Unlock()
		if requests++; requests%50 != 0 {
			return
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	}
	var asked atomic.Int64
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > connections {
			t.Error("there are more requests at a time")
		}
		defer asked.Add(-1)
		look()
		name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		if !strings.HasPrefix(r.URL.Path, v1) {
			fmt.Fprintf(w, `<link rel="https://theeventscalendar.com/" href="%s/">`, v1)
			return
		}
		if name != "events" {
			fmt.Fprintf(w, `{"%s":[],"total":0,"total_pages":0}`, name)
			return
		}
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		fmt.Fprintf(w, `{"total":%d,"total_pages":%d,"events":[`, events, events/oldsite.PageSize)
		for i := range oldsite.PageSize {
			if i > 0 {
				fmt.Fprint(w, ",")
			}
			n := max(page-1, 0)*oldsite.PageSize + i
			fmt.Fprintf(
				w,
				`{"id":%d,"global_id":"old.example?id=%d","title":"Event %d","slug":"event-%d","description":"%s",`+
					`"start_date":"20%02d-%02d-01 10:00:00","end_date":"20%02d-%02d-01 11:00:00","timezone":"UTC","all_day":false}`,
				n*7,
				n*7,
				n,
				n,
				text,
				10+n*20/events,
				1+n*240/events%12,
				10+n*20/events,
				1+n*240/events%12,
			)
		}
		fmt.Fprint(w, `]}`)
	}))
	defer old.Close()
	stored := 0
	ours := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		look()
		var batch struct{ Items []json.RawMessage }
		if err := json.NewDecoder(r.Body).Decode(&batch); err != nil {
			t.Error(err)
		}
		made := map[int]string{}
		for range batch.Items {
			stored++
			made[stored] = "created"
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"report": map[string]any{
				"records": map[string]any{
					"events": made,
				},
			},
		})
	}))
	defer ours.Close()
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	stdout, stderr, err := adoptNow(
		t,
		t.Context(),
		"-to",
		ours.URL,
		"-token",
		"x",
		"-archive",
		filepath.Join(t.TempDir(), "a"),
		old.URL,
	)
	if err != nil || !slices.Contains(rows(stdout), "events 100000 100000 100000") {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	t.Logf("%d KiB beside the test", int64(most-m.HeapAlloc)>>10)
	if most > m.HeapAlloc+24<<20 {
		t.Errorf("%d bytes were held", most-m.HeapAlloc)
	}
}
