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
		name := strings.TrimSpace(p.All("CN")) // A, B without quotes is one name
		email := ""
		if scheme, address, ok := strings.Cut(p.Value, ":"); ok &&
			strings.EqualFold(scheme, "mailto") &&
			strings.Contains(address, "@") {
			email = strings.TrimSpace(address)
		}
		if plain, err := url.PathUnescape(name); err == nil && e.draft["slug"] != nil && !e.ours {
			name = plain // The Events Calendar encodes it
		}
		if name = e.name(cmp.Or(name, email)); name != "" {
			o := intake.Draft{"organizer": name}
			o.Set("email", email)
			organizers = append(organizers, o)
		}
	}
	e.draft["organizer"] = organizers
}

// linked returns the venue or organizer in a property that this program wrote. A parameter that is
// missing empties its member.
func linked[T any](p *ical.Property, member string, fields []record.Field[T]) intake.Draft {
	d := intake.Draft{member: markup.EscapeName(p.Text())}
	d.Set("global_id", p.Param("X-UID"))
	for _, f := range record.PlainFields(fields, "", "") {
		if !f.IsFlag() {
			d[f.Name] = p.Param("X-" + f.Upper("-"))
		}
	}
	d["website"] = p.Param("X-URL")
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
		v["geo_lat"] = v.Text("geo_lat")
		v["geo_lng"] = v.Text("geo_lng")
		venues = append(venues, v)
	}
	if len(venues) == 0 {
		v := e.location()
		if name := e.name(v.Text("venue")); name != "" {
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
// its address. A comma in brackets divides nothing; brackets with commas at the end, as Meetup
// writes them, hold the address.
func placed(text string) intake.Draft {
	if webAddress(text) != "" {
		return intake.Draft{"venue": text, "website": text}
	}
	name := text
	address := ""
	end, bracket := nameEnd(text)
	switch inside, isLast := strings.CutSuffix(text, ")"); {
	case end < len(text):
		name = text[:end]
		address = text[end:]
	case isLast && bracket > 0 && strings.ContainsAny(inside[bracket:], ",\n"):
		name = text[:bracket]
		address = inside[bracket+1:]
	}
	v := intake.Draft{"venue": strings.TrimSpace(name)}
	lines := strings.FieldsFunc(address, isLineEnd)
	v.Set("address", strings.Trim(strings.Join(lines, ", "), ", "))
	return v
}

// nameEnd returns where the first comma or line end is that stands outside of brackets, or the
// length of the text; and where the last outer bracket before it opens, or -1. A bracket that is not
// closed is none.
func nameEnd(text string) (end, bracket int) {
	bracket = -1
	for end < len(text) && text[end] != ',' && text[end] != '\n' {
		if text[end] == '(' {
			if n := closing(text[end:]); n > 0 {
				bracket = end
				end += n
			}
		}
		end++
	}
	return end, bracket
}

// closing returns where the bracket closes with which a text begins, or 0.
func closing(text string) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return 0
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
