// What is around every page: its addresses, in all languages and formats.

package rest

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/feed"
	"almanac/internal/pages"
	"almanac/store"
)

// subject returns the path of a list below the language: "/events/" or that of a category
// or a tag, or of a venue or an organizer.
func (r *request) subject() string {
	for _, of := range []struct{ name, path string }{{"tribe_events_cat", "/events/category/"}, {"tag", "/events/tag/"},
		{"tribe_venue", "/venue/"}, {"tribe_organizer", "/organizer/"}} {
		if slug := r.page[of.name]; slug != "" {
			return of.path + slug + "/"
		}
	}
	if r.page["featured"] == "/featured" {
		return "/events/featured/"
	}
	return "/events/"
}

// frame returns what is around a page.
func (r *request) frame(title string) pages.Frame {
	w := r.texts()
	base := r.site.Origin + r.base.Prefix
	path := strings.TrimPrefix(r.address, r.site.Origin)
	if n := len(r.base.Prefix); len(path) >= n && strings.EqualFold(path[:n], r.base.Prefix) { // it was asked in any letter case
		path = path[n:]
	}
	if !strings.HasSuffix(path, "/") {
		path += "/"
	}
	f := pages.Frame{
		Words: w, Lang: r.language.Tag, Dir: r.language.Dir, Title: title, Site: r.siteName(), Home: base + "/events/",
		Style: r.site.Origin + "/assets/" + pages.StyleName(pages.Style), Canonical: base + path, Type: "website",
	}
	for _, b := range r.front.Bases() {
		if b.Namespace != r.base.Namespace {
			continue
		}
		link := pages.Link{Text: b.Language.Name(), Href: template.URL(r.front.Origin(b, r.site.Origin) + b.Prefix + path),
			Lang: b.Language.Tag, Dir: b.Language.Dir, Here: b == r.base}
		if b == r.front.OfLanguage(b.Language.Tag) {
			f.Languages = append(f.Languages, link)
			f.Alternates = append(f.Alternates, link)
		} else if b.Prefix == "" && b.Host == "" {
			link.Lang = "x-default"
			f.Alternates = append(f.Alternates, link)
		}
	}
	return f
}

// views returns links to the views of the same list, of which one may be shown.
func (r *request) views(shown string) (links []pages.Link) {
	w := r.texts()
	subject := r.subject()
	if !strings.HasPrefix(subject, "/events/") {
		subject = "/events/"
	}
	base := r.site.Origin + r.base.Prefix + subject
	for _, v := range []struct{ name, text, path string }{{"list", "site.list", ""}, {"month", "site.month", "month/"},
		{"week", "site.week", "week/"}, {"today", "site.today", "today/"}} {
		links = append(links, pages.Link{Text: w.Text(v.text), Href: template.URL(base + v.path), Here: v.name == shown})
	}
	return links
}

// feeds returns the addresses of a list in the formats of other programs: of the same list,
// whatever part of it is shown.
func (r *request) feeds() []pages.Link {
	query := url.Values{}
	for _, name := range []string{"categories", "tags", "venue", "organizer", "search", "featured"} {
		if text := r.in.Text(name); text != "" {
			query.Set(name, text)
		}
	}
	link := func(name string, f *feed.Format) pages.Link {
		address := r.api("/events" + f.Extension)
		if len(query) > 0 {
			address += "?" + query.Encode()
		}
		media, _, _ := strings.Cut(f.Media, ";")
		return pages.Link{Text: name, Href: template.URL(address), Type: media}
	}
	subscribe := link(r.texts().Text("site.webcal"), &feed.Calendar)
	_, address, _ := strings.Cut(string(subscribe.Href), "://")
	subscribe.Href = template.URL("webcal://" + address)
	return []pages.Link{subscribe, link("iCalendar", &feed.Calendar), link("RSS", &feed.RSS), link("Atom", &feed.Atom),
		link("JSON Feed", &feed.JSON), link("CSV", &feed.CSV)}
}

// listFrame is frame for lists, with what they are narrowed by.
func (r *request) listFrame(v *store.View, title, view string) pages.Frame {
	f := r.frame(title)
	if view == "today" || view == "day" && r.page["day"] == r.zone.Wall(r.now).Format(time.DateOnly) {
		view = "today"
	}
	f.Views, f.Feeds = r.views(view), r.feeds()
	f.Search = &pages.Search{Action: r.site.Origin + r.base.Prefix + r.subject(), Text: r.page["tribe-bar-search"],
		Date: r.page["tribe-bar-date"], Featured: r.page["featured"] != ""}
	f.Search.Choices = r.choices(v)
	for _, c := range f.Search.Choices {
		f.Search.Open = f.Search.Open || r.page[c.Name] != ""
	}
	f.Hidden = f.Search.Open || f.Search.Text != "" || f.Search.Date != "" || r.page["page"] != ""
	return f
}

// choicesMost is how many values a choice has: more are found by searching.
const choicesMost = 100

// choices returns what a list can be narrowed by: the categories that are used, where it is
// of none.
func (r *request) choices(v *store.View) []pages.Choice {
	if r.subject() != "/events/" {
		return nil
	}
	choice := pages.Choice{Name: "categories", Label: r.texts().Text("site.category")}
	used, _, _ := (&filters.Terms{Taxonomy: store.Categories, HideEmpty: true}).Find(v, 0, choicesMost)
	for _, t := range used {
		id := itoa(int(t.ID))
		choice.Options = append(choice.Options, pages.Option{Value: id, Text: t.Name, Chosen: r.page["categories"] == id})
	}
	if choice.Options == nil {
		return nil
	}
	return []pages.Choice{choice}
}

// pageLink returns the address of another page of the same list.
func (r *request) pageLink(n int) template.URL {
	address := r.site.Origin + r.base.Prefix + r.subject()
	if r.page["eventDisplay"] == "past" {
		address += "past/"
	}
	if n > 1 {
		address += "page/" + strconv.Itoa(n) + "/"
	}
	query := url.Values{}
	for _, name := range []string{"tribe-bar-search", "tribe-bar-date", "categories", "featured"} {
		if text := r.page[name]; text != "" && text != "/featured" {
			query.Set(name, text)
		}
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return template.URL(address)
}
