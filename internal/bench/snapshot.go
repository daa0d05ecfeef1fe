// Lists while a snapshot is written.

package main

import (
	"context"
	"errors"
	"fmt"

	"almanac/store"
)

const (
	snapshotName   = "p lists beside a snapshot"
	snapshotRate   = 500 // requests per second, on a schedule
	snapshotRounds = 3   // at most: each waits for a snapshot to end
)

// snapshotAll asks a store on disk for lists on a schedule, by turns alone and
// while a snapshot of all its events is written. L is the same server alone.
func snapshotAll(s settings, c *saved, t *table) error {
	if !s.only.MatchString(snapshotName) {
		return nil
	}
	st, err := openSaved(c.dir)
	if err != nil {
		return err
	}
	defer st.Close()
	h, _, err := product(st, mode{explain: true})
	if err != nil {
		return err
	}
	requests, err := pages(h, rngOf(c.n), 500)
	if err != nil {
		return err
	}
	tr, err := trialOf(snapshotName, h, nil, requests)
	if err != nil {
		return err
	}
	defer tr.close()
	load := func(number int) (round, error) {
		return run(plan{
			Address: tr.ours.address, Connections: onSchedule, Requests: requests,
			From: number * numbersPerRound, For: 3 * s.length, Rate: snapshotRate,
		})
	}
	for number := range min(s.rounds, snapshotRounds) {
		alone, err := load(2 * number)
		if err != nil {
			return err
		}
		beside, err := besideSnapshot(st, func() (round, error) { return load(2*number + 1) })
		if err != nil {
			return err
		}
		tr.theirs, tr.mine = append(tr.theirs, alone), append(tr.mine, beside)
	}
	t.heading(fmt.Sprintf("%d events on disk; L is almanac without the snapshot", c.n))
	var waits, alone, ratios []float64
	ms := latency(reads, p99)
	for i := range tr.mine {
		waits, alone = append(waits, ms(tr.mine[i])), append(alone, ms(tr.theirs[i]))
		ratios = append(ratios, waits[i]/alone[i])
	}
	t.add(row{name: snapshotName, what: "ms, 99th percentile", ours: spreadOf(waits), bare: spreadOf(alone), ratio: spreadOf(ratios),
		goal: atMost(2)})
	return nil
}

// besideSnapshot runs f while a snapshot is written, and waits for that to end.
func besideSnapshot(st *store.Store, f func() (round, error)) (round, error) {
	// A snapshot of a state that has one already would end at once.
	err := st.Update(1, func(tx *store.Tx) error { return tx.Put(&store.Venue{Name: "Somewhere"}) })
	if err != nil {
		return round{}, err
	}
	saved := make(chan error, 1)
	go func() { saved <- st.Snapshot(context.Background()) }()
	r, err := f()
	return r, errors.Join(err, <-saved)
}
