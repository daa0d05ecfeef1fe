package api_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Nothing that a merge or a removal in several transactions needs is trashed, removed or merged
// between them, and no link is lost.
func TestHeldBetweenParts(t *testing.T) {
	t.Parallel()
	term := func(k store.Kind) func(slug string) store.Record {
		return func(slug string) store.Record { return &store.Term{Taxonomy: k, Name: slug, Slug: slug} }
	}
	post := func(slug string) store.Post { return store.Post{Slug: slug, Status: store.Publish} }
	for name, test := range map[string]struct {
		make  func(slug string) store.Record
		link  func(e *store.Event, id int64)
		links func(e *store.Event) []int64
	}{
		"venues": {
			func(slug string) store.Record { return &store.Venue{Name: slug, Post: post(slug)} },
			func(e *store.Event, id int64) { e.Venues = []int64{id} },
			func(e *store.Event) []int64 { return e.Venues },
		},
		"organizers": {
			func(slug string) store.Record { return &store.Organizer{Name: slug, Post: post(slug)} },
			func(e *store.Event, id int64) { e.Organizers = []int64{id} },
			func(e *store.Event) []int64 { return e.Organizers },
		},
		"categories": {
			term(store.Categories),
			func(e *store.Event, id int64) { e.Categories = []int64{id} },
			func(e *store.Event) []int64 { return e.Categories },
		},
		"tags": {
			term(store.Tags),
			func(e *store.Event, id int64) { e.Tags = []int64{id} },
			func(e *store.Event) []int64 { return e.Tags },
		},
		"media": {
			func(slug string) store.Record {
				directory := strings.Repeat(slug, 32)
				sum := strings.Repeat("0", 64)
				return &store.Image{
					Directory: directory,
					URL:       store.MediaPath + directory + "/x.png",
					Extension: "png",
					Width:     3,
					Height:    3,
					Filesize:  100,
					Type:      "image/png",
					Hash:      sum,
					Sent:      sum,
				}
			},
			func(e *store.Event, id int64) { e.Image = id },
			func(e *store.Event) []int64 { return []int64{e.Image} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := store.Open(store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			const events = 1_200
			hasTrash := name == "venues" || name == "organizers"
			ids := map[string]int64{}
			err = s.Update(1, func(tx *store.Tx) error {
				for _, slug := range []string{"a", "b", "c", "d"} {
					r := test.make(slug)
					if err := tx.Put(r); err != nil {
						return err
					}
					ids[slug] = r.Key()
				}
				for i := range events {
					e := &store.Event{Title: "Fair", Post: post(fmt.Sprint("fair", i))}
					test.link(e, ids["a"])
					if err := tx.Put(e); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			between := func() {}
			h := handlerAt(t, s, func() { between() })
			ask := func(method, slug, more string) int {
				path := fmt.Sprintf("%s/%s/%d%s", v1, name, ids[slug], more)
				w := apitest.Serve(h, method, path, "", "Authorization", apitest.Bearer("ed"))
				if w.Code == http.StatusConflict &&
					!strings.Contains(w.Body.String(), "Ask again") {
					t.Errorf("%s %s: %s", method, path, w.Body)
				}
				return w.Code
			}
			into := func(slug string) string { return fmt.Sprint("/merge?into=", ids[slug]) }
			trash := func(slug string) int {
				if !hasTrash {
					return http.StatusConflict
				}
				return ask("PUT", slug, "?status=trash")
			}
			parts := 0
			during := func(do func() []int, want int) func() {
				begun := s.Seq()
				return func() {
					if s.Seq() == begun {
						return // the first lookup
					}
					step := between
					between = func() {} // others are requests, too
					defer func() { between = step }()
					parts++
					for i, got := range do() {
						if got != want {
							t.Errorf("request %d after part %d: %d, want %d", i, parts, got, want)
						}
					}
				}
			}
			linked := func() map[string]int {
				n := map[string]int{}
				_ = s.View(func(v *store.View) error {
					for r := range v.Each(store.Events) {
						for slug, id := range ids {
							if at := test.links(r.(*store.Event)); len(at) > 0 && at[0] == id {
								n[slug]++
							}
						}
					}
					return nil
				})
				if err := s.Check(); err != nil {
					t.Error(err)
				}
				return n
			}
			picture := func(slug string) string {
				return `<img src="` + store.MediaPath + strings.Repeat(slug, 32) + `/x.png">`
			}
			between = during(func() []int {
				late := &store.Event{Title: "Late", Post: post(fmt.Sprint("late", parts))}
				test.link(late, ids["a"])
				text := &store.Event{Title: "Text", Post: post(fmt.Sprint("text", parts))}
				text.Description = picture("a")
				err := s.Update(
					1,
					func(tx *store.Tx) error { return errors.Join(tx.Put(late), tx.Put(text)) },
				)
				if err != nil {
					t.Error(err)
				}
				return []int{
					ask("DELETE", "a", ""), ask("DELETE", "b", ""), trash("a"), trash("b"),
					ask(
						"POST",
						"a",
						into("c"),
					), ask("POST", "b", into("c")), ask("POST", "c", into("b")),
				}
			}, http.StatusConflict)
			if got := ask("POST", "a", into("b")); got != http.StatusOK || parts != 2 {
				t.Fatalf("merge: %d, %d parts", got, parts)
			}
			if diff := cmp.Diff(map[string]int{"b": events + parts}, linked()); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
			want := picture(map[bool]string{true: "b", false: "a"}[name == "media"])
			texts := 0
			_ = s.View(func(v *store.View) error {
				for r := range v.Each(store.Events) {
					if store.PostOf(r).Description == want {
						texts++
					}
				}
				return nil
			})
			if texts != parts {
				t.Errorf("%d texts have %s, want %d", texts, want, parts)
			}
			between = func() {}
			if got := ask("POST", "d", into("c")); got != http.StatusOK {
				t.Errorf("a merge of others: %d", got)
			}
			if !hasTrash { // a removal takes the links away
				between = during(func() []int {
					return []int{
						ask("DELETE", "b", ""),
						ask("POST", "b", into("c")),
						ask("POST", "c", into("b")),
					}
				}, http.StatusConflict)
			}
			if got := ask("DELETE", "b", ""); got != http.StatusOK {
				t.Errorf("delete: %d", got)
			}
			between = func() {}
			if got := ask("DELETE", "c", ""); got != http.StatusOK {
				t.Errorf("nothing is held at the end: %d", got)
			}
		})
	}
}

// handlerAt returns a server with the token ed of an editor, which calls known whenever that token
// is looked up.
func handlerAt(t *testing.T, s *store.Store, known func()) http.Handler {
	t.Helper()
	path := filepath.Join(t.TempDir(), "users.json")
	text := fmt.Sprintf(
		`{"users":[{"id":2,"login":"ed","role":"editor","tokens":[{"sha256":"%x","expires":"2099-01-01T00:00:00Z"}]}]}`,
		sha256.Sum256([]byte("ed")),
	)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	clock := caltime.Frozen(sample.Evening)
	accounts, err := account.Open(path, func() time.Time { known(); return clock.Now() }, nil)
	if err != nil {
		t.Fatal(err)
	}
	h, err := api.New(
		api.Options{Store: s, Accounts: accounts, Clock: clock, NoLimits: true},
		almanactest.Routes,
	)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
