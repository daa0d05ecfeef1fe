// The cases that read: what is asked for, and what is expected of it.

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"

	"almanac/store"
)

// A readCase measures something in a world and adds rows to its table.
type readCase struct {
	name string
	run  func(*world) error
}

// readCases are run with every number of events. Memory comes first, before
// anything was asked for.
var readCases = []readCase{
	{"k memory", (*world).memory},
	{"a any page, asked again", func(w *world) error { return w.anyPage(mode{}, "", 0.80, 1.25) }},
	{"a any page, signed in", func(w *world) error { return w.anyPage(mode{signedIn: true}, "", 0.8*0.80, 0) }},
	{"a any page, asked anew", func(w *world) error { return w.anyPage(mode{explain: true}, "", 0.80, 1.25) }},
	{"b deep pages", (*world).deepPages},
	{"c any page, nothing kept", func(w *world) error { return w.anyPage(mode{keepNone: true}, "", 0, 2.5) }},
	{"d one event", (*world).oneEvent},
	{"e one filter", (*world).oneFilter},
	{"f three filters", (*world).threeFilters},
	{"g search", (*world).search},
	{"j unchanged", (*world).unchanged},
	{"l gzip, asked again", func(w *world) error { return w.anyPage(mode{}, "Accept-Encoding: gzip", 0.5, 0) }},
	{"l gzip, asked anew", func(w *world) error { return w.anyPage(mode{explain: true}, "Accept-Encoding: gzip", 0.5, 0) }},
	{feedsName, (*world).calendars},
	{pagesName, (*world).sitePages},
	{seriesListsName, (*world).seriesLists}, // last, for it has a heading of its own
}

// A world is an open store with a calendar of so many events.
type world struct {
	settings
	n       int
	store   *store.Store
	table   *table
	current string // name of the case that runs

	words                                []string // the most common first
	categories, tags, venues, organizers []int64  // the most used first
	events                               []int64  // some, at random
}

// rng returns random numbers that are the same in every run of a case.
func (w *world) rng() *rand.Rand { return rngOf(w.n) }

func rngOf(n int) *rand.Rand { return rand.New(rand.NewPCG(uint64(n), 7)) }

// rates measures a comparison and adds its rows. A goal of 0 is none.
func (w *world) rates(name string, h http.Handler, requests []request, rate, processor float64) error {
	t, err := newTrial(name, h, requests)
	if err != nil {
		return err
	}
	defer t.close()
	if err := compare(w.settings, t); err != nil {
		return err
	}
	w.table.addRates(t, rate, processor)
	return nil
}

// addRates adds the rows that most trials have.
func (t *table) addRates(tr *trial, rate, processor float64) {
	t.add(tr.row("requests/s", round.rate, atLeast(rate)))
	if processorTime() > 0 {
		t.add(tr.row("processor µs", round.perRequest, atMost(processor)))
	}
}

// anyPage asks for about 500 pages of random ranges of dates, with their
// totals. Together they show some thousand events, which fit in what is kept.
func (w *world) anyPage(m mode, field string, rate, processor float64) error {
	h, token, err := product(w.store, m)
	if err != nil {
		return err
	}
	if m.signedIn {
		field = "Authorization: Bearer " + token
	}
	requests, err := pages(h, w.rng(), 500)
	if err != nil {
		return err
	}
	if field != "" {
		for i, r := range requests {
			requests[i] = get(r.uri(), field)
		}
	}
	return w.rates(w.current, h, requests, rate, processor)
}

// deepPages asks for one page of the default window all the time. The last
// page is the last full one: a shorter answer would be no comparison.
func (w *world) deepPages() error {
	h, _, err := product(w.store, mode{})
	if err != nil {
		return err
	}
	total, err := totalOf(h, get(eventsPath))
	if err != nil {
		return err
	}
	last := max(1, total/perPage)
	deep := min(1000, last) // of fewer events the deepest there is
	return w.deep("b", h, deep, last, func(n int) request { return get(list("page", strconv.Itoa(n))) })
}

// deep compares the first page of something with a deep one and the last.
func (w *world) deep(name string, h http.Handler, deep, last int, page func(int) request) error {
	var trials []*trial
	for _, p := range []struct {
		name string
		page int
	}{{" first page", 1}, {fmt.Sprintf(" page %d", deep), deep}, {fmt.Sprintf(" last page, %d", last), last}} {
		t, err := newTrial(name+p.name, h, []request{page(p.page)})
		if err != nil {
			return err
		}
		defer t.close()
		trials = append(trials, t)
	}
	if err := compare(w.settings, trials...); err != nil {
		return err
	}
	var rates []float64
	for _, t := range trials {
		w.table.addRates(t, 0, 0)
		rates = append(rates, t.row("", round.rate, goal{}).ours.median)
	}
	all := spreadOf(rates)
	w.table.add(row{name: name + " deep pages", what: "slowest/fastest", ours: single(all.low / all.high),
		goal: goal{limit: 0.9, absolute: true}})
	return nil
}

// oneEvent reads single events.
func (w *world) oneEvent() error {
	h, _, err := product(w.store, mode{})
	if err != nil {
		return err
	}
	var byID, bySlug []request
	err = w.store.View(func(v *store.View) error {
		for _, id := range w.events {
			if e := v.Event(id); e.Status == store.Publish && e.Password == "" {
				byID = append(byID, get(fmt.Sprintf("%s/%d", eventsPath, id)))
				bySlug = append(bySlug, get(eventsPath+"/by-slug/"+e.Slug))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := w.rates("d one event by id", h, byID, 0.85, 0); err != nil {
		return err
	}
	return w.rates("d one event by slug", h, bySlug, 0.85, 0)
}

// oneFilter asks for the events of one thing in a range of dates.
func (w *world) oneFilter() error {
	h, _, err := product(w.store, mode{explain: true})
	if err != nil {
		return err
	}
	for _, filter := range []struct {
		name string
		ids  []int64
	}{{"categories", w.categories}, {"tags", w.tags}, {"venue", w.venues}, {"organizer", w.organizers}} {
		rng := w.rng()
		var requests []request
		for range 200 {
			query := append(dates(rng, 300), filter.name, one(rng, filter.ids))
			requests = append(requests, get(list(query...)))
		}
		if err := w.rates("e "+filter.name+" and dates", h, requests, 0.75, 0); err != nil {
			return err
		}
	}
	return nil
}

// threeFilters asks for what three things have in common, in the default
// window, one of the first pages that there are: often it is empty.
func (w *world) threeFilters() error {
	h, _, err := product(w.store, mode{explain: true})
	if err != nil {
		return err
	}
	some := func(ids []int64) []int64 { return ids[:min(len(ids), 50)] }
	top := w.categories[:min(len(w.categories), 5)]
	for _, mix := range []struct {
		name  string
		query func(*rand.Rand) []string
	}{
		{"category, tag, featured", func(rng *rand.Rand) []string {
			return []string{"categories", one(rng, some(w.categories)), "tags", one(rng, some(w.tags)), "featured", "true"}
		}},
		{"category, organizer, ticketed", func(rng *rand.Rand) []string {
			return []string{"categories", one(rng, some(w.categories)), "organizer", one(rng, some(w.organizers)), "ticketed", "true"}
		}},
		{"top category, featured, ticketed", func(rng *rand.Rand) []string {
			return []string{"categories", one(rng, top), "featured", "true", "ticketed", "true"}
		}},
	} {
		rng := w.rng()
		var requests []request
		for range 200 {
			query := mix.query(rng)
			total, err := totalOf(h, get(list(query...)))
			if err != nil {
				return err
			}
			last := max(1, (total+perPage-1)/perPage)
			requests = append(requests, get(list(append(query, "page", strconv.Itoa(1+rng.IntN(min(last, 20))))...)))
		}
		if err := w.rates("f "+mix.name, h, requests, 0.35, 0); err != nil {
			return err
		}
		if err := w.inStore("f "+mix.name, requests, atMostItself(60)); err != nil {
			return err
		}
	}
	return nil
}

// one picks an id.
func one(rng *rand.Rand, ids []int64) string { return strconv.FormatInt(ids[rng.IntN(len(ids))], 10) }

// unchanged asks again for what a client has, and both say that it has not
// changed.
func (w *world) unchanged() error {
	h, _, err := product(w.store, mode{})
	if err != nil {
		return err
	}
	requests, err := pages(h, w.rng(), 500)
	if err != nil {
		return err
	}
	for i, r := range requests {
		resp, _, err := ask(h, r)
		if err != nil {
			return err
		}
		requests[i] = get(r.uri(), "If-None-Match: "+resp.Header.Get("ETag"))
		requests[i].Status = http.StatusNotModified
	}
	return w.rates("j unchanged, 304", h, requests, 0.9, 0)
}
