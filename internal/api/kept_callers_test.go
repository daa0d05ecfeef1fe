// Cached answers of every kind, asked by every caller again and again.

package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/internal/people/password"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Two authors, of whom each has drafts, are one role and two callers.
const adaID, beaID = 3, 6

// callers are all kinds of callers, by their tokens.
var callers = map[string]account.Account{
	"":            {},
	"admin":       {ID: 1, Role: account.Administrator},
	"editor":      {ID: 2, Role: account.Editor},
	"ada":         {ID: adaID, Role: account.Author},
	"bea":         {ID: beaID, Role: account.Author},
	"contributor": {ID: 4, Role: account.Contributor},
	"subscriber":  {ID: 5, Role: account.Subscriber},
}

// A stage is a calendar with two servers: one remembers what it answers, and one nothing.
type stage struct {
	t                 *testing.T
	store             *store.Store
	clock             *caltime.Clock
	ids               map[string]int64 // by the names of records in this test
	kinds             map[string]store.Kind
	tagged            map[string]string // entity tags of answers, by address
	keeping, keepless *api.Server
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{
		t:      t,
		clock:  caltime.Frozen(sample.Evening),
		ids:    map[string]int64{},
		kinds:  map[string]store.Kind{},
		tagged: map[string]string{},
	}
	var err error
	if s.store, err = store.Open(store.Options{Now: s.clock.Now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	s.keeping = s.serve(api.Options{Pages: true, NoLimits: true, Shared: 10 * time.Second})
	s.keepless = s.serve(api.Options{
		Pages:      true,
		NoLimits:   true,
		Shared:     10 * time.Second,
		CacheBytes: -1,
	})
	s.fill()
	return s
}

// serve makes a server of the calendar, for all callers if the options name no accounts.
func (s *stage) serve(o api.Options) *api.Server {
	s.t.Helper()
	var users []account.User
	for token, caller := range callers {
		if token != "" {
			caller.Login = token
			users = append(users, account.User{Account: caller, Token: token})
		}
	}
	var err error
	if o.Accounts == nil {
		if o.Accounts, err = account.Memory(users...); err != nil {
			s.t.Fatal(err)
		}
	}
	if o.Site, err = caltime.LoadZone("America/New_York"); err != nil {
		s.t.Fatal(err)
	}
	o.Store = s.store
	o.Clock = s.clock
	o.Passwords = password.NewKeeper(1)
	server, err := api.New(o, almanactest.Routes)
	if err != nil {
		s.t.Fatal(err)
	}
	return server
}

// named puts ids in the place of {names}.
func (s *stage) named(path string) string {
	return sample.Braces.ReplaceAllStringFunc(
		path,
		func(name string) string { return fmt.Sprint(s.ids[strings.Trim(name, "{}")]) },
	)
}

// put stores records, and remembers their ids by their names.
func (s *stage) put(named map[string]store.Record) {
	s.t.Helper()
	err := s.store.Update(1, func(tx *store.Tx) error {
		for name, r := range named {
			if err := tx.Put(r); err != nil {
				return err
			}
			s.ids[name], s.kinds[name] = r.Key(), r.Kind()
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// post returns what posts have in common: slug, status and author.
func post(slug string, status store.Status, author int64) store.Post {
	return store.Post{
		Slug:     slug,
		Status:   status,
		Author:   author,
		Date:     sample.Evening.AddDate(0, -1, 0),
		Modified: sample.Evening.AddDate(0, -1, 0),
	}
}

// fill makes the calendar: public records, drafts of both authors, and public records that show
// hidden ones.
func (s *stage) fill() {
	at := store.WallOf(sample.Evening.AddDate(0, 0, 3))
	s.put(map[string]store.Record{
		"music": &store.Term{Taxonomy: store.Categories, Name: "Music", Slug: "music"},
		"free":  &store.Term{Taxonomy: store.Tags, Name: "Free", Slug: "free"},
		"image": &store.Image{URL: "https://example.org/hall.png", Extension: "png"},
		"hall": &store.Venue{
			Post: post("hall", store.Publish, adaID),
			Name: "Hall",
			City: "Albany",
			Geo: &store.Geo{
				Lat: 40,
				Lng: -73,
			},
		},
		"loft":  &store.Venue{Post: post("loft", store.Draft, adaID), Name: "Loft"},
		"attic": &store.Venue{Post: post("attic", store.Draft, beaID), Name: "Attic"},
		"ann":   &store.Organizer{Post: post("ann", store.Publish, 2), Name: "Ann"},
		"guild": &store.Organizer{Post: post("guild", store.Private, adaID), Name: "Guild"},
	})
	event := func(p store.Post, venue, organizer string) *store.Event {
		e := &store.Event{
			Post:       p,
			Title:      strings.ToUpper(p.Slug),
			Timezone:   "America/New_York",
			Start:      at,
			End:        at + 7200,
			Categories: []int64{s.ids["music"]},
			Tags:       []int64{s.ids["free"]},
		}
		e.Description = "about " + p.Slug
		if id := s.ids[venue]; id != 0 {
			e.Venues = []int64{id}
		}
		if id := s.ids[organizer]; id != 0 {
			e.Organizers = []int64{id}
		}
		return e
	}
	locked := event(post("locked", store.Publish, 2), "hall", "ann")
	past := event(post("past", store.Publish, 2), "hall", "ann")
	locked.Password = "pw"
	past.Start = at - 30*86_400
	past.End = at - 30*86_400 + 60
	weekly := event(post("weekly", store.Publish, adaID), "hall", "ann")
	rehearsals := event(post("rehearsals", store.Draft, adaID), "loft", "guild")
	s.put(map[string]store.Record{
		"gala":              event(post("gala", store.Publish, adaID), "hall", "ann"),
		"talk":              event(post("talk", store.Publish, 2), "loft", "guild"),
		"locked":            locked,
		"past":              past,
		"ada-draft":         event(post("ada-draft", store.Draft, adaID), "loft", ""),
		"bea-draft":         event(post("bea-draft", store.Draft, beaID), "attic", ""),
		"contributor-draft": event(post("contributor-draft", store.Pending, 4), "hall", ""),
		"private":           event(post("private", store.Private, 2), "hall", "ann"),
		"weekly":            &store.Series{Event: *weekly, Rule: "FREQ=WEEKLY;COUNT=2"},
		"rehearsals":        &store.Series{Event: *rehearsals, Rule: "FREQ=WEEKLY;COUNT=1"},
	})
	first := *weekly
	shown := *rehearsals
	first.Slug = "weekly-first"
	first.Recurrence = &store.Recurrence{Series: s.ids["weekly"], Start: at}
	shown.Slug = "rehearsal"
	shown.Status = store.Publish
	shown.Recurrence = &store.Recurrence{Series: s.ids["rehearsals"], Start: at}
	child := event(post("child", store.Publish, 2), "", "")
	solo := event(post("solo", store.Publish, 2), "hall", "ann")
	child.Parent = s.ids["gala"]
	solo.Start = at + 2*86_400
	solo.End = at + 2*86_400 + 60 // on its day are events of one organizer alone
	s.put(map[string]store.Record{
		"weekly-first": &first,
		"rehearsal":    &shown,
		"child":        child,
		"solo":         solo,
	})
	s.crowd(7)
}

// crowd makes events of one day, more than a month shows.
func (s *stage) crowd(n int) {
	for range n {
		name := fmt.Sprint("crowd-", len(s.ids))
		e := &store.Event{
			Post:     post(name, store.Publish, 2),
			Title:    "Crowd",
			Timezone: "UTC",
			Start:    store.WallOf(sample.Evening.AddDate(0, 0, 6)) + store.Wall(len(s.ids)),
		}
		e.End = e.Start + 60
		s.put(map[string]store.Record{name: e})
	}
}

// change puts a copy of a record with changes.
func change[R any, P interface {
	*R
	store.Record
}](s *stage, name string, f func(P)) {
	s.t.Helper()
	err := s.store.Update(1, func(tx *store.Tx) error {
		next := *tx.Get(s.kinds[name], s.ids[name]).(P)
		f(&next)
		return tx.Put(P(&next))
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// everyAnswer is a path of each kind of answer that may be cached, or made of cached parts. In
// braces are the names of records.
var everyAnswer = []string{
	v1 + "/events", v1 + "/events?per_page=2&page=2", v1 + "/events?venue={hall}", v1 + "/events?organizer={guild}",
	v1 + "/events?include={ada-draft},{bea-draft},{locked}", v1 + "/events?search=gala", v1 + "/events?first_of_series=true",
	v1 + "/events?series={weekly}", v1 + "/events?categories=music&orderby=title", v1 + "/events?geoloc_lat=40&geoloc_lng=-73",
	v1 + "/events?password=pw", v1 + "/events?context=edit", v1 + "/events?_fields=events,total",
	v1 + "/events/{gala}", v1 + "/events/{talk}", v1 + "/events/{ada-draft}", v1 + "/events/{locked}", v1 + "/events/by-slug/rehearsal",
	v1 + "/events/{locked}?password=pw", v1 + "/events/{locked}?context=edit", v1 + "/events/{child}",
	v1 + "/venues", v1 + "/venues/{hall}", v1 + "/venues/{loft}", v1 + "/venues?has_events=1", v1 + "/venues?event={talk}",
	v1 + "/organizers", v1 + "/organizers/{ann}", v1 + "/organizers/by-slug/guild", v1 + "/organizers?only_with_upcoming=1",
	v1 + "/categories", v1 + "/categories/{music}", v1 + "/tags", v1 + "/tags?event={gala}", v1 + "/tags/{free}",
	v1 + "/series", v1 + "/series/{weekly}", v1 + "/series/{rehearsals}",
	v1 + "/events.ics", v1 + "/events.ics?expand=true", v1 + "/events.csv", v1 + "/events.rss", v1 + "/events.atom",
	v1 + "/events.feed.json?password=pw", v1 + "/events/{talk}.ics", v1 + "/events/{locked}.ics",
	"/events/?ical=1", "/events/list/?ical=1", "/events/feed/", "/?post_type=tribe_events&feed=rss2", "/event/gala/?ical=1",
	"/event/locked/?ical=1", "/venue/hall/?ical=1",
	"/events/", "/events/list/?venue={hall}", "/events/past/", "/events/month/", "/events/week/", "/events/today/", "/events/2026-11-23/",
	"/events/category/music/", "/events/tag/free/month/", "/events/?tribe-bar-search=gala", "/de/events/", "/embed/events/",
	"/event/gala/", "/event/talk/", "/event/ada-draft/", "/event/locked/", "/event/locked/?password=pw", "/event/weekly-first/",
	"/event/rehearsal/", "/event/child/", "/de/event/gala/", "/embed/event/gala/",
	"/venue/hall/", "/venue/loft/", "/organizer/ann/", "/organizer/guild/", "/sitemap.xml",
}

// Every caller gets the answer of a server without a cache to every request, however often it is
// repeated, while records are hidden, shown again or changed in between. The clock stands still,
// or the cached answers would be made anew for another reason.
func TestEverybodysAnswersAlone(t *testing.T) {
	race.Alone(t)
	s := newStage(t)
	steps := []struct {
		name string
		do   func()
	}{
		{"at first", func() {}},
		{
			"the venue is a draft",
			func() { change(s, "hall", func(v *store.Venue) { v.Status = store.Draft }) },
		},
		{
			"the venue is back",
			func() { change(s, "hall", func(v *store.Venue) { v.Status = store.Publish }) },
		},
		{
			"a draft of a venue is published",
			func() { change(s, "loft", func(v *store.Venue) { v.Status = store.Publish }) },
		},
		{
			"and hidden again",
			func() { change(s, "loft", func(v *store.Venue) { v.Status = store.Private }) },
		},
		{
			"the organizer is private",
			func() { change(s, "ann", func(o *store.Organizer) { o.Status = store.Private }) },
		},
		{"the organizer is another's draft", func() {
			change(s, "ann", func(o *store.Organizer) {
				o.Status = store.Draft
				o.Author = beaID
			})
		}},
		{
			"the organizer is back",
			func() { change(s, "ann", func(o *store.Organizer) { o.Status = store.Publish }) },
		},
		{
			"a draft has another title",
			func() { change(s, "ada-draft", func(e *store.Event) { e.Title = "Take two" }) },
		},
		{
			"a draft has another author",
			func() { change(s, "ada-draft", func(e *store.Event) { e.Author = beaID }) },
		},
		{
			"an event is a draft",
			func() { change(s, "gala", func(e *store.Event) { e.Status = store.Draft }) },
		},
		{"the event is back, with a password", func() {
			change(s, "gala", func(e *store.Event) {
				e.Status = store.Publish
				e.Password = "pw"
			})
		}},
		{
			"the password is gone",
			func() { change(s, "gala", func(e *store.Event) { e.Password = "" }) },
		},
		{
			"the event is in the trash",
			func() { change(s, "gala", func(e *store.Event) { e.Status = store.Trash }) },
		},
		{
			"the series is hidden",
			func() { change(s, "weekly", func(w *store.Series) { w.Event.Status = store.Private }) },
		},
		{
			"a hidden series is shown",
			func() { change(s, "rehearsals", func(w *store.Series) { w.Event.Status = store.Publish }) },
		},
		{"a category and a tag have other names", func() {
			change(s, "music", func(c *store.Term) { c.Name = "Musick" })
			change(s, "free", func(c *store.Term) { c.Name = "No charge" })
		}},
		{
			"the venue has a picture",
			func() { change(s, "hall", func(v *store.Venue) { v.Image = s.ids["image"] }) },
		},
		{"a full day has one more", func() { s.crowd(1) }},
		{
			"the venue is in the trash",
			func() { change(s, "hall", func(v *store.Venue) { v.Status = store.Trash }) },
		},
		{"another day", func() { s.clock.Advance(24 * time.Hour) }},
		{"all is over", func() { s.clock.Advance(30 * 24 * time.Hour) }},
	}
	for _, step := range steps {
		step.do()
		for _, path := range everyAnswer {
			s.compare(step.name, path)
		}
	}
	if kept := s.keeping.Measure().Cache; kept.Hits < 2*int64(len(everyAnswer)*len(steps)) {
		t.Errorf("hardly anything was remembered: %+v", kept)
	}
}

// compare asks both servers for a path, all callers in turn and each of them again: an answer that
// is cached at the second time is sent at the third, and compressed at the fourth.
func (s *stage) compare(step, path string) {
	s.t.Helper()
	path = s.named(path)
	want := map[string]*httptest.ResponseRecorder{}
	for round := range 4 {
		for token := range callers {
			fields := []string{"Accept", "text/html", "Authorization", apitest.Bearer(token)}
			if want[token] == nil {
				want[token] = apitest.Serve(
					s.keepless,
					http.MethodGet,
					"http://example.com"+path,
					"",
					fields...)
				s.namesOne(step, path, token, want[token])
			}
			if round < 3 {
				if round == 2 {
					s.head(step, path, want[token], fields)
				}
				got := apitest.Serve(
					s.keeping,
					http.MethodGet,
					"http://example.com"+path,
					"",
					fields...)
				if want[token].Header()["Content-Length"] == nil { // of a document that is made while it is sent
					delete(got.Header(), "Content-Length")
				}
				if diff := cmp.Diff(want[token].Header(), got.Header()); diff != "" {
					s.t.Fatalf("%s: %s by %q: header (-anew, +kept):\n%s", step, path, token, diff)
				}
				s.same(step, path, token, want[token], got.Code, got.Body.String())
				continue
			}
			r := httptest.NewRequest(http.MethodGet, "http://example.com"+path, nil)
			r.Header = http.Header{
				"Accept":          {"text/html"},
				"Authorization":   {apitest.Bearer(token)},
				"Accept-Encoding": {"gzip"},
			}
			status, body := answered(s.t, s.keeping, r)
			s.same(step, path, token, want[token], status, body)
		}
	}
}

// namesOne sees that the entity tags of an address name one text each, whoever has them.
func (s *stage) namesOne(step, path, token string, answer *httptest.ResponseRecorder) {
	s.t.Helper()
	tag := path + " " + answer.Header().Get("Etag")
	body := answer.Body.String()
	if other, known := s.tagged[tag]; known && other != body && answer.Header()["Etag"] != nil {
		s.t.Fatalf(
			"%s: %s by %q has the tag of another text: %s (-other, +this):\n%s",
			step,
			path,
			token,
			tag,
			cmp.Diff(other, body),
		)
	}
	s.tagged[tag] = body
}

// head asks for the head alone, which is that of the answer.
func (s *stage) head(step, path string, want *httptest.ResponseRecorder, fields []string) {
	s.t.Helper()
	got := apitest.Serve(s.keeping, http.MethodHead, "http://example.com"+path, "", fields...)
	if got.Code != want.Code || got.Body.Len() > 0 ||
		got.Header().Get("Etag") != want.Header().Get("Etag") {
		s.t.Fatalf(
			"%s: HEAD of %s by %q: %d %v with %q, want %d %v",
			step,
			path,
			fields[3],
			got.Code,
			got.Header(),
			got.Body,
			want.Code,
			want.Header(),
		)
	}
}

func (s *stage) same(
	step, path, token string,
	want *httptest.ResponseRecorder,
	status int,
	body string,
) {
	s.t.Helper()
	if status != want.Code || body != want.Body.String() {
		s.t.Fatalf(
			"%s: %s by %q: %d, want %d (-anew, +kept):\n%s",
			step,
			path,
			token,
			status,
			want.Code,
			cmp.Diff(want.Body.String(), body),
		)
	}
}

// A page is made in several states of the calendar: the state in which its address was read, and
// later ones. A record that is hidden in between is not shown, however often it comes and goes.
func TestHiddenInBetweenAlone(t *testing.T) {
	race.Alone(t)
	s := newStage(t)
	const hidden = "Secret"
	flip := func(secret bool) {
		status := store.Publish
		name := "Open"
		if secret {
			status = store.Draft
			name = hidden
		}
		err := s.store.Update(1, func(tx *store.Tx) error {
			e := *tx.Event(s.ids["gala"])
			v := *tx.Venue(s.ids["hall"])
			o := *tx.Organizer(s.ids["ann"])
			e.Status = status
			e.Title = name
			v.Status = status
			v.Name = name
			o.Status = status
			o.Name = name
			return errors.Join(tx.Put(&e), tx.Put(&v), tx.Put(&o))
		})
		if err != nil {
			t.Error(err)
		}
	}
	done := make(chan struct{})
	stopped := make(chan struct{})
	stop := sync.OnceFunc(func() {
		close(done)
		<-stopped
	})
	defer stop()
	go func() {
		defer close(stopped)
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			default:
				flip(n%2 == 0)
			}
		}
	}()
	ask := func(path string) *httptest.ResponseRecorder {
		return apitest.Serve(
			s.keeping,
			http.MethodGet,
			"http://example.com"+path,
			"",
			"Accept",
			"text/html",
		)
	}
	paths := []string{
		"/venue/hall/",
		"/organizer/ann/",
		"/event/gala/",
		"/venue/hall/?ical=1",
		"/event/gala/?ical=1",
		"/events/",
		"/events/month/",
		v1 + "/venues",
		v1 + "/events.ics?expand=true",
	}
	for range 400 {
		for _, path := range paths {
			rec := ask(path)
			if rec.Code == http.StatusOK && strings.Contains(rec.Body.String(), hidden) {
				t.Fatalf(
					"%s shows a stranger what was hidden while it was made: %s",
					path,
					rec.Body,
				)
			}
		}
	}
	stop()
	flip(false)
	for _, path := range paths {
		if rec := ask(path); rec.Code != http.StatusOK ||
			!strings.Contains(rec.Body.String(), "Open") {
			t.Errorf("%s does not show what is public: %d %s", path, rec.Code, rec.Body)
		}
	}
}

// An answer that a password opened is not cached: a caller without guesses left learns from no
// form of the answer that a guess is right.
func TestOpenedIsNotRemembered(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.serve(api.Options{
		Pages: true,
		Limits: &admission.Limits{
			Passwords: limit.Rate{
				N:   1,
				Per: time.Hour,
			},
		},
	})
	ask := func(from, path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "http://example.com"+s.named(path), nil)
		if page, form, _ := strings.Cut(path, "?"); strings.HasPrefix(page, "/event/") {
			r = httptest.NewRequest(
				http.MethodPost,
				"http://example.com"+page,
				strings.NewReader(form),
			)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		r.RemoteAddr = from + ":1000"
		r.Header.Set("Accept", "text/html")
		return apitest.Record(h, r)
	}
	if rec := ask("192.0.2.9", v1+"/events/{locked}?password=wrong"); rec.Code != http.StatusForbidden {
		t.Fatalf("a guess: %d %s", rec.Code, rec.Body)
	}
	for _, path := range []string{v1 + "/events?", v1 + "/events?include={locked},{gala}&", v1 + "/events.ics?",
		v1 + "/events.ics?expand=1&", v1 + "/events.csv?", v1 + "/events.rss?", v1 + "/events.atom?", v1 + "/events.feed.json?",
		v1 + "/events/{locked}?",
		v1 + "/events/by-slug/locked?", "/event/locked/?"} {
		path += "per_page=50&password=pw"
		for n := range 3 {
			rec := ask("192.0.2.1", path)
			if rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), "about locked") {
				t.Errorf(
					"%s, asked %d times before: %d, not opened: %.200s",
					path,
					n,
					rec.Code,
					rec.Body,
				)
			}
		}
		for range 3 {
			rec := ask("192.0.2.9", path)
			if rec.Code != http.StatusTooManyRequests ||
				strings.Contains(rec.Body.String(), "about locked") {
				t.Errorf("%s by who may not guess: %d, want 429: %.200s", path, rec.Code, rec.Body)
			}
		}
	}
	if rec := apitest.Serve(h, http.MethodGet, "http://example.com/event/locked/", "", "Accept", "text/html"); rec.Code != http.StatusOK ||
		strings.Contains(rec.Body.String(), "about locked") {
		t.Errorf("the page is open to everybody: %d %s", rec.Code, rec.Body)
	}
}

// An asking is the context of a request that does something when it is asked for the first time
// whether the client is still there.
type asking struct {
	context.Context
	once sync.Once
	do   func()
}

func (a *asking) Err() error {
	a.once.Do(a.do)
	return a.Context.Err()
}

// The page of a venue or an organizer does not show what it is of if that is hidden while its
// events are searched, which takes long and keeps no state of the calendar.
func TestHiddenWhileSearched(t *testing.T) {
	t.Parallel()
	for path, hide := range map[string]func(*stage){
		"/venue/hall/": func(s *stage) {
			change(s, "hall", func(v *store.Venue) {
				v.Status = store.Draft
				v.Name = "Secret"
			})
		},
		"/organizer/ann/": func(s *stage) {
			change(s, "ann", func(o *store.Organizer) {
				o.Status = store.Draft
				o.Name = "Secret"
			})
		},
	} {
		s := newStage(t)
		many := map[string]store.Record{} // more than is read while writers wait
		for n := range 1000 {
			at := store.WallOf(sample.Evening.AddDate(0, 0, 5)) + store.Wall(n)
			e := &store.Event{
				Post:       post(fmt.Sprint("many-", n), store.Publish, 2),
				Title:      "Many",
				Timezone:   "UTC",
				Start:      at,
				End:        at,
				Venues:     []int64{s.ids["hall"]},
				Organizers: []int64{s.ids["ann"]},
			}
			e.Description = strings.Repeat("one two ", 50)
			many[e.Slug] = e
		}
		s.put(many)
		hidden := false
		r := httptest.NewRequest(
			http.MethodGet,
			"http://example.com"+path+"?tribe-bar-search=%22one+two%22",
			nil,
		)
		r.Header.Set("Accept", "text/html")
		rec := apitest.Record(s.keeping, r.WithContext(&asking{
			Context: t.Context(),
			do:      func() { hidden = true; hide(s) },
		}))
		if !hidden || rec.Code != http.StatusOK || strings.Contains(rec.Body.String(), "Secret") ||
			!strings.Contains(rec.Body.String(), "Many") {
			t.Errorf(
				"%s, hidden while it is made: %v, answered with %d %s",
				path,
				hidden,
				rec.Code,
				rec.Body,
			)
		}
	}
}

// A read whose body says what is asked for is not that of its address, which may be remembered.
func TestReadsWithBodies(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, path := range []string{v1 + "/events", v1 + "/events/{gala}", v1 + "/venues", v1 + "/events.csv"} {
		for _, body := range []string{"", "", "", `{"per_page":1}`, `{"_fields":"id,total"}`, `{"password":"pw"}`,
			fmt.Sprintf(`{"venue":%d}`, s.ids["hall"]), "", "{"} {
			var answers [2]*httptest.ResponseRecorder
			for i, h := range []http.Handler{s.keepless, s.keeping} {
				answers[i] = apitest.Serve(
					h,
					http.MethodGet,
					"http://example.com"+s.named(path),
					body,
					"Content-Type",
					"application/json",
				)
			}
			want := answers[0]
			got := answers[1]
			s.namesOne("with a body", path, body, want)
			if diff := cmp.Diff(want.Body.String(), got.Body.String()); diff != "" ||
				want.Code != got.Code {
				t.Errorf(
					"%s with %s: %d, want %d (-anew, +kept):\n%s",
					path,
					body,
					got.Code,
					want.Code,
					diff,
				)
			}
			if diff := cmp.Diff(want.Header()["Cache-Control"], got.Header()["Cache-Control"]); diff != "" {
				t.Errorf("%s with %s: Cache-Control (-anew, +kept):\n%s", path, body, diff)
			}
		}
	}
}

// At one address there is more than one text: by format, by language, and for an account by the
// role that it has at the time. Each has a tag of its own.
func TestTagsOfAnAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	change(s, "locked", func(e *store.Event) { e.Author = adaID })
	for _, role := range []account.Role{account.Author, account.Contributor, account.Subscriber} {
		accounts, err := account.Memory(account.User{
			Account: account.Account{
				ID:    adaID,
				Login: "ada",
				Role:  role,
			},
			Token: "ada",
		})
		if err != nil {
			t.Fatal(err)
		}
		h := s.serve(api.Options{Pages: true, NoLimits: true, Negotiate: true, Accounts: accounts})
		for _, path := range []string{"/", "/events/", "/events/month/", "/event/gala/", "/venue/hall/", v1 + "/events",
			v1 + "/events?context=edit", v1 + "/events/{gala}", v1 + "/series", v1 + "/doc", "/docs"} {
			for _, accept := range []string{"*/*", "text/html", "text/csv", "text/calendar", "application/rss+xml", "application/atom+xml"} {
				for _, language := range []string{"", "de", "ar"} {
					s.namesOne(
						string(role),
						path,
						accept+" in "+language,
						apitest.Serve(
							h,
							http.MethodGet,
							"http://example.com"+s.named(path),
							"",
							"Accept",
							accept,
							"Accept-Language",
							language,
							"Authorization",
							"Bearer ada",
						),
					)
				}
			}
		}
	}
	if len(s.tagged) < 60 {
		t.Errorf("%d texts at 11 addresses", len(s.tagged))
	}
}

// A list that is too long for memory shows its records as they are, whatever is remembered of
// them.
func TestLongListsAreCurrentAlone(t *testing.T) {
	race.Alone(t)
	for n, size := range map[int]int{16: 340_000, 100: 60_000} {
		s := newStage(t)
		keeping := s.serve(api.Options{NoLimits: true, MaxPerPage: n})
		keepless := s.serve(api.Options{NoLimits: true, MaxPerPage: n, CacheBytes: -1})
		many := map[string]store.Record{}
		for i := range n {
			e := &store.Event{
				Post:     post(fmt.Sprint("many-", i), store.Publish, 2),
				Title:    "Many",
				Timezone: "UTC",
				Start:    store.WallOf(sample.Evening.AddDate(0, 0, 5)) + store.Wall(i),
				Venues:   []int64{s.ids["hall"]},
			}
			e.End = e.Start
			e.Description = strings.Repeat("many ", size/10)
			e.Excerpt = e.Description
			many[e.Slug] = e
		}
		s.put(many)
		for step, do := range []func(){
			func() {},
			func() { change(s, "hall", func(v *store.Venue) { v.Name = "Palace" }) },
			func() { change(s, "hall", func(v *store.Venue) { v.Status = store.Draft }) },
			func() { change(s, "many-3", func(e *store.Event) { e.Title = "One of many" }) },
		} {
			do()
			path := fmt.Sprint("http://example.com", v1, "/events?search=many&per_page=", n)
			want := apitest.Serve(keepless, http.MethodGet, path, "")
			for range 3 {
				got := apitest.Serve(keeping, http.MethodGet, path, "")
				if got.Code != want.Code || got.Body.String() != want.Body.String() ||
					want.Body.Len() < 4<<20 {
					t.Fatalf(
						"%d records, step %d: %d, %d bytes, which are not the %d of %d",
						n,
						step,
						got.Code,
						got.Body.Len(),
						want.Body.Len(),
						want.Code,
					)
				}
			}
		}
	}
}
