// The records that events link to: venues, organizers, terms and images, and the tables of their
// fields.

package record

import "time"

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
	{"venue", "", 0, func(v *Venue) any { return &v.Name }},
	{"address", "", Plain, func(v *Venue) any { return &v.Address }},
	{"city", "", Plain | word, func(v *Venue) any { return &v.City }},
	{"country", "", Plain | word, func(v *Venue) any { return &v.Country }},
	{"province", "", Plain | word, func(v *Venue) any { return &v.Province }},
	{"state", "", Plain | word, func(v *Venue) any { return &v.State }},
	{"zip", "", Plain, func(v *Venue) any { return &v.Zip }},
	{"phone", "", Plain, func(v *Venue) any { return &v.Phone }},
	{"website", "", Plain, func(v *Venue) any { return &v.Website }},
	{"stateprovince", "", Plain | word, func(v *Venue) any { return &v.StateProvince }},
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
	{"organizer", "", 0, func(o *Organizer) any { return &o.Name }},
	{"phone", "", Plain, func(o *Organizer) any { return &o.Phone }},
	{"website", "", Plain, func(o *Organizer) any { return &o.Website }},
	{"email", "", Plain, func(o *Organizer) any { return &o.Email }},
}

// Kind returns Organizers.
func (*Organizer) Kind() Kind { return Organizers }

// A Term is a category or a tag (sections 2.4 and 2.5 of the specification).
type Term struct {
	Meta
	Taxonomy    Kind     `json:"-"`    // Categories or Tags; on disk the place says it
	Name        string   `json:"name"` // plain text, no HTML
	Slug        string   `json:"slug"`
	Former      []string `json:"former,omitempty"` // slugs that it had, newest first; Put keeps them
	Description string   `json:"description,omitempty"`
	Parent      int64    `json:"parent,omitempty"` // category above, or 0
}

// Kind returns Categories or Tags.
func (t *Term) Kind() Kind { return t.Taxonomy }

// An Image is a picture that records show. The file of most is elsewhere: it is known by address
// and never fetched. An upload has a Directory, and its address begins with MediaPath, without a
// host.
type Image struct {
	Meta
	URL       string      `json:"url"` // unique among images
	Extension string      `json:"extension,omitempty"`
	Width     int         `json:"width,omitempty"`
	Height    int         `json:"height,omitempty"`
	Filesize  int64       `json:"filesize,omitempty"`
	Sizes     []ImageSize `json:"sizes,omitempty"`
	Original  string      `json:"original_image,omitempty"` // file name before it was scaled down

	// Fields of uploads alone.
	Directory string    `json:"directory,omitempty"` // name below media/: 32 hexadecimal digits, unique
	Type      string    `json:"type,omitempty"`      // media type of the served files
	Hash      string    `json:"hash,omitempty"`      // SHA-256 of the served file
	Sent      string    `json:"sent,omitempty"`      // SHA-256 of the file as sent
	SentBytes int64     `json:"sent_bytes,omitempty"`
	Author    int64     `json:"author,omitempty"` // account id
	Date      time.Time `json:"date,omitzero"`
	Modified  time.Time `json:"modified,omitzero"`
	Title     string    `json:"title,omitempty"`
	Alt       string    `json:"alt,omitempty"` // text for people who do not see the picture
	Caption   string    `json:"caption,omitempty"`
	FocusX    int       `json:"focus_x,omitempty"` // percent of the width that the thumbnail is cut around
	FocusY    int       `json:"focus_y,omitempty"`
	Origins   []string  `json:"origins,omitempty"` // addresses elsewhere that imports took it from
}

// Kind returns Images.
func (*Image) Kind() Kind { return Images }

// An ImageSize is a scaled copy of an image.
type ImageSize struct {
	Name      string `json:"name"` // "medium", "thumbnail" …
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	MIMEType  string `json:"mime-type,omitempty"`
	Filesize  int64  `json:"filesize,omitempty"`
	Uncropped *bool  `json:"uncropped,omitempty"` // said by some shops only
	URL       string `json:"url"`
	Hash      string `json:"hash,omitempty"` // SHA-256 of the file, for uploads
}
