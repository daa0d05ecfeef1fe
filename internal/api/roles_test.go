// Read access: every status and author, every role, one by one, by slug and in lists; and the
// effect of a password.

package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

var statuses = []store.Status{
	store.Publish,
	store.Future,
	store.Draft,
	store.Pending,
	store.Private,
	store.Trash,
}

// everyStatus is a calendar with an event, a venue and an organizer of every
// status by three authors, named "author status".
func everyStatus(t *testing.T) *sample.Calendar {
	t.Helper()
	c := sample.New(t)
	for id, by := range map[int64]account.Role{
		sample.AdminID:       account.Administrator,
		sample.AuthorID:      account.Author,
		sample.ContributorID: account.Contributor,
	} {
		for _, status := range statuses {
			post := store.Post{Author: id, Status: status}
			name := fmt.Sprintf("%s %s", by, status)
			if status == store.Future {
				post.Date = sample.Evening.AddDate(1, 0, 0)
			}
			c.Seed(store.Event{
				Post:  post,
				Title: name,
			}, store.Venue{
				Post: post,
				Name: name,
			}, store.Organizer{
				Post: post,
				Name: name,
			})
		}
	}
	return c
}

// sees reports whether a role sees what an author has not published.
func sees(role, by account.Role, status store.Status) bool {
	return status == store.Publish || role == by || role == account.Editor ||
		role == account.Administrator
}

func TestSingleReads(t *testing.T) {
	t.Parallel()
	c := everyStatus(t)
	for _, kind := range []string{"events", "venues", "organizers"} {
		for _, by := range []account.Role{account.Administrator, account.Author, account.Contributor} {
			for _, status := range statuses {
				for _, role := range sample.Everybody {
					want := "200"
					switch {
					case kind == "events" && status == store.Trash:
						want = "event-no-longer-available"
					case !sees(role, by, status):
						want = strings.TrimSuffix(kind, "s") + "-not-accessible"
					}
					slug := fmt.Sprintf("%s-%s", by, status)
					got := "200"
					code, body := c.Get(t, role, "/"+kind+"/by-slug/"+slug)
					if code != http.StatusOK {
						got = sample.Complaint(body)
					}
					if got != want || code != http.StatusOK && code != http.StatusForbidden {
						t.Errorf("%s %s as %q: %d %s, want %s", kind, slug, role, code, got, want)
					}
				}
			}
		}
	}
}

func TestListsByRole(t *testing.T) {
	t.Parallel()
	c := everyStatus(t)
	for _, kind := range []string{"events", "venues", "organizers"} {
		for _, asked := range append([]store.Status{"", "any"}, statuses...) {
			for _, role := range sample.Everybody {
				query := "/" + kind + "?starts_after=2000-01-01&per_page=50"
				if asked != "" {
					query += "&status=" + string(asked)
				}
				status, body := c.Get(t, role, query)
				writes := role != "" && role != account.Subscriber
				if asked != "" && asked != store.Publish && !writes {
					if sample.Complaint(body) != "rest_invalid_param status" {
						t.Errorf("%s as %q: %d %v", query, role, status, body)
					}
					continue
				}
				var want []string
				for _, by := range []account.Role{account.Administrator, account.Author, account.Contributor} {
					for _, s := range statuses {
						if (s == asked || s != store.Trash && (asked == "" || asked == "any")) &&
							sees(role, by, s) {
							want = append(want, fmt.Sprintf("%s %s", by, s))
						}
					}
				}
				got := sample.Names(body)
				slices.Sort(got)
				slices.Sort(want)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s as %q (-want, +got):\n%s", query, role, diff)
				}
				if body["total"] != float64(len(want)) {
					t.Errorf("%s as %q: total %v, want %d", query, role, body["total"], len(want))
				}
			}
		}
	}
}

// A protected event is listed blank and read by nobody, unless the password is
// right or an editor says that it is to be edited.
func TestPasswords(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.Add(&store.Event{
		Post: store.Post{
			Author:      sample.AuthorID,
			Description: "inside",
		},
		Title:    "Locked",
		Password: "p W",
	})
	for _, role := range sample.Everybody {
		edits := role == account.Author || role == account.Editor || role == account.Administrator
		for _, tt := range []struct {
			query string
			opens bool
		}{{"", false}, {"password=p W", true}, {"password=P w", false}, {"password=p", false}, {"context=edit", edits}, {"context=view", false}} {
			for _, path := range []string{"/events/{Locked}?", "/events/by-slug/locked?"} {
				status, body := c.Get(t, role, path+tt.query)
				if tt.opens != (status == http.StatusOK) || !tt.opens &&
					(status != http.StatusForbidden || sample.Complaint(body) != "event-password-protected") {
					t.Errorf("%s%s as %q: %d %v", path, tt.query, role, status, body)
				}
				if _, described := body["json_ld"]; described {
					t.Errorf("%s%s as %q: described for search engines", path, tt.query, role)
				}
			}
			_, body := c.Get(t, role, "/events?"+tt.query)
			event := body["events"].([]any)[0].(map[string]any)
			if inside := event["description"] == "<p>inside</p>"; inside != tt.opens ||
				(event["featured"] == nil) == tt.opens {
				t.Errorf(
					"list with %q as %q: description %v, featured %v",
					tt.query,
					role,
					event["description"],
					event["featured"],
				)
			}
		}
		if _, body := c.Get(t, role, "/events/{Locked}?password="); sample.Complaint(
			body,
		) != "rest_invalid_param password" {
			t.Errorf("an empty password as %q: %v", role, body)
		}
	}
}

// Rights to change and delete: a contributor treats a record that is done or scheduled as a
// published one, and also a record that was one of these before it came into the trash.
func TestWritesByStatus(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	finished := func(p store.Post) bool {
		return p.Status != store.Draft && p.Status != store.Pending &&
			!(p.Status == store.Trash && p.WasDraft)
	}
	posts := map[string]store.Post{}
	named := map[string]store.Record{}
	for _, author := range []int64{1, adaID, 4} {
		for n, status := range append(statuses, store.Trash) {
			p := post(fmt.Sprintf("%s-of-%d-%d", status, author, n), status, author)
			p.WasDraft = n == len(statuses)
			if status == store.Future {
				p.Date = sample.Evening.AddDate(1, 0, 0)
			}
			for path, record := range map[string]store.Record{
				"events/": &store.Event{
					Post:     p,
					Title:    "T",
					Timezone: "UTC",
				},
				"venues/": &store.Venue{
					Post: p,
					Name: "V",
				},
				"organizers/": &store.Organizer{
					Post: p,
					Name: "O",
				},
			} {
				posts[path+p.Slug], named[path+p.Slug] = p, record
			}
		}
	}
	s.put(named)
	for path, p := range posts {
		kind, _, _ := strings.Cut(path, "/")
		for token, caller := range callers {
			may := caller.Role == account.Administrator || caller.Role == account.Editor ||
				caller.ID == p.Author &&
					(caller.Role == account.Author || caller.Role == account.Contributor && !finished(p))
			for _, method := range []string{"PATCH", "DELETE"} { // neither would change anything
				rec := apitest.Serve(
					s.keeping,
					method,
					fmt.Sprint("http://example.com", v1, "/", kind, "/", s.ids[path]),
					`{"status":5}`,
					"Authorization",
					apitest.Bearer(token),
					"Content-Type",
					"application/json",
					"If-Match",
					`"none"`,
				)
				if refused := rec.Code == http.StatusForbidden || rec.Code == http.StatusUnauthorized; refused == may {
					t.Errorf(
						"%s %s by %q: %d %s, want it allowed: %v",
						method,
						path,
						token,
						rec.Code,
						rec.Body,
						may,
					)
				}
			}
		}
	}
}
