// Events.

package intake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/cost"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
	stored "almanac/store/record"
)

func (im *importer) event(r *record) (int64, error) {
	e := &store.Event{}
	found, _ := im.find(store.Events, r).(*store.Event)
	if found == nil {
		found = cmp.Or(im.renumbered(r), im.atPage(r))
	}
	if r.blanked("all_day") {
		if found == nil {
			return 0, errProtected
		}
		return im.leaveAlone(found)
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
	d := im.readEvent(r)
	if err := im.settle(d, &e.Post, im.name(r, "title")); err != nil {
		return err
	}
	if r.has("password") && d.file.Password == nil {
		d.file.Password = new(im.seal(e.Password, r.text("password")))
	}
	if err := im.settleLinks(d, old); err != nil {
		return err
	}
	if old != nil {
		im.reconcile(d, old)
	}
	if r.wrong != nil {
		return r.wrong
	}
	return r.inMember(im.editor().Fill(im.tx, im.whole(d), e, old))
}

// readEvent reads an event without its links, its password, its parent and its place in a series.
func (rd *reader) readEvent(r *record) *draft {
	d := rd.draft(r, store.Events)
	if r.has("title") {
		d.members["title"] = rd.name(r, "title")
	}
	rd.readTimes(d)
	rd.readPost(d)
	rd.readState(d)
	if rd.isNative() && r.has("stored_password") {
		d.file.Password = new(r.text("stored_password"))
	}
	rd.readCost(d)
	readPlain(d, stored.EventFields, false)
	if r.has("website") {
		d.members["website"] = rd.link(r, "website")
		d.file.Page = r.text("url")
	}
	if r.has("virtual_url") || r.has("is_virtual") || rd.isWhole(d) {
		d.members["virtual_url"] = rd.online(r)
		if r.has("is_virtual") && !r.flag("is_virtual") {
			d.members["virtual_url"] = ""
		}
	}
	return d
}

// readTimes reads the zone and the local times. Seeds may write dates in all forms of requests, and
// relative to now. Whole days of a seed begin and end at midnight, unless the seed is exact.
func (rd *reader) readTimes(d *draft) {
	f := &d.file
	name := d.text("timezone")
	zone := rd.Site
	if name != "" {
		known, err := rd.Zones.Load(name)
		if err != nil {
			d.fail(d.inField("timezone", "", err))
			return
		}
		zone = known
	} else if written := d.text("start_date"); rd.seed && caltime.IsRelative(written) {
		if _, named, _ := rd.moment(written, zone, time.Time{}); named != nil {
			zone = named
		}
	}
	switch {
	case name != "" && rd.exact:
		f.Timezone = name // as it is spelled
	case name != "" || rd.seed:
		f.Timezone = zone.Name()
	}
	if d.has("all_day") {
		f.AllDay = new(d.flag("all_day"))
	}
	f.Start = rd.readTime(d, "start_date", zone, caltime.StartOfDay)
	if f.Start != nil {
		d.start = zone.Instant(f.Start.Time())
	}
	f.End = rd.readTime(d, "end_date", zone, caltime.EndOfDay)
}

// readTime reads a local time of an event, nil for none. If the event of a seed lasts whole days,
// whole moves it to the start or end of the day.
func (rd *reader) readTime(
	d *draft,
	name string,
	zone *caltime.Zone,
	whole func(time.Time) time.Time,
) *store.Wall {
	text := d.text(name)
	var local store.Wall
	switch {
	case text == "" && !d.has(name):
		return nil
	case text == "":
		d.fail(fmt.Errorf("has no %s", name))
		return nil
	case rd.exact && local.UnmarshalText([]byte(text)) == nil: // also a time that the zone skips
	case rd.seed:
		at, _, err := rd.moment(text, zone, d.start)
		if err != nil {
			d.fail(d.inField(name, "", err))
			return nil
		}
		local = store.WallOf(zone.Wall(at))
	default:
		local = store.WallOf(d.localTime(name))
	}
	isWhole := rd.seed && d.file.AllDay != nil && *d.file.AllDay
	if isWhole && (!rd.exact || caltime.IsRelative(text)) {
		local = store.WallOf(whole(local.Time()))
	}
	return &local
}

// readCost reads the cost, whose form depends on the program that wrote the file.
func (rd *reader) readCost(d *draft) {
	f := &d.file
	var c cost.Cost
	details := d.object("cost_details")
	currency := cost.Cost{
		Symbol:   details.text("currency_symbol"),
		Code:     details.text("currency_code"),
		Position: details.text("currency_position"),
	}
	switch {
	case rd.exact && (d.has("currency_symbol") || d.has("currency_code") || d.has("currency_position")):
		c = cost.Cost{
			Entries:  d.texts("cost"),
			Symbol:   d.text("currency_symbol"),
			Code:     d.text("currency_code"),
			Position: d.text("currency_position"),
			Wording:  d.text("cost_text"),
		}
	case d.has("cost_details") && !d.partial:
		c = cost.FromDetails(
			d.text("cost"),
			details.texts("values"),
			currency.Symbol,
			currency.Code,
			currency.Position,
		)
		c.Wording = d.text("cost_text")
	case d.has("cost"):
		dec := json.NewDecoder(bytes.NewReader(d.Member("cost").Raw))
		dec.UseNumber()
		var sent any
		_ = dec.Decode(&sent) // it was read as JSON before
		var err error
		if c, err = cost.Parse(sent); err != nil {
			d.fail(d.inField("cost", "", err))
			return
		}
		part, _ := d.calendarPart()
		c.Code = part.Code
		f.CostText, _ = textOf(d.Member("cost"))
		f.Currency = currency
	default:
		return
	}
	f.Cost = &c
}

// settleLinks makes the terms, venues and organizers of an event, and takes their ids. old is the
// stored event, or nil.
func (im *importer) settleLinks(d *draft, old *store.Event) error {
	if old == nil {
		old = &store.Event{}
	}
	for _, l := range []struct {
		member string
		kind   store.Kind
		take   func(*record, store.Kind, *jsonio.Value) (int64, error)
		old    []int64
	}{
		{"categories", store.Categories, im.namedTerm, old.Categories},
		{"tags", store.Tags, im.namedTerm, old.Tags},
		{"venue", store.Venues, im.linked, old.Venues},
		{"organizer", store.Organizers, im.linked, old.Organizers},
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
		if old.ID != 0 && im.comesByWays(d) {
			ids = im.keepLinks(l.kind, ids, l.old)
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
