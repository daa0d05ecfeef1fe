// The cases that write: durable creates as fast as they go, and among reads on
// a schedule.

package main

import (
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/almanactest"
	"almanac/store"
)

const (
	durableEvents = 10_000 // in the store that is written to, unless all others are smaller
	writers       = 64     // connections
	schedule      = 3000   // requests per second
	onSchedule    = 128    // connections, so that one is free when a request is due
)

// A durable is a store on disk with its handler, and L, which writes as much.
type durable struct {
	settings
	n        int // events at first
	store    *store.Store
	table    *table
	handler  http.Handler
	appender *appender
	create   http.HandlerFunc // of L
	creates  []request
	token    string // of the administrator
	links    links  // of events that are created
}

// newDurable makes a store in a directory, and the file of L beside it.
func newDurable(s settings, dir string, t *table) (_ *durable, err error) {
	d := &durable{settings: s, n: min(durableEvents, slices.Max(s.sizes)), table: t}
	data := filepath.Join(dir, "almanac")
	d.store, err = store.Open(store.Options{Dir: data, Now: func() time.Time { return now }})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	c, err := almanactest.Generate(d.store, d.n)
	if err != nil {
		return nil, err
	}
	if d.handler, d.token, err = product(d.store, mode{}); err != nil {
		return nil, err
	}
	d.creates = creates(rand.New(rand.NewPCG(1, 7)), 500, d.token, c.Venues[:8], c.Categories[:8])
	d.links = links{c.Venues[0], c.Categories[0]}

	before, err := sizeOf(filepath.Join(data, "log"))
	if err != nil {
		return nil, err
	}
	created, err := answerOf(d.handler, d.creates[0])
	if err != nil {
		return nil, err
	}
	after, err := sizeOf(filepath.Join(data, "log"))
	if err != nil {
		return nil, err
	}
	line := []byte(strings.Repeat("x", int(after-before)-1) + "\n")
	if d.appender, err = newAppender(filepath.Join(dir, "bare"), line); err != nil {
		return nil, err
	}
	d.create = func(w http.ResponseWriter, hr *http.Request) {
		if _, err := io.ReadAll(http.MaxBytesReader(w, hr.Body, 1<<20)); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := d.appender.append(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		created.write(w)
	}
	return d, nil
}

func (d *durable) close() {
	if d.appender != nil {
		d.appender.close()
	}
	d.store.Close()
}

// sizeOf returns the bytes of the files of a directory.
func sizeOf(dir string) (size int64, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// alone measures creates and nothing else.
func (d *durable) alone() error {
	t, err := d.trial("h durable creates", d.creates)
	if err != nil {
		return err
	}
	defer t.close()
	t.connections = writers
	if err := compare(d.settings, t); err != nil {
		return err
	}
	d.table.addRates(t, 0.55, 0)
	d.table.add(t.row("ms, 99th percentile", latency(writes, p99), goal{}))
	return nil
}

// amongReads measures requests that come when they are due, whether or not
// those before are answered. One of ten is a create.
func (d *durable) amongReads() error {
	lists, err := pages(d.handler, rand.New(rand.NewPCG(2, 7)), 500)
	if err != nil {
		return err
	}
	var requests []request
	for i, r := range lists {
		if i%10 == 0 {
			r = d.creates[i/10]
		}
		requests = append(requests, r)
	}
	t, err := d.trial("i 3,000 requests/s, 10 % creates", requests)
	if err != nil {
		return err
	}
	defer t.close()
	t.connections, t.rate = onSchedule, schedule
	t.lengths = 3 // for enough creates
	if err := compare(d.settings, t); err != nil {
		return err
	}
	kept := t.row("requests/s", round.rate, goal{limit: 0.99 * schedule, absolute: true})
	d.table.add(kept,
		t.row("reads, ms, 99th perc.", latency(reads, p99), atMost(2)),
		t.row("creates, ms, 99th perc.", latency(writes, p99), atMost(2)))
	if processorTime() > 0 {
		d.table.add(t.row("processor µs", round.perRequest, goal{}))
	}
	return nil
}

// trial makes a trial of the handler that is durable and of L.
func (d *durable) trial(name string, requests []request) (*trial, error) {
	l, err := bare(d.handler, requests, d.create)
	if err != nil {
		return nil, err
	}
	return trialOf(name, d.handler, l, requests)
}
