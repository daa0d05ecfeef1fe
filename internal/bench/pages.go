// Pages for people.

package main

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"almanac/store"
)

const pagesName = "y pages"

// sitePages asks for pages of the list and for months. Busy months have more events on every
// day than they show; those of a category that is seldom used are as most calendars are.
// "Asked anew", days that were shown before are kept, but no page.
func (w *world) sitePages() error {
	for _, p := range []struct {
		name     string
		requests func(http.Handler) ([]request, error)
	}{{"y list pages", w.listPages}, {"y busy months", w.busyMonths}, {"y months of a category", w.quietMonths}} {
		for _, m := range []struct {
			name string
			mode mode
			rate float64
		}{{", asked again", mode{}, 0.8}, {", asked anew", mode{explain: true}, 0.4}} {
			h, _, err := product(w.store, m.mode)
			if err != nil {
				return err
			}
			requests, err := p.requests(h)
			if err != nil {
				return err
			}
			for _, r := range requests {
				if _, _, err := ask(h, r); err != nil {
					return err
				}
			}
			if err := w.rates(p.name+m.name, h, requests, m.rate, 0); err != nil {
				return err
			}
		}
	}
	return w.deepSitePages()
}

// lastPage returns the number of the last full page of the list.
func (w *world) lastPage(h http.Handler) (int, error) {
	total, err := totalOf(h, get(list("ends_after", now.Format(time.DateOnly))))
	return max(1, total/perPage), err
}

func listPage(n int) request { return get("/events/page/" + strconv.Itoa(n) + "/") }

// listPages makes requests for some hundred pages of the list.
func (w *world) listPages(h http.Handler) (all []request, err error) {
	last, err := w.lastPage(h)
	rng := w.rng()
	for range 500 {
		all = append(all, listPage(1+rng.IntN(last)))
	}
	return all, err
}

// busyMonths makes requests for all months.
func (w *world) busyMonths(http.Handler) (all []request, _ error) {
	for month := range 36 {
		all = append(all, get(time.Date(2030, time.Month(1+month), 1, 0, 0, 0, 0, time.UTC).Format("/events/month/2006-01/")))
	}
	return all, nil
}

// quietMonths makes requests for months of the categories that are used least.
func (w *world) quietMonths(http.Handler) (all []request, err error) {
	rng := w.rng()
	seldom := w.categories[len(w.categories)*3/4:]
	err = w.store.View(func(v *store.View) error {
		for range 500 {
			slug := v.Term(store.Categories, seldom[rng.IntN(len(seldom))]).Slug
			all = append(all, get(fmt.Sprintf("/events/category/%s/month/%d-%02d/", slug, 2030+rng.IntN(3), 1+rng.IntN(12))))
		}
		return nil
	})
	return all, err
}

// deepSitePages asks for one page of the list all the time, anew.
func (w *world) deepSitePages() error {
	h, _, err := product(w.store, mode{explain: true})
	if err != nil {
		return err
	}
	last, err := w.lastPage(h)
	if err != nil {
		return err
	}
	return w.deep("y list, anew,", h, min(1000, last), last, func(n int) request { return listPage(n) })
}
