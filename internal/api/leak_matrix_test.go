// The size of the leak matrix, and running it.

package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/race"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// secrets are the ways to be hidden: each status with and without a password, linked from
// published records or not (in turn, in short runs), by an author without other rights or by each
// role that would see it; and published with a password.
func secrets() (all []secret) {
	authors := []account.Role{account.Administrator, account.Author, account.Contributor}
	for i, status := range []store.Status{store.Future, store.Draft, store.Pending, store.Private, store.Trash} {
		for j, password := range []string{"", "secret"} {
			for k, linked := range []bool{false, true} {
				if sample.Long || (i+j+k)%2 == 0 {
					all = append(
						all,
						secret{status, password, authors[len(all)%len(authors)], linked},
					)
				}
			}
		}
	}
	for _, by := range authors {
		all = append(all, secret{store.Publish, "secret", by, false})
	}
	return all
}

// opened reports whether a question of a role opens what a password closes, which
// then is not hidden.
func (s secret) opened(role account.Role, q question) bool {
	edits := s.shows(role) && role != account.Contributor ||
		role == account.Contributor && s.by == role
	return s.inside() &&
		(strings.Contains(q.query+q.body, "password=secret") || edits && (strings.Contains(q.query, "context=edit") ||
			strings.Contains(q.query, "search=")))
}

// TestLeakMatrixAlone asks every route and every parameter as each caller from whom a record is
// hidden, in a world with the record and in its twin without it. No hidden text may be in a byte
// of an answer, and no status, count, total, entity tag, link or plan may differ.
func TestLeakMatrixAlone(t *testing.T) {
	race.Alone(t)
	routes, missing := leakRoutes()
	for _, what := range missing {
		t.Errorf(
			"%s: say in leak_probes_test.go what its values could tell about hidden records",
			what,
		)
	}
	var reads, writes, excepted atomic.Int64
	var used sync.Map // the exceptions that were needed
	var roles, values atomic.Int64
	twins := twinsOf(t)
	for _, r := range routes {
		values.Add(int64(len(r.probes)))
	}
	t.Run("secrets", func(t *testing.T) {
		for _, s := range secrets() {
			t.Run(s.String(), func(t *testing.T) {
				t.Parallel()
				there := newLeakWorld(t, s, true)
				twin := twins.of(t, s)
				for _, role := range sample.Everybody {
					if !s.inside() && s.shows(role) {
						continue // see TestLeakControlsAlone
					}
					roles.Add(1)
					for _, r := range routes {
						if r.method != "GET" {
							continue
						}
						for _, q := range r.reads(there) {
							if s.opened(role, q) {
								continue
							}
							reads.Add(1)
							if compare(
								t,
								fmt.Sprintf("%q", role),
								s,
								q,
								there.ask(role, q),
								twin.ask(role, q),
							) {
								excepted.Add(1)
								used.Store(q.hides, true)
							}
						}
					}
					if s.inside() || !sample.Long && s.password != "" {
						// Writes of an event that everybody sees are for those who see inside.
						continue
					}
					for _, r := range routes {
						if r.method == "GET" {
							continue
						}
						for _, q := range r.writes(there, role) {
							writes.Add(1)
							a := there.ask(role, q)
							b := twin.ask(role, q)
							if compare(t, fmt.Sprintf("%q", role), s, q, a, b) {
								excepted.Add(1)
								used.Store(q.hides, true)
							}
							if a.Status < 300 { // it was stored
								there.reset(t)
							}
						}
					}
				}
			})
		}
	})
	for name, e := range exceptions {
		if _, ok := used.Load(name); !ok {
			t.Errorf("the exception %q is not needed any more: %s", name, e.why)
		}
	}
	t.Logf(
		"leak matrix: %d secrets, each from all roles that are not shown it (%d in all); %d routes with %d parameters that "+
			"could tell something; %d reads and %d writes, each in two worlds; %d of them fall under an exception that is known",
		len(
			secrets(),
		),
		roles.Load(),
		len(routes),
		values.Load(),
		reads.Load(),
		writes.Load(),
		excepted.Load(),
	)
}

// Callers with the right see hidden records: every canary is shown to the author and to editors
// somewhere, so that its absence elsewhere proves something.
func TestLeakControlsAlone(t *testing.T) {
	race.Alone(t)
	routes, _ := leakRoutes()
	want := []string{
		"07:07:07", "03:04:05", "06:07:08", "12.345678", "98.765432", "xqcategory", "xqtag", "zqimage.example/zqimage.png",
		"zqimageextension", "zqimageoriginal",
		"zqeventstitle", "zqeventsdescription", "zqeventsexcerpt", "zqeventsslug", "zqeventsorigins", "zqeventscost", "zqeventswebsite",
		"zqeventscurrencysymbol", "zqeventscurrencywording",
		"zqeventscurrencycode", "zqeventscurrencyposition",
		"zqvenuesname", "zqvenuesaddress", "zqvenuescity", "zqvenuescountry", "zqvenuesprovince", "zqvenuesstate", "zqvenueszip",
		"zqvenuesphone", "zqvenueswebsite",
		"zqvenuesstateprovince", "zqvenuesdescription", "zqvenuesexcerpt", "zqvenuesslug", "zqvenuesorigins",
		"zqorganizersname", "zqorganizersphone", "zqorganizerswebsite", "zqorganizersemail", "zqorganizersdescription",
		"zqorganizersexcerpt", "zqorganizersslug", "zqorganizersorigins", "zqseriestitle", "zqseriesslug",
		hiddenDirectory, "zqpicturetitle", "zqpicturealt", "zqpicturecaption",
	}
	slices.Sort(want)
	for _, s := range secrets() {
		if s.inside() || s.password != "" {
			continue // see TestPasswords
		}
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			w := newLeakWorld(t, s, true)
			want := want
			if s.status == store.Trash { // a series in the trash has ended, and nobody is shown it
				want = slices.DeleteFunc(
					slices.Clone(want),
					func(word string) bool { return strings.HasPrefix(word, "zqseries") },
				)
			}
			for _, role := range sample.Everybody {
				if !s.shows(role) {
					continue
				}
				found := map[string]bool{}
				for _, r := range routes {
					if r.method != "GET" {
						continue
					}
					for _, q := range r.reads(w) {
						if strings.Contains(q.query, hiddenTexts) {
							continue // it may be an echo
						}
						body := w.ask(role, q).Body
						for _, word := range want {
							if strings.Contains(body, word) {
								found[word] = true
							}
						}
					}
				}
				got := slices.Sorted(maps.Keys(found))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("shown to %s (-want, +got):\n%s", role, diff)
				}
			}
		})
	}
}

// The content of an event with a password is hidden without it, but lists find the event by it, as
// those of the original do: a password protects the content of an event, not its dates and links.
// So these parameters tell something, and no other does.
func TestClosedEventsAreFound(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	hidden := c.Add(&store.Venue{Name: "Back Room", Geo: &store.Geo{Lat: 1, Lng: 2}})
	carol := c.Add(&store.Organizer{Name: "Carol"})
	tag := c.Add(&store.Term{Taxonomy: store.Tags, Name: "Closed"})
	c.Add(&store.Event{
		Title:      "Club",
		Password:   "pw",
		Venues:     []int64{hidden},
		Organizers: []int64{carol},
		Tags:       []int64{tag},
		Categories: []int64{c.IDs["Unseen"]},
		Featured:   true,
		Ticketed:   true,
		Start:      sample.Local(t, "2031-04-11 12:00:00"),
		End:        sample.Local(t, "2031-04-11 13:00:00"),
	})
	for _, tt := range []struct{ path, want string }{
		{"/events?start_date=2031-04-11&venue={Back Room}", "Club"}, {"/events?start_date=2031-04-11&organizer={Carol}", "Club"},
		{"/events?start_date=2031-04-11&tags=closed", "Club"}, {"/events?start_date=2031-04-11&categories=unseen", "Club"},
		{"/events?start_date=2031-04-11&featured=true", "Club"}, {"/events?start_date=2031-04-11&ticketed=true", "Club"},
		{"/events?start_date=2031-04-11&geoloc=true", "Club"}, {"/events?start_date=2031-04-11&geoloc_lat=1&geoloc_lng=2", "Club"},
		{"/venues?has_events=true&search=back", "Back Room"}, {"/organizers?only_with_upcoming=true&search=carol", "Carol"},
		{"/tags?search=closed", "Closed"},
		// But nobody is told from there on.
		{"/events?search=club", ""}, {"/venues?event={Club}", ""}, {"/organizers?event={Club}", ""}, {"/tags?event={Club}", ""},
		{"/categories?post={Club}", ""},
	} {
		if got := c.List(t, "", tt.path); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.path, got, tt.want)
		}
	}
}
