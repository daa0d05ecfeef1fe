// The first page: the events that the account sees.

package desk

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"almanac/filters"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// Home is the operation of the first page.
var Home = operation("desk.home", serveHome)

// rowsMost is how many records a page of a list has.
const rowsMost = 50

// A listing is a list of records on a page.
type listing struct {
	Search, State       string
	Mine                bool
	States              []label // values with the keys of their texts
	Rows                []row
	Total               int
	Picks               bool   // some rows have a tick box
	Earlier, Later, Add string // paths; "" is none
	Bring               []fact // commands that bring a calendar, each with its source
}

// A row is a record in a list.
type row struct {
	Title, Href, Note string
	States            []string // words beside the title
	Key               string   // of its tick box; "" is none
	Ticked            bool
	Image             string // address
}

// states are the choices of the list, with the keys of their texts: by time, by status.
var states = []label{
	{"", "site.upcoming"},
	{"past", "site.past"},
	{"draft", "desk.draft"},
	{"pending", "desk.pending"},
	{"future", "desk.future"},
	{"private", "desk.private"},
	{"trash", "desk.trash"},
}

// serveHome answers GET /desk. Events are in the order of their starts, as clocks of the site show
// them; those that have ended, or are of a status, with the newest first.
func serveHome(p *page) (*respond.Response, error) {
	l := listing{
		Search: p.input("search"),
		State:  p.input("state"),
		Mine:   p.input("mine") != "",
		States: states,
	}
	words := filters.ParseSearch(l.Search)
	viewer := access.ViewerOf(p.Caller)
	number := p.number()
	show := p.Renderer(nil)
	isAsked := func(e *store.Event) bool {
		switch {
		case !viewer.Sees(&e.Post),
			l.Mine && e.Author != p.Caller.ID,
			!words.Empty() && !words.In(e.Title):
			return false
		case l.State == "" || l.State == "past":
			return e.Status != store.Trash && show.Ended(e, p.Now) == (l.State == "past")
		}
		return string(e.Status) == l.State
	}
	var found []*store.Event
	records := p.all(store.Events)
	if len(records) == 0 && p.MayAdminister() {
		l.Bring = p.bring()
	}
	for _, r := range records {
		if e := r.(*store.Event); isAsked(e) {
			found = append(found, e)
		}
	}
	inOrder := func(a, b *store.Event) int {
		aStart, _, _ := show.Times(a)
		bStart, _, _ := show.Times(b)
		order := cmp.Or(cmp.Compare(aStart, bStart), byAge(a, b))
		if l.State != "" {
			return -order
		}
		return order
	}
	l.Total = len(found)
	found = ofPage(found, number, inOrder) // while no writer waits
	p.view(func(v *store.View) {
		for _, e := range found {
			one := p.eventRow(v, e)
			l.Rows = append(l.Rows, one)
			l.Picks = l.Picks || one.Key != ""
		}
	})
	p.turn(&l, number)
	if p.MayCreate() {
		l.Add = p.Desk("events/new")
	}
	return p.show(http.StatusOK, "home.html", p.T("desk.events"), l)
}

// bring returns the commands that bring an old calendar to this server.
func (p *page) bring() []fact {
	to := " -to " + strings.TrimSuffix(p.Site.Origin, "/") + " -token TOKEN "
	return []fact{
		{
			p.T("desk.bring-site", "{name}", "The Events Calendar"),
			"almanac-move adopt" + to + "https://old.example.org",
		},
		{p.T("desk.bring-export"), "almanac-move import" + to + "export.xml"},
		{p.T("desk.bring-file"), "almanac-move import" + to + "calendar.ics"},
	}
}

// number returns the page of a list that is asked for.
func (p *page) number() int {
	n, err := strconv.Atoi(p.input("page"))
	if err != nil {
		return 1
	}
	return min(max(n, 1), 1_000_000)
}

// ofPage returns the records on a page of a list in an order.
func ofPage[T any](all []T, number int, inOrder func(a, b T) int) []T {
	if (number-1)*rowsMost >= len(all) {
		return nil
	}
	return part(filters.Least(all, number*rowsMost, inOrder), number, rowsMost)
}

// part returns a page of a list, on which each has as many as said.
func part[T any](all []T, number, each int) []T {
	from := min(len(all), (number-1)*each)
	to := min(len(all), number*each)
	return all[from:to]
}

// eventRow returns an event as it stands in the list. It leads to the form of accounts that may
// edit it, others to the public page.
func (p *page) eventRow(v *store.View, e *store.Event) row {
	r := row{Title: p.nameOf(e)}
	switch {
	case access.MayEdit(p.Caller, &e.Post):
		r.Href = p.eventPath(e.ID)
	case p.Pages.Theme != nil && e.Status == store.Publish:
		r.Href = p.Renderer(v).EventPage(&e.Post)
	}
	show := p.Renderer(v)
	start, _, _ := show.Times(e)
	facts := []string{p.locale().FullTime(start.Time())}
	if e.AllDay {
		facts[0] = p.locale().Full(start.Time())
	}
	if e.Password == "" || access.ViewerOf(p.Caller).SeesAlways(&e.Post) {
		for _, place := range show.AppendVenues(nil, e) {
			facts = append(facts, pages.NameOf(place))
		}
	}
	r.Note = strings.Join(facts, "\u00a0· ")
	r.States = p.stateWords(e)
	if access.MayDelete(p.Caller, &e.Post) ||
		e.Status == store.Trash && access.MayEdit(p.Caller, &e.Post) {
		r.Key = digits(e.ID)
	}
	return r
}

// statusKeys are the keys of the words for a status; public records have none.
var statusKeys = map[store.Status]string{
	store.Draft:   "desk.draft",
	store.Pending: "desk.pending",
	store.Future:  "desk.future",
	store.Private: "desk.private",
	store.Trash:   "desk.trash",
}

// eventPath returns the path of the form of an event.
func (p *page) eventPath(id int64) string {
	return p.Desk("events/" + digits(id))
}

// stateWords returns the words that say how an event differs from a public event that takes place.
func (p *page) stateWords(e *store.Event) (words []string) {
	if key := statusKeys[e.Status]; key != "" {
		words = append(words, p.T(key))
	}
	switch e.State {
	case store.Canceled:
		words = append(words, p.T("site.canceled"))
	case store.Postponed:
		words = append(words, p.T("site.postponed"))
	}
	return words
}

// turn links to the pages beside the present one.
func (p *page) turn(l *listing, number int) {
	to := func(number int) string {
		query := url.Values{"page": {strconv.Itoa(number)}}
		for _, name := range []string{"search", "state", "mine"} {
			if text := p.input(name); text != "" {
				query.Set(name, text)
			}
		}
		return p.Desk(p.below()) + "?" + query.Encode()
	}
	if number > 1 {
		l.Earlier = to(number - 1)
	}
	if number*rowsMost < l.Total {
		l.Later = to(number + 1)
	}
}
