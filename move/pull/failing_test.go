package pull

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/store"
)

// A source that fails changes nothing. The command tells the reason, without the address, and goes
// on with the next source.
func TestFailing(t *testing.T) {
	t.Parallel()
	const one, other = "UID:1@club.example|DTSTART:29990510T200000Z|SUMMARY:A", "UID:2@club.example|DTSTART:29990511T200000Z|SUMMARY:B"
	whole := ics(one, other)
	half := strings.Repeat(" ", sourceMost/2)
	page := func(next string, ids ...int) string {
		var all []string
		for _, id := range ids {
			all = append(
				all,
				fmt.Sprintf(
					`{"id":%d,"global_id":"old.example?id=%d","title":"P","start_date":"2999-05-10 20:00:00",`+
						`"end_date":"2999-05-10 21:00:00"}`,
					id,
					id,
				),
			)
		}
		return `{"events":[` + strings.Join(
			all,
			",",
		) + `],"total":2,"next_rest_url":"` + next + `"}`
	}
	endless := map[string]document{"/d": {body: page("SITE/2", 1)}}
	for n := 2; n <= pagesMost; n++ {
		endless[fmt.Sprint("/", n)] = document{body: page(fmt.Sprint("SITE/", n+1))}
	}
	for name, test := range map[string]struct {
		docs map[string]document
		want string
	}{
		"10,001 pages": {endless, "more than 10000 pages"},
		"100,001 rows": {map[string]document{
			"/d": {
				body: "EVENT NAME,EVENT START DATE\n" + strings.Repeat("A,2999-05-10\n", 100_001),
			},
		},
			"has more than 100000 records"},
		"500": {map[string]document{
			"/d": {
				code: 500,
				body: whole,
			},
		}, "answers 500"},
		"404": {nil, "answers 404"},
		"a page": {map[string]document{
			"/d": {
				body: "<!DOCTYPE html><title>Soon</title>",
			},
		}, "a page (HTML)"},
		"nothing": {map[string]document{"/d": {}}, "is empty"},
		"no event": {map[string]document{
			"/d": {
				body: ics(),
			},
		}, "has no event, and had some that are not over"},
		"no row": {map[string]document{
			"/d": {
				body: "EVENT NAME,EVENT START DATE\n",
			},
		}, "has no event"},
		"cut connection": {map[string]document{
			"/d": {
				body: whole,
				cut:  true,
			},
		}, "the connection ended before the answer did"},
		"half an event": {map[string]document{
			"/d": {
				body: whole[:len(whole)-30],
			},
		}, "a part of it is missing"},
		"half a calendar": {map[string]document{
			"/d": {
				body: strings.TrimSuffix(ics(one), "END:VCALENDAR\r\n"),
			},
		}, "a part of it is"},
		"half a list": {map[string]document{
			"/d": {
				body: page("", 1, 2)[:99],
			},
		}, "ends in the middle of its JSON"},
		"half of a list": {map[string]document{
			"/d": {
				body: page("", 1),
			},
		}, "1 of 2 events are missing"},
		"next page lost": {map[string]document{
			"/d": {
				body: page("SITE/2", 1),
			},
		}, "answers 404"},
		"next page elsewhere": {map[string]document{
			"/d": {
				body: page("http://localhost/", 1),
			},
		}, "at another site"},
		"pages in a circle": {map[string]document{
			"/d": {
				body: page("SITE/2", 1),
			},
			"/2": {
				body: page("SITE/d", 1),
			},
		}, "names a page twice"},
		"redirects in a circle": {map[string]document{
			"/d": {
				redirect: "/e",
			},
			"/e": {
				redirect: "/d",
			},
		}, "redirects"},
		"redirect inwards": {map[string]document{
			"/d": {
				redirect: "INWARDS",
			},
		}, "an address of a private network"},
		"redirect to a port": {map[string]document{
			"/d": {
				redirect: "http://127.0.0.1:1/",
			},
		}, "an address of a private network"},
		"redirect to a file": {map[string]document{
			"/d": {
				redirect: "file:///etc/passwd",
			},
		}, "no address with http or https"},
		"100 MB": {map[string]document{
			"/d": {
				body: whole + strings.Repeat("X-LONG:x\r\n", 10<<20),
			},
		}, "more than 64 MiB"},
		"64 MB": {map[string]document{
			"/d": {
				body: whole + strings.Repeat(" ", sourceMost-len(whole)),
			},
		}, "more than 64 MiB"},
		"64 MB of pages": {map[string]document{
			"/d": {
				body: page("SITE/2", 1) + half,
			},
			"/2": {
				body: page("", 2) + half,
			},
		},
			"more than 64 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t, false)
			s := newSite(t)
			list := sourceList(t, map[string]string{
				"name": "d",
				"url":  s.URL + "/d",
				"as":   "overwrite",
				"gone": "trash",
			},
				map[string]string{"name": "after", "url": s.URL + "/after", "as": "keep"})
			s.put("/d", document{body: whole})
			s.put("/after", document{
				body: ics("UID:3@club.example|DTSTART:29990512T200000Z|SUMMARY:C"),
			})
			c.must(t, list)
			s.mu.Lock()
			delete(s.docs, "/d")
			s.mu.Unlock()
			for path, d := range test.docs {
				d.body = strings.ReplaceAll(d.body, "SITE", s.URL)
				d.redirect = strings.ReplaceAll(
					d.redirect,
					"INWARDS",
					strings.Replace(s.URL, "127.0.0.1", "localhost", 1)+"/after",
				)
				s.put(path, d)
			}
			s.put("/after", document{
				body: ics(
					"UID:3@club.example|DTSTART:29990512T200000Z|SUMMARY:C later|LAST-MODIFIED:29980101T000000Z",
				),
			})
			status, _, errs := c.pull(t, list)
			if status != 1 || !strings.Contains(errs, "d: ") ||
				!strings.Contains(errs, test.want) ||
				strings.Contains(errs, s.URL) ||
				!strings.Contains(errs, "1 of 2 sources failed") {
				t.Errorf("status %d: %s, want %s", status, errs, test.want)
			}
			if diff := cmp.Diff("2999-05-10 A publish\n2999-05-11 B publish\n2999-05-12 C later publish\n", c.lines(t)); diff != "" {
				t.Error(diff)
			}
			s.put("/d", document{body: ics(one)})
			c.must(t, list)
			if !strings.Contains(c.lines(t), "B trash") {
				t.Error("the source does not go on afterwards:", c.lines(t))
			}
		})
	}
}

// An event that cannot be read is not a missing event: nothing goes to the trash, and the next run
// tells the reason again.
func TestRefused(t *testing.T) {
	t.Parallel()
	c := newCalendar(t, false)
	s := newSite(t)
	list := sourceList(t, map[string]string{
		"name": "club",
		"url":  s.URL + "/d",
		"as":   "keep",
		"gone": "trash",
	})
	s.put("/d", document{
		body: ics(
			"UID:1|DTSTART:29990510T200000Z|SUMMARY:A",
			"UID:2|DTSTART:29990511T200000Z|SUMMARY:B",
		),
	})
	c.must(t, list)
	s.put("/d", document{
		body: ics("UID:1|DTSTART:29990510T200000Z|SUMMARY:A", "UID:2|DTSTART:soon|SUMMARY:B"),
	})
	for range 2 {
		status, _, errs := c.pull(t, list)
		if status != 1 || !strings.Contains(errs, "UID 2") ||
			strings.Contains(c.lines(t), "trash") {
			t.Errorf("status %d: %s\n%s", status, errs, c.lines(t))
		}
	}
	if status, _, errs := c.pull(t, list, "-partial"); status != 0 {
		t.Errorf("status %d with -partial: %s", status, errs)
	}
}

// A record that a server cannot take is refused alone: the records beside it and the next source
// are stored.
func TestUnfitRecord(t *testing.T) {
	t.Parallel()
	for name, member := range map[string]string{
		"deep":   `"venue":` + strings.Repeat("[", 61) + strings.Repeat("]", 61),
		"deeper": `"more":` + strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000),
		"many":   `"venue":[0` + strings.Repeat(",0", 500_000) + `]`,
		"half":   `"description":"\ud800"`,
	} {
		t.Run(name, func(t *testing.T) {
			eachTarget(t, func(t *testing.T, c *calendar) {
				s := newSite(t)
				event := func(id int, more string) string {
					return fmt.Sprintf(
						`{"id":%d,"global_id":"old.example?id=%[1]d","title":"P%[1]d",`+
							`"start_date":"2999-05-1%[1]d 20:00:00","end_date":"2999-05-1%[1]d 21:00:00"%s}`,
						id,
						more,
					)
				}
				events := []string{event(1, ""), event(2, ","+member), event(3, "")}
				s.put("/d", document{body: `{"events":[` + strings.Join(events, ",") + `]}`})
				s.put("/after", document{body: ics("UID:4|DTSTART:29990514T200000Z|SUMMARY:P4")})
				status, _, errs := c.pull(t, sourceList(t,
					map[string]string{"name": "d", "url": s.URL + "/d", "as": "keep"},
					map[string]string{"name": "after", "url": s.URL + "/after", "as": "keep"}))
				if status != 1 || !strings.HasPrefix(errs, "d: record 2 (events): ") {
					t.Errorf("status %d: %s", status, errs)
				}
				const want = "2999-05-11 P1 publish\n2999-05-13 P3 publish\n2999-05-14 P4 publish\n"
				if diff := cmp.Diff(want, c.lines(t)); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// Pictures come from the host of their source, also in a private network, and not from that of
// another source or port.
func TestPictures(t *testing.T) {
	t.Parallel()
	c := newCalendar(t, false)
	one := newSite(t)
	two := newSite(t)
	private := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a private address was asked for %s", r.URL)
	}))
	defer private.Close()
	const gif = "GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00," +
		"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	event := func(id int, image string) string {
		return fmt.Sprintf(`{"id":%d,"url":"%s/event/%[1]d/","title":"P%[1]d","image":"%[3]s",`+
			`"start_date":"2999-05-1%[1]d 20:00:00","end_date":"2999-05-1%[1]d 21:00:00"}`,
			id, private.URL, image)
	}
	events := []string{event(1, one.URL+"/a.gif"), event(2, two.URL+"/b.gif"), event(3, "/reboot"),
		event(4, one.URL+"/c.gif")}
	one.put("/d", document{body: `{"events":[` + strings.Join(events, ",") + `]}`})
	one.put("/a.gif", document{body: gif})
	one.put("/c.gif", document{redirect: private.URL})
	two.put("/d", document{body: `{"events":[` + event(5, two.URL+"/b.gif") + `]}`})
	two.put("/b.gif", document{body: gif})
	list := sourceList(t, map[string]string{"name": "one", "url": one.URL + "/d", "as": "keep"},
		map[string]string{"name": "two", "url": two.URL + "/d", "as": "keep"})
	status, out, errs := c.pull(t, list, "-fetch-pictures")
	var refused []string
	names := strings.NewReplacer(one.URL, "ONE", two.URL, "TWO", private.URL, "PRIVATE")
	for line := range strings.Lines(errs) {
		if _, reason, ok := strings.Cut(line, " (images "); ok {
			refused = append(refused, names.Replace(reason))
		}
	}
	const reason = "): 127.0.0.1 is an address of a private network or of this machine: " +
		"only a host that you name yourself may be there\n"
	want := []string{"TWO/b.gif" + reason, "PRIVATE/reboot" + reason, "ONE/c.gif" + reason}
	const images = "images        4        0           0        3"
	diff := cmp.Diff(want, refused)
	if diff != "" || status != 1 || !strings.Contains(out, images) {
		t.Errorf("status %d: %s\n%s%s", status, diff, out, errs)
	}
	taken := 0
	c.with(t, func() {
		_ = c.store.View(func(v *store.View) error {
			for i := range v.Each(store.Images) {
				if i.(*store.Image).Directory != "" {
					taken++
				}
			}
			return nil
		})
	})
	if taken != 2 {
		t.Errorf("%d pictures were taken", taken)
	}
}

// Of two sources with the same event, the first one has it; when it lacks the event, the next one
// has it.
func TestOwner(t *testing.T) {
	t.Parallel()
	c := newCalendar(t, false)
	s := newSite(t)
	source := func(name string) map[string]string {
		return map[string]string{
			"name": name,
			"url":  s.URL + "/" + name,
			"as":   "overwrite",
			"gone": "trash",
		}
	}
	list := sourceList(t, source("a"), source("b"))
	event := func(title string) string {
		return "UID:1@club.example|DTSTART:29990510T200000Z|LAST-MODIFIED:20200101T000000Z|SUMMARY:" + title
	}
	more := func(title string) string { return "UID:" + title + "|DTSTART:29990511T200000Z|SUMMARY:" + title }
	want := func(when, want string) {
		t.Helper()
		if got := c.lines(t); got != want+" publish\n2999-05-11 A publish\n2999-05-11 B publish\n" {
			t.Errorf("%s: %s", when, got)
		}
	}
	s.put("/a", document{body: ics(more("A"))})
	s.put("/b", document{body: ics(event("of b"), more("B"))})
	c.must(t, list)
	want("in b alone", "2999-05-10 of b")
	s.put("/a", document{body: ics(more("A"), event("of a"))})
	c.must(t, list)
	want("in both", "2999-05-10 of a")
	s.put("/a", document{code: 500})
	c.pull(t, list)
	want("while a fails", "2999-05-10 of a")
	s.put("/a", document{body: ics(more("A"))})
	c.must(t, list)
	want("in b again", "2999-05-10 of b")
	_, seq := c.events(t)
	c.must(t, list)
	if _, again := c.events(t); again != seq {
		t.Error("the last pull changed something")
	}
	c.must(t, sourceList(t, source("a"))) // a source that nobody names any more loses nothing
	want("without b", "2999-05-10 of b")
	if text, err := os.ReadFile(c.state); err != nil || strings.Contains(string(text), `"b"`) ||
		!strings.Contains(string(text), `"a"`) {
		t.Errorf("the state: %v\n%s", err, text)
	}
}

// The lists of a server are read with all their pages, and all other forms of its documents.
func TestServer(t *testing.T) {
	t.Parallel()
	from := newCalendar(t, true)
	for i := range 33 {
		from.request(
			t,
			"POST",
			events,
			fmt.Sprintf(`{"title":"E%d","start_date":"2999-01-%02d","end_date":"2999-01-%02d",`+
				`"venue":{"venue":"V%d"}}`, i, i%30+1, i%30+1, i%3),
		)
	}
	want := from.lines(t)
	const window = "start_date=2998-01-01&end_date=3000-01-01"
	for _, query := range []string{"events?per_page=10&" + window, "events.ics?" + window, "events.csv?" + window, "venues"} {
		eachTarget(t, func(t *testing.T, c *calendar) {
			list := sourceList(t, map[string]string{
				"name": "server",
				"url":  from.url + "/cal/events/v1/" + query,
				"as":   "overwrite",
				"gone": "trash",
			})
			for range 2 {
				c.must(t, list)
				_, seq := c.events(t)
				c.must(t, list)
				if _, again := c.events(t); again != seq {
					t.Errorf("%s: the second pull changed something", query)
				}
				if got := c.lines(t); query != "venues" && got != want {
					t.Errorf("%s: %s", query, cmp.Diff(want, got))
				}
			}
		})
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	c := newCalendar(t, false)
	const good = `{"name":"a","url":"http://127.0.0.1:1/","as":"keep"}`
	for text, want := range map[string]string{
		``:                            "sources.json: ",
		`{}`:                          "sources.json: ",
		`[]`:                          "must be one list of sources",
		strings.Repeat(" ", 65<<20):   "sources.json: larger than",
		`[` + good + `] []`:           "must be one list of sources",
		`[{"name":1}]`:                "sources.json: ",
		`[` + good + `,` + good + `]`: "there are two sources \"a\"",
		`[{"name":"a","url":"http://a/","as":"keep","every":"1h"}]`: `unknown field "every"; a source is an object of texts with "name"`,
		`[{"name":"a","url":"http://a/"}]`:                          `"as" of "a" must be one of keep, overwrite, once, not ""`,
		`[{"name":"a","url":"http://a/","as":"keep","gone":"x"}]`:   `"gone" of "a" must be keep or trash, not "x"`,
		`[{"url":"http://a/","as":"keep"}]`:                         `must have a "name"`,
		`[{"name":"a","url":"file:///etc/passwd","as":"keep"}]`:     `"url" of "a" must be an address with https://`,
		`[{"name":"a","url":"http:///x","as":"keep"}]`:              `"url" of "a" must be an address`,
	} {
		status, _, errs := c.pull(t, text)
		if status != 2 || !strings.Contains(errs, want) {
			t.Errorf("%.200s: status %d, %s, want %s", text, status, errs, want)
		}
	}
	s := source{Name: "a", URL: "webcal://calendar.example.org/c.ics", As: "once"}
	if err := s.check(); err != nil ||
		s != (source{"a", "https://calendar.example.org/c.ics", "once", "keep"}) {
		t.Errorf("%+v, %v", s, err)
	}
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, ics("UID:1|DTSTART:29990510T200000Z|SUMMARY:A"))
			return
		}
		_, _ = io.WriteString(w, `{"report":{},"state":{}}`)
	}))
	defer old.Close()
	status, _, errs := c.pull(
		t,
		strings.Replace(`[`+good+`]`, "http://127.0.0.1:1", old.URL, 1),
		"-to",
		old.URL,
		"-token",
		"x",
	)
	if status != 1 || !strings.Contains(errs, "the server is older than this program") {
		t.Errorf("an old server: status %d, %s", status, errs)
	}
	writeFile(t, c.state, `{"to":"http://elsewhere.example.org"}`)
	if status, _, errs := c.pull(t, `[`+good+`]`); status != 1 ||
		!strings.Contains(errs, "is about http://elsewhere.example.org") {
		t.Errorf("status %d: %s", status, errs)
	}
	writeFile(t, c.state, `{"to`)
	if status, _, errs := c.pull(t, `[`+good+`]`); status != 1 ||
		!strings.Contains(errs, c.state) {
		t.Errorf("status %d: %s", status, errs)
	}
	if _, err := os.Stat(c.dir); err == nil {
		t.Error("a data directory was made")
	}
}

// The next page of a list is asked as the first one was: by its scheme, at its port, with its
// account.
func TestFollow(t *testing.T) {
	t.Parallel()
	const first = "https://ann:secret@old.example:8443/events?per_page=50"
	for next, want := range map[string]string{
		"":                                 "",
		"?page=2":                          "https://ann:secret@old.example:8443/events?page=2",
		"http://old.example/events?page=2": "https://ann:secret@old.example:8443/events?page=2",
		"https://bob@old.example/2":        "https://ann:secret@old.example:8443/2",
	} {
		if got, err := follow(first, next); got != want || err != nil {
			t.Errorf("%q leads to %q, %v, want %q", next, got, err, want)
		}
	}
	for _, next := range []string{"https://new.example/", "//new.example/2", ":"} {
		if got, err := follow(first, next); err == nil {
			t.Errorf("%q leads to %q", next, got)
		}
	}
}
