package transfer_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/cli/socket"
	"almanac/store"
)

// This file imports into directories that a server has open, or opens, or had.

// A directory takes the same with a server as without one, and as a server by its address:
// records, and pictures as they were sent. With a server, all belongs to its first administrator.
func TestImportIntoRunning(t *testing.T) {
	t.Parallel()
	users := tempFile(
		t,
		"users.json",
		`{"users":[{"id":1,"login":"al","role":"author","token":"llll"},
		{"id":2,"login":"bo","role":"administrator","disabled":true,"token":"bbbb"},
		{"id":7,"login":"cy","role":"administrator","token":"cccc"}]}`,
	)
	old := newOldSite(t)
	files := []string{
		sample("lindmoor-categories.json"),
		sample("lindmoor.json"),
		sample("millstreet.json"),
	}
	pictures := []string{
		"-fetch-pictures",
		tempFile(t, "pictures.json", old.document(old.URL+"/page.jpg", old.URL+"/no.jpg")),
	}
	type result struct {
		Exit          int
		Tables, Files string
		Reasons       []string
	}
	importInto := func(dir string, target ...string) (r result) {
		for _, args := range [][]string{files, pictures, pictures, files} {
			exit, table, stderr := runImport(t, append(target[:len(target):len(target)], args...)...)
			r.Exit += exit
			r.Tables += table
			for line := range strings.Lines(stderr) {
				if _, reason, ok := strings.Cut(line, ": record "); ok {
					r.Reasons = append(r.Reasons, reason)
				}
			}
		}
		for _, file := range sentFiles(t, dir) {
			r.Files += fmt.Sprintln(len(file), file[:min(20, len(file))])
		}
		return r
	}
	alone := t.TempDir()
	want := importInto(alone, "-data", alone)
	if want.Exit != 2 || len(want.Reasons) != 4 || strings.Count(want.Files, "\n") != 4 {
		t.Errorf("without a server: %+v", want)
	}
	for _, byAddress := range []bool{false, true} {
		dir := t.TempDir()
		s := startServer(t, "-data", dir, "-users", users)
		target := []string{"-data", dir}
		if byAddress {
			target = []string{"-to", s.URL, "-token", "cccc"}
		}
		got := importInto(dir, target...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by its address %v (-without a server, +with one):\n%s", byAddress, diff)
		}
		events := shownEvents(t, s)
		for _, file := range files[1:] {
			compareFile(t, file, events)
		}
		authors := map[any]int{}
		for _, e := range events {
			authors[e.(object)["author"]]++
		}
		if diff := cmp.Diff(map[any]int{"7": len(events)}, authors); diff != "" {
			t.Errorf("by its address %v: authors (-want, +got):\n%s", byAddress, diff)
		}
	}
}

// manyEvents is a list of more events than a batch has. The last one has a picture.
func manyEvents(picture string) string {
	var events []string
	for id := 1; id <= 600; id++ {
		more := ""
		if id == 600 {
			more = `,"image":"` + picture + `"`
		}
		events = append(events, fmt.Sprintf(
			`{"global_id":"a.example?id=%d","title":"E%[1]d","slug":"e%[1]d",`+
				`"start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 22:00:00"%s}`, id, more))
	}
	return `{"events":[` + strings.Join(events, ",\n") + `]}`
}

// siteThat is a site that calls a function before it answers for a picture.
func siteThat(t *testing.T, does func(w http.ResponseWriter)) (picture string) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		does(w)
	}))
	t.Cleanup(site.Close)
	return strings.Replace(site.URL, "127.0.0.1", "old.example", 1) + "/a.jpg"
}

// stored returns how many events a directory has that nobody has open.
func stored(t *testing.T, dir string) (n int) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_ = s.View(func(v *store.View) error {
		n = v.Len(store.Events)
		return nil
	})
	return n
}

// A server that ends during an import: the import says what was stored, and the same again, which
// needs no server, stores the rest.
func TestImportServerEnds(t *testing.T) {
	t.Parallel()
	for _, hasPicture := range []bool{false, true} {
		t.Run(fmt.Sprint("picture ", hasPicture), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := startServer(t, "-data", dir)
			file := tempFile(t, "many.json", manyEvents(siteThat(t, func(w http.ResponseWriter) {
				if err := s.Stop(); err != nil {
					t.Error(err)
				}
				if hasPicture {
					_, _ = w.Write(jpegOf(t, 10, 1))
				} else {
					w.WriteHeader(http.StatusNotFound)
				}
			})))
			exit, table, stderr := runImport(t, "-data", dir, "-fetch-pictures", file)
			want := filepath.Join(dir, socket.Name) + " does not answer: it has ended " +
				"(stored up to record 500 of " + file + ")"
			if exit != 1 || !strings.Contains(stderr, want) || sums(t, table)[0] != 500 {
				t.Errorf("exit status %d\n%s%s", exit, table, stderr)
			}
			if n := stored(t, dir); n != 500 {
				t.Errorf("%d events are stored", n)
			}
			table = mustImport(t, "-data", dir, file)
			if diff := cmp.Diff([]int{101, 0, 500, 0}, sums(t, table)); diff != "" {
				t.Errorf("again (-want, +got):\n%s", diff)
			}
		})
	}
}

// A server that ends while it takes records may have taken some: the import says so.
func TestImportServerEndsInside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	says := func(_ context.Context, _ url.Values, _ io.Reader, out io.Writer) error {
		_, err := io.WriteString(out, "a.example\n")
		return err
	}
	ends := func(_ context.Context, _ url.Values, in io.Reader, _ io.Writer) error {
		_, _ = io.Copy(io.Discard, in)
		panic(http.ErrAbortHandler)
	}
	end, err := socket.Serve(t.Context(), dir, socket.Operations{
		"GET /identity":         says,
		"POST /_almanac/import": ends,
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	exit, _, stderr := runImport(t, "-data", dir, tempFile(t, "many.json", manyEvents("")))
	const want = "ended before it had answered: look whether it did what was asked " +
		"(nothing was stored, and perhaps some of the next 500: import all again)"
	if exit != 1 || !strings.Contains(stderr, want) {
		t.Errorf("exit status %d\n%s", exit, stderr)
	}
}

// So does an import over the network, unless no connection was made or the server refuses.
func TestImportConnectionEnds(t *testing.T) {
	t.Parallel()
	file := tempFile(t, "many.json", manyEvents(""))
	for _, c := range []struct {
		answer func(http.ResponseWriter)
		isSaid bool
	}{
		{func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, true},
		{func(w http.ResponseWriter) { _, _ = io.WriteString(w, "{}") }, true},
		{func(w http.ResponseWriter) { w.WriteHeader(http.StatusForbidden) }, false},
		{nil, false},
	} {
		site := "http://127.0.0.1:1"
		if c.answer != nil {
			server := httptest.NewServer(http.HandlerFunc(
				func(w http.ResponseWriter, _ *http.Request) { c.answer(w) },
			))
			defer server.Close()
			site = server.URL
		}
		exit, _, stderr := runImport(t, "-to", site, "-token", "x", file)
		isSaid := strings.Contains(
			stderr,
			"(nothing was stored, and perhaps some of the next 500: import all again)",
		)
		if exit != 1 || isSaid != c.isSaid {
			t.Errorf("exit status %d, want a doubt: %v\n%s", exit, c.isSaid, stderr)
		}
	}
}

// A server that starts during an import waits for its end, and shows everything.
func TestImportServerStarts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	starting := make(chan struct{})
	begin := sync.OnceFunc(func() { close(starting) })
	picture := siteThat(t, func(w http.ResponseWriter) {
		begin()
		w.WriteHeader(http.StatusNotFound)
	})
	imported := make(chan string, 1)
	go func() {
		exit, table, stderr := runImport(t, "-partial", "-data", dir, "-fetch-pictures",
			tempFile(t, "many.json", manyEvents(picture)))
		imported <- fmt.Sprint(exit, sums(t, table)[0], stderr)
	}()
	<-starting
	s := startServer(t, "-data", dir)
	if got := <-imported; !strings.HasPrefix(got, "0 601") {
		t.Errorf("imported: %s", got)
	}
	if got := len(shownEvents(t, s)); got != 50 {
		t.Errorf("a page of %d events is shown", got)
	}
}

// A directory that is in use while a server starts is no reason to refuse the import, which waits
// for the server.
func TestImportWaitsForServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	held, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	imported := make(chan string, 1)
	go func() {
		exit, _, stderr := runImport(t, "-data", dir, sample("millstreet.json"))
		imported <- fmt.Sprint(exit, stderr)
	}()
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "-data", dir)
	if got := <-imported; !strings.HasPrefix(got, "0") {
		t.Errorf("imported: %s", got)
	}
	compareFile(t, sample("millstreet.json"), shownEvents(t, s))
}

// A server without an administrator, to whom the records would belong, takes none.
func TestImportWithoutAdministrator(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	users := tempFile(
		t,
		"users.json",
		`{"users":[{"id":1,"login":"al","role":"author","token":"llll"},
		{"id":2,"login":"bo","role":"administrator","disabled":true,"token":"bbbb"}]}`,
	)
	s := startServer(t, "-data", dir, "-users", users)
	exit, _, stderr := runImport(t, "-data", dir, sample("millstreet.json"))
	const want = "there is no administrator; almanac users add makes one (nothing was stored)"
	if exit != 1 || !strings.Contains(stderr, want) || len(shownEvents(t, s)) > 0 {
		t.Errorf("exit status %d\n%s", exit, stderr)
	}
}
