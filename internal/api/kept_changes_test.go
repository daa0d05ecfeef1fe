// Renderings that are kept, against a server that keeps none.

package api_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// answered returns status and body of an answer, whatever its form on the wire.
func answered(t *testing.T, h http.Handler, r *http.Request) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, unpacked(t, w)
}

// unpacked returns the body of an answer, which may be compressed.
func unpacked(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body.String()
	}
	zip, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// After every change, also after one is undone and replaced by another, an answer with cached
// parts equals the answer of a server that renders everything anew: two servers of one store are
// asked the same.
func TestKeptIsCurrentAlone(t *testing.T) {
	race.Alone(t)
	rng := rand.New(rand.NewPCG(8, 4))
	now := time.Date(2031, 6, 1, 12, 0, 0, 0, time.UTC)
	s, err := store.Open(store.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	made, err := almanactest.Generate(s, 300)
	if err != nil {
		t.Fatal(err)
	}
	const small = 2 << 20 // so that some of it has to go again
	tokens := map[account.Role]string{}
	for _, role := range sample.Everybody {
		if role != "" {
			tokens[role] = "of-" + string(role)
		}
	}
	keeping, _, err := almanactest.Handler(almanactest.Options{
		Store:      s,
		Now:        now,
		CacheBytes: small,
		Tokens:     tokens,
	})
	if err != nil {
		t.Fatal(err)
	}
	keepless, _, err := almanactest.Handler(almanactest.Options{
		Store:      s,
		Now:        now,
		CacheBytes: -1,
		Tokens:     tokens,
	})
	if err != nil {
		t.Fatal(err)
	}
	one := func(ids []int64) int64 { return ids[rng.IntN(min(len(ids), 40))] }
	paths := []func() string{
		func() string { return "/events?per_page=20&starts_after=2030-01-01&order=desc" },
		func() string { return fmt.Sprint("/events?per_page=20&starts_after=2030-01-01&page=", 1+rng.IntN(10)) },
		func() string {
			return fmt.Sprint(
				"/events?starts_after=2030-01-01&per_page=50&venue=",
				one(made.Venues),
			)
		},
		func() string { return fmt.Sprint("/events/", one(made.Events)) },
		func() string { return fmt.Sprint("/events/", one(made.Events), "?password=open") },
		func() string { return fmt.Sprint("/events/", one(made.Events), "?context=edit") },
		func() string { return "/venues?per_page=50" },
		func() string { return fmt.Sprint("/venues/", one(made.Venues)) },
		func() string { return fmt.Sprint("/organizers/", one(made.Organizers)) },
		func() string { return "/categories?per_page=50&hide_empty=0" },
		func() string { return fmt.Sprint("/categories/", one(made.Categories)) },
		func() string { return fmt.Sprint("/tags/", one(made.Tags)) },
	}
	statuses := []store.Status{
		store.Publish,
		store.Publish,
		store.Draft,
		store.Private,
		store.Trash,
	}
	changes := []func(tx *store.Tx) store.Record{
		func(tx *store.Tx) store.Record {
			e := *tx.Event(one(made.Events))
			e.Title += "!"
			return &e
		},
		func(tx *store.Tx) store.Record {
			e := *tx.Event(one(made.Events))
			e.Status = statuses[rng.IntN(len(statuses))]
			e.Password = []string{"", "open"}[rng.IntN(2)]
			return &e
		},
		func(tx *store.Tx) store.Record {
			e := *tx.Event(one(made.Events))
			e.ID = 0
			e.Slug = ""
			e.Title = "New"
			return &e
		},
		func(tx *store.Tx) store.Record {
			v := *tx.Venue(one(made.Venues))
			v.Name = v.Name + "?"
			v.Status = statuses[rng.IntN(len(statuses))]
			return &v
		},
		func(tx *store.Tx) store.Record {
			o := *tx.Organizer(one(made.Organizers))
			o.Name = o.Name + "?"
			o.Status = statuses[rng.IntN(len(statuses))]
			return &o
		},
		func(tx *store.Tx) store.Record {
			c := *tx.Term(store.Categories, one(made.Categories))
			c.Name += "*"
			return &c
		},
		func(tx *store.Tx) store.Record {
			g := *tx.Term(store.Tags, one(made.Tags))
			g.Name += "*"
			return &g
		},
		func(tx *store.Tx) store.Record {
			i := &store.Image{
				URL:       fmt.Sprint("https://example.org/", tx.Seq(), ".png"),
				Extension: "png",
			}
			if err := tx.Put(i); err != nil {
				t.Fatal(err)
			}
			v := *tx.Venue(one(made.Venues))
			v.Image = i.ID
			return &v
		},
	}
	var savepoints []*store.Savepoint
	for n := range 140 {
		if n%4 == 0 {
			p, err := s.Savepoint()
			if err != nil {
				t.Fatal(err)
			}
			savepoints = append(savepoints, p)
		}
		if rng.IntN(3) == 0 {
			if err := s.RollBack(savepoints[len(savepoints)-1-rng.IntN(min(len(savepoints), 3))]); err != nil {
				t.Fatal(err)
			}
		}
		change := changes[rng.IntN(len(changes))]
		if err := s.Update(1, func(tx *store.Tx) error { return tx.Put(change(tx)) }); err != nil {
			t.Fatal(err)
		}
		for range 12 {
			path := "/cal/events/v1" + paths[rng.IntN(len(paths))]()
			host := []string{"a.example", "b.example"}[rng.IntN(2)]
			role := sample.Everybody[rng.IntN(len(sample.Everybody))]
			zipped := rng.IntN(3) == 0
			ask := func() *http.Request {
				r := httptest.NewRequest(http.MethodGet, "http://"+host+path, nil)
				if role != "" {
					r.Header.Set("Authorization", "Bearer "+tokens[role])
				}
				if zipped {
					r.Header.Set("Accept-Encoding", "gzip")
				}
				return r
			}
			wantStatus, want := answered(t, keepless, ask())
			for range 1 + rng.IntN(3) { // from the second time on lists are kept whole
				status, body := answered(t, keeping, ask())
				if status != wantStatus || body != want {
					t.Fatalf(
						"%s at %s as %q: %d, want %d (-anew, +kept):\n%s",
						path,
						host,
						role,
						status,
						wantStatus,
						cmp.Diff(want, body),
					)
				}
			}
		}
	}
}

// A list says when it was cut to the largest page, and how it was found when the
// server explains.
func TestExplanations(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	made, err := almanactest.Generate(s, 200)
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := almanactest.Handler(almanactest.Options{
		Store:   s,
		Now:     time.Date(2030, 6, 1, 0, 0, 0, 0, time.UTC),
		Explain: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, path, clamped, plan string }{
		{"by position", "/events", "", "index=start; candidates=0; took="},
		{"cut", "/events?per_page=51", "per_page=50", "index=start; "},
		{"not cut", "/events?per_page=50", "", "index=start; "},
		{"a venue", fmt.Sprint("/events?venue=", made.Venues[0]), "", "index=venue; candidates="},
		{"a search", "/events?search=" + made.Words[0], "", "index=words; candidates="},
		{"by slug", "/events?slug=nothing", "", "index=slug; candidates=0; "},
		{"venues", "/venues?per_page=9999", "per_page=50", "index=date; candidates=0; "},
		{"tags", "/tags?per_page=100", "per_page=50", "index=name; candidates="},
	} {
		var w *httptest.ResponseRecorder
		var plans []string
		for range 6 { // a cached answer would repeat its time
			w = httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/cal/events/v1"+tt.path, nil))
			plans = append(plans, w.Header().Get("X-Almanac-Plan"))
		}
		if len(slices.Compact(plans[1:])) == 1 {
			t.Errorf("%s: all plans are %q, with the time of an earlier one", tt.name, plans[1])
		}
		if got := w.Header().Get("X-Almanac-Clamped"); got != tt.clamped {
			t.Errorf("%s: clamped %q, want %q", tt.name, got, tt.clamped)
		}
		if got := w.Header().Get("X-Almanac-Plan"); !bytes.HasPrefix(
			[]byte(got),
			[]byte(tt.plan),
		) {
			t.Errorf("%s: plan %q, want %q", tt.name, got, tt.plan)
		}
	}
}

// A list that is kept for somebody with an account follows what they alone see.
func TestKeptDrafts(t *testing.T) {
	t.Parallel()
	srv := almanactest.NewServer(t)
	for _, role := range sample.Everybody {
		if role == "" || role == account.Subscriber { // these roles have no drafts
			continue
		}
		const draft = `{"title":"Take 0","status":"draft","start_date":"tomorrow","end_date":"tomorrow"}`
		status, made := apitest.Do(
			t,
			srv.As(role),
			http.MethodPost,
			srv.URL+"/cal/events/v1/events",
			draft,
		)
		if status != http.StatusCreated {
			t.Fatalf("%d %v", status, made)
		}
		id := int64(made["id"].(float64))
		for n := range 4 {
			for range 3 {
				_, body := apitest.Do(
					t,
					srv.As(role),
					http.MethodGet,
					srv.URL+"/cal/events/v1/events?orderby=id&order=desc&status=draft&per_page=1",
					"",
				)
				if got, want := sample.Names(body), []string{fmt.Sprint("Take ", n)}; !cmp.Equal(
					got,
					want,
				) {
					t.Errorf("a list for the role %s has the drafts %v, want %v", role, got, want)
				}
			}
			err := srv.Store.Update(1, func(tx *store.Tx) error {
				e := *tx.Event(id)
				e.Title = fmt.Sprint("Take ", n+1)
				return tx.Put(&e)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
