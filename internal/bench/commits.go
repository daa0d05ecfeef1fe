// Commits: the store without HTTP, against lines appended and synced with the
// same grouping.

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/store"
)

// commits measures transactions of one event each, by many writers and by one.
func (d *durable) commits(dir string) error {
	var model store.Event
	err := d.store.View(func(v *store.View) error {
		found := v.Find(&store.Query{
			Published: true, Start: store.Always(), End: store.Always(), Match: func(*store.Event) bool { return true },
		})
		model = *found.Events(0, 1)[0]
		return nil
	})
	if err != nil {
		return err
	}
	put := func() error {
		return d.store.Update(1, func(tx *store.Tx) error {
			e := model
			id := tx.NextID(store.Events)
			e.ID, e.Slug = 0, fmt.Sprint("commit-", id)
			e.Start += store.Wall(id*7919%1000) * 86_400 // in no order
			e.End += e.Start - model.Start
			return tx.Put(&e)
		})
	}
	log := filepath.Join(dir, "almanac", "log")
	before, err := sizeOf(log)
	if err != nil {
		return err
	}
	if err := put(); err != nil {
		return err
	}
	after, err := sizeOf(log)
	if err != nil {
		return err
	}
	bare, err := newAppender(filepath.Join(dir, "commits"), []byte(strings.Repeat("x", int(after-before)-1)+"\n"))
	if err != nil {
		return err
	}
	defer bare.close()
	for _, n := range []int{writers, 1} {
		c := comparison{length: d.length}
		for number := range d.rounds {
			if err := c.round(n, number%2 == 1, put, bare.append); err != nil {
				return err
			}
		}
		rate, wait := atLeast(0.90), goal{}
		if n == 1 {
			rate, wait = goal{}, atMost(1.3)
		}
		name := fmt.Sprintf("m group commit, %d writers", n)
		d.table.add(c.row(name, "commits/s", func(m measured) float64 { return m.rate }, rate),
			c.row(name, "ms, median", func(m measured) float64 { return float64(m.median.Microseconds()) / 1000 }, wait))
	}
	return nil
}

// A comparison is the rounds of two functions.
type comparison struct {
	length     time.Duration
	ours, bare []measured
}

// measured is one round of one function.
type measured struct {
	rate   float64 // calls per second
	median time.Duration
}

// round measures both functions, in the other order when swapped.
func (c *comparison) round(n int, swapped bool, ours, bare func() error) error {
	turns := []struct {
		f  func() error
		to *[]measured
	}{{ours, &c.ours}, {bare, &c.bare}}
	if swapped {
		slices.Reverse(turns)
	}
	for _, turn := range turns {
		m, err := together(n, c.length, turn.f)
		if err != nil {
			return err
		}
		*turn.to = append(*turn.to, m)
	}
	return nil
}

// together calls f again and again from n goroutines.
func together(n int, length time.Duration, f func() error) (measured, error) {
	var all sync.WaitGroup
	waits, errs := make([][]time.Duration, n), make([]error, n)
	start := time.Now()
	for i := range n {
		all.Go(func() {
			for errs[i] == nil && time.Since(start) < length {
				at := time.Now()
				errs[i] = f()
				waits[i] = append(waits[i], time.Since(at))
			}
		})
	}
	all.Wait()
	took := time.Since(start)
	every := slices.Concat(waits...)
	slices.Sort(every)
	for _, err := range errs {
		if err != nil {
			return measured{}, err
		}
	}
	return measured{float64(len(every)) / took.Seconds(), every[len(every)/2]}, nil
}

// row makes a row of the table of a figure.
func (c *comparison) row(name, what string, f func(measured) float64, g goal) row {
	var ours, bare, ratios []float64
	for i := range c.ours {
		ours, bare = append(ours, f(c.ours[i])), append(bare, f(c.bare[i]))
		ratios = append(ratios, ours[i]/bare[i])
	}
	return row{name: name, what: what, ours: spreadOf(ours), bare: spreadOf(bare), ratio: spreadOf(ratios), goal: g}
}
