// Events on the wire.

package wire

import (
	"strconv"

	"almanac/caltime"
	"almanac/cost"
	"almanac/markup"
	"almanac/store"
)

// Event is an event on the wire. The flags are null in an event whose
// password is not known.
type Event struct {
	ID       int64    `json:"id"`
	GlobalID string   `json:"global_id"`
	Lineage  []string `json:"global_id_lineage"`
	Author   string   `json:"author"`
	Status   string   `json:"status"`
	stamps
	URL             string      `json:"url"`
	RestURL         string      `json:"rest_url"`
	Title           string      `json:"title"`
	Description     string      `json:"description"`
	Excerpt         string      `json:"excerpt"`
	Slug            string      `json:"slug"`
	Image           any         `json:"image"` // false for none
	AllDay          *bool       `json:"all_day"`
	StartDate       string      `json:"start_date"`
	StartDetails    dateDetails `json:"start_date_details"`
	EndDate         string      `json:"end_date"`
	EndDetails      dateDetails `json:"end_date_details"`
	UTCStart        string      `json:"utc_start_date"`
	UTCStartDetails dateDetails `json:"utc_start_date_details"`
	UTCEnd          string      `json:"utc_end_date"`
	UTCEndDetails   dateDetails `json:"utc_end_date_details"`
	Timezone        string      `json:"timezone"`
	TimezoneAbbr    string      `json:"timezone_abbr"`
	Cost            string      `json:"cost"`
	CostDetails     costJSON    `json:"cost_details"`
	Website         string      `json:"website"`
	ShowMap         *bool       `json:"show_map"`
	ShowMapLink     *bool       `json:"show_map_link"`
	Hide            *bool       `json:"hide_from_listings"`
	Sticky          *bool       `json:"sticky"`
	Featured        *bool       `json:"featured"`
	Categories      []any       `json:"categories"`
	Tags            []any       `json:"tags"`
	Venue           any         `json:"venue"` // the venue, [] for none, a list of several
	Organizer       []any       `json:"organizer"`
	CustomFields    []any       `json:"custom_fields"`
	Ticketed        *bool       `json:"ticketed"`
	Parent          int64       `json:"post_parent"`
	JSONLD          any         `json:"json_ld,omitempty"`
}

type costJSON struct {
	Symbol   string   `json:"currency_symbol"`
	Code     string   `json:"currency_code"`
	Position string   `json:"currency_position"`
	Values   []string `json:"values"`
}

// costOf gives the cost of an event.
func costOf(e *store.Event) cost.Cost {
	return cost.Cost{Entries: e.Cost, Symbol: e.CurrencySymbol, Code: e.CurrencyCode, Position: e.CurrencyPosition}
}

// Event shows an event. Of a protected one that is not unlocked it shows what
// everybody may know.
func (r Renderer) Event(e *store.Event) *Event {
	zone, err := r.Zones.Load(e.Timezone)
	if err != nil {
		zone = caltime.UTC() // the store holds what a zone file of another day knew
	}
	start, end := zone.Instant(e.Start.Time()), zone.Instant(e.End.Time())
	out := &Event{
		ID:              e.ID,
		GlobalID:        r.globalID(e.ID),
		Lineage:         r.lineage(&e.Post),
		Author:          strconv.FormatInt(e.Author, 10),
		Status:          string(e.Status),
		stamps:          r.stamps(&e.Post),
		URL:             r.EventPage(&e.Post),
		RestURL:         r.API + "/events/" + strconv.FormatInt(e.ID, 10),
		Title:           markup.Title(e.Title),
		Slug:            e.Slug,
		Image:           false,
		StartDate:       e.Start.String(),
		StartDetails:    detailsOf(e.Start.Time()),
		EndDate:         e.End.String(),
		EndDetails:      detailsOf(e.End.Time()),
		UTCStart:        start.Format(caltime.Layout),
		UTCStartDetails: detailsOf(start),
		UTCEnd:          end.Format(caltime.Layout),
		UTCEndDetails:   detailsOf(end),
		Timezone:        e.Timezone,
		TimezoneAbbr:    zone.Abbr(start),
		CostDetails:     costJSON{Values: []string{}},
		Categories:      []any{},
		Tags:            []any{},
		Venue:           []any{},
		Organizer:       []any{},
		CustomFields:    []any{},
		Parent:          e.Parent,
	}
	if !r.Unlocked(e) {
		return out
	}
	c := costOf(e)
	out.Description = markup.Content(e.Description)
	out.Excerpt = markup.Excerpt(e.Excerpt)
	if image := r.image(e.Image); image != nil {
		out.Image = image
	}
	out.Cost = c.Text(r.Currency)
	out.CostDetails = costJSON{c.Symbol, c.Code, c.Position, append([]string{}, c.Values()...)}
	switch {
	case e.Website != "":
		out.Website = markup.EscapeURL(e.Website)
	case !e.NoWebsite:
		out.Website = out.URL
	}
	out.AllDay, out.ShowMap, out.ShowMapLink = &e.AllDay, &e.ShowMap, &e.ShowMapLink
	out.Hide, out.Sticky, out.Featured, out.Ticketed = &e.HideFromListings, &e.Sticky, &e.Featured, &e.Ticketed
	out.Categories = r.embedded(store.Categories, e.Categories)
	out.Tags = r.embedded(store.Tags, e.Tags)

	var venues []*Venue
	for _, id := range e.Venues {
		if venue := r.Reader.Venue(id); venue != nil && r.Readable(&venue.Post) {
			venues = append(venues, r.Venue(venue))
		}
	}
	switch len(venues) {
	case 0:
	case 1:
		out.Venue = venues[0]
	default:
		out.Venue = venues
	}
	var organizers []*Organizer
	for _, id := range e.Organizers {
		if organizer := r.Reader.Organizer(id); organizer != nil && r.Readable(&organizer.Post) {
			shown := r.Organizer(organizer)
			organizers = append(organizers, shown)
			out.Organizer = append(out.Organizer, shown)
		}
	}
	if r.LD && e.Password == "" {
		out.JSONLD = r.eventLD(e, out, zone, venues, organizers)
	}
	return out
}
