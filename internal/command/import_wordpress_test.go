package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file imports exports of WordPress.

// hashes are the passwords of events in an export, which have another salt each time.
var hashes = regexp.MustCompile(`\$pbkdf2[^"]*`)

// An export of WordPress brings every kind of record, with authors who have accounts here; the second time it changes nothing. The same
// records from the API of the site change nothing either, but for the sizes of pictures, which the export lacks.
func TestImportWordPress(t *testing.T) {
	t.Parallel()
	file, list := sample("wordpress.xml"), sample("wordpress.json")
	const left = `: not taken: 1 categories of posts, 2 comments, 1 passwords of venues, which are private here, ` +
		`1 pictures that no record has as its image, 1 posts of the type "nav_menu_item", 2 posts of the type "page", ` +
		`1 posts of the type "post", 1 tags that no event has, 1 terms of "language", 1 terms of "nav_menu", ` +
		`1 times the author "bob" (see -author), 2 values of "_EventRecurrence", 1 values of "_yoast_wpseo_title", 1 values of "gallery"`
	for _, running := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "data")
		s := startServer(t, on(dir, still...)...)
		token := s.admin().token
		mustRun(t, "users", "add", "-data", dir, "-role", "author", "ann")
		to := []string{"-to", s.url, "-token", token}
		if !running {
			if err := s.stop(); err != nil {
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
			if got := sums(t, table); got[0] != 0 || got[1] != 0 && !(got[1] == 1 && images && again[len(again)-1] == list) {
				t.Errorf("running %v: %v changes something:\n%s", running, again, table)
			}
		}
		if running {
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
		}
		got, golden := hashes.ReplaceAllString(exportOf(t, dir), "HASH"), sample("wordpress-export.json")
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
		{[]string{"-data", dir, "-author", "anna", file}, 2, "must be LOGIN=LOGIN: the author in the export, and the account here", nil},
		{[]string{"-data", dir, file}, 1, ": record 21 (in it, venues old.example.org?id=999): is in no file that was imported\n",
			[]int{22, 0, 0, 1}},
		{[]string{"-to", s.url, "-token", s.token, "-author", "bob=bo", sample("wordpress.xml")}, 1,
			`(events old.example.org?id=42): shall belong to "bo", and there is no account of that name` + "\n", []int{21, 0, 0, 1}},
	}
	for _, test := range tests {
		exit, table, stderr := runImport(t, test.args...)
		if exit != test.exit || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%v: exit status %d, want %d; stderr %q, want %q", test.args, exit, test.exit, stderr, test.stderr)
		}
		if test.sums != nil {
			if diff := cmp.Diff(test.sums, sums(t, table)); diff != "" {
				t.Errorf("%v: sums (-want, +got):\n%s", test.args, diff)
			}
		}
	}
}
