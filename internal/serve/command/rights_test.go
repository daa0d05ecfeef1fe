package command

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/race"

	"github.com/google/go-cmp/cmp"
)

// The rights of each role at a server, compared with testdata/rights.txt. -update writes that
// file; review its difference like code. The reference API's rules are in its section on
// permissions, and differences in docs/api.md.

// everyone is the anonymous caller and all roles, from fewest rights to most.
var everyone = []account.Role{
	"",
	account.Subscriber,
	account.Contributor,
	account.Author,
	account.Editor,
	account.Administrator,
}

// A rightsTable is the printed table.
type rightsTable struct {
	*testing.T
	text strings.Builder
	rows *tabwriter.Writer

	server *testServer
	ids    map[account.Role]int
	made   int
}

func TestRightsAlone(t *testing.T) {
	race.Alone(t)
	r := &rightsTable{
		T:   t,
		ids: map[account.Role]int{},
		server: startServer(t, append(still, "-memory", "-users", usersFile(t),
			"-also", "/wp-json/tribe/events/v1")...),
	}
	for i, role := range account.Roles() {
		r.ids[role] = i + 1
	}
	r.section("What a role may do at all")
	for right := range account.Administer + 1 {
		fmt.Fprint(r.rows, right)
		for _, role := range everyone {
			may := "-"
			if (account.Account{ID: 1, Role: role}).May(right) {
				may = "yes"
			}
			fmt.Fprint(r.rows, "\t", may)
		}
		fmt.Fprintln(r.rows)
	}
	r.section("What the service answers about one record")
	for _, kind := range []string{"events", "venues", "organizers"} {
		for _, status := range []string{"publish", "future", "draft", "pending", "private", "trash", "trashed draft"} {
			for _, own := range []bool{false, true} {
				r.record(kind, status, own)
			}
		}
	}
	r.section(
		"What the routes answer: a published record or a term of somebody else, and everything that is needed in the request",
	)
	almanactest.Routes(func(pattern string, _ *api.Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		if strings.HasPrefix(path, "/desk") || strings.HasPrefix(path, "/events/suggest") {
			return // desk: TestRights, TestProposal
		}
		for method := range strings.SplitSeq(methods, ",") {
			r.route(method, path)
		}
	})
	r.rows.Flush()

	const file = "testdata/rights.txt"
	if *update {
		if err := os.WriteFile(file, []byte(r.text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := readFile(t, file)
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(r.text.String(), "\n")); diff != "" {
		t.Errorf("rights (-want, +got):\n%s", diff)
	}
}

// section begins a table.
func (r *rightsTable) section(title string) {
	if r.rows != nil {
		r.rows.Flush()
		r.text.WriteByte('\n')
	}
	fmt.Fprintf(&r.text, "%s\n\n", title)
	r.rows = tabwriter.NewWriter(&r.text, 0, 0, 2, ' ', 0)
	for _, role := range everyone {
		name := string(role)
		if role == "" {
			name = "stranger"
		}
		fmt.Fprint(r.rows, "\t", name)
	}
	fmt.Fprintln(r.rows)
}

// as returns a caller.
func (r *rightsTable) as(role account.Role) caller {
	c := caller{URL: r.server.URL, Client: r.server.Client}
	switch role {
	case "":
	case account.Administrator:
		c.Token = "token of admin"
	default:
		c.Token = "token of " + string(role)
	}
	return c
}

// other returns the id of an account that is not that of a role.
func (r *rightsTable) other(role account.Role) int {
	if role == account.Administrator {
		return r.ids[account.Editor]
	}
	return r.ids[account.Administrator]
}

// pixel is a picture.
var pixel = func() string {
	var b strings.Builder
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	return b.String()
}()

// names are the members with the name of a record of each kind.
var names = map[string]string{
	"events":     "title",
	"venues":     "venue",
	"organizers": "organizer",
	"categories": "name",
	"tags":       "name",
}

// body returns what is needed to create a record.
func (r *rightsTable) body(kind string, more object) string {
	if r.made++; kind == "media" {
		return pixel
	}
	o := object{names[kind]: fmt.Sprintf("%s %d", kind, r.made)}
	if kind == "events" {
		o["start_date"], o["end_date"] = "2031-06-01", "2031-06-02"
	}
	for name, value := range more {
		o[name] = value
	}
	text, err := json.Marshal(o)
	if err != nil {
		r.Fatal(err)
	}
	return string(text)
}

// make makes a record and returns its id and slug.
func (r *rightsTable) make(kind, status string, author int) (id int, slug string) {
	r.Helper()
	more := object{}
	if kind != "categories" && kind != "tags" {
		more["author"], more["status"] = author, status
		switch status {
		case "future":
			more["status"], more["date"] = "publish", "2032-01-01 00:00:00"
		case "trash":
			more["status"] = "publish"
		case "trashed draft":
			more["status"] = "draft"
		}
	}
	admin := r.as(account.Administrator)
	var made struct {
		ID           int
		Slug, Status string
		Recurrence   struct{ Series int }
	}
	if kind == "series" { // which is made with its events
		more["recurrence"] = object{"rule": "FREQ=DAILY;COUNT=2"}
		if err := json.Unmarshal([]byte(admin.Must(r, "POST", v1+"/events", r.body("events", more))), &made); err != nil {
			r.Fatal(err)
		}
		return made.Recurrence.Series, strings.TrimSuffix(made.Slug, "-2031-06-01")
	}
	if err := json.Unmarshal([]byte(admin.Must(r, "POST", v1+"/"+kind, r.body(kind, more))), &made); err != nil {
		r.Fatal(err)
	}
	if kind == "media" { // no record shows it
		return made.ID, ""
	}
	if strings.HasPrefix(status, "trash") {
		admin.Must(r, "DELETE", fmt.Sprintf("%s/%s/%d", v1, kind, made.ID), "")
	} else if made.Status != status && status != "" {
		r.Fatalf("%s with status %s, want %s", kind, made.Status, status)
	}
	return made.ID, made.Slug
}

// lastRevision returns the number of the last revision of a record.
func (r *rightsTable) lastRevision(kind string, id int) string {
	var list struct {
		Revisions []struct{ Number json.Number }
	}
	answer := r.as(account.Administrator).
		Must(r, "GET", fmt.Sprintf("%s/%s/%d/revisions", v1, kind, id), "")
	if err := json.Unmarshal([]byte(answer), &list); err != nil || len(list.Revisions) == 0 {
		r.Fatalf("%s (%v)", answer, err)
	}
	return list.Revisions[0].Number.String()
}

// record asks to read, change and delete a record.
func (r *rightsTable) record(kind, status string, own bool) {
	r.Helper()
	whose := "another's"
	if own {
		whose = "own"
	}
	rows := map[string]string{}
	actions := []struct{ name, method, body string }{
		{"read", "GET", ""},
		{"edit", "PUT", `{"description":"changed"}`},
		{"delete", "DELETE", ""},
	}
	for _, role := range everyone {
		if role == "" && own {
			for _, action := range actions {
				rows[action.name] = "\t-"
			}
			continue
		}
		author := r.other(role)
		if own {
			author = r.ids[role]
		}
		id, _ := r.make(kind, status, author)
		for _, action := range actions {
			a := r.as(role).
				Do(r, action.method, fmt.Sprintf("%s/%s/%d", v1, kind, id), action.body)
			rows[action.name] += fmt.Sprint("\t", a.Status)
		}
	}
	for _, action := range actions {
		fmt.Fprintf(
			r.rows,
			"%s %s %s of %s%s\n",
			action.name,
			whose,
			status,
			kind,
			rows[action.name],
		)
	}
}

// route asks a route, each time about a record of its own.
func (r *rightsTable) route(method, path string) {
	r.Helper()
	row := method + " " + path
	kind := strings.Split(strings.TrimPrefix(path, v1+"/"), "/")[0]
	if strings.HasPrefix(path, "/wp/v2/") {
		kind = "media"
	}
	if strings.HasPrefix(path, "/wp/v2/tribe_events") {
		kind = "events"
	}
	subscribed := false // it is the address of a page, where a calendar is asked for
	for _, page := range [][2]string{{"/events", ""}, {"/event/", "events"}, {"/series/", "events"},
		{"/venue/", "venues"}, {"/organizer/", "organizers"},
		{"/tag/", "tags"}, {"/events/category/", "categories"}, {"/events/tag/", "tags"}} {
		if strings.HasPrefix(path, page[0]) {
			kind = page[1]
			subscribed = true
		}
	}
	for _, role := range everyone {
		body := ""
		at := strings.NewReplacer("{$}", "", "{language}", "de", "/events/{path...}", "/events/2031-05",
			"{slug}/{path...}", "{slug}/ical", "/embed/{path...}", "/embed/events", "{day}", "2031-05-10").
			Replace(path)
		control := strings.HasPrefix(path, "/_almanac/")
		if control {
			body = "{}"
			at = strings.NewReplacer("{id}", "1", "{name}", "none").Replace(path)
		} else if strings.Contains(at, "{id}") || strings.Contains(at, "{slug}") || strings.Contains(at, "{path...}") {
			status := "publish"
			if slices.Contains([]string{"categories", "tags"}, kind) {
				status = ""
			}
			id, slug := r.make(kind, status, r.other(role))
			if strings.HasSuffix(at, "/restore") {
				at = strings.Replace(at, "{number}", r.lastRevision(kind, id), 1)
			} else if strings.HasSuffix(at, "/merge") {
				into, _ := r.make(kind, status, r.other(role))
				at += fmt.Sprint("?into=", into)
			}
			at = strings.NewReplacer("{id}", fmt.Sprint(id), "{slug}", slug, "{path...}", slug).Replace(at)
		}
		switch {
		case path == "/_almanac/import":
			body = `{"items":[]}`
		case path == "/_almanac/import/picture":
			at += "?address=/poster.jpg"
		case control: // of a fixture, whose callers here are on the same machine
		case method == "POST" && at == path:
			body = r.body(kind, object{"status": "draft"})
		case method != "GET" && method != "DELETE":
			body = `{"description":"changed"}`
		case subscribed:
			at += "?ical=1"
		}
		row += fmt.Sprint("\t", r.as(role).Do(r, method, at, body).Status)
	}
	fmt.Fprintln(r.rows, row)
}

// readBelow reads a file below a directory.
func readBelow(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A server that can only be read refuses each method of each route that would change something, to
// every role, and changes nothing: no record, no account, no byte of the log. It publishes nothing
// by schedule. People sign in and out, and reads are as before.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	at := func(clock string, more ...string) []string {
		return append([]string{"-data", dir, "-clock", clock, "-freeze", "-submissions", "admin",
			"-url", "https://calendar.example.org", "-also", "/wp-json/tribe/events/v1"}, more...)
	}
	s := startServer(t, at("2031-05-10 12:00:00")...)
	admin := s.Admin()
	fill(t, admin)
	admin.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Later","start_date":"2031-07-01","end_date":"2031-07-02","status":"publish",`+
			`"date":"2031-05-11 00:00:00"}`,
	)
	admin.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Closed","start_date":"2031-07-01","end_date":"2031-07-02","password":"x","slug":"closed"}`,
	)
	public := []string{
		v1 + "/events",
		"/events/",
		"/event/fair/",
		v1 + "/events.ics",
		"/sitemap.xml",
		"/events/month/2031-06/",
	}
	read := func(c caller) map[string]string {
		t.Helper()
		all := c.Everything(t)
		for _, path := range public {
			all[path] = caller{URL: c.URL, Client: c.Client}.Must(t, "GET", path, "")
		}
		return all
	}
	before := read(admin)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	kept := func() map[string]string {
		t.Helper()
		all := map[string]string{}
		segments, _ := filepath.Glob(filepath.Join(dir, "log", "*")) // the pattern is right
		for _, name := range segments {
			for line := range strings.Lines(readBelow(t, name, "")) {
				if !strings.Contains(line, `"change":{"accounts":`) { // who signed in
					all[name] += line
				}
			}
		}
		for _, name := range []string{"snapshots", "media"} {
			entries, _ := os.ReadDir(filepath.Join(dir, name))
			all[name] = fmt.Sprint(len(entries))
		}
		return all
	}
	files := kept()
	s = startServer(t, at("2031-05-10 12:00:00", "-read-only")...)
	reader := s.As(admin.Token)
	if diff := cmp.Diff(before, read(reader)); diff != "" {
		t.Errorf("what is read (-before, +read-only):\n%s", diff)
	}
	entered := reader.Do(
		t,
		"POST",
		"/desk/sign-in",
		"sign-in-login=admin&sign-in-token="+admin.Token,
	)
	cookie, _, _ := strings.Cut(entered.Header.Get("Set-Cookie"), ";")
	mine := func() string { return reader.Do(t, "GET", "/desk/account", "", "Cookie", cookie).Body }
	if got := mine(); !strings.Contains(got, "/desk/sign-out") ||
		!strings.Contains(got, "can only be read at the moment") {
		t.Errorf("signing in: %d %s", entered.Status, got)
	}
	open := map[string]bool{
		"/desk/sign-in":  true,
		"/desk/link":     true,
		"/desk/sign-out": true,
		"/desk/language": true,
		"/desk/account":  true,
		"/event/{slug}":  true,
	}
	path := strings.NewReplacer("{id}", "4", "{slug}", "fair", "{number}", "1", "{name}", "x")
	refuses := func(s *testServer, as caller, control bool) (tried int) {
		t.Helper()
		almanactest.Routes(func(pattern string, _ *api.Op) {
			methods, route, _ := strings.Cut(pattern, " ")
			fixtures := strings.HasPrefix(route, "/_almanac/") &&
				!strings.HasPrefix(route, "/_almanac/import")
			for method := range strings.SplitSeq(methods, ",") {
				if method == "GET" || open[route] || fixtures != control {
					continue
				}
				tried++
				for _, body := range []string{"", `{"title":"Changed","name":"Changed","venue":"Changed"}`, "title=Changed&name=Changed&do=trash"} {
					got := as.Do(t, method, path.Replace(route), body, "Cookie", cookie)
					if got.Status != 503 ||
						!strings.Contains(got.Body, "can only be read at the moment") {
						t.Errorf(
							"%s %s as %.9q: %d %.300s",
							method,
							route,
							as.Token,
							got.Status,
							got.Body,
						)
					}
				}
			}
		})
		return tried
	}
	if n := refuses(s, reader, false); n < 85 {
		t.Errorf("only %d methods of routes were tried", n)
	}
	refuses(s, caller{URL: s.URL, Client: s.Client}, false)
	if got := reader.Do(t, "POST", "/event/closed/", "password=x"); got.Status != 200 ||
		strings.Contains(got.Body, `type="password"`) {
		t.Errorf("the password of an event: %d", got.Status)
	}
	if got := reader.Do(t, "GET", "/events/suggest/", ""); got.Status != 200 ||
		strings.Contains(got.Body, "<textarea") {
		t.Errorf("the form of proposals: %d", got.Status)
	}
	health := reader.Do(t, "GET", "/_almanac/health", "")
	if health.Status != 200 || !strings.Contains(health.Body, `"writable":false`) {
		t.Errorf("health: %d %s", health.Status, health.Body)
	}
	if exit, _, stderr := runCommand(t, "import", "-to", s.URL, "-token", admin.Token,
		tempFile(t, "list.json", `{"events":[{"title":"New","start_date":"2031-06-01","end_date":"2031-06-01"}]}`)); exit != 1 ||
		!strings.Contains(stderr, "can only be read at the moment") {
		t.Errorf("an import: exit status %d, %s", exit, stderr)
	}
	if diff := cmp.Diff(before, read(reader)); diff != "" {
		t.Errorf("after all requests (-before, +after):\n%s", diff)
	}
	reader.Do(t, "POST", "/desk/sign-out", "", "Cookie", cookie)
	if strings.Contains(mine(), "/desk/sign-out") {
		t.Error("signed in after signing out")
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	s = startServer(t, at("2031-05-12 12:00:00", "-read-only")...) // when an event is due
	reader.URL = s.URL
	if got := read(reader)[v1+"/events"]; !strings.Contains(got, "Fair") ||
		strings.Contains(got, "Later") {
		t.Errorf("published by schedule: %s", got)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files, kept()); diff != "" {
		t.Errorf("files (-before, +after):\n%s", diff)
	}
	fixture := startServer(t, "-memory", "-read-only", "-token", "secret", "-seed", "@small")
	if n := refuses(fixture, fixture.Admin(), true); n < 10 {
		t.Errorf("only %d routes of a fixture were tried", n)
	}
	s = startServer(t, at("2031-05-12 12:00:00")...)
	if got := (caller{
		URL:    s.URL,
		Client: s.Client,
	}).Must(t, "GET", v1+"/events", ""); !strings.Contains(got, "Later") {
		t.Error("the next start does not catch up")
	}
}
