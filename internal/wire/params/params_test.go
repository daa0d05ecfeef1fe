// Shared by the tests: existing records, and ways to send a value.

package params_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"
)

// A thing that exists has an id, and most have a slug and a name.
type thing struct {
	of         params.Entity
	id         int64
	slug, name string
}

type world []thing

var existing = world{
	{params.Account, 1, "", ""}, {params.Account, 2, "", ""},
	{params.Event, 10, "concert", "Concert"}, {params.Event, 11, "2031", "Year"},
	{params.Venue, 20, "hall", "Hall"}, {params.Venue, 21, "barn", "Barn"},
	{params.Organizer, 30, "ann", "Ann"}, {params.Organizer, 31, "bob", "Bob"},
	{params.Picture, 40, "", ""},
	{params.Event, hiddenID, "hidden", "Hidden"}, {params.Venue, hiddenID, "hidden", "Hidden"},
	{params.Organizer, hiddenID, "hidden", "Hidden"}, {params.Picture, hiddenID, "", ""},
	{
		params.Category,
		1,
		"music",
		"Live Music",
	}, {params.Category, 2, "2024", "Year 2024"}, {params.Category, 3, "4", "Four"},
	{params.Tag, 5, "free", "Free Entry"}, {params.Tag, 6, "open-air", "Open Air"},
}

func (w world) Has(of params.Entity, id int64, path bool) bool {
	return slices.ContainsFunc(
		w,
		func(t thing) bool { return t.of == of && t.id == id && (path || id != hiddenID) },
	)
}

func (w world) Find(of params.Entity, text string, path bool) (int64, bool) {
	if of == params.Picture {
		return 0, text != strangeImage
	}
	for _, t := range w {
		if t.id == hiddenID && !path {
			continue
		}
		isTerm := of == params.Category || of == params.Tag
		if t.of == of && t.slug != "" &&
			(strings.EqualFold(t.slug, text) || isTerm && strings.EqualFold(t.name, text)) {
			return t.id, true
		}
	}
	return 0, false
}

// strangeImage is the address of an image that the caller may not name.
const strangeImage = "https://example.org/strange.png"

// hiddenID is the id of a record that only paths may name.
const hiddenID = 99

// env is a Friday afternoon in New York.
func env(t testing.TB) params.Env {
	t.Helper()
	site, err := caltime.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	return params.Env{
		Now:     time.Date(2026, 11, 20, 23, 48, 12, 0, time.UTC),
		Site:    site,
		PerPage: 10,
		Zones:   new(caltime.Zones),
		Known:   existing,
		Items:   500,
	}
}

// tables are the tables of all operations.
var tables = map[string]params.Table{
	"Index": params.Index, "None": params.None, "MediaCreate": params.MediaCreate,
	"EventList": params.EventList, "EventCreate": params.EventCreate, "EventRead": params.EventRead, "EventUpdate": params.EventUpdate,
	"EventReadBySlug": params.EventReadBySlug, "EventUpdateBySlug": params.EventUpdateBySlug,
	"VenueList": params.VenueList, "VenueCreate": params.VenueCreate, "VenueRead": params.VenueRead, "VenueUpdate": params.VenueUpdate,
	"VenueReadBySlug": params.VenueReadBySlug, "VenueUpdateBySlug": params.VenueUpdateBySlug,
	"OrganizerList": params.OrganizerList, "OrganizerCreate": params.OrganizerCreate, "OrganizerRead": params.OrganizerRead,
	"OrganizerUpdate": params.OrganizerUpdate, "OrganizerReadBySlug": params.OrganizerReadBySlug,
	"OrganizerUpdateBySlug": params.OrganizerUpdateBySlug,
	"CategoryList":          params.CategoryList, "CategoryCreate": params.CategoryCreate, "CategoryRead": params.CategoryRead,
	"CategoryUpdate": params.CategoryUpdate,
	"TagList":        params.TagList, "TagCreate": params.TagCreate, "TagRead": params.TagRead, "TagUpdate": params.TagUpdate,
}

func tableNames() []string { return slices.Sorted(maps.Keys(tables)) }

// read reads a request that can be read.
func read(t testing.TB, s params.Source) *params.Input {
	t.Helper()
	in, err := params.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// ofJSON is a POST of a JSON body, ofQuery a GET with a query, ofForm a POST of
// a form.
func ofJSON(body string) params.Source {
	return params.Source{
		Method:      "POST",
		ContentType: "application/json",
		Body:        []byte(body),
		Depth:       64,
	}
}

func ofQuery(query string) params.Source { return params.Source{Method: "GET", Query: query} }

func ofForm(form string) params.Source {
	return params.Source{
		Method:      "POST",
		ContentType: "application/x-www-form-urlencoded",
		Body:        []byte(form),
	}
}

// The results of a value besides being accepted.
type fate string

const (
	refused fate = "refused"
	typed   fate = "of the wrong type"
	absent  fate = "not sent"
)

// none is a list that asks for nothing.
var none []int64

// row returns the table of one row alone.
func row(t testing.TB, table params.Table, name string) params.Table {
	t.Helper()
	r, ok := table.Row(name)
	if !ok {
		t.Fatalf("no row %q", name)
	}
	alone := *r
	alone.Required = false
	return params.Table{alone}
}

// taken returns the value that a table of one row makes of a request, or its
// fate.
func taken(t testing.TB, table params.Table, s params.Source) any {
	t.Helper()
	v, err := table.Check(read(t, s), env(t))
	var bad *params.Invalid
	switch {
	case errors.As(err, &bad):
		if c := bad.Complaints[0]; len(bad.Complaints) != 1 || c.Name != table[0].Name ||
			!strings.HasSuffix(c.Reason, ".") ||
			!strings.Contains(c.Reason, c.Name) {
			t.Errorf("complaints %+v", bad.Complaints)
		}
		if bad.Complaints[0].Type {
			return typed
		}
		return refused
	case err != nil:
		t.Fatal(err)
	case !v.Has(table[0].Name):
		return absent
	}
	return value(v, &table[0])
}

// value reads a value by the accessor of its kind. Links are shown by their
// ids and names.
func value(v params.Values, row *params.Row) any {
	switch name := row.Name; row.Kind {
	case params.Page, params.Months, params.ID, params.Digits:
		return v.Int(name)
	case params.Bool, params.Truthy, params.LenientBool:
		return v.Bool(name)
	case params.Statuses:
		return v.Statuses(name)
	case params.Zone:
		if z := v.Zone(name); z != nil {
			return z.Name()
		}
		return "the site's"
	case params.Image:
		return v.Image(name)
	case params.Number, params.Latitude, params.Longitude:
		return v.Float(name)
	case params.Include, params.IDs, params.IDsOrNone, params.TermIDs, params.Terms:
		return v.IDs(name)
	case params.TermRefs:
		return v.Terms(name)
	case params.Links:
		shown := []any{}
		for _, l := range v.Links(name) {
			switch {
			case l.Zero():
				shown = append(shown, nil)
			case l.ID != 0:
				shown = append(shown, l.ID)
			default:
				shown = append(shown, l.Fields.Text(name))
			}
		}
		return shown
	case params.Cost, params.Any:
		return v.Any(name)
	case params.Recurring:
		return v.Recurrence(name)
	case params.Date:
		v.Date(name, nil)
		return v.Text(name)
	default:
		return v.Text(name)
	}
}

// assignment writes name=text, or name[k]=text when the text is [k]=text.
func assignment(name, text string) string {
	if strings.HasPrefix(text, "[") {
		return name + strings.ReplaceAll(text, "&", "&"+name)
	}
	return name + "=" + url.QueryEscape(text)
}

func member(name, value string) string {
	key, _ := json.Marshal(name)
	return "{" + string(key) + ":" + value + "}"
}
