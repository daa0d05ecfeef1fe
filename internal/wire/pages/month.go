// Months and weeks.

package pages

import (
	"html/template"
	"slices"
	"time"

	"almanac/store"
)

// A Month is the weeks of a month; a week is one with a single week.
type Month struct {
	Outline
	Weekdays []Weekday
	Now      []template.HTML // made by Theme.Part of OnNow
	Folds    bool            // narrow windows fold days before today
	Weeks    []template.HTML // made by Theme.Part
}

// A Weekday is the head of a column.
type Weekday struct{ Short, Full string }

// A Cell is a day of a month.
type Cell struct {
	Day     Time // its text is the date with its weekday
	Number  string
	Href    string // "" of a day without events
	Today   bool
	Gone    bool // before today, which is on the page too
	Empty   bool // nothing but middle days of bars
	Outside bool // of the month beside
	Entries []Entry
	More    *Link   // "+12 more"
	Rest    []Entry // of these, which paper has in place of More
	Beyond  string  // "+2 more" than Rest has; "" is none
}

// Limits of a day of a month.
const (
	mostInCell = 6                      // events, if there are few bars
	leastBelow = 3                      // events below bars
	mostLanes  = 10                     // bars
	MostOnDay  = mostInCell + mostLanes // events that are looked for
)

// Weekdays returns the heads of the columns of a month.
func (m *Maker) Weekdays() []Weekday {
	heads := make([]Weekday, 0, 7)
	full := m.Locale.Weekdays()
	short := m.Locale.ShortWeekdays()
	for _, d := range m.Locale.Week().Days() {
		heads = append(heads, Weekday{short[d], full[d]})
	}
	return heads
}

// Week returns the seven cells of a row that begins with a day, and the events that no earlier row
// has. Days from first on have the found events, of totals that touch them. Folds says that today
// is on the page.
func (m *Maker) Week(
	begin, first time.Time,
	found [][]*store.Event,
	totals []int,
	folds bool,
) (cells []*Cell, told []*store.Event) {
	entryOn := func(e *store.Event, t time.Time) Entry {
		if start, _ := m.times(e); !start.Before(t) || t.Equal(first) {
			told = append(told, e)
		}
		return m.cellEntry(e, t)
	}
	outside := max(0, int(first.Sub(begin)/day))
	lanes := m.lanes(begin.Add(time.Duration(outside)*day), found)
	for i := range 7 {
		if i -= outside; i < 0 || i >= len(found) {
			cells = append(cells, &Cell{Outside: true, Empty: true})
			continue
		}
		t := begin.Add(time.Duration(outside+i) * day)
		c := &Cell{
			Day:    Time{m.Locale.FullNoYear(t), t.Format(time.DateOnly)},
			Number: t.Format("2"),
			Today:  t.Equal(midnight(m.Now)),
			Gone:   folds && t.Before(midnight(m.Now)),
		}
		shown := 0
		for _, lane := range lanes {
			entry := Entry{Lane: true}
			if e := lane[i]; e != nil {
				entry = entryOn(e, t)
				entry.Lane = i > 0 && lane[i-1] == e
				for entry.Bar < len(lane)-i && lane[i+entry.Bar] == e {
					entry.Bar++
				}
				last := m.lastDay(e)
				entry.Stays = last.After(t.Add(time.Duration(entry.Bar-1) * day))
				entry.Middle = e.TakesWeeks() && entry.Goes && last.After(t) &&
					(folds || !t.Equal(first))
				shown++
			}
			c.Entries = append(c.Entries, entry)
		}
		for n := len(c.Entries); n > 0 && c.Entries[n-1].Href == ""; n-- { // no bar is below it
			c.Entries = c.Entries[:n-1]
		}
		for most := max(mostInCell, shown+leastBelow); len(found[i]) > 0 && shown < most; found[i] = found[i][1:] {
			if e := found[i][0]; !m.isBar(e) {
				c.Entries = append(c.Entries, entryOn(e, t))
				shown++
			}
		}
		if totals[i] > 0 {
			c.Href = m.DayPage(t)
		}
		if more := totals[i] - shown; more > 0 {
			c.More = &Link{Text: m.Words.Count("site.more", more), Href: template.URL(c.Href)}
			for _, e := range found[i] {
				inLane := func(lane []*store.Event) bool { return lane[i] == e }
				if !slices.ContainsFunc(lanes, inLane) {
					c.Rest = append(c.Rest, m.cellEntry(e, t))
				}
			}
			if more -= len(c.Rest); more > 0 {
				c.Beyond = m.Words.Count("site.more", more)
			}
		}
		c.Empty = c.More == nil &&
			!slices.ContainsFunc(
				c.Entries,
				func(e Entry) bool { return e.Href != "" && !e.Middle },
			)
		cells = append(cells, c)
	}
	return cells, told
}

// isBar reports whether an event is shown as a bar over its days.
func (m *Maker) isBar(e *store.Event) bool {
	inside, _ := m.Inside(e)
	start, end := m.times(e)
	return isLong(inside, start, end)
}

// lanes puts the bars of a row into lanes, each into the first free lane. A lane has the event of
// each day from a day on, or nil. It omits events for which there is no lane.
func (m *Maker) lanes(from time.Time, found [][]*store.Event) (lanes [][]*store.Event) {
	placed := map[*store.Event]bool{}
	for _, events := range found {
		for _, e := range events {
			if placed[e] || !m.isBar(e) {
				continue
			}
			placed[e] = true
			start, _ := m.times(e)
			begin := max(0, int(midnight(start).Sub(from)/day))
			end := min(len(found), int(m.lastDay(e).Sub(from)/day)+1)
			isTaken := func(lane []*store.Event) bool {
				return slices.ContainsFunc(
					lane[begin:end],
					func(e *store.Event) bool { return e != nil },
				)
			}
			at := slices.IndexFunc(lanes, func(lane []*store.Event) bool { return !isTaken(lane) })
			if at < 0 && len(lanes) < mostLanes {
				at = len(lanes)
				lanes = append(lanes, make([]*store.Event, len(found)))
			}
			for i := begin; at >= 0 && i < end; i++ {
				lanes[at][i] = e
			}
		}
	}
	return lanes
}

// cellEntry returns an event as it stands on a day in a month: a cell names no zone, so its clock
// is that of the site, and neither place nor cost.
func (m *Maker) cellEntry(e *store.Event, on time.Time) Entry {
	start, end := m.times(e)
	entry := m.entry(e, on, start, end)
	if !entry.AllDay && !entry.Goes {
		entry.When = m.Locale.Time(start)
	}
	if entry.goesOn(on, start, end) {
		entry.Note = m.until(lastMoment(start, end), on, m.Locale.DayMonth, m.Locale.Medium)
	}
	return entry
}

// OnNow returns events that take weeks and have begun, as a day without a date.
func (m *Maker) OnNow(events []*store.Event) *Day {
	return &Day{Entries: m.Day(midnight(m.Now), events).Entries}
}
