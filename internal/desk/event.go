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
	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/pages"
	"almanac/internal/respond"
	"almanac/internal/rrule"
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

// IsCanceled reports whether the stored event was canceled.
func (ed *editing) IsCanceled() bool {
	return ed.Event != nil && ed.Event.State == store.Canceled
}

// IsOff reports whether the stored event was canceled or postponed.
func (ed *editing) IsOff() bool {
	return ed.Event != nil && ed.Event.State != ""
}

// find returns the event in the path. The caller may edit it.
func (p *page) find(v *store.View) (*store.Event, error) {
	e := v.Event(p.ID())
	switch {
	case e == nil,
		!access.MayEdit(p.Caller, &e.Post) && !(p.MayRead(&e.Post) && e.Status != store.Trash):
		return nil, api.ErrNoRoute
	case !access.MayEdit(p.Caller, &e.Post):
		return nil, api.ErrForbidden
	}
	return e, nil
}

// like returns the event that a new one is to be like, nil for none. The caller may edit it.
func (p *page) like(v *store.View) *store.Event {
	e := v.Event(api.ParseID(cmp.Or(p.In.Text("like"), "0")))
	if e == nil || !access.MayEdit(p.Caller, &e.Post) {
		return nil
	}
	return e
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

// serveEdit answers GET /desk/events/{id}.
func serveEdit(p *page) (*respond.Response, error) {
	ed := &editing{Scope: "this"}
	err := p.Store.View(func(v *store.View) (err error) {
		ed.Event, err = p.find(v)
		if err == nil {
			ed.Form, ed.Tag = p.formOf(v, ed.Event), p.TagOf(v, ed.Event)
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

// nameOf returns the name of a record.
func (p *page) nameOf(r store.Record) string {
	if name := pages.NameOf(r); name != "" {
		return name
	}
	return p.T("desk.untitled")
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
	if i := v.Image(api.ParseID(cmp.Or(ed.Form["image"], "0"))); i != nil &&
		access.MaySeeImage(p.Caller, &v.Reader, i.ID) &&
		strings.HasPrefix(i.URL, store.MediaPath) {
		ed.Picture = p.public() + i.URL
		ed.AltWas = strings.TrimSpace(i.Alt)
	}
	ed.Form["alt"] = ed.AltWas
	if p.In.Text("alt") != p.In.Text("alt-was") {
		ed.Form["alt"] = p.In.Text("alt")
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
	ed.Reason = cmp.Or(p.In.Text("reason"), e.StateReason)
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

// otherParts returns the first event of each other part of a series that was split, with the dates
// of this part in words.
func (p *page) otherParts(v *store.View, s *store.Series) (all []option) {
	for _, part := range p.Parts(&v.Reader, s) {
		if part.ID == s.ID {
			continue
		}
		for _, e := range v.Instances(part.ID) {
			if e.Status == store.Trash || !access.MayEdit(p.Caller, &e.Post) {
				continue
			}
			date := p.locale().Full(e.Recurrence.Start.Time())
			rule := cmp.Or(p.Rhythm(part), p.InWords(part))
			text := p.T("site.later-part", "{rule}", rule, "{date}", date)
			all = append(all, option{Value: p.eventPath(e.ID), Text: text})
			break
		}
	}
	return all
}

// offerRule adds the rule of a series, without its end, to the choices of how an event comes
// again.
func (p *page) offerRule(ed *editing, s *store.Series) {
	if s == nil || s.Rule == "" {
		return
	}
	without := *s
	without.Rule = endless(s)
	without.RDates = nil
	without.EXDates = nil
	ed.Repeats = append(ed.Repeats, option{Value: without.Rule, Text: p.InWords(&without)})
}

// isRuleOf reports whether a choice of the form says the same as the rule of a series.
func (p *page) isRuleOf(s *store.Series, choice string) bool {
	if s == nil || s.Rule == "" {
		return false
	}
	chosen := *s
	f := form{"date": s.Event.Start.Time().Format(time.DateOnly), "repeat": choice}
	chosen.Rule = f.rule()
	return chosen.Rule != "" && endless(&chosen) == endless(s)
}

// setLeft notes the dates that are left out and that the form does not offer.
func (ed *editing) setLeft() {
	left := slices.DeleteFunc(items(ed.Form["leave"], ","), func(one string) bool {
		return slices.ContainsFunc(ed.Dates, func(date option) bool {
			return date.Value == one
		})
	})
	ed.Left = strings.Join(left, ",")
}

// offerDays offers the weekdays of a week, and the weeks of a month for the weekday of the form.
func (p *page) offerDays(ed *editing) {
	weekdays := items(ed.Form["weekdays"], ",")
	weeks := items(ed.Form["weeks"], ",")
	names := p.locale().Weekdays()
	for _, day := range p.locale().Week().Days() {
		value := strings.ToUpper(day.String()[:2])
		ed.Weekdays = append(
			ed.Weekdays,
			option{value, names[day], slices.Contains(weekdays, value)},
		)
	}
	first, err := time.Parse(time.DateOnly, ed.Form["date"])
	if err != nil {
		return
	}
	for _, week := range []string{"1", "2", "3", "4", "-1"} {
		s := store.Series{
			Event: store.Event{
				Start:    store.WallOf(first),
				AllDay:   true,
				Timezone: "UTC",
			},
		}
		s.Rule = "FREQ=MONTHLY;BYDAY=" + week + strings.ToUpper(first.Weekday().String()[:2])
		ed.Weeks = append(ed.Weeks, option{week, p.InWords(&s), slices.Contains(weeks, week)})
	}
}

// endless returns the rule of a series without its end. It names the days that it took from the
// first date: so it means the same on another one.
func endless(s *store.Series) string {
	rule, err := rrule.ParseRule(s.Rule)
	if err != nil {
		return s.Rule
	}
	rule.Count = 0
	rule.Until = rrule.DateTime{}
	if first := s.Event.Start.Time(); !strings.Contains(rule.String(), ";BY") {
		switch rule.Freq {
		case rrule.Weekly:
			rule.ByDay = []rrule.Day{{Weekday: rrule.WeekdayOf(first)}}
		case rrule.Yearly:
			rule.ByMonth = []int{int(first.Month())}
			rule.ByMonthDay = []int{first.Day()}
		case rrule.Monthly:
			rule.ByMonthDay = []int{first.Day()}
		}
	}
	return rule.String()
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
