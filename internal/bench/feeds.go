// Calendars of very many events, as programs subscribe to them.

package main

import (
	"bufio"
	"bytes"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const (
	feedsName  = "w calendars"
	feedEvents = 10_000
)

// calendarOf returns a request for the calendar of about so many events, which begins on a
// day, and how many there are.
func (w *world) calendarOf(h http.Handler, events, firstDay int, query ...string) (request, int, error) {
	const days = 3 * 365 // that are generated
	from := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, firstDay)
	last := from.AddDate(0, 0, max(1, days*events/w.n))
	query = append(query, "start_date", from.Format(time.DateOnly), "end_date", last.Format(time.DateOnly))
	total, err := totalOf(h, get(list(query...)))
	return get(strings.Replace(list(query...), eventsPath, eventsPath+".ics", 1)), total, err
}

// calendars asks for calendars of ten thousand events: "again" nothing has changed,
// "anew" the events are kept that were written before, but no document, and "nothing kept" not
// even these. Events of a second are those of calendars that arrived.
func (w *world) calendars() error {
	for _, c := range []struct {
		name string
		mode mode
		goal float64
	}{{"asked again", mode{}, 0.9}, {"asked anew", mode{explain: true}, 0.5}, {"nothing kept", mode{keepNone: true}, 0}} {
		h, _, err := product(w.store, c.mode)
		if err != nil {
			return err
		}
		r, total, err := w.calendarOf(h, feedEvents, 0)
		if err != nil {
			return err
		}
		for range 3 { // until it is remembered
			if _, _, err := ask(h, r); err != nil {
				return err
			}
		}
		t, err := newTrial("w calendar, "+c.name, h, []request{r})
		if err != nil {
			return err
		}
		defer t.close()
		t.connections = 2
		if err := compare(w.settings, t); err != nil {
			return err
		}
		w.table.add(t.row("events/s", func(r round) float64 { return r.rate() * float64(total) }, atLeast(c.goal)))
		if processorTime() > 0 {
			w.table.add(t.row("processor µs an event", func(r round) float64 { return r.perRequest() / float64(total) }, goal{}))
		}
	}
	return w.calendarMemory()
}

// calendarMemory measures how much more is in memory while a calendar is sent of which
// nothing is kept: what is still used at ten places of it.
func (w *world) calendarMemory() error {
	h, _, err := product(w.store, mode{keepNone: true})
	if err != nil {
		return err
	}
	for _, events := range []int{1000, w.n} {
		r, total, err := w.calendarOf(h, events, 0)
		if err != nil {
			return err
		}
		counted := &watched{header: http.Header{}}
		hr, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(r.Bytes)))
		if err != nil {
			return err
		}
		h.ServeHTTP(counted, hr)
		before := liveHeap()
		watching := &watched{header: http.Header{}, every: counted.size/10 + 1}
		h.ServeHTTP(watching, hr)
		w.table.add(row{name: "w memory, a calendar of " + strconv.Itoa(total), what: "KB",
			ours: single(max(0, watching.most-before) / 1000), goal: atMostItself(4000)})
	}
	return nil
}

// liveHeap returns how many bytes are used.
func liveHeap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// A watched takes an answer, and looks at the memory that is used meanwhile.
type watched struct {
	header http.Header
	size   int
	every  int // so many bytes; 0 is never
	next   int
	most   float64
}

func (w *watched) Header() http.Header { return w.header }
func (w *watched) WriteHeader(int)     {}
func (w *watched) Write(b []byte) (int, error) {
	w.size += len(b)
	if w.every > 0 && w.size > w.next {
		w.next = w.size + w.every
		w.most = max(w.most, liveHeap())
	}
	return len(b), nil
}
