// What a fixture tells about the requests that it has seen.

package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/almanactest"
	"almanac/internal/rest"
	"almanac/store"
)

func TestRequests(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{Now: fixtureTime, Worlds: true})
	srv.Seed(store.Event{Post: store.Post{Description: strings.Repeat("A long evening. ", 300)}, Title: "Concert"})
	exchange(t, srv, "GET", "/cal/events/v1/Events/1/?_fields=id", "", "X-Test", "a", "Almanac-Clock", "2031-06-01T00:00:00Z")
	exchange(t, srv, "POST", "/cal/events/v1/tags", `{"name":"free"}`)
	exchange(t, srv, "POST", "/nothing/there", "\xff\x00")
	srv.Fault(rest.Fault{Method: "DELETE", Reset: true, Count: 1})
	hr, err := http.NewRequest("DELETE", srv.URL+"/cal/events/v1/tags/1", strings.NewReader("force=1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := srv.Client().Do(hr); err == nil {
		t.Error("a reset was answered")
	}
	exchange(t, srv, "GET", "/_almanac/requests", "")
	exchange(t, srv, "GET", "/cal/events/v1/events", "", "Almanac-World", "other")
	resp, err := srv.Client().Get(srv.URL + "/cal/events/v1/events/1") // whose answer is compressed
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()

	got := srv.Requests()
	if len(got) != 5 {
		t.Fatalf("%d requests, want 5: %+v", len(got), got)
	}
	want := []rest.RecordedRequest{
		{Number: 1, Time: fixtureTime.AddDate(0, 0, 22).Add(-12 * 60 * 60 * 1e9), Method: "GET", Path: "/cal/events/v1/Events/1/",
			Query: "_fields=id", Operation: "events.read", Status: 200, Answer: []byte(`{"id":1}`)},
		{Number: 2, Time: fixtureTime, Method: "POST", Path: "/cal/events/v1/tags", Operation: "tags.create",
			Body: []byte(`{"name":"free"}`), Status: 201},
		{Number: 3, Time: fixtureTime, Method: "POST", Path: "/nothing/there", Operation: "none", Body: []byte("\xff\x00"), Status: 404},
		{Number: 4, Time: fixtureTime, Method: "DELETE", Path: "/cal/events/v1/tags/1", Operation: "tags.delete",
			Body: []byte("force=1"), Fault: 1},
		{Number: 5, Time: fixtureTime, Method: "GET", Path: "/cal/events/v1/events/1", Operation: "events.read", Status: 200},
	}
	for i := range got[1:] {
		if i+1 != 3 && len(got[i+1].Answer) == 0 {
			t.Errorf("request %d has no answer", i+2)
		}
	}
	if diff := cmp.Diff(want[:1], got[:1], cmpopts.EquateEmpty(), cmpopts.IgnoreFields(rest.RecordedRequest{}, "Header",
		"AnswerHeader")); diff != "" {
		t.Errorf("the first request (-want, +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[1:], got[1:], cmpopts.EquateEmpty(), cmpopts.IgnoreFields(rest.RecordedRequest{}, "Header",
		"AnswerHeader", "Answer")); diff != "" {
		t.Errorf("the others (-want, +got):\n%s", diff)
	}
	if h := got[0].Header; h.Get("X-Test") != "a" || h.Get("Host") != "calendar.example.org" || h.Get("Authorization") != "Bearer "+srv.Token {
		t.Errorf("header fields of the request: %v", h)
	}
	if h := got[0].AnswerHeader; h.Get("Date") != "Sun, 01 Jun 2031 00:00:00 GMT" || h.Get("Content-Length") != "8" {
		t.Errorf("header fields of the answer: %v", h)
	}
	if last := got[4]; last.AnswerHeader.Get("Content-Encoding") != "gzip" || !json.Valid(last.Answer) {
		t.Errorf("a compressed answer is noted as %.40q with %v", last.Answer, last.AnswerHeader)
	}
	got[0].Header.Set("X-Test", "b")
	got[0].Answer[0] = '!'
	if again := srv.Requests()[0]; again.Header.Get("X-Test") != "a" || again.Answer[0] != '{' {
		t.Errorf("the request log returned what is its own: %v", again)
	}

	// On the wire it is the same; what is no text is in base64.
	var listed struct {
		Requests []struct {
			Number    int
			World     string
			Body      *string
			BodyBytes []byte `json:"body_base64"`
			Answer    *string
		}
		Before int
	}
	if err := json.Unmarshal([]byte(exchange(t, srv, "GET", "/_almanac/requests", "").Body), &listed); err != nil {
		t.Fatal(err)
	}
	if r := listed.Requests; len(r) != 5 || *r[1].Body != `{"name":"free"}` || r[2].Body != nil ||
		string(r[2].BodyBytes) != "\xff\x00" || *r[0].Answer != `{"id":1}` || listed.Before != 0 {
		t.Errorf("listed %+v", listed)
	}
	if err := json.Unmarshal([]byte(exchange(t, srv, "GET", "/_almanac/requests", "", "Almanac-World", "OTHER").Body), &listed); err != nil {
		t.Fatal(err)
	}
	if r := listed.Requests; len(r) != 1 || r[0].World != "other" {
		t.Errorf("in another world, listed %+v", listed)
	}
	exchange(t, srv, "DELETE", "/_almanac/requests", "")
	if got := srv.Requests(); len(got) != 0 {
		t.Errorf("%d requests are left", len(got))
	}
}

// A request log is bounded, and says what is not in it any more.
func TestRequestLogBounds(t *testing.T) {
	t.Parallel()
	s := newFixture(t, rest.Options{})
	for n := range 1010 {
		serve(s, "GET", fmt.Sprintf("/nothing/%d", n), "")
	}
	list := s.Own().Requests()
	if len(list) != 1000 || list[0].Number != 11 || list[0].Path != "/nothing/10" || list[999].Number != 1010 {
		t.Errorf("of 1010 requests there are %d, from %d %s", len(list), list[0].Number, list[0].Path)
	}
	if body := serve(s, "GET", "/_almanac/requests", "", "Authorization", "Bearer secret").Body.String(); !strings.HasSuffix(body,
		`"before":10}`) {
		t.Errorf("the list ends with %s", body[len(body)-20:])
	}

	// 4 MiB are 16 bodies of 256 KiB, but for what else there is.
	big := strings.Repeat("x", 300<<10)
	for range 30 {
		serve(s, "POST", "/nothing", big)
	}
	list = s.Own().Requests()
	last := list[len(list)-1]
	if len(list) < 14 || len(list) > 16 || len(last.Body) != 256<<10 || !last.Cut {
		t.Errorf("there are %d requests, the last with %d bytes, cut: %v", len(list), len(last.Body), last.Cut)
	}
	for range 3 {
		serve(s, "GET", "/nothing", "")
	}
	if last := s.Own().Requests(); last[len(last)-1].Cut {
		t.Error("a request without a body was cut")
	}
}
