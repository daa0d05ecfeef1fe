package transfer

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/cli"
	"almanac/store"
)

// importText runs the command with a file into a server.
func importText(t testing.TB, s *almanactest.Server, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "list.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, settings := cli.Declare("import", "", (*importSettings).flags)
	p := cli.Process{
		Getenv: func(string) string { return "" },
		Stdout: io.Discard,
		Stderr: t.Output(),
	}
	names, _, err := f.Parse([]string{"-to", s.URL, "-token", s.Token, file}, p)
	if err == nil {
		err = importFiles(t.Context(), settings, names, p)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A file that has a record in two versions brings the later one, or else the first, and changes
// nothing the second time.
func TestRepeatedRecords(t *testing.T) {
	t.Parallel()
	const event = `{"global_id":"a.example?id=7","slug":"choir","start_date":"2031-05-10 20:00:00",
		"end_date":"2031-05-10 22:00:00","title":"TITLE"MORE}`
	version := func(title, changed string) string {
		if changed != "" {
			changed = `,"modified_utc":"2025-01-0` + changed + ` 10:00:00"`
		}
		return strings.NewReplacer("TITLE", title, "MORE", changed).Replace(event)
	}
	for name, test := range map[string]struct {
		versions []string
		want     string
	}{
		"of one time":        {[]string{version("A", "1"), version("B", "1")}, "A"},
		"without a time":     {[]string{version("A", ""), version("B", "")}, "A"},
		"the second later":   {[]string{version("A", "1"), version("B", "2")}, "B"},
		"the first later":    {[]string{version("A", "2"), version("B", "1")}, "A"},
		"one without a time": {[]string{version("A", ""), version("B", "1")}, "A"},
		"three":              {[]string{version("A", "1"), version("B", "3"), version("C", "2")}, "B"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := almanactest.Start(t, almanactest.Options{NoLimits: true})
			file := `{"events":[` + strings.Join(test.versions, ",") + `]}`
			importText(t, s, file)
			before := s.Store.Seq()
			importText(t, s, file)
			if after := s.Store.Seq(); after != before {
				t.Errorf("the second import made %d transactions", after-before)
			}
			if diff := cmp.Diff([]string{test.want}, titlesOf(t, s)); diff != "" {
				t.Errorf("titles (-want, +got):\n%s", diff)
			}
		})
	}
	s := almanactest.Start(t, almanactest.Options{NoLimits: true})
	importText(t, s, version("A", "1"))
	importText(t, s, version("B", "1"))
	if diff := cmp.Diff([]string{"B"}, titlesOf(t, s)); diff != "" {
		t.Errorf("a later file of the same time (-want, +got):\n%s", diff)
	}
}

// titlesOf returns the titles of all events.
func titlesOf(t testing.TB, s *almanactest.Server) (titles []string) {
	t.Helper()
	if err := s.Store.View(func(v *store.View) error {
		for e := range v.Each(store.Events) {
			titles = append(titles, e.(*store.Event).Title)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return titles
}
