// Venues and organizers.

package importer

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"almanac/store"
)

// errProtected refuses a venue or organizer of which a file shows the name to
// those alone who know its password.
var errProtected = errors.New("is protected by a password, and the file does not say its name")

// venue takes a venue. What it does not mention is empty: the form leaves empty
// members out.
func (im *importer) venue(r *record) (int64, error) {
	v := &store.Venue{ShowMap: true, ShowMapLink: true}
	if id := im.alike(store.Venues, r); id != 0 {
		return id, nil
	}
	protected := r.blanked("show_map")
	if found, ok := im.find(store.Venues, r).(*store.Venue); ok {
		if protected || (im.seed || im.item.Row) && r.embedded || im.newer(&found.Post, r) {
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

// organizer takes an organizer, as venue does venues. One that is protected has
// an empty list for its name.
func (im *importer) organizer(r *record) (int64, error) {
	o := &store.Organizer{}
	if id := im.alike(store.Organizers, r); id != 0 {
		return id, nil
	}
	protected := r.Member("organizer").Kind() == '['
	if found, ok := im.find(store.Organizers, r).(*store.Organizer); ok {
		if protected || (im.seed || im.item.Row) && r.embedded || im.newer(&found.Post, r) {
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

// alike returns the venue or organizer that a calendar means which says no more of it than a
// name, with an address or an e-mail address: one that has these, or 0.
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

// placeOf returns the parts of an address as calendars write them.
func placeOf(v *store.Venue) string {
	parts := []string{v.Address, v.City, cmp.Or(v.StateProvince, v.State, v.Province), v.Zip, v.Country}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}
