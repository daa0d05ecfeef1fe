// Venues and organizers.

package intake

import (
	"errors"
	"strings"

	"almanac/internal/markup"
	"almanac/internal/write"
	"almanac/store"
	stored "almanac/store/record"
)

// errProtected refuses a venue or organizer with a password, because the file hides its name.
var errProtected = errors.New("is protected by a password, and the file does not say its name")

// linkedRecord stores a venue or an organizer. A missing member clears its field, because lists
// leave out empty members; a record that is known by its name alone keeps it. A protected venue
// has no flags, and the name of a protected organizer is an empty list.
func (im *importer) linkedRecord(k store.Kind, r *record) (int64, error) {
	if known := im.alike(k, r); known != nil {
		return im.leaveAlone(known)
	}
	found := im.find(k, r)
	name := Table[k][1].Name
	if r.embedded && len(r.Members()) == 1 && r.has("global_id") { // a reference
		if found == nil {
			return 0, errors.New("is in no file that was imported")
		}
		return im.leaveAlone(found)
	}
	protected := k == store.Venues && r.blanked("show_map") ||
		r.Member(name).Kind() == '[' && k == store.Organizers
	isStored := (im.seed || im.item.Row || r.ownID() == "") && r.embedded // and only named here
	switch {
	case found != nil && (protected || isStored || im.newer(store.PostOf(found), r)):
		return im.leaveAlone(found)
	case protected:
		return 0, errProtected
	case found != nil && (r.ownID() == "" && !im.exact || im.item.Form == CalendarForm):
		r.partial = true // a file by hand, and a calendar, may say less than the store
	}
	next := write.NewLinked(k)
	if found != nil {
		next, _ = write.CopyOf(found)
	}
	p := store.PostOf(next)
	title := Members(next)[1].Field.(*string)
	sent := im.name(r, name)
	if strings.TrimSpace(sent) == "" && !im.exact {
		return 0, errors.New("has no name")
	}
	if im.item.Form != CalendarForm || markup.Visible(sent) != markup.Visible(*title) {
		*title = sent // calendars have no tags and entities
	}
	if err := im.post(r, k, p, *title); err != nil {
		return 0, err
	}
	website, _ := among(Members(next), "website")
	switch next := next.(type) {
	case *store.Organizer:
		r.take(plainMembers(stored.OrganizerFields, next, Truth), !r.partial)
	case *store.Venue:
		r.take(venueMembers(next), !r.partial)
		if err := r.location(next); err != nil {
			return 0, err
		}
	}
	if r.has("website") {
		*website.Field.(*string) = im.link(r, "website")
	}
	return im.commit(r, next, &p.Meta, p)
}

// location sets the coordinates of a venue.
func (r *record) location(v *store.Venue) error {
	if !r.partial || r.has("geo_lat") || r.has("geo_lng") {
		v.Geo = nil
	}
	if lat, lng := r.text("geo_lat") != "", r.text("geo_lng") != ""; lat != lng {
		return r.inField(
			"geo_lat",
			"",
			errors.New("has one of geo_lat and geo_lng; both or none are needed"),
		)
	} else if lat {
		v.Geo = &store.Geo{Lat: r.degrees("geo_lat", 90), Lng: r.degrees("geo_lng", 180)}
	}
	return nil
}
