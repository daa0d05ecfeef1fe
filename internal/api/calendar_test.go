// A small calendar that the tests of reading ask about, and the asking.

package api_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/store"
)

const v1 = "/cal/events/v1"

// everybody is the stranger and all roles.
var everybody = []account.Role{
	"",
	account.Subscriber,
	account.Contributor,
	account.Author,
	account.Editor,
	account.Administrator,
}

// Accounts of an almanactest.Server.
const (
	adminID, editorID, authorID, contributorID = 1, 2, 3, 4
)

// evening is seven o'clock in New York, when it is the next day in UTC already.
var evening = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// A calendar is a server with records that are known by their names.
type calendar struct {
	*almanactest.Server
	ids map[string]int64
}

// local reads the local time of an event.
func local(t *testing.T, text string) store.Wall {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		t.Fatal(err)
	}
	return store.WallOf(at)
}

// newCalendar starts a server in New York, on an evening.
func newCalendar(t *testing.T) *calendar {
	t.Helper()
	return &calendar{almanactest.Start(t, almanactest.Options{
		Now:  evening,
		Zone: "America/New_York",
	}), map[string]int64{}}
}

// add seeds a record and remembers its id by its name.
func (c *calendar) add(record store.Record) int64 {
	c.Seed(record)
	name := ""
	switch r := record.(type) {
	case *store.Event:
		name = r.Title
	case *store.Venue:
		name = r.Name
	case *store.Organizer:
		name = r.Name
	case *store.Term:
		name = r.Name
	}
	c.ids[name] = record.Key()
	return record.Key()
}

// fair is a calendar with one of everything that filters ask for.
func fair(t *testing.T) *calendar {
	t.Helper()
	c := newCalendar(t)
	music := c.add(&store.Term{Name: "Music"})
	jazz := c.add(&store.Term{Name: "Jazz", Parent: music})
	bebop := c.add(&store.Term{Name: "Bebop & Bop", Slug: "bebop", Parent: jazz})
	cafe := c.add(&store.Term{Name: "Café"})
	year := c.add(&store.Term{Name: "The Year", Slug: "2024", Description: "café"})
	unseen := c.add(&store.Term{Name: "Unseen"})
	free := c.add(&store.Term{Taxonomy: store.Tags, Name: "Free Entry"})
	kids := c.add(&store.Term{Taxonomy: store.Tags, Name: "Kids"})
	c.add(&store.Term{Taxonomy: store.Tags, Name: "Unused"})

	hall := c.add(&store.Venue{
		Post: store.Post{
			Description: "a big room",
		},
		Name:    "Hall",
		Address: "5 Elm",
		City:    "Albany",
		Zip:     "12207",
		Phone:   "555-1234",
		Website: "https://hall.example.org/",
		Geo: &store.Geo{
			Lat: 40,
			Lng: -73,
		},
	})
	barn := c.add(&store.Venue{Name: "Bärn", City: "Troy"})
	lone := c.add(&store.Venue{Name: "Lone", StateProvince: "NY"})
	cellar := c.add(&store.Venue{
		Post: store.Post{
			Status: store.Draft,
			Author: contributorID,
		},
		Name: "Cellar",
	})
	ruin := c.add(&store.Venue{Name: "Ruin"})
	ann := c.add(&store.Organizer{
		Name:    "Ann",
		Email:   "ann@example.org",
		Phone:   "77",
		Website: "https://ann.example.org/",
	})
	bob := c.add(&store.Organizer{Name: "Bob"})

	noon := local(t, "2031-04-10 12:00:00")
	two := local(t, "2031-04-10 14:00:00")
	event := func(e store.Event) int64 {
		e.Start, e.End = cmp.Or(e.Start, noon), cmp.Or(e.End, two)
		return c.add(&e)
	}
	one := event(store.Event{
		Title:      "One",
		Categories: []int64{music},
		Tags:       []int64{free},
		Venues:     []int64{hall},
		Organizers: []int64{ann},
	})
	event(store.Event{
		Title:      "Two",
		Categories: []int64{bebop},
		Venues:     []int64{barn},
		Organizers: []int64{ann, bob},
		Featured:   true,
	})
	event(store.Event{
		Title:      "Three",
		Categories: []int64{year},
		Tags:       []int64{kids, free},
		Venues:     []int64{cellar},
		Ticketed:   true,
	})
	event(store.Event{Title: "Child", Parent: one})
	event(store.Event{
		Post: store.Post{
			Description: "the secret words",
		},
		Title:      "Locked",
		Categories: []int64{cafe},
		Featured:   true,
		Password:   "pw",
	})
	event(store.Event{
		Title:  "Past",
		Start:  local(t, "2020-01-01 12:00:00"),
		End:    local(t, "2020-01-01 13:00:00"),
		Venues: []int64{ruin},
	})
	event(store.Event{Title: "Hidden", HideFromListings: true, Featured: true})
	event(store.Event{
		Post: store.Post{
			Status: store.Draft,
		},
		Title:      "Draft",
		Categories: []int64{unseen},
		Venues:     []int64{lone},
	})
	event(store.Event{
		Post: store.Post{
			Status: store.Pending,
			Author: contributorID,
		},
		Title: "Pending",
	})
	event(store.Event{Post: store.Post{Status: store.Private}, Title: "Private"})
	event(store.Event{
		Post: store.Post{
			Status: store.Future,
			Date:   evening.AddDate(1, 0, 0),
		},
		Title: "Future",
	})
	event(store.Event{Post: store.Post{Status: store.Trash}, Title: "Trash"})
	return c
}

var idOf = regexp.MustCompile(`\{[^}]*\}`)

// fill puts ids in the place of {names}.
func (c *calendar) fill(t *testing.T, text string) string {
	t.Helper()
	return idOf.ReplaceAllStringFunc(text, func(name string) string {
		id, ok := c.ids[name[1:len(name)-1]]
		if !ok {
			t.Fatalf("no record is named %s", name)
		}
		return fmt.Sprint(id)
	})
}

// get reads a path below the namespace.
func (c *calendar) get(t *testing.T, role account.Role, path string) (int, map[string]any) {
	t.Helper()
	return apitest.Do(
		t,
		c.As(role),
		http.MethodGet,
		c.URL+v1+strings.ReplaceAll(c.fill(t, path), " ", "%20"),
		"",
	)
}

// list returns the names in a list, or the code of the error with the names of
// its parameters.
func (c *calendar) list(t *testing.T, role account.Role, path string) string {
	t.Helper()
	status, body := c.get(t, role, path)
	if status != http.StatusOK {
		return complaint(body)
	}
	return strings.Join(names(body), ", ")
}

// complaint returns the code of an error and the parameters it names.
func complaint(body map[string]any) string {
	text := fmt.Sprint(body["code"])
	data, _ := body["data"].(map[string]any)
	named, _ := data["params"].(map[string]any)
	var params []string
	for name := range named {
		params = append(params, name)
	}
	slices.Sort(params)
	return strings.TrimSpace(text + " " + strings.Join(params, " "))
}

// names returns the names of the records in a list.
func names(body map[string]any) []string {
	var list []string
	for _, kind := range []string{"events", "series", "venues", "organizers", "categories", "tags"} {
		items, _ := body[kind].([]any)
		for _, item := range items {
			record := item.(map[string]any)
			for _, key := range []string{"title", "venue", "organizer", "name"} {
				if name, ok := record[key].(string); ok {
					list = append(list, name)
					break
				}
			}
		}
	}
	return list
}

// link returns the query of a link of a list, decoded and in its order, or "".
func link(t *testing.T, body map[string]any, name string) string {
	t.Helper()
	address, ok := body[name].(string)
	if !ok {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	text, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A list of plain text is one in calendar files, for people who read them as text and for others.
func TestCalendarLists(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.add(&store.Event{
		Post: store.Post{
			Description: "Bring\n- a cup\n- https://example.org/",
		},
		Title:    "Choir",
		Start:    local(t, "2031-05-10 20:00:00"),
		End:      local(t, "2031-05-10 21:00:00"),
		Timezone: "Europe/Paris",
	})
	_, file := c.page(t, http.MethodGet, "", v1+"/events/{Choir}.ics")
	file = strings.ReplaceAll(file, "\r\n ", "")
	for _, want := range []string{
		"\r\nDESCRIPTION:" + `Bring\n\n- a cup\n- https://example.org/` + "\r\n",
		`<ul>\n<li>a cup</li>\n<li><a href=`,
	} {
		if !strings.Contains(file, want) {
			t.Errorf("no %q in %s", want, file)
		}
	}
}
