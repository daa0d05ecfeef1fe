package command

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Refusals of the server. After each one the state is unchanged.

func TestRefusals(t *testing.T) {
	t.Parallel()
	s := startServer(t, append(still, "-memory", "-users", usersFile(t))...)
	as := func(login string) caller {
		c := caller{URL: s.URL, Client: s.Client}
		if login != "" {
			c.Token = "token of " + login
		}
		return c
	}
	admin := as("admin")
	fill(t, admin)

	const event = `"start_date":"2031-05-10","end_date":"2031-05-11"`
	big := `{"title":"` + strings.Repeat("a", 1<<20) + `",` + event + `}`
	deep := `{"title":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`
	tests := []struct {
		name               string
		as                 string
		method, path, body string
		headers            []string
		status             int
		want               []string // parts of the body
	}{
		{
			"an unknown route",
			"admin",
			"POST",
			"/calendars",
			`{"title":"A"}`,
			nil,
			404,
			[]string{`"rest_no_route"`},
		},
		{
			"a wrong method",
			"admin",
			"PATCH",
			"/events",
			`{"title":"A"}`,
			nil,
			404,
			[]string{`"rest_no_route"`},
		},
		{
			"a wrong method of a record",
			"admin",
			"COPY",
			"/events/4",
			"",
			nil,
			404,
			[]string{`"rest_no_route"`},
		},

		{
			"malformed JSON",
			"admin",
			"POST",
			"/events",
			`{"title":"A",` + event,
			nil,
			400,
			[]string{`"rest_invalid_json"`, `"json_error_code":4`},
		},
		{
			"two values",
			"admin",
			"POST",
			"/events",
			`{"title":"A",` + event + `}{}`,
			nil,
			400,
			[]string{`"rest_invalid_json"`},
		},
		{
			"half a surrogate pair",
			"admin",
			"POST",
			"/events",
			`{"title":"\ud800",` + event + `}`,
			nil,
			400,
			[]string{`"rest_invalid_json"`, `"json_error_code":10`},
		},
		{
			"nested too deep",
			"admin",
			"POST",
			"/events",
			deep,
			nil,
			400,
			[]string{`"rest_invalid_json"`, `"json_error_code":1`},
		},
		{
			"no UTF-8",
			"admin",
			"POST",
			"/events",
			"{\"title\":\"\xff\"," + event + "}",
			nil,
			400,
			[]string{`"rest_invalid_json"`},
		},
		{
			"a body too large",
			"admin",
			"POST",
			"/events",
			big,
			nil,
			413,
			[]string{`"rest_body_too_large"`, "1048576"},
		},
		{
			"a form too large",
			"admin",
			"POST",
			"/events/4",
			"title=" + strings.Repeat("a", 1<<20),
			nil,
			413,
			[]string{`"rest_body_too_large"`},
		},

		{"nothing of what is required", "admin", "POST", "/events", `{}`, nil, 400,
			[]string{`"rest_missing_callback_param"`, `["title","start_date","end_date"]`}},
		{"null for what is required", "admin", "POST", "/venues", `{"venue":null}`, nil, 400,
			[]string{`"rest_missing_callback_param"`, `["venue"]`}},
		{"several bad parameters", "admin", "POST", "/events",
			`{"title":"A","start_date":"never","end_date":"2031-05-11","author":99,"status":"lost","timezone":"Mars","venue":98}`, nil,
			400, []string{`"rest_invalid_param"`, "author, status, timezone, start_date, venue", `"author":`, `"status":`, `"timezone":`,
				`"start_date":`, `"venue":`}},
		{
			"wrong JSON types",
			"admin",
			"POST",
			"/events",
			`{"title":"A",` + event + `,"all_day":"perhaps","featured":[]}`,
			nil,
			400,
			[]string{`"rest_invalid_param"`, "all_day, featured", `"rest_invalid_type"`},
		},
		{"a bad parameter beside a good change", "admin", "POST", "/events/4",
			`{"title":"Changed","cost":{"a":1},"start_date":"never"}`, nil, 400, []string{`"rest_invalid_param"`, "start_date"}},
		{"a bad venue inside an event", "admin", "POST", "/events",
			`{"title":"A",` + event + `,"organizer":{"organizer":"New one"},"venue":{"venue":" "}}`, nil, 400, []string{`"could-not-create-venue"`}},
		{
			"two venues",
			"admin",
			"POST",
			"/events",
			`{"title":"A",` + event + `,"venue":[{"venue":"B"},{"venue":"C"}]}`,
			nil,
			400,
			[]string{`"code"`},
		},
		{
			"a title of spaces",
			"admin",
			"POST",
			"/events",
			`{"title":"  ",` + event + `,"categories":["New"]}`,
			nil,
			400,
			[]string{"title"},
		},
		{
			"a term that is there",
			"admin",
			"POST",
			"/categories",
			`{"name":"music"}`,
			nil,
			400,
			[]string{`"term_exists"`, `"term_id":1`},
		},
		{
			"a state that is gone",
			"admin",
			"POST",
			"/events/4",
			`{"title":"Changed"}`,
			[]string{"If-Match", `"0"`},
			412,
			[]string{`"rest_precondition_failed"`},
		},

		{
			"an unknown event",
			"admin",
			"PUT",
			"/events/99",
			`{"title":"A"}`,
			nil,
			404,
			[]string{`"rest-event-not-found"`, "99"},
		},
		{
			"an unknown event, deleted",
			"admin",
			"DELETE",
			"/events/99",
			"",
			nil,
			404,
			[]string{`"rest-event-not-found"`},
		},
		{
			"an event that is none",
			"admin",
			"PUT",
			"/events/1",
			`{"title":"A"}`,
			nil,
			400,
			[]string{`"rest-invalid-event-id"`},
		},
		{
			"an unknown slug",
			"admin",
			"DELETE",
			"/events/by-slug/nothing",
			"",
			nil,
			400,
			[]string{`"rest_invalid_param"`, "slug"},
		},
		{
			"an unknown venue",
			"admin",
			"PUT",
			"/venues/99",
			`{"venue":"A"}`,
			nil,
			400,
			[]string{`"rest_invalid_param"`, "id"},
		},
		{
			"an unknown organizer",
			"admin",
			"DELETE",
			"/organizers/99",
			"",
			nil,
			400,
			[]string{`"rest_invalid_param"`, "id"},
		},
		{
			"an unknown category",
			"admin",
			"DELETE",
			"/categories/99",
			"",
			nil,
			400,
			[]string{`"rest_invalid_param"`, "id"},
		},
		{
			"an unknown tag",
			"admin",
			"PATCH",
			"/tags/99",
			`{"name":"A"}`,
			nil,
			400,
			[]string{`"rest_invalid_param"`, "id"},
		},
		{
			"what is in the trash",
			"admin",
			"DELETE",
			"/events/6",
			"",
			nil,
			410,
			[]string{`"event-is-in-trash"`},
		},

		{
			"a stranger",
			"",
			"POST",
			"/events",
			`{"title":"A",` + event + `}`,
			nil,
			401,
			[]string{`"rest_forbidden"`},
		},
		{
			"a stranger's delete",
			"",
			"DELETE",
			"/events/4",
			"",
			nil,
			401,
			[]string{`"rest_forbidden"`},
		},
		{
			"a stranger's bad input",
			"",
			"POST",
			"/events?title=A",
			"",
			nil,
			400,
			[]string{`"rest_missing_callback_param"`},
		},
		{
			"a stranger's bad input, in a body that is not read",
			"",
			"POST",
			"/events",
			`{"title":"A"}`,
			nil,
			401,
			[]string{`"rest_forbidden"`},
		},
		{
			"a stranger's change of an unknown venue",
			"",
			"PUT",
			"/venues/99",
			`{"venue":"A"}`,
			nil,
			400,
			[]string{`"rest_invalid_param"`, "id"},
		},
		{
			"a subscriber",
			"subscriber",
			"POST",
			"/venues",
			`{"venue":"A"}`,
			nil,
			403,
			[]string{`"rest_forbidden"`},
		},
		{
			"a contributor, of somebody's event",
			"contributor",
			"POST",
			"/events/4",
			`{"title":"Mine"}`,
			nil,
			403,
			[]string{`"rest_forbidden"`},
		},
		{
			"a contributor, of somebody's event by slug",
			"contributor",
			"POST",
			"/events/by-slug/fair",
			`{"title":"Mine"}`,
			nil,
			403,
			[]string{`"rest_forbidden"`},
		},
		{
			"an author, of a tag",
			"author",
			"POST",
			"/tags",
			`{"name":"Mine"}`,
			nil,
			403,
			[]string{`"rest_forbidden"`},
		},
		{
			"an author, in the name of another",
			"author",
			"POST",
			"/events",
			`{"title":"A",` + event + `,"author":1}`,
			nil,
			403,
			[]string{`"rest_forbidden"`},
		},
		{
			"an unknown token",
			"nobody",
			"POST",
			"/events",
			`{"title":"A",` + event + `}`,
			nil,
			401,
			[]string{`"rest_invalid_token"`},
		},
		{
			"an unknown token, reading",
			"nobody",
			"GET",
			"/events",
			"",
			nil,
			401,
			[]string{`"rest_invalid_token"`},
		},
		{
			"a wrong password",
			"",
			"GET",
			"/events",
			"",
			[]string{"Authorization", "Basic YWRtaW46d3Jvbmc="},
			401,
			[]string{`"incorrect_password"`},
		},
		{
			"an unknown login",
			"",
			"GET",
			"/events",
			"",
			[]string{"Authorization", "Basic bm9ib2R5Ong="},
			401,
			[]string{`"incorrect_password"`},
		},
		{
			"a draft, read by a stranger",
			"",
			"GET",
			"/events/5",
			"",
			nil,
			403,
			[]string{`"event-not-accessible"`},
		},

		{
			"events beyond the end",
			"",
			"GET",
			"/events?page=2",
			"",
			nil,
			404,
			[]string{`"event-archive-page-not-found"`},
		},
		{
			"venues beyond the end",
			"",
			"GET",
			"/venues?page=2",
			"",
			nil,
			404,
			[]string{`"venue-archive-page-not-found"`},
		},
		{
			"organizers beyond the end",
			"",
			"GET",
			"/organizers?page=9999999999",
			"",
			nil,
			404,
			[]string{`"organizer-archive-page-not-found"`},
		},
		{
			"page 0 of size 0",
			"",
			"GET",
			"/events?page=0&per_page=0",
			"",
			nil,
			400,
			[]string{`"rest_invalid_param"`, "page, per_page"},
		},
	}
	before := admin.Everything(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := as(test.as).Do(t, test.method, v1+test.path, test.body, test.headers...)
			if a.Status != test.status {
				t.Errorf("answered %d, want %d: %.500s", a.Status, test.status, a.Body)
			}
			for _, part := range test.want {
				if !strings.Contains(a.Body, part) {
					t.Errorf("answered without %s: %.500s", part, a.Body)
				}
			}
			wantError(t, a)
			if diff := cmp.Diff(before, admin.Everything(t)); diff != "" {
				t.Errorf("something was stored (-before, +after):\n%s", diff)
			}
		})
	}
}

// The server speaks to nobody: an address that a caller gives is stored and
// not opened.
func TestNothingIsFetched(t *testing.T) {
	t.Parallel()
	trap := httptest.NewServer(
		http.HandlerFunc(
			func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the server asked for %s", r.URL) },
		),
	)
	defer trap.Close()
	s := startServer(t, "-memory")
	body := strings.ReplaceAll(
		`{"title":"A","start_date":"2031-05-10","end_date":"2031-05-11","image":"URL/a.png","website":"URL/",
		"description":"<img src=\"URL/b.png\">","venue":{"venue":"B","image":"URL/c.png","website":"URL/"}}`,
		"URL",
		trap.URL,
	)
	got := s.Admin().Must(t, "POST", v1+"/events", body)
	if !bytes.Contains([]byte(got), []byte(trap.URL+"/a.png")) {
		t.Errorf("the image is not shown: %s", got)
	}
	if err := s.Stop(); err != nil { // whatever it had begun is finished
		t.Fatal(err)
	}
}
