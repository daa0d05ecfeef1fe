// Storing a series: some of its events are kept, some generated, some removed.

package write

import (
	"fmt"
	"slices"

	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/store"
)

// A revision is a change of a series and its events.
type revision struct {
	Editor
	tx     *store.Tx
	series *store.Series  // new state; its id is 0 if it is new
	before *store.Series  // part that the series is split from, as stored; nil for none
	events []*store.Event // current events outside the trash, by date
	gone   []*store.Event // events in the trash with exceptions: they may come back

	members map[string]bool             // members that events take from the series, except overrides
	asked   *store.Event                // event of the request, which loses its overrides; nil for none
	move    func(store.Wall) store.Wall // new date for an event's date; nil: dates stay
	leaving bool                        // the events become single events
	filed   bool                        // times of change come from a file

	report Report
}

func (ed Editor) revise(tx *store.Tx, s *store.Series) *revision {
	next := *s
	r := &revision{Editor: ed, tx: tx, series: &next, members: map[string]bool{}}
	for _, e := range tx.Instances(s.ID) {
		if e.Status != store.Trash {
			r.events = append(r.events, e)
		} else if _, excepted := slices.BinarySearch(s.EXDates, e.Recurrence.Start); excepted {
			r.gone = append(r.gone, e)
		}
	}
	return r
}

func (r *revision) isAsked(e *store.Event) bool { return r.asked != nil && e.ID == r.asked.ID }

// to returns the new date of an event.
func (r *revision) to(date store.Wall) store.Wall {
	if r.move == nil {
		return date
	}
	return r.move(date)
}

// An instance is a date of the series and the event that is kept for it, or nil.
type instance struct {
	date     store.Wall
	was, now *store.Event
}

// settle stores the series and its events. An event whose new date is in the series is kept,
// others go to the trash. Dates without an event get a new one.
func (r *revision) settle() error {
	dates, err := r.dates()
	if err != nil {
		return err
	}
	instances := make([]instance, len(dates))
	places := make(map[store.Wall]*instance, len(dates))
	for i, date := range dates {
		instances[i].date = date
		places[date] = &instances[i]
	}
	var removed []*store.Event
	for _, e := range r.events {
		if in := places[r.to(e.Recurrence.Start)]; in != nil && in.was == nil {
			in.was = e
		} else {
			removed = append(removed, e)
		}
	}
	for i := range instances {
		if in := &instances[i]; in.was != nil {
			if in.now, err = r.revised(in.was, in.date); err != nil {
				return err
			}
		}
	}
	if err := r.admit(instances, removed); err != nil {
		return err
	}
	if err := r.putSeries(); err != nil {
		return err
	}
	if err := r.remove(removed); err != nil {
		return err
	}
	for i := range instances {
		if err := r.vacate(&instances[i]); err != nil {
			return err
		}
	}
	for i := range instances {
		if err := r.put(&instances[i]); err != nil {
			return err
		}
	}
	return r.moveGone()
}

// linksMost is how many links to categories, tags, venues and organizers the events of a series
// have together: each is a place in a list that others wait for, and a text in the log. An
// administrator may have more, by an import too. Of a series with more, others change one event at
// a time, since a change of all may replace all links.
const linksMost = 50_000

// leastBytes is how many bytes of log an event without texts and links takes at least, and
// newBytes how many of log and memory a new one does.
const leastBytes, newBytes = 250, leastBytes + store.RecordMemory

// linksOf returns the number of links that linksMost counts.
func linksOf(e *store.Event) int {
	return len(e.Categories) + len(e.Tags) + len(e.Venues) + len(e.Organizers)
}

// admit refuses a change that is too much before anything of it is stored: its links, and the log
// and the memory that it takes.
func (r *revision) admit(instances []instance, removed []*store.Event) error {
	e := &r.series.Event
	links := 0
	before := 0
	made := 0
	bytes := len(e.Title) + len(e.Description) + len(e.Excerpt) + len(e.Website)
	for i := range instances {
		switch in := &instances[i]; {
		case in.was == nil:
			made++
			links += linksOf(e)
			bytes += newBytes + 2*linksOf(e) // a digit and a comma
		case r.differs(in):
			bytes += leastBytes + 2*linksOf(in.now)
			fallthrough
		default:
			links += linksOf(in.now)
			before += linksOf(in.was)
		}
	}
	if made > 0 { // the first has the texts too
		bytes += len(e.Title) + len(e.Description) + len(e.Excerpt) + len(e.Website)
	}
	for _, e := range removed {
		before += linksOf(e)
		bytes += leastBytes
	}
	if before > linksMost && !r.Caller.May(account.Import) {
		return invalid("scope", fmt.Sprintf(
			"scope: the events that it names have %d links to categories, tags, venues and organizers, "+
				"and only an administrator changes more than %d at once; right would be scope=this.",
			before, linksMost))
	}
	if err := r.admitLinks(e, len(instances), links); err != nil {
		return err
	}
	return r.afford(bytes)
}

// admitLinks refuses a series whose links become more than linksMost. It names the parameter with
// most links of one of its events.
func (ed Editor) admitLinks(e *store.Event, events, links int) error {
	if links <= linksMost || ed.Caller.May(account.Import) {
		return nil
	}
	name := "organizer"
	most := len(e.Organizers)
	for _, k := range []store.Kind{store.Categories, store.Tags} {
		if n := len(*linksIn(e, k)); n > most {
			name = k.String()
			most = n
		}
	}
	return invalid(
		name,
		fmt.Sprintf(
			"%s: the series would have %d links to categories, tags, venues and organizers in its %d events; "+
				"right would be at most %d, by fewer events or fewer links of each.",
			name,
			links,
			events,
			linksMost,
		),
	)
}

// afford refuses what takes more bytes of log than there may be.
func (ed Editor) afford(bytes int) error {
	if ed.Afford == nil {
		return nil
	}
	return ed.Afford(int64(bytes))
}

// dates returns the dates of all events after the change.
func (r *revision) dates() (dates []store.Wall, err error) {
	var least store.Wall
	for _, e := range r.events {
		date := r.to(e.Recurrence.Start)
		least = max(least, date+1)
		dates = append(dates, date)
	}
	if r.leaving {
		return inOrder(dates), nil
	}
	return r.plan(r.series, least)
}

// putSeries stores the series. A series without its events has ended.
func (r *revision) putSeries() error {
	switch {
	case !r.leaving && r.before != nil:
		return r.putPart()
	case !r.leaving:
		return r.tx.Put(r.series)
	case r.series.ID == 0:
		return nil
	}
	ended := *r.series
	end(&ended)
	return r.tx.Put(&ended)
}

// end ends a series: it generates no more events.
func end(s *store.Series) {
	old := s.Event.Post
	s.Event.Status = store.Trash
	s.Horizon = 0
	keepDraft(&s.Event.Post, &old)
}

// remove moves events to the trash.
func (r *revision) remove(events []*store.Event) error {
	for _, e := range events {
		if !access.MayDelete(r.Caller, &e.Post) {
			return ErrForbidden
		}
		next := *e
		r.trash(r.tx, &next.Post, store.Events)
		if r.filed {
			next.Modified = r.series.Event.Modified
		}
		if err := r.tx.Put(&next); err != nil {
			return err
		}
		r.report.Removed = append(r.report.Removed, e.ID)
	}
	return nil
}

// vacate frees date and slug of an event that moves for other events.
func (r *revision) vacate(in *instance) error {
	if in.was == nil {
		return nil
	}
	if in.now.Recurrence != nil {
		in.now.Recurrence.Series = r.series.ID // which a new series has since it is stored
	}
	if in.was.Recurrence.Start == in.date {
		return nil
	}
	next := *in.was
	next.Slug = in.now.Slug
	next.Recurrence = nil
	return r.tx.Put(&next)
}

// differs reports whether the new state of an event that is kept is to be stored.
func (r *revision) differs(in *instance) bool {
	place := in.now.Recurrence
	was := in.was.Recurrence
	return place == nil || place.Series != was.Series || place.Start != was.Start ||
		!slices.Equal(place.Changed, was.Changed) ||
		len(differing(in.now, in.was)) > 0 ||
		r.isAsked(in.now)
}

// put stores the event of an instance, if it is new or changed.
func (r *revision) put(in *instance) (err error) {
	e := in.now
	if e == nil {
		if e, err = r.instanceOf(r.series, in.date); err != nil {
			return err
		}
	} else {
		r.report.Kept = append(r.report.Kept, e.ID)
		if !r.differs(in) {
			return nil
		}
		if !access.MayEdit(r.Caller, &in.was.Post) {
			return ErrForbidden
		}
		if !r.filed {
			e.Modified = r.Now
		} else if len(e.Recurrence.Changed) == 0 && len(e.Origins) == 0 {
			e.Modified = r.series.Event.Modified
		}
	}
	if e.Slug == "" && (r.series.Event.Slug != "" || !e.Status.Unpublished()) {
		e.Slug = FreeSlug(r.tx, store.Events, dated(r.series.Event.Slug, in.date), e.ID)
	}
	if err := r.tx.Put(e); err != nil || in.now != nil {
		return err
	}
	r.report.Made = append(r.report.Made, e.ID)
	return nil
}

// revised returns the new state of an event at a date.
func (r *revision) revised(e *store.Event, date store.Wall) (*store.Event, error) {
	like, err := r.instanceOf(r.series, date)
	if err != nil {
		return nil, err
	}
	next := *e
	was := e.Recurrence.Start
	own := slices.DeleteFunc(
		slices.Clone(e.Recurrence.Changed),
		func(name string) bool { return r.isAsked(e) && r.members[name] },
	)
	start := slices.Contains(own, "start_date")
	end := slices.Contains(own, "end_date")
	shifted := date != was
	switch {
	case shifted && start && !end: // an event with its own start keeps its end
		own = union(own, []string{"end_date"})
	case shifted && end && !start:
		next.End += date - was
	}
	copyMembers(&next, like, func(name string) bool {
		taken := r.members[name] || shifted && (name == "start_date" || name == "end_date")
		return taken && name != "slug" && !slices.Contains(own, name)
	})
	if next.Start != e.Start {
		next.PreviousStart = 0
	}
	if shifted ||
		slices.ContainsFunc(timeMembers, func(name string) bool { return r.members[name] }) {
		zone, err := r.Zones.Load(next.Timezone)
		if err != nil {
			return nil, err
		}
		settleTimes(&next, zone)
	}
	if !slices.Contains(own, "slug") &&
		(r.members["slug"] || startOfDay(next.Start) != startOfDay(e.Start)) {
		next.Slug = ""
	}
	if next.Recurrence = nil; !r.leaving {
		next.Recurrence = &store.Recurrence{Series: r.series.ID, Start: date, Changed: own}
	}
	return &next, nil
}

// moveGone moves the events in the trash with their series, because they may come back.
func (r *revision) moveGone() error {
	for _, e := range r.gone {
		place := &store.Recurrence{
			Series:  r.series.ID,
			Start:   r.to(e.Recurrence.Start),
			Changed: e.Recurrence.Changed,
		}
		if r.leaving || place.Series == e.Recurrence.Series && place.Start == e.Recurrence.Start {
			continue
		}
		if err := r.tx.Put(Placed(e, place)); err != nil {
			return err
		}
	}
	return nil
}
