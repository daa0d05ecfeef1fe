package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A legacySite is asked as a site of the original.
type legacySite struct {
	*testing.T
	srv *almanactest.Server
}

func newLegacySite(t *testing.T) legacySite {
	t.Helper()
	return legacySite{t, almanactest.Start(t, almanactest.Options{
		Now:  time.Date(2031, 5, 1, 9, 0, 0, 999_999_999, time.UTC),
		Zone: "Europe/Berlin",
		Also: "/wp-json/tribe/events/v1",
	})}
}

// ask returns an answer to a role; "" is a stranger.
func (s legacySite) ask(role account.Role, path string) (a *http.Response, body string) {
	s.Helper()
	client := http.DefaultClient
	if role != "" {
		client = s.srv.As(role)
	}
	a, err := client.Get(s.srv.URL + path)
	if err != nil {
		s.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		s.Fatal(err)
	}
	return a, strings.ReplaceAll(string(text), s.srv.URL, "")
}

// outline returns the status of an answer with the code of an error, or with the slugs of a list.
func (s legacySite) outline(role account.Role, path string) string {
	s.Helper()
	a, body := s.ask(role, path)
	got := fmt.Sprint(a.StatusCode)
	var refusal struct{ Code string }
	var list []struct{ Slug string }
	if json.Unmarshal([]byte(body), &refusal) == nil && refusal.Code != "" {
		return got + " " + refusal.Code
	}
	if json.Unmarshal([]byte(body), &list) == nil {
		for _, one := range list {
			got += " " + one.Slug
		}
	}
	return got
}

// Tools of the original begin with the root, the account and the settings.
func TestLegacyStart(t *testing.T) {
	t.Parallel()
	s := newLegacySite(t)
	for path, want := range map[string]string{
		"/wp-json/wp/v2/users/me?_fields=id,name,slug,meta,_links": `{"id":2,"name":"editor",` +
			`"slug":"editor","meta":[],"_links":{"self":[{"href":"/wp-json/wp/v2/users/me"}]}}`,
		"/wp-json/wp/v2/users/me?context=edit&_fields=username,roles": `{"username":"editor",` +
			`"roles":["editor"]}`,
		"/?rest_route=/wp/v2/users/me&_fields=id": `{"id":2}`,
		"/wp-json/wp/v2?_fields=namespace,_links": `{"namespace":"wp/v2",` +
			`"_links":{"up":[{"href":"/wp-json/"}]}}`,
		"/?rest_route=/&_fields=namespaces,gmt_offset,timezone_string": `{"gmt_offset":2,` +
			`"timezone_string":"Europe/Berlin","namespaces":["tribe/events/v1","wp/v2"]}`,
	} {
		a, body := s.ask(account.Editor, path)
		if diff := cmp.Diff(want, body); a.StatusCode != 200 || diff != "" {
			t.Errorf("%s: %d (-want +got)\n%s", path, a.StatusCode, diff)
		}
		root := "<" + s.srv.URL + `/wp-json/>; rel="https://api.w.org/"`
		if got := a.Header.Values("Link")[0]; got != root {
			t.Errorf("%s: the root is %s, want %s", path, got, root)
		}
	}
	a, body := s.ask(account.Administrator, "/wp-json/wp/v2/settings")
	want := `{"title":"` + strings.TrimPrefix(s.srv.URL, "http://") + `","description":"","url":"",` +
		`"timezone":"Europe/Berlin","start_of_week":0,"language":"en","posts_per_page":10}`
	if diff := cmp.Diff(want, body); a.StatusCode != 200 || diff != "" {
		t.Errorf("settings: %d (-want +got)\n%s", a.StatusCode, diff)
	}
	for _, test := range []struct {
		role       account.Role
		path, want string
	}{
		{"", "users/me", "401 rest_not_logged_in"},
		{account.Subscriber, "users/me", "200"},
		{account.Subscriber, "users/me?context=all", "400 rest_invalid_param"},
		{"", "settings", "401 rest_forbidden"},
		{account.Editor, "settings", "403 rest_forbidden"},
		{"", "posts", "404 rest_no_route"},
	} {
		if got := s.outline(test.role, "/wp-json/wp/v2/"+test.path); got != test.want {
			t.Errorf("%s as %q: %s, want %s", test.path, test.role, got, test.want)
		}
	}
	alone := legacySite{t, almanactest.Start(t, almanactest.Options{})}
	for _, path := range []string{"", "/users/me", "/settings", "/tribe_events"} {
		if got := alone.outline(account.Administrator, "/wp/v2"+path); got != "404 rest_no_route" {
			t.Errorf("without -also, %q: %s", path, got)
		}
	}
}

// Events as posts tell their states and terms to everybody, and what is hidden to nobody.
func TestLegacyPosts(t *testing.T) {
	t.Parallel()
	s := newLegacySite(t)
	music := &store.Term{Name: "Music", Slug: "music"}
	hall := &store.Venue{Name: "Hall"}
	cellar := &store.Venue{Name: "Cellar", Post: store.Post{Status: store.Draft}}
	s.srv.Seed(music, hall, cellar)
	at := func(day int) store.Wall {
		return store.WallOf(time.Date(2031, 6, day, 20, 0, 0, 0, time.UTC))
	}
	event := func(day int, slug string, p store.Post) *store.Event {
		p.Slug = slug
		p.Date = time.Date(2031, 4, day, 8, 0, 0, 0, time.UTC)
		p.Description = "Inside of " + slug
		e := &store.Event{Post: p, Title: "The " + slug, Start: at(day), End: at(day) + 3600}
		e.Timezone = "Europe/Berlin"
		return e
	}
	choir := event(1, "choir", store.Post{})
	choir.Venues = []int64{hall.ID, cellar.ID}
	choir.Categories = []int64{music.ID}
	choir.State = store.Canceled
	choir.StateReason = "Rain"
	choir.Author = 4
	draft := event(2, "draft", store.Post{Status: store.Draft, Author: 2})
	secret := event(3, "secret", store.Post{})
	secret.Password = "sesame"
	secret.Categories = choir.Categories
	secret.Venues = []int64{hall.ID}
	secret.StateReason = "Hidden"
	trash := event(4, "trash", store.Post{Status: store.Trash})
	past := event(5, "past", store.Post{})
	past.Start -= 900 * 24 * 3600
	past.End = past.Start
	s.srv.Seed(choir, draft, secret, trash, past)

	const posts = "/wp-json/wp/v2/tribe_events"
	one := func(e *store.Event) string { return fmt.Sprint(posts, "/", e.ID) }
	const fields = "?_fields=date,date_gmt,slug,status,title,content,featured_media,meta,tribe_events_cat,class_list"
	for _, test := range []struct {
		role       account.Role
		path, want string
	}{
		{"", one(choir) + fields, fmt.Sprintf(`{"date":"2031-04-01T10:00:00",`+
			`"date_gmt":"2031-04-01T08:00:00","slug":"choir","status":"publish",`+
			`"title":{"rendered":"The choir"},`+
			`"content":{"rendered":"<p>Inside of choir</p>","protected":false},"featured_media":0,`+
			`"meta":{"_EventAllDay":false,"_EventTimezone":"Europe/Berlin",`+
			`"_EventStartDate":"2031-06-01 20:00:00","_EventEndDate":"2031-06-01 21:00:00",`+
			`"_EventStartDateUTC":"2031-06-01 18:00:00","_EventEndDateUTC":"2031-06-01 19:00:00",`+
			`"_EventShowMap":false,"_EventShowMapLink":false,"_EventURL":"","_EventCost":"",`+
			`"_EventCurrencySymbol":"","_EventCurrencyCode":"","_EventCurrencyPosition":"",`+
			`"_EventOrganizerID":[],"_EventVenueID":[%d],"_tribe_events_status":"canceled",`+
			`"_tribe_events_status_reason":"Rain"},"tribe_events_cat":[%d],"class_list":["post-%d",`+
			`"tribe_events","type-tribe_events","status-publish","tribe_events_cat-music",`+
			`"cat_music","tribe-events-status__list-event-canceled"]}`, hall.ID, music.ID, choir.ID)},
		{"", one(secret) + fields, fmt.Sprintf(`{"date":"2031-04-03T10:00:00",`+
			`"date_gmt":"2031-04-03T08:00:00","slug":"secret","status":"publish",`+
			`"title":{"rendered":"The secret"},"content":{"rendered":"","protected":true},`+
			`"featured_media":0,"meta":{"_EventAllDay":false,"_EventTimezone":"Europe/Berlin",`+
			`"_EventStartDate":"2031-06-03 20:00:00","_EventEndDate":"2031-06-03 21:00:00",`+
			`"_EventStartDateUTC":"2031-06-03 18:00:00","_EventEndDateUTC":"2031-06-03 19:00:00",`+
			`"_EventShowMap":false,"_EventShowMapLink":false,"_EventURL":"","_EventCost":"",`+
			`"_EventCurrencySymbol":"","_EventCurrencyCode":"","_EventCurrencyPosition":"",`+
			`"_EventOrganizerID":[],"_EventVenueID":[],"_tribe_events_status":"",`+
			`"_tribe_events_status_reason":""},"tribe_events_cat":[],"class_list":["post-%d",`+
			`"tribe_events","type-tribe_events","status-publish"]}`, secret.ID)},
		{"", one(secret) + "?password=sesame&_fields=content", `{"content":` +
			`{"rendered":"<p>Inside of secret</p>","protected":true}}`},
		{account.Editor, one(secret) + "?context=edit&_fields=content", `{"content":` +
			`{"rendered":"<p>Inside of secret</p>","protected":true}}`},
		{account.Contributor, one(secret) + "?context=edit&_fields=content", `{"content":` +
			`{"rendered":"","protected":true}}`},
		{"", posts + "?slug=secret&_fields=content,title", `[{"title":{"rendered":"The secret"},` +
			`"content":{"rendered":"","protected":true}}]`},
	} {
		a, body := s.ask(test.role, test.path)
		if diff := cmp.Diff(test.want, body); a.StatusCode != 200 || diff != "" {
			t.Errorf("%s as %q: %d (-want +got)\n%s", test.path, test.role, a.StatusCode, diff)
		}
	}
	for _, test := range []struct {
		role       account.Role
		path, want string
	}{
		{"", posts, "200 past secret choir"},
		{"", posts + "?order=asc", "200 choir secret past"},
		{"", posts + "?orderby=title&order=asc", "200 choir past secret"},
		{"", posts + "?per_page=1&page=2", "200 secret"},
		{"", posts + "?page=2", "400 rest_post_invalid_page_number"},
		{"", posts + fmt.Sprint("?include=", choir.ID, ",", draft.ID), "200 choir"},
		{"", posts + "?include=" + strings.Repeat("1,", 1000), "400 rest_invalid_param"},
		{"", posts + fmt.Sprint("?exclude=", choir.ID, ",", past.ID), "200 secret"},
		{"", posts + "?exclude=x", "400 rest_invalid_param"},
		{"", posts + "?author=4", "200 choir"},
		{"", posts + "?author=4,2", "200 choir"},
		{account.Editor, posts + "?author=2&status=draft,publish", "200 draft"},
		{"", posts + "?author=2", "200"},
		{"", posts + "?after=2031-04-01T10:00:00", "200 past secret"},
		{"", posts + "?after=2031-04-01T09:59:59&before=2031-04-03T08:00:00Z", "200 choir"},
		{"", posts + "?after=soon", "400 rest_invalid_param"},
		{"", posts + "?offset=0", "200 past secret choir"},
		{"", posts + "?offset=1", "400 rest_invalid_param"},
		{"", posts + "?search=inside", "200 past choir"},
		{"", posts + fmt.Sprint("?tribe_events_cat=", music.ID), "200 secret choir"},
		{"", posts + "?tribe_events_cat=999", "200"},
		{"", posts + "?tags=999", "200"},
		{"", posts + "?slug=draft", "200"},
		{"", posts + "?slug=trash", "200"},
		{"", posts + "?status=draft", "400 rest_invalid_param"},
		{"", posts + "?status=trash", "400 rest_invalid_param"},
		{"", posts + "?orderby=rand", "400 rest_invalid_param"},
		{"", posts + "?context=edit", "401 rest_forbidden_context"},
		{account.Subscriber, posts + "?context=edit", "403 rest_forbidden_context"},
		{account.Subscriber, posts + "?status=draft", "400 rest_invalid_param"},
		{account.Subscriber, posts + "?search=draft", "200"},
		{account.Contributor, posts + "?status=draft", "200"},
		{account.Editor, posts, "200 past secret choir"},
		{account.Editor, posts + "?status=draft,publish", "200 past secret draft choir"},
		{"", one(draft), "404 rest_post_invalid_id"},
		{account.Subscriber, one(draft), "404 rest_post_invalid_id"},
		{account.Contributor, one(draft), "404 rest_post_invalid_id"},
		{account.Editor, one(draft), "200"},
		{"", one(trash), "404 rest_post_invalid_id"},
		{account.Subscriber, one(trash), "404 rest_post_invalid_id"},
		{account.Contributor, one(trash), "404 rest_post_invalid_id"},
		{account.Author, one(trash), "404 rest_post_invalid_id"},
		{account.Editor, one(trash), "200"},
		{account.Editor, posts + "?status=trash", "200 trash"},
		{account.Author, posts + "?status=trash", "200"},
		{"", one(secret) + "?password=wrong", "403 rest_post_incorrect_password"},
		{"", one(secret) + "?context=edit", "401 rest_forbidden_context"},
		{"", posts + "/999", "404 rest_post_invalid_id"},
		{"", fmt.Sprint(posts, "/", hall.ID), "404 rest_post_invalid_id"},
	} {
		if got := s.outline(test.role, test.path); got != test.want {
			t.Errorf("%s as %q: %s, want %s", test.path, test.role, got, test.want)
		}
	}
	a, _ := s.ask("", posts+"?per_page=1&order=asc")
	next := "<" + s.srv.URL + posts + `?per_page=1&order=asc&page=2>; rel="next"`
	if got := strings.Join(a.Header.Values("Link"), " "); !strings.Contains(got, next) ||
		a.Header.Get("X-WP-Total") != "3" || a.Header.Get("X-WP-TotalPages") != "3" {
		t.Errorf("the first page: %v", a.Header)
	}
	blank, _ := s.ask("", one(secret))
	open, _ := s.ask("", one(secret)+"?password=sesame")
	if blank.Header.Get("ETag") == open.Header.Get("ETag") {
		t.Error("the entity tag of a blank post is that of its content")
	}
}
