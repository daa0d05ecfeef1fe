// The frame of every page: its addresses, in all languages and formats.

package rest

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/feed"
	"almanac/internal/pages"
	"almanac/internal/respond"
	"almanac/store"
)

// otherViews are the views that a query may ask for in the place of a list.
var otherViews = []string{"month", "week", "day", "today", "past"}

// frame returns what is around a page. Its address, for search engines, is without what it is
// narrowed by, and in other languages it is narrowed by the same.
func (r *request) frame(title string) pages.Frame {
	w := r.texts()
	base := r.site.Origin + r.base.Prefix
	path := strings.TrimPrefix(r.address, r.site.Origin)
	if n := len(r.base.Prefix); len(path) >= n && strings.EqualFold(path[:n], r.base.Prefix) { // it was asked in any letter case
		path = path[n:]
	}
	if r.isEmbedded() {
		path = strings.TrimPrefix(path, embedPath)
	}
	if !strings.HasSuffix(path, "/") {
		path += "/"
	}
	for _, of := range pageSubjects[:2] { // a path may leave out what is above a category, and begin otherwise for a tag
		slug := "/" + storedSlug(r.page[of.name]) + "/"
		if i := strings.LastIndex(strings.ToLower(path), slug); i >= 0 && slug != "//" {
			path = r.slugs.Page(r.subject()) + path[i+len(slug):]
		}
	}
	if view := r.page["view"]; view != "" { // a word for the list, which has none
		i := strings.LastIndex(strings.ToLower(path), "/"+view+"/")
		path = path[:i] + path[i+len(view)+1:]
	}
	query := strings.TrimPrefix(r.viewQuery(true), "?")
	if r.page["page"] == "1" {
		path = strings.TrimSuffix(path, "page/1/")
	}
	own := r.datedPath() // other addresses of it name no date, or in a query
	if view := r.page["eventDisplay"]; slices.Contains(otherViews, view) && r.page["day"] == "" && !strings.Contains(path, "/"+view+"/") {
		path += "?eventDisplay=" + view // it is another page than that of the path
		query = strings.TrimSuffix("eventDisplay="+view+"&"+query, "&")
	}
	own = cmp.Or(own, path)
	f := pages.Frame{
		Words: w, Lang: r.language.Tag, Dir: r.language.Dir, Title: title, Site: r.siteName(), Home: r.pageAt("/events/"),
		Canonical: base + own, Type: "website", Origin: r.site.Origin, API: r.api("/"),
	}
	r.dress(&f)
	if query != "" {
		path, _, _ = strings.Cut(path, "?")
		path += "?" + query
	}
	f.Alternates, f.Languages = r.versions()
	if r.front.Origin(r.front.Neutral(), "") == "" {
		f.Alternates.Origin, f.Languages.Origin = template.URL(r.site.Origin), template.URL(r.site.Origin)
	}
	f.Alternates.Path, f.Languages.Path = template.URL(own), template.URL(path)
	return f
}

// versions returns links to a page in all languages, without its path, for search engines and
// for people. They are the same for all pages of a base address.
func (r *request) versions() (alternates, languages pages.Versions) {
	if known, ok := r.languages.Load(r.base); ok {
		both := known.([2]pages.Versions)
		return both[0], both[1]
	}
	for _, b := range r.front.Bases() {
		if b.Namespace != r.base.Namespace {
			continue
		}
		link := pages.Link{Text: b.Language.Name(), Href: template.URL(r.front.Origin(b, "") + b.Prefix),
			Lang: b.Language.Tag, Dir: b.Language.Dir, Here: b == r.base}
		if b == r.front.OfLanguage(b.Language.Tag) {
			alternates.Links, languages.Links = append(alternates.Links, link), append(languages.Links, link)
		} else if b.Prefix == "" && b.Host == "" {
			link.Lang = "x-default"
			alternates.Links = append(alternates.Links, link)
		}
	}
	for _, all := range []*pages.Versions{&alternates, &languages} {
		all.Known = respond.Tag(fmt.Appendf(nil, "%#v", all.Links))
	}
	r.languages.Store(r.base, [2]pages.Versions{alternates, languages})
	return alternates, languages
}

// datedPath returns the path of the shown day, week or month if the path of the request has no date; "" if the
// page has none.
func (r *request) datedPath() string {
	view := r.page["eventDisplay"]
	_, from := r.listView()
	path := from.Format(time.DateOnly) + "/"
	switch {
	case r.page["day"] != "" && view != "today":
		return ""
	case (view == "month" || view == "week") && r.page["tribe-bar-date"] != "":
		path = r.viewPath(view, from) // weeks begin on other days in other languages
	case view != "day" && view != "today":
		return ""
	}
	page, _ := strconv.Atoi(r.page["page"])
	address, _, _ := strings.Cut(string(r.viewLink(r.subject(), path, page)), "?")
	return strings.TrimPrefix(address, r.site.Origin+r.base.Prefix)
}

// isNow reports whether today is one of the days of a part of the calendar.
func (r *request) isNow(first, after time.Time) bool {
	now := r.zone.Wall(r.now)
	return !now.Before(first) && now.Before(after)
}

// views returns links to the views of the same list. One may be shown.
func (r *request) views(shown string) []pages.Link {
	links, archive := r.buffers.views[:0], r.archive()
	for _, v := range []struct{ name, text, path string }{{"list", "site.list", ""}, {"month", "site.month", "month/"},
		{"week", "site.week", "week/"}, {"today", "site.today", "today/"}} {
		links = append(links, pages.Link{Text: r.texts().Text(v.text), Href: r.viewLink(archive, v.path, 1), Here: v.name == shown})
	}
	r.buffers.views = links
	return links
}

// feeds returns the addresses of a list in the formats of other programs: of the same list,
// whatever part of it is shown.
func (r *request) feeds() []pages.Link {
	events, narrowed := r.api("/events"), ""
	for _, name := range [...]string{"categories", "featured", "include", "organizer", "search", "series", "tags", "venue"} {
		if text := r.in.Text(name); text != "" {
			narrowed += "&" + name + "=" + url.QueryEscape(text)
		}
	}
	if narrowed != "" {
		narrowed = "?" + narrowed[1:]
	}
	link := func(name string, f *feed.Format) pages.Link {
		media, _, _ := strings.Cut(f.Media, ";")
		return pages.Link{Text: name, Href: template.URL(events + f.Extension + narrowed), Type: media}
	}
	subscribe := link(r.texts().Text("site.webcal"), &feed.Calendar)
	_, address, _ := strings.Cut(string(subscribe.Href), "://")
	subscribe.Href = template.URL("webcal://" + address)
	r.buffers.feeds = append(r.buffers.feeds[:0], subscribe, link("iCalendar", &feed.Calendar), link("RSS", &feed.RSS),
		link("Atom", &feed.Atom), link("JSON Feed", &feed.JSON), link("CSV", &feed.CSV))
	return r.buffers.feeds
}

// listFrame is frame for lists, with what they are narrowed by.
func (r *request) listFrame(v *store.View, title, view string) pages.Frame {
	f := r.frame(title)
	if view == "today" || view == "day" && r.page["day"] == r.zone.Wall(r.now).Format(time.DateOnly) {
		view = "today"
	}
	r.discover(&f)
	f.Views, f.Feeds = r.views(view), r.feeds()
	f.Search = &pages.Search{Action: r.pageAt(r.archive()), Text: r.page["tribe-bar-search"],
		Date: r.page["tribe-bar-date"], Featured: r.isFeatured(), Choices: r.choices(v)}
	if view == "past" {
		f.Search.Hidden = []pages.Field{{Name: "eventDisplay", Value: view}}
	}
	f.Hidden = r.page["page"] != ""
	return f
}

// lift returns a link to the same view of all events.
func (r *request) lift(view string) *pages.Link {
	return &pages.Link{Text: r.texts().Text("site.show-all"), Href: template.URL(r.pageAt("/events/" + view))}
}
