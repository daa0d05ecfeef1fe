// The records of the catalogue: plain structs, the same in memory, in the log
// and in snapshots.

package store

import (
	"errors"
	"strings"
	"time"

	"almanac/internal/cost"
)

// A Status is the publication status of an event, a venue or an organizer
// (section 3 of the specification).
type Status string

const (
	Publish Status = "publish" // seen by everybody
	Future  Status = "future"  // becomes Publish when its date arrives
	Draft   Status = "draft"
	Pending Status = "pending" // waits for somebody who may publish
	Private Status = "private" // published, to its author and to editors
	Trash   Status = "trash"   // deleted, and can be restored
)

// Unpublished reports whether records of a status were never published, so that
// they may be without a date of publication.
func (s Status) Unpublished() bool { return s == Draft || s == Pending }

// A Record is an *Event, *Venue, *Organizer, *Term, *Image, *Series or *Account.
//
// Records are immutable once committed: Update replaces them. Callers may keep
// what a View gave them; they must not change it.
type Record interface {
	Kind() Kind
	Key() int64 // its id; 0 before it was put
	revision() uint64
	setKey(id int64, rev uint64)
	more() *More
}

// Meta has the members of every record.
type Meta struct {
	ID  int64  `json:"id"`
	Rev uint64 `json:"rev"` // sequence number of the transaction that wrote it

	More More `json:"more,omitempty"` // members that a later version gave it; Put keeps them
}

// More is an object of optional members that this version does not know, as JSON.
type More string

// MarshalJSON returns the object.
func (m More) MarshalJSON() ([]byte, error) { return []byte(m), nil }

// UnmarshalJSON keeps the object.
func (m *More) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return errors.New("more is not an object")
	}
	*m = More(text)
	return nil
}

// Key returns the id.
func (m *Meta) Key() int64 { return m.ID }

func (m *Meta) revision() uint64 { return m.Rev }

func (m *Meta) setKey(id int64, rev uint64) { m.ID, m.Rev = id, rev }

func (m *Meta) more() *More { return &m.More }

// Post has the members that events, venues and organizers have in common.
type Post struct {
	Meta
	Author      int64     `json:"author"` // account id
	Status      Status    `json:"status"`
	Date        time.Time `json:"date"`                  // publication, UTC
	Undated     bool      `json:"undated,omitempty"`     // unpublished without a date: publication sets it
	LocalDate   bool      `json:"local_date,omitempty"`  // unpublished and given a date without UTC: shown without UTC
	WasDraft    bool      `json:"was_draft,omitempty"`   // in the trash, and unpublished when it came there
	Modified    time.Time `json:"modified,omitzero"`     // last change, UTC; zero for an unpublished record that never changed
	Slug        string    `json:"slug,omitempty"`        // unique in its kind, or ""
	Former      []string  `json:"former,omitempty"`      // slugs of earlier published versions, newest first; Put keeps them
	Description string    `json:"description,omitempty"` // HTML as sent
	Excerpt     string    `json:"excerpt,omitempty"`     // HTML as sent
	Image       int64     `json:"image,omitempty"`       // id of an Image, or 0
	Origins     []string  `json:"origins,omitempty"`     // the Page elsewhere, then global ids, nearest first; unique in the kind
}

// Page returns the address of the page that the record had where it comes from, "" for none. It is the
// first of its origins; the last of these is its UID, whatever its form.
func (p *Post) Page() string {
	if len(p.Origins) > 1 && strings.Contains(p.Origins[0], "://") {
		return p.Origins[0]
	}
	return ""
}

// An Event is something that happens (section 2.1 of the specification).
type Event struct {
	Post
	Title    string `json:"title"`
	AllDay   bool   `json:"all_day,omitempty"`
	Start    Wall   `json:"start"`    // in Timezone
	End      Wall   `json:"end"`      // in Timezone, not before Start as a wall clock
	Timezone string `json:"timezone"` // canonical name; the UTC times are derived

	Cost // on disk four members of the event

	Website   string `json:"website,omitempty"`
	NoWebsite bool   `json:"no_website,omitempty"` // emptied: shown as "", not as the event's own page

	ShowMap          bool `json:"show_map,omitempty"`
	ShowMapLink      bool `json:"show_map_link,omitempty"`
	HideFromListings bool `json:"hide_from_listings,omitempty"`
	Sticky           bool `json:"sticky,omitempty"`
	Featured         bool `json:"featured,omitempty"`
	Ticketed         bool `json:"ticketed,omitempty"`

	Categories []int64 `json:"categories,omitempty"`
	Tags       []int64 `json:"tags,omitempty"`
	Venues     []int64 `json:"venues,omitempty"`     // in linked order
	Organizers []int64 `json:"organizers,omitempty"` // in linked order
	Parent     int64   `json:"post_parent,omitempty"`

	Password string `json:"password,omitempty"` // result of Options.HashPassword for the password; "" for none

	Recurrence *Recurrence `json:"recurrence,omitempty"` // nil for an event of no series
}

// Cost is the cost of an event.
type Cost = cost.Cost

// Kind returns Events.
func (*Event) Kind() Kind { return Events }

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

// An Image is a picture that records show. Its file is elsewhere: it is known
// by address and never fetched.
type Image struct {
	Meta
	URL       string      `json:"url"` // unique among images
	Extension string      `json:"extension,omitempty"`
	Width     int         `json:"width,omitempty"`
	Height    int         `json:"height,omitempty"`
	Filesize  int64       `json:"filesize,omitempty"`
	Sizes     []ImageSize `json:"sizes,omitempty"`
	Original  string      `json:"original_image,omitempty"` // file name before it was scaled down
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
}
