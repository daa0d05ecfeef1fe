package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/cli"
	"almanac/internal/tools/race"
	"almanac/move/client"
	"almanac/store"
)

// This file lets sites attack the commands that read them. Sites are in memory, so that hours pass
// at once.

// A listener takes connections in memory.
type listener struct {
	taken  chan net.Conn
	closed chan struct{}
	close  func()
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.taken:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Addr() net.Addr { return &net.TCPAddr{} }

func (l *listener) Close() error {
	l.close()
	return nil
}

// dial returns the other end of a connection.
func (l *listener) dial() (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.taken <- far:
		return near, nil
	case <-l.closed:
		return nil, errors.New("connection refused")
	}
}

// serveInMemory returns a context in which each host is a handler. It ends with the test, which is
// one of synctest.
func serveInMemory(t *testing.T, h http.HandlerFunc) context.Context {
	closed := make(chan struct{})
	l := &listener{make(chan net.Conn), closed, sync.OnceFunc(func() { close(closed) })}
	s := &http.Server{Handler: h}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() {
		s.Close()
		time.Sleep(2 * time.Hour) // until all who wait have noticed it
	})
	connect := func(context.Context, *net.Dialer, string, string) (net.Conn, error) {
		return l.dial()
	}
	return client.TestOnlyConnect(t.Context(), connect)
}

// write writes a text again and again, with a pause in between, until nobody reads.
func write(w io.Writer, text string, pause time.Duration) {
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		time.Sleep(pause)
	}
}

// raw writes a beginning to the connection of a request, and then a text again and again.
func raw(beginning, text string, pause time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, beginning); err == nil {
			write(conn, text, pause)
		}
	}
}

// answer answers with a text and a header field, which may lie about it.
func answer(text, field, value string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(field, value)
		_, _ = io.WriteString(w, text) // not more than the field says
	}
}

func answerJSON(text string) http.HandlerFunc {
	return answer(text, "Content-Type", "application/json")
}

const (
	field = "X: 0123456789012345678901234567890123456789012345678901234567890123456789\r\n"
	ok    = "HTTP/1.1 200 OK\r\n"
	event = `{"id":7,"global_id":"old.example?id=7","title":"T",` +
		`"start_date":"2999-05-10 20:00:00","end_date":"2999-05-10 21:00:00"`
)

// record returns an event with an id.
func record(id string) string {
	r := strings.NewReplacer(`"id":7`, `"id":`+id, "?id=7", "?id="+id)
	return r.Replace(event) + `,"slug":"t-` + id + `"}`
}

// pictured returns a list of one event with pictures: its image, and others in its text.
func pictured(id string, pictures int) string {
	text := ""
	for n := 1; n < pictures; n++ {
		text += fmt.Sprintf("<img src='http://localhost/%d.png'>", n)
	}
	members := `{"image":"http://localhost/0.png","description":"` + text + `",`
	event := strings.Replace(record(id), "{", members, 1)
	return `{"events":[` + event + `],"total":1,"total_pages":1}`
}

// An attack is the answer of a site to each request.
type attack struct {
	name   string
	answer http.HandlerFunc
	want   []string // reasons that people read: one of them
}

var (
	tooLong = []string{"longer than it may be", "has more than 64 MiB", "larger than 20 MB"}
	early   = []string{"the connection ended before the answer", "no JSON", "ends in the middle"}
	slow    = []string{"does not answer in time"}
	looping = []string{"more than 5 redirects"}
	headers = []string{"response headers exceeded"}
	strange = []string{"no JSON", "exceeded max depth", "answers 200 OK", "not a picture"}
	many    = []string{"more than 500000 values", "more than 100000 records", "not a picture"}
)

var attacks = []attack{
	{"redirect to itself", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.String(), http.StatusFound)
	}, looping},
	{"redirects without end", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/x"+r.URL.String(), http.StatusPermanentRedirect)
	}, looping},
	{"redirect to a file", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
	}, []string{"no address with http or https"}},
	{"body byte by byte", func(w http.ResponseWriter, _ *http.Request) {
		write(w, " ", time.Second)
	}, slow},
	{"header byte by byte", raw(ok+"X: ", "x", time.Second), slow},
	{"silence", raw("", "", time.Hour), slow},
	{"body without end", func(w http.ResponseWriter, _ *http.Request) {
		write(w, strings.Repeat(" ", 1<<20), 0)
	}, tooLong},
	{"bomb of gzip", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		write(gzip.NewWriter(w), strings.Repeat(" ", 1<<20), 0)
	}, tooLong},
	{"no gzip", answer(`{"events":[]}`, "Content-Encoding", "gzip"), []string{"invalid header"}},
	{"header without end", raw(ok, field, 0), headers},
	{"interim answers", raw("", "HTTP/1.1 103 Early Hints\r\n"+field+"\r\n", 0), headers},
	{"trailer without end", raw(ok+"Transfer-Encoding: chunked\r\n\r\n1\r\n \r\n0\r\n", field, 0),
		[]string{"long trailer"}},
	{"more bytes promised", answer(`{"events":[]}`, "Content-Length", "1000"), early},
	{"fewer bytes promised", answer(`{"events":[]}`, "Content-Length", "9"), early},
	{"two lengths", raw(ok+"Content-Length: 9\r\nContent-Length: 10\r\n\r\n", " ", 0),
		[]string{"multiple Content-Length"}},
	{"cut connection", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"events":[`)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, early},
	{"come back later", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "299")
		w.WriteHeader(http.StatusServiceUnavailable)
	}, []string{"503 Service Unavailable"}},
	{"come back in a year", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "31536000")
		w.WriteHeader(http.StatusTooManyRequests)
	}, []string{"429 Too Many Requests"}},
	{"lists in lists",
		answerJSON(`{"events":` + strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6) + `}`),
		strange},
	{"millions of values",
		answerJSON(`{"events":[` + event + `,"a":[0` + strings.Repeat(",0", 7e6) + `]}]}`), many},
	{"millions of records",
		answerJSON(`{"events":[{}` + strings.Repeat(",{}", 5e6) + `]}`), many},
}

// root is the address of the API below a host.
const root = "/cal/events/v1"

// A target is a command, and the requests of it that a site attacks. Others get the answer of an
// honest site.
type target struct {
	name    string
	args    string
	attacks func(r *http.Request) bool

	pictures int // of the event of pictured
}

func all(*http.Request) bool { return true }

// first reports whether a request is for the site that a command names first.
func first(r *http.Request) bool { return r.Host == "localhost" }

// second reports whether a request is for the second page of a list.
func second(r *http.Request) bool { return first(r) && r.URL.Query().Get("page") == "2" }

// copied reports whether a request is for an event of the site in the place of the first one.
func copied(r *http.Request) bool {
	return !first(r) && strings.HasSuffix(r.URL.Path, "/events/8")
}

// asked reports whether a request is none of those that find the API.
func asked(r *http.Request) bool { return r.URL.Query().Get("per_page") != "1" }

// listed reports whether a request is for a list of events.
func listed(r *http.Request) bool { return asked(r) && strings.HasSuffix(r.URL.Path, "/events") }

// illustrated reports whether a request is for a picture.
func illustrated(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, ".png") }

const (
	adopting   = "adopt -data DIR/data -archive DIR/archive http://localhost"
	comparing  = "compare -with http://127.0.0.1" + root + " http://localhost" + root
	swapped    = "compare -with http://localhost" + root + " http://127.0.0.1" + root
	conforming = "conform http://localhost"
	pulling    = "pull -data DIR/data DIR/sources.json"
)

var targets = []target{
	{"adopt", adopting, all, 0},
	{"adopt, second page", adopting + root, second, 0},
	{"compare", "compare -with http://127.0.0.1 http://localhost", first, 0},
	{"compare, second page", comparing, second, 0},
	{"compare, new site", comparing, copied, 0},
	{"conform", conforming, all, 0},
	{"conform, points", conforming + root, asked, 0},
	{"pull", pulling, all, 0},
	{"pull, second page", pulling, second, 0},
}

// honest answers as a site with 60 events.
func honest(w http.ResponseWriter, r *http.Request) {
	switch _, name, isAPI := strings.Cut(r.URL.Path, root); {
	case !isAPI:
		fmt.Fprintf(w, `<link rel="https://theeventscalendar.com/" href="%s/">`, root)
	case name == "" || name == "/":
		fmt.Fprint(w, `{"namespace":"cal/events/v1","routes":{}}`)
	case name != "/events" && strings.Count(name, "/") == 1:
		fmt.Fprintf(w, `{"%s":[],"total":0,"total_pages":0}`, name[1:])
	case name != "/events":
		fmt.Fprint(w, record(name[len("/events/"):]))
	default:
		from := 1
		to := 50
		next := `"http://localhost` + root + `/events?page=2"`
		if r.URL.Query().Get("page") == "2" {
			from = 51
			to = 60
			next = "null"
		}
		var records []string
		for id := from; id <= to; id++ {
			records = append(records, record(strconv.Itoa(id)))
		}
		fmt.Fprintf(w, `{"events":[%s],"total":60,"total_pages":2,"next_rest_url":%s}`,
			strings.Join(records, ","), next)
	}
}

// A result is what a command did.
type result struct {
	status    int
	out, errs string
	took      time.Duration // by the clock of the test
	attacks   int           // requests
	allocated uint64        // bytes
	events    []string      // addresses of the images of stored events
}

// attacked runs a command against a site.
func attacked(t *testing.T, target target, h http.HandlerFunc) (done result) {
	t.Helper()
	dir := t.TempDir()
	source := func(path string) string {
		const more = `,"as":"keep"}`
		return `{"name":"of ` + path + `","url":"http://localhost` + path + root + `/events"` + more
	}
	for name, text := range map[string]string{
		"sources.json":  "[" + source("") + "]",
		"pictured.json": "[" + source("/pictured") + "]",
		"both.json":     "[" + source("/pictured") + "," + source("/pictured/2") + "]",
		"events.json":   pictured("1", target.pictures),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var attacks atomic.Int64
	ctx := serveInMemory(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case target.attacks(r):
			attacks.Add(1)
			h(w, r)
		case r.URL.Path == "/pictured"+root+"/events":
			fmt.Fprint(w, pictured("1", target.pictures))
		case r.URL.Path == "/pictured/2"+root+"/events":
			fmt.Fprint(w, pictured("2", target.pictures))
		default:
			honest(w, r)
		}
	})
	args := strings.Fields(strings.ReplaceAll(target.args, "DIR", dir))
	var stdout, stderr bytes.Buffer
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	done.status = program.Main(ctx, args, cli.Process{
		Getenv: func(string) string { return "" },
		Stdout: &stdout,
		Stderr: &stderr,
	})
	done.took = time.Since(began)
	runtime.ReadMemStats(&after)
	done.allocated = after.TotalAlloc - before.TotalAlloc
	done.attacks = int(attacks.Load())
	done.out = stdout.String()
	done.errs = stderr.String()
	done.events = storedEvents(t, filepath.Join(dir, "data"))
	return done
}

// storedEvents returns the addresses of the images of the events in a directory.
func storedEvents(t *testing.T, dir string) (images []string) {
	t.Helper()
	if _, err := os.Stat(dir); err != nil {
		return nil // the command has made none
	}
	st, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	err = st.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			address := ""
			if i := v.Image(r.(*store.Event).Image); i != nil {
				address = i.URL
			}
			images = append(images, address)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return images
}

// says reports whether a text has one of some parts.
func says(text string, parts []string) bool {
	is := func(part string) bool { return strings.Contains(text, part) }
	return slices.ContainsFunc(parts, is)
}

// A site that redirects, drips, never ends, explodes, lies about lengths, breaks off or answers
// what nobody takes apart costs a command a bounded time and memory. The command says why in
// words, and stores nothing.
func TestHostileSitesAlone(t *testing.T) {
	race.AloneInTurn(t)
	for _, target := range targets {
		for _, a := range attacks {
			t.Run(target.name+"/"+a.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := attacked(t, target, a.answer)
					want := a.want
					switch {
					case r.took >= time.Hour:
						want = []string{"the site takes more than 1h0m0s"}
					case strings.HasPrefix(target.name, "pull, "): // which refuses a record
						want = append(want, "60 events are missing")
					}
					text := r.errs
					if r.took < time.Hour { // in which a point of conform may fail
						text += r.out
					}
					if r.status != 1 || !says(text, want) {
						t.Errorf("status %d, want one of %q:\n%.2000s", r.status, want, text)
					}
					if r.took > time.Hour || r.attacks == 0 || len(r.events) > 0 {
						t.Errorf("%v, %d requests, %d events", r.took, r.attacks, len(r.events))
					}
					if most := uint64(512+128*(r.attacks-1)) << 20; r.allocated > most {
						t.Errorf("%d bytes were allocated, want %d at most", r.allocated, most)
					}
				})
			})
		}
	}
}

// numbered returns pages of events without an end, each with some new ones and a larger total.
func numbered(size int, pause time.Duration) http.HandlerFunc {
	return named(size, "a-slug-of-an-event", pause)
}

// named returns such pages, with a beginning of slugs.
func named(size int, slug string, pause time.Duration) http.HandlerFunc {
	var last atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(pause)
		to := last.Add(int64(size))
		var b strings.Builder
		for id := to - int64(size) + 1; id <= to; id++ {
			fmt.Fprintf(&b, `,{"id":%d,"slug":"%s-%[1]d"}`, id, slug)
		}
		next := fmt.Sprintf("%s?page=%d", r.URL.Path, to)
		fmt.Fprintf(w, `{"events":[%s],"total":%d,"total_pages":%[2]d,"next_rest_url":"%s"}`,
			b.String()[1:], 2*to, next)
	}
}

// A list without an end is not read without an end.
func TestEndlessListsAlone(t *testing.T) {
	race.AloneInTurn(t)
	itself := answerJSON(`{"events":[` + event + `}],"total":9,"total_pages":99999,` +
		`"next_rest_url":"http://localhost` + root + `/events"}`)
	const (
		day   = 24 * time.Hour
		pause = 100 * time.Second
	)
	long := named(1, strings.Repeat("x", 6<<20), 0)
	for _, test := range []struct {
		name   string
		args   string
		answer http.HandlerFunc
		want   string
		most   time.Duration
	}{
		{"adopt/large pages", adopting + root, numbered(20_000, 0),
			"there is no end: the site lists more than 1000000 events", time.Hour},
		{"adopt/small pages", adopting + root, numbered(1, 0), ", 20000 pages or", 3 * time.Hour},
		{"adopt/slow pages", adopting + root, numbered(1, pause),
			"the site takes more than 24h0m0s (the same command goes on from here)", day},
		{"compare/large pages", comparing, numbered(20_000, 0),
			"there is no end: names and differences of the sites take", time.Hour},
		{"compare/slow pages", comparing, numbered(1, pause/2),
			"the site takes more than 24h0m0s", day},
		{"compare/one page", comparing, itself, "differences: ", time.Hour},
		{"compare/long names", swapped, long,
			"there is no end: names and differences of the sites take", time.Hour},
		{"pull/long pages", pulling, long,
			"has more than 64 MiB; nothing of this source was changed", time.Hour},
		{"pull/large pages", pulling, numbered(20_000, 0),
			"has more than 100000 records; nothing of this source was changed", time.Hour},
		{"pull/small pages", pulling, numbered(1, 0),
			"more than 10000 pages; nothing of this source was changed", time.Hour},
		{"pull/slow pages", pulling, numbered(1, pause),
			"the site takes more than 1h0m0s; nothing of this source was changed", time.Hour},
		{"pull/one page", pulling, itself, "names a page twice", time.Hour},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attacks := func(r *http.Request) bool { return first(r) && listed(r) }
				r := attacked(t, target{test.name, test.args, attacks, 0}, test.answer)
				if r.status != 1 || !strings.Contains(r.errs, test.want) {
					t.Errorf("status %d, want %s:\n%.2000s", r.status, test.want, r.errs)
				}
				if r.took > test.most || len(r.events) > 0 {
					t.Errorf("%v, %d requests, %d events", r.took, r.attacks, len(r.events))
				}
			})
		})
	}
}

// A picture costs half a minute at most, and all pictures of a source an hour. The event is stored
// without them, and each is told.
func TestHostilePicturesAlone(t *testing.T) {
	race.AloneInTurn(t)
	fetch := func(args string) string { return strings.Replace(args, " ", " -fetch-pictures ", 1) }
	for _, target := range []target{
		{"import", fetch("import -data DIR/data DIR/events.json"), illustrated, 3},
		{"pull", fetch("pull -data DIR/data DIR/pictured.json"), illustrated, 3},
		{"adopt", fetch(adopting + "/pictured" + root), illustrated, 3},
	} {
		for _, a := range attacks {
			isSlow := a.want[0] == slow[0]
			if target.name != "import" && !isSlow {
				continue // the same code
			}
			t.Run(target.name+"/"+a.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					want := a.want
					if isSlow {
						target.pictures = 130 // more than can be awaited in an hour
						want = []string{"the pictures before it took more than 1h0m0s"}
					}
					r := attacked(t, target, a.answer)
					if r.status != 1 || !says(r.errs, want) {
						t.Errorf("status %d, want one of %q:\n%.2000s", r.status, want, r.errs)
					}
					if r.took > time.Hour+time.Minute || r.attacks < 3 {
						t.Errorf("%v, %d requests", r.took, r.attacks)
					}
					diff := cmp.Diff([]string{"http://localhost/0.png"}, r.events)
					told := strings.Count(r.errs, " (images http://localhost/")
					if diff != "" || told != target.pictures {
						t.Errorf("%d pictures are told; events: %s", told, diff)
					}
				})
			})
		}
	}
}

// Each source has an hour of its own for its pictures.
func TestPicturesOfSourcesAlone(t *testing.T) {
	race.AloneInTurn(t)
	synctest.Test(t, func(t *testing.T) {
		const args = "pull -fetch-pictures -data DIR/data DIR/both.json"
		r := attacked(t, target{"pull", args, illustrated, 130}, raw("", "", time.Hour))
		told := strings.Count(r.errs, "it was not fetched")
		if r.status != 1 || r.took < 2*time.Hour || told != 2*(130-121) || r.attacks != 2*121 {
			t.Errorf("status %d after %v and %d requests, %d pictures were not fetched:\n%.2000s",
				r.status, r.took, r.attacks, told, r.errs)
		}
	})
}
