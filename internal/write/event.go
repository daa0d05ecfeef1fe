// Writing events: from checked parameters to a record.

package write

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/account"
	"almanac/internal/caltime"
	"almanac/internal/cost"
	"almanac/internal/markup"
	"almanac/internal/params"
	"almanac/store"
)

// Event applies the parameters to an event that is being made (old is
// nil) or changed, and puts it. Only what is sent changes.
func (ed Editor) Event(tx *store.Tx, values params.Values, e, old *store.Event) error {
	var oldPost *store.Post
	if old != nil {
		oldPost = &old.Post
	}
	if values.Has("title") {
		e.Title = ed.title(values.Text("title"))
	}
	if values.Has("excerpt") {
		e.Excerpt = ed.html(values.Text("excerpt"))
	}
	if err := ed.writePost(tx, values, &e.Post, oldPost); err != nil {
		return err
	}
	if strings.TrimSpace(e.Title+e.Description+e.Excerpt) == "" {
		return invalid("title", "title must hold more than spaces.")
	}
	if err := ed.writeTimes(values, e, old); err != nil {
		return err
	}
	if err := ed.writeCost(values, e); err != nil {
		return err
	}
	ed.writeWebsite(values, e)
	for name, flag := range map[string]*bool{
		"show_map": &e.ShowMap, "show_map_link": &e.ShowMapLink, "hide_from_listings": &e.HideFromListings,
		"sticky": &e.Sticky, "featured": &e.Featured, "ticketed": &e.Ticketed,
	} {
		if values.Has(name) {
			*flag = values.Bool(name)
		}
	}
	if values.Has("post_parent") {
		if e.Parent = values.Int("post_parent"); e.Parent != 0 && e.Parent == e.ID {
			return invalid("post_parent", "post_parent must not be the event itself.")
		}
	}
	if values.Null("password") {
		e.Password = ""
	} else if values.Has("password") {
		e.Password = ""
		if text := values.Text("password"); text != "" {
			e.Password = ed.Hash(text)
		}
	}
	if err := ed.writeLinks(tx, values, e); err != nil {
		return err
	}
	sentSlug := ""
	if values.Has("slug") {
		sentSlug = values.Text("slug")
	}
	if old == nil && e.Sticky && !e.Modified.IsZero() {
		e.Modified = ed.Now // set in a second step, which clients see as a change
	}
	ed.writeSlug(tx, store.Events, &e.Post, oldPost, sentSlug, e.Title)
	return tx.Put(e)
}

// writeTimes sets the zone, the wall clocks and whether they are whole days.
// A wall clock that the zone skips moves forward with the clock.
func (ed Editor) writeTimes(values params.Values, e, old *store.Event) error {
	zone := ed.Site
	switch {
	case values.Has("timezone"):
		if sent := values.Zone("timezone"); sent != nil {
			zone = sent
		}
	case old != nil:
		var err error
		if zone, err = ed.Zones.Load(old.Timezone); err != nil {
			return err
		}
	}
	e.Timezone = zone.Name()
	if values.Has("all_day") {
		e.AllDay = values.Bool("all_day")
	}
	wall := func(t time.Time) store.Wall { return store.WallOf(zone.Wall(zone.Instant(t))) }
	if values.Has("start_date") {
		e.Start = wall(values.Date("start_date", zone).Wall)
	} else {
		e.Start = wall(e.Start.Time())
	}
	if e.AllDay {
		// Before the end is moved along: the hour of a whole day is no part of its length.
		e.Start = store.WallOf(caltime.StartOfDay(e.Start.Time()))
	}
	switch {
	case values.Has("end_date"):
		e.End = wall(values.Date("end_date", zone).Wall)
	case old != nil && e.Start > old.End:
		e.End = wall((e.Start + old.End - old.Start).Time()) // moved as a whole
	default:
		e.End = wall(e.End.Time())
	}
	e.End = max(e.End, e.Start)
	if e.AllDay {
		e.End = store.WallOf(caltime.EndOfDay(e.End.Time()))
	}
	return nil
}

// writeCost sets what the event costs; null keeps it, and so does the text
// that is shown, which may say less than what is stored.
func (ed Editor) writeCost(values params.Values, e *store.Event) error {
	shown := cost.Cost{Entries: e.Cost, Symbol: e.CurrencySymbol, Code: e.CurrencyCode, Position: e.CurrencyPosition}
	if !values.Has("cost") || len(e.Cost) > 0 && values.Any("cost") == shown.Text(ed.Currency) {
		return nil
	}
	c, err := cost.Parse(values.Any("cost"))
	if err != nil {
		return invalid("cost", err.Error()+".")
	}
	e.Cost, e.CurrencySymbol, e.CurrencyPosition = c.Entries, c.Symbol, c.Position
	if c.IsZero() {
		e.CurrencyCode = ""
	}
	return nil
}

// plainURL undoes the escapes that a website is shown with.
var plainURL = strings.NewReplacer("&amp;", "&", "&#038;", "&", "&#039;", "'")

// writeWebsite sets the website. The event's own page, which is shown when
// there is none, counts as none; emptied by an update, it stays empty.
func (ed Editor) writeWebsite(values params.Values, e *store.Event) {
	if !values.Has("website") {
		return
	}
	website := plainURL.Replace(markup.StripTags(values.Text("website")))
	switch website {
	case "", "0":
		e.Website, e.NoWebsite = "", e.ID != 0
	case ed.Page(&e.Post):
		e.Website, e.NoWebsite = "", false
	default:
		e.Website, e.NoWebsite = website, false
	}
}

// writeLinks sets terms, venues and organizers, making those that are new. What
// is named beside a published event is published with it, unless the object that
// names it says another status; what was linked before and is not named stays as
// it is.
func (ed Editor) writeLinks(tx *store.Tx, values params.Values, e *store.Event) error {
	if err := writeTerms(tx, values, store.Categories, &e.Categories); err != nil {
		return err
	}
	if err := writeTerms(tx, values, store.Tags, &e.Tags); err != nil {
		return err
	}
	link := func(k store.Kind, name string, ids *[]int64, find func(params.Values) (int64, error)) error {
		if !values.Has(name) {
			return nil
		}
		*ids = nil
		for _, l := range values.Links(name) {
			if l.Zero() {
				return &BlankName{name}
			}
			id := l.ID
			if id == 0 {
				var err error
				if id, err = find(l.Fields); err != nil {
					return err
				}
			}
			if !slices.Contains(*ids, id) {
				*ids = append(*ids, id)
			}
			if e.Status == store.Publish && !l.Unpublished {
				if err := ed.publishLinked(tx, k, id); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if len(values.Links("venue")) > 1 {
		return ErrTwoVenues
	}
	err := link(store.Venues, "venue", &e.Venues, func(fields params.Values) (int64, error) {
		v, err := ed.Venue(tx, fields)
		if err != nil {
			return 0, err
		}
		return v.ID, nil
	})
	if err != nil {
		return err
	}
	return link(store.Organizers, "organizer", &e.Organizers, func(fields params.Values) (int64, error) {
		o, err := ed.Organizer(tx, fields)
		if err != nil {
			return 0, err
		}
		return o.ID, nil
	})
}

// writeTerms sets the terms of one taxonomy.
func writeTerms(tx *store.Tx, values params.Values, k store.Kind, ids *[]int64) error {
	if !values.Has(k.String()) {
		return nil
	}
	*ids = nil
	for _, ref := range values.Terms(k.String()) {
		id, err := namedTerm(tx, k, ref)
		if err != nil {
			return err
		}
		if !slices.Contains(*ids, id) {
			*ids = append(*ids, id)
		}
	}
	return nil
}

// namedTerm returns the id of a term, which is made at the top when its name is
// new. Whoever may write an event may do that.
func namedTerm(tx *store.Tx, k store.Kind, ref params.TermRef) (int64, error) {
	if ref.ID != 0 {
		return ref.ID, nil
	}
	name := markup.CleanTermName(ref.Name)
	if name == "" {
		return 0, invalid(k.String(), "a name in "+k.String()+" must hold more than spaces and tags.")
	}
	for _, same := range tx.ByName(k, name) {
		return same.Key(), nil
	}
	t := &store.Term{Taxonomy: k, Name: name, Slug: freeSlug(tx, k, termSlug(tx, k, name), 0)}
	err := tx.Put(t)
	return t.ID, err
}

// publishLinked publishes a venue or an organizer that a request names beside a
// published event, if it is a draft or pending and the caller may.
func (ed Editor) publishLinked(tx *store.Tx, k store.Kind, id int64) error {
	publish := func(p *store.Post) bool {
		if !unpublished(p.Status) || !ed.Caller.May(account.Publish) || !access.MayEdit(ed.Caller, p) {
			return false
		}
		p.Status, p.Modified = store.Publish, ed.Now
		ed.settleDate(p)
		return true
	}
	switch r := tx.Get(k, id).(type) {
	case *store.Venue:
		if v := *r; publish(&v.Post) {
			return tx.Put(&v)
		}
	case *store.Organizer:
		if o := *r; publish(&o.Post) {
			return tx.Put(&o)
		}
	}
	return nil
}
