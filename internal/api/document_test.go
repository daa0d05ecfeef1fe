package api_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"almanac/almanactest"
	"almanac/internal/account"
	"almanac/internal/admission"
	"almanac/internal/api"
	"almanac/internal/apitest"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// crowded returns a server with pages and n events, whose texts have the given number of bytes.
func crowded(t *testing.T, n, bytes int, o api.Options) *api.Server {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	err = s.Update(1, func(tx *store.Tx) error {
		for i := range n {
			start := local(t, "2031-05-06 19:00:00") + store.Wall(i)
			e := &store.Event{
				Title:    fmt.Sprintf("E%05d", i),
				Start:    start,
				End:      start + 60,
				Timezone: "UTC",
				Post: store.Post{
					Status:      store.Publish,
					Slug:        fmt.Sprintf("e%05d", i),
					Date:        evening,
					Description: strings.Repeat("x y ", bytes/4),
				},
			}
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	author := account.User{
		Account: account.Account{
			ID:    1,
			Login: "a",
			Role:  account.Author,
		},
		Token: "token",
	}
	if o.Accounts, err = account.Memory(author); err != nil {
		t.Fatal(err)
	}
	o.Store = s
	o.Pages = true
	o.Observe = func(api.Exchange) {}
	h, err := api.New(o, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

const wholeWindow = "starts_after=2000-01-01&ends_before=2040-01-01"

// documents are the addresses of documents.
var documents = []string{v1 + "/events.ics?" + wholeWindow, v1 + "/events.csv?" + wholeWindow,
	v1 + "/events.csv?order=desc&" + wholeWindow, "/events/?ical=1", "/sitemap.xml", "/sitemap.xml?part=1"}

// A document is the same on the wire, but for the date, however often it was asked for: neither
// its length, nor how it is compressed, nor the sizes of its parts tell whether somebody else has
// asked.
func TestDocumentsTellNothing(t *testing.T) {
	t.Parallel()
	h := crowded(t, 700, 300, api.Options{})
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	raw := func(method, path, fields string) string {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(
			conn,
			"%s %s HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n%s\r\n",
			method,
			path,
			fields,
		)
		text, err := io.ReadAll(conn)
		if err != nil || !bytes.HasPrefix(text, []byte("HTTP/1.1 200")) {
			t.Fatalf("%s: %v %.100q", path, err, text)
		}
		return regexp.MustCompile(`\r\nDate: [^\r]*`).ReplaceAllString(string(text), "")
	}
	raw("GET", v1+"/events", "")
	raw("GET", v1+"/events", "") // hosts are known from their second request on
	for _, path := range documents {
		for _, fields := range []string{"", "Accept-Encoding: gzip\r\n"} {
			first := raw("GET", path, fields)
			head := raw("HEAD", path, fields)
			if len(first) < 1000 || strings.Contains(first[:1000], "Content-Length") {
				t.Errorf("%s %s: %.1000q", path, fields, first)
			}
			lookups := 0
			for range 3 {
				before := h.Measure().Cache
				if got := raw("GET", path, fields); got != first {
					t.Errorf(
						"%s %s: asked again, it is another on the wire: %d bytes and %d",
						path,
						fields,
						len(got),
						len(first),
					)
				}
				if got := raw("HEAD", path, fields); got != head {
					t.Errorf("%s %s: HEAD is %q, and was %q", path, fields, got, head)
				}
				after := h.Measure().Cache
				lookups = int(after.Hits + after.Misses - before.Hits - before.Misses)
			}
			if lookups == 0 || lookups > 20 { // one for each event if it is made
				t.Errorf("%s %s: it is not remembered: %d lookups", path, fields, lookups)
			}
		}
	}
}

// A crowd is clients who have asked for documents and take nothing yet.
type crowd struct {
	t    *testing.T
	h    http.Handler
	open chan struct{}
	all  sync.WaitGroup
	mu   sync.Mutex
	full []*httptest.ResponseRecorder // complete answers of the admitted clients
	cut  int                          // the number of admitted clients with incomplete answers
}

func newCrowd(t *testing.T, h http.Handler) *crowd {
	return &crowd{t: t, h: h, open: make(chan struct{})}
}

// fromAddress makes a request of a client.
func fromAddress(client int, path string, fields ...string) *http.Request {
	r := apitest.Request(http.MethodGet, "http://example.com"+path, "", fields...)
	r.RemoteAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(client)}), 4711).
		String()
	return r
}

// ask sends a request whose answer is not taken. It returns the answer if that is no document.
func (c *crowd) ask(r *http.Request) *httptest.ResponseRecorder {
	begins := make(chan struct{}, 1)
	w := &slow{ResponseRecorder: httptest.NewRecorder(), open: make(chan struct{})}
	w.waits = func() {
		if w.Code != http.StatusOK {
			w.waits = func() {}
			close(w.open) // it is refused
			return
		}
		w.open = c.open
		w.waits = func() {}
		begins <- struct{}{}
	}
	ended := make(chan bool, 1)
	c.all.Go(func() {
		defer func() {
			broken := recover()
			if broken != nil && broken != http.ErrAbortHandler {
				c.t.Error(broken)
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if ended <- true; w.Code == http.StatusOK && broken == nil {
				c.full = append(c.full, w.ResponseRecorder)
			} else if w.Code == http.StatusOK {
				c.cut++
			}
		}()
		c.h.ServeHTTP(w, r)
	})
	select {
	case <-begins:
		return nil
	case <-ended:
		return w.ResponseRecorder
	}
}

// end lets all take what they asked for.
func (c *crowd) end() {
	close(c.open)
	c.all.Wait()
}

// another returns an address of the same document that is not cached.
func another(path string, i int) string {
	if sign := "&"; strings.Contains(path, "?") {
		return fmt.Sprint(path, sign, "x=", i)
	}
	return fmt.Sprint(path, "?x=", i)
}

// Clients that do not take their documents have a share of them, and all of them together a
// number: others are refused, and get theirs when these have ended. No client that waits keeps
// another one's document from being made, nor takes a place among the requests.
func TestDocumentsAreAdmitted(t *testing.T) {
	t.Parallel()
	for _, path := range []string{documents[0], documents[1], "/events/?ical=1", "/sitemap.xml"} {
		h := crowded(t, 300, 300, api.Options{Limits: &admission.Limits{Requests: 1}})
		want := apitest.Record(h, fromAddress(9, path))
		c := newCrowd(t, h)
		n := 0
		next := func() string { n++; return another(path, n) }
		refused := func(what string, client, status int, code string) {
			t.Helper()
			if w := apitest.Record(h, fromAddress(client, next())); w.Code != status ||
				w.Header().Get("Retry-After") != "1" ||
				!strings.Contains(w.Body.String(), `"`+code+`"`) {
				t.Errorf("%s, %s: %d %v %.300s", path, what, w.Code, w.Header(), w.Body)
			}
		}
		const each, all = 24, 192
		for client := range all / each {
			for i := range each - client/7 { // one place is taken by an account
				if w := c.ask(fromAddress(client, next())); w != nil {
					t.Fatalf(
						"%s: client %d is not let in the %d. time: %d %s",
						path,
						client,
						i+1,
						w.Code,
						w.Body,
					)
				}
			}
			if client > 0 {
				continue
			}
			refused(
				"one client too often",
				client,
				http.StatusTooManyRequests,
				"rest_too_many_requests",
			)
			if w := c.ask(fromAddress(client, next(), "Authorization", "Bearer token")); w != nil {
				t.Errorf(
					"%s: an account at the same address is not let in: %d %s",
					path,
					w.Code,
					w.Body,
				)
			}
			if w := apitest.Record(h, fromAddress(9, next())); w.Code != http.StatusOK ||
				w.Body.Len() < want.Body.Len() {
				t.Errorf(
					"%s: another client gets %d, %d bytes, not %d",
					path,
					w.Code,
					w.Body.Len(),
					want.Body.Len(),
				)
			}
		}
		refused("too many clients", 9, http.StatusServiceUnavailable, "rest_too_busy")
		if w := apitest.Record(h, fromAddress(1, path, "If-None-Match", want.Header().Get("ETag"))); w.Code != http.StatusNotModified {
			t.Errorf("%s: a client that has it gets %d while all wait", path, w.Code)
		}
		if w := apitest.Record(h, fromAddress(1, v1+"/events")); w.Code != http.StatusOK {
			t.Errorf("a list beside them: %d %s", w.Code, w.Body)
		}
		c.end()
		short := slices.ContainsFunc(
			c.full,
			func(w *httptest.ResponseRecorder) bool { return w.Body.Len() < want.Body.Len() },
		)
		if c.cut > 0 || len(c.full) != all || short {
			t.Errorf(
				"%s: %d documents are whole, %d broke off, one is too short: %t",
				path,
				len(c.full),
				c.cut,
				short,
			)
		}
		if w := apitest.Record(h, fromAddress(1, next())); w.Code != http.StatusOK {
			t.Errorf("%s, when all are gone: %d", path, w.Code)
		}
	}
}

// A remembered document is in memory once, and counts once, however many clients receive it; its
// text counts until the last one has it.
func TestRememberedDocumentsCountOnce(t *testing.T) {
	t.Parallel()
	h := crowded(t, 200, 6000, api.Options{})
	path := documents[0]
	for range 2 { // hosts are known from their second request on
		apitest.Record(h, fromAddress(9, path))
	}
	written := 0
	h.ServeHTTP(&pausing{
		ResponseWriter: nopWriter{http.Header{}},
		pause: func() { // it is remembered, and counts as far as it came
			if used := api.DocumentBytes(h) - 256<<10; used < int64(min(written, 15))<<16 ||
				used > 2<<20 { // a mebibyte at a time
				t.Errorf("%d bytes are counted with %d parts", used, written)
			}
			written++
		},
	}, fromAddress(9, path))
	want := apitest.Record(h, fromAddress(9, path))
	if want.Body.Len() < 2<<20 {
		t.Fatalf("%d bytes", want.Body.Len())
	}
	c := newCrowd(t, h)
	last := newCrowd(t, h)
	const readers = 90
	for i := range readers {
		if w := c.ask(fromAddress(1, path)); w != nil {
			t.Fatalf("reader %d: %d %s", i, w.Code, w.Body)
		}
	}
	if w := last.ask(fromAddress(1, path)); w != nil {
		t.Fatalf("the last reader: %d %s", w.Code, w.Body)
	}
	size := int64(want.Body.Len())
	if used := api.DocumentBytes(h); used < size || used > size+(readers+1)*64<<10 {
		t.Errorf("%d bytes are counted", used)
	}
	c.end()
	if used := api.DocumentBytes(h); used < size {
		t.Errorf("%d bytes are counted while one receives it", used)
	}
	last.end()
	for _, w := range append(c.full, last.full...) {
		if !bytes.Equal(w.Body.Bytes(), want.Body.Bytes()) {
			t.Fatalf("%d bytes, not %d", w.Body.Len(), size)
		}
	}
	if used := api.DocumentBytes(h); len(c.full) != readers || used != 0 {
		t.Errorf("%d got it, and in the end %d bytes are counted", len(c.full), used)
	}
	// There is room for some of them. Others are made as if they were not remembered.
	c = newCrowd(t, h)
	made := 0
	for i := range (24<<20)/size + 2 {
		path := another(path, int(i))
		apitest.Record(h, fromAddress(9, path))
		apitest.Record(h, fromAddress(9, path))
		before := h.Measure().Cache
		if w := c.ask(fromAddress(2, path)); w != nil {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if after := h.Measure().Cache; after.Hits+after.Misses-before.Hits-before.Misses > 20 {
			made++
		}
	}
	if made != 2 {
		t.Errorf("%d remembered documents were made again", made)
	}
	c.end()
}

// Texts longer than the estimate for a document count too, while the client does not take them: a
// document over the budget breaks off, visibly to the client.
func TestLongTextsOfDocumentsCount(t *testing.T) {
	t.Parallel()
	h := crowded(t, 2, 3<<20, api.Options{})
	c := newCrowd(t, h)
	broken := 0
	for i := range 20 {
		if w := c.ask(fromAddress(1, another(documents[1], i))); w != nil {
			broken++
		}
	}
	if used := api.DocumentBytes(h); used > 6<<20 || broken < 15 {
		t.Errorf("%d bytes are counted, and %d answers broke off", used, broken)
	}
	c.end()
	if used := api.DocumentBytes(h); c.cut != broken || used != 0 {
		t.Errorf(
			"%d broke off without a sign, of %d; %d bytes are counted in the end",
			broken-c.cut,
			broken,
			used,
		)
	}
	const larger = 12 << 20 // than a share
	if w := apitest.Record(crowded(t, 1, larger, api.Options{}), fromAddress(1, documents[1])); w.Body.Len() < larger {
		t.Errorf("a document that is alone has %d bytes", w.Body.Len())
	}
}

// A document whose events cannot be asked for by their starts has a list of them, which counts. It
// looks for what is remembered of each event once, when it comes to it.
func TestListsOfDocumentsCount(t *testing.T) {
	t.Parallel()
	const events = 1200
	h := crowded(t, events, 300, api.Options{})
	apitest.Record(h, fromAddress(9, v1+"/events")) // hosts are known from their second request on
	for _, order := range []string{"&order=desc", "&orderby=title"} {
		c := newCrowd(t, h)
		before := h.Measure().Cache
		if w := c.ask(fromAddress(1, documents[1]+order)); w != nil {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if got, want := api.DocumentBytes(h), int64(256<<10+8*events); got != want {
			t.Errorf("%s: %d bytes are counted, want %d", order, got, want)
		}
		c.end()
		after := h.Measure().Cache
		if lookups := after.Hits + after.Misses - before.Hits - before.Misses; lookups < events ||
			lookups > events+20 {
			t.Errorf("%s: %d lookups", order, lookups)
		}
	}
}

// A document that waits for its turn, or for that of a search, keeps nobody else waiting.
func TestDocumentsThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := crowded(t, 1200, 300, api.Options{Limits: &admission.Limits{Requests: 1}})
		ask := func(client int, path string) *httptest.ResponseRecorder {
			return apitest.Record(h, fromAddress(client, path))
		}
		free := api.HoldTurns(t, h)
		var waiting sync.WaitGroup
		waiting.Go(func() { ask(1, documents[0]) })
		synctest.Wait()
		if w := ask(1, v1+"/events"); w.Code != http.StatusOK {
			t.Errorf("a list beside a document that waits: %d %s", w.Code, w.Body)
		}
		free()
		waiting.Wait()

		reserved := make(chan struct{})
		api.HoldSearches(h, reserved)
		synctest.Wait()
		waiting.Go(func() {
			if w := ask(1, documents[0]+"&search=%22x+y%22"); w.Code != http.StatusOK ||
				!strings.Contains(w.Body.String(), "SUMMARY:E00007") {
				t.Errorf("a search: %d %.300s", w.Code, w.Body)
			}
		})
		synctest.Wait()
		if w := ask(2, documents[1]); w.Code != http.StatusOK {
			t.Errorf("a document beside one that waits to search: %d %s", w.Code, w.Body)
		}
		close(reserved)
		waiting.Wait()
	})
}

// A client that leaves while its document waits for a turn is waited for no longer, and one whose
// document has begun sees that the end is missing.
func TestDocumentsOfClientsThatLeave(t *testing.T) {
	t.Parallel()
	h := crowded(t, 1200, 300, api.Options{})
	free := api.HoldTurns(t, h)
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan *httptest.ResponseRecorder)
	go func() { ended <- apitest.Record(h, fromAddress(1, documents[0]).WithContext(ctx)) }()
	if leave(); (<-ended).Code != http.StatusServiceUnavailable {
		t.Error("it is answered without a turn")
	}
	free()
	ctx, leave = context.WithCancel(t.Context())
	defer func() {
		if broken := recover(); broken != http.ErrAbortHandler {
			t.Errorf("it ended with %v", broken)
		}
		if used := api.DocumentBytes(h); used != 0 {
			t.Errorf("%d bytes are counted in the end", used)
		}
	}()
	w := &pausing{
		ResponseWriter: nopWriter{http.Header{}},
		pause: sync.OnceFunc(func() {
			api.HoldTurns(t, h)
			leave()
		}),
	}
	h.ServeHTTP(w, fromAddress(1, documents[0]).WithContext(ctx))
}

// A file of the sitemap has every address once that was there from its beginning to its end,
// whatever is written meanwhile: before and behind the place where it is, to each kind.
func TestSitemapWhileOthersWrite(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	written := 0
	write := func(n int, name string, at int) {
		err := c.Store.Update(1, func(tx *store.Tx) error {
			for range n {
				written++
				slug := fmt.Sprint(name, written)
				post := store.Post{
					Status: store.Publish,
					Slug:   slug,
					Date:   evening.AddDate(0, 0, at*(1-written%3)),
				}
				start := local(t, "2031-05-06 19:00:00") + store.Wall(at*(written%3-1)*86400)
				tag := &store.Term{Taxonomy: store.Tags, Name: slug, Slug: slug}
				if err := tx.Put(tag); err != nil {
					return err
				}
				for _, record := range []store.Record{&store.Venue{
					Name: slug,
					Post: post,
				}, &store.Organizer{
					Name: slug,
					Post: post,
				},
					&store.Event{
						Title:    slug,
						Post:     post,
						Start:    start,
						End:      start + 60,
						Timezone: "UTC",
						Tags:     []int64{tag.ID},
					}} {
					if err := tx.Put(record); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	write(900, "old", 0)
	parts := 0
	w := &pausing{
		ResponseWriter: nopWriter{http.Header{}},
		pause:          func() { parts++; write(150, "new", 1) },
	}
	visited(
		t,
		c,
	).ServeHTTP(w, apitest.Request(http.MethodGet, "http://example.com/sitemap.xml", ""))
	seen := map[string]int{}
	for _, found := range located.FindAllStringSubmatch(w.String(), -1) {
		seen[found[1]]++
	}
	var got []string
	for path, times := range seen {
		if times > 1 {
			t.Errorf("%s is there %d times", path, times)
		}
		if strings.Contains(path, "/old") {
			got = append(got, path)
		}
	}
	var want []string
	for i := range 900 {
		for _, below := range []string{"/event/", "/venue/", "/organizer/", "/events/tag/"} {
			want = append(want, fmt.Sprint(below, "old", i+1, "/"))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || parts < 4 {
		t.Errorf("in %d parts (-want, +got):\n%.2000s", parts, diff)
	}
}
