// What exports say of a record: all that planting would not fill in as it is.

package seed

import (
	"strconv"
	"time"

	"almanac/internal/caltime"
	"almanac/store"
)

// never is what stands for a time that there is not.
const never = "0000-00-00 00:00:00"

// instant writes a time in UTC, with the fraction of its second if it has one.
func instant(t time.Time) string {
	return t.UTC().Format(caltime.Layout + ".999999999")
}

// post writes what events, venues and organizers have in common.
func (x *exporter) post(p *store.Post) {
	x.member("slug", p.Slug)
	x.member("status", p.Status)
	x.member("author", p.Author)
	x.member("date_utc", instant(p.Date))
	some(x, "undated", p.Undated)
	some(x, "local_date", p.LocalDate)
	some(x, "was_draft", p.WasDraft)
	if p.Modified.IsZero() {
		x.member("modified_utc", never)
	} else {
		x.member("modified_utc", instant(p.Modified))
	}
	some(x, "description", p.Description)
	some(x, "excerpt", p.Excerpt)
	some(x, "image", p.Image)
	list(x, "global_id_lineage", p.Origins)
}

// event writes the members of an event.
func (x *exporter) event(e *store.Event) {
	x.member("id", e.ID)
	x.member("title", e.Title)
	x.post(&e.Post)
	x.member("start_date", e.Start)
	x.member("end_date", e.End)
	x.member("timezone", e.Timezone)
	some(x, "all_day", e.AllDay)
	if len(e.Cost) > 0 || e.CurrencySymbol != "" || e.CurrencyCode != "" || e.CurrencyPosition != "" {
		list(x, "cost", e.Cost)
		x.member("currency_symbol", e.CurrencySymbol)
		some(x, "currency_code", e.CurrencyCode)
		some(x, "currency_position", e.CurrencyPosition)
	}
	if e.Website != "" || e.NoWebsite {
		x.member("website", e.Website)
	}
	some(x, "show_map", e.ShowMap)
	some(x, "show_map_link", e.ShowMapLink)
	some(x, "hide_from_listings", e.HideFromListings)
	some(x, "sticky", e.Sticky)
	some(x, "featured", e.Featured)
	some(x, "ticketed", e.Ticketed)
	list(x, "categories", e.Categories)
	list(x, "tags", e.Tags)
	list(x, "venue", e.Venues)
	list(x, "organizer", e.Organizers)
	some(x, "post_parent", e.Parent)
	some(x, "stored_password", e.Password)
}

// venue writes the members of a venue.
func (x *exporter) venue(v *store.Venue) {
	x.member("id", v.ID)
	x.member("venue", v.Name)
	x.post(&v.Post)
	some(x, "address", v.Address)
	some(x, "city", v.City)
	some(x, "country", v.Country)
	some(x, "province", v.Province)
	some(x, "state", v.State)
	some(x, "zip", v.Zip)
	some(x, "phone", v.Phone)
	some(x, "website", v.Website)
	some(x, "stateprovince", v.StateProvince)
	x.member("show_map", v.ShowMap)
	x.member("show_map_link", v.ShowMapLink)
	if v.Geo != nil {
		x.member("geo_lat", v.Geo.Lat)
		x.member("geo_lng", v.Geo.Lng)
	}
}

// organizer writes the members of an organizer.
func (x *exporter) organizer(o *store.Organizer) {
	x.member("id", o.ID)
	x.member("organizer", o.Name)
	x.post(&o.Post)
	some(x, "phone", o.Phone)
	some(x, "website", o.Website)
	some(x, "email", o.Email)
}

// term writes the members of a category or tag.
func (x *exporter) term(t *store.Term) {
	x.member("id", t.ID)
	x.member("name", t.Name)
	x.member("slug", t.Slug)
	some(x, "description", t.Description)
	some(x, "parent", t.Parent)
}

// image writes the members of an image. Its sizes keep their order.
func (x *exporter) image(i *store.Image) {
	x.member("id", i.ID)
	x.member("url", i.URL)
	some(x, "extension", i.Extension)
	some(x, "width", i.Width)
	some(x, "height", i.Height)
	some(x, "filesize", i.Filesize)
	if len(i.Sizes) > 0 {
		x.sizes(i.Sizes)
	}
	some(x, "original_image", i.Original)
}

// sizes writes the sizes of an image as an object, as lists show them.
func (x *exporter) sizes(sizes []store.ImageSize) {
	x.raw(",\n      \"sizes\": {")
	for n, size := range sizes {
		if n > 0 {
			x.raw(",")
		}
		x.raw("\n        ")
		x.encode(size.Name)
		x.raw(`: {"width": ` + strconv.Itoa(size.Width) + `, "height": ` + strconv.Itoa(size.Height))
		if size.MIMEType != "" {
			x.raw(`, "mime-type": `)
			x.encode(size.MIMEType)
		}
		if size.Filesize != 0 {
			x.raw(`, "filesize": ` + strconv.FormatInt(size.Filesize, 10))
		}
		if size.Uncropped != nil {
			x.raw(`, "uncropped": ` + strconv.FormatBool(*size.Uncropped))
		}
		x.raw(`, "url": `)
		x.encode(size.URL)
		x.raw("}")
	}
	x.raw("\n      }")
}
