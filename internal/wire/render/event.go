// Events on the wire.

package render

import (
	"cmp"

	"almanac/internal/text/markup"
	"almanac/store"
)

// event writes an event. Its public parts come from e, the rest from inside; the flags of a
// protected event are null.
func (w *writer) event(e *store.Event) {
	zone := w.Zone(e)
	start := zone.Instant(e.Start.Time())
	end := zone.Instant(e.End.Time())
	inside, open := w.Inside(e)

	w.number(`{"id":`, e.ID)
	w.identity(&e.Post)
	w.quoted(`,"author":"`, e.Author)
	w.text(`,"status":"`, string(e.Status))
	w.stamps(&e.Post)
	w.page(`,"url":"`, &e.Post, eventPages)
	w.address(`,"rest_url":"`, w.api, "/events/", e.ID)
	w.text(`,"title":"`, markup.Title(e.Title))
	w.html(`,"description":"`, inside.Description, markup.AppendContent)
	w.html(`,"excerpt":"`, inside.Excerpt, markup.AppendExcerpt)
	w.text(`,"slug":"`, e.Slug)
	if image := w.Image(inside.Image); image != nil {
		w.picture(`,"image":`, image)
	} else {
		w.raw(`,"image":false`)
	}
	w.flagIf(open, `,"all_day":`, e.AllDay)
	w.dateAndDetails(`,"start_date":"`, `,"start_date_details":`, e.Start.Time())
	w.dateAndDetails(`,"end_date":"`, `,"end_date_details":`, e.End.Time())
	w.dateAndDetails(`,"utc_start_date":"`, `,"utc_start_date_details":`, start)
	w.dateAndDetails(`,"utc_end_date":"`, `,"utc_end_date_details":`, end)
	w.text(`,"timezone":"`, e.Timezone)
	w.text(`,"timezone_abbr":"`, zone.Abbr(start))
	w.cost(inside.Cost)
	switch {
	case inside.Website != "":
		w.text(`,"website":"`, markup.EscapeURL(inside.Website))
	case inside.NoWebsite:
		w.text(`,"website":"`, "")
	default:
		w.page(`,"website":"`, &e.Post, eventPages)
	}
	writePlain(w, eventFlags, inside, open, true)
	w.terms(`,"categories":[`, store.Categories, inside.Categories)
	w.terms(`,"tags":[`, store.Tags, inside.Tags)
	venue := w.venues(inside)
	organizer := w.organizers(inside)
	if w.customFields(inside.CustomFields); len(inside.CustomFields) == 0 {
		w.raw(`,"custom_fields":[]`)
	}
	writePlain(w, eventMore, inside, open, true)
	if inside.VirtualURL != "" {
		w.text(`,"is_virtual":true,"virtual_url":"`, inside.VirtualURL)
	}
	w.number(`,"post_parent":`, w.parent(e))
	w.state(e, inside)
	w.recurrence(e)
	if w.LD && open && e.Password == "" {
		w.linkedData(`,"json_ld":`, func() { w.eventLD(e, zone, venue, organizer) })
	}
	w.raw(`}`)
}

// cost writes the cost as clients know it, its details for programs, and the text that was typed
// where the first says less.
func (w *writer) cost(c store.Cost) {
	b, values := c.AppendShown(nil, w.Currency)
	w.text(`,"cost":"`, string(b))
	w.text(`,"cost_details":{"currency_symbol":"`, c.Symbol)
	w.text(`,"currency_code":"`, c.Code)
	w.text(`,"currency_position":"`, c.Position)
	w.texts(`,"values":[`, values)
	w.raw(`}`)
	if c.Wording != string(b) {
		w.someText(`,"cost_text":"`, c.Wording)
	}
}

// state writes the state of an event. The reason for it and the previous start are left out where
// there is none.
func (w *writer) state(e, inside *store.Event) {
	w.text(`,"event_status":"`, cmp.Or(e.State, "scheduled"))
	w.someText(`,"event_status_reason":"`, inside.StateReason)
	if e.PreviousStart != 0 {
		w.date(`,"previous_start_date":"`, e.PreviousStart.Time())
	}
}

// parent returns the id of the event above an event, 0 for none that the caller
// may read.
func (w *writer) parent(e *store.Event) int64 {
	if e.Parent == 0 {
		return 0
	}
	if parent := get[*store.Event](w.Source, store.Events, e.Parent); parent == nil ||
		!w.Readable(&parent.Post) {
		return 0
	}
	return e.Parent
}

// venues writes the venues of an event that the caller may read: one as it is,
// several as a list, none as an empty one. It returns the first, or nil.
func (w *writer) venues(e *store.Event) *store.Venue {
	shown := w.AppendVenues(make([]*store.Venue, 0, 4), e)
	if len(shown) == 1 {
		w.raw(`,"venue":`)
		w.venue(shown[0])
	} else {
		writeList(w, `,"venue":[`, shown, (*writer).venue)
	}
	return first(shown)
}

// organizers writes the organizers of an event that the caller may read, as a
// list however many they are. It returns the first, or nil.
func (w *writer) organizers(e *store.Event) *store.Organizer {
	shown := w.AppendOrganizers(make([]*store.Organizer, 0, 4), e)
	writeList(w, `,"organizer":[`, shown, (*writer).organizer)
	return first(shown)
}

// first returns the first of some records, or nil.
func first[T any](records []*T) *T {
	if len(records) == 0 {
		return nil
	}
	return records[0]
}
