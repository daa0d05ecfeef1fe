// Documents that have all events of a list.

package api

import (
	"io"
	"math"
	"time"

	"almanac/filters"
	"almanac/internal/api/respond"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
	"almanac/store"
)

// A wholeList is a document of all events that a filter finds.
type wholeList struct {
	List
	about   feed.List
	grouped bool           // an event of a series stands for all of them
	events  []*store.Event // all events, unless they can be read by starts
	total   int
	from    time.Time // when the first begins
	to      time.Time // when the last has ended, about
}

// listWhole answers with a document of all events that are found.
func listWhole(r *Call) (*respond.Response, error) {
	d := wholeList{List: List{Call: r}}
	answer, err := d.DoDocument(d.LookEvents, d.write)
	if err == nil {
		answer.Media = r.Op.format.Media
		answer.Header = attachment("events", r.Op.format)
	}
	return answer, err
}

// write writes the document.
func (d *wholeList) write(to io.Writer) error {
	if err := d.find(); err != nil {
		return err
	}
	f := d.Op.format
	d.about = d.Call.about(d.selfAddress("/events"+f.Extension), pageLinks{})
	w := scan{
		wholeList: d,
		rest:      filters.Scan{Filter: *d.Filter},
		zones:     map[string]bool{},
		series:    map[int64]bool{},
	}
	if f.Cells != nil {
		d.addFields()
	}
	show := d.Renderer(nil)
	b := f.Head(nil, &d.about)
	for first := true; ; {
		var items []item
		_ = d.Store.View(func(v *store.View) error { // it returns no error
			items = w.next(v)
			return nil
		})
		if len(items) == 0 && w.over {
			break
		}
		if f == &feed.Calendar {
			b = feed.AppendZones(b, w.fresh, d.from, d.to)
		}
		for i := range items {
			if !first {
				b = append(b, f.Between...)
			}
			first = false
			b = items[i].append(b, d.Call, false)
			if e, isEvent := items[i].record.(*store.Event); isEvent && f.Cells != nil {
				inside, _ := show.Inside(e)
				b = f.Cells(b, &d.about, inside)
			}
		}
		if _, err := to.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	_, err := to.Write(append(b, f.Tail...))
	return err
}

// find finds the events of the document, or how to read them by their starts.
func (d *wholeList) find() error {
	var found *filters.Found
	err := d.InView(func(v *store.View, values params.Values) error {
		if err := d.LookEvents(v, values); err != nil {
			return err
		}
		f := d.Filter
		d.grouped = d.Op.format == &feed.Calendar && !values.Bool("expand") && !f.FirstOfSeries
		// Reading by later starts would find other events as the first of their series.
		if f.OrderBy != "" || f.Desc || f.FirstOfSeries || values.Text("password") != "" {
			found = f.Find(v, 0, math.MaxInt)
			return nil
		}
		found = f.Find(v, 0, DocumentChunk)
		if !found.Finished() {
			found = f.Find(v, 0, math.MaxInt)
		} else if d.total = found.Total; d.total > 0 {
			last := f.Find(v, d.total-1, 1)
			d.noteRange(append(found.Events[:1:1], last.Events...))
		}
		return nil
	})
	if err != nil || d.total > 0 {
		return err
	}
	if !found.Finished() {
		if err := d.finish(found); err != nil {
			return err
		}
	}
	d.events = found.Events
	if d.events == nil {
		d.events = []*store.Event{}
	}
	d.noteRange(d.events)
	return d.tryClosed(d.events)
}

// noteRange extends the range of the document to some events.
func (d *wholeList) noteRange(events []*store.Event) {
	show := d.Renderer(nil)
	for _, e := range events {
		zone := show.Zone(e)
		start := zone.Instant(e.Start.Time())
		end := zone.Instant(e.End.Time())
		if d.from.IsZero() || start.Before(d.from) {
			d.from = start
		}
		if end.After(d.to) {
			d.to = end
		}
	}
}

// addFields adds columns for the custom fields of all events.
func (d *wholeList) addFields() {
	show := d.Renderer(nil)
	for w := (scan{wholeList: d, rest: filters.Scan{Filter: *d.Filter}}); !w.over; {
		_ = d.Store.View(func(v *store.View) error { // it returns no error
			for _, e := range w.chunk(v) {
				inside, _ := show.Inside(e)
				d.about.AddFields(inside)
			}
			return nil
		})
	}
}

// A scan goes through the events of a document in the order of their starts, in as
// many states of the store as there are chunks.
type scan struct {
	*wholeList
	rest   filters.Scan    // of the events that can be read by starts
	at     int             // how many of the other events were taken
	zones  map[string]bool // that were written
	series map[int64]bool  // that were written
	fresh  []*caltime.Zone // of this chunk, that were not written
	over   bool
}

// next returns the next chunk.
func (w *scan) next(v *store.View) (items []item) {
	show := w.Renderer(v)
	w.fresh = w.fresh[:0]
	for _, e := range w.chunk(v) {
		var s *store.Series // that stands for the event
		if w.grouped {
			s = feed.SeriesOf(&show, e)
		}
		switch {
		case s == nil:
			items = append(items, w.item(v, e))
			w.noteZone(feed.ZoneOf(&show, e))
		case !w.series[s.ID]:
			w.series[s.ID] = true
			o := &seriesEntry{Series: s}
			links := render.Gather(v, &s.Event)
			w.noteZone(feed.SeriesZone(&show, &s.Event))
			for _, e := range v.Instances(s.ID) {
				if w.Filter.Match(v, e) {
					o.events = append(o.events, e)
					links.Add(v, e)
					w.noteZone(feed.ZoneOf(&show, e))
				}
			}
			items = append(items, item{record: o, links: links})
		}
	}
	return items
}

// chunk returns the next events.
func (w *scan) chunk(v *store.View) (chunk []*store.Event) {
	if w.events == nil {
		chunk = w.rest.Next(v, DocumentChunk)
	} else {
		chunk = w.events[w.at:min(w.at+DocumentChunk, len(w.events))]
		w.at += len(chunk)
	}
	w.over = len(chunk) == 0
	return chunk
}

// A seriesEntry is a series with those of its events that a document has.
type seriesEntry struct {
	*store.Series
	events []*store.Event
}

// noteZone notes a zone that times stand in, if it was not written.
func (w *scan) noteZone(zone *caltime.Zone) {
	zone = zone.Portable()
	if !w.zones[zone.Name()] {
		w.zones[zone.Name()] = true
		w.fresh = append(w.fresh, zone)
	}
}
