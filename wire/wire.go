// Package wire knows what records look like in answers: the members of each
// kind, their order, and how texts, dates and addresses are written (section 2
// of the specification leaves it open; existing clients know it).
//
// A Renderer shows records of one state of the store to one caller. It decides
// nothing about rights: it is told what the caller may see.
package wire

import (
	"strconv"
	"strings"
	"time"

	"almanac/caltime"
	"almanac/store"
)

// never is how a date is shown that there is not.
const never = "0000-00-00 00:00:00"

// A Renderer shows records to one caller at one base address.
type Renderer struct {
	Reader   *store.Reader
	Origin   string // of the site: scheme and host, no slash at the end
	API      string // of the namespace, no slash at the end
	Site     *caltime.Zone
	Zones    *caltime.Zones
	Currency string // put before a cost that carries none

	Readable func(*store.Post) bool    // whether a linked venue or organizer is shown
	Unlocked func(*store.Event) bool   // whether a protected event is shown whole
	Methods  func(store.Kind) []string // what the caller may do to terms of a taxonomy

	LD bool // with data for search engines: on single reads
}

// stamps are the members that tell when a record was published and changed.
type stamps struct {
	Date        string `json:"date"`
	DateUTC     string `json:"date_utc"`
	Modified    string `json:"modified"`
	ModifiedUTC string `json:"modified_utc"`
}

// stamps shows dates in the site's zone and in UTC. What was never published
// has a date of making, but no UTC date; what was never changed after it was
// made unpublished, no UTC date of change.
func (r Renderer) stamps(p *store.Post) stamps {
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

// globalID gives the id of a record in the world: the site's address without
// its scheme, and the id.
func (r Renderer) globalID(id int64) string {
	_, site, _ := strings.Cut(r.Origin, "://")
	return site + "?id=" + strconv.FormatInt(id, 10)
}

// lineage gives the record's own global id and those of its origins.
func (r Renderer) lineage(p *store.Post) []string {
	return append([]string{r.globalID(p.ID)}, p.Origins...)
}

// page gives the address of a record's public page: by its slug when it is
// public, else by its id.
func (r Renderer) page(p *store.Post, section, postType string) string {
	if (p.Status == store.Publish || p.Status == store.Private) && p.Slug != "" {
		return r.Origin + "/" + section + "/" + p.Slug + "/"
	}
	return r.Origin + "/?post_type=" + postType + "&p=" + strconv.FormatInt(p.ID, 10)
}

// EventPage gives the address of an event's public page.
func (r Renderer) EventPage(p *store.Post) string { return r.page(p, "event", "tribe_events") }

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
	var o Object
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
func (r Renderer) image(id int64) *imageJSON {
	i := r.Reader.Image(id)
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
	return dateDetails{s[:n], s[n+1 : n+3], s[n+4 : n+6], s[n+7 : n+9], s[n+10 : n+12], s[n+13 : n+15]}
}
