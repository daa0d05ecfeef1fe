package render_test

// The plain model of the rendering: structs whose members stand in the order of the wire, for
// encoding/json. The output of package render is compared with it, byte by byte.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/internal/text/markup"
	"almanac/internal/wire/render"
	"almanac/store"
	"almanac/store/record"
)

// A model shows what its Renderer shows.
type model struct{ render.Renderer }

// never is how a date is shown that there is not.
const never = "0000-00-00 00:00:00"

// stamps are the members that tell when a record was published and changed.
type stamps struct {
	Date        string `json:"date"`
	DateUTC     string `json:"date_utc"`
	Modified    string `json:"modified"`
	ModifiedUTC string `json:"modified_utc"`
}

// stamps shows dates in the site's zone and in UTC. A record that was never published has a date
// of making, but no UTC date; a record that was made unpublished and never changed has no UTC date
// of change.
func (r model) stamps(p *store.Post) stamps {
	s := stamps{
		Date:        r.Site.Wall(p.Date).Format(caltime.Layout),
		DateUTC:     p.Date.UTC().Format(caltime.Layout),
		ModifiedUTC: never,
	}
	if p.Undated || p.LocalDate {
		s.DateUTC = never
	}
	s.Modified = s.Date
	if !p.Modified.IsZero() {
		s.Modified = r.Site.Wall(p.Modified).Format(caltime.Layout)
		s.ModifiedUTC = p.Modified.UTC().Format(caltime.Layout)
	}
	return s
}

// globalID returns the id of a record in the world: the site's address without
// its scheme and port, and the id.
func (r model) globalID(id int64) string {
	_, site, _ := strings.Cut(r.Origin, "://")
	return regexp.MustCompile(`:[0-9]+$`).
		ReplaceAllString(site, "") +
		"?id=" + strconv.FormatInt(
		id,
		10,
	)
}

// lineage returns the record's own global id and those of its origins, but for the address among
// them.
func (r model) lineage(p *store.Post) []string {
	if p.Page() != "" {
		return append([]string{r.globalID(p.ID)}, p.Origins[1:]...)
	}
	return append([]string{r.globalID(p.ID)}, p.Origins...)
}

// page returns the address of a record's public page: by its slug when it is
// public, else by its id.
func (r model) page(p *store.Post, section, postType string) string {
	if (p.Status == store.Publish || p.Status == store.Private) && p.Slug != "" {
		return r.Origin + "/" + section + "/" + p.Slug + "/"
	}
	return r.Origin + "/?post_type=" + postType + "&p=" + strconv.FormatInt(p.ID, 10)
}

// imageJSON is an image on the wire.
type imageJSON struct {
	URL       string `json:"url"`
	ID        int64  `json:"id"`
	Extension string `json:"extension,omitempty"`
	Width     int    `json:"width,omitempty"`
	Height    int    `json:"height,omitempty"`
	Filesize  int64  `json:"filesize,omitempty"`
	Sizes     sizes  `json:"sizes,omitempty"`
	Original  string `json:"original_image,omitempty"`
}

// sizes is an object of image sizes in the order they are stored in.
type sizes []store.ImageSize

// MarshalJSON writes the object.
func (s sizes) MarshalJSON() ([]byte, error) {
	var o jsonio.Object
	for _, size := range s {
		o.Add(size.Name, struct {
			Width     int    `json:"width"`
			Height    int    `json:"height"`
			MIMEType  string `json:"mime-type,omitempty"`
			Filesize  int64  `json:"filesize,omitempty"`
			Uncropped *bool  `json:"uncropped,omitempty"`
			URL       string `json:"url"`
		}{size.Width, size.Height, size.MIMEType, size.Filesize, size.Uncropped, size.URL})
	}
	return o.MarshalJSON()
}

// image shows an image, or nil.
func (r model) image(id int64) *imageJSON {
	i := get[*store.Image](r.Source, store.Images, id)
	if i == nil {
		return nil
	}
	return &imageJSON{i.URL, i.ID, i.Extension, i.Width, i.Height, i.Filesize, i.Sizes, i.Original}
}

// dateDetails is a date taken apart, zero-padded.
type dateDetails struct {
	Year    string `json:"year"`
	Month   string `json:"month"`
	Day     string `json:"day"`
	Hour    string `json:"hour"`
	Minutes string `json:"minutes"`
	Seconds string `json:"seconds"`
}

func detailsOf(t time.Time) dateDetails {
	s := t.Format(caltime.Layout)
	n := len(s) - len("-01-02 15:04:05") // in UTC the last day of 9999 may be one of 10000
	return dateDetails{
		s[:n],
		s[n+1 : n+3],
		s[n+4 : n+6],
		s[n+7 : n+9],
		s[n+10 : n+12],
		s[n+13 : n+15],
	}
}

// eventJSON is an event on the wire. The flags are null in an event whose
// password is not known.
type eventJSON struct {
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
	CostText        string      `json:"cost_text,omitempty"`
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
	CustomFields    any         `json:"custom_fields"` // [] for none, else an object
	Ticketed        *bool       `json:"ticketed"`
	IsVirtual       bool        `json:"is_virtual,omitempty"`
	VirtualURL      string      `json:"virtual_url,omitempty"`
	Parent          int64       `json:"post_parent"`
	State           string      `json:"event_status"`
	Reason          string      `json:"event_status_reason,omitempty"`
	Previous        string      `json:"previous_start_date,omitempty"`
	Recurrence      any         `json:"recurrence,omitempty"`
	JSONLD          any         `json:"json_ld,omitempty"`
}

type costJSON struct {
	Symbol   string   `json:"currency_symbol"`
	Code     string   `json:"currency_code"`
	Position string   `json:"currency_position"`
	Values   []string `json:"values"`
}

// event shows an event: of a protected one, the public parts.
func (r model) event(e *store.Event) *eventJSON {
	zone, err := r.Zones.Load(e.Timezone)
	if err != nil {
		zone = caltime.UTC() // the store holds what a zone file of another day knew
	}
	start := zone.Instant(e.Start.Time())
	end := zone.Instant(e.End.Time())
	out := &eventJSON{
		Recurrence:      r.recurrence(e),
		ID:              e.ID,
		GlobalID:        r.globalID(e.ID),
		Lineage:         r.lineage(&e.Post),
		Author:          strconv.FormatInt(e.Author, 10),
		Status:          string(e.Status),
		stamps:          r.stamps(&e.Post),
		URL:             r.page(&e.Post, "event", "tribe_events"),
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
		Parent:          r.parent(e),
		State:           "scheduled",
	}
	if e.State != "" {
		out.State = e.State
	}
	if e.PreviousStart != 0 {
		out.Previous = e.PreviousStart.String()
	}
	if !r.Unlocked(e) {
		return out
	}
	c := e.Cost
	out.Reason = e.StateReason
	out.Description = markup.Content(e.Description)
	out.Excerpt = markup.Excerpt(e.Excerpt)
	if len(e.CustomFields) > 0 {
		out.CustomFields = customJSON(e.CustomFields)
	}
	if image := r.image(e.Image); image != nil {
		out.Image = image
	}
	out.Cost = c.Text(r.Currency)
	if c.Wording != out.Cost {
		out.CostText = c.Wording
	}
	out.CostDetails = costJSON{c.Symbol, c.Code, c.Position, append([]string{}, c.Values()...)}
	switch {
	case e.Website != "":
		out.Website = markup.EscapeURL(e.Website)
	case !e.NoWebsite:
		out.Website = out.URL
	}
	out.AllDay, out.ShowMap, out.ShowMapLink = &e.AllDay, &e.ShowMap, &e.ShowMapLink
	out.Hide = &e.HideFromListings
	out.Sticky = &e.Sticky
	out.Featured = &e.Featured
	out.Ticketed = &e.Ticketed
	out.IsVirtual = e.VirtualURL != ""
	out.VirtualURL = e.VirtualURL
	out.Categories = r.embedded(store.Categories, e.Categories)
	out.Tags = r.embedded(store.Tags, e.Tags)

	var venues []*venueJSON
	for _, id := range e.Venues {
		if venue := get[*store.Venue](r.Source, store.Venues, id); venue != nil &&
			r.shows(&venue.Post) {
			venues = append(venues, r.venue(venue))
		}
	}
	switch len(venues) {
	case 0:
	case 1:
		out.Venue = venues[0]
	default:
		out.Venue = venues
	}
	var organizers []*organizerJSON
	for _, id := range e.Organizers {
		if organizer := get[*store.Organizer](r.Source, store.Organizers, id); organizer != nil &&
			r.shows(&organizer.Post) {
			shown := r.organizer(organizer)
			organizers = append(organizers, shown)
			out.Organizer = append(out.Organizer, shown)
		}
	}
	if r.LD && e.Password == "" {
		out.JSONLD = linkedData{r.eventLD(e, out, zone, venues, organizers)}
	}
	return out
}

// postJSON is the members that venues and organizers begin with.
type postJSON struct {
	ID     int64  `json:"id"`
	Author string `json:"author,omitempty"`
	Status string `json:"status"`
	stamps
	URL string `json:"url"`
}

func (r model) parent(e *store.Event) int64 {
	if p := get[*store.Event](r.Source, store.Events, e.Parent); p != nil && r.Readable(&p.Post) {
		return p.ID
	}
	return 0
}

func (r model) post(p *store.Post, section, postType string) postJSON {
	shown := postJSON{
		ID:     p.ID,
		Status: string(p.Status),
		stamps: r.stamps(p),
		URL:    r.page(p, section, postType),
	}
	if p.Author != 0 {
		shown.Author = strconv.FormatInt(p.Author, 10)
	}
	return shown
}

// origin is the members that venues and organizers end with.
type origin struct {
	GlobalID string   `json:"global_id"`
	Lineage  []string `json:"global_id_lineage"`
}

// venueJSON is a venue on the wire. Empty members are left out.
// customJSON are custom fields, as an object with a member for each key.
type customJSON store.CustomFields

func (c customJSON) MarshalJSON() ([]byte, error) {
	text := "{"
	for i, f := range c {
		key, err := record.AppendJSON(nil, f.Key)
		if err != nil {
			return nil, err
		}
		field, err := record.AppendJSON(nil, map[string]string{"label": f.Label, "value": f.Value})
		if err != nil {
			return nil, err
		}
		text += strings.Repeat(",", min(i, 1)) + string(key) + ":" + string(field)
	}
	return []byte(text + "}"), nil
}

type venueJSON struct {
	ld *placeLD
	postJSON
	Venue         string     `json:"venue,omitempty"`
	Description   string     `json:"description,omitempty"`
	Excerpt       string     `json:"excerpt,omitempty"`
	Slug          string     `json:"slug,omitempty"`
	Image         *imageJSON `json:"image,omitempty"`
	Address       string     `json:"address,omitempty"`
	City          string     `json:"city,omitempty"`
	Country       string     `json:"country,omitempty"`
	Province      string     `json:"province,omitempty"`
	State         string     `json:"state,omitempty"`
	Zip           string     `json:"zip,omitempty"`
	Phone         string     `json:"phone,omitempty"`
	Website       string     `json:"website,omitempty"`
	StateProvince string     `json:"stateprovince,omitempty"`
	Lat           *float64   `json:"geo_lat,omitempty"`
	Lng           *float64   `json:"geo_lng,omitempty"`
	Custom        customJSON `json:"custom_fields,omitempty"`
	JSONLD        any        `json:"json_ld,omitempty"`
	ShowMap       bool       `json:"show_map"`
	ShowMapLink   bool       `json:"show_map_link"`
	origin
}

// venue shows a venue.
func (r model) venue(v *store.Venue) *venueJSON {
	out := &venueJSON{
		postJSON:      r.post(&v.Post, "venue", "tribe_venue"),
		Venue:         markup.Title(v.Name),
		Custom:        customJSON(v.CustomFields),
		Description:   markup.Content(v.Description),
		Excerpt:       markup.Excerpt(v.Excerpt),
		Slug:          v.Slug,
		Image:         r.image(v.Image),
		Address:       v.Address,
		City:          v.City,
		Country:       v.Country,
		Province:      v.Province,
		State:         v.State,
		Zip:           v.Zip,
		Phone:         v.Phone,
		Website:       v.Website,
		StateProvince: v.StateProvince,
		ShowMap:       v.ShowMap,
		ShowMapLink:   v.ShowMapLink,
		origin:        origin{r.globalID(v.ID), r.lineage(&v.Post)},
	}
	if v.Geo != nil {
		lat := unsigned(v.Geo.Lat)
		lng := unsigned(v.Geo.Lng)
		out.Lat = &lat
		out.Lng = &lng
	}
	if r.LD {
		out.ld = placeOf(v, out)
		out.JSONLD = linkedData{out.ld}
	}
	return out
}

// organizerJSON is an organizer on the wire. Empty members are left out.
type organizerJSON struct {
	ld *personLD
	postJSON
	Organizer   string     `json:"organizer,omitempty"`
	Description string     `json:"description,omitempty"`
	Excerpt     string     `json:"excerpt,omitempty"`
	Slug        string     `json:"slug,omitempty"`
	Image       *imageJSON `json:"image,omitempty"`
	Phone       string     `json:"phone,omitempty"`
	Website     string     `json:"website,omitempty"`
	Email       string     `json:"email,omitempty"`
	Custom      customJSON `json:"custom_fields,omitempty"`
	JSONLD      any        `json:"json_ld,omitempty"`
	origin
}

// organizer shows an organizer.
func (r model) organizer(o *store.Organizer) *organizerJSON {
	out := &organizerJSON{
		postJSON:    r.post(&o.Post, "organizer", "tribe_organizer"),
		Organizer:   markup.Title(o.Name),
		Description: markup.Content(o.Description),
		Custom:      customJSON(o.CustomFields),
		Excerpt:     markup.Excerpt(o.Excerpt),
		Slug:        o.Slug,
		Image:       r.image(o.Image),
		Phone:       o.Phone,
		Website:     o.Website,
		Email:       o.Email,
		origin:      origin{r.globalID(o.ID), r.lineage(&o.Post)},
	}
	if r.LD {
		out.ld = personOf(o, out)
		out.JSONLD = linkedData{out.ld}
	}
	return out
}

// termURLs are the addresses of a term.
type termURLs struct {
	Self       string `json:"self"`
	Collection string `json:"collection"`
	Up         string `json:"up,omitempty"`
}

func (r model) termURLs(t *store.Term) termURLs {
	collection := r.API + "/" + t.Taxonomy.String()
	urls := termURLs{Self: collection + "/" + strconv.FormatInt(t.ID, 10), Collection: collection}
	if t.Parent != 0 {
		urls.Up = collection + "/" + strconv.FormatInt(t.Parent, 10)
	}
	return urls
}

// taxonomyName is the name of a taxonomy on the wire.
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
func (r model) embedded(k store.Kind, ids []int64) []any {
	terms := make([]*store.Term, 0, len(ids))
	for _, id := range ids {
		if t := get[*store.Term](r.Source, k, id); t != nil {
			terms = append(terms, t)
		}
	}
	slices.SortFunc(terms, func(a, b *store.Term) int { return markup.Compare(a.Name, b.Name) })
	shown := make([]any, len(terms))
	for i, t := range terms {
		shown[i] = embeddedTerm{
			Name:        markup.EscapeName(t.Name),
			Slug:        t.Slug,
			TaxonomyID:  t.ID,
			Taxonomy:    taxonomyName(k),
			Description: t.Description,
			Parent:      t.Parent,
			Count:       r.Source.Count(k, t.ID),
			Filter:      "raw",
			ID:          t.ID,
			URLs:        r.termURLs(t),
		}
	}
	return shown
}

// termJSON is a term on its own routes.
type termJSON struct {
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

// term shows a term on its own route.
func (r model) term(t *store.Term, links bool) *termJSON {
	out := &termJSON{
		ID:          t.ID,
		Count:       r.Source.Count(t.Taxonomy, t.ID),
		Description: t.Description,
		Name:        markup.EscapeName(t.Name),
		Slug:        t.Slug,
		Taxonomy:    taxonomyName(t.Taxonomy),
		Meta:        []any{},
		URL:         r.termPage(t),
		URLs:        r.termURLs(t),
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

// shows reports whether events show a venue or an organizer.
func (r model) shows(p *store.Post) bool { return p.Status != store.Trash && r.Readable(p) }

// termPage returns the address of the public page of a term: of a category, with
// those above it.
func (r model) termPage(t *store.Term) string {
	if t.Taxonomy == store.Tags {
		return r.Origin + "/tag/" + t.Slug + "/"
	}
	slugs := []string{t.Slug}
	above := func(t *store.Term) *store.Term { return get[*store.Term](r.Source, t.Taxonomy, t.Parent) }
	for up := above(t); up != nil && len(slugs) < store.LevelsMost; up = above(up) {
		slugs = append(slugs, up.Slug)
	}
	slices.Reverse(slugs)
	return r.Origin + "/events/category/" + strings.Join(slugs, "/") + "/"
}
