// Worlds with something in them that is not for everybody, and their twins
// without it.

package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/people/password"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/sample"
	"almanac/store"
)

// A secret is how the records are hidden that a world has and its twin has not.
type secret struct {
	status   store.Status
	password string // of the event
	by       account.Role
	linked   bool // a published event is linked to them
}

func (s secret) String() string {
	text := string(s.status) + " by " + string(s.by)
	if s.password != "" {
		text += " with a password"
	}
	if s.linked {
		text += ", linked"
	}
	return text
}

// inside reports whether the event is there for everybody and only what is in it
// is hidden.
func (s secret) inside() bool { return s.status == store.Publish }

// shows reports whether a role is shown what is hidden from others.
func (s secret) shows(role account.Role) bool {
	return role == account.Editor || role == account.Administrator || role == s.by
}

// A leakWorld is a server with a small calendar. The ids here are those of hidden records; in the
// twin they belong to images that nothing shows, so that later ids are the same.
type leakWorld struct {
	http.Handler
	store                          *store.Store
	image, venue, organizer, event int64 // hidden
	picture                        int64 // hidden: an upload
	series, exception              int64 // hidden: the event's series, and an event of a published series
	category, tag                  int64 // carried by the hidden event alone; terms are for everybody
	carrier                        int64 // published and linked to the hidden record
	concert, child, hall, ann      int64 // published
	weekly                         int64 // a published series
	music, free                    int64
	own                            map[account.Role][3]int64 // event, venue and organizer that are their drafts
	proposal                       store.Proposal            // of every event
	filled                         *store.Savepoint
}

// hiddenTexts is the prefix of texts of hidden records, and hiddenTerms that of terms that only
// hidden events have.
const hiddenTexts, hiddenTerms = "zq", "xq"

// otherCanaries are dates and places of hidden records.
var otherCanaries = []string{
	"07:07:07",
	"03:04:05",
	"06:07:08",
	"12.345678",
	"98.765432",
	hiddenDirectory,
}

// hiddenDirectory is in the address of the hidden upload.
const hiddenDirectory = "0f0e0d0c0b0a09080706050403020100"

// leakTokens are the tokens of the accounts.
var leakTokens = map[account.Role]string{
	account.Administrator: "t-administrator",
	account.Editor:        "t-editor",
	account.Author:        "t-author",
	account.Contributor:   "t-contributor",
	account.Subscriber:    "t-subscriber",
}

// roleIDs are the ids of the accounts.
var roleIDs = map[account.Role]int64{
	account.Administrator: 1,
	account.Editor:        2,
	account.Author:        3,
	account.Contributor:   4,
	account.Subscriber:    5,
}

// fillTexts puts a text of its own into every text of a record, so that a member that is added
// later is checked as well.
func fillTexts(record any, name string) {
	v := reflect.ValueOf(record).Elem()
	for i := range v.NumField() {
		field := v.Field(i)
		named := v.Type().Field(i).Name
		switch {
		case named == "Post":
			fillTexts(field.Addr().Interface(), name)
		case named == "Cost":
			fillTexts(field.Addr().Interface(), name+"currency")
			field.Addr().Interface().(*store.Cost).Entries = []string{hiddenTexts + name + "cost"}
		case named == "Timezone" || named == "Password" || named == "State" || named == "Directory" ||
			field.Type() == reflect.TypeFor[store.Status]():
		case field.Kind() == reflect.String:
			field.SetString(hiddenTexts + strings.ToLower(name+named))
		case field.Type() == reflect.TypeFor[store.CustomFields]():
			text := hiddenTexts + name + "custom"
			field.Set(reflect.ValueOf(store.CustomFields{{
				Key:   text + "key",
				Label: text + "label",
				Value: text + "value",
			}}))
		case field.Type() == reflect.TypeFor[[]string]():
			field.Set(reflect.ValueOf([]string{hiddenTexts + strings.ToLower(name+named)}))
		}
	}
}

// hiddenSlug is the slug of the hidden record of a kind.
func hiddenSlug(kind string) string { return hiddenTexts + kind + "slug" }

// newLeakWorld makes a world with a secret, or its twin. Where only the inside of
// an event is hidden, the event of the twin has other texts in it.
func newLeakWorld(t testing.TB, s secret, there bool) *leakWorld {
	t.Helper()
	w := &leakWorld{own: map[account.Role][3]int64{}}
	fillTexts(&w.proposal, "proposal") // in both worlds: no answer has these texts, for any role
	var err error
	if w.store, err = store.Open(store.Options{
		Now: func() time.Time { return sample.Evening },
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Update(1, w.public); err != nil {
		t.Fatal(err)
	}
	now := sample.Evening
	if s.status != store.Future { // else it would be published
		now = time.Date(2031, 7, 6, 23, 0, 0, 0, time.UTC) // the evening before the hidden event
	}
	accounts, err := accountsWithFeeds(filepath.Join(t.TempDir(), "users.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.serve(api.Options{
		Explain:  true,
		NoLimits: true,
		Clock:    caltime.Frozen(now),
		Accounts: accounts,
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Update(1, func(tx *store.Tx) error { return w.hide(tx, s, there) }); err != nil {
		t.Fatal(err)
	}
	if w.filled, err = w.store.Savepoint(); err != nil {
		t.Fatal(err)
	}
	return w
}

// reset undoes what was stored since the world was made.
func (w *leakWorld) reset(t testing.TB) {
	t.Helper()
	if err := w.store.RollBack(w.filled); err != nil {
		t.Fatal(err)
	}
}

// twins are the worlds without what is hidden. It depends on little of a secret how these are: one
// that several secrets have is made once, and asked each question once.
type twins struct {
	t    testing.TB // which they last for
	mu   sync.Mutex // guards made
	made map[secret]*twin
}

func twinsOf(t testing.TB) *twins { return &twins{t: t, made: map[secret]*twin{}} }

// of returns the twin of a world with a secret.
func (all *twins) of(t testing.TB, s secret) *twin {
	t.Helper()
	if !s.inside() {
		s.password, s.by = "", ""
		if s.status != store.Future { // when it is another time
			s.status = store.Draft
		}
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.made[s] == nil {
		all.made[s] = &twin{t: all.t, world: newLeakWorld(all.t, s, false), told: map[string]reply{}}
	}
	return all.made[s]
}

// A twin remembers what it has answered.
type twin struct {
	t     testing.TB
	mu    sync.Mutex // guards the rest
	world *leakWorld
	told  map[string]reply
}

// ask asks as a role. What the question stores is undone.
func (w *twin) ask(role account.Role, q question) reply {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := fmt.Sprint(role, " ", q)
	got, isTold := w.told[key]
	if !isTold {
		got = w.world.ask(role, q)
		if q.method != http.MethodGet && q.method != http.MethodHead && got.Status < 300 {
			w.world.reset(w.t)
		}
		w.told[key] = got
	}
	got.Header = maps.Clone(got.Header) // which the caller changes
	return got
}

// serve makes the handler of the world, with pages.
func (w *leakWorld) serve(o api.Options) (err error) {
	if o.Accounts == nil {
		var users []account.User
		for role, token := range leakTokens {
			users = append(users, account.User{
				Account: account.Account{
					ID:    roleIDs[role],
					Login: string(role),
					Role:  role,
				},
				Token: token,
			})
		}
		if o.Accounts, err = account.Memory(users...); err != nil {
			return err
		}
	}
	if o.Site, err = caltime.LoadZone("America/New_York"); err != nil {
		return err
	}
	o.Store = w.store
	o.Pages = true
	o.Passwords = password.NewKeeper(1000)
	o.Also = "/wp-json/tribe/events/v1"
	w.Handler, err = api.New(o, almanactest.Routes)
	return err
}

// leakFilters are the filters of the secret feeds of each account.
var leakFilters = []string{
	"",
	"starts_after=2000-01-01&per_page=50",
	"search=zqeventstitle",
	"categories=xqcategory",
	"tags=xqtag",
	"slug=zqeventsslug",
	"status=any&order=desc",
	"venue=999999",
	"when=week&expand=true",
	"months=60&status_prefix=false",
	"include=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30",
}

// feedOf returns the address of a secret feed of a role, without the format.
func feedOf(role account.Role, filter int) string {
	return "/feeds/" + feedSecret(role, filter) + "/events"
}

func feedSecret(role account.Role, filter int) string {
	sum := sha256.Sum256(fmt.Append(nil, "secret ", role, filter))
	return hex.EncodeToString(sum[:])
}

// accountsWithFeeds makes the accounts with secret feeds in a file.
func accountsWithFeeds(path string) (*account.Directory, error) {
	type feed struct {
		Name   string `json:"name"`
		SHA256 string `json:"sha256"`
		Filter string `json:"filter"`
	}
	type user struct {
		account.Account
		Token string `json:"token"`
		Feeds []feed `json:"feeds"`
	}
	var users []user
	for role, token := range leakTokens {
		u := user{
			Account: account.Account{
				ID:    roleIDs[role],
				Login: string(role),
				Role:  role,
			},
			Token: token,
		}
		for i, filter := range leakFilters {
			sum := sha256.Sum256([]byte(feedSecret(role, i)))
			u.Feeds = append(u.Feeds, feed{filter, hex.EncodeToString(sum[:]), filter})
		}
		users = append(users, u)
	}
	text, err := json.Marshal(map[string]any{"users": users})
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		return nil, err
	}
	return account.Open(path, time.Now, nil)
}

// put stores a record that must be stored, and returns its id.
func (w *leakWorld) put(tx *store.Tx, r store.Record) int64 {
	if err := tx.Put(r); err != nil {
		panic(err)
	}
	return r.Key()
}

// plain returns what events, venues and organizers of everybody have in common.
func plain(author int64, status store.Status, slug string) store.Post {
	day := sample.Evening.AddDate(0, -1, 0)
	return store.Post{Author: author, Status: status, Date: day, Modified: day, Slug: slug}
}

// weekly is when the published series begins.
var weekly = store.WallOf(time.Date(2031, 7, 6, 20, 0, 0, 0, time.UTC))

// public makes what is the same in both worlds.
func (w *leakWorld) public(tx *store.Tx) error {
	w.music = w.put(tx, &store.Term{Taxonomy: store.Categories, Name: "Music", Slug: "music"})
	w.category = w.put(tx, &store.Term{
		Taxonomy: store.Categories,
		Name:     hiddenTerms + "category",
		Slug:     hiddenTerms + "category",
		Parent:   w.music,
	})
	w.free = w.put(tx, &store.Term{Taxonomy: store.Tags, Name: "Free", Slug: "free"})
	w.tag = w.put(tx, &store.Term{
		Taxonomy: store.Tags,
		Name:     hiddenTerms + "tag",
		Slug:     hiddenTerms + "tag",
	})
	picture := w.put(tx, &store.Image{URL: "https://example.org/open.png"})
	hall := &store.Venue{
		Post: plain(1, store.Publish, "hall"),
		Name: "Hall",
		City: "Albany",
		Geo: &store.Geo{
			Lat: 40,
			Lng: -73,
		},
	}
	hall.Image = picture
	w.hall = w.put(tx, hall)
	w.ann = w.put(tx, &store.Organizer{Post: plain(1, store.Publish, "ann"), Name: "Ann"})
	start := weekly
	event := func(p store.Post, title string, parent int64) int64 {
		return w.put(tx, &store.Event{
			Post:       p,
			Title:      title,
			Timezone:   "UTC",
			Start:      start,
			End:        start + 7200,
			Parent:     parent,
			Proposal:   w.proposal,
			Categories: []int64{w.music},
			Tags:       []int64{w.free},
			Venues:     []int64{w.hall},
			Organizers: []int64{w.ann},
		})
	}
	w.concert = event(plain(1, store.Publish, "concert"), "Concert", 0)
	w.child = event(plain(1, store.Publish, "child"), "Child", w.concert)
	again := store.Event{
		Post:     plain(1, store.Publish, "weekly"),
		Title:    "Weekly",
		Timezone: "UTC",
		Start:    start,
		End:      start + 60,
		Proposal: w.proposal,
	}
	w.weekly = w.put(tx, &store.Series{Event: again, Rule: "FREQ=WEEKLY;COUNT=3"})
	for _, week := range []store.Wall{0, 2} {
		e := again
		e.Start = start + week*604800
		e.End = start + week*604800 + 60
		e.Slug = again.Slug + string('a'+rune(week))
		e.Recurrence = &store.Recurrence{Series: w.weekly, Start: e.Start}
		w.put(tx, &e)
	}
	for _, role := range []account.Role{account.Author, account.Contributor} {
		id := roleIDs[role]
		name := "own of " + string(role)
		slug := strings.ReplaceAll(name, " ", "-")
		w.own[role] = [3]int64{
			event(plain(id, store.Draft, slug), name, 0),
			w.put(tx, &store.Venue{Post: plain(id, store.Draft, slug), Name: name}),
			w.put(tx, &store.Organizer{Post: plain(id, store.Draft, slug), Name: name}),
		}
	}
	return nil
}

// hide makes what is hidden, or, in the twin, images in its place.
func (w *leakWorld) hide(tx *store.Tx, s secret, there bool) error {
	post := func() store.Post {
		p := store.Post{
			Author:   roleIDs[s.by],
			Status:   s.status,
			Date:     time.Date(2026, 11, 1, 3, 4, 5, 0, time.UTC),
			Modified: time.Date(2026, 11, 2, 6, 7, 8, 0, time.UTC),
		}
		if s.status == store.Future {
			p.Date = p.Date.AddDate(2, 0, 0)
		}
		return p
	}
	image := &store.Image{}
	venue := &store.Venue{Post: post()}
	organizer := &store.Organizer{Post: post()}
	event := &store.Event{Post: post()}
	fillTexts(image, "image")
	image.URL = "https://" + hiddenTexts + "image.example/" + hiddenTexts + "image.png"
	fillTexts(venue, "venues")
	fillTexts(organizer, "organizers")
	fillTexts(event, "events")
	venue.Geo = &store.Geo{Lat: 12.345678, Lng: 98.765432}
	start := store.WallOf(time.Date(2031, 7, 7, 7, 7, 7, 0, time.UTC))
	event.Timezone = "UTC"
	event.Start = start
	event.End = start + 3600
	event.Password = s.password
	event.Entries = append(event.Entries, "0") // free of charge
	event.Featured = true
	event.Ticketed = true
	event.Sticky = true
	event.Parent = w.concert
	event.State = store.Canceled
	event.PreviousStart = start
	event.Proposal = w.proposal
	exception := &store.Event{Post: post()}
	fillTexts(exception, "exceptions")
	exception.Position = ""
	exception.State = store.Postponed
	exception.Timezone = "UTC"
	exception.Start = start
	exception.End = start + 3600
	exception.Password = s.password
	exception.Recurrence = &store.Recurrence{Series: w.weekly, Start: weekly + 604800}
	series := &store.Series{Rule: "FREQ=WEEKLY;COUNT=2", EXDates: []store.Wall{start + 604800}}
	hash := strings.Repeat("0", 64)
	picture := &store.Image{}
	fillTexts(picture, "picture")
	picture.Directory = hiddenDirectory
	picture.URL = store.MediaPath + hiddenDirectory + "/zqpicture.png"
	picture.Type = "image/png"
	picture.Width = 1
	picture.Height = 1
	picture.Filesize = 1
	picture.Original = ""
	picture.Hash = hash
	picture.Sent = hash
	picture.Author = roleIDs[s.by]
	picture.Date = post().Date
	picture.Modified = post().Modified
	all := []store.Record{image, picture, venue, organizer, series, event, exception}
	ids := []*int64{
		&w.image,
		&w.picture,
		&w.venue,
		&w.organizer,
		&w.series,
		&w.event,
		&w.exception,
	}
	if s.inside() { // everybody knows the records, and the title of the event
		venue.Name = "Open Hall"
		venue.Post = plain(1, store.Publish, "open-hall")
		*venue = store.Venue{Post: venue.Post, Name: venue.Name, Geo: &store.Geo{Lat: 10, Lng: 20}}
		*organizer = store.Organizer{Post: plain(1, store.Publish, "bob"), Name: "Bob"}
		all[1] = &store.Image{URL: "https://example.org/no-upload.png"}
		event.Title = "Closed"
		event.Slug = "closed"
		event.Origins = nil
		event.Date = sample.Evening
		event.Modified = sample.Evening
		event.Start = start + 3600
		event.End = start + 7260
		event.PreviousStart = 0
		if !there {
			event.StateReason = ""
			event.CustomFields = nil
			event.Description = ""
			event.Excerpt = ""
			event.Website = ""
			event.VirtualURL = ""
			event.Entries = nil
			event.Code = ""
			event.Position = ""
			event.Symbol = ""
			event.AllDay = true
			event.ShowMap, event.ShowMapLink, event.Sticky = true, true, false
			image.URL = "https://example.org/other.png"
		}
		exception.Post = plain(1, store.Publish, "other")
		exception.Title = "Other"
		exception.Start = start + 3600
		exception.End = start + 7260
		series.EXDates = nil
		there = true
	}
	series.Event = *event
	if !s.inside() {
		series.Event.Title = hiddenTexts + "seriestitle"
		series.Event.Slug = hiddenTexts + "seriesslug"
	}
	for i, r := range all {
		if !there {
			r = &store.Image{URL: "https://example.org/nothing/" + string(rune('a'+i))}
		} else if r == event {
			event.Recurrence = &store.Recurrence{Series: w.series, Start: event.Start}
			event.Categories = []int64{w.category}
			event.Tags = []int64{w.tag}
			event.Venues = []int64{w.hall, w.venue}
			event.Organizers = []int64{w.organizer}
		}
		if p := store.PostOf(r); p != nil && (r == event || !s.inside()) {
			if p.Image = w.image; r == organizer {
				p.Image = w.picture
			}
		}
		*ids[i] = w.put(tx, r)
	}
	if s.linked {
		start -= 3*86_400 + 127
		e := &store.Event{
			Post:     plain(1, store.Publish, "carrier"),
			Title:    "Carrier",
			Timezone: "UTC",
			Start:    start,
			End:      start + 60,
			Venues:   []int64{w.hall},
		}
		if there {
			e.Venues = []int64{w.hall, w.venue}
			e.Organizers = []int64{w.organizer}
			e.Parent = w.event
			e.Recurrence = &store.Recurrence{Series: w.series, Start: e.Start}
		}
		w.carrier = w.put(tx, e)
	}
	return nil
}
