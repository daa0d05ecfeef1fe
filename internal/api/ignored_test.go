// Members of writes that have no effect: the answer names or refuses them.

package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A told is the answer to a write: its status, the names that it says were ignored, and the names
// in a refusal.
type told struct {
	Status  int
	Ignored string
	Message string
}

// writeTo sends a body of a type and returns what was told. Of messages of refusals
// it returns the text.
func writeTo(t *testing.T, c *sample.Calendar, method, path, contentType, body string) (told, string) {
	t.Helper()
	response, text := sendBody(t, c, method, path, body, "Content-Type", contentType)
	if response.Header.Get("X-Evil") != "" {
		t.Errorf("%s: a name has become a header of its own", body)
	}
	var refusal struct{ Code, Message string }
	_ = json.Unmarshal([]byte(text), &refusal)
	return told{
		response.StatusCode,
		response.Header.Get("X-Almanac-Ignored"),
		refusal.Message,
	}, text
}

// sendBody sends a body as an editor, with header fields, as names and values in turn; fields
// without a value are left out.
func sendBody(
	t *testing.T,
	c *sample.Calendar,
	method, path, body string,
	fields ...string,
) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, c.URL+c.Fill(t, path), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		if fields[i+1] != "" {
			request.Header.Set(fields[i], fields[i+1])
		}
	}
	response, err := c.As(account.Editor).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

const asJSON, asForm = "application/json", "application/x-www-form-urlencoded"

// dated has the members that an event needs beside its title.
const dated = `"start_date":"2031-05-10","end_date":"2031-05-10"`

// some is a calendar with one of each kind, strict or not.
func some(t *testing.T, strict bool) *sample.Calendar {
	t.Helper()
	c := sample.Start(t, almanactest.Options{Now: sample.Evening, StrictInput: strict})
	c.Add(&store.Term{Name: "Music", Description: "loud"})
	c.Add(&store.Term{Taxonomy: store.Tags, Name: "Free"})
	hall := c.Add(&store.Venue{Post: store.Post{Excerpt: "short"}, Name: "Hall", City: "Bath"})
	ann := c.Add(&store.Organizer{Name: "Ann", Email: "ann@example.org"})
	at := sample.Local(t, "2031-04-10 12:00:00")
	c.Add(&store.Event{
		Title:      "Fair",
		Start:      at,
		End:        at,
		Venues:     []int64{hall},
		Organizers: []int64{ann},
		Cost:       store.Cost{Entries: []string{"5"}},
	})
	return c
}

func TestIgnored(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf(`"z%02d":1`, i))
	}
	var shown []string
	for i := range 20 {
		shown = append(shown, fmt.Sprintf("z%02d", i))
	}
	for _, tt := range []struct {
		name, method, path, body, ignored string // a body that is no JSON is a form
		status                            int
	}{
		{"nothing", "POST", "/events", `{"title":"x",` + dated + `}`, "", 201},
		{"members of other plugins", "POST", "/events", `{"title":"x",` + dated + `,"recurrence_rules":{},"featured_image":5}`,
			"featured_image, recurrence_rules", 201},
		{"misspelt, and missed", "POST", "/events", `{"titel":"x",` + dated + `}`, "titel", 400},
		{"misspelt, of an update", "PATCH", "/events/{Fair}", `{"websit":"https://example.org/"}`, "websit", 200},
		{"null", "PATCH", "/events/{Fair}", `{"websit":null}`, "websit", 200},
		{"of every route", "POST", "/events?_fields=id&_locale=user&_method=PUT&context=edit",
			`{"title":"x",` + dated + `,"_links":{},"_wpnonce":""}`, "", 404},
		{"force", "DELETE", "/events/{Fair}?force=true", "", "", 200},
		{"another of a delete", "DELETE", "/venues/{Hall}?force=true&hard=1", "", "hard", 200},
		{"in the query", "POST", "/tags?name=x&colour=red", "", "colour", 201},
		{"in a form", "POST", "/tags", "name=x&colour[]=red&colour[]=blue", "colour", 201},
		{"chosen by nobody else", "POST", "/venues", `{"venue":"x","slug":"y","excerpt":"z","global_id":"1","modified":"now","id":7}`,
			"excerpt, slug", 201},
		{"not asked for there", "POST", "/venues", `{"venue":"x","password":"p","capacity":5}`, "capacity, password", 201},
		{"of an organizer", "POST", "/organizers", `{"organizer":"x","emial":"a@b.c"}`, "emial", 201},
		{"of a category", "PATCH", "/categories/{Music}", `{"colour":"red"}`, "colour", 200},
		{"inside", "POST", "/events", `{"title":"x",` + dated +
			`,"venue":{"venue":"V","capacity":5,"slug":"v","url":"u"},"organizer":[{"organizer":"A","emial":"a"},{"organizer":"B","emial":"b"}]}`,
			"organizer.emial, venue.capacity, venue.slug", 201},
		{"inside, of an update", "PATCH", "/events/{Fair}", `{"venue":{"venue":"V","excerpt":"v","url":"u"}}`, "venue.excerpt", 200},
		{"inside, with an id", "PATCH", "/events/{Fair}", `{"venue":{"id":{Hall},"capacity":5}}`, "", 200},
		{"inside, in a form", "PATCH", "/events/{Fair}", "organizer[0][organizer]=Eve&organizer[0][emial]=e", "organizer.emial", 200},
		{"odd names", "PATCH", "/tags/{Free}", `{"a\r\nX-Evil: 1":1,"é, b":2,"":3}`, "%22%22, a%0D%0AX-Evil:%201, %C3%A9%2C%20b", 200},
		{"a long name", "PATCH", "/tags/{Free}", `{"` + strings.Repeat("a", 1000) + `":1}`, strings.Repeat("a", 60), 200},
		{"many", "PATCH", "/tags/{Free}", "{" + strings.Join(many, ",") + "}", strings.Join(shown, ", ") + ", and 10 more", 200},
		{"of a read", "GET", "/events?categries=1", "", "", 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := some(t, false)
			kind := asJSON
			body := strings.ReplaceAll(tt.body, "{Hall}", c.Fill(t, "{Hall}"))
			if strings.Contains(tt.body, "=") && !strings.HasPrefix(tt.body, "{") {
				kind = asForm
			}
			got, _ := writeTo(t, c, tt.method, v1+tt.path, kind, body)
			if diff := cmp.Diff(told{tt.status, tt.ignored, ""}, told{got.Status, got.Ignored, ""}); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, got.Message)
			}

			strict := some(t, true)
			before := strict.Store.Seq()
			got, _ = writeTo(t, strict, tt.method, v1+tt.path, kind, body)
			if tt.ignored == "" {
				if got.Status != tt.status {
					t.Errorf("strict: %d %s, want %d", got.Status, got.Message, tt.status)
				}
				return
			}
			first, _, _ := strings.Cut(tt.ignored, ", ")
			if unescaped, err := url.PathUnescape(first); err != nil || got.Status != 400 ||
				!strings.Contains(
					got.Message,
					"parameter(s): "+unescaped,
				) || !strings.Contains(got.Message, "-strict-input") {
				t.Errorf("strict: %d %s", got.Status, got.Message)
			}
			if strict.Store.Seq() != before {
				t.Error("strict: refused, and something was stored")
			}
		})
	}
}

// A record may be sent back as it was read: nothing of it is in vain.
func TestSentBackIsNotIgnored(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		c := some(t, strict)
		for _, path := range []string{"/events/{Fair}", "/venues/{Hall}", "/organizers/{Ann}", "/categories/{Music}", "/tags/{Free}"} {
			_, body := writeTo(t, c, "GET", v1+path, "", "")
			for _, method := range []string{"PUT", "PATCH", "POST"} {
				if got, _ := writeTo(t, c, method, v1+path, asJSON, body); got != (told{
					Status: 200,
				}) {
					t.Errorf("%s %s, strict %v: %+v", method, path, strict, got)
				}
			}
		}
	}
}

// The answer to an unreadable body names its type.
func TestUnreadBody(t *testing.T) {
	t.Parallel()
	const event = `{"title":"x",` + dated + `}`
	const forms = "application/json and application/x-www-form-urlencoded are read."
	for _, tt := range []struct {
		name, contentType, body, want string
	}{
		{"no type", "", event, "came without a Content-Type, and " + forms},
		{"text", "text/plain; charset=UTF-8", event, `came with the Content-Type "text/plain; charset=UTF-8", and ` + forms},
		{"misspelt", "aplication/json", event, `came with the Content-Type "aplication/json", and ` + forms},
		{"JSON as a form, as curl sends it", asForm, event, "it is read when it comes as application/json."},
		{"a list", asJSON, "[" + event + "]", "The body is JSON, and no object: parameters are its members."},
		{"no body", "text/plain", "", ""},
		{"half an object", asJSON, `{"titel":1}`, ""},
		{"half a form", asForm, `titel=1`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, strict := range []bool{false, true} {
				c := some(t, strict)
				before := c.Store.Seq()
				got, text := writeTo(t, c, "POST", v1+"/events", tt.contentType, tt.body)
				unread := tt.want != ""
				if got.Status != 400 || unread && !strings.HasSuffix(got.Message, tt.want) ||
					!unread && strings.Contains(got.Message, "body") {
					t.Errorf("strict %v: %+v, want …%s", strict, got, tt.want)
				}
				if code := "rest_body_not_read"; strings.Contains(
					text,
					code,
				) != (unread && strict) {
					t.Errorf("strict %v: the code %s is there or not: %s", strict, code, text)
				}
				if !strict &&
					!strings.HasPrefix(
						got.Message,
						"Missing parameter(s): title, start_date, end_date.",
					) {
					t.Errorf("what is missing is not named first: %s", got.Message)
				}
				if told := got.Ignored == "body"; told != (unread && !strict) {
					t.Errorf("strict %v: X-Almanac-Ignored: %s", strict, got.Ignored)
				}

				got, _ = writeTo(t, c, "PATCH", v1+"/events/{Fair}", tt.contentType, tt.body)
				switch {
				case unread && strict && got.Status != 400,
					unread && !strict && got != (told{200, "body", ""}):
					t.Errorf("an update, strict %v: %+v", strict, got)
				}
				if got.Status != 200 && c.Store.Seq() != before {
					t.Error("refused, and something was stored")
				}
			}
		})
	}
}

// The description names the header where it may come.
func TestIgnoredIsDescribed(t *testing.T) {
	t.Parallel()
	c := some(t, false)
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct{ Headers map[string]any }
		}
	}
	_, text := writeTo(t, c, "GET", v1+"/doc", "", "")
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	writes := 0
	for path, methods := range doc.Paths {
		for method, op := range methods {
			for status, response := range op.Responses {
				_, described := response.Headers["X-Almanac-Ignored"]
				list := method == "get" && response.Headers["X-TEC-Total"] != nil
				if want := (method != "get" || list) && (status == "200" || status == "201"); described != want {
					t.Errorf(
						"%s %s %s: described %v, want %v",
						method,
						path,
						status,
						described,
						want,
					)
				}
				if described && !list {
					writes++
				}
				adjusts := strings.HasPrefix(path, "/events") &&
					!strings.HasSuffix(path, "/restore") &&
					strings.Contains("post put patch", method) &&
					status[0] == '2'
				if _, described := response.Headers["X-Almanac-Adjusted"]; described != adjusts {
					t.Errorf(
						"%s %s %s: that an end was moved is described: %v",
						method,
						path,
						status,
						described,
					)
				}
			}
		}
	}
	if writes < 20 {
		t.Errorf("%d answers to writes", writes)
	}
}

// A list with no member left by _fields says so: an empty object looks like an empty calendar.
func TestFieldsOfNothing(t *testing.T) {
	t.Parallel()
	c := some(t, false)
	for _, tt := range []struct{ path, ignored, body string }{
		{"/events?_fields=titel", "_fields", "{}"},
		{"/events?_fields=title,%20id", "_fields", "{}"},
		{"/events?_fields=events.title", "_fields", `{"events":[]}`}, // nothing is selected in lists
		{"/events?starts_after=2000-01-01&_fields=events.title,total", "", `{"events":[],"total":1}`},
		{"/events?starts_after=2000-01-01&_fields=%20total", "", `{"total":1}`},
		{"/events?_fields=next_rest_url", "", "{}"}, // there is one on other pages
		{"/events?_fields=", "", ""},
		{"/events?_fields=venues", "_fields", "{}"},
		{"/venues?_fields=events", "_fields", "{}"},
		{"/venues?_fields=total_pages", "", `{"total_pages":1}`},
		{"/organizers?_fields[]=name", "_fields", "{}"},
		{"/categories?_fields=slug&hide_empty=0", "_fields", "{}"},
		{"/tags?_fields=tags,x&hide_empty=0", "", ""},
		{"/series?_fields=x", "_fields", "{}"},
		{"/events?_fields=titel&_envelope", "_fields", ""},
	} {
		for range 3 {
			got, body := writeTo(t, c, "GET", v1+tt.path, "", "")
			if got != (told{200, tt.ignored, ""}) || tt.body != "" && body != tt.body {
				t.Errorf("%s: %+v %.200s, want %q and %s", tt.path, got, body, tt.ignored, tt.body)
			}
		}
	}
}

// A request that carries a file is refused with advice, and nothing of it is stored. A form
// without a file is read, also with the empty field that browsers send when no file is chosen.
func TestFiles(t *testing.T) {
	t.Parallel()
	form := func(parts ...string) string { // headers and content in turn
		var b strings.Builder
		for i := 0; i < len(parts); i += 2 {
			b.WriteString(
				"--x\r\nContent-Disposition: form-data; " + parts[i] + "\r\n\r\n" + parts[i+1] + "\r\n",
			)
		}
		return b.String() + "--x--\r\n"
	}
	const multipart, png = "multipart/form-data; boundary=x", "\x89PNG\r\n"
	event := []string{
		`name="title"`,
		"Picture show",
		`name="start_date"`,
		"2031-05-10",
		`name="end_date"`,
		"2031-05-10",
	}
	picture := `name="image"; filename="hall.png"` + "\r\nContent-Type: image/png"
	for _, tt := range []struct {
		name, method, path, contentType, body string
		status                                int
	}{
		{"curl -F image=@hall.png", "POST", "/events", multipart, form(append(event, picture, png)...), 415},
		{"a file first", "POST", "/events", multipart, form(append([]string{picture, png}, event...)...), 415},
		{"a file under another name", "POST", "/venues", multipart, form(`name="venue"`, "Barn", `name="plan"; filename="a.txt"`, "a"), 415},
		{"a name in other letters", "POST", "/venues", multipart,
			form(`name="venue"`, "Barn", `name="image"; filename*=UTF-8''%C3%A9.png`, png), 415},
		{"no name, but a picture", "POST", "/venues", multipart,
			form(`name="venue"`, "Barn", `name="image"`+"\r\nContent-Type: image/png", png), 415},
		{"in an update", "POST", "/events/{Fair}", multipart, form(picture, png), 415},
		{"in a PUT", "PUT", "/venues/{Hall}", multipart, form(picture, png), 415},
		{"in a PATCH", "PATCH", "/events/by-slug/fair", multipart, form(picture, png), 415},
		{"for a category", "POST", "/categories", multipart, form(`name="name"`, "Jazz", picture, png), 415},
		{"a picture alone", "POST", "/events", "image/png", png, 415},
		{"of an update", "PATCH", "/organizers/{Ann}", "image/jpeg", "\xff\xd8", 415},
		{"bytes", "PUT", "/events/{Fair}", "application/octet-stream", png, 415},
		{"a film", "POST", "/events/{Fair}", "Video/MP4; codecs=x", "x", 415},
		{"none chosen", "POST", "/events", multipart,
			form(append(event, `name="image"; filename=""`+"\r\nContent-Type: application/octet-stream", "")...), 201},
		{"no file", "POST", "/events", multipart, form(event...), 201},
		{"no body", "PATCH", "/events/{Fair}", "image/png", "", 200},
		{"text", "PATCH", "/events/{Fair}", "text/plain", "x", 200},
		{"a form that is not read", "PATCH", "/events/{Fair}", multipart, form(`name="title"`, "x"), 200},
		{"a read", "GET", "/events", "image/png", png, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := some(t, false)
			before := c.Store.Seq()
			got, text := writeTo(t, c, tt.method, v1+tt.path, tt.contentType, tt.body)
			if got.Status != tt.status {
				t.Fatalf("%d %s, want %d", got.Status, text, tt.status)
			}
			if tt.status != 415 {
				return
			}
			if c.Store.Seq() != before {
				t.Error("something was stored")
			}
			if !strings.Contains(text, `"code":"rest_file_not_taken"`) ||
				!strings.Contains(got.Message, "image=https://") {
				t.Errorf("it does not say what to send: %s", text)
			}
		})
	}
	c := some(t, false)
	for kind, want := range map[string]int{"attachment; filename=hall.png": 415, "": 201} {
		response, text := sendBody(
			t, c,
			"POST",
			v1+"/tags",
			"name=x",
			"Content-Type",
			asForm,
			"Content-Disposition",
			kind,
		)
		if response.StatusCode != want {
			t.Errorf(
				"with Content-Disposition %q: %d %s, want %d",
				kind,
				response.StatusCode,
				text,
				want,
			)
		}
	}
	// A photograph is often larger than a body may be.
	for kind, told := range map[string]bool{
		multipart:    true,
		"image/jpeg": true,
		asForm:       false,
		asJSON:       false,
	} {
		response, text := sendBody(
			t, c,
			"POST",
			v1+"/events",
			strings.Repeat("x", 1<<20+1),
			"Content-Type",
			kind,
		)
		if response.StatusCode != 413 || strings.Contains(text, "image=https://") != told {
			t.Errorf("too much %s: %d %s", kind, response.StatusCode, text)
		}
	}
	// A caller without the right to write is told that first.
	resp, err := c.As("").Post(c.URL+v1+"/events", "image/png", strings.NewReader(png))
	if err != nil || resp.StatusCode != 401 {
		t.Errorf("a stranger with a picture: %v, %v", resp, err)
	}
}

// The answer tells how an end before the start was adjusted, and nothing else.
func TestAdjusted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, method, path, body, want string }{
		{"a start behind the end", "PATCH", "/events/{Fair}", "start_date=2031-06-01 10:00", "end_date=2031-06-01 12:00:00"},
		{"by slug", "POST", "/events/by-slug/fair", "start_date=2031-06-01 10:00", "end_date=2031-06-01 12:00:00"},
		{"a start at the end", "PATCH", "/events/{Fair}", "start_date=2031-04-10 14:00", ""},
		{"a start before", "PATCH", "/events/{Fair}", "start_date=2031-01-01", ""},
		{"an end before the start", "PUT", "/events/{Fair}", "end_date=2031-01-01", "end_date=2031-04-10 12:00:00"},
		{"both, in the wrong order", "PATCH", "/events/{Fair}", "start_date=2031-06-02&end_date=2031-06-01", "end_date=2031-06-02 00:00:00"},
		{"both", "PATCH", "/events/{Fair}", "start_date=2031-06-01&end_date=2031-06-02", ""},
		{"whole days", "PATCH", "/events/{Fair}", "start_date=2031-06-01&all_day=true", "end_date=2031-06-01 23:59:59"},
		{"whole days, both on one", "PATCH", "/events/{Fair}", "start_date=2031-06-01 10:00&end_date=2031-06-01&all_day=true", ""},
		{"another zone", "PATCH", "/events/{Fair}", "timezone=Asia/Tokyo&start_date=2031-06-01", "end_date=2031-06-01 02:00:00"},
		{"a new event", "POST", "/events", "title=x&start_date=2031-06-02&end_date=2031-06-01", "end_date=2031-06-02 00:00:00"},
		{"a new one as it should be", "POST", "/events", "title=x&start_date=2031-06-02&end_date=2031-06-03", ""},
		{"nothing about dates", "PATCH", "/events/{Fair}", "title=x", ""},
		{"refused", "PATCH", "/events/{Fair}", "start_date=2031-06-01&status=none", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := some(t, false)
			c.Change(
				t,
				store.Events,
				"Fair",
				func(r store.Record) { r.(*store.Event).End += 7200 },
			)
			response, text := sendBody(t, c, tt.method, v1+tt.path, tt.body, "Content-Type", asForm)
			if got := response.Header.Get("X-Almanac-Adjusted"); got != tt.want {
				t.Errorf("%d, %q, want %q: %s", response.StatusCode, got, tt.want, text)
			}
			if _, end, found := strings.Cut(tt.want, "="); found &&
				!strings.Contains(text, `"end_date":"`+end+`"`) {
				t.Errorf("the end is another: %s", text)
			}
		})
	}
}
