// Searches, and what lists cost inside of the store.

package main

import (
	"math/rand/v2"
	"strings"
	"time"
)

// search asks for searches in the default window, at one connection, the page
// with its total. L has no part in it: the times are goals by themselves.
func (w *world) search() error {
	h, _, err := product(w.store, mode{explain: true})
	if err != nil {
		return err
	}
	for _, sort := range []struct {
		name  string
		limit float64 // milliseconds
		text  func(rng *rand.Rand, i int) string
	}{
		{"g search one word", 1, func(rng *rand.Rand, i int) string { return w.word(i) }},
		{"g search two letters", 12, func(rng *rand.Rand, i int) string { return w.word(i)[:2] }},
		{"g search two words", 15, func(rng *rand.Rand, i int) string { return w.word(i) + " " + w.word(rng.IntN(searches)) }},
	} {
		rng := w.rng()
		known := map[string]bool{}
		var requests []request
		for _, i := range rng.Perm(searches) { // a round may see a part of them only
			if text := sort.text(rng, i); !known[text] {
				known[text] = true
				requests = append(requests, get(list("search", text)))
			}
		}
		t, err := trialOf(sort.name, h, nil, requests)
		if err != nil {
			return err
		}
		defer t.close()
		t.connections = 1
		if err := compare(w.settings, t); err != nil {
			return err
		}
		w.table.add(
			t.row("ms, median", latency(reads, median), atMostItself(sort.limit)),
			t.row("ms, 99th percentile", latency(reads, p99), goal{}))
		if err := w.inStore(sort.name, requests, goal{}); err != nil {
			return err
		}
	}
	return nil
}

// searches is how many different words are searched for.
const searches = 200

// word returns one of the words to search for, from the most common, 0, to the
// rarest, as many of each order of magnitude.
func (w *world) word(i int) string {
	ranks := []int{1, 10, 100, 1000, len(w.words) - 1}
	step := searches / (len(ranks) - 1)
	from, to := ranks[i/step], ranks[i/step+1]
	return w.words[from+(to-from)*(i%step)/step]
}

// inStore adds what the answers of a server that explains say that finding
// took, if they say so.
func (w *world) inStore(name string, requests []request, g goal) error {
	h, _, err := product(w.store, mode{explain: true})
	if err != nil {
		return err
	}
	var took []float64
	for _, r := range requests {
		resp, _, err := ask(h, r)
		if err != nil {
			return err
		}
		if d, ok := tookOf(resp.Header.Get(planHeader)); ok {
			took = append(took, float64(d.Nanoseconds())/1000)
		}
	}
	if len(took) > 0 {
		w.table.add(row{name: name, what: "in the store, µs", ours: spreadOf(took), goal: g})
	}
	return nil
}

// tookOf reads the time of a plan such as "index=dates; candidates=9; took=12µs".
func tookOf(plan string) (time.Duration, bool) {
	for item := range strings.SplitSeq(plan, ";") {
		if text, ok := strings.CutPrefix(strings.TrimSpace(item), "took="); ok {
			d, err := time.ParseDuration(text)
			return d, err == nil
		}
	}
	return 0, false
}
