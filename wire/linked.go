// Venues and organizers on the wire.

package wire

import (
	"strconv"

	"almanac/markup"
	"almanac/store"
)

// postJSON is the members that venues and organizers begin with.
type postJSON struct {
	ID     int64  `json:"id"`
	Author string `json:"author,omitempty"`
	Status string `json:"status"`
	stamps
	URL string `json:"url"`
}

func (r Renderer) post(p *store.Post, section, postType string) postJSON {
	shown := postJSON{ID: p.ID, Status: string(p.Status), stamps: r.stamps(p), URL: r.page(p, section, postType)}
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

// Venue is a venue on the wire. Empty members are left out.
type Venue struct {
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
	JSONLD        *placeLD   `json:"json_ld,omitempty"`
	ShowMap       bool       `json:"show_map"`
	ShowMapLink   bool       `json:"show_map_link"`
	origin
}

// Venue shows a venue.
func (r Renderer) Venue(v *store.Venue) *Venue {
	out := &Venue{
		postJSON:      r.post(&v.Post, "venue", "tribe_venue"),
		Venue:         markup.Title(v.Name),
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
		out.Lat, out.Lng = &v.Geo.Lat, &v.Geo.Lng
	}
	if r.LD {
		out.JSONLD = placeOf(v, out)
	}
	return out
}

// Organizer is an organizer on the wire. Empty members are left out.
type Organizer struct {
	postJSON
	Organizer   string     `json:"organizer,omitempty"`
	Description string     `json:"description,omitempty"`
	Excerpt     string     `json:"excerpt,omitempty"`
	Slug        string     `json:"slug,omitempty"`
	Image       *imageJSON `json:"image,omitempty"`
	Phone       string     `json:"phone,omitempty"`
	Website     string     `json:"website,omitempty"`
	Email       string     `json:"email,omitempty"`
	JSONLD      *personLD  `json:"json_ld,omitempty"`
	origin
}

// Organizer shows an organizer.
func (r Renderer) Organizer(o *store.Organizer) *Organizer {
	out := &Organizer{
		postJSON:    r.post(&o.Post, "organizer", "tribe_organizer"),
		Organizer:   markup.Title(o.Name),
		Description: markup.Content(o.Description),
		Excerpt:     markup.Excerpt(o.Excerpt),
		Slug:        o.Slug,
		Image:       r.image(o.Image),
		Phone:       o.Phone,
		Website:     o.Website,
		Email:       o.Email,
		origin:      origin{r.globalID(o.ID), r.lineage(&o.Post)},
	}
	if r.LD {
		out.JSONLD = personOf(o, out)
	}
	return out
}
