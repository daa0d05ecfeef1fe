// The frame of every page: its addresses, in all languages and formats.

package site

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// briefMost is how long an event takes at most that is a reason to list each of its days: one of
// thousands of years would be the only thing on a million pages.
const briefMost = 366 * 24 * 60 * 60

// isListed reports whether search engines list the page of some days with events: today is one of
// the days, an event begins on them, or one of the events takes a year at most.
func (p *page) isListed(v *store.View, events []*store.Event, first, after time.Time) bool {
	if p.isNow(first, after) {
		return true
	}
	if next := p.filter.From(v, store.WallOf(first)); next != nil {
		if start, _, _ := p.maker(v).Times(next); start < store.WallOf(after) {
			return true
		}
	}
	return slices.ContainsFunc(
		events,
		func(e *store.Event) bool {
			return e.End-e.Start <= briefMost
		},
	)
}

// isNow reports whether today is one of the days of a part of the calendar.
func (p *page) isNow(first, after time.Time) bool {
	now := p.wall()
	return !now.Before(first) && now.Before(after)
}

// listFrame is frame for lists, with what they are narrowed by.
func (p *page) listFrame(v *store.View, title, view string) pages.Frame {
	f := p.frame(title)
	if _, from := p.listView(); view == "day" && p.isNow(from, from.AddDate(0, 0, 1)) {
		view = "today"
	}
	p.discover(&f)
	p.embed(&f)
	f.Views = p.views(view)[:3]
	f.Soon = p.soon(v, view)
	f.Feeds = p.feeds() // the row of days has today
	archive := p.archive()
	f.Search = &pages.Search{
		Action:   p.PageAt(archive.Path()),
		Text:     p.Search,
		Date:     p.From,
		Featured: p.isFeatured(),
		Once:     p.SeriesQuery != "",
		Choices:  p.choices(v),
	}
	if view == "past" {
		f.Search.Hidden = []pages.Field{{Name: "eventDisplay", Value: view}}
	}
	f.Hidden = p.Page != ""
	return f
}

// frame returns what is around a page. Its address, for search engines, is without what it is
// narrowed by, and in other languages it is narrowed by the same.
func (p *page) frame(title string) pages.Frame {
	w := p.texts()
	base := p.Site.Origin + p.Base.Prefix
	at := p.path // without its other names
	if slices.Contains(layouts, at.View) {
		at.View = ""
	}
	if at.Category != "" && at.Category == p.Category {
		at.Above = p.Above
	}
	if at.Page == "1" {
		at.Page = ""
	}
	path := p.Slugs.Page(at.Path())
	query := strings.TrimPrefix(p.viewQuery(true), "?")
	own := p.datedPath()
	if view := p.display(); view != "" && view != "list" && p.Day == "" && at.View != view {
		path += "?eventDisplay=" + view // it is another page than that of the path
		query = strings.TrimSuffix("eventDisplay="+view+"&"+query, "&")
	}
	own = cmp.Or(own, path)
	f := pages.Frame{
		Words:     w,
		Lang:      p.Language.Lang(),
		Dir:       p.Language.Dir,
		Title:     title,
		Site:      p.SiteName(),
		Home:      p.PageAt("/events/"),
		Canonical: base + own,
		Type:      "website",
		Origin:    p.Site.Origin,
		API:       p.URL("/"),
		Front:     p.isFront(),
	}
	p.dress(&f)
	if query != "" {
		path, _, _ = strings.Cut(path, "?")
		path += "?" + query
	}
	v := p.versions()
	f.Alternates = v[0]
	f.Languages = v[1]
	f.Others = v[2]
	for _, all := range []*pages.Versions{&f.Alternates, &f.Languages, &f.Others} {
		all.Path = template.URL(path)
		if p.Front.Origin(p.Front.Neutral(), "") == "" {
			all.Origin = template.URL(p.Site.Origin)
		}
	}
	f.Alternates.Path = template.URL(own)
	return f
}

// datedPath returns the path of the shown day, week or month, whichever of its addresses the
// request has; "" if the page has no date, and of a week that the path names.
func (p *page) datedPath() string {
	view := p.display()
	_, from := p.listView()
	to := p.subject()
	switch {
	case view == "month" && p.Day+p.From != "":
		to = to.at(view, from)
	case view == "week" && p.Day == "" && p.From != "":
		to = to.at(view, from) // weeks begin on other days in other languages
	case view == "day" || view == "today":
		to = to.at("day", from)
	default:
		return ""
	}
	to.Featured = p.Featured
	to.Free = p.Free
	to.Page = numberOf(p.Page)
	return p.Slugs.Page(to.Path())
}

// isFront reports whether the front page is shown. A query for events is none.
func (p *page) isFront() bool {
	return p.path == address{
		Root: true,
	} && p.address == p.path && !p.isEmbedded() && !namesPage(p.HTTP)
}

// versions returns links to a page in all languages, without its path: for search engines, for
// people, and for people who unfold them. If the site has every language, the latter have all but
// its own one and that of the page. The links are the same for all pages of a base address.
func (p *page) versions() (v [3]pages.Versions) {
	offersAll := len(p.Front.Offered()) == len(i18n.Languages())
	for _, b := range p.Front.Bases() {
		if b.Namespace != p.Base.Namespace {
			continue
		}
		link := pages.Link{
			Text: b.Language.Name(),
			Href: template.URL(p.Front.Origin(b, "") + b.Prefix),
			Lang: b.Language.Tag,
			Dir:  b.Language.Dir,
			Here: b == p.Base,
		}
		if b == p.Front.OfLanguage(b.Language.Tag) {
			v[0].Links = append(v[0].Links, link)
			at := 1
			if offersAll && b.Language.Tag != p.Base.Language.Tag &&
				b.Language.Tag != p.Front.Neutral().Language.Tag {
				at = 2
			}
			v[at].Links = append(v[at].Links, link)
		} else if b.Prefix == "" && b.Host == "" {
			link.Lang = "x-default"
			v[0].Links = append(v[0].Links, link)
		}
	}
	return v
}

// discover says where programs find the list that a page shows, and the record that it is
// of, if it is of one.
func (p *page) discover(f *pages.Frame) {
	for _, of := range pageSubjects {
		slug := *of.slug(&p.address)
		if slug == "" {
			continue
		}
		f.Record = p.URL("/" + of.kind.String() + "/" + p.In.Text(of.parameter))
		f.API = f.Record
		if of.kind == store.Categories || of.kind == store.Tags {
			f.API = p.URL("/events/?" + of.parameter + "=" + api.StoredSlug(slug))
		}
		return
	}
	switch {
	case p.isFeatured():
		f.API = p.URL("/events/?featured=1")
	case p.Free:
		f.API = p.URL("/events/?free=1")
	case dayWords[p.View] != "":
		f.API = p.URL("/events/?when=" + dayWords[p.View])
	}
}

// views returns links to the views of the same list. One may be the present one.
func (p *page) views(present string) []pages.Link {
	return p.viewLinks(present, "site.list", "site.month", "site.week", "site.today")
}

// viewLinks returns links to views of the same list, by their texts. One may be the present one.
func (p *page) viewLinks(present string, texts ...string) (links []pages.Link) {
	links = make([]pages.Link, 0, len(texts)+1)
	for _, text := range texts {
		view := strings.TrimPrefix(text, "site.")
		to := p.archive()
		if view != "list" {
			to.View = view
		}
		links = append(links, pages.Link{
			Text: p.text(text),
			Href: p.link(to),
			Here: view == present,
		})
	}
	return links
}

// soon returns links to the days that visitors most often ask for, and to free events if there are
// some.
func (p *page) soon(v *store.View, present string) []pages.Link {
	links := p.viewLinks(
		present,
		"site.today",
		"site.tomorrow",
		"site.this-weekend",
		"site.this-week",
	)
	if !p.Free && !p.hasFree(v) {
		return links
	}
	free := p.archive()
	free.Free = true
	return append(links, pages.Link{
		Text: p.text("site.free"),
		Href: p.link(free),
		Here: p.Free && present == "list",
	})
}

// hasFree reports whether the list of coming free events has one, narrowed as the page is. Of a
// search that has to read many texts it is not known: then there may be one.
func (p *page) hasFree(v *store.View) bool {
	f := *p.filter
	f.Free = new(true)
	f.Day = nil
	f.OrderBy = ""
	if p.Series != "" { // the row leads to days of all events
		f.Series = nil
	}
	if p.IDs == nil {
		day := caltime.StartOfDay(p.wall())
		if from, ok := parseDay(p.From); ok {
			day = from
		}
		f.Start = store.Always()
		f.End = store.Always()
		f.End.Min = store.WallOf(day)
		if f.Search.Empty() && f.From(v, f.End.Min) != nil {
			return true // as nearly always; those that began before are looked for among all
		}
	}
	found := f.Find(v, 0, 1)
	return !found.Finished() || len(found.Events) > 0
}

// feeds returns the addresses of a list in the formats of other programs: of the same list,
// whatever part of it is shown.
func (p *page) feeds() []pages.Link {
	narrowed := ""
	for _, name := range [...]string{"categories", "featured", "free", "include", "organizer", "search", "search_names", "series",
		"tags", "venue", "when"} {
		if text := p.In.Text(name); text != "" {
			narrowed += "&" + name + "=" + url.QueryEscape(text)
		}
	}
	if view, from := p.listView(); view == "day" && p.In.Text("when") == "" &&
		p.isNow(from, from.AddDate(0, 0, 1)) {
		narrowed += "&when=today"
	}
	if narrowed != "" {
		narrowed = "?" + narrowed[1:]
	}
	return p.feedsOf("site.webcal", narrowed)
}

// feedsOf returns the addresses of the events of a query in the formats of other programs. The key
// is that of the text of the subscription.
func (p *page) feedsOf(key, narrowed string) []pages.Link {
	events := p.URL("/events")
	link := func(name string, f *feed.Format) pages.Link {
		media, _, _ := strings.Cut(f.Media, ";")
		return pages.Link{
			Text: name,
			Href: template.URL(events + f.Extension + narrowed),
			Type: media,
		}
	}
	file := link("iCalendar", &feed.Calendar)
	links := pages.Subscriptions(p.texts(), p.text(key), string(file.Href))
	links[0].Type = file.Type
	return append(
		links,
		file,
		link("RSS", &feed.RSS),
		link("Atom", &feed.Atom),
		link("JSON Feed", &feed.JSON),
		link("CSV", &feed.CSV),
	)
}

// lift returns a link to a view of all events.
func (p *page) lift(view address) *pages.Link {
	return &pages.Link{
		Text: p.text("site.show-all"),
		Href: template.URL(p.PageAt(view.Path())),
	}
}
