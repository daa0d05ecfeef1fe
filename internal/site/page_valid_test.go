// Pages as a strict reader finds them: valid in every language, and harmless whatever records say.

package site_test

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"almanac/i18n"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"
	"almanac/internal/tools/sample"
	"almanac/store"
)

// readPage asks for a page and reads it.
func readPage(t *testing.T, h http.Handler, path string, status int) *apitest.Page {
	t.Helper()
	rec := apitest.Serve(h, http.MethodGet, "http://example.com"+path, "", "Accept", "text/html")
	if rec.Code != status {
		t.Errorf("%.200s: %d, want %d", path, rec.Code, status)
	}
	p := apitest.ReadPage(rec.Body.String(), "http://example.com")
	for _, wrong := range p.Wrong {
		t.Errorf("%.200s: %.400s", path, wrong)
	}
	return p
}

// views are addresses of every view, of a calendar that has a record of each kind with a slug.
func views(slug string) []string {
	return []string{
		"/events/",
		"/events/past/",
		"/events/month/2031-04/",
		"/events/month/2030-01/",
		"/events/week/2031-04-10/",
		"/events/2031-04-10/",
		"/events/today/",
		"/events/featured/",
		"/events/category/" + slug + "/",
		"/events/category/" + slug + "/month/2031-04/",
		"/events/tag/" + slug + "/",
		"/events/?tribe-bar-search=x",
		"/events/?tribe-bar-date=2031-04-10",
		"/event/" + slug + "/",
		"/event/" + slug + "-locked/",
		"/event/" + slug + "-1/",
		"/event/" + slug + "-comes-again/all/",
		"/venue/" + slug + "/",
		"/organizer/" + slug + "/",
	}
}

// show adds records of every kind, whose texts fill sets.
func show(t *testing.T, c *sample.Calendar, slug string, fill func(record any)) {
	image := &store.Image{Width: 640, Height: 480}
	category := &store.Term{Taxonomy: store.Categories}
	tag := &store.Term{Taxonomy: store.Tags}
	venue := &store.Venue{}
	organizer := &store.Organizer{}
	event := &store.Event{}
	locked := &store.Event{}
	series := &store.Series{}
	for _, record := range []any{image, category, tag, venue, organizer, event, locked, &series.Event} {
		fill(record)
	}
	image.Directory = "" // it is no upload
	image.URL = "http://example.com/" + image.URL
	category.Slug = slug
	tag.Slug = slug
	venue.Slug = slug
	organizer.Slug = slug
	c.Seed(image)
	for i, e := range []*store.Event{event, locked, &series.Event} {
		day := store.Wall(i) * 86_400
		e.Slug = slug
		e.Start = sample.Local(t, "2031-04-09 12:00:00") + day
		e.End = sample.Local(t, "2031-04-10 13:00:00") + day
		e.Image = image.ID
		e.Featured = true
	}
	venue.Image, venue.Geo, venue.ShowMap, venue.ShowMapLink = image.ID, &store.Geo{
		Lat: 1,
		Lng: 2,
	}, true, true
	organizer.Image = image.ID
	locked.Slug = slug + "-locked"
	locked.Password = "pw"
	series.Event.Slug = slug + "-comes-again"
	c.Seed(category, tag, venue, organizer)
	for _, e := range []*store.Event{event, locked, &series.Event} {
		e.Categories = []int64{category.ID}
		e.Tags = []int64{tag.ID}
		e.Venues = []int64{venue.ID}
		e.Organizers = []int64{organizer.ID}
	}
	series.Event.End = series.Event.Start + 3600
	series.Rule = "FREQ=DAILY;INTERVAL=5;COUNT=3"
	c.Seed(event, locked)
	series.Event.Post = event.Post
	series.Event.Timezone = event.Timezone
	series.Event.Meta = store.Meta{}
	series.Event.Slug = slug + "-comes-again"
	if err := c.Store.Update(1, func(tx *store.Tx) error { return tx.Put(series) }); err != nil {
		t.Fatal(err)
	}
	for i := range store.Wall(3) {
		again := series.Event
		again.Origins = nil
		again.Slug = fmt.Sprint(slug, "-", int(i))
		again.Start = again.Start + i*5*86_400
		again.End = again.End + i*5*86_400
		again.Recurrence = &store.Recurrence{Series: series.ID, Start: again.Start}
		c.Seed(&again)
	}
}

// fillAll puts a text into every text of a record.
func fillAll(record any, text string) {
	v := reflect.ValueOf(record).Elem()
	for i := range v.NumField() {
		field := v.Field(i)
		name := v.Type().Field(i).Name
		switch {
		case name == "Timezone" || name == "Password" || name == "Origins" || name == "Former" ||
			field.Type() == reflect.TypeFor[store.Status]() || field.Type() == reflect.TypeFor[store.Kind]():
		case name == "Post" || name == "Cost":
			fillAll(field.Addr().Interface(), text)
		case field.Kind() == reflect.String:
			field.SetString(text)
		case field.Type() == reflect.TypeFor[[]string]():
			field.Set(reflect.ValueOf([]string{text, text}))
		}
	}
}

// Every view is valid in every language, names its language and direction, and is of one
// heading, also where nothing is found and where nothing is.
func TestPagesInEveryLanguageAlone(t *testing.T) {
	race.Alone(t)
	c := sample.Fair(t)
	show(t, c, "show", func(record any) {
		fillAll(record, "A <b>text</b> & more")
		if e, ok := record.(*store.Event); ok {
			e.Timezone = "Europe/Paris"
			e.Website = "https://example.org/?a=b&c"
			e.Entries = []string{"5", "10"}
			e.Description = `<h1>Doors</h1><p>at <a href="https://example.org/">seven</a><ul><li>one<table><tr><td>cell</table>`
		}
	})
	c.Add(&store.Event{
		Title:  "All day",
		AllDay: true,
		Start:  sample.Local(t, "2031-04-10 00:00:00"),
		End:    sample.Local(t, "2031-04-12 23:59:59"),
	})
	h := sample.Visited(t, c)
	for _, l := range i18n.Languages() {
		for _, view := range append(views("show"), "/event/one/", "/event/all-day/", "/venue/hall/", "/organizer/ann/") {
			p := readPage(t, h, "/"+l.Tag+view, http.StatusOK)
			if e := p.Elements[0]; e.Attributes["lang"] != l.Tag || e.Attributes["dir"] != l.Dir {
				t.Errorf(
					"%s in %s: <html lang=%q dir=%q>",
					view,
					l.Tag,
					e.Attributes["lang"],
					e.Attributes["dir"],
				)
			}
		}
		readPage(t, h, "/"+l.Tag+"/event/nothing/", http.StatusNotFound)
	}
}

// harmful are attacks in places of texts.
var harmful = []string{
	`"><script>alert(1)</script><img src=x onerror=alert(2)>`, `</title></script></style></textarea><script>alert(3)//`,
	`' onmouseover='alert(4)' x="` + "`" + `{{.Words}}<!-- <script> --> ]]>`, `<!--<script>`,
	`<a href="javascript:alert(5)">a</a><iframe srcdoc="<script>"></iframe><svg onload=alert(6)><math><style>*{}</style><base href=//x>`,
	`<form action=//x><input name=password></form></main></body></html><meta http-equiv=refresh content=0>`,
	"javascript:alert(7)", " jAvAsCrIpT\t:alert(8)", "java\nscript:alert(9)", "data:text/html,<script>alert(10)</script>", "vbscript:x",
	"//evil.example/x", `https://evil.example/" onmouseover="x`, "https://user:pw@evil.example:99999/%zz",
	"x@y?bcc=evil@example.org&body=<b>",
	"a\u202eb\u2066c\u2069\u2069d\u202a", "\u2067\u2068 שלום \u202d", "a\x00b\x01c\x1bd\x7fe\u0085f\ufffe",
	"line\u2028and\u2029paragraph\r\n\vx",
	"not UTF-8: \xff\xfe\xc0\x80\xed\xa0\x80", "&#8238;&#x2066;&lt;script&gt;&amp;lt;b&amp;gt; &nosuch; &#0;",
	strings.Repeat(
		"W",
		10_000,
	), strings.Repeat("ש", 10_000), strings.Repeat("👩‍👩‍👧", 1000), strings.Repeat("<b>", 3000),
	strings.Repeat("&", 10_000),
}

// No text of a record or of a request becomes markup, runs, loads something from elsewhere, or
// changes the direction of the text beside it.
func TestPageTextsAlone(t *testing.T) {
	race.Alone(t)
	for i, text := range harmful {
		t.Run(fmt.Sprintf("%.30q", text), func(t *testing.T) {
			t.Parallel()
			c := sample.New(t)
			show(t, c, "evil", func(record any) { fillAll(record, text) })
			h := siteOf(t, c, text)
			languages := []string{"", "/ar"} // by turns, if it must not take long
			if !sample.Long {
				languages = languages[i%2:][:1]
			}
			for _, language := range languages {
				for _, view := range views("evil") {
					readPage(t, h, language+view, http.StatusOK)
				}
				for _, name := range pageParameters {
					if len(text) > 1000 {
						break
					}
					rec := apitest.Serve(
						h,
						http.MethodGet,
						"http://example.com"+language+"/events/?"+name+"="+url.QueryEscape(text),
						"",
						"Accept",
						"text/html",
					)
					if rec.Header().Get("Content-Type") == "text/html; charset=utf-8" {
						for _, wrong := range apitest.ReadPage(rec.Body.String(), "http://example.com").Wrong {
							t.Errorf("%s=%.100q: %.400s", name, text, wrong)
						}
					}
				}
				for _, path := range []string{"/event/", "/venue/", "/events/category/", "/tag/", "/events/"} {
					readPage(t, h, language+path+url.PathEscape(text), http.StatusNotFound)
				}
			}
		})
	}
}

// pageParameters are the parameters that pages may repeat.
var pageParameters = []string{
	"tribe-bar-search",
	"tribe-bar-date",
	"categories",
	"tags",
	"venue",
	"organizer",
	"tag",
	"tribe_events_cat",
	"tribe_venue",
	"tribe_organizer",
	"featured",
	"eventDisplay",
	"page",
	"utm_source",
	"post_type",
}
