package command

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// This file speaks to a server, and compares what it holds.

// A caller speaks to a server with a token, or, without one, as a stranger.
type caller struct {
	url, token string
	client     *http.Client
}

// admin returns the administrator of a server that printed a token.
func (s *testServer) admin() caller { return caller{s.url, s.token, s.client} }

// An answer is all of an answer that these tests look at.
type answer struct {
	status int
	header http.Header
	body   string
}

// do sends a request. Headers are names and values in turn; a body that begins
// with a brace is JSON, another a form, unless the headers say more.
func (c caller) do(t testing.TB, method, path, body string, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	switch {
	case strings.HasPrefix(body, "\x89PNG"):
		request.Header.Set("Content-Type", "image/png")
	case strings.HasPrefix(body, "{"):
		request.Header.Set("Content-Type", "application/json")
	case body != "":
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := c.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// must sends a request that must succeed, and returns the body.
func (c caller) must(t testing.TB, method, path, body string) string {
	t.Helper()
	a := c.do(t, method, path, body)
	if a.status >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
	return a.body
}

const v1 = "/cal/events/v1"

// fill creates records of each kind: events 3 to 6, one of them a draft and one in the trash,
// venue 1, organizer 2, categories and tags 1 to 3.
func fill(t testing.TB, c caller) {
	t.Helper()
	for _, write := range []struct{ method, path, body string }{
		{"POST", "/venues", `{"venue":"Town Hall","city":"Springfield"}`},
		{"POST", "/organizers", `{"organizer":"The Town","email":"town@example.org"}`},
		{"POST", "/categories", `{"name":"Music"}`},
		{"POST", "/tags", `{"name":"free"}`},
		{"POST", "/events",
			`{"title":"Concert & Café","start_date":"2031-05-11 20:00:00","end_date":"2031-05-11 ` +
				`23:00:00","timezone":"Europe/Paris","venue":1,"organizer":2,"categories":[1],"tags":["free","new"],"cost":"12.50"}`},
		{"POST", "/events", `{"title":"Fair","start_date":"2031-06-01","end_date":"2031-06-02","all_day":true,"slug":"fair"}`},
		{"POST", "/events", `{"title":"Not yet","start_date":"2031-07-01","end_date":"2031-07-02","status":"draft"}`},
		{"POST", "/events", `{"title":"Never","start_date":"2031-08-01","end_date":"2031-08-02"}`},
		{"PUT", "/events/4", `{"description":"<p>Stands and music.</p>"}`},
		{"DELETE", "/events/6", ""},
	} {
		c.must(t, write.method, v1+write.path, write.body)
	}
}

// everything reads all that there is, lists and single records, byte for byte.
func (c caller) everything(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	const status = "&status=publish,future,draft,pending,private,trash"
	for _, path := range []string{
		"/events?starts_after=1970-01-01&per_page=50&orderby=id" + status,
		"/venues?per_page=50" + status, "/organizers?per_page=50" + status,
		"/categories?per_page=50&hide_empty=0", "/tags?per_page=50&hide_empty=0",
	} {
		all[path] = c.must(t, "GET", v1+path, "")
	}
	for id := range 10 {
		path := fmt.Sprintf("/events/%d", id)
		a := c.do(t, "GET", v1+path, "")
		all[path] = fmt.Sprint(a.status, a.body)
	}
	return all
}
