// Writing venues and organizers: from checked parameters to a record.

package write

import (
	"strings"

	"almanac/internal/access"
	"almanac/internal/markup"
	"almanac/internal/params"
	"almanac/store"
)

// detail returns a text field of a venue or organizer as it is stored: without
// tags.
func detail(text string) string { return strings.TrimSpace(markup.StripTags(text)) }

// setDetails applies the text fields that were sent.
func setDetails(values params.Values, fields map[string]*string) {
	for name, field := range fields {
		switch {
		case !values.Has(name):
		case name == "website":
			if *field = markup.StripTags(values.Text(name)); *field == "0" {
				*field = ""
			}
		default:
			*field = detail(values.Text(name))
		}
	}
}

// venueDetails returns the text fields of a venue by their names.
func venueDetails(v *store.Venue) map[string]*string {
	return map[string]*string{
		"address": &v.Address, "city": &v.City, "country": &v.Country, "province": &v.Province, "state": &v.State,
		"zip": &v.Zip, "phone": &v.Phone, "website": &v.Website, "stateprovince": &v.StateProvince,
	}
}

// organizerDetails returns the text fields of an organizer by their names.
func organizerDetails(o *store.Organizer) map[string]*string {
	return map[string]*string{"phone": &o.Phone, "website": &o.Website, "email": &o.Email}
}

// Venue returns the venue that a create describes: one with the same
// name whose address does not contradict, brought up to date if the caller may
// edit it, else a new one.
func (ed Editor) Venue(tx *store.Tx, values params.Values) (*store.Venue, error) {
	name := ed.title(values.Text("venue"))
	if strings.TrimSpace(name) == "" {
		return nil, &BlankName{"venue"}
	}
	for _, found := range tx.ByName(store.Venues, name) {
		v := found.(*store.Venue)
		if v.Status == store.Trash || !access.MayRead(ed.Caller, &v.Post) || !ed.sameTexts(values, &v.Post, venueDetails(v),
			"address", "city", "country", "province", "state", "stateprovince", "zip") {
			continue
		}
		if !access.MayEdit(ed.Caller, &v.Post) {
			return v, nil
		}
		return ed.reuseVenue(tx, values, v)
	}
	v := &store.Venue{Post: store.Post{Author: ed.Caller.ID}, Name: name, ShowMap: true, ShowMapLink: true}
	if err := ed.writeVenue(tx, values, v, nil); err != nil {
		return nil, err
	}
	if v.StateProvince == "" {
		v.StateProvince = stateProvince(v)
	}
	return v, tx.Put(v)
}

// stateProvince returns what stands for the state or the province of a venue
// that was given none: its state if it is in the United States or nowhere, else
// its province.
func stateProvince(v *store.Venue) string {
	if v.State != "" && (v.Country == "" || countries().same(v.Country, "US")) {
		return v.State
	}
	return v.Province
}

// setVenueDetails applies the text fields that were sent to a venue. What its
// stateprovince was made of takes it along.
func setVenueDetails(values params.Values, v *store.Venue) {
	made := v.StateProvince == stateProvince(v) && !values.Has("stateprovince")
	setDetails(values, venueDetails(v))
	if made {
		v.StateProvince = stateProvince(v)
	}
}

// sameTexts reports whether what was sent does not contradict what is stored:
// the description, whose letter case is no difference as that of a name is none,
// and the fields that tell one place from another.
func (ed Editor) sameTexts(values params.Values, p *store.Post, stored map[string]*string, names ...string) bool {
	if text := values.Text("description"); strings.TrimSpace(text) != "" && !strings.EqualFold(ed.html(text), p.Description) {
		return false
	}
	for _, name := range names {
		sent, has := detail(values.Text(name)), *stored[name]
		if sent != "" && has != "" && !sameDetail(name, sent, has) {
			return false
		}
	}
	return true
}

// reuseVenue adds what a create says to a venue that is there already. Its
// name, description, status, author and dates stay, modified too: who names a
// venue did not set out to change it.
func (ed Editor) reuseVenue(tx *store.Tx, values params.Values, v *store.Venue) (*store.Venue, error) {
	next := *v
	setVenueDetails(values, &next)
	if values.Has("show_map") {
		next.ShowMap = values.Bool("show_map")
	}
	if values.Has("show_map_link") {
		next.ShowMapLink = values.Bool("show_map_link")
	}
	if err := writeGeo(values, &next); err != nil {
		return nil, err
	}
	if err := ed.reuseImage(tx, values, &next.Post); err != nil {
		return nil, err
	}
	if sameDetails(venueDetails(&next), venueDetails(v)) && next.ShowMap == v.ShowMap && next.ShowMapLink == v.ShowMapLink &&
		next.Geo == v.Geo && next.Image == v.Image {
		return v, nil
	}
	return &next, tx.Put(&next)
}

// sameDetails reports whether a record that is used again would be written as it
// was.
func sameDetails(a, b map[string]*string) bool {
	for name := range a {
		if *a[name] != *b[name] {
			return false
		}
	}
	return true
}

// reuseImage sets the image of a record that is used again, if one was sent.
func (ed Editor) reuseImage(tx *store.Tx, values params.Values, p *store.Post) error {
	if !values.Has("image") {
		return nil
	}
	id, err := ed.imageID(tx, values.Image("image"))
	p.Image = id
	return err
}

// ChangeVenue applies an update to a venue.
func (ed Editor) ChangeVenue(tx *store.Tx, values params.Values, old *store.Venue) (*store.Venue, error) {
	next := *old
	if values.Has("venue") {
		if next.Name = ed.title(values.Text("venue")); strings.TrimSpace(next.Name) == "" {
			return nil, invalid("venue", "venue must hold more than spaces.")
		}
	}
	if err := ed.writeVenue(tx, values, &next, &old.Post); err != nil {
		return nil, err
	}
	return &next, tx.Put(&next)
}

// writeVenue applies what was sent to a venue.
func (ed Editor) writeVenue(tx *store.Tx, values params.Values, v *store.Venue, old *store.Post) error {
	if err := ed.writePost(tx, values, &v.Post, old); err != nil {
		return err
	}
	setVenueDetails(values, v)
	if values.Has("show_map") {
		v.ShowMap = values.Bool("show_map")
	}
	if values.Has("show_map_link") {
		v.ShowMapLink = values.Bool("show_map_link")
	}
	if err := writeGeo(values, v); err != nil {
		return err
	}
	ed.writeSlug(tx, store.Venues, &v.Post, old, "", v.Name)
	return nil
}

// writeGeo sets the coordinates of a venue: both or none; null for both removes
// them.
func writeGeo(values params.Values, v *store.Venue) error {
	if values.Null("geo_lat") && values.Null("geo_lng") {
		v.Geo = nil
	}
	lat, lng, ok, err := values.Point("geo_lat", "geo_lng")
	if ok {
		v.Geo = &store.Geo{Lat: lat, Lng: lng}
	}
	return err
}

// Organizer returns the organizer that a create describes, as
// Venue does for venues.
func (ed Editor) Organizer(tx *store.Tx, values params.Values) (*store.Organizer, error) {
	name := ed.title(values.Text("organizer"))
	if strings.TrimSpace(name) == "" {
		return nil, &BlankName{"organizer"}
	}
	for _, found := range tx.ByName(store.Organizers, name) {
		o := found.(*store.Organizer)
		if o.Status == store.Trash || !access.MayRead(ed.Caller, &o.Post) || !ed.sameTexts(values, &o.Post, nil) {
			continue
		}
		if !access.MayEdit(ed.Caller, &o.Post) {
			return o, nil
		}
		next := *o
		setDetails(values, organizerDetails(&next))
		if err := ed.reuseImage(tx, values, &next.Post); err != nil {
			return nil, err
		}
		if sameDetails(organizerDetails(&next), organizerDetails(o)) && next.Image == o.Image {
			return o, nil
		}
		return &next, tx.Put(&next)
	}
	o := &store.Organizer{Post: store.Post{Author: ed.Caller.ID}, Name: name}
	if err := ed.writeOrganizer(tx, values, o, nil); err != nil {
		return nil, err
	}
	return o, tx.Put(o)
}

// ChangeOrganizer applies an update to an organizer.
func (ed Editor) ChangeOrganizer(tx *store.Tx, values params.Values, old *store.Organizer) (*store.Organizer, error) {
	next := *old
	if values.Has("organizer") {
		if next.Name = ed.title(values.Text("organizer")); strings.TrimSpace(next.Name) == "" {
			return nil, invalid("organizer", "organizer must hold more than spaces.")
		}
	}
	if err := ed.writeOrganizer(tx, values, &next, &old.Post); err != nil {
		return nil, err
	}
	return &next, tx.Put(&next)
}

// writeOrganizer applies what was sent to an organizer.
func (ed Editor) writeOrganizer(tx *store.Tx, values params.Values, o *store.Organizer, old *store.Post) error {
	if err := ed.writePost(tx, values, &o.Post, old); err != nil {
		return err
	}
	setDetails(values, organizerDetails(o))
	ed.writeSlug(tx, store.Organizers, &o.Post, old, "", o.Name)
	return nil
}
