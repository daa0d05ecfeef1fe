package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
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
			start := sample.Local(t, "2031-05-06 19:00:00") + store.Wall(i)
			e := &store.Event{
				Title:    fmt.Sprintf("E%05d", i),
				Start:    start,
				End:      start + 60,
				Timezone: "UTC",
				Post: store.Post{
					Status:      store.Publish,
					Slug:        fmt.Sprintf("e%05d", i),
					Date:        sample.Evening,
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
	for _, path := range documents {
		for _, fields := range []string{"", "Accept-Encoding: gzip\r\n"} {
			first := raw("GET", path, fields)
			head := raw("HEAD", path, fields)
			if len(first) < 1000 {
				t.Errorf("%s %s: %.1000q", path, fields, first)
			}
			for range 3 {
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
			}
		}
	}
}

// A file of the sitemap has every address once that was there from its beginning to its end,
// whatever is written meanwhile: before and behind the place where it is, to each kind.
func TestSitemapWhileOthersWrite(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	written := 0
	write := func(n int, name string, at int) {
		err := c.Store.Update(1, func(tx *store.Tx) error {
			for range n {
				written++
				slug := fmt.Sprint(name, written)
				post := store.Post{
					Status: store.Publish,
					Slug:   slug,
					Date:   sample.Evening.AddDate(0, 0, at*(1-written%3)),
				}
				start := sample.Local(t, "2031-05-06 19:00:00") + store.Wall(at*(written%3-1)*86400)
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
	end := meanwhile(func() { write(150, "new", 1) })
	w := apitest.Serve(sample.Visited(t, c), http.MethodGet, "http://example.com/sitemap.xml", "")
	end()
	seen := map[string]int{}
	for _, found := range sample.Located.FindAllStringSubmatch(w.Body.String(), -1) {
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want, +got):\n%.2000s", diff)
	}
}

// meanwhile runs a function some times, until the end.
func meanwhile(f func()) (end func()) {
	var running sync.WaitGroup
	var ended atomic.Bool
	begun := make(chan struct{})
	running.Go(func() {
		close(begun)
		for range 20 { // a document goes on as long as others write behind its place
			if ended.Load() {
				return
			}
			f()
		}
	})
	<-begun
	return func() {
		ended.Store(true)
		running.Wait()
	}
}
