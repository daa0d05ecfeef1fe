// Categories and tags on the wire: one shape inside events, another on their
// own routes.

package render

import (
	"almanac/internal/text/markup"
	"almanac/store"
)

// A taxonomy is how the terms of one kind are told from those of the other.
type taxonomy struct {
	member string // that says so
	path   string // of all terms
	item   string // of one, before its id
}

var (
	categories = taxonomy{`,"taxonomy":"tribe_events_cat"`, "/categories", "/categories/"}
	tags       = taxonomy{`,"taxonomy":"post_tag"`, "/tags", "/tags/"}
)

func taxonomyOf(k store.Kind) *taxonomy {
	if k == store.Categories {
		return &categories
	}
	return &tags
}

// collectionURL writes the address of all terms of a taxonomy.
func (w *writer) collectionURL(name string, of *taxonomy) {
	w.b = append(append(append(append(w.b, name...), w.api...), of.path...), '"')
}

// termURLs writes the addresses of a term.
func (w *writer) termURLs(t *store.Term, of *taxonomy) {
	w.address(`,"urls":{"self":"`, w.api, of.item, t.ID)
	w.collectionURL(`,"collection":"`, of)
	if t.Parent != 0 {
		w.address(`,"up":"`, w.api, of.item, t.Parent)
	}
	w.raw(`}`)
}

// terms writes the terms of an event, by name.
func (w *writer) terms(name string, k store.Kind, ids []int64) {
	writeList(w, name, w.AppendTerms(make([]*store.Term, 0, 16), k, ids), (*writer).embeddedTerm)
}

// embeddedTerm writes a term inside an event.
func (w *writer) embeddedTerm(t *store.Term) {
	of := taxonomyOf(t.Taxonomy)
	w.text(`{"name":"`, markup.EscapeName(t.Name))
	w.text(`,"slug":"`, t.Slug)
	w.number(`,"term_group":0,"term_taxonomy_id":`, t.ID)
	w.raw(of.member)
	w.text(`,"description":"`, t.Description)
	w.number(`,"parent":`, t.Parent)
	w.number(`,"count":`, int64(w.Source.Count(t.Taxonomy, t.ID)))
	w.number(`,"filter":"raw","id":`, t.ID)
	w.termURLs(t, of)
	w.raw(`}`)
}

// term writes a term on its own route. Tags have no member for a parent.
func (w *writer) term(t *store.Term) {
	of := taxonomyOf(t.Taxonomy)
	w.number(`{"id":`, t.ID)
	w.number(`,"count":`, int64(w.Source.Count(t.Taxonomy, t.ID)))
	w.text(`,"description":"`, t.Description)
	w.text(`,"name":"`, markup.EscapeName(t.Name))
	w.text(`,"slug":"`, t.Slug)
	w.raw(of.member)
	if t.Taxonomy == store.Categories {
		w.number(`,"parent":`, t.Parent)
	}
	w.raw(`,"meta":[]`)
	w.termPage(t)
	w.termURLs(t, of)
	if w.TermLinks {
		w.termLinks(t, of)
	}
	w.raw(`}`)
}

// termPage writes the address of the public page of a term: of a category, with
// those above it.
func (w *writer) termPage(t *store.Term) {
	if t.Taxonomy == store.Tags {
		w.text(`,"url":"`, w.Origin+"/tag/"+t.Slug+"/")
		return
	}
	w.text(`,"url":"`, w.Origin+w.Slugs.Page(CategoryPath(w.Source, t)))
}

// CategoryPath returns the path of the page of a category, as we write it.
func CategoryPath(from Source, t *store.Term) string {
	page := "/" + t.Slug + "/"
	for up := range store.Above(t, from.Get) {
		page = "/" + up.Slug + page
	}
	return "/events/category" + page
}

// termLinks writes the links of a term in the form of the original.
func (w *writer) termLinks(t *store.Term, of *taxonomy) {
	w.address(`,"_links":{"self":[{"href":"`, w.api, of.item, t.ID)
	w.texts(`,"targetHints":{"allow":[`, w.Methods(t.Taxonomy))
	w.collectionURL(`}}],"collection":[{"href":"`, of)
	w.raw(`}]`)
	if t.Parent != 0 {
		w.address(`,"up":[{"href":"`, w.api, of.item, t.Parent)
		w.raw(`,"embeddable":true}]`)
	}
	w.raw(`}`)
}
