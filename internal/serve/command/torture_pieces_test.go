package command

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// This file writes to a server that is killed, and knows what has to be there
// afterwards.

// A fragment is content that is stored once: an event, or all those of a series,
// with the venue, the organizer and the tag that came with it, or a category. All
// of their names have its name in them.
type fragment struct {
	name     string
	category bool
	events   int // number of events of a series; 1 without
	id, tag  int64
	states   []pieceState // one; two while nobody knows whether the last request was stored
}

// A pieceState is the stored part of a fragment.
type pieceState struct {
	there  bool
	text   string // its description
	trash  bool
	tagged bool // its tag is there
}

// truth is the common knowledge of all writers.
type truth struct {
	mu      sync.Mutex
	ids     map[string]string // whose each id is that was ever seen
	sent    atomic.Int64      // requests, and how many of them were answered
	answers atomic.Int64

	doubts, luck int // requests without an answer, and how many of them were stored
}

// claim notes whose an id is. It must not have been somebody else's.
func (tr *truth) claim(t *testing.T, sequence string, id int64, whose string) {
	t.Helper()
	tr.mu.Lock()
	defer tr.mu.Unlock()
	key := fmt.Sprint(sequence, " ", id)
	if was, ok := tr.ids[key]; ok && was != whose || id == 0 {
		t.Errorf("%s is the id of %q and was that of %q", key, whose, was)
	}
	tr.ids[key] = whose
}

// A tortureWriter writes its own pieces, one request after the other.
type tortureWriter struct {
	name   string
	rng    *rand.Rand
	truth  *truth
	asks   asks
	pieces []*fragment
}

// write writes until the server does not answer.
func (w *tortureWriter) write(t *testing.T, c caller, answers *fuse, o *operator) {
	for !t.Failed() && w.request(t, c) {
		if w.truth.answers.Add(1)%answersPerLook == 0 {
			o.mayLook()
		}
		if answers.burn(1); answers.left.Load() <= 0 {
			answers.blow()
		}
	}
}

// text returns a description that no request had before.
func (w *tortureWriter) text() string {
	return fmt.Sprintf("%x %s.", w.rng.Uint64(), strings.Repeat("la", w.rng.IntN(600)))
}

// request makes one random request, and reports whether it was answered.
func (w *tortureWriter) request(t *testing.T, c caller) bool {
	var p *fragment
	if len(w.pieces) > 0 && w.rng.IntN(2) == 0 {
		p = w.pieces[w.rng.IntN(len(w.pieces))]
	}
	if p == nil || !p.states[0].there {
		return w.create(t, c)
	}
	next := p.states[0]
	route := v1 + "/events"
	if p.category {
		route = v1 + "/categories"
	}
	path := fmt.Sprintf("%s/%d", route, p.id)
	if p.events > 1 {
		path += "?scope=all"
	}
	switch w.rng.IntN(4) {
	case 0:
		if p.category {
			next = pieceState{}
			return w.send(t, c, p, next, "DELETE", path, nil, nil)
		} else if !next.trash {
			next.trash = true
			return w.send(t, c, p, next, "DELETE", path, nil, nil)
		}
	case 1:
		if next.tagged {
			next.tagged = false
			return w.send(t, c, p, next, "DELETE", fmt.Sprintf("%s/tags/%d", v1, p.tag), nil, nil)
		}
	}
	if p.events > 1 && next.trash { // a series that has ended is not changed any more
		return w.create(t, c)
	}
	next.text = w.text()
	return w.send(t, c, p, next, "PUT", path, object{"description": next.text}, nil)
}

// create makes a new piece.
func (w *tortureWriter) create(t *testing.T, c caller) bool {
	name := fmt.Sprintf("%s piece %d", w.name, len(w.pieces))
	p := &fragment{name: name, category: w.rng.IntN(6) == 0, events: 1, states: []pieceState{{}}}
	w.pieces = append(w.pieces, p)
	next := pieceState{there: true, text: w.text()}
	if p.category {
		var made struct{ ID int64 }
		return w.send(t, c, p, next, "POST", v1+"/categories", object{
			"name":        name,
			"description": next.text,
		}, &made) &&
			w.named(t, p, "term", made.ID, "category")
	}
	next.tagged = true
	body := object{
		"title":       name,
		"description": next.text,
		"start_date":  "2021-05-11 20:00:00",
		"end_date":    "2021-05-11 23:00:00",
		"venue":       object{"venue": name},
		"organizer":   object{"organizer": name},
		"tags":        []string{name},
		"categories":  []string{fmt.Sprint("shared ", w.rng.IntN(3))},
	}
	if w.rng.IntN(6) == 0 {
		p.events = 2 + w.rng.IntN(9)
		body["recurrence"] = object{"rule": fmt.Sprint("FREQ=WEEKLY;COUNT=", p.events)}
	}
	var made shownEvent
	return w.send(t, c, p, next, "POST", v1+"/events", body, &made) && w.namedEvent(t, p, &made)
}

// named notes an id that an answer gave.
func (w *tortureWriter) named(
	t *testing.T,
	p *fragment,
	sequence string,
	id int64,
	what string,
) bool {
	if id != 0 { // 0 if the answer broke off
		w.truth.claim(t, sequence, id, what+" "+p.name)
		p.id = id
	}
	return id != 0
}

func (w *tortureWriter) namedEvent(t *testing.T, p *fragment, e *shownEvent) bool {
	if e.ID != 0 {
		e.claim(t, w.truth)
		p.tag = e.Tags[0].ID
	}
	return w.named(t, p, "post", e.ID, "event")
}

// send sends a request that makes a fragment what it is next, or is not answered.
func (w *tortureWriter) send(
	t *testing.T,
	c caller,
	p *fragment,
	next pieceState,
	method, path string,
	body object,
	made any,
) bool {
	text, err := json.Marshal(body)
	if body == nil {
		text = nil
	} else if err != nil {
		t.Error(err)
	}
	request, err := http.NewRequest(method, c.URL+path, strings.NewReader(string(text)))
	if err != nil {
		t.Error(err)
		return false
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	answered := w.asks.sign(request)
	w.truth.sent.Add(1)
	response, err := c.Client.Do(request)
	if err != nil {
		p.states = append(p.states, next)
		return false
	}
	defer response.Body.Close()
	answered(response.StatusCode)
	if response.StatusCode >= 300 {
		t.Errorf("%s %s: %s", method, path, response.Status)
		return false
	}
	p.states = []pieceState{next} // whether or not the rest of the answer comes
	if made == nil {
		made = new(any)
	}
	return json.NewDecoder(response.Body).Decode(made) == nil
}

// The compared members of lists.
type (
	shownTerm struct {
		ID                int64
		Name, Description string
	}
	shownPost struct {
		ID               int64
		Venue, Organizer string
	}
	shownEvent struct {
		ID                         int64
		Title, Description, Status string
		Venue                      shownPost
		Organizer                  []shownPost
		Categories, Tags           []shownTerm
		Recurrence                 struct{ Series int64 }
	}
)

// claim records the ids of an event and its linked records.
func (e *shownEvent) claim(t *testing.T, tr *truth) {
	t.Helper()
	tr.claim(t, "post", e.ID, "event "+e.Title)
	if id := e.Recurrence.Series; id != 0 {
		tr.claim(t, "post", id, "series "+e.Title)
	}
	tr.claim(t, "post", e.Venue.ID, "venue "+e.Venue.Venue)
	for _, o := range e.Organizer {
		tr.claim(t, "post", o.ID, "organizer "+o.Organizer)
	}
	for _, c := range e.Categories {
		tr.claim(t, "term", c.ID, "category "+c.Name)
	}
	for _, tag := range e.Tags {
		tr.claim(t, "term", tag.ID, "tag "+tag.Name)
	}
}

// shownPieces is all that a server shows, by name.
type shownPieces struct {
	truth              *truth
	events             map[string][]shownEvent
	venues, organizers map[string]shownPost
	categories, tags   map[string]shownTerm
}

// read reads all that there is.
func (tr *truth) read(t *testing.T, c caller) *shownPieces {
	t.Helper()
	const whole = "?per_page=1000000&hide_empty=0&starts_after=1970-01-01&status=publish,trash"
	events := list[shownEvent](t, c, "events", whole)
	s := &shownPieces{
		truth:  tr,
		events: map[string][]shownEvent{},
		venues: byUniqueName(
			t,
			list[shownPost](t, c, "venues", whole),
			func(v shownPost) string { return v.Venue },
		),
		organizers: byUniqueName(
			t,
			list[shownPost](t, c, "organizers", whole),
			func(o shownPost) string { return o.Organizer },
		),
		categories: byUniqueName(
			t,
			list[shownTerm](t, c, "categories", whole),
			func(c shownTerm) string { return c.Name },
		),
		tags: byUniqueName(
			t,
			list[shownTerm](t, c, "tags", whole),
			func(tag shownTerm) string { return tag.Name },
		),
	}
	for _, e := range events {
		e.claim(t, tr)
		s.events[e.Title] = append(s.events[e.Title], e)
	}
	for name, c := range s.categories {
		tr.claim(t, "term", c.ID, "category "+name)
	}
	return s
}

// list reads a list.
func list[T any](t *testing.T, c caller, what, query string) []T {
	t.Helper()
	var all map[string]json.RawMessage
	var items []T
	if err := json.Unmarshal([]byte(c.Must(t, "GET", v1+"/"+what+query, "")), &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all[what], &items); err != nil {
		t.Fatal(err)
	}
	return items
}

func byUniqueName[T any](t *testing.T, items []T, name func(T) string) map[string]T {
	t.Helper()
	m := map[string]T{}
	for _, item := range items {
		m[name(item)] = item
	}
	if len(m) != len(items) {
		t.Errorf("%d names of %d %T", len(m), len(items), items)
	}
	return m
}

// check compares the stored part of a fragment with the expected one, which it then is: a visible
// record must stay.
func (s *shownPieces) check(t *testing.T, p *fragment) {
	t.Helper()
	got := s.event(t, p)
	if p.category {
		got = s.category(p)
	}
	i := slices.Index(p.states, got)
	if i < 0 {
		t.Errorf("%s is %+v, want one of %+v", p.name, got, p.states)
		return
	}
	if len(p.states) > 1 {
		s.truth.doubts++
		s.truth.luck += i
	}
	p.states = []pieceState{got}
}

func (s *shownPieces) category(p *fragment) pieceState {
	c, there := s.categories[p.name]
	if !there {
		return pieceState{}
	}
	delete(s.categories, p.name)
	p.id = c.ID
	return pieceState{there: true, text: c.Description}
}

// event removes an event or all events of a series, with their linked records, from the rest. A
// series is stored entirely, with equal events, or not at all.
func (s *shownPieces) event(t *testing.T, p *fragment) pieceState {
	t.Helper()
	all := s.events[p.name]
	if len(all) == 0 {
		return pieceState{} // rest finds remaining parts
	}
	if len(all) != p.events {
		t.Errorf("%s has %d events, want %d", p.name, len(all), p.events)
	}
	state := s.state(t, p, all[0])
	for _, e := range all[1:] {
		if other := s.state(t, p, e); other != state {
			t.Errorf("events of %s are %+v and %+v", p.name, state, other)
		}
	}
	p.id = all[0].ID
	p.tag = s.tags[p.name].ID
	delete(s.events, p.name)
	delete(s.venues, p.name)
	delete(s.organizers, p.name)
	delete(s.tags, p.name)
	return state
}

// state returns the state of an event of a fragment.
func (s *shownPieces) state(t *testing.T, p *fragment, e shownEvent) pieceState {
	t.Helper()
	tag, tagged := s.tags[p.name]
	switch {
	case e.Venue != s.venues[p.name] || len(e.Organizer) != 1 || e.Organizer[0] != s.organizers[p.name]:
		t.Errorf("%s is there without its venue or organizer: %+v", p.name, e)
	case tagged != (len(e.Tags) == 1) || tagged && e.Tags[0].ID != tag.ID:
		t.Errorf("%s has the tags %+v, and there is %+v", p.name, e.Tags, tag)
	case len(e.Categories) != 1 || s.categories[e.Categories[0].Name].ID != e.Categories[0].ID:
		t.Errorf("%s is in the categories %+v", p.name, e.Categories)
	}
	text := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(e.Description), "<p>"), "</p>")
	return pieceState{there: true, text: text, trash: e.Status == "trash", tagged: tagged}
}

// rest reports what belongs to nothing that was written.
func (s *shownPieces) rest(t *testing.T) {
	t.Helper()
	for name := range s.categories {
		if strings.HasPrefix(name, "shared ") {
			delete(s.categories, name)
		}
	}
	if n := len(s.events) + len(s.venues) + len(s.organizers) + len(s.categories) + len(s.tags); n > 0 {
		t.Errorf("%d records belong to nothing that was written: %+v", n, *s)
	}
}
