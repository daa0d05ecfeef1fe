package render_test

// The data for search engines in the plain model.

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/internal/text/markup"
	"almanac/store"
)

// linkedData is JSON-LD as pages put it into a script element: without any <.
type linkedData struct{ of any }

func (d linkedData) MarshalJSON() ([]byte, error) {
	text, err := jsonio.Marshal(d.of)
	return bytes.ReplaceAll(text, []byte("<"), []byte(`\u003c`)), err
}

// eventLD is an event.
type eventLD struct {
	Context     string    `json:"@context"`
	Type        string    `json:"@type"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Image       string    `json:"image,omitempty"`
	URL         string    `json:"url"`
	Attendance  string    `json:"eventAttendanceMode"`
	Status      string    `json:"eventStatus"`
	Previous    string    `json:"previousStartDate,omitempty"`
	Start       string    `json:"startDate"`
	End         string    `json:"endDate"`
	Location    any       `json:"location,omitempty"` // a place, where people meet online, or both
	Organizer   *personLD `json:"organizer,omitempty"`
	Free        bool      `json:"isAccessibleForFree,omitempty"`
	Offers      *offerLD  `json:"offers,omitempty"`
	Performer   string    `json:"performer"`
}

// offerLD is the cost of an event.
type offerLD struct {
	Type         string `json:"@type"`
	Price        string `json:"price"`
	Currency     string `json:"priceCurrency,omitempty"`
	URL          string `json:"url"`
	Category     string `json:"category"`
	Availability string `json:"availability"`
	ValidFrom    string `json:"validFrom"`
}

// placeLD is a venue.
type placeLD struct {
	Type        string    `json:"@type"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Image       string    `json:"image,omitempty"`
	URL         string    `json:"url"`
	Address     addressLD `json:"address"`
	Geo         *geoLD    `json:"geo,omitempty"`
	Telephone   string    `json:"telephone"`
	SameAs      string    `json:"sameAs"`
}

type virtualLD struct {
	Type string `json:"@type"`
	URL  string `json:"url"`
}

type addressLD struct {
	Type     string `json:"@type"`
	Street   string `json:"streetAddress,omitempty"`
	Locality string `json:"addressLocality,omitempty"`
	Region   string `json:"addressRegion,omitempty"`
	Code     string `json:"postalCode,omitempty"`
	Country  string `json:"addressCountry,omitempty"`
}

type geoLD struct {
	Type string  `json:"@type"`
	Lat  float64 `json:"latitude"`
	Lng  float64 `json:"longitude"`
}

// personLD is an organizer.
type personLD struct {
	Type        string `json:"@type"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Image       string `json:"image,omitempty"`
	URL         string `json:"url"`
	Telephone   string `json:"telephone"`
	Email       string `json:"email"`
	SameAs      string `json:"sameAs"`
}

// eventLD describes an event as it is shown.
func (r model) eventLD(
	e *store.Event,
	shown *eventJSON,
	zone *caltime.Zone,
	venues []*venueJSON,
	organizers []*organizerJSON,
) *eventLD {
	ld := &eventLD{
		Context:     "http://schema.org",
		Type:        "Event",
		Name:        headed(&e.Post, shown.Title),
		Description: markup.Plain(shown.Excerpt),
		URL:         shown.URL,
		Attendance:  "https://schema.org/OfflineEventAttendanceMode",
		Status:      "https://schema.org/EventScheduled",
		Start:       zone.ISO(zone.Instant(e.Start.Time())),
		End:         zone.ISO(zone.Instant(e.End.Time())),
		Performer:   "Organization",
	}
	switch {
	case e.State == store.Canceled:
		ld.Status = "https://schema.org/EventCancelled"
	case e.State == store.Postponed:
		ld.Status = "https://schema.org/EventPostponed"
	case e.PreviousStart != 0:
		ld.Status = "https://schema.org/EventRescheduled"
		ld.Previous = zone.ISO(zone.Instant(e.PreviousStart.Time()))
	}
	if ld.Description == "" {
		ld.Description = markup.Plain(shown.Description)
	}
	if image, ok := shown.Image.(*imageJSON); ok {
		ld.Image = image.URL
	}
	online := virtualLD{"VirtualLocation", e.VirtualURL}
	switch {
	case e.VirtualURL != "" && len(venues) > 0:
		ld.Attendance = "https://schema.org/MixedEventAttendanceMode"
		ld.Location = []any{venues[0].ld, online}
	case e.VirtualURL != "":
		ld.Attendance = "https://schema.org/OnlineEventAttendanceMode"
		ld.Location = online
	case len(venues) > 0:
		ld.Location = venues[0].ld
	}
	if len(organizers) > 0 {
		ld.Organizer = organizers[0].ld
	}
	if e.Price() != "" {
		ld.Free = e.IsFreeForAll()
		ld.Offers = &offerLD{
			Type:         "Offer",
			Price:        e.Price(),
			Currency:     "USD",
			URL:          shown.URL,
			Category:     "primary",
			Availability: "inStock",
			ValidFrom:    shown.Date[:10] + "T00:00:00+00:00",
		}
		codes := e.Currencies()
		if !regexp.MustCompile(`^\d+(\.\d+)?$`).MatchString(e.Price()) {
			ld.Offers.Currency = "" // words have none
		} else if ld.Offers.Currency = cmp.Or(e.Code, r.Currency.Code); codes != nil &&
			!slices.Contains(codes, ld.Offers.Currency) {
			ld.Offers.Currency = ""
			if len(codes) == 1 {
				ld.Offers.Currency = codes[0]
			} else if slices.Contains(codes, "GBP") {
				ld.Offers.Currency = "GBP"
			}
		}
	}
	return ld
}

// headed is a name as the page of a record is headed, with tags as text.
func headed(p *store.Post, name string) string {
	name = strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(name)
	if p.Status == store.Private {
		name = "Private: " + name
	}
	return name
}

// unsigned returns a number, and 0 for negative zero.
func unsigned(f float64) float64 {
	if f == 0 {
		return 0
	}
	return f
}

// placeOf describes a venue as it is shown.
func placeOf(v *store.Venue, shown *venueJSON) *placeLD {
	ld := &placeLD{
		Type:        "Place",
		Name:        headed(&v.Post, shown.Venue),
		Description: markup.Plain(shown.Description),
		Address: addressLD{
			"PostalAddress",
			v.Address,
			v.City,
			v.StateProvince,
			v.Zip,
			v.Country,
		},
		Telephone: v.Phone,
		SameAs:    v.Website,
	}
	if shown.Image != nil {
		ld.Image = shown.Image.URL
	}
	if v.Geo != nil {
		ld.Geo = &geoLD{"GeoCoordinates", unsigned(v.Geo.Lat), unsigned(v.Geo.Lng)}
	}
	return ld
}

// personOf describes an organizer as it is shown.
func personOf(o *store.Organizer, shown *organizerJSON) *personLD {
	ld := &personLD{
		Type:        "Person",
		Name:        headed(&o.Post, shown.Organizer),
		Description: markup.Plain(shown.Description),
		URL:         o.Website,
		Telephone:   o.Phone,
		Email:       o.Email,
		SameAs:      o.Website,
	}
	if shown.Image != nil {
		ld.Image = shown.Image.URL
	}
	return ld
}
