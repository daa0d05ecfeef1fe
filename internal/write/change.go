// Changes of all events of a series, member by member.

package write

import (
	"slices"

	"almanac/internal/text/markup"
	"almanac/internal/text/rrule"
	"almanac/internal/wire/params"
	"almanac/store"
)

// timeMembers are the members of the time of an event. A change of a series applies them at the
// date of each event.
var timeMembers = []string{"all_day", "end_date", "start_date", "timezone"}

// change applies a request about one event of the series to the series, and stores it with its
// events.
func (r *revision) change(values params.Values, rec *params.Recurrence, e *store.Event) error {
	if values.Text("status") == string(store.Trash) {
		return invalid(
			"status",
			"status must not be trash for several events: a DELETE with the same scope puts them there.",
		)
	}
	if values.Bool("rescheduled") {
		return invalid(
			"rescheduled",
			"rescheduled must not be true for several events: send it for each, with scope=this.",
		)
	}
	next := *e
	if err := r.apply(r.tx, Draft{Values: values}, &next, e); err != nil {
		return err
	}
	r.asked = e
	s := r.series
	like, err := r.instanceOf(s, e.Recurrence.Start)
	if err != nil {
		return err
	}
	times := *like
	if err := r.writeTimes(Draft{Values: values}, &times, like); err != nil {
		return err
	}
	isTime := func(name string) bool { return slices.Contains(timeMembers, name) }
	for _, m := range members {
		r.members[m.Member()] = m.Member() != "slug" && wasSent(values, m.Member())
	}
	for _, name := range differing(&next, e) {
		r.members[name] = r.members[name] || !isTime(name)
	}
	for _, name := range differing(&times, like) {
		r.members[name] = true
	}
	copyMembers(
		&s.Event,
		&next,
		func(name string) bool { return r.members[name] && !isTime(name) && name != "slug" },
	)
	s.Event.Modified = next.Modified
	if values.Has("slug") && values.Text("slug") != e.Slug {
		if name := markup.SlugIn(r.Language, values.Text("slug")); name != "" {
			s.Event.Slug = name
			r.members["slug"] = true
		}
	}
	r.nameSeries(s)
	isParent := func(e *store.Event) bool { return e.ID == s.Event.Parent }
	if r.members["post_parent"] && slices.ContainsFunc(r.events, isParent) {
		return invalid("post_parent", "post_parent must not be an event of the series itself.")
	}
	if err := r.reschedule(&times, like, rec); err != nil {
		return err
	}
	return r.settle()
}

// reschedule moves the series by the same offset as one of its events, from like to times, and
// sets its rule.
func (r *revision) reschedule(times, like *store.Event, rec *params.Recurrence) error {
	s := r.series
	was, err := r.Expand(s)
	if err != nil {
		return err
	}
	shift := func(w store.Wall) store.Wall {
		if times.AllDay {
			return startOfDay(w) + times.Start - startOfDay(like.Start)
		}
		return w + times.Start - like.Start
	}
	start := shift(s.Event.Start)
	s.Event.AllDay = times.AllDay
	s.Event.Timezone = times.Timezone
	s.Event.Start = start
	s.Event.End = start + times.End - times.Start
	is, err := r.Expand(s)
	if err != nil {
		return err
	}
	rule := s.Rule
	shifted := times.Start != like.Start || times.AllDay != like.AllDay ||
		times.Timezone != like.Timezone
	if shifted {
		r.move = func(w store.Wall) store.Wall {
			return is.date(rrule.DateTime{
				Seconds: int64(shift(was.reading(w))),
				Form:    rrule.Local,
			})
		}
		for _, dates := range []*[]store.Wall{&s.RDates, &s.EXDates} {
			next := slices.Clone(*dates)
			for i := range next {
				next[i] = r.move(next[i])
			}
			*dates = inOrder(next)
		}
		if was.Rule != nil && was.Rule.Until.Form != 0 {
			until := rrule.DateTime{
				Seconds: int64(shift(was.clock(was.Rule.Until))),
				Form:    rrule.Local,
			}
			is.Rule.Until = is.until(until)
			s.Rule = is.Rule.String()
		}
	}
	if rec != nil && !rec.Null {
		said := *rec
		if said.Rule != nil &&
			was.canonical(said.Rule) == rule { // the client returned the stored rule
			said.Rule = nil
		}
		if err := r.Describe(s, &said); err != nil {
			return err
		}
		shifted = shifted && said.Rule == nil && !said.NoRule
	}
	if is, err = r.Expand(s); err != nil || !shifted || s.Rule == "" || is.Check() != nil ||
		is.Fits() {
		return err
	}
	return refused("the rule %s does not give the start to which the series would move, %s; "+
		"send the rule that is meant too, or a start_date on a day that the rule gives.", s.Rule, start)
}
