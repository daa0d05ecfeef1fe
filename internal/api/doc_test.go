// The document: that it is whole, that it agrees with routes and tables, and
// that what is sent and answered has the form that it says.

package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"almanac/i18n"
	"almanac/internal/api/openapi"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"

	"github.com/google/go-cmp/cmp"
)

// TestDocTexts asks for every text: none is missing, none is left over.
func TestDocTexts(t *testing.T) {
	s := describedServer(t, "")
	asked := map[string]bool{
		"list.after":            true,
		"list.author":           true,
		"list.before":           true,
		"list.offset":           true,
		"media.address":         true,
		"media.force":           true,
		"media.list.media_type": true,
		"media.list.mime_type":  true,
		"media.list.parent":     true,
	} // of routes that are in no document
	described := s.describeAPI(s.Front.Bases()[0], i18n.English())
	described.Text = func(key string) string {
		asked[key] = true
		return key
	}
	at := openapi.Place{}
	for _, group := range []string{"", "events", "series", "venues", "organizers", "categories", "tags", "media", "service"} {
		if _, err := described.Page(at, group); err != nil { // it shows the document
			t.Fatal(err)
		}
	}
	// site: TestSiteTexts and desk: TestTexts have those of pages.
	site := func(key string) bool { return strings.HasPrefix(key, "site.") || strings.HasPrefix(key, "desk.") }
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(asked)), site)
	if diff := cmp.Diff(keys, slices.DeleteFunc(i18n.English().Keys(), site)); diff != "" {
		t.Errorf("texts (-asked +there):\n%s", diff)
	}
}

func TestDocHead(t *testing.T) {
	for _, test := range []struct{ name, also, path, server string }{
		{"neutral", "", "/cal/events/v1/doc", "http://cal.example.org/cal/events/v1"},
		{"a language", "", "/en/cal/events/v1/doc", "http://cal.example.org/en/cal/events/v1"},
		{"another path", "/wp-json/tribe/events/v1", "/wp-json/tribe/events/v1/doc", "http://cal.example.org/wp-json/tribe/events/v1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, doc := askAdmin(t, describedServer(t, test.also), "GET", test.path, "")
			if got := at(t, doc, "openapi"); got != "3.0.3" {
				t.Errorf("openapi = %v", got)
			}
			if diff := cmp.Diff(any([]any{map[string]any{
				"url": test.server,
			}}), at(t, doc, "servers")); diff != "" {
				t.Errorf("servers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDocAgreesWithTables looks for every route, method and row.
func TestDocAgreesWithTables(t *testing.T) {
	_, doc := askAdmin(t, describedServer(t, ""), "GET", "/cal/events/v1/doc", "")
	ids := map[string]bool{}
	listed(func(pattern string, op *Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		path = strings.TrimPrefix(path, "/"+Namespace)
		switch path {
		case "/{$}", "/docs", "/docs/{name}", "/assets/{name}":
			return
		case "":
			path = "/"
		}
		for method := range strings.SplitSeq(methods, ",") {
			operation := at(t, doc, "paths", path, strings.ToLower(method)).(map[string]any)
			id, _ := operation["operationId"].(string)
			if id == "" || ids[id] {
				t.Errorf("%s %s: operationId %q is empty or not the only one", method, path, id)
			}
			ids[id] = true
			_, signed := operation["security"]
			if signed != (op.permit != nil) {
				t.Errorf("%s %s: security %v", method, path, operation["security"])
			}
			if diff := cmp.Diff(documentedRows(op, path), documented(t, doc, operation)); diff != "" {
				t.Errorf("%s %s: parameters (-table +document):\n%s", method, path, diff)
			}
		}
	})
	operations := 0
	for _, methods := range at(t, doc, "paths").(map[string]any) {
		operations += len(methods.(map[string]any))
	}
	if operations != len(ids) {
		t.Errorf("%d operations, want the %d of the routes", operations, len(ids))
	}
}

// documentedRows returns where each parameter of an operation must stand, and
// whether it is required.
func documentedRows(op *Op, path string) map[string]string {
	want := map[string]string{}
	for _, name := range []string{"id", "slug", "language"} {
		if strings.Contains(path, "{"+name+"}") {
			want["path "+name] = "required"
		}
	}
	written := strings.Contains(op.Name, ".create") || strings.Contains(op.Name, ".update")
	for _, row := range op.Params {
		place := "query "
		if written {
			place = "body "
		}
		if row.Path {
			place = "path "
		}
		want[place+row.Name] = ""
		if row.Required {
			want[place+row.Name] = "required"
		}
	}
	return want
}

// documented returns the same as the document has it.
func documented(t *testing.T, doc any, operation map[string]any) map[string]string {
	t.Helper()
	got := map[string]string{}
	parameters, _ := operation["parameters"].([]any)
	for _, p := range parameters {
		place := fmt.Sprint(at(t, p, "in"), " ", at(t, p, "name"))
		got[place] = ""
		if at(t, p, "required") == true {
			got[place] = "required"
		}
		if at(t, p, "description") == "" {
			t.Errorf("%s has no description", place)
		}
	}
	if _, ok := operation["requestBody"]; !ok {
		return got
	}
	content := at(t, operation, "requestBody", "content")
	if form, ok := content.(map[string]any)["multipart/form-data"]; ok { // a file with its fields
		for name := range at(t, resolve(t, doc, at(t, form, "schema")), "properties").(map[string]any) {
			if name != "file" {
				got["body "+name] = ""
			}
		}
		return got
	}
	body := at(t, content, "application/json", "schema")
	if diff := cmp.Diff(body, at(t, content, "application/x-www-form-urlencoded", "schema")); diff != "" {
		t.Errorf("the body as JSON and as a form (-json +form):\n%s", diff)
	}
	schema := resolve(t, doc, body)
	for name := range at(t, schema, "properties").(map[string]any) {
		got["body "+name] = ""
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		got["body "+name.(string)] = "required"
	}
	return got
}

func resolve(t *testing.T, doc, schema any) map[string]any {
	t.Helper()
	ref, ok := schema.(map[string]any)["$ref"].(string)
	if !ok {
		return schema.(map[string]any)
	}
	return at(t, doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(map[string]any)
}

func TestDocReferences(t *testing.T) {
	_, doc := askAdmin(t, describedServer(t, ""), "GET", "/cal/events/v1/doc", "")
	used := map[string]bool{}
	var visit func(value any)
	visit = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			if ref, ok := value["$ref"].(string); ok {
				resolve(t, doc, value)
				used[strings.TrimPrefix(ref, "#/components/schemas/")] = true
				if len(value) > 1 {
					t.Errorf("beside %s stands what nobody reads: %v", ref, value)
				}
			}
			for _, member := range value {
				visit(member)
			}
		case []any:
			for _, item := range value {
				visit(item)
			}
		}
	}
	visit(doc)
	for name := range at(t, doc, "components", "schemas").(map[string]any) {
		if !used[name] {
			t.Errorf("nothing refers to %s", name)
		}
	}
}

// TestDocStatuses holds the statuses of the document to the check of the
// parameter.
func TestDocStatuses(t *testing.T) {
	row, _ := params.VenueCreate.Row("status")
	table := params.Table{*row}
	_, doc := askAdmin(t, describedServer(t, ""), "GET", "/cal/events/v1/doc", "")
	statuses := at(t, doc, "components", "schemas", "VenueCreate", "properties", "status", "enum").([]any)
	if len(statuses) == 0 {
		t.Fatal("the document names no status")
	}
	for _, status := range statuses {
		in, err := params.Read(params.Source{
			ContentType: "application/json",
			Body:        fmt.Appendf(nil, `{"status":%q}`, status),
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Check(in, params.Env{
			Now:  describedNow,
			Site: caltime.UTC(),
		}); err != nil {
			t.Errorf("%v: %v", status, err)
		}
	}
}

// TestDocDescribesAnswers makes records, and compares the requests with the schemas of the
// document. Answers are compared in every test.
func TestDocDescribesAnswers(t *testing.T) {
	s := describedServer(t, "")
	_, doc := askAdmin(t, s, "GET", "/cal/events/v1/doc", "")
	for _, test := range []struct {
		name, method, path string // the path with the variables of the document
		target             string // "" is the path
		body               string
		status             int
	}{
		{
			name:   "venue",
			method: "POST",
			path:   "/venues",
			status: 201,
			body: `{"venue":"Hall & Co","description":"Big",
			"address":"1 Main St","city":"Boston",
			"country":"United States","province":"","state":"MA","zip":"02108","phone":"1","website":"https://hall.example.org/?a=1&b=2",
			"geo_lat":42.36,"geo_lng":-71.06,"show_map":true,"image":"https://img.example.org/hall.jpg","date":"2026-01-01 10:00:00"}`,
		},
		// The image is record 1, the venue 2, the organizer 3.
		{
			name:   "organizer",
			method: "POST",
			path:   "/organizers",
			status: 201,
			body:   `{"organizer":"Ann","email":"ann@example.org","website":"https://ann.example.org","phone":"2","status":"draft"}`,
		},
		{
			name:   "category",
			method: "POST",
			path:   "/categories",
			status: 201,
			body:   `{"name":"Music","slug":"music"}`,
		},
		{
			name:   "category below",
			method: "POST",
			path:   "/categories",
			status: 201,
			body:   `{"name":"Jazz","description":"Blue","parent":1}`,
		},
		{name: "tag", method: "POST", path: "/tags", status: 201, body: `{"name":"Free"}`},
		{
			name:   "full event",
			method: "POST",
			path:   "/events",
			status: 201,
			body: `{"title":"Concert","start_date":"2026-12-01 20:00",
			"end_date":"2026-12-01 23:00",
			"description":"Loud","excerpt":"Short","timezone":"Europe/Paris","all_day":false,"cost":"$10","website":"https://c.example.org",
			"image":"https://img.example.org/c.png","categories":["Jazz"],"tags":["Free","New"],"venue":[2],"organizer":[3,{"organizer":"Bob"}],
			"featured":true,"ticketed":true,"show_map":true,"slug":"concert","status":"publish"}`,
		},
		{
			name:   "plain event",
			method: "POST",
			path:   "/events",
			status: 201,
			body:   `{"title":"Walk","start_date":"tomorrow","end_date":"tomorrow","cost":[5,"10"],"status":"draft","image":false}`,
		},
		{
			name:   "protected event",
			method: "POST",
			path:   "/events",
			status: 201,
			body:   `{"title":"Secret","start_date":"2026-12-02","end_date":"2026-12-02","password":"p","slug":"secret"}`,
		},
		{
			name:   "event with a new venue",
			method: "POST",
			path:   "/events",
			status: 201,
			body:   `{"title":"Tour","start_date":"2026-12-03","end_date":"2026-12-04","venue":[{"venue":"Barn"}],"slug":"tour"}`,
		},
		{name: "events", method: "GET", path: "/events", status: 200},
		{name: "venues", method: "GET", path: "/venues", status: 200},
		{name: "organizers", method: "GET", path: "/organizers", status: 200},
		{name: "categories", method: "GET", path: "/categories", status: 200},
		{
			name:   "tags",
			method: "GET",
			path:   "/tags",
			target: "/tags?per_page=1&page=2",
			status: 200,
		},
		{
			name:   "event",
			method: "GET",
			path:   "/events/by-slug/{slug}",
			target: "/events/by-slug/concert",
			status: 200,
		},
		{name: "one venue", method: "GET", path: "/venues/{id}", target: "/venues/2", status: 200},
		{
			name:   "one organizer",
			method: "GET",
			path:   "/organizers/{id}",
			target: "/organizers/3",
			status: 200,
		},
		{
			name:   "one category",
			method: "GET",
			path:   "/categories/{id}",
			target: "/categories/2",
			status: 200,
		},
		{
			name:   "changed event",
			method: "PATCH",
			path:   "/events/by-slug/{slug}",
			target: "/events/by-slug/tour",
			status: 200,
			body:   `{"all_day":true,"venue":[],"organizer":[],"cost":"","password":null}`,
		},
		{
			name:   "changed tag",
			method: "PUT",
			path:   "/tags/{id}",
			target: "/tags/3",
			status: 200,
			body:   `{"name":"Gratis"}`,
		},
		{
			name:   "event in the trash",
			method: "DELETE",
			path:   "/events/by-slug/{slug}",
			target: "/events/by-slug/concert",
			status: 200,
		},
		{
			name:   "tag that is gone",
			method: "DELETE",
			path:   "/tags/{id}",
			target: "/tags/3",
			status: 200,
		},
		{
			name:   "venue in the trash",
			method: "DELETE",
			path:   "/venues/{id}",
			target: "/venues/2",
			status: 200,
		},
		{
			name:   "venue in the trash before",
			method: "DELETE",
			path:   "/venues/{id}",
			target: "/venues/2",
			status: 410,
		},
		{
			name:   "page that is not there",
			method: "GET",
			path:   "/venues",
			target: "/venues?page=9",
			status: 404,
		},
		{
			name:   "protected",
			method: "GET",
			path:   "/events/by-slug/{slug}",
			target: "/events/by-slug/secret",
			status: 403,
		},
		{
			name:   "unknown event",
			method: "GET",
			path:   "/events/{id}",
			target: "/events/999",
			status: 404,
		},
		{
			name:   "unknown venue",
			method: "GET",
			path:   "/venues/{id}",
			target: "/venues/999",
			status: 400,
		},
		{
			name:   "name that is taken",
			method: "POST",
			path:   "/categories",
			status: 400,
			body:   `{"name":"Music"}`,
		},
		{name: "document", method: "GET", path: "/doc", status: 200},
		{name: "index", method: "GET", path: "/", target: "/", status: 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			target := test.target
			if target == "" {
				target = test.path
			}
			operation := at(t, doc, "paths", test.path, strings.ToLower(test.method))
			if test.body != "" {
				schema := at(t, operation, "requestBody", "content", "application/json", "schema", "$ref").(string)
				for _, complaint := range document().Value(strings.TrimPrefix(schema, "#/components/schemas/"), parseJSON(t, test.body)) {
					t.Errorf("sent: %s", complaint)
				}
			}
			status, answer := askAdmin(t, s, test.method, "/cal/events/v1"+target, test.body)
			if status != test.status {
				t.Fatalf("status %d, want %d: %v", status, test.status, answer)
			}
			at(t, operation, "responses", fmt.Sprint(status))
		})
	}
	t.Run("refusals", func(t *testing.T) {
		for _, body := range []string{`{}`, `{"title":5,"start_date":"x","end_date":"x"}`,
			`{"title":"A","start_date":"now","end_date":"now","all_day":"no"}`, `{`} {
			status, answer := askAdmin(t, s, "POST", "/cal/events/v1/events", body)
			if status != http.StatusBadRequest {
				t.Errorf("%s: status %d", body, status)
			}
			for _, complaint := range document().Value("Error", answer) {
				t.Errorf("%s: %s", body, complaint)
			}
		}
	})
}

func parseJSON(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}
