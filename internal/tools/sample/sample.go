// Package sample has calendars for tests that ask the whole server. It is no part of the program.
//
//	c := sample.Fair(t)
//	names := c.List(t, account.Editor, "/events?venue={Hall}")
//	page := apitest.Serve(sample.Visited(t, c), "GET", "http://example.com/events/", "")
package sample

import (
	"cmp"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/store"
)

// V1 is the path of the API.
const V1 = "/cal/events/v1"

// Everybody is the stranger and all roles.
var Everybody = []account.Role{
	"",
	account.Subscriber,
	account.Contributor,
	account.Author,
	account.Editor,
	account.Administrator,
}

// Accounts of an almanactest.Server.
const (
	AdminID, EditorID, AuthorID, ContributorID = 1, 2, 3, 4
)

// Evening is seven o'clock in New York, when it is the next day in UTC already.
var Evening = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// A calendar is a server with records that are known by their names.
type Calendar struct {
	*almanactest.Server
	IDs map[string]int64
}

// New starts a server in New York, on an evening.
func New(t *testing.T) *Calendar {
	t.Helper()
	return Start(t, almanactest.Options{Now: Evening, Zone: "America/New_York"})
}

// Start is New with other options.
func Start(t *testing.T, o almanactest.Options) *Calendar {
	t.Helper()
	if o.Observe == nil && Observe != nil {
		o.Observe = Observe(t)
	}
	return &Calendar{almanactest.Start(t, o), map[string]int64{}}
}

// Add seeds a record and remembers its id by its name.
func (c *Calendar) Add(record store.Record) int64 {
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
	c.IDs[name] = record.Key()
	return record.Key()
}

// AddSeries seeds a series of three weeks and an event for each.
func (c *Calendar) AddSeries(
	t *testing.T,
	template store.Event,
) (id int64, events []*store.Event) {
	t.Helper()
	template.Start = Local(t, "2031-05-06 19:00:00")
	template.End = Local(t, "2031-05-06 21:00:00")
	template.Timezone = "Europe/Paris"
	template.Slug = strings.ToLower(template.Title)
	if template.Date.IsZero() {
		template.Date = Evening
	}
	err := c.Store.Update(1, func(tx *store.Tx) error {
		series := &store.Series{Event: template, Rule: "FREQ=WEEKLY;COUNT=3"}
		if err := tx.Put(series); err != nil {
			return err
		}
		id = series.ID
		for week := range store.Wall(3) {
			e := template
			e.Start = e.Start + week*604800
			e.End = e.End + week*604800
			e.Slug += "-" + e.Start.Time().Format(time.DateOnly)
			e.Recurrence = &store.Recurrence{Series: id, Start: e.Start}
			if err := tx.Put(&e); err != nil {
				return err
			}
			events = append(events, &e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c.IDs[template.Title] = id
	return id, events
}

// Change puts a copy of a record with changes.
func (c *Calendar) Change(t *testing.T, k store.Kind, name string, f func(store.Record)) {
	t.Helper()
	err := c.Store.Update(AdminID, func(tx *store.Tx) error {
		var next store.Record
		switch r := tx.Get(k, c.IDs[name]).(type) {
		case *store.Event:
			copied := *r
			next = &copied
		case *store.Venue:
			copied := *r
			next = &copied
		case *store.Organizer:
			copied := *r
			next = &copied
		case *store.Term:
			copied := *r
			next = &copied
		}
		f(next)
		return tx.Put(next)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Local reads the local time of an event.
func Local(t *testing.T, text string) store.Wall {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		t.Fatal(err)
	}
	return store.WallOf(at)
}

// Fair is a calendar with one of everything that filters ask for.
func Fair(t *testing.T) *Calendar {
	t.Helper()
	c := New(t)
	music := c.Add(&store.Term{Name: "Music"})
	jazz := c.Add(&store.Term{Name: "Jazz", Parent: music})
	bebop := c.Add(&store.Term{Name: "Bebop & Bop", Slug: "bebop", Parent: jazz})
	cafe := c.Add(&store.Term{Name: "Café"})
	year := c.Add(&store.Term{Name: "The Year", Slug: "2024", Description: "café"})
	unseen := c.Add(&store.Term{Name: "Unseen"})
	free := c.Add(&store.Term{Taxonomy: store.Tags, Name: "Free Entry"})
	kids := c.Add(&store.Term{Taxonomy: store.Tags, Name: "Kids"})
	c.Add(&store.Term{Taxonomy: store.Tags, Name: "Unused"})

	hall := c.Add(&store.Venue{
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
	barn := c.Add(&store.Venue{Name: "Bärn", City: "Troy"})
	lone := c.Add(&store.Venue{Name: "Lone", StateProvince: "NY"})
	cellar := c.Add(&store.Venue{
		Post: store.Post{
			Status: store.Draft,
			Author: ContributorID,
		},
		Name: "Cellar",
	})
	ruin := c.Add(&store.Venue{Name: "Ruin"})
	ann := c.Add(&store.Organizer{
		Name:    "Ann",
		Email:   "ann@example.org",
		Phone:   "77",
		Website: "https://ann.example.org/",
	})
	bob := c.Add(&store.Organizer{Name: "Bob"})

	noon := Local(t, "2031-04-10 12:00:00")
	two := Local(t, "2031-04-10 14:00:00")
	event := func(e store.Event) int64 {
		e.Start, e.End = cmp.Or(e.Start, noon), cmp.Or(e.End, two)
		return c.Add(&e)
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
		Start:  Local(t, "2020-01-01 12:00:00"),
		End:    Local(t, "2020-01-01 13:00:00"),
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
			Author: ContributorID,
		},
		Title: "Pending",
	})
	event(store.Event{Post: store.Post{Status: store.Private}, Title: "Private"})
	event(store.Event{
		Post: store.Post{
			Status: store.Future,
			Date:   Evening.AddDate(1, 0, 0),
		},
		Title: "Future",
	})
	event(store.Event{Post: store.Post{Status: store.Trash}, Title: "Trash"})
	return c
}

// Visited serves the pages of a calendar.
func Visited(t *testing.T, c *Calendar) http.Handler {
	t.Helper()
	return Site(t, c, api.Options{Name: "Fair"})
}

// Site is Visited with some options.
func Site(t *testing.T, c *Calendar, o api.Options) http.Handler {
	t.Helper()
	accounts, err := account.Memory(account.User{
		Account: account.Account{
			ID:    1,
			Login: "admin",
			Role:  account.Administrator,
		},
		Token: "secret",
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.Site, err = caltime.LoadZone("America/New_York"); err != nil {
		t.Fatal(err)
	}
	o.Store = c.Store
	o.Accounts = accounts
	o.Clock = c.Clock
	o.Pages = true
	o.NoLimits = true
	if o.Observe == nil && Observe != nil {
		o.Observe = Observe(t)
	}
	s, err := api.New(o, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Observe makes what sees the exchanges of the calendars of a test. It may be nil.
var Observe func(testing.TB) func(api.Exchange)

// Long tells tests to ask everything in every way.
var Long = os.Getenv("ALMANAC_LONG") != ""
