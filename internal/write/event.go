// Events.

package write

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/text/cost"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
	"almanac/store/record"
)

// Event applies a draft to e, which is a new event if old is nil and otherwise a copy of old, and
// stores it. Only the members that were sent change. They become overrides in an event of a
// series.
func (ed Editor) Event(tx *store.Tx, d Draft, e, old *store.Event) error {
	if err := ed.Fill(tx, d, e, old); err != nil {
		return err
	}
	if old != nil && old.Recurrence != nil {
		if err := ed.setOwn(tx, d.Has("slug"), e, old); err != nil {
			return err
		}
	}
	return tx.Put(e)
}

// Fill is Event without storing the event: it keeps its place in a series.
func (ed Editor) Fill(tx *store.Tx, d Draft, e, old *store.Event) error {
	if err := ed.apply(tx, d, e, old); err != nil {
		return err
	}
	sent := ""
	switch {
	case d.File != nil && d.File.Verbatim:
		e.Slug = d.File.Slug
		return nil
	case d.File != nil:
		sent = d.File.Slug
	default:
		sent = markup.SlugIn(ed.Language, d.Text("slug"))
	}
	ed.writeSlug(tx, store.Events, &e.Post, postOf(old), sent, slugTitle(e))
	return nil
}

// postOf returns the common part of an event; nil for nil.
func postOf(e *store.Event) *store.Post {
	if e == nil {
		return nil
	}
	return &e.Post
}

// apply sets all members that were sent except the slug, which depends on other records. It
// creates new terms, venues and organizers.
func (ed Editor) apply(tx *store.Tx, d Draft, e, old *store.Event) error {
	if d.Has("title") && !d.shows(d.Text("title"), e.Title, titles) {
		e.Title = ed.title(d.Text("title"))
	}
	if d.File == nil && d.Has("excerpt") {
		e.Excerpt = ed.html(d.Text("excerpt"))
	}
	if err := ed.writePost(tx, d, &e.Post, postOf(old)); err != nil {
		return err
	}
	isBlank := strings.TrimSpace(e.Title+e.Description+e.Excerpt) == ""
	if isBlank && d.File == nil {
		return invalid("title", "title must hold more than spaces.")
	}
	if isBlank && !d.File.Stored {
		return ErrBlank
	}
	if err := ed.writeTimes(d, e, old); err != nil {
		return err
	}
	if err := ed.writeState(d, e, old); err != nil {
		return err
	}
	if err := ed.writeCost(d, e); err != nil {
		return err
	}
	ed.writeWebsite(d, e)
	setPlain(d, record.EventFields, e)
	if d.Has("post_parent") {
		if e.Parent = d.Int("post_parent"); e.Parent != 0 && e.Parent == e.ID {
			return invalid("post_parent", "post_parent must not be the event itself.")
		}
	}
	ed.writePassword(d, e)
	if ed.propose(e); ed.Proposal != nil {
		ed.Proposal = &e.Proposal // which gets what is made for it
	}
	if old == nil && e.Sticky && !e.Modified.IsZero() && d.File == nil {
		e.Modified = ed.Now // The Events Calendar sets it in a second step, so clients see a change
	}
	if err := ed.writeLinks(tx, d, e); err != nil {
		return err
	}
	if old == nil || old.Status == store.Publish || e.Status != store.Publish {
		return nil
	}
	return ed.publishMade(tx, e)
}

// publishMade publishes the venues and organizers of an event that were made with its proposal.
func (ed Editor) publishMade(tx *store.Tx, e *store.Event) error {
	for _, k := range []store.Kind{store.Venues, store.Organizers} {
		for _, id := range *linksIn(e, k) {
			if !e.Proposal.IsMade(k, id) {
				continue
			}
			if err := ed.publishLinked(tx, k, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// propose sets the proposal of an event.
func (ed Editor) propose(e *store.Event) {
	if ed.Proposal != nil {
		e.Proposal = *ed.Proposal
	}
}

// writeTimes sets the zone, the start, the end and all_day. Local times that the zone skips move
// forward.
func (ed Editor) writeTimes(d Draft, e, old *store.Event) error {
	if d.File != nil {
		return ed.fileTimes(d, e)
	}
	zone := ed.Site
	switch {
	case d.Has("timezone"):
		if sent := d.Zone("timezone"); sent != nil {
			zone = sent
		}
	case old != nil:
		var err error
		if zone, err = ed.Zones.Load(old.Timezone); err != nil {
			return err
		}
	}
	e.Timezone = zone.Name()
	if d.Has("all_day") {
		e.AllDay = d.Bool("all_day")
	}
	localTime := func(t time.Time) store.Wall { return store.WallOf(zone.Wall(zone.Instant(t))) }
	if d.Has("start_date") {
		e.Start = localTime(d.Date("start_date", zone).Wall)
	} else {
		e.Start = localTime(e.Start.Time())
	}
	if e.AllDay {
		// This comes before the end is moved: the hour of a whole day is not part of its length.
		e.Start = store.WallOf(caltime.StartOfDay(e.Start.Time()))
	}
	switch {
	case d.Has("end_date"):
		e.End = localTime(d.Date("end_date", zone).Wall)
	case old != nil && e.Start > old.End:
		e.End = localTime((e.Start + old.End - old.Start).Time()) // the event keeps its length
	default:
		e.End = localTime(e.End.Time())
	}
	e.End = max(e.End, e.Start)
	if e.AllDay {
		e.End = store.WallOf(caltime.EndOfDay(e.End.Time()))
	}
	return nil
}

// writeCost sets the cost of an event. Null keeps it, and so does the text that
// answers show, which may say less than the store holds.
func (ed Editor) writeCost(d Draft, e *store.Event) error {
	if d.File != nil {
		d.fileCost(e)
		return nil
	}
	if !d.Has("cost") ||
		len(e.Entries) > 0 && d.Any("cost") == e.Cost.Text(ed.Currency) {
		return nil
	}
	c, err := cost.Parse(d.Any("cost"))
	if err != nil {
		return invalid("cost", err.Error()+".")
	}
	if !c.IsZero() {
		c.Code = e.Code
	}
	e.Cost = c
	return nil
}

// PlainURL decodes the entities of a website in an answer.
var PlainURL = strings.NewReplacer("&amp;", "&", "&#038;", "&", "&#039;", "'")

// writeWebsite sets the website of an event. Answers show the event's own page if it has no
// website, so that address means none. A website that an update empties stays empty.
func (ed Editor) writeWebsite(d Draft, e *store.Event) {
	if !d.Has("website") {
		return
	}
	website := d.Text("website")
	if !d.isStored() {
		website = PlainURL.Replace(markup.StripTags(website))
	}
	switch {
	case website == "", website == "0" && !d.isStored():
		e.Website = ""
		e.NoWebsite = d.forgetsWebsite(e)
	case website == ed.pageOf(d, e) && !d.isStored():
		e.Website = ""
		e.NoWebsite = false
	default:
		e.Website = website
		e.NoWebsite = false
	}
}

// writeLinks sets the terms, venues and organizers of an event, and creates new ones.
func (ed Editor) writeLinks(tx *store.Tx, d Draft, e *store.Event) error {
	for _, k := range []store.Kind{store.Categories, store.Tags} {
		if err := ed.writeTerms(tx, d, k, linksIn(e, k)); err != nil {
			return err
		}
	}
	if len(d.Links("venue")) > 1 && d.File == nil {
		return ErrTwoVenues
	}
	if err := ed.link(tx, d, e, store.Venues, "venue"); err != nil {
		return err
	}
	return ed.link(tx, d, e, store.Organizers, "organizer")
}

// link sets the venues or the organizers of an event. A published event publishes them, unless the
// object in the request has another status. Linked records that the request does not name stay
// unchanged.
func (ed Editor) link(
	tx *store.Tx,
	d Draft,
	e *store.Event,
	k store.Kind,
	name string,
) error {
	if !d.Has(name) {
		return nil
	}
	ids := linksIn(e, k)
	*ids = nil
	for _, l := range d.Links(name) {
		if l.Zero() {
			return &BlankName{name}
		}
		id := l.ID
		if id == 0 {
			made, err := ed.Linked(tx, k, l.Fields)
			if err != nil {
				return err
			}
			id = made.Key()
		}
		if !slices.Contains(*ids, id) || d.isStored() {
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

func (ed Editor) writeTerms(tx *store.Tx, d Draft, k store.Kind, ids *[]int64) error {
	if !d.Has(k.String()) {
		return nil
	}
	before := *ids
	*ids = nil
	for _, ref := range d.Terms(k.String()) {
		id, err := ed.namedTerm(tx, k, ref)
		if err != nil {
			return err
		}
		if !slices.Contains(*ids, id) || d.isStored() {
			*ids = append(*ids, id)
		}
	}
	if d.namesTerms() && slices.Equal(termNames(tx, k, before), termNames(tx, k, *ids)) {
		*ids = before
	}
	return nil
}

// termNames returns the names of terms in order, each once.
func termNames(tx *store.Tx, k store.Kind, ids []int64) (names []string) {
	for _, id := range ids {
		if t := tx.Term(k, id); t != nil {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// namedTerm returns the id of a term of an event. A new name creates a term without a parent;
// every author may do that.
func (ed Editor) namedTerm(tx *store.Tx, k store.Kind, ref params.TermRef) (int64, error) {
	if ref.ID != 0 {
		return ref.ID, nil
	}
	name := markup.CleanTermName(ref.Name)
	if name == "" {
		return 0, invalid(
			k.String(),
			"a name in "+k.String()+" must hold more than spaces and tags.",
		)
	}
	for same := range tx.ByName(k, name) {
		return same.Key(), nil
	}
	t := &store.Term{
		Taxonomy: k,
		Name:     name,
		Slug:     FreeSlug(tx, k, ed.NameSlug(tx, k, name, 0), 0),
	}
	err := tx.Put(t)
	return t.ID, err
}

// publishLinked publishes a draft or pending venue or organizer of a published event, if the
// caller may publish it.
func (ed Editor) publishLinked(tx *store.Tx, k store.Kind, id int64) error {
	next, p := CopyOf(tx.Get(k, id))
	if p == nil || !p.Status.Unpublished() || !ed.Caller.May(account.Publish) ||
		!access.MayEdit(ed.Caller, p) {
		return nil
	}
	p.Status = store.Publish
	p.Modified = ed.Now
	ed.settleDate(p)
	return tx.Put(next)
}
