// Venues and organizers.

package store

// A Venue is a place (section 2.2 of the specification).
type Venue struct {
	Post
	Name          string `json:"venue"`
	Address       string `json:"address,omitempty"`
	City          string `json:"city,omitempty"`
	Country       string `json:"country,omitempty"`
	Province      string `json:"province,omitempty"`
	State         string `json:"state,omitempty"`
	Zip           string `json:"zip,omitempty"`
	Phone         string `json:"phone,omitempty"`
	Website       string `json:"website,omitempty"`
	StateProvince string `json:"stateprovince,omitempty"`
	ShowMap       bool   `json:"show_map,omitempty"`
	ShowMapLink   bool   `json:"show_map_link,omitempty"`
	Geo           *Geo   `json:"geo,omitempty"` // nil when it has no coordinates
}

// VenueFields are the fields of a Venue on disk, after those of its Post.
var VenueFields = []Field[Venue]{
	{"venue", "", Must, func(v *Venue) any { return &v.Name }},
	{"address", "", Plain, func(v *Venue) any { return &v.Address }},
	{"city", "", Plain | Word, func(v *Venue) any { return &v.City }},
	{"country", "", Plain | Word, func(v *Venue) any { return &v.Country }},
	{"province", "", Plain | Word, func(v *Venue) any { return &v.Province }},
	{"state", "", Plain | Word, func(v *Venue) any { return &v.State }},
	{"zip", "", Plain, func(v *Venue) any { return &v.Zip }},
	{"phone", "", Plain, func(v *Venue) any { return &v.Phone }},
	{"website", "", Plain, func(v *Venue) any { return &v.Website }},
	{"stateprovince", "", Plain | Word, func(v *Venue) any { return &v.StateProvince }},
	{"show_map", "", Plain, func(v *Venue) any { return &v.ShowMap }},
	{"show_map_link", "", Plain, func(v *Venue) any { return &v.ShowMapLink }},
	{"geo", "-", 0, func(v *Venue) any { return &v.Geo }},
}

// Kind returns Venues.
func (*Venue) Kind() Kind { return Venues }

// Geo is a place on the globe in decimal degrees (WGS 84).
type Geo struct {
	Lat float64 `json:"lat"` // -90 to 90
	Lng float64 `json:"lng"` // -180 to 180
}

var geoFields = []Field[Geo]{
	{"lat", "-", Must, func(g *Geo) any { return &g.Lat }},
	{"lng", "-", Must, func(g *Geo) any { return &g.Lng }},
}

// An Organizer is a person or a body that holds events (section 2.3 of the specification).
type Organizer struct {
	Post
	Name    string `json:"organizer"`
	Phone   string `json:"phone,omitempty"`
	Website string `json:"website,omitempty"`
	Email   string `json:"email,omitempty"`
}

// OrganizerFields are the fields of an Organizer on disk, after those of its Post.
var OrganizerFields = []Field[Organizer]{
	{"organizer", "", Must, func(o *Organizer) any { return &o.Name }},
	{"phone", "", Plain, func(o *Organizer) any { return &o.Phone }},
	{"website", "", Plain, func(o *Organizer) any { return &o.Website }},
	{"email", "", Plain, func(o *Organizer) any { return &o.Email }},
}

// Kind returns Organizers.
func (*Organizer) Kind() Kind { return Organizers }
