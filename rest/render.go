// What records look like on the wire: the members of responses, in their order.

package rest

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/caltime"
	"almanac/store"
)

// never is how a date is shown that there is not.
const never = "0000-00-00 00:00:00"

// A renderer shows records to one caller at one base address.
type renderer struct {
	*request
	v    *store.Reader
	ld   bool // with data for search engines: on single reads
	open bool // shows protected events whole: after a write
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
func (r renderer) stamps(p *store.Post) stamps {
	s := stamps{
		Date:        r.site.Wall(p.Date).Format(caltime.Layout),
		DateUTC:     p.Date.UTC().Format(caltime.Layout),
		ModifiedUTC: never,
	}
	if p.Undated || p.LocalDate {
		s.DateUTC = never
	}
	s.Modified = s.Date
	if !p.Modified.IsZero() {
		s.Modified = r.site.Wall(p.Modified).Format(caltime.Layout)
		s.ModifiedUTC = p.Modified.UTC().Format(caltime.Layout)
	}
	return s
}

// globalID gives the id of a record in the world: the site's address without
// its scheme, and the id.
func (r renderer) globalID(id int64) string {
	_, site, _ := strings.Cut(r.origin, "://")
	return site + "?id=" + strconv.FormatInt(id, 10)
}

// lineage gives the record's own global id and those of its origins.
func (r renderer) lineage(p *store.Post) []string {
	return append([]string{r.globalID(p.ID)}, p.Origins...)
}

// page gives the address of a record's public page: by its slug when it is
// public, else by its id.
func (r renderer) page(p *store.Post, section, postType string) string {
	if (p.Status == store.Publish || p.Status == store.Private) && p.Slug != "" {
		return r.origin + "/" + section + "/" + p.Slug + "/"
	}
	return r.origin + "/?post_type=" + postType + "&p=" + strconv.FormatInt(p.ID, 10)
}

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
	var o object
	for _, size := range s {
		o.add(size.Name, struct {
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
func (r renderer) image(id int64) *imageJSON {
	i := r.v.Image(id)
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

// An object is a JSON object whose members keep the order they were added in.
type object struct {
	names  []string
	values []any
}

func (o *object) add(name string, value any) {
	o.names, o.values = append(o.names, name), append(o.values, value)
}

// MarshalJSON writes the object.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range o.names {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(o.values[i])
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}

// pair is one name and value of a link's query.
type pair struct{ name, value string }

// encode writes a query in the order of the pairs.
func encode(pairs []pair) string {
	parts := make([]string, len(pairs))
	for i, p := range pairs {
		parts[i] = url.QueryEscape(p.name) + "=" + url.QueryEscape(p.value)
	}
	return strings.Join(parts, "&")
}
