// Reads of one event that are remembered, against a server that remembers nothing.

package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// An event that is read again and again equals the event of a server without a cache, with the
// same header, in every form and for every caller, after each change of it and of its linked
// records.
func TestReadsAreCurrent(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 6, 1, 12, 0, 0, 0, time.UTC)
	s, err := store.Open(store.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tokens := map[account.Role]string{
		account.Editor:     "of-editor",
		account.Subscriber: "of-subscriber",
	}
	var servers [2]http.Handler
	for i, bytes := range []int64{0, -1} {
		servers[i], _, err = almanactest.Handler(almanactest.Options{
			Store:      s,
			Now:        now,
			CacheBytes: bytes,
			Tokens:     tokens,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var id, venue int64
	put := func(change func(tx *store.Tx) store.Record) {
		t.Helper()
		if err := s.Update(1, func(tx *store.Tx) error { return tx.Put(change(tx)) }); err != nil {
			t.Fatal(err)
		}
	}
	changed := func(change func(*store.Event)) func() {
		return func() {
			put(func(tx *store.Tx) store.Record { e := *tx.Event(id); change(&e); return &e })
		}
	}
	put(func(*store.Tx) store.Record {
		return &store.Venue{
			Post: store.Post{
				Status: store.Publish,
				Author: 1,
				Slug:   "hall",
			},
			Name: "Hall",
		}
	})
	_ = s.View(
		func(v *store.View) error { venue = v.BySlug(store.Venues, "hall").Key(); return nil },
	)
	put(func(*store.Tx) store.Record {
		start := store.WallOf(now)
		return &store.Event{
			Post: store.Post{
				Status: store.Publish,
				Author: 1,
				Slug:   "fair",
			},
			Title:  "Fair",
			Start:  start,
			End:    start + 3600,
			Venues: []int64{venue},
		}
	})
	_ = s.View(func(v *store.View) error { id = v.BySlug(store.Events, "fair").Key(); return nil })

	for n, change := range []func(){
		func() {},
		changed(func(e *store.Event) { e.Title = "Summer fair" }),
		func() {
			put(func(tx *store.Tx) store.Record { v := *tx.Venue(venue); v.Name = "Large hall"; return &v })
		},
		func() {
			put(func(tx *store.Tx) store.Record { v := *tx.Venue(venue); v.Status = store.Private; return &v })
		},
		changed(func(e *store.Event) { e.Password = "open" }),
		changed(func(e *store.Event) { e.Password = "" }),
		changed(func(e *store.Event) { e.Status = store.Private }),
		changed(func(e *store.Event) { e.Status = store.Trash }),
		changed(func(e *store.Event) { e.Status = store.Publish }),
	} {
		change()
		paths := []string{
			fmt.Sprint("/", id),
			"/by-slug/fair",
			fmt.Sprint("/", id, "?_fields=id,title"),
			fmt.Sprint("/", id, "?_envelope=1"),
			fmt.Sprint("/", id, "?password=open"),
			"/by-slug/other",
			fmt.Sprint("/", id+1),
		}
		tags := map[string]string{}
		for round := range 8 { // with others between those that ask for the same
			for _, path := range paths {
				for _, token := range []string{"", "of-editor", "of-subscriber"} {
					tag := tags[path+token]
					r := httptest.NewRequest(http.MethodGet, "/cal/events/v1/events"+path, nil)
					if token != "" {
						r.Header.Set("Authorization", "Bearer "+token)
					}
					if round >= 3 {
						r.Header.Set("Accept-Encoding", "gzip")
					}
					if round >= 6 && tag != "" {
						r.Header.Set("If-None-Match", tag)
					}
					var answers [2]*httptest.ResponseRecorder
					for i, h := range servers {
						answers[i] = httptest.NewRecorder()
						h.ServeHTTP(answers[i], r.Clone(t.Context()))
					}
					kept := answers[0]
					anew := answers[1]
					if diff := cmp.Diff(anew.Body.String(), kept.Body.String()); kept.Code != anew.Code ||
						diff != "" {
						t.Fatalf(
							"change %d, %s by %q, round %d: %d, want %d (-anew, +kept):\n%s",
							n,
							path,
							token,
							round,
							kept.Code,
							anew.Code,
							diff,
						)
					}
					if diff := cmp.Diff(anew.Header(), kept.Header()); diff != "" {
						t.Fatalf(
							"change %d, %s by %q, round %d: header (-anew, +kept):\n%s",
							n,
							path,
							token,
							round,
							diff,
						)
					}
					tags[path+token] = kept.Header().Get("Etag")
				}
			}
		}
	}
}
