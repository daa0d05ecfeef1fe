package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/cli"
	"almanac/move/oldsite"
	"almanac/store"
)

const v1 = "/cal/events/v1"

// adoptNow runs the command without pauses between requests. Without -fetch-pictures among args it
// leaves pictures, whose hosts are nowhere.
func adoptNow(
	t testing.TB,
	ctx context.Context,
	args ...string,
) (stdout, stderr string, err error) {
	t.Helper()
	f, s := cli.Declare("adopt", "", (*settings).flags)
	var out, told bytes.Buffer
	p := cli.Process{Getenv: func(string) string { return "" }, Stdout: &out, Stderr: &told}
	sites, _, err := f.Parse(append([]string{"-fetch-pictures=false"}, args...), p)
	if err != nil {
		t.Fatal(err)
	}
	err = s.run(
		ctx,
		sites,
		p,
		func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	)
	return out.String(), told.String(), err
}

// rows returns the rows of the table at the end, without those of months.
func rows(table string) []string {
	table, _, _ = strings.Cut(table, "events of")
	var all []string
	for line := range strings.Lines(table) {
		all = append(all, strings.Join(strings.Fields(line), " "))
	}
	return slices.DeleteFunc(all, func(line string) bool { return line == "" })
}

// oldSite is an almanac with @city.
func oldSite(t testing.TB) *almanactest.Server {
	old := almanactest.Start(t, almanactest.Options{NoLimits: true})
	old.SeedFile("@city")
	return old
}

// front is a server that answers in the place of another, or lets that answer.
func front(
	t testing.TB,
	behind string,
	answer func(w http.ResponseWriter, r *http.Request) bool,
) string {
	t.Helper()
	to, err := url.Parse(behind)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // interrupted requests
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answer(w, r) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// fetch returns the JSON of an address.
func fetch(t testing.TB, address string) map[string]any {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v\n%s", address, answer.Status, err, text)
	}
	at, _, _ := strings.Cut(address, v1)
	var body map[string]any
	if err := json.Unmarshal(bytes.ReplaceAll(text, []byte(at), nil), &body); err != nil {
		t.Fatal(err)
	}
	return body
}

// local are members whose values belong to one server.
var local = strings.Fields(
	`id global_id global_id_lineage rest_url urls author parent term_taxonomy_id post_parent series`,
)

// normal returns a value without local members.
func normal(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case map[string]any:
		for name := range v {
			if slices.Contains(local, name) {
				delete(v, name)
			} else {
				v[name] = normal(v[name])
			}
		}
	}
	return v
}

// content returns all records that a server shows to strangers, by kind and slug.
func content(t testing.TB, server string) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, l := range oldsite.Kinds {
		for page, pages := 1, 1; page <= pages; page++ {
			query := url.Values{"per_page": {"50"}, "page": {fmt.Sprint(page)}}
			maps.Copy(query, l.All)
			body := fetch(t, server+v1+"/"+l.Name+"?"+query.Encode())
			pages = int(body["total_pages"].(float64))
			for _, record := range body[l.Name].([]any) {
				key := l.Name + " " + record.(map[string]any)["slug"].(string)
				if all[key] != nil {
					t.Errorf("%s is there twice", key)
				}
				all[key] = normal(record)
			}
		}
	}
	return all
}

// stored returns all records of a data directory, and the number of transactions in it.
func stored(t testing.TB, dir string) (map[string]any, uint64) {
	t.Helper()
	st, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	seq := uint64(st.Seq())
	return content(t, almanactest.Start(t, almanactest.Options{
		Store:    st,
		NoLimits: true,
	}).URL), seq
}

// importArchive imports the files of an archive as the command import does.
func importArchive(t testing.TB, archive, data string) {
	t.Helper()
	f, s := cli.Declare("adopt", "", (*settings).flags)
	p := cli.Process{
		Getenv: func(string) string { return "" },
		Stdout: io.Discard,
		Stderr: t.Output(),
	}
	names, err := filepath.Glob(filepath.Join(archive, "*.jsonl"))
	if err == nil {
		_, _, err = f.Parse([]string{"-data", data, "-fetch-pictures=false"}, p)
	}
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Load(names), s.Refused(l), l.Close()); err != nil {
		t.Error(err)
	}
}

// A calendar of another almanac is here with all its records, equal to those there; a second
// adoption changes nothing, and neither does the archive without the site.
func TestAdopt(t *testing.T) {
	t.Parallel()
	old := oldSite(t)
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	archive := filepath.Join(dir, "archive")
	stdout, stderr, err := adoptNow(
		t,
		t.Context(),
		"-dry-run",
		"-data",
		data,
		"-archive",
		archive,
		old.URL,
	)
	if err != nil || !slices.Contains(rows(stdout), "events 596 596") {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	if _, err := os.Stat(data); err == nil {
		t.Error("a dry run made a data directory")
	}
	for path, want := range map[string]os.FileMode{
		archive:                                  0o700,
		filepath.Join(archive, fileOf("events")): 0o600,
		filepath.Join(archive, stateFile):        0o600,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: others may read it: %v, %v", path, info, err)
		}
	}
	stdout, stderr, err = adoptNow(t, t.Context(), "-data", data, "-archive", archive, old.URL)
	want := []string{
		"the site says read here",
		"categories 28 28 28",
		"tags 18 18 18",
		"venues 20 20 20",
		"organizers 20 20 20",
		"events 596 596 596",
	}
	if diff := cmp.Diff(want, rows(stdout)); diff != "" || err != nil {
		t.Fatalf("%v (-want, +got)\n%s%s", err, diff, stderr)
	}
	_, months, _ := strings.Cut(stdout, "events of")
	for line := range strings.Lines(months) {
		if cells := strings.Fields(line); len(cells) == 3 && cells[0] > "2" &&
			cells[1] != cells[2] {
			t.Errorf("months do not agree: %s", line)
		}
	}
	site := content(t, old.URL)
	here, seq := stored(t, data)
	if diff := cmp.Diff(site, here); diff != "" || len(site) != 682 {
		t.Fatalf("%d records (-there, +here)\n%.5000s", len(site), diff)
	}
	if _, _, err := adoptNow(t, t.Context(), "-data", data, "-archive", archive, old.URL); err != nil {
		t.Fatal(err)
	}
	if again, twice := stored(t, data); twice != seq || !cmp.Equal(here, again) {
		t.Errorf("a second adoption made %d transactions", twice-seq)
	}
	old.Seed(almanactest.Event("Late").Starting("+1 year"))
	stdout, _, err = adoptNow(t, t.Context(), "-data", data, "-archive", archive, old.URL)
	if err != nil || !slices.Contains(rows(stdout), "events 597 597 597") {
		t.Errorf("a later event is not here: %v\n%s", err, stdout)
	}
	here, _ = stored(t, data)
	other := filepath.Join(dir, "other")
	importArchive(t, archive, other)
	if offline, _ := stored(t, other); !cmp.Equal(here, offline) {
		t.Errorf(
			"the archive alone has other records (-site, +archive)\n%.5000s",
			cmp.Diff(here, offline),
		)
	}
	for _, args := range [][]string{{}, {"a", "b"}, {"-login", "ann", old.URL}, {"-password-file", archive, old.URL},
		{"-archive", archive, strings.Replace(old.URL, "127.0.0.1", "localhost", 1)}} {
		_, _, err := adoptNow(t, t.Context(), append([]string{"-dry-run"}, args...)...)
		if both := len(args) == 3 && args[0] != "-archive"; err == nil ||
			strings.Contains(err.Error(), "give both") != both {
			t.Errorf("%q was taken, or refused with %v", args, err)
		}
	}
}

// An event that went to the trash here stays there when it changes at its site.
func TestAdoptTrash(t *testing.T) {
	t.Parallel()
	old := almanactest.Start(t, almanactest.Options{NoLimits: true})
	old.Seed(almanactest.Event("Concert").Starting("+1 day").With(func(e *store.Event) {
		e.Cost = store.Cost{Entries: []string{"12"}, Wording: "12, or what you can"}
	}))
	data := filepath.Join(t.TempDir(), "data")
	adopt := func() {
		t.Helper()
		archive := filepath.Join(t.TempDir(), "archive")
		_, stderr, err := adoptNow(t, t.Context(), "-data", data, "-archive", archive, old.URL)
		if err != nil || strings.Contains(stderr, "have a key") {
			t.Fatalf("%v\n%s", err, stderr)
		}
	}
	adopt()
	s, err := store.Open(store.Options{Dir: data})
	if err != nil {
		t.Fatal(err)
	}
	trashed := func(title string, status store.Status) {
		t.Helper()
		err := s.Update(1, func(tx *store.Tx) error {
			e := *tx.Event(1)
			if e.Title != title || e.Status != status {
				t.Errorf("the event is %q, %s", e.Title, e.Status)
			}
			e.Status = store.Trash
			return tx.Put(&e)
		})
		if err = errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	trashed("Concert", store.Publish)
	err = old.Store.Update(1, func(tx *store.Tx) error {
		e := *tx.Event(1)
		e.Title = "Choir"
		e.Modified = time.Now().Add(time.Minute)
		return tx.Put(&e)
	})
	if err != nil {
		t.Fatal(err)
	}
	adopt()
	if s, err = store.Open(store.Options{Dir: data}); err != nil {
		t.Fatal(err)
	}
	trashed("Concert", store.Trash)
}

// A site that fails, breaks off, counts wrongly, repeats a page or changes while it is read is
// here in the end with all its records.
func TestFaultySite(t *testing.T) {
	t.Parallel()
	change := func(r *http.Request, change func(body map[string]any)) func(w http.ResponseWriter, behind string) bool {
		return func(w http.ResponseWriter, behind string) bool {
			request, err := http.NewRequest(http.MethodGet, behind+r.URL.String(), nil)
			if err != nil {
				return false
			}
			request.Host = r.Host
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				return false
			}
			defer answer.Body.Close()
			var body map[string]any
			if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
				return false
			}
			change(body)
			w.WriteHeader(answer.StatusCode)
			return json.NewEncoder(w).Encode(body) == nil
		}
	}
	var tries sync.Map // of addresses
	for name, test := range map[string]struct {
		// answer answers the n-th request for a page of events.
		answer func(n int, w http.ResponseWriter, r *http.Request, old *almanactest.Server) bool
		wrong  string // in the messages
	}{
		"fails": {func(_ int, w http.ResponseWriter, r *http.Request, _ *almanactest.Server) bool {
			before, _ := tries.LoadOrStore(r.URL.String(), new(atomic.Int64))
			n := before.(*atomic.Int64).Add(1)
			if n < 3 {
				w.WriteHeader(map[int64]int{
					1: http.StatusInternalServerError,
					2: http.StatusServiceUnavailable,
				}[n])
			}
			return n < 3
		}, ""},
		"breaks off": {func(n int, w http.ResponseWriter, _ *http.Request, _ *almanactest.Server) bool {
			if n%4 == 2 {
				w.Header().Set("Content-Length", "1000000")
				fmt.Fprint(w, `{"events":[{"id":1`)
				panic(http.ErrAbortHandler)
			}
			return false
		}, ""},
		"counts too many": {func(n int, w http.ResponseWriter, r *http.Request, old *almanactest.Server) bool {
			return change(r, func(body map[string]any) { body["total"], body["total_pages"] = 700, 14 })(w, old.URL)
		}, "events: the site says 700 and shows 596"},
		"counts too few": {func(n int, w http.ResponseWriter, r *http.Request, old *almanactest.Server) bool {
			return change(r, func(body map[string]any) { body["total"], body["total_pages"] = 60, 2 })(w, old.URL)
		}, "events: the site says 60 and shows 596"},
		"repeats a page": {func(n int, w http.ResponseWriter, r *http.Request, old *almanactest.Server) bool {
			if query := r.URL.Query(); n < 15 && query.Get("page") == "4" {
				query.Set("page", "3")
				r.URL.RawQuery = query.Encode()
			}
			return false
		}, ""},
		"loses an event": {func(n int, w http.ResponseWriter, r *http.Request, old *almanactest.Server) bool {
			if n == 6 {
				removeFirst(t, old)
			}
			return false
		}, ""},
		"loses an event, and gets one": {func(n int, w http.ResponseWriter, r *http.Request, old *almanactest.Server) bool {
			if n == 6 {
				removeFirst(t, old)
				old.Seed(almanactest.Event("New").Starting("+3 years"))
			}
			return false
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old := oldSite(t)
			data := filepath.Join(t.TempDir(), "data")
			var n atomic.Int64
			site := front(t, old.URL, func(w http.ResponseWriter, r *http.Request) bool {
				return strings.HasSuffix(r.URL.Path, "/events") &&
					r.URL.Query().Get("page") != "" &&
					test.answer(int(n.Add(1)), w, r, old)
			})
			stdout, stderr, err := adoptNow(
				t,
				t.Context(),
				"-data",
				data,
				"-archive",
				filepath.Join(t.TempDir(), "a"),
				site,
			)
			if (err != nil) != (test.wrong != "") || !strings.Contains(stderr, test.wrong) {
				t.Errorf("%v\n%s%s", err, stdout, stderr)
			}
			here, _ := stored(t, data)
			if diff := cmp.Diff(content(t, old.URL), here); diff != "" {
				t.Errorf("(-there, +here)\n%.3000s", diff)
			}
		})
	}
}

// A list of a site that shows the same page without end is over after three pages without a new
// record, and one without a first page is a failure, not an empty list.
func TestOddPages(t *testing.T) {
	t.Parallel()
	old := almanactest.Start(t, almanactest.Options{NoLimits: true})
	old.Seed(almanactest.Event("One"))
	archive := filepath.Join(t.TempDir(), "archive")
	adopt := func(answer func(w http.ResponseWriter) bool) error {
		site := front(t, old.URL, func(w http.ResponseWriter, r *http.Request) bool {
			return strings.HasSuffix(r.URL.Path, "/events") && r.URL.Query().Get("page") != "" &&
				answer(w)
		})
		_, _, err := adoptNow(t, t.Context(), "-dry-run", "-archive", archive, site)
		return err
	}
	err := adopt(func(w http.ResponseWriter) bool {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(
			w,
			`{"code":"event-archive-page-not-found","message":"No.","data":{"status":404}}`,
		)
		return true
	})
	if err == nil || !strings.Contains(err.Error(), "event-archive-page-not-found") {
		t.Errorf("a list without a first page: %v", err)
	}
	if err := os.RemoveAll(archive); err != nil {
		t.Fatal(err)
	}
	_ = adopt(func(w http.ResponseWriter) bool {
		_, err := io.WriteString(
			w,
			`{"events":[{"id":7}],"total":1,"total_pages":1,"next_rest_url":"x"}`,
		)
		return err == nil
	})
	text, err := os.ReadFile(filepath.Join(archive, fileOf("events")))
	if n := bytes.Count(text, []byte("\n")); n != 1+3 || err != nil {
		t.Errorf("the same page was read %d times: %v", n, err)
	}
}

// removeFirst removes the first event.
func removeFirst(t testing.TB, old *almanactest.Server) {
	events := fetch(t, old.URL+v1+"/events?per_page=1&starts_after=1990-01-01")["events"].([]any)
	request, err := http.NewRequest(
		http.MethodDelete,
		fmt.Sprint(old.URL, v1, "/events/", events[0].(map[string]any)["id"]),
		nil,
	)
	if err != nil {
		t.Error(err)
		return
	}
	answer, err := old.Client().Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Error(err, answer)
		return
	}
	answer.Body.Close()
}

// An adoption that is interrupted twenty times, in the middle of a line too, is finished by the
// last run, and reads no page again that it has.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	old := oldSite(t)
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	archive := filepath.Join(dir, "archive")
	rng := rand.New(rand.NewPCG(1, 2))
	var left atomic.Int64
	var pages atomic.Int64
	var stop context.CancelFunc
	site := front(t, old.URL, func(w http.ResponseWriter, r *http.Request) bool {
		if left.Add(-1) == 0 {
			stop()
		}
		if r.URL.Query().Get("page") != "" {
			pages.Add(1)
		}
		return false
	})
	for n := range 20 {
		var ctx context.Context
		ctx, stop = context.WithCancel(t.Context())
		left.Store(3 + rng.Int64N(2))
		if _, _, err := adoptNow(t, ctx, "-data", data, "-archive", archive, site); err == nil {
			t.Fatalf("run %d was not interrupted", n)
		}
		stop()
		for _, l := range oldsite.Kinds {
			text, err := os.ReadFile(filepath.Join(archive, fileOf(l.Name)))
			if err != nil || n%2 == 0 || len(text) == 0 || len(oldsite.Kinds) == 0 {
				continue
			}
			if state, _ := os.ReadFile(filepath.Join(archive, stateFile)); !bytes.Contains(
				state,
				[]byte(`"`+l.Name+`"`),
			) {
				cut := int64(
					len(text),
				) - rng.Int64N(
					min(int64(len(text)), 2000),
				) // as of a process that was killed
				if err := os.Truncate(filepath.Join(archive, fileOf(l.Name)), cut); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	stdout, stderr, err := adoptNow(t, t.Context(), "-data", data, "-archive", archive, site)
	if err != nil || !slices.Contains(rows(stdout), "events 596 596 596") {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	here, _ := stored(t, data)
	if diff := cmp.Diff(content(t, old.URL), here); diff != "" {
		t.Errorf("(-there, +here)\n%.3000s", diff)
	}
	if n := pages.Load(); n > 16+20*4 { // the pages of the site, and at most those that were on their way or cut off
		t.Errorf("%d pages were read", n)
	}
}
