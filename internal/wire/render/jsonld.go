// Data for search engines: events, places and persons after schema.org. It says
// again what the other members show: names as HTML without tags, descriptions as
// plain text as it was typed.

package render

import (
	"bytes"
	"cmp"
	"slices"

	"almanac/internal/text/caltime"
	"almanac/internal/text/cost"
	"almanac/internal/text/markup"
	"almanac/store"
)

// linkedData writes a member, such as json_ld, whose value write writes. Sites copy it
// into a script element of their pages as it is, so no < stands in it: each is
// escaped here, whatever text it comes from, and nothing in it can be read as the
// end of the element, as the beginning of another, or as a comment.
func (w *writer) linkedData(name string, write func()) {
	w.raw(name)
	n := len(w.b)
	write()
	w.b = append(w.b[:n], bytes.ReplaceAll(w.b[n:], []byte("<"), []byte(`\u003c`))...)
}

// eventLD writes the description of an event. The first venue and the
// first organizer stand in it, nil for none.
func (w *writer) eventLD(
	e *store.Event,
	zone *caltime.Zone,
	venue *store.Venue,
	organizer *store.Organizer,
) {
	description := w.shortened(markup.Plain(markup.Excerpt(e.Excerpt)))
	if description == "" {
		description = w.textLD(e.Description)
	}
	w.text(`{"@context":"http://schema.org","@type":"Event","name":"`, w.nameLD(&e.Post, e.Title))
	w.text(`,"description":"`, description)
	w.imageLD(e.Image)
	w.pageLD(e)
	mode := "Offline"
	switch {
	case e.VirtualURL != "" && venue != nil:
		mode = "Mixed"
	case e.VirtualURL != "":
		mode = "Online"
	}
	w.raw(`,"eventAttendanceMode":"https://schema.org/` + mode + `EventAttendanceMode"`)
	w.stateLD(e, zone)
	w.text(`,"startDate":"`, zone.ISO(zone.Instant(e.Start.Time())))
	w.text(`,"endDate":"`, zone.ISO(zone.Instant(e.End.Time())))
	w.locationLD(e, venue)
	if organizer != nil {
		w.raw(`,"organizer":`)
		w.partyLD("Person", organizer, organizer.Website)
	}
	w.offerLD(e)
	w.raw(`,"performer":"Organization"}`)
}

// locationLD writes the member that says where an event is: at a venue, online, or both.
func (w *writer) locationLD(e *store.Event, venue *store.Venue) {
	switch {
	case venue != nil && e.VirtualURL != "":
		w.raw(`,"location":[`)
		w.placeLD(venue, "")
		w.text(`,{"@type":"VirtualLocation","url":"`, e.VirtualURL)
		w.raw(`}]`)
	case venue != nil:
		w.raw(`,"location":`)
		w.placeLD(venue, "")
	case e.VirtualURL != "":
		w.text(`,"location":{"@type":"VirtualLocation","url":"`, e.VirtualURL)
		w.raw(`}`)
	}
}

// pageLD writes the member with the address of the page of an event.
func (w *writer) pageLD(e *store.Event) {
	if w.at != "" {
		w.text(`,"url":"`, w.at)
	} else {
		w.page(`,"url":"`, &e.Post, eventPages)
	}
}

// stateLD writes the state of an event, and the start before a new date.
func (w *writer) stateLD(e *store.Event, zone *caltime.Zone) {
	state := map[string]string{
		store.Canceled:  "Cancelled",
		store.Postponed: "Postponed",
		"rescheduled":   "Rescheduled",
	}[e.Announced()]
	w.text(`,"eventStatus":"https://schema.org/Event`, cmp.Or(state, "Scheduled"))
	if state == "Rescheduled" {
		w.text(`,"previousStartDate":"`, zone.ISO(zone.Instant(e.PreviousStart.Time())))
	}
}

// offerLD writes the members that tell what an event costs, if that is known.
func (w *writer) offerLD(e *store.Event) {
	price := e.Cost.Price()
	if price == "" {
		return
	}
	if e.IsFreeForAll() {
		w.raw(`,"isAccessibleForFree":true`)
	}
	w.text(`,"offers":{"@type":"Offer","price":"`, price)
	if cost.IsDecimal(price) { // words have no currency
		w.someText(`,"priceCurrency":"`, w.priceCurrency(e.Cost))
	}
	w.pageLD(e)
	w.raw(`,"category":"primary","availability":"inStock"`)
	published := w.Site.Wall(e.Date).Format(caltime.Layout)
	w.text(`,"validFrom":"`, published[:len("2006-01-02")]+"T00:00:00+00:00")
	w.raw(`}`)
}

// priceCurrency returns the ISO 4217 code of a cost: the one that its text says, or that of the
// record, or that of the site. It is "" for a sign that several currencies have and neither of
// these.
func (w *writer) priceCurrency(c store.Cost) string {
	own := cmp.Or(c.Code, w.Currency.Code)
	codes := c.Currencies()
	switch {
	case len(codes) == 0 || slices.Contains(codes, own):
		return own
	case len(codes) == 1:
		return codes[0]
	case slices.Contains(codes, "GBP"):
		return "GBP" // others have the £ at home alone
	}
	return ""
}

// textLD returns a description as text: on pages with the signs of the lists that they show.
func (w *writer) textLD(description string) string {
	if w.plain {
		return w.shortened(markup.PageText(description))
	}
	return markup.Plain(markup.Content(description))
}

// briefMost is the number of letters of a text where many events stand on one page.
const briefMost = 300

// shortened returns a text as long as it is told.
func (w *writer) shortened(text string) string {
	if w.brief {
		return markup.Cut(text, briefMost)
	}
	return text
}

// placeLD writes the description of a venue with a page.
func (w *writer) placeLD(v *store.Venue, page string) {
	w.text(`{"@type":"Place","name":"`, w.nameLD(&v.Post, v.Name))
	w.text(`,"description":"`, w.textLD(v.Description))
	w.imageLD(v.Image)
	w.text(`,"url":"`, page)
	w.addressLD(v)
	if v.Geo != nil {
		w.float(`,"geo":{"@type":"GeoCoordinates","latitude":`, v.Geo.Lat)
		w.float(`,"longitude":`, v.Geo.Lng)
		w.raw(`}`)
	}
	w.text(`,"telephone":"`, v.Phone)
	w.text(`,"sameAs":"`, v.Website)
	w.raw(`}`)
}

// addressLD writes the member that says where a venue is.
func (w *writer) addressLD(v *store.Venue) {
	w.raw(`,"address":{"@type":"PostalAddress"`)
	w.someText(`,"streetAddress":"`, v.Address)
	w.someText(`,"addressLocality":"`, v.City)
	w.someText(`,"addressRegion":"`, v.StateProvince)
	w.someText(`,"postalCode":"`, v.Zip)
	w.someText(`,"addressCountry":"`, v.Country)
	w.raw(`}`)
}

// partyLD writes the description of an organizer as somebody of a type, with a page.
func (w *writer) partyLD(as string, o *store.Organizer, page string) {
	w.text(`{"@type":"`, as)
	w.text(`,"name":"`, w.nameLD(&o.Post, o.Name))
	w.text(`,"description":"`, w.textLD(o.Description))
	w.imageLD(o.Image)
	w.text(`,"url":"`, page)
	w.text(`,"telephone":"`, o.Phone)
	w.text(`,"email":"`, o.Email)
	w.text(`,"sameAs":"`, o.Website)
	w.raw(`}`)
}

// nameLD returns the name of a record as the page of the record is headed, with
// tags as text. Pages have it as plain text, for search engines that decode no entities.
func (w *writer) nameLD(p *store.Post, name string) string {
	if name = markup.EscapeTags(markup.Title(name)); w.plain {
		name = markup.Unescape(name)
	}
	if p.Status == store.Private {
		return "Private: " + name
	}
	return name
}

// imageLD writes the member that gives the address of an image, if there is one.
func (w *writer) imageLD(id int64) {
	if i := w.Image(id); i != nil {
		w.someText(`,"image":"`, i.URL)
	}
}
