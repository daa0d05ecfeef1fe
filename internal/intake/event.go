// Events.

package intake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/cost"
	"almanac/internal/jsonin"
	"almanac/internal/params"
	"almanac/internal/write"
	"almanac/store"
	stored "almanac/store/record"
)

func (im *importer) event(r *record) (int64, error) {
	e := &store.Event{}
	found, _ := im.find(store.Events, r).(*store.Event)
	if found == nil {
		found = im.renumbered(r)
	}
	if found != nil {
		if err := im.isOther(r, found); err != nil {
			return 0, err
		}
		if im.newer(&found.Post, r) {
			return im.leaveAlone(found)
		}
		*e = *found
		if im.exact && !im.seed { // which leaves out empty members
			e = &store.Event{Parent: found.Parent, Post: identity(&found.Post)}
		}
	}
	if r.blanked("all_day") {
		r.only = Words(
			`id global_id global_id_lineage status date date_utc modified modified_utc title slug url start_date end_date
			timezone recurrence`,
		)
	}
	if err := im.fill(r, e, found); err != nil {
		return 0, err
	}
	rec, err := im.recurrence(r, e)
	if err != nil {
		return 0, r.inField("recurrence", "recurrence: ", err)
	}
	id, err := im.commit(r, e, &e.Meta)
	if err != nil {
		return 0, err
	}
	im.noteDate(r, id)
	if err := im.related(r, id); err != nil {
		return 0, err
	}
	if rec != nil {
		im.afterwards(r, func() error { return im.repeat(r, id, rec) })
	}
	return id, nil
}

// identity returns the members of a stored post that an export of it may lack.
func identity(p *store.Post) store.Post {
	return store.Post{
		Meta:     p.Meta,
		Author:   p.Author,
		Status:   p.Status,
		Date:     p.Date,
		Modified: p.Modified,
		Slug:     p.Slug,
		Origins:  p.Origins,
		Former:   p.Former,
	}
}

// fill makes e of a record, except its parent and its place in a series. e is a copy of old, of
// which some members may be reset, or a new event if old is nil.
func (im *importer) fill(r *record, e, old *store.Event) error {
	d := im.draft(r, store.Events)
	title := im.name(r, "title")
	if r.has("title") {
		d.members["title"] = title
	}
	if err := im.readTimes(d, e); err != nil {
		return err
	}
	if err := im.readPost(d, &e.Post, title); err != nil {
		return err
	}
	if err := im.readState(d, e); err != nil {
		return err
	}
	im.readPassword(d, e)
	if err := d.readCost(e); err != nil {
		return err
	}
	readPlain(d, stored.EventFields, false)
	if r.has("website") {
		d.members["website"] = im.link(r, "website")
		d.file.Page = r.text("url")
	}
	if err := im.readLinks(d); err != nil {
		return err
	}
	if r.wrong != nil {
		return r.wrong
	}
	return r.inMember(im.editor().Fill(im.tx, im.whole(d), e, old))
}

// readTimes reads the zone and the local times. Times that the zone skips move forward. Seeds may
// write dates in all forms of requests, and relative to now. Whole days of a seed begin and end at
// midnight, unless the seed is exact.
func (im *importer) readTimes(d *draft, e *store.Event) error {
	f := &d.file
	name := d.text("timezone")
	zone := im.Site
	var err error
	if known := cmp.Or(name, e.Timezone); known != "" {
		if zone, err = im.Zones.Load(known); err != nil {
			return d.inField("timezone", "", err)
		}
	} else if written := d.text("start_date"); im.seed && caltime.IsRelative(written) {
		if _, named, _ := im.moment(written, zone, time.Time{}); named != nil {
			zone = named
		}
	}
	f.Timezone = e.Timezone
	switch {
	case name != "" && im.exact:
		f.Timezone = name // as it is spelled
	case name != "" || e.Timezone == "":
		f.Timezone = zone.Name()
	}
	f.AllDay = e.AllDay
	d.setFlag(&f.AllDay, "all_day")
	f.Start = e.Start
	f.End = e.End
	if d.start, err = im.localTime(d, "start_date", zone, e, &f.Start, caltime.StartOfDay); err != nil {
		return err
	}
	if _, err = im.localTime(d, "end_date", zone, e, &f.End, caltime.EndOfDay); err != nil {
		return err
	}
	if f.End < f.Start && d.wrong == nil {
		return d.inField(
			"end_date",
			"",
			fmt.Errorf("ends at %s, before it starts at %s", f.End, f.Start),
		)
	}
	return nil
}

// localTime reads a date of an event, which is required in a new one, and returns its instant. If
// the event lasts whole days, whole moves the date to the start or end of the day.
func (im *importer) localTime(
	d *draft,
	name string,
	zone *caltime.Zone,
	e *store.Event,
	localTime *store.Wall,
	whole func(time.Time) time.Time,
) (at time.Time, err error) {
	text := d.text(name)
	relative := im.seed && caltime.IsRelative(text)
	switch {
	case text == "" && e.ID != 0 && !d.has(name):
		return at, nil
	case text == "":
		return at, fmt.Errorf("has no %s", name)
	case im.exact && localTime.UnmarshalText([]byte(text)) == nil: // also a time that the zone skips
		at = zone.Instant(localTime.Time())
	case im.seed:
		if at, _, err = im.moment(text, zone, d.start); err != nil {
			return at, d.inField(name, "", err)
		}
		*localTime = store.WallOf(zone.Wall(at))
	default:
		at = zone.Instant(d.localTime(name))
		*localTime = store.WallOf(zone.Wall(at))
	}
	if im.seed && d.file.AllDay {
		day := whole(localTime.Time())
		if at = zone.Instant(day); relative || !im.exact {
			*localTime = store.WallOf(day)
		}
	}
	return at, nil
}

// readPassword reads the password, and the stored form of one in an export.
func (im *importer) readPassword(d *draft, e *store.Event) {
	if d.has("password") {
		d.file.Password = new(im.seal(e.Password, d.text("password")))
	}
	if im.isNative() && d.has("stored_password") {
		d.file.Password = new(d.text("stored_password"))
	}
}

// readCost reads the cost. e is the stored event, or a new one.
func (d *draft) readCost(e *store.Event) error {
	var c cost.Cost
	switch {
	case d.file.Stored && (d.has("currency_symbol") || d.has("currency_code") || d.has("currency_position")):
		c = cost.Cost{
			Entries:  d.texts("cost"),
			Symbol:   d.text("currency_symbol"),
			Code:     d.text("currency_code"),
			Position: d.text("currency_position"),
			Wording:  d.text("cost_text"),
		}
	case d.has("cost_details") && !d.partial:
		details := d.object("cost_details")
		c = cost.FromDetails(
			d.text("cost"),
			details.texts("values"),
			details.text("currency_symbol"),
			details.text("currency_code"),
			details.text("currency_position"),
		)
		c.Wording = d.text("cost_text")
	case d.has("cost"):
		dec := json.NewDecoder(bytes.NewReader(d.Member("cost").Raw))
		dec.UseNumber()
		var sent any
		_ = dec.Decode(&sent) // it was read as JSON before
		var err error
		if c, err = cost.Parse(sent); err != nil {
			return d.inField("cost", "", err)
		}
		part, _ := d.calendarPart()
		c.Code = part.Code
		isKnown := part.Code == "" || part.Code == e.Cost.Code
		if d.file.Form == write.Calendar && isKnown && e.Cost.IsWritten(d.text("cost")) {
			c = e.Cost // calendars have what people read
		}
		if d.partial { // a table shows the ends of a list, and the currency beside them
			if e.Cost.InTable() == d.text("cost") {
				c = e.Cost
			}
			details := d.object("cost_details")
			c.Symbol = cmp.Or(details.text("currency_symbol"), c.Symbol)
			c.Code = details.text("currency_code")
			c.Position = cmp.Or(details.text("currency_position"), c.Position)
		}
	default:
		return nil
	}
	d.file.Cost = &c
	return nil
}

// readLinks makes the terms, venues and organizers of an event, and reads their ids.
func (im *importer) readLinks(d *draft) error {
	for _, l := range []struct {
		member string
		kind   store.Kind
		take   func(*record, store.Kind, *jsonin.Value) (int64, error)
	}{
		{"categories", store.Categories, im.namedTerm},
		{"tags", store.Tags, im.namedTerm},
		{"venue", store.Venues, im.linked},
		{"organizer", store.Organizers, im.linked},
	} {
		if !d.has(l.member) {
			continue
		}
		ids := []int64{}
		list := d.Member(l.member)
		for i, v := range list.Items() {
			im.looked += namesakesOfWrite
			id, err := l.take(d.record, l.kind, v)
			if err != nil {
				return inField(v.At, PathOf(l.member, list, i), l.member+": ", err)
			}
			if id != 0 {
				ids = append(ids, id)
			}
		}
		d.members[l.member] = params.LinksTo(ids)
		if l.kind == store.Categories || l.kind == store.Tags {
			d.members[l.member] = params.TermsOf(ids)
		}
	}
	return nil
}

// related sets the parent of a stored event, now or when the parent is imported. It sets the event
// as parent of the events that wait for it.
func (im *importer) related(r *record, id int64) error {
	if im.isLimited() { // other events have other authors
		return r.wrong
	}
	keys := r.globalIDs()
	if own := r.integer("id"); im.isNative() && own != 0 && !r.has("global_id") {
		keys = append(keys, im.parentKey(r, own))
	}
	for _, global := range keys {
		for _, child := range unset(im, im.state.Occasions, global) {
			if err := im.setParent(child, id); err != nil {
				return err
			}
		}
	}
	parent := r.integer("post_parent")
	if !r.has("post_parent") || r.wrong != nil {
		return r.wrong
	}
	if parent == 0 {
		return im.setParent(id, 0)
	}
	if found := im.byID(r, store.Events, parent); found != nil {
		return im.setParent(id, found.Key())
	}
	im.wait(&im.state.Occasions, im.parentKey(r, parent), id)
	return nil
}

// setParent makes one event the parent of another; 0 removes the parent.
func (im *importer) setParent(child, parent int64) error {
	if child == parent && !im.exact {
		return nil
	}
	isChanged, err := im.editor().SetParent(im.tx, child, parent)
	if isChanged {
		im.note(store.Events, child, write.Updated)
	}
	return err
}
