// Venues and organizers on the wire. Empty members are left out.

package render

import (
	"almanac/internal/text/markup"
	"almanac/store"
)

// post writes the members that venues and organizers begin with.
func (w *writer) post(p *store.Post, at pages) {
	w.number(`{"id":`, p.ID)
	if p.Author != 0 {
		w.quoted(`,"author":"`, p.Author)
	}
	w.text(`,"status":"`, string(p.Status))
	w.stamps(p)
	w.page(`,"url":"`, p, at)
}

// about writes the members that tell what a venue or organizer is.
func (w *writer) about(p *store.Post) {
	w.someHTML(`,"description":"`, p.Description, markup.AppendContent)
	w.someHTML(`,"excerpt":"`, p.Excerpt, markup.AppendExcerpt)
	w.someText(`,"slug":"`, p.Slug)
	if image := w.Image(p.Image); image != nil {
		w.picture(`,"image":`, image)
	}
}

// venue writes a venue.
func (w *writer) venue(v *store.Venue) {
	w.post(&v.Post, venuePages)
	w.someText(`,"venue":"`, markup.Title(v.Name))
	w.about(&v.Post)
	writePlain(w, venueTexts, v, true, false)
	if v.Geo != nil {
		w.float(`,"geo_lat":`, v.Geo.Lat)
		w.float(`,"geo_lng":`, v.Geo.Lng)
	}
	w.customFields(v.CustomFields)
	if w.LD {
		w.linkedData(`,"json_ld":`, func() { w.placeLD(v, "") })
	}
	writePlain(w, venueFlags, v, true, false)
	w.identity(&v.Post)
	w.raw(`}`)
}

// organizer writes an organizer.
func (w *writer) organizer(o *store.Organizer) {
	w.post(&o.Post, organizerPages)
	w.someText(`,"organizer":"`, markup.Title(o.Name))
	w.about(&o.Post)
	writePlain(w, organizerTexts, o, true, false)
	w.customFields(o.CustomFields)
	if w.LD {
		w.linkedData(`,"json_ld":`, func() { w.partyLD("Person", o, o.Website) })
	}
	w.identity(&o.Post)
	w.raw(`}`)
}
