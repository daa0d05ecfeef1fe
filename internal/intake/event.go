// Events.

package intake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/cost"
	"almanac/internal/jsonin"
	"almanac/internal/markup"
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
	if err := im.fill(r, e); err != nil {
		return 0, err
	}
	rec, err := im.recurrence(r, e)
	if err != nil {
		return 0, r.inField("recurrence", "recurrence: ", err)
	}
	id, err := im.commit(r, e, &e.Meta, &e.Post)
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

// fill sets all members of an event except its parent and its place in a series.
func (im *importer) fill(r *record, e *store.Event) error {
	if e.ID == 0 || r.has("title") {
		title := im.name(r, "title")
		if im.item.Form != CalendarForm || markup.Visible(title) != markup.Visible(e.Title) {
			e.Title = title // calendars have no tags and entities
		}
	}
	if err := im.times(r, e); err != nil {
		return err
	}
	if err := im.post(r, store.Events, &e.Post, e.Title); err != nil {
		return err
	}
	if strings.TrimSpace(e.Title+e.Description+e.Excerpt) == "" && !im.exact {
		return errors.New("has neither title nor description nor excerpt")
	}
	r.take(plainMembers(stored.EventFields, e, Truth), false)
	if err := im.announce(r, e); err != nil {
		return err
	}
	if r.has("password") {
		e.Password = im.seal(e.Password, r.text("password"))
	}
	if im.isNative() && r.has("stored_password") {
		e.Password = r.text("stored_password")
	}
	if err := im.price(r, e); err != nil {
		return err
	}
	im.website(r, e)
	return im.links(r, e)
}

// times sets the zone and the local times. Times that the zone skips move forward. Seeds may write
// dates in all forms of requests, and relative to now. Whole days of a seed begin and end at
// midnight, unless the seed is exact.
func (im *importer) times(r *record, e *store.Event) error {
	name := r.text("timezone")
	zone := im.Site
	var err error
	if known := cmp.Or(name, e.Timezone); known != "" {
		if zone, err = im.Zones.Load(known); err != nil {
			return r.inField("timezone", "", err)
		}
	} else if written := r.text("start_date"); im.seed && caltime.IsRelative(written) {
		if _, named, _ := im.moment(written, zone, time.Time{}); named != nil {
			zone = named
		}
	}
	switch {
	case name != "" && im.exact:
		e.Timezone = name // as it is spelled
	case name != "" || e.Timezone == "":
		e.Timezone = zone.Name()
	}
	r.setFlag(&e.AllDay, "all_day")
	if r.start, err = im.localTime(r, "start_date", zone, e, &e.Start, caltime.StartOfDay); err != nil {
		return err
	}
	if _, err = im.localTime(r, "end_date", zone, e, &e.End, caltime.EndOfDay); err != nil {
		return err
	}
	if e.End < e.Start && r.wrong == nil {
		return r.inField(
			"end_date",
			"",
			fmt.Errorf("ends at %s, before it starts at %s", e.End, e.Start),
		)
	}
	return nil
}

// localTime sets a date of an event, which is required in a new one, and returns its instant. If
// the event lasts whole days, whole moves the date to the start or end of the day.
func (im *importer) localTime(
	r *record,
	name string,
	zone *caltime.Zone,
	e *store.Event,
	localTime *store.Wall,
	whole func(time.Time) time.Time,
) (at time.Time, err error) {
	text := r.text(name)
	relative := im.seed && caltime.IsRelative(text)
	switch {
	case text == "" && e.ID != 0 && !r.has(name):
		return at, nil
	case text == "":
		return at, fmt.Errorf("has no %s", name)
	case im.exact && localTime.UnmarshalText([]byte(text)) == nil: // also a time that the zone skips
		at = zone.Instant(localTime.Time())
	case im.seed:
		if at, _, err = im.moment(text, zone, r.start); err != nil {
			return at, r.inField(name, "", err)
		}
		*localTime = store.WallOf(zone.Wall(at))
	default:
		at = zone.Instant(r.localTime(name))
		*localTime = store.WallOf(zone.Wall(at))
	}
	if im.seed && e.AllDay {
		day := whole(localTime.Time())
		if at = zone.Instant(day); relative || !im.exact {
			*localTime = store.WallOf(day)
		}
	}
	return at, nil
}

func (im *importer) price(r *record, e *store.Event) error {
	var c cost.Cost
	switch {
	case im.exact && (r.has("currency_symbol") || r.has("currency_code") || r.has("currency_position")):
		c = cost.Cost{
			Entries:  r.texts("cost"),
			Symbol:   r.text("currency_symbol"),
			Code:     r.text("currency_code"),
			Position: r.text("currency_position"),
			Wording:  r.text("cost_text"),
		}
	case r.has("cost_details") && !r.partial:
		d := r.object("cost_details")
		c = cost.FromDetails(
			r.text("cost"),
			d.texts("values"),
			d.text("currency_symbol"),
			d.text("currency_code"),
			d.text("currency_position"),
		)
		c.Wording = r.text("cost_text")
	case r.has("cost"):
		dec := json.NewDecoder(bytes.NewReader(r.Member("cost").Raw))
		dec.UseNumber()
		var sent any
		_ = dec.Decode(&sent) // it was read as JSON before
		var err error
		if c, err = cost.Parse(sent); err != nil {
			return r.inField("cost", "", err)
		}
		part, _ := r.calendarPart()
		c.Code = part.Code
		isKnown := part.Code == "" || part.Code == e.Cost.Code
		if im.item.Form == CalendarForm && isKnown && e.Cost.IsWritten(r.text("cost")) {
			c = e.Cost // calendars have what people read
		}
		if r.partial { // a table shows the ends of a list, and the currency beside them
			if e.Cost.InTable() == r.text("cost") {
				c = e.Cost
			}
			d := r.object("cost_details")
			c.Symbol = cmp.Or(d.text("currency_symbol"), c.Symbol)
			c.Code = d.text("currency_code")
			c.Position = cmp.Or(d.text("currency_position"), c.Position)
		}
	default:
		return nil
	}
	e.Cost = c
	return nil
}

// website sets the website. Lists show the page of the event if it has no website, so that address
// means none. An empty text means that the website was removed.
func (im *importer) website(r *record, e *store.Event) {
	if !r.has("website") {
		return
	}
	if im.exact {
		e.Website = im.link(r, "website")
		e.NoWebsite = e.Website == ""
		return
	}
	if r.partial && r.text("website") == "" {
		e.Website = ""
		return
	}
	e.Website = write.PlainURL.Replace(im.link(r, "website"))
	e.NoWebsite = e.Website == ""
	if e.Website == write.PlainURL.Replace(r.text("url")) {
		e.Website = ""
	}
}

func (im *importer) links(r *record, e *store.Event) error {
	for _, l := range []struct {
		member string
		kind   store.Kind
		ids    *[]int64
		take   func(*record, store.Kind, *jsonin.Value) (int64, error)
	}{
		{"categories", store.Categories, &e.Categories, im.namedTerm},
		{"tags", store.Tags, &e.Tags, im.namedTerm},
		{"venue", store.Venues, &e.Venues, im.linked},
		{"organizer", store.Organizers, &e.Organizers, im.linked},
	} {
		if !r.has(l.member) {
			continue
		}
		before := *l.ids
		*l.ids = nil
		list := r.Member(l.member)
		for i, v := range list.Items() {
			im.looked += namesakesOfWrite
			id, err := l.take(r, l.kind, v)
			if err != nil {
				return inField(v.At, PathOf(l.member, list, i), l.member+": ", err)
			}
			if id != 0 && (im.exact || !slices.Contains(*l.ids, id)) {
				*l.ids = append(*l.ids, id)
			}
		}
		isTerm := l.kind == store.Categories || l.kind == store.Tags // which lists show by name
		if (r.partial || im.item.Form == CalendarForm) && isTerm &&
			slices.Equal(im.termNames(l.kind, before), im.termNames(l.kind, *l.ids)) {
			*l.ids = before
		}
	}
	return nil
}

// termNames returns the names of terms in order, each once.
func (im *importer) termNames(k store.Kind, ids []int64) (names []string) {
	for _, id := range ids {
		if t := im.tx.Term(k, id); t != nil {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
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
	old := im.tx.Event(child)
	if old == nil || old.Parent == parent || child == parent && !im.exact {
		return nil
	}
	next := *old
	next.Parent = parent
	im.note(store.Events, child, Updated)
	return im.tx.Put(&next)
}
