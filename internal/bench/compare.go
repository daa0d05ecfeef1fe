// Comparing: rounds of load on almanac and on L by turns, and what is made of
// them.

package main

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// A trial is one comparison.
type trial struct {
	name        string
	requests    []request
	others      []request // what the second server is asked for instead; nil: the same
	connections int
	rate        int // requests per second on a schedule; 0: as many as are answered
	lengths     int // how many times as long as others its rounds are; 0 is 1

	ours, bare   *server // bare may be nil: then almanac runs alone
	mine, theirs []round // of almanac and L, by number
}

// newTrial makes a trial of a handler and of L with the handler's own answers.
// Asking for those has warmed the handler up. The caller ends it with close.
func newTrial(name string, h http.Handler, requests []request) (*trial, error) {
	l, err := bare(h, requests, nil)
	if err != nil {
		return nil, err
	}
	return trialOf(name, h, l, requests)
}

// trialOf makes a trial of two handlers; the second may be nil.
func trialOf(name string, ours, bare http.Handler, requests []request) (*trial, error) {
	t := &trial{name: name, requests: requests, connections: 32}
	var err error
	if t.ours, err = listen(ours); err != nil {
		return nil, err
	}
	if bare == nil {
		return t, nil
	}
	if t.bare, err = listen(bare); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// close ends the servers.
func (t *trial) close() {
	t.ours.Close()
	if t.bare != nil {
		t.bare.Close()
	}
}

// compare runs the rounds of trials. All trials share a round, and within it
// the two servers change places each time, so that what the machine does
// meanwhile happens to all of them alike.
func compare(s settings, trials ...*trial) error {
	for number := range s.rounds {
		for _, t := range trials {
			turns := []struct {
				server   *server
				requests []request
				rounds   *[]round
			}{{t.ours, t.requests, &t.mine}, {t.bare, t.requests, &t.theirs}}
			if t.others != nil {
				turns[1].requests = t.others
			}
			if number%2 == 1 {
				slices.Reverse(turns)
			}
			for _, turn := range turns {
				if turn.server == nil {
					continue
				}
				r, err := run(plan{
					Address: turn.server.address, Connections: t.connections, Requests: turn.requests,
					From: number * numbersPerRound, For: s.length * time.Duration(max(1, t.lengths)), Rate: t.rate,
				})
				if err != nil {
					return fmt.Errorf("%s: %w", t.name, err)
				}
				*turn.rounds = append(*turn.rounds, r)
			}
		}
	}
	return nil
}

// numbersPerRound is more than the requests that a round can send.
const numbersPerRound = 10_000_000

// A figure is a number of a round.
type figure func(round) float64

// latency returns a time of a class in milliseconds.
func latency(class int, of func(times) time.Duration) figure {
	return func(r round) float64 { return float64(of(r.Times[class]).Microseconds()) / 1000 }
}

func median(t times) time.Duration { return t.Median }
func p99(t times) time.Duration    { return t.P99 }

// row makes a row of the table of a figure: the medians of both servers, and
// the median of the ratios of the rounds with the smallest and the largest.
func (t *trial) row(what string, f figure, g goal) row {
	r := row{name: t.name, what: what, goal: g}
	var mine, theirs, ratios []float64
	for i := range t.mine {
		mine = append(mine, f(t.mine[i]))
		if t.bare != nil {
			theirs = append(theirs, f(t.theirs[i]))
			ratios = append(ratios, mine[i]/theirs[i])
		}
	}
	r.ours = spreadOf(mine)
	if t.bare != nil {
		r.bare, r.ratio = spreadOf(theirs), spreadOf(ratios)
	}
	return r
}

// A spread is the middle of some numbers, and how far they reach.
type spread struct{ median, low, high float64 }

func spreadOf(numbers []float64) spread {
	if len(numbers) == 0 {
		return spread{}
	}
	n := slices.Sorted(slices.Values(numbers))
	return spread{(n[(len(n)-1)/2] + n[len(n)/2]) / 2, n[0], n[len(n)-1]}
}
