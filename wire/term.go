// Categories and tags on the wire: one shape inside events, another on their
// own routes.

package wire

import (
	"slices"
	"strconv"
	"strings"

	"almanac/markup"
	"almanac/store"
)

// termURLs are the addresses of a term.
type termURLs struct {
	Self       string `json:"self"`
	Collection string `json:"collection"`
	Up         string `json:"up,omitempty"`
}

func (r Renderer) termURLs(t *store.Term) termURLs {
	collection := r.API + "/" + t.Taxonomy.String()
	urls := termURLs{Self: collection + "/" + strconv.FormatInt(t.ID, 10), Collection: collection}
	if t.Parent != 0 {
		urls.Up = collection + "/" + strconv.FormatInt(t.Parent, 10)
	}
	return urls
}

// taxonomyName is what a taxonomy is called on the wire.
func taxonomyName(k store.Kind) string {
	if k == store.Categories {
		return "tribe_events_cat"
	}
	return "post_tag"
}

// embeddedTerm is a term inside an event.
type embeddedTerm struct {
	Name        string   `json:"name"`
	Slug        string   `json:"slug"`
	Group       int      `json:"term_group"`
	TaxonomyID  int64    `json:"term_taxonomy_id"`
	Taxonomy    string   `json:"taxonomy"`
	Description string   `json:"description"`
	Parent      int64    `json:"parent"`
	Count       int      `json:"count"`
	Filter      string   `json:"filter"`
	ID          int64    `json:"id"`
	URLs        termURLs `json:"urls"`
}

// embedded shows the terms of an event, by name.
func (r Renderer) embedded(k store.Kind, ids []int64) []any {
	terms := make([]*store.Term, 0, len(ids))
	for _, id := range ids {
		if t := r.Reader.Term(k, id); t != nil {
			terms = append(terms, t)
		}
	}
	slices.SortFunc(terms, func(a, b *store.Term) int { return markup.Compare(a.Name, b.Name) })
	shown := make([]any, len(terms))
	for i, t := range terms {
		shown[i] = embeddedTerm{
			Name: markup.EscapeName(t.Name), Slug: t.Slug, TaxonomyID: t.ID, Taxonomy: taxonomyName(k),
			Description: t.Description, Parent: t.Parent, Count: r.Reader.Count(k, t.ID), Filter: "raw", ID: t.ID,
			URLs: r.termURLs(t),
		}
	}
	return shown
}

// Term is a term on its own routes.
type Term struct {
	ID          int64      `json:"id"`
	Count       int        `json:"count"`
	Description string     `json:"description"`
	Name        string     `json:"name"`
	Slug        string     `json:"slug"`
	Taxonomy    string     `json:"taxonomy"`
	Parent      *int64     `json:"parent,omitempty"` // of categories
	Meta        []any      `json:"meta"`
	URL         string     `json:"url"`
	URLs        termURLs   `json:"urls"`
	Links       *termLinks `json:"_links,omitempty"` // on single reads and writes
}

// termLinks are the links of a term in the form of the original.
type termLinks struct {
	Self       []any `json:"self"`
	Collection []any `json:"collection"`
	Up         []any `json:"up,omitempty"`
}

type href struct {
	Href       string `json:"href"`
	Embeddable bool   `json:"embeddable,omitempty"`
}

// Term shows a term on its own route.
func (r Renderer) Term(t *store.Term, links bool) *Term {
	out := &Term{
		ID: t.ID, Count: r.Reader.Count(t.Taxonomy, t.ID), Description: t.Description, Name: markup.EscapeName(t.Name),
		Slug: t.Slug, Taxonomy: taxonomyName(t.Taxonomy), Meta: []any{}, URL: r.termPage(t), URLs: r.termURLs(t),
	}
	if t.Taxonomy == store.Categories {
		out.Parent = &t.Parent
	}
	if links {
		out.Links = &termLinks{
			Self: []any{struct {
				Href  string `json:"href"`
				Hints any    `json:"targetHints"`
			}{out.URLs.Self, map[string][]string{"allow": r.Methods(t.Taxonomy)}}},
			Collection: []any{href{Href: out.URLs.Collection}},
		}
		if out.URLs.Up != "" {
			out.Links.Up = []any{href{out.URLs.Up, true}}
		}
	}
	return out
}

// termPage gives the address of the public page of a term: of a category, with
// those above it.
func (r Renderer) termPage(t *store.Term) string {
	if t.Taxonomy == store.Tags {
		return r.Origin + "/tag/" + t.Slug + "/"
	}
	slugs := []string{t.Slug}
	for up := r.Reader.Term(t.Taxonomy, t.Parent); up != nil && len(slugs) < maxTermDepth; up = r.Reader.Term(t.Taxonomy, up.Parent) {
		slugs = append(slugs, up.Slug)
	}
	slices.Reverse(slugs)
	return r.Origin + "/events/category/" + strings.Join(slugs, "/") + "/"
}

// maxTermDepth bounds walks up the tree of categories.
const maxTermDepth = 1000
