// The limits, with default and other values.

package api_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/almanactest"
	"almanac/internal/api/admission"
	"almanac/internal/people/limit"
	"almanac/internal/tools/apitest"
	"almanac/store"
)

// A guarded is a server without a network, whose clients have addresses of their
// own and whose time is that of a synctest bubble.
type guarded struct {
	http.Handler
	token string
	store *store.Store
}

// guard makes one; events are of a store without anything else.
func guard(t *testing.T, o almanactest.Options, events ...*store.Event) *guarded {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	err = s.Update(1, func(tx *store.Tx) error {
		for _, e := range events {
			e.Status = store.Publish
			e.Author = 1
			e.Timezone = "UTC"
			e.Start = 2_000_000_000
			e.End = 2_000_003_600
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	o.Store = s
	g := &guarded{store: s}
	if g.Handler, g.token, err = almanactest.Handler(o); err != nil {
		t.Fatal(err)
	}
	return g
}

// ask sends a request from an address; token may be "".
func (g *guarded) ask(from, token, method, path, body string) *httptest.ResponseRecorder {
	r := apitest.Request(method, v1+path, body, "Authorization", apitest.Bearer(token))
	r.RemoteAddr = netip.AddrPortFrom(netip.MustParseAddr(from), 4711).String()
	return apitest.Record(g, r)
}

// expect compares the status of an answer, and what a refusal says.
func expect(
	t *testing.T,
	what string,
	w *httptest.ResponseRecorder,
	status int,
	code, retry string,
) {
	t.Helper()
	if w.Code != status ||
		code != "" && !strings.Contains(w.Body.String(), `{"code":"`+code+`"`) ||
		w.Header().Get("Retry-After") != retry {
		t.Errorf(
			"%s: %d, to be repeated after %q, %.300s; want %d %s after %q",
			what,
			w.Code,
			w.Header().Get("Retry-After"),
			w.Body,
			status,
			code,
			retry,
		)
	}
}

const here, there = "192.0.2.1", "192.0.2.2"

// Each size has its limit and its status, what is as large as may be passes, and
// without limits everything does.
func TestSizes(t *testing.T) {
	t.Parallel()
	event := func(more string) string {
		return `{"title":"x","start_date":"2031-05-10","end_date":"2031-05-10"` + more + `}`
	}
	body := func(n int) string { // white space, as texts have a limit of their own
		text := event("")
		return text[:len(text)-1] + strings.Repeat(" ", n-len(text)) + "}"
	}
	deep := func(n int) string { return event(`,"x":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1)) }
	items := func(n int) string { return event(`,"tags":[` + strings.TrimSuffix(strings.Repeat("9,", n), ",") + `]`) }
	query := func(n int) string { return "/events?x=" + strings.Repeat("a", n-2) }
	list := func(n int) string { return "/events?include=" + strings.TrimSuffix(strings.Repeat("7,", n), ",") }
	for _, tt := range []struct {
		name              string
		path              string
		body              string
		limits, unlimited int
		code              string
		method            string
	}{
		{"a body of 1 MiB", "/events", body(1 << 20), 201, 201, "", "POST"},
		{"a body of more", "/events", body(1<<20 + 1), 413, 201, "rest_body_too_large", "POST"},
		{"64 levels", "/events", deep(64), 201, 201, "", "POST"},
		{"65 levels", "/events", deep(65), 400, 201, "rest_invalid_json", "POST"},
		{"500 tags", "/events", items(500), 201, 201, "", "POST"},
		{"501 tags", "/events", items(501), 400, 201, "rest_invalid_param", "POST"},
		{"a query of 8 KiB", query(8 << 10), "", 200, 200, "", "GET"},
		{"a query of more", query(8<<10 + 1), "", 414, 200, "rest_query_too_long", "GET"},
		{"a write with such a query", query(8<<10 + 1), event(""), 414, 201, "rest_query_too_long", "POST"},
		{"500 ids", list(500), "", 200, 200, "", "GET"},
		{"501 ids", list(501), "", 400, 200, "rest_invalid_param", "GET"},
		{"500 ids in brackets", "/events?" + strings.Repeat("include[]=7&", 500), "", 200, 200, "", "GET"},
		{"501 ids in brackets", "/events?" + strings.Repeat("include[]=7&", 501), "", 400, 200, "rest_invalid_param", "GET"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, no := range []bool{false, true} {
				g := guard(t, almanactest.Options{NoLimits: no})
				status := tt.limits
				code := tt.code
				if no {
					status = tt.unlimited
					code = ""
				}
				before := g.store.Seq()
				w := g.ask(here, g.token, tt.method, tt.path, tt.body)
				expect(t, fmt.Sprintf("no limits: %t", no), w, status, code, "")
				if after := g.store.Seq(); (after > before) != (w.Code == 201) {
					t.Errorf(
						"no limits: %t: %d, and transaction %d follows %d",
						no,
						w.Code,
						after,
						before,
					)
				}
			}
		})
	}
	// A body whose length is not said, or said wrong, is read no further either.
	g := guard(t, almanactest.Options{Limits: &admission.Limits{Body: 100}})
	for _, length := range []int64{-1, 50, 101} {
		reader := &counting{Reader: strings.NewReader(body(1 << 20))}
		r := httptest.NewRequest("POST", v1+"/events", reader)
		r.ContentLength = length
		r.Header.Set("Authorization", "Bearer "+g.token)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		expect(t, fmt.Sprint("length ", length), w, 413, "rest_body_too_large", "")
		if reader.n > 1000 {
			t.Errorf("length %d: %d bytes were read", length, reader.n)
		}
	}
}

// counting counts what is read.
type counting struct {
	io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

// Logins that fail are counted for each address; correct logins are never refused.
func TestFailedLogins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := guard(t, almanactest.Options{})
		const path = "/events"
		for i := range 100 {
			expect(
				t,
				fmt.Sprint("login ", i),
				g.ask(here, "wrong", "GET", path, ""),
				401,
				"rest_invalid_token",
				"",
			)
		}
		expect(
			t,
			"one more",
			g.ask(here, "wrong", "GET", path, ""),
			429,
			"rest_too_many_requests",
			"1",
		)
		expect(
			t,
			"to write",
			g.ask(here, "wrong", "POST", path, "{}"),
			429,
			"rest_too_many_requests",
			"1",
		)
		expect(
			t,
			"from elsewhere",
			g.ask(there, "wrong", "GET", path, ""),
			401,
			"rest_invalid_token",
			"",
		)
		expect(t, "with a token that is right", g.ask(here, g.token, "GET", path, ""), 200, "", "")
		expect(t, "without one", g.ask(here, "", "GET", path, ""), 200, "", "")
		time.Sleep(600*time.Millisecond - 1)
		expect(
			t,
			"too early",
			g.ask(here, "wrong", "GET", path, ""),
			429,
			"rest_too_many_requests",
			"1",
		)
		time.Sleep(1)
		expect(t, "in time", g.ask(here, "wrong", "GET", path, ""), 401, "rest_invalid_token", "")
		expect(
			t,
			"and again",
			g.ask(here, "wrong", "GET", path, ""),
			429,
			"rest_too_many_requests",
			"1",
		)

		g = guard(t, almanactest.Options{NoLimits: true})
		for i := range 200 {
			expect(
				t,
				fmt.Sprint("without limits, login ", i),
				g.ask(here, "wrong", "GET", path, ""),
				401,
				"rest_invalid_token",
				"",
			)
		}
	})
}

// All requests of an address are counted if that is asked for, whatever becomes
// of them; a /64 of IPv6 is one address.
func TestRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := guard(t, almanactest.Options{
			Limits: &admission.Limits{
				Rate: limit.Rate{
					N:   4,
					Per: time.Minute,
				},
			},
		})
		expect(t, "a read", g.ask(here, "", "GET", "/events", ""), 200, "", "")
		expect(t, "no route", g.ask(here, "", "GET", "/nothing", ""), 404, "rest_no_route", "")
		expect(
			t,
			"a wrong token",
			g.ask(here, "wrong", "GET", "/events", ""),
			401,
			"rest_invalid_token",
			"",
		)
		expect(t, "a preflight", g.ask(here, "", "OPTIONS", "/events", ""), 200, "", "")
		for _, token := range []string{"", g.token} {
			w := g.ask(here, token, "POST", "/tags", `{"name":"new"}`)
			expect(t, "one more", w, 429, "rest_too_many_requests", "15")
		}
		if g.store.Seq() != 0 {
			t.Error("what was refused was stored")
		}
		expect(t, "from elsewhere", g.ask(there, "", "GET", "/events", ""), 200, "", "")
		time.Sleep(15 * time.Second)
		expect(t, "later", g.ask(here, "", "GET", "/events", ""), 200, "", "")
		for i := range 4 {
			expect(
				t,
				"IPv6",
				g.ask(fmt.Sprintf("2001:db8::%d", i), "", "GET", "/events", ""),
				200,
				"",
				"",
			)
		}
		expect(
			t,
			"IPv6 of the same net",
			g.ask("2001:db8::ffff", "", "GET", "/events", ""),
			429,
			"rest_too_many_requests",
			"15",
		)
		expect(
			t,
			"IPv6 of another",
			g.ask("2001:db8:0:1::", "", "GET", "/events", ""),
			200,
			"",
			"",
		)
	})
}

// The number of requests that are worked on at the same time is limited. Requests that are still
// being sent, and requests that are answered from the cache, do not count.
func TestPlaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := guard(t, almanactest.Options{Limits: &admission.Limits{Requests: 2}})
		g.ask(
			here,
			"",
			"GET",
			"/venues?page=9",
			"",
		) // of a host that is asked for the first time nothing is kept
		tag := g.ask(here, "", "GET", "/events", "").Header().Get("ETag")

		// Two writers wait for a transaction that takes long, with two places.
		hold := make(chan struct{})
		reserved := make(chan struct{})
		go func() {
			err := g.store.Update(1, func(*store.Tx) error {
				close(reserved)
				<-hold
				return errors.New("nothing comes of it")
			})
			if err == nil {
				t.Error("the transaction passed")
			}
		}()
		<-reserved
		var writers sync.WaitGroup
		for i := range 2 {
			writers.Go(func() {
				expect(
					t,
					"a writer",
					g.ask(here, g.token, "POST", "/tags", fmt.Sprintf(`{"name":"tag %d"}`, i)),
					201,
					"",
					"",
				)
			})
		}
		// Many send slowly.
		var slow sync.WaitGroup
		var pipes []*io.PipeWriter
		for range 20 {
			out, in := io.Pipe()
			pipes = append(pipes, in)
			slow.Go(func() {
				r := httptest.NewRequest("POST", v1+"/tags", out)
				r.Header.Set("Authorization", "Bearer "+g.token)
				g.ServeHTTP(httptest.NewRecorder(), r)
			})
			if _, err := in.Write([]byte(`{`)); err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		expect(
			t,
			"one more writer",
			g.ask(here, g.token, "POST", "/tags", `{"name":"more"}`),
			503,
			"rest_too_busy",
			"1",
		)
		expect(t, "a reader", g.ask(here, "", "GET", "/venues", ""), 503, "rest_too_busy", "1")
		r := httptest.NewRequest("GET", v1+"/events", nil)
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		expect(t, "who has it already", w, 304, "", "")

		close(hold)
		writers.Wait()
		expect(
			t,
			"a reader, when they are done",
			g.ask(here, "", "GET", "/venues", ""),
			200,
			"",
			"",
		)
		for _, in := range pipes {
			in.Close()
		}
		slow.Wait()
	})
}
