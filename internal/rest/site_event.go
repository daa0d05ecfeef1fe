// Pages of events.

package rest

import (
	"cmp"
	"html/template"
	"strings"

	"almanac/filters"
	"almanac/internal/access"
	"almanac/internal/markup"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// besideMost is how many other events the page of an event leads to, of each kind.
const besideMost = 4

// servePageEvent answers with an event.
func servePageEvent(r *request) (*respond.Response, error) {
	var event *pages.Event
	var f pages.Frame
	var l list
	err := r.view(func(v *store.View, _ params.Values) error {
		l.tag = r.stateTag(v, r.now.Unix()/60) // it says when the event is over
		if r.revalidate(&l, v) {
			return nil
		}
		e := v.Event(r.id())
		if e == nil || e.Status == store.Trash || !r.mayRead(&e.Post) { // it may have changed since its address was read
			return errNoEventHere
		}
		m := r.maker(v)
		event = m.Event(e)
		if event.Form != nil {
			event.Form.Wrong = r.in.Text("password") != ""
		}
		r.beside(v, m, e, event)
		f = r.frame(event.Title)
		f.Type, f.Canonical = "article", event.Href
		f.Views, f.Feeds = r.views(""), r.feeds()
		f.Record = r.api("/events/" + itoa(int(e.ID)))
		f.API, f.Short = f.Record, r.shortLink(v, e)
		f.Data = []string{string(markup.DropUnshown(m.AppendLinkedData(nil, e)))}
		inside, _ := m.Inside(e)
		f.Description = description(strings.TrimSpace(event.Date+event.End.Text+" "+event.When), event.Where,
			markup.Plain(cmp.Or(markup.Excerpt(inside.Excerpt), markup.Content(inside.Description))))
		f.Image = pictureOf(event.Image, event.Picture)
		f.Hidden = e.Status != store.Publish || event.Form != nil
		return nil
	})
	if err != nil || l.answer != nil {
		return l.answer, err
	}
	return r.pageResponse(f, event, l)
}

// beside adds the next events of the same series, and those at the same place.
func (r *request) beside(v *store.View, m *pages.Maker, e *store.Event, event *pages.Event) {
	now := store.WallOf(m.Now)
	next := func(f *filters.Events) (entries []pages.Entry) {
		f.Viewer, f.Statuses, f.End.Min = access.ViewerOf(r.caller), []store.Status{store.Publish}, now
		for _, other := range f.Find(v, 0, besideMost+1).Events {
			if other.ID != e.ID && len(entries) < besideMost {
				entries = append(entries, m.Beside(other))
			}
		}
		return entries
	}
	series := m.Series(e)
	if series != nil && series.Event.Status != store.Trash {
		event.Series = r.inWords(series)
		f := filters.AllEvents()
		f.Series = []int64{series.ID}
		if event.Next = next(f); event.Over != "" && len(event.Next) > 0 {
			first := event.Next[0]
			event.Again = &pages.Link{Text: m.Words.Text("site.next-event", "{date}", first.When), Href: template.URL(first.Href)}
		}
	}
	if inside, open := m.Inside(e); open {
		if venues := m.AppendVenues(nil, inside); len(venues) > 0 {
			f := filters.AllEvents()
			f.Venues, f.FirstOfSeries = []int64{venues[0].ID}, true
			event.Related = next(f)
		}
	}
}

// servePassword answers with the page of an event that a password opens, which is sent in
// a form: so it is in no address.
func servePassword(r *request) (*respond.Response, error) {
	asked := r.pageAddress(r.base, r.http)
	if asked == nil {
		return nil, errNoRoute
	}
	id, err := r.subscribedEvent(asked)
	if err != nil {
		return r.refused(err)
	}
	query := map[string]any{"include": itoa(int(id)), "password": r.in.Text("password")}
	r.page, r.asked.Private = asked, true
	answer, err := r.answerAs(pageEvent, r.site.Origin+r.http.URL.EscapedPath(), map[string]string{"id": itoa(int(id))}, query)
	if err == nil {
		answer.Header["Cache-Control"] = "no-store"
	}
	return answer, err
}

// Password is the operation that a form on the page of a protected event asks for.
var Password = &Op{Name: "page.password", Params: params.None, serve: servePassword, html: true, unlisted: true, texts: true, people: true}
