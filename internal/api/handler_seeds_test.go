// Where fuzzing of the handler begins.

package api_test

import (
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/site"
)

// seedHandler adds requests to every route, with every parameter of its table,
// and those that once were trouble elsewhere.
func seedHandler(f *testing.F) {
	var n uint8
	add := func(method, path, header, body string) {
		n++
		f.Add(method, path, header, []byte(body), n)
	}
	almanactest.Routes(func(pattern string, op *api.Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		path = strings.NewReplacer("{id}", "4", "{slug}", "concert", "{$}", "", "{path...}", "free").
			Replace(path)
		var query []string
		for _, row := range op.Params {
			if !row.Path {
				query = append(query, row.Name+"=1")
			}
		}
		for method := range strings.SplitSeq(methods, ",") {
			add(method, path, "", "")
			add(
				method,
				path+"?"+strings.Join(query, "&"),
				"Accept-Encoding: gzip\nOrigin: https://example.org",
				"",
			)
		}
		add("OPTIONS", path, "", "")
		if op == site.Page || op == site.Home {
			add(
				"GET",
				path+"?ical=1&tribe-bar-date=2031-07&eventDisplay=month",
				"Accept-Encoding: gzip",
				"",
			)
			add("HEAD", path+"?feed=rss2&post_type=tribe_events", "", "")
		}
	})
	for _, q := range pageQuestions(&leakWorld{}) {
		path := q.path
		if q.query != "" {
			path += "?" + strings.ReplaceAll(q.query, " ", "%20")
		}
		var header string
		for i := 0; i < len(q.headers); i += 2 {
			header += q.headers[i] + ": " + q.headers[i+1] + "\n"
		}
		n-- // as the same, who is a stranger
		add(q.method, path, header+"Accept-Encoding: gzip\nAccept-Language: de, ar;q=0.5", q.body)
	}
	const json, form = "Content-Type: application/json", "Content-Type: application/x-www-form-urlencoded"
	event := `{"title":"x","start_date":"tomorrow","end_date":"2031-05-10 ` +
		`25:00","venue":{"venue":"Hall","geo_lat":1,"geo_lng":2},"organizer":[{"organizer":"Ann"},3],"tags":["a",{"name":"b"}],
			"cost":["$5",7],"image":"https://example.org/a.png","password":"p"}`
	for _, s := range [][4]string{
		{"POST", "/cal/events/v1/events", json, event},
		{"POST", "/cal/events/v1/events", json, strings.Replace(event, " 25:00", "", 1)},
		{"PATCH", "/fr/cal/events/v1/events/6", json,
			`{"status":"publish","date":"2031-01-01","slug":"x y","post_parent":0,"password":null,"categories":"1,music"}`},
		{"PUT", "/cal/events/v1/events/by-slug/concert", form, "title=a&venue[venue]=b&organizer[0][organizer]=c&tags[]=d"},
		{"POST", "/cal/events/v1/venues", "Content-Type: multipart/form-data; boundary=x",
			"--x\r\nContent-Disposition: form-data; name=\"venue\"\r\n\r\nHall\r\n--x--\r\n"},
		{"DELETE", "/cal/events/v1/categories/1", "If-Match: \"x\"", ""}, {"DELETE", "/cal/events/v1/events/4?force=true",
			"If-Match: *", ""},
		{"GET", "/cal/events/v1/events?_envelope&_jsonp=a.b&_pretty&_fields=events,total", "", ""},
		{"GET", "/cal/events/v1/events/4?_jsonp=alert(1)//", "", ""},
		{"GET", "/cal/events/v1/events?search=%22a%20-b&categories[]=music&include[x][y]=1&page=%zz", "If-None-Match: *", ""},
		{"POST", "/?rest_route=/cal/events/v1/tags&_method=DELETE", "X-HTTP-Method-Override: patch", "name=x"},
		{"GET", "/wp-json/tribe/events/v1/events?rest_route=/tribe/events/v1/doc", "", ""}, {"GET", "//cal//events/../v1/%2e%2e/events",
			"", ""},
		{"GET", "/CAL/Events/V1/events/007/", "X-WP-Nonce: x", ""}, {"BREW", "/cal/events/v1/events", "", ""}, {"OPTIONS", "*", "", ""},
		{"POST", "/cal/events/v1/events/4?_method=HEAD", "", ""}, {"CONNECT", "example.org:443", "", ""},
		{"GET", "http://other.example/cal/events/v1/events", "", ""}, {"GET", "/?rest_route=cal/events/v1/events", "", ""},
		{"HEAD", "/cal/events/v1/doc", "Accept-Encoding: gzip;q=0", ""},
		{"GET", "/cal/events/v1/events", json, `{"status":"any","password":"x","per_page":1e1}`},
		{"GET", "/cal/events/v1/events?geoloc_lat=91&geoloc_lng=-1&geoloc_radius=1e9", "", ""},
		{"POST", "/_almanac/import", json,
			`{"items":[{"kind":"events","file":"a","position":1,"record":{"title":"x","start_date":"2031-01-01","end_date":"2031-01-01"}}]}`},
		{"POST", "/cal/events/v1/tags?name=x", "Authorization: Basic YWRtaW46eA==", ""},
		{"GET", "/cal/events/v1/events/13?password=x&context=edit", "Authorization: Bearer t-editor", ""},
		{"POST", "/cal/events/v1/events", json, strings.Repeat(`{"a":[`, 70)}, {"POST", "/cal/events/v1/events", json,
			"{\"title\":\"\\ud800\"}"},
		{"GET", "/cal/events/v1/events?start_date=9999-12-31&end_date=0000-00-00&strict_dates=1&modified_after=now", "", ""},
		{"GET", "/events/category/a/music/list/2031-07/featured/page/2/ical/", "", ""}, {"GET", "/de/events/tag/free/feed/atom", "", ""},
		{"GET", "/de/embed/event/concert/?ical=1", "", ""}, {"GET", "/embed/events/month/2031-07/", "If-None-Match: *", ""},
		{"GET", "/?p=4&outlook-ical", "", ""}, {"GET", "/events?ical&event_ids[]=4&event_ids[x][y]=z&tribe-bar-search=%22a", "", ""},
		{"GET", "/events/?tribe-bar-search=%FF%00%E2%80%AE%3Cb%3E&tribe-bar-date=2031-99", "Accept: text/html", ""},
		{"GET", "/EVENTS/Category/%C3%A9/../x//", "Accept: text/html;q=0, */*", ""},
		{"GET", "/events/9998-12-31/", "If-None-Match: \"x\"", ""},
		{"GET", "/events/week/1000-01-01/", "Range: bytes=0-9", ""}, {"GET", "/events/month/9999-12/", "", ""},
		{"GET", "/events/page/99999999999999999999/", "", ""},
		{"GET", "/events/?eventDisplay=month&tribe-bar-date=0000-00-00&featured=&categories=-1&page=0", "", ""},
		{"POST", "/event/closed/", form, "password=secret&password=x&_method=DELETE"}, {"POST", "/event/closed/?_method=PUT", json,
			`{"password":["a"]}`},
		{"POST", "/ja/event/concert/", "Content-Type: multipart/form-data; boundary=x",
			"--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nsecret\r\n--x--\r\n"},
		{"GET", "/event/weekly/2031-07-13/?ical=1", "If-None-Match: *", ""}, {"GET", "/events/past/?feed&tribe_events_cat=music", "", ""},
	} {
		add(s[0], s[1], s[2], s[3])
		add(s[0], s[1], s[2], s[3])
		add(s[0], s[1], s[2], s[3])
	}
}
