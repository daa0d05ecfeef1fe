// Venues and organizers of an event in iCalendar.

package files

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/ical"
	"almanac/internal/intake"
	"almanac/internal/markup"
	"almanac/store/record"
)

func (e *eventReader) people() {
	organizers := []intake.Draft{}
	for p := range e.c.All("X-ALMANAC-ORGANIZER") {
		organizers = append(organizers, linked(p, "organizer", record.OrganizerFields))
	}
	if p := e.c.Get("ORGANIZER"); p != nil && len(organizers) == 0 {
		name := strings.TrimSpace(p.Param("CN"))
		email := ""
		if scheme, address, ok := strings.Cut(p.Value, ":"); ok &&
			strings.EqualFold(scheme, "mailto") &&
			strings.Contains(address, "@") {
			email = strings.TrimSpace(address)
		}
		if plain, err := url.PathUnescape(name); err == nil && e.draft["slug"] != nil && !e.ours {
			name = plain // The Events Calendar encodes it
		}
		if name = markup.EscapeName(cmp.Or(name, email)); name != "" {
			o := intake.Draft{"organizer": name}
			o.Set("email", email)
			organizers = append(organizers, o)
		}
	}
	e.draft["organizer"] = organizers
}

// linked returns the venue or organizer in a property that this program wrote.
func linked[T any](p *ical.Property, member string, fields []record.Field[T]) intake.Draft {
	d := intake.Draft{member: markup.EscapeName(p.Text())}
	d.Set("global_id", p.Param("X-UID"))
	for _, f := range record.PlainFields(fields, "", "") {
		if !f.IsFlag() {
			d.Set(f.Name, p.Param("X-"+f.Upper("-")))
		}
	}
	d.Set("website", p.Param("X-URL"))
	return d
}

func (e *eventReader) places() {
	venues := []intake.Draft{}
	geo := e.c.Get("GEO")
	for p := range e.c.All("X-ALMANAC-VENUE") {
		v := linked(p, "venue", record.VenueFields)
		if geo != nil && len(venues) == 0 {
			locate(v, geo.Value, ";")
		} else {
			locate(v, p.Param("X-GEO"), " ")
		}
		venues = append(venues, v)
	}
	if len(venues) == 0 {
		v := e.location()
		if name := markup.EscapeName(v.Text("venue")); name != "" {
			v["venue"] = name
			venues = append(venues, v)
		}
	}
	e.draft["venue"] = venues
}

// location returns the venue in the properties of other programs.
func (e *eventReader) location() intake.Draft {
	text := strings.TrimSpace(e.c.Text("LOCATION"))
	v := placed(text)
	if p := e.c.Get("GEO"); p != nil {
		locate(v, p.Value, ";")
	}
	i := slices.IndexFunc(
		e.c.Components,
		func(c *ical.Component) bool { return c.Name == "VLOCATION" && c.Text("NAME") != "" },
	)
	if i < 0 {
		return v
	}
	place := e.c.Components[i]
	name := place.Text("NAME")
	if v["venue"] != name && text != "" && !strings.HasPrefix(text, name) {
		v.Set("address", strings.Join(strings.FieldsFunc(text, isLineEnd), ", "))
	}
	v["venue"] = name
	if p := place.Get("URL"); p != nil {
		v.Set("website", webAddress(intake.WithScheme(p.Value)))
	}
	if p := place.Get("GEO"); p != nil {
		locate(v, p.Value, ";")
	}
	return v
}

// placed returns the venue in a text: the name ends at the first comma or line end, the rest is
// its address.
func placed(text string) intake.Draft {
	if webAddress(text) != "" {
		return intake.Draft{"venue": text, "website": text}
	}
	name := text
	address := ""
	if i := strings.IndexAny(text, ",\n"); i >= 0 {
		name = text[:i]
		address = strings.Join(strings.FieldsFunc(text[i:], isLineEnd), ", ")
	}
	v := intake.Draft{"venue": strings.TrimSpace(name)}
	v.Set("address", strings.Trim(address, ", "))
	return v
}

func isLineEnd(c rune) bool { return c == '\n' }

// locate sets latitude and longitude of a venue; invalid numbers remove them.
func locate(v intake.Draft, text, between string) {
	lat, lng, _ := strings.Cut(strings.TrimSpace(text), between)
	lat = strings.TrimSpace(lat)
	lng = strings.TrimSpace(lng)
	_, isLat := intake.Degrees(lat, 90)
	if _, isLng := intake.Degrees(lng, 180); !isLat || !isLng {
		lat = ""
		lng = ""
	}
	v.Set("geo_lat", lat)
	v.Set("geo_lng", lng)
}
