// Common members of events, venues and organizers on the wire.

package render

import "almanac/store"

// stamps writes four members that tell when a record was published and changed, in the site's zone
// and in UTC. A record that was never published has a date of making, but no UTC date; a record
// that was made unpublished and never changed has no UTC date of change.
func (w *writer) stamps(p *store.Post) {
	published := w.Site.Wall(p.Date)
	w.date(`,"date":"`, published)
	if p.Undated || p.LocalDate {
		w.raw(`,"date_utc":"0000-00-00 00:00:00"`)
	} else {
		w.date(`,"date_utc":"`, p.Date)
	}
	if p.Modified.IsZero() {
		w.date(`,"modified":"`, published)
		w.raw(`,"modified_utc":"0000-00-00 00:00:00"`)
	} else {
		w.date(`,"modified":"`, w.Site.Wall(p.Modified))
		w.date(`,"modified_utc":"`, p.Modified)
	}
}

// identity writes two members: the global id of a record, and that id with those of its
// origins.
func (w *writer) identity(p *store.Post) {
	w.raw(`,"global_id":`)
	from := len(w.b)
	w.address(`"`, w.site, "?id=", p.ID)
	id := w.b[from:]
	w.raw(`,"global_id_lineage":[`)
	w.b = append(w.b, id...)
	for i, origin := range p.Origins {
		if i > 0 || p.Page() == "" {
			w.text(`,"`, origin)
		}
	}
	w.raw(`]`)
}

// customFields writes custom fields as an object, and nothing if there are none.
func (w *writer) customFields(fields store.CustomFields) {
	name := `,"custom_fields":{`
	for _, f := range fields {
		w.text(name+`"`, f.Key)
		w.text(`:{"label":"`, f.Label)
		w.text(`,"value":"`, f.Value)
		w.raw(`}`)
		name = `,`
	}
	if len(fields) > 0 {
		w.raw(`}`)
	}
}

// pages is where the public pages of a kind are: by slug, and by id.
type pages struct{ bySlug, byID string }

var (
	eventPages     = pages{"/event/", "/?post_type=tribe_events&p="}
	venuePages     = pages{"/venue/", "/?post_type=tribe_venue&p="}
	organizerPages = pages{"/organizer/", "/?post_type=tribe_organizer&p="}
)

// page writes the address of a record's public page: by its slug when it is
// public, else by its id.
func (w *writer) page(name string, p *store.Post, at pages) {
	if isBySlug(p) {
		b := append(append(append(w.b, name...), w.origin...), w.Slugs.Page(at.bySlug)...)
		w.b = append(appendText(b, p.Slug), `/"`...)
	} else {
		w.address(name, w.origin, at.byID, p.ID)
	}
}

// isBySlug reports whether the public page of a record has its slug in the
// address.
func isBySlug(p *store.Post) bool {
	return (p.Status == store.Publish || p.Status == store.Private) && p.Slug != ""
}
