// Venues and organizers of an event in iCalendar.

package files

import (
	"net/url"
	"strconv"
	"strings"

	"almanac/internal/markup"
)

func (e *eventReader) people() {
	r := &e.record
	r.Organizers = []*calendarOrganizer{}
	for i := range e.c.Properties {
		if p := &e.c.Properties[i]; p.Name == "X-ALMANAC-ORGANIZER" {
			r.Organizers = append(r.Organizers, &calendarOrganizer{
				UID: p.Param("X-UID"), Name: markup.EscapeName(p.Text()), Phone: p.Param("X-PHONE"), Website: p.Param("X-URL"),
				Email: p.Param("X-EMAIL"),
			})
		}
	}
	p := e.c.Get("ORGANIZER")
	if p == nil || len(r.Organizers) > 0 {
		return
	}
	o := &calendarOrganizer{Name: strings.TrimSpace(p.Param("CN"))}
	if scheme, address, ok := strings.Cut(p.Value, ":"); ok && strings.EqualFold(scheme, "mailto") && strings.Contains(address, "@") {
		o.Email = strings.TrimSpace(address)
	}
	if name, err := url.PathUnescape(o.Name); err == nil && e.record.Slug != "" && !e.ours {
		o.Name = name // The Events Calendar encodes it
	}
	if o.Name == "" {
		o.Name = o.Email
	}
	if o.Name = markup.EscapeName(o.Name); o.Name != "" {
		r.Organizers = append(r.Organizers, o)
	}
}

func (e *eventReader) places() {
	r := &e.record
	r.Venues = []*calendarVenue{}
	for i := range e.c.Properties {
		p := &e.c.Properties[i]
		if p.Name != "X-ALMANAC-VENUE" {
			continue
		}
		v := &calendarVenue{
			UID: p.Param("X-UID"), Name: markup.EscapeName(p.Text()), Address: p.Param("X-ADDRESS"), City: p.Param("X-CITY"),
			Province: p.Param("X-PROVINCE"), State: p.Param("X-STATE"), StateProvince: p.Param("X-STATEPROVINCE"), Zip: p.Param("X-ZIP"),
			Country: p.Param("X-COUNTRY"), Phone: p.Param("X-PHONE"), Website: p.Param("X-URL"),
		}
		v.Lat, v.Lng = position(p.Param("X-GEO"), " ")
		if geo := e.c.Get("GEO"); geo != nil && len(r.Venues) == 0 {
			v.Lat, v.Lng = position(geo.Value, ";")
		}
		r.Venues = append(r.Venues, v)
	}
	if len(r.Venues) > 0 {
		return
	}
	text := strings.TrimSpace(e.c.Text("LOCATION"))
	v := placed(text)
	if p := e.c.Get("GEO"); p != nil {
		v.Lat, v.Lng = position(p.Value, ";")
	}
	for _, place := range e.c.Components {
		if name := place.Text("NAME"); place.Name == "VLOCATION" && name != "" {
			if v.Name != name && text != "" && !strings.HasPrefix(text, name) {
				v.Address = strings.Join(strings.FieldsFunc(text, isLineEnd), ", ")
			}
			v.Name = name
			if p := place.Get("URL"); p != nil {
				v.Website = webAddress(p.Value)
			}
			if p := place.Get("GEO"); p != nil {
				v.Lat, v.Lng = position(p.Value, ";")
			}
			break
		}
	}
	if v.Name = markup.EscapeName(v.Name); v.Name != "" {
		r.Venues = append(r.Venues, v)
	}
}

// placed returns the venue in a text: the name ends at the first comma or line end, the rest is its address.
func placed(text string) *calendarVenue {
	if webAddress(text) != "" {
		return &calendarVenue{Name: text, Website: text}
	}
	name, address := text, ""
	if i := strings.IndexAny(text, ",\n"); i >= 0 {
		name, address = text[:i], strings.Join(strings.FieldsFunc(text[i:], isLineEnd), ", ")
	}
	return &calendarVenue{Name: strings.TrimSpace(name), Address: strings.Trim(address, ", ")}
}

func isLineEnd(c rune) bool { return c == '\n' }

// position parses latitude and longitude; invalid numbers become "".
func position(text, between string) (lat, lng string) {
	lat, lng, _ = strings.Cut(strings.TrimSpace(text), between)
	lat, lng = strings.TrimSpace(lat), strings.TrimSpace(lng)
	for _, degrees := range []struct {
		text  string
		limit float64
	}{{lat, 90}, {lng, 180}} {
		if f, err := strconv.ParseFloat(degrees.text, 64); err != nil || !(-degrees.limit <= f && f <= degrees.limit) ||
			strings.Trim(degrees.text, "+-.0123456789eE") != "" {
			return "", ""
		}
	}
	return lat, lng
}
