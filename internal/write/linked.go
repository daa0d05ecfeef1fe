// Venues and organizers.

package write

import (
	"slices"
	"strings"

	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
	"almanac/store/record"
)

// detail returns the stored form of a text field of a venue or an organizer: without tags.
func detail(text string) string { return strings.TrimSpace(markup.StripTags(text)) }

// NewLinked returns a venue or an organizer with the defaults of its kind.
func NewLinked(k store.Kind) store.Record {
	if k == store.Venues {
		return &store.Venue{ShowMap: true, ShowMapLink: true}
	}
	return &store.Organizer{}
}

// nameIn returns the name of a venue or an organizer, and the member that has it.
func nameIn(r store.Record) (name *string, member string) {
	if v, ok := r.(*store.Venue); ok {
		return &v.Name, "venue"
	}
	return &r.(*store.Organizer).Name, "organizer"
}

// Linked returns the venue or organizer that a create describes: a stored one with the same name
// and no contradictory address, or a new one. A stored one is updated if the caller may edit it.
func (ed Editor) Linked(tx *store.Tx, k store.Kind, values params.Values) (store.Record, error) {
	next := NewLinked(k)
	_, member := nameIn(next)
	name := ed.title(values.Text(member))
	if strings.TrimSpace(name) == "" {
		return nil, &BlankName{member}
	}
	for found := range tx.ByName(k, name) {
		p := store.PostOf(found)
		v, isVenue := found.(*store.Venue)
		if !ed.matches(values, k, p) || isVenue && !sameAddress(values, v) {
			continue
		}
		if !access.MayEdit(ed.Caller, p) {
			return found, nil
		}
		return ed.reuse(tx, values, found)
	}
	store.PostOf(next).Author = ed.Caller.ID
	if err := ed.FillLinked(tx, Draft{Values: values}, next, nil); err != nil {
		return nil, err
	}
	if v, ok := next.(*store.Venue); ok && v.StateProvince == "" {
		v.StateProvince = stateProvince(v)
	}
	if err := tx.Put(next); err != nil || ed.Proposal == nil {
		return next, err
	}
	made := ed.Proposal.Made(k)
	*made = slices.Concat(*made, []int64{next.Key()})
	return next, nil
}

// stateProvince returns the default of stateprovince: the state if the country is the United
// States or unknown, else the province.
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

// setLinked sets the members that were sent and only venues or only organizers have. A derived
// stateprovince follows its sources.
func setLinked(d Draft, r store.Record) error {
	v, ok := r.(*store.Venue)
	if !ok {
		setPlain(d, record.OrganizerFields, r.(*store.Organizer))
		return nil
	}
	derived := v.StateProvince == stateProvince(v) && !d.Has("stateprovince") &&
		d.File == nil
	setPlain(d, record.VenueFields, v)
	if derived {
		v.StateProvince = stateProvince(v)
	}
	if d.Null("geo_lat") && d.Null("geo_lng") {
		v.Geo = nil
	}
	lat, lng, ok, err := d.Point("geo_lat", "geo_lng")
	if ok {
		v.Geo = &store.Geo{Lat: lat, Lng: lng}
	}
	return err
}

// matches reports whether a create may mean a stored record: the caller can read it, it is not in
// the trash, and its description does not contradict the request. Letter case is not a
// contradiction. A proposal means records that everybody can read, and those that were made with
// it.
func (ed Editor) matches(values params.Values, k store.Kind, p *store.Post) bool {
	readable := access.MayRead(ed.Caller, p)
	if ed.Proposal != nil {
		readable = access.MayRead(account.Account{}, p) || ed.Proposal.IsMade(k, p.ID)
	}
	if p.Status == store.Trash || !readable {
		return false
	}
	text := values.Text("description")
	return strings.TrimSpace(text) == "" || strings.EqualFold(ed.html(text), p.Description)
}

// addressMembers are the members that distinguish venues with the same name.
var addressMembers = []string{
	"address",
	"city",
	"country",
	"province",
	"state",
	"stateprovince",
	"zip",
}

// sameAddress reports whether the address of a stored venue does not contradict a create.
func sameAddress(values params.Values, v *store.Venue) bool {
	return !slices.ContainsFunc(record.VenueFields, func(f record.Field[store.Venue]) bool {
		if !slices.Contains(addressMembers, f.Name) {
			return false
		}
		sent := detail(values.Text(f.Name))
		has := *f.At(v).(*string)
		return sent != "" && has != "" && !sameDetail(f.Name, sent, has)
	})
}

// reuse updates a stored venue or organizer from a create. Name, description, status, author and
// dates stay, modified too: the request names the record without the intention to change it.
func (ed Editor) reuse(
	tx *store.Tx,
	values params.Values,
	found store.Record,
) (store.Record, error) {
	next, p := CopyOf(found)
	if err := setLinked(Draft{Values: values}, next); err != nil {
		return nil, err
	}
	if values.Has("image") {
		var err error
		if p.Image, err = ed.imageID(tx, values.Image("image")); err != nil {
			return nil, err
		}
	}
	if Same(found, next) {
		return found, nil
	}
	return next, tx.Put(next)
}

// ChangeLinked applies the parameters to a stored venue or organizer.
func (ed Editor) ChangeLinked(
	tx *store.Tx,
	values params.Values,
	old store.Record,
) (store.Record, error) {
	next, _ := CopyOf(old)
	if err := ed.FillLinked(tx, Draft{Values: values}, next, store.PostOf(old)); err != nil {
		return nil, err
	}
	return next, tx.Put(next)
}

// TrashLinked moves a venue or an organizer to the trash. Events and series, also those of other
// authors, stay linked to it and do not show it, so that they have it again when it is restored.
func (ed Editor) TrashLinked(tx *store.Tx, old store.Record) (store.Record, error) {
	trashed, p := CopyOf(old)
	ed.trash(tx, p, old.Kind())
	return trashed, tx.Put(trashed)
}

// linksIn returns the links of an event to records of a kind.
func linksIn(e *store.Event, k store.Kind) *[]int64 {
	return map[store.Kind]*[]int64{
		store.Venues:     &e.Venues,
		store.Organizers: &e.Organizers,
		store.Categories: &e.Categories,
		store.Tags:       &e.Tags,
	}[k]
}

// FillLinked applies a draft to a venue or an organizer, and does not store it; old is nil for a
// new one. Only the members that were sent change.
func (ed Editor) FillLinked(tx *store.Tx, d Draft, next store.Record, old *store.Post) error {
	name, member := nameIn(next)
	if d.Has(member) && !d.shows(d.Text(member), *name, titles) {
		*name = ed.title(d.Text(member))
		if strings.TrimSpace(*name) == "" && !d.isStored() {
			return invalid(member, member+" must hold more than spaces.")
		}
	}
	p := store.PostOf(next)
	if err := ed.writePost(tx, d, p, old); err != nil {
		return err
	}
	if err := setLinked(d, next); err != nil {
		return err
	}
	sent := ""
	if d.File != nil {
		sent = d.File.Slug
		if d.File.Verbatim {
			p.Slug = sent
			return nil
		}
	}
	ed.writeSlug(tx, next.Kind(), p, old, sent, *name)
	return nil
}
