package transfer_test

import (
	"almanac/internal/tools/cmdtest"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file imports exports of WordPress.

// hashes are the passwords of events in an export, which have another salt each time. The form of
// noHash is that of a hash.
var (
	hashes = regexp.MustCompile(`\$pbkdf2[^"]*`)
	noHash = "$pbkdf2-sha256$i=600000$" + strings.Repeat("A", 22) + "$" + strings.Repeat("A", 43)
)

// An export of WordPress brings every kind of record, with authors who have accounts here; the
// second time it changes nothing. The same records from the API of the site change nothing either,
// but for the sizes of pictures, which the export lacks.
func TestImportWordPress(t *testing.T) {
	t.Parallel()
	file := sample("wordpress.xml")
	list := sample("wordpress.json")
	const left = `: not taken: 1 categories of posts, 2 comments, 1 passwords of venues, which are private here, ` +
		`1 pictures that no record has as its image, 1 posts of the type "nav_menu_item", 2 posts of the type "page", ` +
		`1 posts of the type "post", 1 tags that no event has, 1 terms of "language", 1 terms of "nav_menu", ` +
		`1 times the author "bob" (see -author), 2 values of "_EventRecurrence", 1 values of "_yoast_wpseo_title", 1 values of "gallery"`
	for _, running := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "data")
		s := startServer(t, on(dir, still...)...)
		token := s.Admin().Token
		mustRun(t, "users", "add", "-data", dir, "-role", "author", "ann")
		to := []string{"-to", s.URL, "-token", token}
		if !running {
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
			to = []string{"-data", dir}
		}
		args := append(to, "-author", "anna=ann,admin = admin", file)
		exit, table, stderr := runImport(t, args...)
		if exit != 0 || !strings.Contains(stderr, file+left+"\n") {
			t.Errorf("running %v: exit status %d\n%s", running, exit, stderr)
		}
		if diff := cmp.Diff([]int{22, 0, 0, 0}, sums(t, table)); diff != "" {
			t.Errorf("running %v: sums (-want, +got):\n%s", running, diff)
		}
		for _, again := range [][]string{args, append(to, list), args} {
			table := mustImport(t, again...)
			images := regexp.MustCompile(`images +0 +1 `).FindString(table) != ""
			if got := sums(t, table); got[0] != 0 ||
				got[1] != 0 && !(got[1] == 1 && images && again[len(again)-1] == list) {
				t.Errorf("running %v: %v changes something:\n%s", running, again, table)
			}
		}
		if running {
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
		}
		got := hashes.ReplaceAllLiteralString(exportOf(t, dir), noHash)
		golden := sample("wordpress-export.json")
		if *update && !running {
			if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(readFile(t, golden), got); diff != "" {
			t.Errorf("running %v: export (-want, +got):\n%s", running, diff)
		}
	}
}

// Authors without an account, and venues that no file has, are named.
func TestImportWordPressRefused(t *testing.T) {
	t.Parallel()
	file := tempFile(t, "site.xml", strings.Replace(readFile(t, sample("wordpress.xml")),
		"<wp:meta_value><![CDATA[12]]>", "<wp:meta_value><![CDATA[999]]>", 1))
	s := startServer(t, "-memory")
	dir := t.TempDir()
	tests := []struct {
		args   []string
		exit   int
		stderr string
		sums   []int
	}{
		{[]string{"-data", dir, "-author", "anna=ann", file}, 2, "-author: ", nil},
		{
			[]string{"-data", dir, "-author", "anna", file},
			2,
			"must be LOGIN=LOGIN: the author in the export, and the account here",
			nil,
		},
		{
			[]string{"-data", dir, file},
			1,
			": record 21 (in it, venues old.example.org?id=999): is in no file that was imported\n",
			[]int{22, 0, 0, 1},
		},
		{
			[]string{
				"-to",
				s.URL,
				"-token",
				s.Token,
				"-author",
				"bob=bo",
				sample("wordpress.xml"),
			},
			1,
			`(events old.example.org?id=42): shall belong to "bo", and there is no account of that name` + "\n",
			[]int{21, 0, 0, 1},
		},
	}
	for _, test := range tests {
		exit, table, stderr := runImport(t, test.args...)
		if exit != test.exit || !strings.Contains(stderr, test.stderr) {
			t.Errorf(
				"%v: exit status %d, want %d; stderr %q, want %q",
				test.args,
				exit,
				test.exit,
				stderr,
				test.stderr,
			)
		}
		if test.sums != nil {
			if diff := cmp.Diff(test.sums, sums(t, table)); diff != "" {
				t.Errorf("%v: sums (-want, +got):\n%s", test.args, diff)
			}
		}
	}
}

// Editors and authors import into a running server by the rights that they have in the API, in
// their own name, record by record.
func TestImportRights(t *testing.T) {
	t.Parallel()
	users := tempFile(
		t,
		"users.json",
		`{"users":[{"id":1,"login":"admin","role":"administrator","token":"aaaa"},
		{"id":2,"login":"ed","role":"editor","token":"eeee"},{"id":3,"login":"al","role":"author","token":"llll"},
		{"id":4,"login":"bo","role":"author","token":"bbbb"}]}`,
	)
	const dates = `"start_date":"2031-05-12 20:00:00","end_date":"2031-05-12 22:00:00","modified_utc":"2030-01-0`
	venue := func(id int, city string) string {
		return fmt.Sprintf(
			`{"global_id":"a.example?id=%d","venue":"Hall","city":%q,"website":"https://a.example/"}`,
			id,
			city,
		)
	}
	event := func(id int, day, more string) string {
		return fmt.Sprintf(
			`{"global_id":"a.example?id=%d",%s%s 10:00:00"%s}`,
			id,
			dates,
			day,
			more,
		)
	}
	raw := event(
		1,
		"1",
		`,"title":"A <script>x</script>","description":"<script>x</script><b>b</b>","venue":`+venue(
			9,
			"P",
		)+
			`,"tags":[{"name":"T","slug":"t","description":"D"}],"image":"https://a.example/i.png"`,
	)
	refused := func(id, reason string) string { return "(events " + id + "): " + reason }
	const forbidden = "is not for this account to change; an administrator can import it"
	steps := []struct {
		name, token, text string
		sums              []int // without pictures and terms that are left alone
		stderr            string
	}{
		{"own records", "llll", `[` + raw + `]`, []int{4, 0, 0, 0}, ""},
		{"again", "llll", `[` + raw + `]`, []int{0, 0, 3, 0}, ""},
		{"newer", "llll", `[` + event(1, "2", `,"title":"A2"`) + `]`, []int{0, 1, 0, 0}, ""},
		{
			"of another author",
			"bbbb",
			`[` + event(1, "3", `,"title":"A3"`) + `]`,
			[]int{0, 0, 0, 1},
			refused("a.example?id=1", forbidden),
		},
		{
			"with a venue of another author",
			"bbbb",
			`[` + event(2, "1", `,"title":"B","venue":`+venue(9, "Q")) + `]`,
			[]int{1, 0, 1, 0},
			"",
		},
		{
			"a hidden record",
			"eeee",
			`[` + event(3, "1", `,"title":"H","status":"draft"`) + `]`,
			[]int{1, 0, 0, 0},
			"",
		},
		{
			"of a hidden record",
			"bbbb",
			`[` + event(3, "1", `,"title":"H","status":"draft"`) + `]`,
			[]int{0, 0, 0, 1},
			forbidden,
		},
		{
			"a hidden venue",
			"eeee",
			`[{"global_id":"a.example?id=20","venue":"Backstage","status":"draft"}]`,
			[]int{1, 0, 0, 0},
			"",
		},
		{
			"with the number of a hidden venue",
			"bbbb",
			`[` + event(6, "1", `,"title":"V","venue":20`) + `]`,
			[]int{0, 0, 0, 1},
			"there is no 20 among the venues",
		},
		{"without an id", "bbbb", `[{"title":"A2",` + dates + `1 10:00:00"}]`,
			[]int{0, 0, 0, 1}, "has no global_id; only administrators import"},
		{"a script", "bbbb", `[` + event(4, "1", `,"title":"S","website":"javascript:x()"`) + `]`,
			[]int{0, 0, 0, 1}, "website must be an address such as https://example.org/"},
		{
			"a picture of a script",
			"bbbb",
			`[` + event(4, "1", `,"title":"S","image":"data:text/html,x"`) + `]`,
			[]int{0, 0, 0, 1},
			"image must be an address such as https://example.org/a.jpg",
		},
		{
			"an id of this calendar",
			"bbbb",
			`[{"global_id":"127.0.0.1?id=99","title":"S",` + dates + `1 10:00:00"}]`,
			[]int{0, 0, 0, 1},
			forbidden,
		},
		{
			"an export",
			"eeee",
			`{"exact":true,"events":[{"id":7,"title":"E",` + dates + `1 10:00:00"}]}`,
			[]int{0, 0, 0, 1},
			"only administrators import",
		},
		{
			"a table",
			"eeee",
			"EVENT NAME,EVENT START DATE\nE,2031-05-12\n",
			[]int{0, 0, 0, 1},
			"only administrators import",
		},
		{
			"a date of a series",
			"llll",
			`[` + event(
				5,
				"1",
				`,"title":"Y","url":"https://a.example/event/y/2031-05-12/"`,
			) + `]`,
			[]int{1, 0, 0, 0},
			"",
		},
		{
			"by an editor",
			"eeee",
			`[` + event(1, "4", `,"title":"A <i>4</i>"`) + `]`,
			[]int{0, 1, 0, 0},
			"",
		},
	}
	s := startServer(t, "-memory", "-users", users)
	for _, step := range steps {
		exit, table, stderr := runImport(
			t,
			"-to",
			s.URL,
			"-token",
			step.token,
			tempFile(t, "file", step.text),
		)
		if diff := cmp.Diff(step.sums, sums(t, table)); diff != "" ||
			!strings.Contains(stderr, step.stderr) ||
			exit != min(step.sums[3], 1) {
			t.Errorf(
				"%s: exit status %d, sums (-want, +got):\n%s%s",
				step.name,
				exit,
				diff,
				stderr,
			)
		}
	}
	author := cmdtest.Caller{URL: s.URL, Token: "bbbb", Client: s.Client}
	for what, item := range map[string]string{ // which the command pull sends
		"an event of another account goes to the trash": `"as":"overwrite","gone":true,"record":{}`,
		"the time of its last change is told":           `"as":"once","record":` + event(9, "1", ""),
	} {
		for id := range 12 {
			a := author.Do(
				t,
				"POST",
				"/_almanac/import",
				fmt.Sprintf(
					`{"items":[{"kind":"events","base":{"kind":"events","id":%d},%s}]}`,
					id,
					item,
				),
			)
			if a.Status != http.StatusOK ||
				!strings.Contains(a.Body, "which only administrators do") ||
				strings.Contains(a.Body, `"modified"`) {
				t.Errorf("%s: %d %s", what, a.Status, a.Body)
			}
		}
	}
	var got []string
	for _, e := range shownEvents(t, s) {
		e := e.(object)
		city := ""
		if v, ok := e["venue"].(object); ok {
			city = fmt.Sprint(v["city"], v["author"])
		}
		got = append(
			got,
			fmt.Sprint(e["title"], e["author"], e["description"], city, e["recurrence"]),
		)
	}
	want := []string{"A <i>4</i>3<p>x<b>b</b></p>P3<nil>", "B4P3<nil>", "Y3<nil>"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
	export := []string{"-to", s.URL, "-token", "llll", sample("wordpress.xml")}
	exit, table, stderr := runImport(
		t,
		append(export[:4:4], "-author", "anna=bo,admin=al", export[4])...)
	if diff := cmp.Diff([]int{20, 0, 0, 3}, sums(t, table)); exit != 1 || diff != "" ||
		!strings.Contains(
			stderr,
			`shall belong to "bo", and this account may not name another author`,
		) {
		t.Errorf("records of others by an author: exit status %d\n%s%s", exit, stderr, diff)
	}
	exit, table, stderr = runImport(t, export...)
	if diff := cmp.Diff([]int{2, 1, 18, 0}, sums(t, table)); exit != 0 ||
		diff != "" { // an event gets its venue
		t.Errorf("all records of an export by an author: exit status %d\n%s%s", exit, stderr, diff)
	}
	admin := cmdtest.Caller{URL: s.URL, Token: "aaaa", Client: s.Client}
	claimed := fmt.Sprintf(
		`"record":{"global_id":"b.example?id=1","global_id_lineage":["b.example?id=2"],%s1 10:00:00","title":"%%s"}`,
		dates,
	)
	for _, step := range []struct {
		by   cmdtest.Caller
		more string // of the item
		want string // authors of the events
	}{
		{author, fmt.Sprintf(claimed, "Claimed"), "Claimed 4"},
		{admin, strings.Replace(fmt.Sprintf(claimed, "Second"), "id=1", "id=2", 1), "Claimed 4, Second 1"},
		{admin, `"as":"keep",` + strings.ReplaceAll(fmt.Sprintf(claimed, "Newer"), "2030-01-01", "2030-01-02"), "Newer 4, Second 1"},
		{admin, `"as":"overwrite",` + fmt.Sprintf(claimed, "Official"), "Official 1, Second 1"},
	} {
		step.by.Must(t, "POST", "/_almanac/import", `{"items":[{"kind":"events",`+step.more+`}]}`)
		var got []string
		for _, e := range shownEvents(t, s) {
			if e := e.(object); strings.Contains(
				fmt.Sprint(e["global_id_lineage"]),
				"b.example?id=",
			) {
				got = append(got, fmt.Sprint(e["title"], " ", e["author"]))
			}
		}
		if slices.Sort(got); strings.Join(got, ", ") != step.want {
			t.Errorf("a global id that an author has: %q, want %s", got, step.want)
		}
	}
}
