// Filters of lists on pages: choices of the form, and their descriptions.

package rest

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"almanac/filters"
	"almanac/internal/access"
	"almanac/internal/markup"
	"almanac/internal/pages"
	"almanac/internal/respond"
	"almanac/store"
)

// pageSubjects are the records that lists of pages filter by: the path before the slug, the parameter of the
// API with the id, and the names on pages.
var pageSubjects = []struct {
	name, path      string
	parameter, text string
	kind            store.Kind
}{
	{"tribe_events_cat", "/events/category/", "categories", "site.category", store.Categories},
	{"tag", "/events/tag/", "tags", "site.tag", store.Tags},
	{"tribe_venue", "/venue/", "venue", "site.venue", store.Venues},
	{"tribe_organizer", "/organizer/", "organizer", "site.organizer", store.Organizers},
}

// choicesMost is how many values a choice has: more are found by searching.
const choicesMost = 50

// choices are the public filters of lists in a state of the store, one for each of pageSubjects.
type choices struct {
	state   *store.State
	choices []pages.Choice // without their labels
}

// choices returns the filters of a list that are in use and not set by its path.
func (r *request) choices(v *store.View) (all []pages.Choice) {
	known := r.chosen.Load()
	if known == nil || known.state != v.State() || !r.caller.IsStranger() {
		known = &choices{state: v.State()}
		for _, of := range pageSubjects {
			known.choices = append(known.choices, pages.Choice{Name: of.parameter, Options: r.options(v, of.kind)})
		}
		if r.caller.IsStranger() {
			for i := range known.choices {
				known.choices[i].Known = respond.Tag(fmt.Appendf(nil, "%#v", known.choices[i].Options))
			}
			r.chosen.Store(known)
		}
	}
	all = make([]pages.Choice, 0, len(pageSubjects))
	for i, of := range pageSubjects {
		c, id := known.choices[i], r.page[of.parameter]
		if len(c.Options) == 0 || r.page[of.name] != "" {
			continue
		}
		if c.Label = r.texts().Text(of.text); id != "" {
			c.Options, c.Known = slices.Clone(c.Options), ""
			at := slices.IndexFunc(c.Options, func(o pages.Option) bool { return o.Value == id })
			if name := r.nameOf(v, of.kind, id); at < 0 && name != "" {
				at, c.Options = len(c.Options), append(c.Options, pages.Option{Value: id, Text: name})
			}
			if at >= 0 {
				c.Options[at].Chosen = true
			}
		}
		all = append(all, c)
	}
	return all
}

// options returns the records of a kind that events are found by: of terms those that most
// are of, all by name.
func (r *request) options(v *store.View, k store.Kind) (options []pages.Option) {
	for _, record := range r.used(v, k, nil) {
		options = append(options, pages.Option{Value: itoa(int(record.Key())), Text: nameInList(record)})
	}
	slices.SortStableFunc(options, func(a, b pages.Option) int { return markup.Compare(a.Text, b.Text) })
	return options
}

// used returns the first records of a kind, or those with some ids, that filter events for the caller: records
// of hidden events alone are not named.
func (r *request) used(v *store.View, k store.Kind, ids []int64) (found []store.Record) {
	if k == store.Categories || k == store.Tags {
		terms, _, _ := (&filters.Terms{Taxonomy: k, HideEmpty: true, Include: ids, OrderBy: "count", Desc: true}).Find(v, 0, choicesMost)
		for _, t := range terms {
			found = append(found, t)
		}
		return found
	}
	yes := true
	f := filters.Posts{Kind: k, Viewer: access.ViewerOf(r.caller), Statuses: []store.Status{store.Publish}, HasEvents: &yes, Include: ids,
		OrderBy: "title"}
	found, _, _ = f.Find(v, 0, choicesMost)
	return found
}

// nameOf returns the name of the record with an id, "" if it is none that events are found by.
func (r *request) nameOf(v *store.View, k store.Kind, id string) string {
	if id == "" || strings.Trim(id, "0123456789") != "" {
		return ""
	}
	for _, record := range r.used(v, k, []int64{parseID(id)}) {
		return nameInList(record)
	}
	return ""
}

// nameInList returns the name of a record, or its slug or id where nothing of that is shown.
func nameInList(record store.Record) string {
	name := pages.NameOf(record)
	if len(bytes.TrimSpace(markup.DropUnshown([]byte(name)))) > 0 {
		return name
	}
	return cmp.Or(store.SlugOf(record), "#"+itoa(int(record.Key())))
}

// said returns what a list is narrowed by, in words: nothing on the page of a venue or an
// organizer, which says it by itself.
func (r *request) said(v *store.View) (said []pages.Said) {
	w := r.texts()
	say := func(key, text string) {
		if text != "" {
			said = append(said, pages.Said{Label: w.Text(key), Text: text})
		}
	}
	say("site.search", r.page["tribe-bar-search"])
	for _, of := range pageSubjects {
		slug := r.page[of.name]
		switch record := v.BySlug(of.kind, storedSlug(slug)); {
		case slug == "":
			say(of.text, r.nameOf(v, of.kind, r.page[of.parameter]))
		case of.kind == store.Categories || of.kind == store.Tags:
			say(of.text, pages.NameOf(record))
		}
	}
	if r.isFeatured() {
		said = append(said, pages.Said{Text: w.Text("site.featured")})
	}
	if day, ok := parseDay(r.page["tribe-bar-date"]); ok && r.page["eventDisplay"] == "" {
		say("site.from", r.language.Locale().Full(day))
	}
	return said
}

// isFeatured reports whether only featured events are asked for.
func (r *request) isFeatured() bool {
	return slices.Contains([]string{"/featured", "1", "true"}, r.page["featured"])
}

// subject returns the path of a list below the language: "/events/" or that of a category
// or a tag, or of a venue or an organizer.
func (r *request) subject() string {
	if path := r.page["archive"]; path != "" {
		return path
	}
	for _, of := range pageSubjects {
		if slug := r.page[of.name]; slug != "" {
			return of.path + slug + "/"
		}
	}
	return "/events/"
}

// archive is subject if it has views of its own: venues and organizers have no views.
func (r *request) archive() string {
	if path := r.subject(); strings.HasPrefix(path, "/events/") {
		return path
	}
	return "/events/"
}

// viewLink returns the address of a view of the same list, as "month/2031-05/", or of a later
// page of it.
func (r *request) viewLink(of, view string, page int) template.URL {
	featured, number := "", ""
	if r.page["featured"] == "/featured" {
		featured = "featured/"
	}
	if page > 1 {
		number = "page/" + itoa(page) + "/"
	}
	query := r.viewQuery(view == "" || view == "past/")
	return template.URL(r.site.Origin + r.base.Prefix + r.slugs.Page(of) + view + featured + number + query)
}

// viewQuery returns the query of links to views of the same list, with its question mark, or "";
// with the date that was asked for or without.
func (r *request) viewQuery(dated bool) string {
	known := &r.queries[0]
	if dated {
		known = &r.queries[1]
	}
	if *known != nil {
		return **known
	}
	query := url.Values{}
	if r.isFeatured() && r.page["featured"] != "/featured" {
		query.Set("featured", "true")
	}
	set := func(name string) {
		if text := r.page[name]; text != "" {
			query.Set(name, text)
		}
	}
	set("tribe-bar-search")
	set("event_ids")
	if dated {
		set("tribe-bar-date")
	}
	for _, of := range pageSubjects {
		set(of.parameter)
	}
	*known = new(string)
	if len(query) > 0 {
		**known = "?" + query.Encode()
	}
	return **known
}
