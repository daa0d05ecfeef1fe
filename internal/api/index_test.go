// The index, the root and OPTIONS, asked through the front door.

package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/people/password"
	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/internal/tools/apitest"
	"almanac/internal/wire/params"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// listed is the routes of the service as its list has them.
func listed(on func(pattern string, op *Op)) {
	on("GET /{$}", Root)
	on("GET /docs", Docs)
	on("GET /docs/{name}", DocsGroup)
	on("GET /assets/{name}", Above["asset"])
	on("GET /cal/events/v1", Index)
	on("GET /cal/events/v1/doc", Doc)
	for _, k := range []struct {
		path string
		ops  Resource
	}{{"events", Events}, {"venues", Venues}, {"organizers", Organizers}} {
		at := " /cal/events/v1/" + k.path
		on("GET"+at, k.ops.List)
		on("POST"+at, k.ops.Create)
		on("GET"+at+"/{id}", k.ops.Read)
		on("DELETE"+at+"/{id}", k.ops.Delete)
		on("POST,PUT,PATCH"+at+"/{id}", k.ops.Update)
		on("GET"+at+"/by-slug/{slug}", k.ops.ReadBySlug)
		on("DELETE"+at+"/by-slug/{slug}", k.ops.DeleteBySlug)
		on("POST,PUT,PATCH"+at+"/by-slug/{slug}", k.ops.UpdateBySlug)
		listedRevisions(on, at, k.ops)
	}
	on("GET /cal/events/v1/events.ics", Feeds.Calendar)
	on("GET /cal/events/v1/events.csv", Feeds.CSV)
	on("GET /cal/events/v1/events.rss", Feeds.RSS)
	on("GET /cal/events/v1/events.atom", Feeds.Atom)
	on("GET /cal/events/v1/events.feed.json", Feeds.JSON)
	on("GET /cal/events/v1/events/{id}.ics", Feeds.Event)
	on("GET /cal/events/v1/events/by-slug/{slug}.ics", Feeds.EventBySlug)
	on("GET /cal/events/v1/series", Series.List)
	on("GET /cal/events/v1/series/{id}", Series.Read)
	for _, k := range []struct {
		path string
		ops  Resource
	}{{"categories", Categories}, {"tags", Tags}} {
		at := " /cal/events/v1/" + k.path
		on("GET"+at, k.ops.List)
		on("POST"+at, k.ops.Create)
		on("GET"+at+"/{id}", k.ops.Read)
		on("POST,PUT,PATCH"+at+"/{id}", k.ops.Update)
		on("DELETE"+at+"/{id}", k.ops.Delete)
		listedRevisions(on, at, k.ops)
	}
	// Package media is above this one, and tests its operations. Here they are for the document
	// alone.
	at := " /cal/events/v1/media"
	media := func(name string, table params.Table) *Op {
		return Unlisted(&Op{Name: "media." + name, Params: table, Serve: NoRoute.Serve})
	}
	list := Listed(media("list", params.MediaList))
	list.Serve = func(r *Call) (*respond.Response, error) { // the page of the document leads here
		l := &List{Call: r, Name: "media"}
		return l.Do(
			func(v *store.View, values params.Values) error { l.Ask(v, values); return nil },
			func(*store.View, params.Values) error { return nil },
			l.Response,
		)
	}
	on("GET"+at, list)
	on("POST"+at, Guarded(media("create", params.MediaCreate), account.UploadImages, nil))
	on("GET"+at+"/{id}", media("read", params.MediaRead))
	on(
		"POST,PUT,PATCH"+at+"/{id}",
		Guarded(media("update", params.MediaUpdate), account.UploadImages, nil),
	)
	on("DELETE"+at+"/{id}", Guarded(media("delete", params.MediaRead), account.UploadImages, nil))
	on(
		"POST"+at+"/{id}/merge",
		Guarded(media("merge", params.Merge(params.MediaRead)), account.EditOthers, nil),
	)
}

// listedRevisions is the routes behind those of a record.
func listedRevisions(on func(pattern string, op *Op), at string, of Resource) {
	kind := strings.TrimSuffix(of.Read.Name, ".read")
	on("GET"+at+"/{id}/revisions", Above[kind+".revisions"])
	on("POST"+at+"/{id}/revisions/{number}/restore", Above[kind+".restore"])
	if kind != "events" {
		on("POST"+at+"/{id}/merge", Above[kind+".merge"])
	}
}

// Above is operations of packages above this one by name, which have routes in tests of this
// package.
var Above = map[string]*Op{}

// describedNow is the time of the clock of describedServer.
var describedNow = time.Date(2026, 11, 21, 0, 0, 13, 0, time.UTC)

// describedServer serves an empty store, in New York, with an administrator
// whose token is "secret".
func describedServer(t *testing.T, also string) *Server {
	t.Helper()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	accounts, err := account.Memory(account.User{
		Account: account.Account{
			ID:    1,
			Login: "admin",
			Role:  account.Administrator,
		},
		Token: "secret",
	})
	if err != nil {
		t.Fatal(err)
	}
	site, err := caltime.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{
		Store:     st,
		Accounts:  accounts,
		Clock:     caltime.Frozen(describedNow),
		Site:      site,
		PerPage:   12,
		Also:      also,
		Passwords: password.NewKeeper(1),
	}, listed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// askAdmin sends a request as the administrator and returns the status and the JSON of
// the answer.
func askAdmin(t *testing.T, s *Server, method, target, body string) (int, any) {
	t.Helper()
	w := apitest.Serve(
		s,
		method,
		"http://cal.example.org"+target,
		body,
		"Authorization",
		"Bearer secret",
	)
	return w.Code, apitest.Value[any](t, w.Body.Bytes())
}

// at walks down the members of a JSON value.
func at(t *testing.T, value any, path ...string) any {
	t.Helper()
	for i, name := range path {
		members, ok := value.(map[string]any)
		if value, ok = members[name]; !ok {
			t.Fatalf("no %q", path[:i+1])
		}
	}
	return value
}

func TestIndexRoutes(t *testing.T) {
	s := describedServer(t, "")
	_, index := askAdmin(t, s, "GET", "/cal/events/v1/", "")
	if got := at(t, index, "namespace"); got != "cal/events/v1" {
		t.Errorf("namespace = %v", got)
	}
	up := []any{map[string]any{"href": "http://cal.example.org/"}}
	if diff := cmp.Diff(up, at(t, index, "_links", "up")); diff != "" {
		t.Errorf("_links.up (-want +got):\n%s", diff)
	}
	for _, test := range []struct {
		route   string
		methods []any
		self    string // "" when the route has variables
	}{
		{`/cal/events/v1`, []any{"GET"}, "http://cal.example.org/cal/events/v1"},
		{`/cal/events/v1/doc`, []any{"GET"}, "http://cal.example.org/cal/events/v1/doc"},
		{`/cal/events/v1/events`, []any{"GET", "POST"}, "http://cal.example.org/cal/events/v1/events"},
		{`/cal/events/v1/events/(?P<id>\d+)`, []any{"GET", "DELETE", "POST", "PUT", "PATCH"}, ""},
		{`/cal/events/v1/venues/by-slug/(?P<slug>[^/]+)`, []any{"GET", "DELETE", "POST", "PUT", "PATCH"}, ""},
		{`/cal/events/v1/tags/(?P<id>\d+)`, []any{"GET", "POST", "PUT", "PATCH", "DELETE"}, ""},
	} {
		t.Run(test.route, func(t *testing.T) {
			route := at(t, index, "routes", test.route)
			if diff := cmp.Diff(test.methods, at(t, route, "methods")); diff != "" {
				t.Errorf("methods (-want +got):\n%s", diff)
			}
			links, linked := route.(map[string]any)["_links"]
			if linked != (test.self != "") {
				t.Fatalf("_links = %v", links)
			}
			if linked {
				want := map[string]any{"self": []any{map[string]any{"href": test.self}}}
				if diff := cmp.Diff(any(want), links); diff != "" {
					t.Errorf("_links (-want +got):\n%s", diff)
				}
			}
		})
	}
	if got := len(at(t, index, "routes").(map[string]any)); got != 15 {
		t.Errorf("%d routes, want the 15 of the namespace", got)
	}
}

// TestIndexOrder looks for the routes in the text: objects keep no order.
func TestIndexOrder(t *testing.T) {
	w := httptest.NewRecorder()
	describedServer(
		t,
		"",
	).ServeHTTP(w, httptest.NewRequest("GET", "/cal/events/v1?_fields=routes", nil))
	text := w.Body.String()
	from := 0
	listed(func(pattern string, op *Op) {
		_, path, _ := strings.Cut(pattern, " ")
		if path == "/{$}" || path == "/docs" || op.is(unlisted) {
			return
		}
		key, err := jsonio.Marshal(expression(path))
		if err != nil {
			t.Fatal(err)
		}
		found := strings.Index(text, string(key)+":")
		if found < from {
			t.Errorf("%s stands at %d, before another that is listed before it", key, found)
		}
		from = found
	})
}

// TestIndexAgreesWithTables compares every argument with its row.
func TestIndexAgreesWithTables(t *testing.T) {
	s := describedServer(t, "")
	_, index := askAdmin(t, s, "GET", "/cal/events/v1", "")
	listed(func(pattern string, op *Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		if path == "/{$}" || path == "/docs" || op.is(unlisted) {
			return
		}
		endpoints := at(t, index, "routes", expression(path), "endpoints").([]any)
		i := slices.IndexFunc(endpoints, func(e any) bool {
			return cmp.Equal(at(t, e, "methods"), split(methods))
		})
		if i < 0 {
			t.Fatalf("%s is not in the index", pattern)
		}
		if len(op.Params) == 0 || op == Doc {
			if diff := cmp.Diff([]any{}, at(t, endpoints[i], "args")); diff != "" {
				t.Errorf("%s: arguments (-want +got):\n%s", pattern, diff)
			}
			return
		}
		args := at(t, endpoints[i], "args").(map[string]any)
		for j := range op.Params {
			row := &op.Params[j]
			got, ok := args[row.Name].(map[string]any)
			if !ok {
				t.Errorf("%s: no argument %s", pattern, row.Name)
				continue
			}
			delete(args, row.Name)
			if text, _ := got["description"].(string); text == "" {
				t.Errorf("%s: %s has no description", pattern, row.Name)
			}
			delete(got, "description")
			if diff := cmp.Diff(argumentOf(t, row), got); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", pattern, row.Name, diff)
			}
		}
		if len(args) > 0 {
			t.Errorf("%s: arguments without a row: %v", pattern, args)
		}
	})
}

func split(methods string) []any {
	var list []any
	for method := range strings.SplitSeq(methods, ",") {
		list = append(list, method)
	}
	return list
}

// argumentOf returns what the index must say of a row, beside its description.
func argumentOf(t *testing.T, row *params.Row) map[string]any {
	t.Helper()
	arg := map[string]any{"required": row.Required}
	if row.Type != "" {
		arg["type"] = row.Type
	}
	if row.Format != "" {
		arg["format"] = row.Format
	}
	if row.Items != "" {
		arg["items"] = map[string]any{"type": row.Items}
	}
	if row.Enum != nil {
		arg["enum"] = plain(t, row.Enum)
	}
	site, err := caltime.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	if value := row.Value(params.Env{
		Now:       describedNow,
		Site:      site,
		Namespace: Namespace,
		PerPage:   12,
	}); value != nil {
		arg["default"] = plain(t, value)
	}
	return arg
}

// plain returns a value as it is after a way through JSON.
func plain(t *testing.T, v any) any {
	t.Helper()
	data, err := jsonio.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestIndexDefaults(t *testing.T) {
	s := describedServer(t, "")
	_, index := askAdmin(t, s, "GET", "/cal/events/v1", "")
	endpoints := at(t, index, "routes", "/cal/events/v1/events", "endpoints").([]any)
	for name, want := range map[string]any{
		"page": 1.0, "per_page": 12.0, "strict_dates": false,
		"start_date": "2026-11-20 18:59:00", "end_date": "2028-11-21 00:00:13",
	} {
		if got := at(t, endpoints[0], "args", name, "default"); got != want {
			t.Errorf("%s: default %v, want %v", name, got, want)
		}
	}
	if got, ok := at(t, endpoints[1], "args", "website").(map[string]any)["default"]; !ok ||
		got != nil {
		t.Errorf("website: default %v, %v; want null", got, ok)
	}
}

func TestIndexOfAnotherNamespace(t *testing.T) {
	s := describedServer(t, "/wp-json/tribe/events/v1")
	_, index := askAdmin(t, s, "GET", "/wp-json/tribe/events/v1", "")
	if got := at(t, index, "namespace"); got != "tribe/events/v1" {
		t.Errorf("namespace = %v", got)
	}
	route := at(t, index, "routes", "/tribe/events/v1")
	if got := at(t, route, "endpoints").([]any)[0]; at(
		t,
		got,
		"args",
		"namespace",
		"default",
	) != "tribe/events/v1" {
		t.Errorf("endpoint = %v", got)
	}
	events := at(t, index, "routes", "/tribe/events/v1/events", "_links", "self")
	if want := []any{map[string]any{
		"href": "http://cal.example.org/wp-json/tribe/events/v1/events",
	}}; !cmp.Equal(any(want), events) {
		t.Errorf("_links.self = %v, want %v", events, want)
	}
}

func TestRoot(t *testing.T) {
	for _, test := range []struct {
		name, also, path string
		namespaces       []any
		route            string
	}{
		{"neutral", "", "/", []any{"cal/events/v1"}, "/cal/events/v1/doc"},
		{"a language", "", "/en/", []any{"cal/events/v1"}, "/cal/events/v1/doc"},
		{"another path", "/wp-json/tribe/events/v1", "/wp-json/", []any{"tribe/events/v1"}, "/tribe/events/v1/events"},
		{"another path, for sites that rewrite no address", "/wp-json/tribe/events/v1", "/?rest_route=/", []any{"tribe/events/v1"},
			"/tribe/events/v1/events"},
		{"a root alone", "", "/?rest_route=/", []any{"cal/events/v1"}, "/cal/events/v1/doc"},
		{"two namespaces below one address", "/tribe/events/v1", "/", []any{"tribe/events/v1", "cal/events/v1"}, "/tribe/events/v1/events"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := describedServer(t, test.also)
			status, root := askAdmin(t, s, "GET", test.path, "")
			if status != http.StatusOK {
				t.Fatalf("status %d: %v", status, root)
			}
			if diff := cmp.Diff(any(test.namespaces), at(t, root, "namespaces")); diff != "" {
				t.Errorf("namespaces (-want +got):\n%s", diff)
			}
			at(t, root, "routes", test.route)
			for name, want := range map[string]string{
				"name": "cal.example.org",
				"url":  "http://cal.example.org",
				"home": "http://cal.example.org",
			} {
				if got := at(t, root, name); got != want {
					t.Errorf("%s = %v, want %s", name, got, want)
				}
			}
		})
	}
}

func TestOptions(t *testing.T) {
	s := describedServer(t, "")
	_, index := askAdmin(t, s, "GET", "/cal/events/v1", "")
	for _, test := range []struct{ name, path, route string }{
		{"collection", "/cal/events/v1/events", `/cal/events/v1/events`},
		{"the id is not looked up", "/cal/events/v1/venues/1", `/cal/events/v1/venues/(?P<id>\d+)`},
		{"nor the slug", "/cal/events/v1/events/by-slug/none", `/cal/events/v1/events/by-slug/(?P<slug>[^/]+)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, got := askAdmin(t, s, "OPTIONS", test.path, "")
			if status != http.StatusOK {
				t.Errorf("status %d", status)
			}
			if diff := cmp.Diff(at(t, index, "routes", test.route), got); diff != "" {
				t.Errorf("not as in the index (-index +options):\n%s", diff)
			}
		})
	}
	t.Run("outside the namespace", func(t *testing.T) {
		_, got := askAdmin(t, s, "OPTIONS", "/", "")
		want := map[string]any{
			"namespace": "",
			"methods":   []any{"GET"},
			"endpoints": []any{map[string]any{"methods": []any{"GET"}, "args": []any{}}},
			"_links": map[string]any{
				"self": []any{map[string]any{
					"href": "http://cal.example.org/",
				}},
			},
		}
		if diff := cmp.Diff(any(want), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("no such route", func(t *testing.T) {
		if status, got := askAdmin(t, s, "OPTIONS", "/cal/events/v1/events/x", ""); status != http.StatusNotFound {
			t.Errorf("status %d: %v", status, got)
		}
	})
}

// A variable of a path that the index cannot describe is found when the server
// starts.
func TestVariableWithoutForm(t *testing.T) {
	t.Parallel()
	defer func() {
		if got, want := recover(), "openapi: no form of the variable year of /cal/events/v1/years/{year}; add it to variableForms"; got != want {
			t.Errorf("New panics with %v, want %s", got, want)
		}
	}()
	st := exercisedStore(t)
	exercisedServer(
		t,
		st,
		Options{},
		func(on func(string, *Op)) { on("GET /"+Namespace+"/years/{year}", Doc) },
	)
}

// expression returns a path as the index names it.
func expression(path string) string {
	return strings.NewReplacer("{id}", `(?P<id>\d+)`, "{slug}", "(?P<slug>[^/]+)", "{name}", "(?P<name>[^/]+)",
		"{number}", `(?P<number>\d+)`).
		Replace(path)
}
