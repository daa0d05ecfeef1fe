package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// This file has copies that cannot go on.

// A relay stands between a first server and those who follow it.
type relay struct {
	*httptest.Server
	instead atomic.Pointer[http.HandlerFunc] // answers in the place of the first server, if it is there
}

func newRelay(t *testing.T, first string) *relay {
	t.Helper()
	at, err := url.Parse(first)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(at)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	r := new(relay)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		if instead := r.instead.Load(); instead != nil {
			(*instead)(w, hr)
			return
		}
		proxy.ServeHTTP(w, hr)
	}))
	t.Cleanup(func() {
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

// answer has the relay answer itself, until it is nil.
func (r *relay) answer(instead http.HandlerFunc) {
	r.CloseClientConnections() // who waits for the first server does so no longer
	if instead == nil {
		r.instead.Store(nil)
		return
	}
	r.instead.Store(&instead)
}

// forget has the log of a directory begin with what is written now.
func forget(t *testing.T, dir string) {
	t.Helper()
	st, err := store.Open(store.Options{Dir: dir, Segment: 1, Snapshot: -1, Keep: -1, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		err := st.Update(1, func(tx *store.Tx) error {
			slug := fmt.Sprint("tag-", st.Seq())
			return tx.Put(&store.Term{Taxonomy: store.Tags, Name: slug, Slug: slug})
		})
		if err == nil {
			err = st.Snapshot(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}

// verifiedHead returns the end of a log that has to be in order.
func verifiedHead(t *testing.T, dir string) string {
	t.Helper()
	report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
	if err != nil || len(report.Findings) > 0 {
		t.Errorf("%s: %v, %v", dir, report.Findings, err)
	}
	return fmt.Sprintf("%d %x", report.Last, report.Head)
}

// isComplete reports whether an answer about the health of a follower says that nothing is
// missing.
func isComplete(a answer) bool { return strings.Contains(a.body, `"connected":true,"behind":0`) }

// A copy that was away for longer than the first server keeps its log ends, and when it is
// started again another one takes its place; it is kept as it was. What fails on the way
// leaves it where it is, and so does one that is there of the last time.
func TestFollowAway(t *testing.T) {
	t.Parallel()
	dir, copied, address := filepath.Join(t.TempDir(), "first"), t.TempDir(), freeAddress(t) // a directory that is there, as a disk is
	token := ""
	serve := func() *testServer {
		s := startServer(t, on(dir, "-addr", address)...)
		token += s.token // which the first start prints
		s.token = token
		return s
	}
	first := serve()
	between := newRelay(t, first.url)
	first.admin().must(t, "POST", api+"/events", concert)
	caught := func(s *testServer, want string) {
		t.Helper()
		eventually(t, s.admin(), api+"/events?start_date=2031-05-01", func(a answer) bool { return strings.Contains(a.body, want) })
	}
	follower := startFollower(t, between.URL, token, copied)
	caught(follower, "Concert")
	away := func() { // while the follower runs, and its copy is complete
		t.Helper()
		eventually(t, follower.admin(), "/_almanac/health/ready", isComplete)
		between.answer(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		if err := first.stop(); err != nil {
			t.Error(err)
		}
		forget(t, dir)
		first = serve()
		between.answer(nil)
		eventuallyEnds(t, follower, "has removed what comes after transaction", "away for too long", "Start again: another copy is taken")
	}
	away()
	before, log := verifiedHead(t, copied), logOf(t, copied)
	unchanged := func(when string) {
		t.Helper()
		if diff := cmp.Diff(log, logOf(t, copied)); diff != "" || verifiedHead(t, copied) != before {
			t.Errorf("%s, the copy is another (-before, +after):\n%s", when, diff)
		}
		names, err := os.ReadDir(copied)
		for _, name := range names {
			if strings.HasSuffix(name.Name(), ".tmp") || err != nil {
				t.Errorf("%s, there is %s, %v", when, name.Name(), err)
			}
		}
	}

	// An archive that breaks off.
	at, _ := url.Parse(first.url)
	between.answer(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/archive") {
			httputil.NewSingleHostReverseProxy(at).ServeHTTP(w, r)
			return
		}
		_, _ = w.Write([]byte("backup.json"))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	eventuallyEnds(t, startFollower(t, between.URL, token, copied), "another one cannot take its place", "unexpected EOF",
		"nothing was restored")
	unchanged("after an archive that breaks off")
	between.answer(nil)

	follower = startFollower(t, between.URL, token, copied)
	caught(follower, "Concert")
	seq, _, _ := strings.Cut(before, " ")
	aside := filepath.Join(copied, "until-"+seq)
	if got := verifiedHead(t, aside); got != before || logOf(t, aside) != log {
		t.Errorf("the former copy is not what it was: it ends with %s, want %s", got, before)
	}
	if got, err := os.ReadFile(filepath.Join(aside, usersName)); err != nil || !strings.Contains(string(got), "admin") {
		t.Errorf("the accounts of the former copy: %s, %v", got, err)
	}
	first.admin().must(t, "POST", api+"/events", strings.Replace(concert, "Concert", "Later", 1))
	caught(follower, "Later")

	// Once more, while there is one aside.
	away()
	before, log = verifiedHead(t, copied), logOf(t, copied)
	eventuallyEnds(t, startFollower(t, between.URL, token, copied), aside+" is still there", "remove it and start again")
	unchanged("beside a former copy")
	if err := os.RemoveAll(aside); err != nil {
		t.Fatal(err)
	}
	follower = startFollower(t, between.URL, token, copied)
	caught(follower, "Later")
	if err := follower.stop(); err != nil {
		t.Error(err)
	}
	if err := first.stop(); err != nil {
		t.Error(err)
	}
	if got, want := verifiedHead(t, copied), verifiedHead(t, dir); got != want {
		t.Errorf("the copy ends with %s, want %s", got, want)
	}
}

// Logs that are not the same stay as they are: the error has the end of either.
func TestFollowDiverged(t *testing.T) {
	t.Parallel()
	dir, copied := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "copy")
	first := startServer(t, on(dir)...)
	follower := startFollower(t, first.url, first.token, copied)
	eventually(t, follower.admin(), "/_almanac/health/ready", isComplete)
	if err := follower.stop(); err != nil {
		t.Error(err)
	}
	promoted := startServer(t, on(copied)...)
	promoted.token = first.token
	for _, s := range []*testServer{promoted, first} {
		s.admin().must(t, "POST", api+"/events", concert)
	}
	if err := promoted.stop(); err != nil {
		t.Error(err)
	}
	before := verifiedHead(t, copied)
	ends := []string{before}
	if report, err := store.Verify(t.Context(), dir, store.VerifyOptions{}); err == nil {
		ends = append(ends, fmt.Sprintf("%d %x", report.Last, report.Head))
	}
	var says []string
	for _, end := range ends {
		seq, head, _ := strings.Cut(end, " ")
		says = append(says, "ends with transaction "+seq+" and the head "+head)
	}
	eventuallyEnds(t, startFollower(t, first.url, first.token, copied), append(says, "start serve here", "move the directory away")...)
	if after := verifiedHead(t, copied); after != before {
		t.Errorf("the copy ends with %s, and ended with %s", after, before)
	}
}
