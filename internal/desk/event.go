// The page with the form of an event, and its preview.

package desk

import (
	"cmp"
	"crypto/rand"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// The operations on events.
var (
	New     = operation("desk.new", serveNew)
	Edit    = operation("desk.edit", serveEdit)
	Save    = api.Uploads(operation("desk.save", serveSave))
	Preview = operation("desk.preview", servePreview)
)

// An editing is the form of an event on a page.
type editing struct {
	Form       form
	Event      *store.Event // as stored; nil for a new one
	Key        string       // of a new event: a form that is sent twice makes one
	Tag        string       // of the stored event, for If-Match
	Base       string       // digests of the values before the form was filled in
	States     []string
	Places     []string // names, to choose from
	Organizers []string
	Tags       []string
	Categories []option
	Repeats    []option
	Dates      []option // of the rule, or of the series
	Left       string   // dates that are left out beside them
	Weekdays   []option
	Weeks      []option // of the month
	Chosen     []string // dates, and empty ones to fill in
	Uploads    []option // pictures that are there
	Picture    string   // address of the picture, "" for none
	AltWas     string   // what the picture shows, as stored
	Similar    []option // places that the form may mean
	Series     string   // its dates in words, "" for a single event
	Parts      []option // of a series that was split: the first event of each other one, with its dates
	Scope      string
	Reason     string
	Publishes  string // what becomes public with the event
	Public     string // address of the public page, "" for none
	Path       string // of the form
	Differs    []difference

	was     form           // the values as stored, or of an empty form
	members map[string]any // of the API, in which the form differs from these
}

// An option is one of several.
type option struct {
	Value, Text string
	Chosen      bool
}

// IsNew reports whether the event is not stored yet.
func (ed *editing) IsNew() bool {
	return ed.Event == nil
}

// Is reports whether the stored event has one of some statuses.
func (ed *editing) Is(statuses ...string) bool {
	return ed.Event != nil && slices.Contains(statuses, string(ed.Event.Status))
}

// IsPostponed reports whether the stored event waits for a date.
func (ed *editing) IsPostponed() bool {
	return isPostponed(ed.Event)
}

// isPostponed reports whether the stored event, nil for a new one, waits for a date.
func isPostponed(e *store.Event) bool {
	return e != nil && e.State == store.Postponed
}

// IsCanceled reports whether the stored event was canceled.
func (ed *editing) IsCanceled() bool {
	return ed.Event != nil && ed.Event.State == store.Canceled
}

// IsOff reports whether the stored event was canceled or postponed.
func (ed *editing) IsOff() bool {
	return ed.Event != nil && ed.Event.State != ""
}

// serveNew answers GET /desk/events/new. The parameter like names an event that the new one is
// like, but for its date.
func serveNew(p *page) (*respond.Response, error) {
	if !p.MayCreate() {
		return nil, api.ErrForbidden
	}
	ed := &editing{Form: form{}, Key: rand.Text()}
	p.view(func(v *store.View) {
		if e := p.like(v); e != nil {
			ed.Form = p.formOf(v, e)
			if last := ed.Form["last"]; last != "" {
				days := e.End.Time().
					Truncate(24*time.Hour).
					Sub(e.Start.Time().Truncate(24*time.Hour)) /
					(24 * time.Hour)
				ed.Form["days"] = strconv.Itoa(int(days) + 1)
			}
			for _, name := range []string{"date", "last", "slug", "publish", "repeat", "until", "leave"} {
				ed.Form[name] = ""
			}
		}
		p.fill(v, ed)
	})
	return p.show(http.StatusOK, "event.html", p.T("desk.add"), ed)
}

// like returns the event that a new one is to be like, nil for none. The caller may edit it.
func (p *page) like(v *store.View) *store.Event {
	e := v.Event(idOf(p.input("like")))
	if e == nil || !access.MayEdit(p.Caller, &e.Post) {
		return nil
	}
	return e
}

// Numbers of pictures that the form offers, and of empty fields for more dates.
const (
	uploadsMost = 20
	moreDates   = 4
)

// fill adds what the form shows beside its values.
func (p *page) fill(v *store.View, ed *editing) {
	ofSeries := ed.Event != nil && ed.Event.Recurrence != nil
	for _, one := range repeats {
		if ofSeries && (one.Name == "" || one.Name == "dates") && one.Name != ed.Form["repeat"] {
			continue // a rule takes the place of another one
		}
		if ofSeries && one.Name != "" && p.isRuleOf(v.Series(ed.Event.Recurrence.Series), one.Name) {
			continue // that rule is offered in words
		}
		ed.Repeats = append(ed.Repeats, option{Value: one.Name, Text: p.T(one.Key)})
	}
	if e := cmp.Or(ed.Event, p.like(v)); e != nil && e.Recurrence != nil {
		p.offerRule(ed, v.Series(e.Recurrence.Series))
	}
	p.offerDays(ed)
	ed.Form["zone"] = cmp.Or(ed.Form["zone"], p.Zone.Name())
	ed.Places = p.names(v, store.Venues)
	ed.Organizers = p.names(v, store.Organizers)
	ed.Tags = p.names(v, store.Tags)
	ed.Categories = categories(v, ed.Form["categories"])
	if i := v.Image(idOf(ed.Form["image"])); i != nil &&
		access.MaySeeImage(p.Caller, &v.Reader, i.ID) &&
		strings.HasPrefix(i.URL, store.MediaPath) {
		ed.Picture = p.public() + i.URL
		ed.AltWas = strings.TrimSpace(i.Alt)
	}
	ed.Form["alt"] = ed.AltWas
	if p.input("alt") != p.input("alt-was") {
		ed.Form["alt"] = p.input("alt")
	}
	for _, i := range p.uploads(filters.Inside(v), "", uploadsMost) {
		ed.Uploads = append(ed.Uploads, option{
			Value: digits(i.ID),
			Text:  pictureName(i),
		})
	}
	ed.Dates = p.dates(ed.Form)
	if !ofSeries && (ed.Form["repeat"] == "dates" || ed.Form["dates"] != "") {
		ed.Chosen = slices.Concat(strings.Split(ed.Form["dates"], ","), make([]string, moreDates))
	}
	e := ed.Event
	if e == nil {
		ed.setLeft()
		return
	}
	ed.States = p.stateWords(e)
	ed.Reason = cmp.Or(p.input("reason"), e.StateReason)
	ed.Path = p.eventPath(e.ID)
	ed.Publishes = p.publishes(v, e)
	if e.Recurrence != nil {
		if s := v.Series(e.Recurrence.Series); s != nil {
			ed.Series = p.InWords(s)
			stored := form{}
			if p.setSeries(stored, s, e.Recurrence.Start); ed.Form["repeat"] == stored["repeat"] &&
				ed.Form["until"] == stored["until"] {
				ed.Dates = p.datesOf(v, ed.Form, e)
			}
			ed.Parts = p.otherParts(v, s)
		}
	}
	ed.setLeft()
	if p.Pages.Theme != nil && e.Status == store.Publish {
		ed.Public = p.Renderer(v).EventPage(&e.Post)
	}
}

// namesMost is how many names a field suggests, and how many categories a form has boxes for. A
// field takes all other names, too.
const namesMost = 1000

// namesAmong is among how many records of a kind a form looks for what it offers, while writers
// wait.
const namesAmong = 50_000

// names returns the names of the records of a kind that the caller may choose, as far as a field
// suggests them.
func (p *page) names(v *store.View, k store.Kind) (all []string) {
	for _, r := range v.Some(k, namesAmong) {
		if access.MayName(p.Caller, r) && !api.IsTrash(r) {
			all = append(all, pages.NameOf(r))
		}
	}
	all = slices.Compact(filters.Least(all, 2*namesMost, strings.Compare))
	return all[:min(len(all), namesMost)]
}

// categories returns the categories that a form offers, by their names: those of most events, up
// to namesMost, and as many chosen ones, whose ids stand between commas.
func categories(v *store.View, chosen string) (all []option) {
	asked := filters.Terms{
		Taxonomy: store.Categories,
		OrderBy:  "count",
		Desc:     true,
		Among:    namesAmong,
	}
	found, _, _ := asked.Find(filters.Inside(v), 0, namesMost)
	isChosen := map[int64]bool{}
	isThere := map[int64]bool{}
	for _, t := range found {
		isThere[t.ID] = true
	}
	for _, text := range items(chosen, ",") {
		id := api.ParseID(text)
		isChosen[id] = true
		if t := v.Term(store.Categories, id); t != nil && !isThere[id] &&
			len(found) < 2*namesMost {
			found = append(found, t)
			isThere[id] = true
		}
	}
	for _, t := range found {
		all = append(all, option{digits(t.ID), pages.NameOf(t), isChosen[t.ID]})
	}
	slices.SortFunc(all, func(a, b option) int {
		byID := cmp.Compare(api.ParseID(a.Value), api.ParseID(b.Value))
		return cmp.Or(strings.Compare(a.Text, b.Text), byID)
	})
	return all
}

// serveEdit answers GET /desk/events/{id}.
func serveEdit(p *page) (*respond.Response, error) {
	ed := &editing{Scope: "this"}
	err := p.Store.View(func(v *store.View) (err error) {
		ed.Event, err = p.find(v)
		if err == nil {
			ed.Form = p.formOf(v, ed.Event)
			ed.Tag = p.TagOf(v, ed.Event)
			ed.Base = ed.Form.digests()
			p.fill(v, ed)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return p.show(http.StatusOK, "event.html", p.nameOf(ed.Event), ed)
}

// find returns the event in the path. The caller may edit it.
func (p *page) find(v *store.View) (*store.Event, error) {
	e := v.Event(p.ID())
	switch {
	case e == nil:
		return nil, api.ErrNoRoute
	case access.MayEdit(p.Caller, &e.Post):
		return e, nil
	case p.MayRead(&e.Post) && e.Status != store.Trash:
		return nil, api.ErrForbidden
	}
	return nil, api.ErrNoRoute
}

// nameOf returns the name of a record.
func (p *page) nameOf(r store.Record) string {
	if name := pages.NameOf(r); name != "" {
		return name
	}
	return p.T("desk.untitled")
}

// servePreview answers GET /desk/events/{id}/preview with the public page of the event, below a
// strip with what comes next.
func servePreview(p *page) (*respond.Response, error) {
	var e *store.Event
	publishes := ""
	err := p.Store.View(func(v *store.View) (err error) {
		e, err = p.find(v)
		if err == nil {
			publishes = p.publishes(v, e)
		}
		if err == nil && e.Status == store.Trash {
			err = api.ErrNoRoute
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	strip := &pages.Strip{
		Text:   p.T("desk.not-public"),
		Button: p.T("desk.publish"),
		Value:  "publish",
	}
	switch {
	case e.Status == store.Publish:
		strip.Text = p.T("desk.is-public")
		strip.Button = ""
	case !p.MayPublish():
		strip.Button = p.T("desk.send")
		strip.Value = "pending"
	}
	if publishes != "" {
		strip.More = template.HTML("<p>" + template.HTMLEscapeString(publishes) + "</p>")
	}
	return p.preview(e.ID, strip)
}
