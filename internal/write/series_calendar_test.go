// Helpers of tests of series: a store with an Editor, and a short form of its content.

package write_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

type calendar struct {
	testing.TB
	store *store.Store
	zones caltime.Zones
	site  *caltime.Zone
	now   time.Time
	as    account.Account
}

// newCalendar makes an empty calendar of Berlin, on a Friday in November 2026.
func newCalendar(t testing.TB) *calendar {
	t.Helper()
	c := &calendar{
		TB:    t,
		store: apitest.Store(t, nil),
		now:   time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
	}
	c.as = account.Account{ID: 1, Role: account.Administrator}
	var err error
	if c.site, err = c.zones.Load("Europe/Berlin"); err != nil {
		t.Fatal(err)
	}
	return c
}

// A result is the return values of an Editor.
type result struct {
	event  *store.Event
	report *write.Report
	err    error
}

func (r result) String() string {
	var refused *params.Invalid
	switch {
	case errors.As(r.err, &refused):
		return refused.Complaints[0].Reason
	case r.err != nil:
		return r.err.Error()
	case r.report == nil:
		return fmt.Sprintf("%d alone", r.event.ID)
	}
	return fmt.Sprintf(
		"%d made %v kept %v removed %v",
		r.event.ID,
		r.report.Made,
		r.report.Kept,
		r.report.Removed,
	)
}

// write runs f in a transaction.
func (c *calendar) write(f func(ed write.Editor, tx *store.Tx, r *result)) (r result) {
	c.Helper()
	ed := write.Editor{
		Caller: c.as,
		Now:    c.now,
		Site:   c.site,
		Zones:  &c.zones,
		Page:   func(p *store.Post) string { return fmt.Sprintf("https://a.example/event/%d", p.ID) },
		Sealed: "hash of the password",
		Plans:  new(write.Plans),
	}
	var err error
	for unplanned := new(write.Unplanned); unplanned != nil; {
		r = result{}
		err = c.store.Update(c.as.ID, func(tx *store.Tx) error {
			f(ed, tx, &r)
			return r.err
		})
		if unplanned = nil; errors.As(err, &unplanned) {
			unplanned.Plan()
		}
	}
	if r.err = cmp.Or(r.err, err); r.err == nil {
		c.view(func(v *store.View) { r.event = v.Event(r.event.ID) })
	}
	return r
}

func (c *calendar) view(f func(*store.View)) {
	if err := c.store.View(func(v *store.View) error { f(v); return nil }); err != nil {
		c.Fatal(err)
	}
}

// values checks a body, and its recurrence.
func (c *calendar) values(
	table params.Table,
	body string,
) (params.Values, *params.Recurrence, error) {
	c.Helper()
	from := params.Source{
		Method:      "POST",
		ContentType: "application/json",
		Body:        []byte(body),
		Path: map[string]string{
			"id": "1",
		},
	}
	in, err := params.Read(from)
	if err != nil {
		c.Fatal(err, body)
	}
	env := params.Env{Now: c.now, Site: c.site, Zones: &c.zones, Known: everything{}, Items: 500}
	values, err := table.Check(in, env)
	if err != nil {
		return values, nil, err
	}
	recurrence, err := params.Table{{Name: "recurrence", Kind: params.Recurring}}.Check(in, env)
	if err != nil {
		return values, nil, err
	}
	return values, recurrence.Recurrence("recurrence"), nil
}

func (c *calendar) create(body string) result {
	c.Helper()
	return c.write(func(ed write.Editor, tx *store.Tx, r *result) {
		values, recurrence, err := c.values(params.EventCreate, body)
		if r.err = err; err == nil {
			r.event, r.report, r.err = ed.CreateEvent(tx, values, recurrence)
		}
	})
}

func (c *calendar) update(id int64, scope write.Scope, body string) result {
	c.Helper()
	return c.write(func(ed write.Editor, tx *store.Tx, r *result) {
		values, recurrence, err := c.values(params.EventUpdate, body)
		if r.err = err; err == nil {
			r.event, r.report, r.err = ed.UpdateEvent(tx, values, recurrence, scope, tx.Event(id))
		}
	})
}

func (c *calendar) delete(id int64, scope write.Scope) result {
	c.Helper()
	return c.write(func(ed write.Editor, tx *store.Tx, r *result) {
		r.event, r.report, r.err = ed.DeleteEvent(tx, scope, tx.Event(id))
	})
}

// tick moves the clock forward, and moves horizons.
func (c *calendar) tick(d time.Duration) {
	c.Helper()
	c.now = c.now.Add(d)
	if err := write.PublishDue(c.store, c.now); err != nil {
		c.Fatal(err)
	}
	for c.store.Due(c.now) {
		if err := write.MoveHorizons(c.store, c.now); err != nil {
			c.Fatal(err)
		}
	}
}

// lines returns the series and the events, one per line: events of series by date, then single
// events by id.
func (c *calendar) lines() []string {
	var all []string
	c.view(func(v *store.View) {
		for _, s := range v.SeriesByID() {
			line := fmt.Sprintf("series %d %s %s", s.ID, s.Event.Start, s.Rule)
			for name, dates := range map[string][]store.Wall{"+": s.RDates, "-": s.EXDates} {
				for _, d := range dates {
					line += " " + name + d.String()
				}
			}
			if s.Event.Status == store.Trash {
				line += " ended"
			}
			all = append(all, line)
		}
		var events []*store.Event
		for r := range v.Each(store.Events) {
			events = append(events, r.(*store.Event))
		}
		slices.SortFunc(events, func(a, b *store.Event) int { return cmp.Compare(a.ID, b.ID) })
		for _, e := range events {
			line := fmt.Sprintf("%d %s %s %s %s", e.ID, e.Slug, e.Start, e.Status, e.Title)
			if place := e.Recurrence; place != nil {
				line += fmt.Sprintf(" of %d", place.Series)
				if place.Start != e.Start {
					line += " " + place.Start.String()
				}
				if place.Changed != nil {
					line += fmt.Sprintf(" %v", place.Changed)
				}
			}
			all = append(all, line)
		}
	})
	return all
}

func (c *calendar) expect(what string, want ...string) {
	c.Helper()
	if diff := gocmp.Diff(want, c.lines()); diff != "" {
		c.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func (c *calendar) said(r result, want string) result {
	c.Helper()
	if got := r.String(); got != want && (want == "" || !strings.Contains(got, want)) {
		c.Errorf("returned %q, want %q", got, want)
	}
	return r
}
