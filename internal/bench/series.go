// Events that come again beside as many that do not: here almanac itself is in the
// place of L.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"almanac/store"
)

const (
	seriesListsName  = "n lists with series"
	seriesCreateName = "r a series, 105 events"
	seriesLength     = 105 // weeks of two years
	generatedWeeks   = 156 // of the years in which the generated events are
)

// repeat makes a third of the events those of series, each with one of its events in
// every week of the generated years. All but their times stays as it is.
func repeat(s *store.Store, events []int64) error {
	first := store.WallOf(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	for from := 0; from < len(events)/3; from += generatedWeeks {
		err := s.Update(1, func(tx *store.Tx) error {
			var series *store.Series
			var at store.Wall
			for week := range min(generatedWeeks, len(events)/3-from) {
				e := *tx.Event(events[3*(from+week)])
				if series == nil {
					at = first + (e.Start-first)%(7*86_400)
					series = &store.Series{Event: e, Rule: "FREQ=WEEKLY;COUNT=" + strconv.Itoa(generatedWeeks)}
					series.Event.Meta, series.Event.Status, series.Event.Password = store.Meta{}, store.Publish, ""
					series.Event.Start, series.Event.End = at, at+e.End-e.Start
					if err := tx.Put(series); err != nil {
						return err
					}
				}
				e.Start, e.End = at, at+e.End-e.Start
				e.Recurrence = &store.Recurrence{Series: series.ID, Start: at}
				if err := tx.Put(&e); err != nil {
					return err
				}
				at += 7 * 86_400
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// seriesLists asks for lists of two calendars of as many events. Of one, a third of them
// are of series. Lists of the first events of series are beside those of all its events.
func (w *world) seriesLists() (err error) {
	c, err := save(w.dir, w.n, repeat)
	defer func() { err = errors.Join(err, c.remove()) }()
	if err != nil {
		return err
	}
	s, err := openSaved(c.dir)
	if err != nil {
		return err
	}
	defer s.Close()
	awaitWords(s)
	w.table.heading(fmt.Sprintf("%d events, a third of series; L is almanac without series, or without first_of_series", w.n))

	anyPage := func(h http.Handler) ([]request, error) { return pages(h, w.rng(), 500) }
	ranges := func(query ...string) func(http.Handler) ([]request, error) {
		return func(http.Handler) (all []request, err error) {
			for rng := w.rng(); len(all) < 200; {
				all = append(all, get(list(append(dates(rng, 300), query...)...)))
			}
			return all, nil
		}
	}
	category := []string{"categories", strconv.FormatInt(w.categories[0], 10)}
	for _, l := range []struct {
		name            string
		mode            mode
		beside          *store.Store
		requests, other func(http.Handler) ([]request, error)
		limit           float64
	}{
		{"n any page, asked again", mode{}, w.store, anyPage, anyPage, 1.1},
		{"n any page, asked anew", mode{explain: true}, w.store, anyPage, anyPage, 1.1},
		{"n first pages", mode{explain: true}, w.store, ranges(), ranges(), 1.1},
		{"n a category and dates", mode{explain: true}, w.store, ranges(category...), ranges(category...), 1.1},
		{"n first_of_series and dates", mode{explain: true}, s, ranges("first_of_series", "true"), ranges(), 0},
	} {
		with, err := sideOf(s, l.mode, l.requests)
		if err != nil {
			return err
		}
		without, err := sideOf(l.beside, l.mode, l.other)
		if err != nil {
			return err
		}
		t, err := beside(l.name, with, without)
		if err != nil {
			return err
		}
		defer t.close()
		if err := compare(w.settings, t); err != nil {
			return err
		}
		w.table.addRates(t, 0, l.limit)
	}
	return nil
}

// A side is a handler of almanac with what it is asked for.
type side struct {
	handler  http.Handler
	requests []request
}

// sideOf makes a side that was asked for everything before.
func sideOf(s *store.Store, m mode, requests func(http.Handler) ([]request, error)) (at side, err error) {
	if at.handler, _, err = product(s, m); err != nil {
		return at, err
	}
	if at.requests, err = requests(at.handler); err != nil {
		return at, err
	}
	for _, r := range at.requests {
		if _, _, err := ask(at.handler, r); err != nil {
			return at, err
		}
	}
	return at, nil
}

// beside makes a trial of almanac beside itself.
func beside(name string, ours, other side) (*trial, error) {
	t, err := trialOf(name, ours.handler, other.handler, ours.requests)
	if err == nil {
		t.others = other.requests
	}
	return t, err
}

// series measures a client that makes a weekly series of two years with one request,
// beside one that makes its events one after the other.
func (d *durable) series() error {
	first := now.AddDate(0, 0, 7)
	series := create("Choir", first, d.links, d.token, fmt.Sprintf(`,"recurrence":{"rule":"FREQ=WEEKLY;COUNT=%d"}`, seriesLength))
	_, body, err := ask(d.handler, series)
	if err != nil {
		return err
	}
	var made struct{ Recurrence struct{ Made []int64 } }
	if err := json.Unmarshal(body, &made); err != nil || len(made.Recurrence.Made) != seriesLength {
		return fmt.Errorf("%d events were made of a series: %v", len(made.Recurrence.Made), err)
	}
	var singles []request
	for week := range seriesLength {
		singles = append(singles, create("Choir", first.AddDate(0, 0, 7*week), d.links, d.token, ""))
	}
	t, err := beside(seriesCreateName, side{d.handler, []request{series}}, side{d.handler, singles})
	if err != nil {
		return err
	}
	defer t.close()
	t.connections = 1
	if err := compare(d.settings, t); err != nil {
		return err
	}
	for i := range t.theirs { // what one event took, for as many as a series has
		t.theirs[i].Elapsed *= seriesLength
		t.theirs[i].processor *= seriesLength
	}
	d.table.heading(fmt.Sprintf("%d events, on disk; L is almanac with %d creates for a series", d.n, seriesLength))
	d.table.add(t.row("ms", func(r round) float64 { return 1000 / r.rate() }, atMost(0.1)))
	if processorTime() > 0 {
		d.table.add(t.row("processor µs", round.perRequest, atMost(0.1)))
	}
	return nil
}
