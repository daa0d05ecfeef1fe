// Pages of events.

package site

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/text/markup"
	"almanac/internal/text/qr"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/params"
	"almanac/store"
)

// besideMost is how many other events the page of an event leads to, of each kind.
const besideMost = 4

// Preview answers with the page of an event, which the caller may read, below a strip. No cache
// keeps it.
func Preview(r *api.Call, id int64, strip *pages.Strip) (*respond.Response, error) {
	path := map[string]string{"id": strconv.FormatInt(id, 10)}
	in := params.Given(map[string]any{"include": path["id"]}, path)
	var answer *respond.Response
	err := r.As(pageEvent, path, in, func() (err error) {
		p := newPage(r)
		p.strip = strip
		answer, err = servePageEvent(p)
		return err
	})
	if err == nil {
		answer.Tag = ""
	}
	return answer, err
}

// servePageEvent answers with an event.
func servePageEvent(p *page) (*respond.Response, error) {
	var event *pages.Event
	var f pages.Frame
	l := api.List{Call: p.Call}
	look := func(v *store.View, _ params.Values) error {
		end := p.Now.Truncate(time.Minute).Add(time.Minute)
		l.Tag = p.StateTag(v, end.Unix()) // it says when the event is over
		p.TrueUntil(end)
		return nil
	}
	show := func(v *store.View, _ params.Values) error {
		e := v.Event(p.ID())
		if e == nil || e.Status == store.Trash ||
			!p.MayRead(&e.Post) { // it may have changed since its address was read
			return errNoEvent
		}
		m := p.maker(v)
		event = m.Event(e)
		if event.Form != nil {
			event.Form.Wrong = p.In.Text("password") != ""
		}
		if queryOf(p.HTTP).Text("print") == "poster" {
			event.Poster = ""
			if event.Image != nil {
				event.Image.Srcset = "" // browsers choose a copy for the window, and print that
			}
			if code := qr.Encode(event.Href); code != nil {
				event.QR = &pages.QR{Side: code.Side(), Path: code.Path()}
			}
		}
		p.beside(v, m, e, event)
		f = p.frame(event.Title)
		if event.State != "" {
			f.Title = p.text("site.titled", "{state}", event.State, "{name}", event.Title)
		}
		f.Type = "article"
		f.Canonical = event.Href
		f.Views = p.views("")
		f.Feeds = p.feedsOf("site.webcal-all", "")
		f.Record = p.URL("/events/" + strconv.Itoa(int(e.ID)))
		f.API = f.Record
		f.Short = p.shortLink(v, e)
		var data graph
		data.add(m.AppendLinkedData(nil, e))
		f.Data = data
		inside, _ := m.Inside(e)
		f.Description = description(
			strings.TrimSpace(event.Date+event.End.Text+" "+event.When),
			event.Where,
			cmp.Or(
				markup.Plain(markup.Excerpt(inside.Excerpt)),
				markup.PageText(inside.Description),
			),
		)
		share(&f, event.Image, event.Picture)
		f.Hidden = e.Status != store.Publish || event.Form != nil
		if !f.Hidden && p.strip == nil {
			p.embed(&f)
		}
		f.Strip = p.strip
		if f.Strip != nil {
			f.Styles = append(f.Styles, f.Strip.Style)
		}
		return nil
	}
	return l.Do(
		look,
		show,
		func() (*respond.Response, error) {
			return p.pageResponse(f, event, l.Tag)
		},
	)
}

// beside adds the next events of the same series, after this one unless it is over, and those at
// the same place.
func (p *page) beside(v *store.View, m *pages.Maker, e *store.Event, event *pages.Event) {
	now := store.WallOf(m.Now)
	var parts []int64 // of the series
	next := func(f *filters.Events, without []int64) (entries []pages.Entry) {
		f.Calendar = p.Calendar(v)
		f.Viewer = access.ViewerOf(p.Caller)
		f.Statuses = []store.Status{store.Publish}
		f.End.Min = now
		for _, other := range f.Find(v, 0, besideMost+2).Events {
			again := other.Recurrence != nil && slices.Contains(without, other.Recurrence.Series)
			if other.ID != e.ID && !again && !m.Ended(other, p.Now) && len(entries) < besideMost {
				entries = append(entries, m.Beside(other))
			}
		}
		return entries
	}
	series := m.Series(e)
	if series != nil && series.Event.Status != store.Trash {
		event.Series = p.rule(series)
		event.Then = p.then(m, series)
		event.All = &pages.Link{Text: p.text("site.all-dates"), Href: p.allDates(series)}
		f := filters.AllEvents()
		parts = p.PartsOf(&v.Reader, []int64{series.ID})
		f.Series = parts
		if event.Over == "" {
			start, _, _ := m.Times(e)
			f.Start.Min = start + 1
		}
		event.Next = next(f, nil)
		if event.Over != "" && len(event.Next) > 0 {
			first := event.Next[0]
			event.Again = &pages.Link{
				Text: m.Words.Text("site.next-event", "{date}", first.When),
				Href: template.URL(first.Href),
			}
		}
	}
	if inside, open := m.Inside(e); open {
		if venues := m.AppendVenues(nil, inside); len(venues) > 0 {
			f := filters.AllEvents()
			f.Venues = []int64{venues[0].ID}
			f.FirstOfSeries = true
			event.Related = next(f, parts)
		}
	}
}

// Password answers with the page of an event that a password opens, which is sent in a form: so it
// is in no address.
var Password = api.Keeps(api.ForPages(api.NewPage("page.password", servePassword, refuse)))

func servePassword(r *api.Call) (*respond.Response, error) {
	p := newPage(r)
	password := r.In.Text("password")
	if !p.Single {
		return nil, api.ErrNoRoute
	}
	id, err := p.eventID()
	if err != nil {
		return p.refused(err)
	}
	r.Path = map[string]string{"id": strconv.Itoa(int(id))}
	r.Asked.Private = true
	r.In = params.Given(map[string]any{"include": r.Path["id"], "password": password}, r.Path)
	answer, err := servePageEvent(p)
	if err == nil {
		answer.Header["Cache-Control"] = "no-store"
	}
	return answer, err
}
