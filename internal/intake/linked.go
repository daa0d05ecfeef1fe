// Venues and organizers.

package intake

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"almanac/store"
)

// errProtected refuses a venue or organizer with a password, because the file hides its name.
var errProtected = errors.New("is protected by a password, and the file does not say its name")

// venue stores a venue. A missing member clears its field, because lists leave out empty members.
func (im *importer) venue(r *record) (int64, error) {
	v := &store.Venue{ShowMap: true, ShowMapLink: true}
	if id := im.alike(store.Venues, r); id != 0 {
		return id, nil
	}
	protected := r.blanked("show_map")
	if found, ok := im.find(store.Venues, r).(*store.Venue); ok {
		if protected || (im.seed || im.item.Row || r.ownID() == "") && r.embedded || im.newer(&found.Post, r) {
			return im.leaveAlone(found)
		}
		*v = *found
	}
	if protected {
		return 0, errProtected
	}
	if v.Name = im.name(r, "venue"); strings.TrimSpace(v.Name) == "" && !im.exact {
		return 0, errors.New("has no name")
	}
	if err := im.post(r, store.Venues, &v.Post, v.Name); err != nil {
		return 0, err
	}
	r.take(venueMembers(v))
	if !r.partial || r.has("geo_lat") || r.has("geo_lng") {
		v.Geo = nil
	}
	if lat, lng := r.text("geo_lat") != "", r.text("geo_lng") != ""; lat != lng {
		return 0, r.inField("geo_lat", "", errors.New("has one of geo_lat and geo_lng; both or none are needed"))
	} else if lat {
		v.Geo = &store.Geo{Lat: r.degrees("geo_lat", 90), Lng: r.degrees("geo_lng", 180)}
	}
	return im.commit(r, v, &v.Meta, &v.Post)
}

// organizer stores an organizer; a missing member clears its field. The name of a protected one is an empty list.
func (im *importer) organizer(r *record) (int64, error) {
	o := &store.Organizer{}
	if id := im.alike(store.Organizers, r); id != 0 {
		return id, nil
	}
	protected := r.Member("organizer").Kind() == '['
	if found, ok := im.find(store.Organizers, r).(*store.Organizer); ok {
		if protected || (im.seed || im.item.Row || r.ownID() == "") && r.embedded || im.newer(&found.Post, r) {
			return im.leaveAlone(found)
		}
		*o = *found
	}
	if protected {
		return 0, errProtected
	}
	if o.Name = im.name(r, "organizer"); strings.TrimSpace(o.Name) == "" && !im.exact {
		return 0, errors.New("has no name")
	}
	if err := im.post(r, store.Organizers, &o.Post, o.Name); err != nil {
		return 0, err
	}
	r.take(organizerMembers(o))
	return im.commit(r, o, &o.Meta, &o.Post)
}

// alike returns the stored venue or organizer with the name, and the address or e-mail address, that a calendar
// gives, or 0. It applies to records without other members.
func (im *importer) alike(k store.Kind, r *record) int64 {
	if im.item.Form != calendarForm || r.has("global_id") {
		return 0
	}
	for _, found := range im.tx.ByName(k, im.name(r, Table[k][1].Name)) {
		var same bool
		switch f := found.(type) {
		case *store.Venue:
			same = f.Status != store.Trash && placeOf(f) == r.text("address")
		case *store.Organizer:
			same = f.Status != store.Trash && strings.EqualFold(f.Email, r.text("email"))
		}
		if same {
			im.note(k, found.Key(), Unchanged)
			return found.Key()
		}
	}
	return 0
}

// placeOf returns the parts of an address in the form of calendars.
func placeOf(v *store.Venue) string {
	parts := []string{v.Address, v.City, cmp.Or(v.StateProvince, v.State, v.Province), v.Zip, v.Country}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}
