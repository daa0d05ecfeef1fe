// Pages of months and weeks.

package site

import (
	"cmp"
	"slices"
	"time"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/params"
	"almanac/store"
)

// servePageMonth answers with a month, or a week.
func servePageMonth(p *page) (*respond.Response, error) {
	month := new(pages.Month)
	var data graph
	var f pages.Frame
	l := api.List{Call: p.Call}
	var weeks, now []part
	show := func(v *store.View, _ params.Values) error {
		filter := l.Filter
		p.filter = filter
		view := p.display()
		m := p.maker(v)
		first, _ := parseDay(
			cmp.Or(p.Day, p.From, m.Now.Format(time.DateOnly)),
		) // it was read before
		from := m.Locale.Week().Start(first)
		after := from.AddDate(0, 0, 7)
		if view == "week" {
			first = from
			month.Heading = m.Locale.MediumInterval(first, after.AddDate(0, 0, -1), true)
		} else {
			first = first.AddDate(0, 0, 1-first.Day())
			from = m.Locale.Week().Start(first)
			after = first.AddDate(0, 1, 0)
			month.Heading = m.Locale.Month(first)
		}
		month.Weekdays = m.Weekdays()
		filter.Day = new(store.WallOf(first))
		found := filter.Days(
			v,
			store.WallOf(first),
			int(after.Sub(first)/(24*time.Hour)),
			pages.MostOnDay,
		)
		days := found.Days
		all := []*store.Event(nil)
		weeks = nil
		now = nil
		month.Folds = p.isNow(first, after)
		if i := int(m.Now.Sub(first) / (24 * time.Hour)); month.Folds {
			ongoing := slices.DeleteFunc(slices.Clone(days[i].Events), func(e *store.Event) bool {
				return !filter.IsOngoing(e, store.WallOf(first.AddDate(0, 0, i)))
			})
			if len(ongoing) > 0 {
				now = []part{p.onNow(v, ongoing, false)}
			}
		}
		for t := from; t.Before(after); t = t.Add(7 * 24 * time.Hour) {
			week := days[:min(len(days), 7-max(0, int(first.Sub(t)/(24*time.Hour))))]
			days = days[len(week):]
			for _, on := range week {
				all = append(all, on.Events...)
			}
			weeks = append(weeks, p.week(v, t, first, week, month.Folds))
		}
		p.turnMonth(m, month, found, view)
		criteria := p.criteria(v)
		f = p.listFrame(v, month.Heading, view)
		if name := p.heading(v, view, first); p.archive() != (address{}) {
			f.Title = name + " · " + f.Title
		}
		p.narrow(v, &month.Outline, criteria, found.Total, address{}.at(view, first))
		f.Description = description(f.Title, m.Words.Count("site.events", found.Total))
		if len(all) == 0 {
			p.empty(v, &month.Outline, view, after, len(criteria) > 0)
		}
		f.Hidden = f.Hidden || !p.isListed(v, all, first, after)
		return nil
	}
	return l.Do(l.LookEvents, show, func() (_ *respond.Response, err error) {
		month.Weeks, err = p.pageParts(weeks, &data)
		if err != nil {
			return nil, err
		}
		month.Now, err = p.pageParts(now, new(graph))
		if err != nil {
			return nil, err
		}
		f.Data = data
		return p.pageResponse(f, month, l.Tag)
	})
}

// week returns a week of a month that begins on a day, with the given days. Folds says that today
// is on the page.
func (p *page) week(
	v *store.View,
	t, first time.Time,
	days []filters.Day,
	folds bool,
) part {
	found := make([][]*store.Event, 0, 7)
	totals := make([]int, 0, 7)
	for _, on := range days {
		found = append(found, on.Events)
		totals = append(totals, on.Total)
	}
	return p.newPart(v, func(m *pages.Maker, out *pages.Part) (listed []*store.Event) {
		out.Cells, listed = m.Week(t, first, found, totals, folds)
		return listed
	})
}

// turnMonth links to the months, or weeks, with events before and behind one: programs that
// follow links come to an end.
func (p *page) turnMonth(m *pages.Maker, month *pages.Month, around filters.Days, view string) {
	link := func(e *store.Event) *pages.Link {
		if e == nil {
			return nil
		}
		start, _, _ := m.Times(e)
		t := start.Time()
		if !pages.HasDayPage(t) {
			return nil
		}
		text := m.Locale.Month(t)
		if view == "week" {
			t = m.Locale.Week().Start(t)
			text = m.Locale.MediumInterval(t, t.AddDate(0, 0, 6), true)
		}
		return &pages.Link{Text: text, Href: p.link(p.archive().at(view, t))}
	}
	month.Earlier = link(around.Before)
	month.Later = link(around.After)
}
