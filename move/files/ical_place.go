// Venues and organizers of an event in iCalendar.

package files

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/text/markup"
	"almanac/internal/write/intake"
	"almanac/move/files/ical"
)

func (e *eventReader) people() {
	organizers := []Draft{}
	for p := range e.c.All("X-ALMANAC-ORGANIZER") {
		o := Draft{"organizer": markup.EscapeName(p.Text())}
		o.Set("global_id", p.Param("X-UID"))
		organizers = append(organizers, o)
	}
	if p := e.c.Get("ORGANIZER"); p != nil {
		name := strings.TrimSpace(p.All("CN")) // A, B without quotes is one name
		email := ""
		if scheme, address, ok := strings.Cut(p.Value, ":"); ok &&
			strings.EqualFold(scheme, "mailto") &&
			strings.Contains(address, "@") {
			email = unescaped(strings.TrimSpace(address))
		}
		if e.draft["slug"] != nil && !e.ours {
			name = unescaped(name) // The Events Calendar encodes it
		}
		if name = e.name(cmp.Or(name, email)); name != "" && len(organizers) == 0 {
			organizers = append(organizers, Draft{"organizer": name})
		}
		if len(organizers) > 0 {
			organizers[0].Set("email", email)
		}
	}
	e.draft["organizer"] = organizers
}

// unescaped decodes a part of a URI, if it can be decoded.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// partsOfAddress are members of a venue, and parameters of one that this program wrote.
var partsOfAddress = []string{
	"address",
	"city",
	"province",
	"state",
	"stateprovince",
	"zip",
	"country",
}

func (e *eventReader) places() {
	venues := []Draft{}
	geo := e.c.Get("GEO")
	for p := range e.c.All("X-ALMANAC-VENUE") {
		v := Draft{"venue": markup.EscapeName(p.Text())}
		v.Set("global_id", p.Param("X-UID"))
		for _, part := range partsOfAddress {
			v[part] = p.Param("X-" + strings.ToUpper(part))
		}
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
		if v.Text("venue") == e.draft.Text("virtual_url") {
			v["venue"] = "" // an online event
		}
		if name := e.name(v.Text("venue")); name != "" {
			v["venue"] = name
			venues = append(venues, v)
		}
	}
	e.draft["venue"] = venues
}

// location returns the venue in the properties of other programs.
func (e *eventReader) location() Draft {
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
func placed(text string) Draft {
	if webAddress(text) != "" {
		return Draft{"venue": text, "website": text}
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
	v := Draft{"venue": strings.TrimSpace(name)}
	lines := strings.FieldsFunc(address, isLineEnd)
	v.Set("address", strings.Trim(strings.Join(lines, ", "), ", "))
	return v
}

// nameEnd returns where the first comma or line end is that stands outside of brackets, or the
// length of the text; and where the last outer bracket before it opens, or -1. A bracket that is
// not closed is none.
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
func locate(v Draft, text, between string) {
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
