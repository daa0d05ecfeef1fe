// Filters of lists on pages: choices of the form, and their descriptions.

package site

import (
	"bytes"
	"cmp"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/people/access"
	"almanac/internal/text/markup"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// pageSubjects are the records that lists of pages filter by: the parameter of pages with the
// slug, the parameter of the API with the id, and the key of the name on pages. Their order is
// that of queryFilters.ByID.
var pageSubjects = []struct {
	name      string
	slug      func(*address) *string
	parameter string
	text      string
	kind      store.Kind
}{
	{
		name:      "tribe_events_cat",
		slug:      func(a *address) *string { return &a.Category },
		parameter: "categories",
		text:      "site.category",
		kind:      store.Categories,
	},
	{
		name:      "tag",
		slug:      func(a *address) *string { return &a.Tag },
		parameter: "tags",
		text:      "site.tag",
		kind:      store.Tags,
	},
	{
		name:      "tribe_venue",
		slug:      func(a *address) *string { return &a.Venue },
		parameter: "venue",
		text:      "site.venue",
		kind:      store.Venues,
	},
	{
		name:      "tribe_organizer",
		slug:      func(a *address) *string { return &a.Organizer },
		parameter: "organizer",
		text:      "site.organizer",
		kind:      store.Organizers,
	},
}

// choicesMost is how many values a choice has: more are found by searching.
const choicesMost = 50

// choicesAmong is among how many records of a kind the values are looked for: of terms the oldest,
// about, of venues and organizers the newest. Writers wait for it.
const choicesAmong = 10_000

// choices returns the filters of a list that are in use and not set by its path.
func (p *page) choices(v *store.View) (all []pages.Choice) {
	for i, of := range pageSubjects {
		if *of.slug(&p.address) != "" {
			continue
		}
		c := pages.Choice{
			Name:    of.parameter,
			Label:   p.text(of.text),
			Options: p.options(v, of.kind),
		}
		if len(c.Options) == 0 {
			continue
		}
		id := p.ByID[i]
		at := slices.IndexFunc(c.Options, func(o pages.Option) bool {
			return o.Value == id
		})
		if name := p.nameOf(v, of.kind, id); at < 0 && name != "" {
			at = len(c.Options)
			c.Options = append(c.Options, pages.Option{Value: id, Text: name})
		}
		if at >= 0 {
			c.Options[at].Chosen = true
		}
		all = append(all, c)
	}
	return all
}

// options returns the records of a kind that events are found by: of terms those that most
// are of, all by name.
func (p *page) options(v *store.View, k store.Kind) (options []pages.Option) {
	for _, record := range p.used(v, k, nil) {
		options = append(options, pages.Option{
			Value: strconv.Itoa(int(record.Key())),
			Text:  nameInList(record),
		})
	}
	slices.SortStableFunc(
		options,
		func(a, b pages.Option) int {
			return markup.Compare(a.Text, b.Text)
		},
	)
	return options
}

// used returns the first records of a kind, or those with some ids, that filter events for the
// caller: records of hidden events alone are not named.
func (p *page) used(v *store.View, k store.Kind, ids []int64) (found []store.Record) {
	if k == store.Categories || k == store.Tags {
		terms, _, _ := (&filters.Terms{
			Taxonomy:  k,
			HideEmpty: true,
			Include:   ids,
			OrderBy:   "count",
			Desc:      true,
			Among:     choicesAmong,
		}).Find(filters.Inside(v), 0, choicesMost)
		for _, t := range terms {
			found = append(found, t)
		}
		return found
	}
	f := filters.Posts{
		Kind:      k,
		Viewer:    access.ViewerOf(p.Caller),
		Statuses:  []store.Status{store.Publish},
		HasEvents: new(true),
		Include:   ids,
		OrderBy:   "title",
		Among:     choicesAmong,
	}
	found, _, _ = f.Find(filters.Inside(v), 0, choicesMost)
	return found
}

// nameOf returns the name of the record with an id, "" if it is none that events are found by.
func (p *page) nameOf(v *store.View, k store.Kind, id string) string {
	if id == "" || strings.Trim(id, "0123456789") != "" {
		return ""
	}
	for _, record := range p.used(v, k, []int64{api.ParseID(id)}) {
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
	return cmp.Or(store.SlugOf(record), "#"+strconv.Itoa(int(record.Key())))
}

// criteria returns what a list is narrowed by, in words: nothing on the page of a venue or an
// organizer, which says it by itself.
func (p *page) criteria(v *store.View) (criteria []pages.Said) {
	w := p.texts()
	say := func(key, text string) {
		if text != "" {
			criteria = append(criteria, pages.Said{Label: w.Text(key), Text: text})
		}
	}
	say("site.search", p.Search)
	for i, of := range pageSubjects {
		slug := *of.slug(&p.address)
		switch record := v.BySlug(of.kind, api.StoredSlug(slug)); {
		case slug == "":
			say(of.text, p.nameOf(v, of.kind, p.ByID[i]))
		case of.kind == store.Categories || of.kind == store.Tags:
			say(of.text, pages.NameOf(record))
		}
	}
	if p.isFeatured() {
		criteria = append(criteria, pages.Said{Text: w.Text("site.featured")})
	}
	if p.Free {
		criteria = append(criteria, pages.Said{Text: w.Text("site.free")})
	}
	if p.SeriesQuery != "" {
		criteria = append(criteria, pages.Said{Text: w.Text("site.series-once")})
	}
	if day, ok := parseDay(p.From); ok && p.display() == "" {
		say("site.from", p.Language.Locale().Full(day))
	}
	return criteria
}

// link returns the address of a view of the same list.
func (p *page) link(to address) template.URL {
	to.Featured = p.Featured
	to.Free = p.Free || to.Free
	query := p.viewQuery(to.Day == "" && (to.View == "" || to.View == "past"))
	return template.URL(p.Site.Origin + p.Base.Prefix + p.Slugs.Page(to.Path()) + query)
}

// viewQuery returns the query of links to views of the same list, with its question mark, or "";
// with the date that was asked for or without.
func (p *page) viewQuery(dated bool) string {
	query := &p.queries[0]
	if dated {
		query = &p.queries[1]
	}
	if *query == nil {
		to := address{queryFilters: p.queryFilters}
		to.Single = false
		if !dated {
			to.From = ""
		}
		*query = new(to.Query())
	}
	return **query
}
