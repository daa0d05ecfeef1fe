// Bodies: the rights to have them read, and the bytes of them in memory.

package api_test

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"almanac/almanactest"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/store"
)

// A body of somebody who may not do what it is for is not read, not a byte.
func TestUnreadBodies(t *testing.T) {
	t.Parallel()
	const contributor = "alm_contributor"
	g := guard(t, almanactest.Options{Tokens: map[account.Role]string{
		account.Subscriber:  "alm_subscriber",
		account.Contributor: contributor,
	}}, &store.Event{Title: "Fair"})
	for _, test := range []struct {
		name, token, method, path string
		status                    int
		code                      string
		read                      bool
	}{
		{"a stranger", "", "POST", "/events", 401, "rest_forbidden", false},
		{"a stranger's change", "", "PUT", "/events/1", 401, "rest_forbidden", false},
		{"a stranger's change by slug", "", "PATCH", "/events/by-slug/fair", 401, "rest_forbidden", false},
		{"a stranger's change of what is not there", "", "POST", "/events/99", 401, "rest_forbidden", false},
		{"a stranger's change of a venue that is not there", "", "POST", "/venues/99", 400, "rest_invalid_param", false},
		{"a stranger's delete", "", "DELETE", "/events/1", 401, "rest_forbidden", false},
		{"a stranger's tag", "", "POST", "/tags", 401, "rest_forbidden", false},
		{"a stranger's import", "", "POST", "/../../../_almanac/import", 401, "rest_forbidden", false},
		{"a wrong token", "wrong", "POST", "/events", 401, "rest_invalid_token", false},
		{"no route", "", "POST", "/nothing", 404, "rest_no_route", false},
		{"a subscriber", "alm_subscriber", "POST", "/events", 403, "rest_forbidden", false},
		{"a contributor's change of another's event", contributor, "PUT", "/events/1", 403, "rest_forbidden", false},
		{"a contributor's tag", contributor, "POST", "/tags", 403, "rest_forbidden", false},
		{"a contributor's change of a venue that is not there", contributor, "POST", "/venues/99", 400, "rest_invalid_json", true},
		{"a contributor", contributor, "POST", "/events", 400, "rest_invalid_json", true},
		{"a read", "", "GET", "/events", 400, "rest_invalid_json", true},
	} {
		for _, length := range []int64{1000, -1} {
			body := &counting{Reader: strings.NewReader(strings.Repeat("x", 1000))}
			r := httptest.NewRequest(test.method, v1+test.path, body)
			if test.path[1] == '.' {
				r.URL.Path = "/_almanac/import"
			}
			r.ContentLength = length
			r.Header.Set("Content-Type", "application/json")
			if test.token != "" {
				r.Header.Set("Authorization", "Bearer "+test.token)
			}
			w := httptest.NewRecorder()
			g.ServeHTTP(w, r)
			expect(t, test.name, w, test.status, test.code, "")
			if (body.n > 0) != test.read {
				t.Errorf(
					"%s: %d bytes of a body of length %d were read",
					test.name,
					body.n,
					length,
				)
			}
		}
	}
	w := g.ask(here, "", "POST", "/events?_envelope", `{"title":"A"}`)
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"status":401`) {
		t.Errorf("the envelope of a refusal is %d %s", w.Code, w.Body)
	}
}

// Bodies that come slowly hold what has come of them, and no more than there is:
// of all, of an account, and of everybody without one.
func TestBodies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const kb, most = 1 << 10, 512 << 10
		const editor, author = "alm_editor", "alm_author"
		g := guard(t, almanactest.Options{
			Limits: &admission.Limits{Body: 1 << 20, BodyBytes: most},
			Tokens: map[account.Role]string{account.Editor: editor, account.Author: author},
		})
		var slow sync.WaitGroup
		var ends []*io.PipeWriter
		begin := func(token, method string, bytes int) {
			out, in := io.Pipe()
			ends = append(ends, in)
			slow.Go(func() {
				r := httptest.NewRequest(method, v1+"/events", out)
				r.Header.Set("Content-Type", "application/json")
				if token != "" {
					r.Header.Set("Authorization", "Bearer "+token)
				}
				g.ServeHTTP(httptest.NewRecorder(), r)
				out.Close()
			})
			_, _ = in.Write(
				[]byte(strings.Repeat(" ", bytes)),
			) // the server does not read a refused body
		}
		end := func() {
			for _, in := range ends {
				in.Close()
			}
			slow.Wait()
			ends = nil
		}
		ask := func(what, token, method string, bytes, status int) {
			t.Helper()
			code := ""
			retry := ""
			if status == 503 {
				code = "rest_too_busy"
				retry = "1"
			}
			synctest.Wait()
			expect(
				t,
				what,
				g.ask(here, token, method, "/events", "{"+strings.Repeat(" ", bytes-2)+"}"),
				status,
				code,
				retry,
			)
		}
		// A body grows in memory by doubling: these hold 32 KiB each.
		for range 2 {
			begin("", "GET", 20*kb)
		}
		ask("a stranger, of an eighth that is used up", "", "GET", 100, 503)
		ask("a stranger without a body's worth", "", "GET", 2, 503)
		ask("an account", g.token, "GET", 100*kb, 200)
		for range 8 {
			begin(editor, "POST", 20*kb)
		}
		ask("an account whose half is used up", editor, "POST", 100, 503)
		ask("another account", author, "GET", 60*kb, 200)
		for range 6 {
			begin(author, "POST", 20*kb)
		}
		ask("a third account, when all is used up", g.token, "GET", 100, 503)
		ask("a request without a body", "", "GET", 2, 503)
		expect(t, "a list", g.ask(here, "", "GET", "/venues", ""), 200, "", "")
		end()
		ask("a stranger, when they have gone", "", "GET", 50*kb, 200)
		ask("one that is larger than the part it is of", "", "GET", 200*kb, 200)
		ask("one that is larger than all", g.token, "GET", 1<<20, 200)

		// The memory of the decoded body counts, too.
		begin("", "GET", 20*kb)
		many := `{"x":[` + strings.Repeat("1,", 1000) + `1]}`
		synctest.Wait()
		expect(
			t,
			"2 KB that are 64 KB in memory",
			g.ask(here, "", "GET", "/events", many),
			503,
			"rest_too_busy",
			"1",
		)
		end()
		expect(t, "the same alone", g.ask(here, "", "GET", "/events", many), 200, "", "")

		g = guard(t, almanactest.Options{NoLimits: true})
		for range 20 {
			begin("", "GET", 20*kb)
		}
		ask("without limits", "", "GET", 100*kb, 200)
		end()
	})
}

// A body is read as sent, in any chunks and with any declared length.
func TestWholeBodies(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{})
	for _, size := range []int{1, 4095, 4096, 4097, 8191, 8192, 100_000} {
		for _, announced := range []bool{true, false} {
			title := strings.Repeat("x", max(1, min(size-100, 150)))
			body := fmt.Sprintf(
				`{"name":%q,"description":%q}`,
				fmt.Sprint(title, size, announced),
				strings.Repeat("y", size),
			)
			var reader io.Reader = strings.NewReader(body)
			if !announced {
				reader = io.MultiReader(reader)
			}
			response, err := srv.Client().
				Post(srv.URL+v1+"/categories", "application/json", reader)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if response.StatusCode != 201 ||
				!strings.Contains(string(text), strings.Repeat("y", size)+`"`) {
				t.Errorf("%d bytes: %d %.200s", size, response.StatusCode, text)
			}
		}
	}
}
