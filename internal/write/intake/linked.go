// Venues and organizers.

package intake

import (
	"errors"
	"strings"

	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
	stored "almanac/store/record"
)

// errProtected refuses a record with a password, because the file hides its content: here, it would
// be published without its password.
var errProtected = errors.New("is protected by a password, and the file does not say its content")

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
	sent := im.name(r, name)
	if strings.TrimSpace(sent) == "" && !im.exact {
		return 0, errors.New("has no name")
	}
	d := im.readLinked(r, k)
	if err := im.settle(d, p, sent); err != nil {
		return 0, err
	}
	if found != nil {
		im.reconcile(d, found)
	}
	if r.wrong != nil {
		return 0, r.wrong
	}
	if err := im.editor().FillLinked(im.tx, im.whole(d), next, store.PostOf(found)); err != nil {
		return 0, r.inMember(err)
	}
	return im.commit(r, next, &p.Meta)
}

// readLinked reads a venue or an organizer.
func (rd *reader) readLinked(r *record, k store.Kind) *draft {
	d := rd.draft(r, k)
	name := Table[k][1].Name
	d.members[name] = rd.name(r, name)
	rd.readPost(d)
	if k == store.Organizers {
		readPlain(d, stored.OrganizerFields, !r.partial)
	} else {
		readPlain(d, stored.VenueFields, !r.partial)
		d.readLocation()
	}
	if r.has("website") {
		d.members["website"] = rd.link(r, "website")
	}
	return d
}

// readLocation reads the coordinates of a venue.
func (d *draft) readLocation() {
	hasLat := d.text("geo_lat") != ""
	hasLng := d.text("geo_lng") != ""
	switch {
	case hasLat != hasLng:
		d.fail(d.inField(
			"geo_lat",
			"",
			errors.New("has one of geo_lat and geo_lng; both or none are needed"),
		))
	case hasLat:
		d.members["geo_lat"] = d.degrees("geo_lat", 90)
		d.members["geo_lng"] = d.degrees("geo_lng", 180)
	case !d.partial || d.has("geo_lat") || d.has("geo_lng"):
		d.members["geo_lat"] = params.Null
		d.members["geo_lng"] = params.Null
	}
}
