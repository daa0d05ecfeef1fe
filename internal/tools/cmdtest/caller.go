// The side of those who ask a server.

package cmdtest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/api"
)

// A Caller speaks to a server with a token, or, without one, as a stranger.
type Caller struct {
	URL, Token string
	Client     *http.Client
}

// As returns who has a token, "" for a stranger.
func (s *Server) As(token string) Caller {
	return Caller{URL: s.URL, Token: token, Client: s.Client}
}

// Admin returns the administrator of a server that printed a token.
func (s *Server) Admin() Caller { return s.As(s.Token) }

// As returns who asks the same server with another token, "" for a stranger.
func (c Caller) As(token string) Caller {
	c.Token = token
	return c
}

// An Answer is all of an answer that these tests look at.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Do sends a request. Headers are names and values in turn; a body that begins
// with a brace is JSON, another a form, unless the headers say more.
func (c Caller) Do(t testing.TB, method, path, body string, headers ...string) Answer {
	t.Helper()
	request, err := http.NewRequest(method, c.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
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
	response, err := c.Client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Answer{response.StatusCode, response.Header, string(text)}
}

// Must sends a request that must succeed, and returns the body.
func (c Caller) Must(t testing.TB, method, path, body string) string {
	t.Helper()
	a := c.Do(t, method, path, body)
	if a.Status >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, a.Status, a.Body)
	}
	return a.Body
}

// v1 is the root of the API.
const v1 = "/" + api.Namespace

// Fill creates records of each kind: events 3 to 6, one of them a draft and one in the trash,
// venue 1, organizer 2, categories and tags 1 to 3.
func Fill(t testing.TB, c Caller) {
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
		c.Must(t, write.method, v1+write.path, write.body)
	}
}

// Everything reads all that there is, lists and single records, byte for byte.
func (c Caller) Everything(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	const status = "&status=publish,future,draft,pending,private,trash"
	for _, path := range []string{
		"/events?starts_after=1970-01-01&per_page=50&orderby=id" + status,
		"/venues?per_page=50" + status, "/organizers?per_page=50" + status,
		"/categories?per_page=50&hide_empty=0", "/tags?per_page=50&hide_empty=0",
	} {
		all[path] = c.Must(t, "GET", v1+path, "")
	}
	for id := range 10 {
		path := fmt.Sprintf("/events/%d", id)
		a := c.Do(t, "GET", v1+path, "")
		all[path] = fmt.Sprint(a.Status, a.Body)
	}
	return all
}
