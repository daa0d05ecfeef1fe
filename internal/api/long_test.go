// Answers of many bytes: lists that are cut, and bodies that are sent in parts.

package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"
	"almanac/internal/tools/sample"
	"almanac/store"
)

// heavy makes a server with a limit of bytes for a page, and with n records of each kind, of very
// different sizes.
func heavy(t *testing.T, answer int64, n int, o almanactest.Options) *sample.Calendar {
	t.Helper()
	o.Limits = &admission.Limits{Answer: answer}
	c := &sample.Calendar{Server: almanactest.Start(t, o)}
	rng := rand.New(rand.NewPCG(5, 5))
	text := func() string { return strings.Repeat("word ", []int{1, 10, 200, 1500, 3000}[rng.IntN(5)]) }
	for i := range n {
		post := func() store.Post { return store.Post{Description: text()} }
		c.Seed(
			store.Venue{
				Post: post(),
				Name: fmt.Sprintf("Venue %03d", i),
			}, store.Organizer{
				Post: post(),
				Name: fmt.Sprintf("Organizer %03d", i),
			},
			store.Term{
				Taxonomy:    store.Categories,
				Name:        fmt.Sprintf("Category %03d", i),
				Description: text(),
			},
			store.Term{
				Taxonomy:    store.Tags,
				Name:        fmt.Sprintf("Tag %03d", i),
				Description: text(),
			},
			store.Event{
				Post:  post(),
				Title: fmt.Sprintf("Event %03d", i),
				Start: sample.Local(t, "2031-05-10 12:00:00") + store.Wall(i),
				End:   sample.Local(t, "2031-05-10 13:00:00") + store.Wall(i),
			},
		)
	}
	return c
}

// A page whose records take more than an answer may is cut, as if a smaller page
// had been asked for: X-Almanac-Clamped says so, the links lead on right behind
// the last record, and who follows them finds every record once, there and back.
func TestCutListsAlone(t *testing.T) {
	race.Alone(t)
	const limit, n = 90_000, 60 // texts count twice
	c := heavy(t, limit, n, almanactest.Options{})
	cuts := 0
	for _, query := range []string{
		"/events?starts_after=2031-01-01", "/events?starts_after=2031-01-01&order=desc",
		"/events?include=" + strings.Join(idsOf(t, c, "/events?starts_after=2031-01-01"), ","),
		"/venues?", "/venues?only_with_upcoming=0", "/organizers?orderby=title", "/categories?hide_empty=0", "/tags?hide_empty=0&order=desc",
	} {
		for _, perPage := range []string{"", "&per_page=36", "&per_page=7"} {
			address := c.URL + v1 + query + perPage
			seen := map[string]int{}
			pages := 0
			forward := 0
			along := func(along string) (last string) {
				for next := address; next != ""; pages++ {
					resp, body := get(t, c, next)
					checkPage(t, next, resp, body, limit)
					if resp.Header.Get("X-Almanac-Clamped") != "" {
						cuts++
					}
					for _, name := range sample.Names(body) {
						seen[name]++
					}
					last = next
					next, _ = body[along].(string)
					if pages > 1000 {
						t.Fatalf("%s leads in a circle", address)
					}
				}
				return last
			}
			for _, direction := range []string{"next_rest_url", "previous_rest_url"} {
				clear(seen)
				address = along(direction)
				if forward == 0 {
					forward = pages
				}
				once := 0
				for name, times := range seen {
					if times != 1 {
						t.Errorf(
							"%s along %s: %s was seen %d times",
							query+perPage,
							direction,
							name,
							times,
						)
					}
					once++
				}
				if once != n {
					t.Errorf("%s along %s: %d records, want %d", query+perPage, direction, once, n)
				}
			}
			if forward > n/2 && perPage != "&per_page=7" { // a prime has no other divisor
				t.Errorf("%s: %d pages, one for nearly every record", query+perPage, forward)
			}
		}
	}
	if cuts < 20 {
		t.Errorf("only %d pages were cut", cuts)
	}
	// An entity tag of a cut page is not that of a whole one.
	tags := map[string]bool{}
	for _, answer := range []int64{0, limit, limit / 2} {
		h, _, err := almanactest.Handler(almanactest.Options{
			Store: c.Store,
			Limits: &admission.Limits{
				Answer: answer,
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(
			w,
			httptest.NewRequest("GET", v1+"/events?starts_after=2031-01-01&per_page=50", nil),
		)
		tags[w.Header().Get("ETag")] = true
	}
	if len(tags) != 3 {
		t.Errorf("three servers with different limits have the tags %v", tags)
	}
}

// get asks for an address as a stranger.
func get(t *testing.T, c *sample.Calendar, address string) (*http.Response, map[string]any) {
	t.Helper()
	resp, err := c.As("").Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	var body map[string]any
	if err := json.Unmarshal(b.Bytes(), &body); err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %s %.200s", address, resp.Status, &b)
	}
	body["bytes"] = b.Len()
	return resp, body
}

// checkPage compares what a page says of itself with what it holds.
func checkPage(t *testing.T, address string, resp *http.Response, body map[string]any, limit int) {
	t.Helper()
	const links = 3000
	shown := len(sample.Names(body))
	if size := body["bytes"].(int); size > limit+links && shown > 1 {
		t.Errorf("%s: %d records in %d bytes", address, shown, size)
	}
	if got, want := resp.Header.Get("X-WP-TotalPages"), fmt.Sprint(body["total_pages"]); got != want {
		t.Errorf("%s: %s pages in the header, %s in the body", address, got, want)
	}
	clamped, ok := strings.CutPrefix(resp.Header.Get("X-Almanac-Clamped"), "per_page=")
	if !ok {
		return
	}
	if clamped != fmt.Sprint(shown) {
		t.Errorf("%s: clamped to %s, and %d records are shown", address, clamped, shown)
	}
	self := body["rest_url"].(string)
	if !strings.Contains(self, "per_page="+clamped) {
		t.Errorf("%s: clamped to %s, and rest_url is %s", address, clamped, self)
	}
}

// idsOf returns the ids in a list, over all its pages.
func idsOf(t *testing.T, c *sample.Calendar, query string) (all []string) {
	t.Helper()
	for next := c.URL + v1 + query; next != ""; {
		_, body := get(t, c, next)
		for _, record := range body["events"].([]any) {
			all = append(all, fmt.Sprint(record.(map[string]any)["id"]))
		}
		next, _ = body["next_rest_url"].(string)
	}
	return all
}

// weighty makes a handler with 2 events that show 11 organizers of 198,000 bytes,
// and so have some megabytes each.
func weighty(t *testing.T, cacheBytes int64) (h http.Handler, events []int64) {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	err = s.Update(1, func(tx *store.Tx) error {
		var organizers []int64
		for i := range 11 {
			o := &store.Organizer{
				Post: store.Post{
					Author: 1,
					Status: store.Publish,
					Description: strings.Repeat(`Say "it's" & go. `,
						198_000/17),
				},
				Name: fmt.Sprint("o", i),
			}
			if err := tx.Put(o); err != nil {
				return err
			}
			organizers = append(organizers, o.ID)
		}
		for i := range 2 {
			e := &store.Event{
				Post: store.Post{
					Author: 1,
					Status: store.Publish,
				},
				Title:      fmt.Sprint("e", i),
				Timezone:   "UTC",
				Start:      2_000_000_000,
				End:        2_000_000_000,
				Organizers: organizers,
			}
			if err := tx.Put(e); err != nil {
				return err
			}
			events = append(events, e.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return unwatched(t, s, cacheBytes), events
}

// unwatched makes a server whose answers are not compared with the schema, which
// takes long with megabytes.
func unwatched(t *testing.T, s *store.Store, cacheBytes int64) *api.Server {
	t.Helper()
	accounts, err := account.Memory(account.User{
		Account: account.Account{
			ID:    1,
			Login: "a",
			Role:  account.Administrator,
		},
		Token: "token",
	})
	if err != nil {
		t.Fatal(err)
	}
	h, err := api.New(api.Options{
		Store:      s,
		Accounts:   accounts,
		CacheBytes: cacheBytes,
		Observe:    func(api.Exchange) {},
	}, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Answers that are made as documents equal short ones: a list is its records, read one by one; an
// entity tag is right; and each other form is made of the plain one.
func TestLongAnswersAlone(t *testing.T) {
	race.Alone(t)
	for name, cacheBytes := range map[string]int64{"kept": 0, "not kept": -1} {
		h, events := weighty(t, cacheBytes)
		send := func(method, path, body string, fields ...string) *httptest.ResponseRecorder {
			return apitest.Serve(h, method, "http://127.0.0.1"+v1+path, body, fields...)
		}
		same := func(what, want, got string) {
			t.Helper()
			if want != got {
				t.Errorf("%s, %s: %d bytes, want %d; they differ", name, what, len(got), len(want))
			}
		}
		list := "/events?starts_after=2030-01-01"
		one := fmt.Sprint("/events/", events[0])
		for _, path := range []string{list, one} {
			plain := send("GET", path, "")
			whole := plain.Body.String()
			if len(whole) < 4<<20 || !json.Valid([]byte(whole)) ||
				plain.Header().Get("Content-Length") != fmt.Sprint(len(whole)) {
				t.Fatalf(
					"%s, %s: %d bytes of %s, JSON: %t",
					name,
					path,
					len(whole),
					plain.Header().Get("Content-Length"),
					json.Valid([]byte(whole)),
				)
			}
			and := "?"
			if strings.Contains(path, "?") {
				and = "&"
			}
			same(path+" again", whole, send("GET", path, "").Body.String())
			_, unzipped := answered(t, h, func() *http.Request {
				r := httptest.NewRequest("GET", "http://127.0.0.1"+v1+path, nil)
				r.Header.Set("Accept-Encoding", "gzip")
				return r
			}())
			same(path+" compressed", whole, unzipped)
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, []byte(whole), "", "    "); err != nil {
				t.Fatal(err)
			}
			same(
				path+" _pretty",
				pretty.String()+"\n",
				send("GET", path+and+"_pretty", "").Body.String(),
			)
			same(
				path+" _jsonp",
				"/**/f("+whole+")",
				send("GET", path+and+"_jsonp=f", "").Body.String(),
			)
			enveloped := send("GET", path+and+"_envelope", "").Body.String()
			if !strings.HasPrefix(enveloped, `{"body":`+whole+`,"status":200,"headers":{`) ||
				!json.Valid([]byte(enveloped)) {
				t.Errorf("%s, %s: the envelope holds something else", name, path)
			}
			tag := plain.Header().Get("ETag")
			if w := send("GET", path, "", "If-None-Match", tag); w.Code != 304 {
				t.Errorf("%s, %s with its tag %s: %d", name, path, tag, w.Code)
			}
			if w := send("HEAD", path, ""); w.Body.Len() != 0 ||
				w.Header().Get("Content-Length") != fmt.Sprint(len(whole)) ||
				w.Header().Get("ETag") != tag {
				t.Errorf(
					"%s, HEAD %s: %d bytes of %s, tag %s",
					name,
					path,
					w.Body.Len(),
					w.Header().Get("Content-Length"),
					w.Header().Get("ETag"),
				)
			}
			for _, coding := range []string{"identity", "gzip"} { // sent with another method, it has the length of the body
				w := send(
					"POST",
					path,
					"",
					"X-HTTP-Method-Override",
					"HEAD",
					"Accept-Encoding",
					coding,
				)
				if w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "0" {
					t.Errorf(
						"%s, POST %s for HEAD, %s: %d, %d bytes of %q",
						name,
						path,
						coding,
						w.Code,
						w.Body.Len(),
						w.Header().Get("Content-Length"),
					)
				}
			}
		}
		_, id, _ := strings.Cut(send("GET", one+"?_fields=id,title", "").Body.String(), ":")
		same("_fields", fmt.Sprintf(`%d,"title":"e0"}`, events[0]), id)
		// A write answers with the record, and the tag of a read.
		w := send("PUT", one, `{"title":"e0"}`, "Authorization", "Bearer token")
		if tag := send("GET", one, "").Header().Get("ETag"); w.Code != 200 ||
			w.Body.Len() < 4<<20 ||
			w.Header()["ETag"][0] != tag {
			t.Errorf(
				"%s, a write: %d, %d bytes, tag %s, that of a read is %s",
				name,
				w.Code,
				w.Body.Len(),
				w.Header()["ETag"],
				tag,
			)
		}
		// The list equals its pages of one record.
		var parts []string
		for page := range events {
			text := send("GET", fmt.Sprint(list, "&per_page=1&page=", page+1), "").Body.String()
			_, text, _ = strings.Cut(text, `{"events":[`)
			text, _, _ = strings.Cut(text, `],"rest_url":`)
			parts = append(parts, text)
		}
		whole := send("GET", list, "").Body.String()
		text, _, _ := strings.Cut(whole, `],"rest_url":`)
		same("the pages together", `{"events":[`+strings.Join(parts, ","), text)
	}
}

// The calendar of one event has all of its description, however long that is.
func TestLongCalendar(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, size := range []int{1, 40, 400} {
		e := &store.Event{
			Post: store.Post{
				Author:      1,
				Status:      store.Publish,
				Description: strings.Repeat("fifteen letters ", size<<10),
			},
			Title:    "Long",
			Timezone: "UTC",
			Start:    2_000_000_000,
			End:      2_000_000_000,
		}
		if err := s.Update(1, func(tx *store.Tx) error { return tx.Put(e) }); err != nil {
			t.Fatal(err)
		}
		for name, cacheBytes := range map[string]int64{"kept": 0, "not kept": -1} {
			w := apitest.Serve(
				unwatched(t, s, cacheBytes),
				"GET",
				fmt.Sprint("http://127.0.0.1", v1, "/events/", e.ID, ".ics"),
				"",
			)
			whole := strings.ReplaceAll(w.Body.String(), "\r\n ", "")
			if n := strings.Count(whole, "fifteen letters"); w.Code != 200 || n < size<<10 ||
				!strings.HasSuffix(whole, "END:VCALENDAR\r\n") {
				t.Errorf("%d KB, %s: %d, %d times", 16*size, name, w.Code, n)
			}
		}
	}
}
