// Venues and organizers.

package write

import (
	"slices"
	"strings"

	"almanac/internal/access"
	"almanac/internal/markup"
	"almanac/internal/params"
	"almanac/store"
	"almanac/store/record"
)

// detail returns the stored form of a text field of a venue or an organizer: without tags.
func detail(text string) string { return strings.TrimSpace(markup.StripTags(text)) }

// Venue returns the venue that a create describes: a stored one with the same name and no contradictory address, or a
// new one. A stored venue is updated if the caller may edit it.
func (ed Editor) Venue(tx *store.Tx, values params.Values) (*store.Venue, error) {
	name := ed.title(values.Text("venue"))
	if strings.TrimSpace(name) == "" {
		return nil, &BlankName{"venue"}
	}
	for _, found := range tx.ByName(store.Venues, name) {
		v := found.(*store.Venue)
		if !ed.matches(values, &v.Post) || !sameAddress(values, v) {
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

// stateProvince returns the default of stateprovince: the state if the country is the United States or unknown, else
// the province.
func stateProvince(v *store.Venue) string {
	derived := v.Province
	if v.State != "" && (v.Country == "" || countries().same(v.Country, "US")) {
		derived = v.State
	}
	if derived == "0" { // see setPlain
		return ""
	}
	return derived
}

// setVenue sets the members that were sent and only venues have. A derived stateprovince follows its sources.
func setVenue(values params.Values, v *store.Venue) error {
	derived := v.StateProvince == stateProvince(v) && !values.Has("stateprovince")
	setPlain(values, record.VenueFields, v)
	if derived {
		v.StateProvince = stateProvince(v)
	}
	if values.Null("geo_lat") && values.Null("geo_lng") {
		v.Geo = nil
	}
	lat, lng, ok, err := values.Point("geo_lat", "geo_lng")
	if ok {
		v.Geo = &store.Geo{Lat: lat, Lng: lng}
	}
	return err
}

// matches reports whether a create may mean a stored record: the caller can read it, it is not in the trash, and its
// description does not contradict the request. Letter case is not a contradiction.
func (ed Editor) matches(values params.Values, p *store.Post) bool {
	if p.Status == store.Trash || !access.MayRead(ed.Caller, p) {
		return false
	}
	text := values.Text("description")
	return strings.TrimSpace(text) == "" || strings.EqualFold(ed.html(text), p.Description)
}

// addressMembers are the members that distinguish venues with the same name.
var addressMembers = []string{"address", "city", "country", "province", "state", "stateprovince", "zip"}

// sameAddress reports whether the address of a stored venue does not contradict a create.
func sameAddress(values params.Values, v *store.Venue) bool {
	return !slices.ContainsFunc(record.VenueFields, func(f record.Field[store.Venue]) bool {
		if !slices.Contains(addressMembers, f.Name) {
			return false
		}
		sent, has := detail(values.Text(f.Name)), *f.At(v).(*string)
		return sent != "" && has != "" && !sameDetail(f.Name, sent, has)
	})
}

// reuseVenue updates a stored venue from a create. Name, description, status, author and dates stay, modified too:
// the request names the venue without the intention to change it.
func (ed Editor) reuseVenue(tx *store.Tx, values params.Values, v *store.Venue) (*store.Venue, error) {
	next := *v
	if err := setVenue(values, &next); err != nil {
		return nil, err
	}
	if err := ed.reuseImage(tx, values, &next.Post); err != nil {
		return nil, err
	}
	if samePlain(record.VenueFields, &next, v) && next.Geo == v.Geo && next.Image == v.Image {
		return v, nil
	}
	return &next, tx.Put(&next)
}

// reuseImage sets the image of a stored record that a create names, if an image was sent.
func (ed Editor) reuseImage(tx *store.Tx, values params.Values, p *store.Post) error {
	if !values.Has("image") {
		return nil
	}
	id, err := ed.imageID(tx, values.Image("image"))
	p.Image = id
	return err
}

// Linked returns the venue or organizer that a create describes, or a changed old one; it stores it.
func (ed Editor) Linked(tx *store.Tx, k store.Kind, values params.Values, old store.Record) (store.Record, error) {
	switch old := old.(type) {
	case *store.Venue:
		return ed.changeVenue(tx, values, old)
	case *store.Organizer:
		return ed.changeOrganizer(tx, values, old)
	}
	if k == store.Venues {
		return ed.Venue(tx, values)
	}
	return ed.Organizer(tx, values)
}

// TrashLinked moves a venue or an organizer to the trash, and takes it out of all events.
func (ed Editor) TrashLinked(tx *store.Tx, old store.Record) (store.Record, error) {
	trashed, p := copyOf(old)
	ed.Trash(tx, p, old.Kind())
	if err := tx.Put(trashed); err != nil {
		return nil, err
	}
	return trashed, unlinkEvents(tx, old.Kind(), old.Key())
}

// unlinkEvents takes a record out of every event that links to it.
func unlinkEvents(tx *store.Tx, k store.Kind, id int64) error {
	for _, e := range tx.EventsOf(k, id) {
		next := *e
		unlink(&next, k, id)
		if err := tx.Put(&next); err != nil {
			return err
		}
	}
	return nil
}

// unlink takes a record of a kind out of an event.
func unlink(e *store.Event, k store.Kind, id int64) {
	ids := map[store.Kind]*[]int64{
		store.Venues: &e.Venues, store.Organizers: &e.Organizers, store.Categories: &e.Categories, store.Tags: &e.Tags,
	}[k]
	*ids = slices.DeleteFunc(slices.Clone(*ids), func(other int64) bool { return other == id })
}

func (ed Editor) changeVenue(tx *store.Tx, values params.Values, old *store.Venue) (*store.Venue, error) {
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

// writeVenue sets the members of a venue that were sent; old is nil for a new one.
func (ed Editor) writeVenue(tx *store.Tx, values params.Values, v *store.Venue, old *store.Post) error {
	if err := ed.writePost(tx, values, &v.Post, old); err != nil {
		return err
	}
	if err := setVenue(values, v); err != nil {
		return err
	}
	ed.writeSlug(tx, store.Venues, &v.Post, old, "", v.Name)
	return nil
}

// Organizer returns the organizer that a create describes, by the rules of Venue.
func (ed Editor) Organizer(tx *store.Tx, values params.Values) (*store.Organizer, error) {
	name := ed.title(values.Text("organizer"))
	if strings.TrimSpace(name) == "" {
		return nil, &BlankName{"organizer"}
	}
	for _, found := range tx.ByName(store.Organizers, name) {
		o := found.(*store.Organizer)
		if !ed.matches(values, &o.Post) {
			continue
		}
		if !access.MayEdit(ed.Caller, &o.Post) {
			return o, nil
		}
		next := *o
		setPlain(values, record.OrganizerFields, &next)
		if err := ed.reuseImage(tx, values, &next.Post); err != nil {
			return nil, err
		}
		if samePlain(record.OrganizerFields, &next, o) && next.Image == o.Image {
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

func (ed Editor) changeOrganizer(tx *store.Tx, values params.Values, old *store.Organizer) (*store.Organizer, error) {
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

// writeOrganizer sets the members of an organizer that were sent; old is nil for a new one.
func (ed Editor) writeOrganizer(tx *store.Tx, values params.Values, o *store.Organizer, old *store.Post) error {
	if err := ed.writePost(tx, values, &o.Post, old); err != nil {
		return err
	}
	setPlain(values, record.OrganizerFields, o)
	ed.writeSlug(tx, store.Organizers, &o.Post, old, "", o.Name)
	return nil
}
