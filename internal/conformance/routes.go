package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/api"
	"almanac/internal/oldsite"
	"almanac/internal/params"
)

// A route is a path of the specification.
type route struct {
	path    string // below the namespace, as /events/{id}
	kind    string // its first part, as events
	section string
	methods [][]string     // groups that are one operation
	tables  []params.Table // of the operations
}

// sections are the sections of the specification about the routes of a kind, and about its fields.
var sections = map[string][2]string{"": {"4.1"}, "doc": {"4.1"}, "events": {"4.2", "2.1"}, "venues": {"4.3", "2.2"},
	"organizers": {"4.4", "2.3"}, "categories": {"4.5", "2.4"}, "tags": {"4.6", "2.5"}}

// specified returns the routes of the specification among those of almanac, which has more.
func specified(routes Routes) (found []*route) {
	routes(func(pattern string, op *api.Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		below, ok := strings.CutPrefix(path, "/"+api.Namespace)
		kind, last := "", below[strings.LastIndexByte(below, '/')+1:]
		if parts := strings.Split(below, "/"); len(parts) > 1 {
			kind = parts[1]
		}
		section, is := sections[kind]
		if !ok || !is || last != kind && last != "{id}" && last != "{slug}" {
			return
		}
		i := slices.IndexFunc(found, func(r *route) bool { return r.path == below })
		if i < 0 {
			i = len(found)
			found = append(found, &route{path: below, kind: kind, section: section[0]})
		}
		found[i].methods = append(found[i].methods, strings.Split(methods, ","))
		found[i].tables = append(found[i].tables, op.Params)
	})
	return found
}

// run asks for all points of all routes.
func (c *checker) run(routes []*route) {
	c.point("9", "the index has the namespace", "", func() (err error) {
		c.index, err = c.site.Index(c.ctx)
		if err == nil && !strings.HasSuffix(c.site.Root.String(), "/"+c.index.Namespace) {
			err = fmt.Errorf("namespace is %.80q", c.index.Namespace)
		}
		return err
	})
	c.point("7", "an unknown route is an error with code, message and status", "", func() error {
		return c.refused("/no-such-route", nil, http.StatusNotFound, "rest_no_route", "")
	})
	c.findSamples()
	for _, r := range routes {
		c.describedMethods(r)
		switch {
		case r.path == "/doc":
			c.point(r.section, "GET /doc describes every route", "", func() error { return c.documented(routes) })
		case strings.HasSuffix(r.path, "}"):
			c.record(r)
		case r.kind != "":
			c.list(r)
			for i := range r.tables[1] {
				if row := &r.tables[1][i]; !row.Own {
					c.point(sections[r.kind][1], "a record of "+r.path+" has "+row.Name, r.kind, func() error { return c.field(r, row) })
				}
			}
		}
	}
}

// findSamples finds an event with as many linked records as possible, and these records.
func (c *checker) findSamples() {
	for _, k := range slices.Backward(oldsite.Kinds) { // events first
		best := -1
		for _, query := range []url.Values{{"per_page": {strconv.Itoa(oldsite.PageSize)}}, k.All} {
			a, _ := c.get("/"+k.Name, query) // the points of lists tell errors
			for _, record := range oldsite.Records(a.Body[k.Name]) {
				rank := 0
				for member, kind := range oldsite.Linked {
					rank += min(len(oldsite.Records(record[member])), 1)
					if links := oldsite.Records(c.samples["events"][member]); kind == k.Name && len(links) > 0 &&
						oldsite.ID(links[0]) == oldsite.ID(record) {
						rank++
					}
				}
				if rank > best {
					best, c.samples[k.Name] = rank, record
				}
			}
		}
	}
}

// at returns the path of a route for the sample.
func (c *checker) at(r *route) string {
	sample := c.samples[r.kind]
	return strings.NewReplacer("{id}", oldsite.Text(sample["id"]), "{slug}", oldsite.Slug(sample)).Replace(r.path)
}

// describedMethods asks whether the index and OPTIONS have a route, its methods and its parameters, and whether HEAD answers as GET.
func (c *checker) describedMethods(r *route) {
	path := strings.NewReplacer("{id}", `(?P<id>\d+)`, "{slug}", "(?P<slug>[^/]+)").Replace(r.path)
	description, _ := c.index.Routes[path].(object)
	shown, kind := "/"+strings.TrimPrefix(r.path, "/"), ""
	for i, methods := range r.methods {
		name := strings.Join(methods, ", ") + " " + shown
		var args object
		c.point(r.section, name+" is in the index", "", func() error {
			for _, endpoint := range oldsite.Records(description["endpoints"]) {
				if oldsite.Text(endpoint["methods"]) == oldsite.Text(methods) {
					args, _ = endpoint["args"].(object)
					return nil
				}
			}
			return errors.New("there is no endpoint with these methods")
		})
		for j := range r.tables[i] {
			if row := &r.tables[i][j]; !row.Own && !row.Unlisted {
				arg, _ := args[row.Name].(object)
				c.point(r.section, name+" "+row.Name+" is described", "", func() error { return c.argument(row, arg) })
			}
		}
	}
	if strings.HasSuffix(r.path, "}") {
		kind = r.kind
	}
	c.point(r.section, "OPTIONS "+shown+" tells the methods", kind, func() error {
		a, err := c.site.Ask(c.ctx, http.MethodOptions, c.at(r), nil)
		if got, want := oldsite.Text(a.Body["methods"]), oldsite.Text(slices.Concat(r.methods...)); err == nil && got != want {
			err = fmt.Errorf("it answers %s with %.80s, not %s", a.Status, got, want)
		}
		return err
	})
	c.point(r.section, "HEAD "+shown+" answers as GET", kind, func() error {
		head, err := c.site.Ask(c.ctx, http.MethodHead, c.at(r), nil)
		if err == nil && head.Code != http.StatusOK {
			err = fmt.Errorf("it answers %s", head.Status)
		}
		return err
	})
}

// isDate matches a default that is computed at the time of the request.
var isDate = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`)

// argument compares a parameter in the index with its row. The Events Calendar writes some defaults as texts.
func (c *checker) argument(row *params.Row, arg object) error {
	if arg == nil {
		return errors.New("it is missing")
	}
	items, _ := arg["items"].(object)
	standard := oldsite.Text(arg["default"])
	if standard == "1" && row.Kind == params.Bool {
		standard = "true"
	}
	want := standard
	if value := row.Value(params.Env{PerPage: 10, Namespace: c.index.Namespace}); row.Kind == params.Date && row.Dynamic != nil {
		if !isDate.MatchString(standard) {
			want = "a date"
		}
	} else if want = fmt.Sprint(value); value == nil || value == params.Null {
		want = "null"
	}
	for _, member := range [][3]string{
		{"required", strconv.FormatBool(row.Required), oldsite.Text(arg["required"])}, {"type", row.Type, oldsite.Text(arg["type"])},
		{"format", row.Format, oldsite.Text(arg["format"])}, {"items", row.Items, oldsite.Text(items["type"])}, {"default", want, standard},
	} {
		if member[1] != member[2] && (member[1] != "" || member[2] != "null") {
			return fmt.Errorf("%s is %.80s, not %s", member[0], member[2], member[1])
		}
	}
	return nil
}

// documented asks whether /doc is an OpenAPI document with all that can be read.
func (c *checker) documented(routes []*route) error {
	a, err := c.get("/doc", nil)
	if version := oldsite.Text(a.Body["openapi"]); err == nil && !strings.HasPrefix(version, "3.") {
		err = fmt.Errorf("openapi is %.80s", version)
	}
	paths, _ := a.Body["paths"].(object)
	for _, r := range routes {
		operations, _ := paths[r.path].(object)
		get, has := operations["get"].(object)
		if !has && r.path != "" && err == nil {
			err = fmt.Errorf("there is no get of %s", r.path)
		}
		parameters := oldsite.Records(get["parameters"])
		for _, row := range r.tables[0] {
			if has && !row.Own && !slices.ContainsFunc(parameters, func(p object) bool { return p["name"] == row.Name }) {
				err = fmt.Errorf("get of %s has no parameter %s", r.path, row.Name)
			}
		}
	}
	return err
}

// record asks for one record: by its id or slug, and by others that there are not.
func (c *checker) record(r *route) {
	c.point(r.section, "GET "+r.path+" answers with the record", r.kind, func() error {
		a, err := c.get(c.at(r), nil)
		if err == nil && oldsite.ID(a.Body) != oldsite.ID(c.samples[r.kind]) {
			err = fmt.Errorf("%s has the id %.80s", c.at(r), oldsite.Text(a.Body["id"]))
		}
		return err
	})
	refused := func(name, value, kind string, status int, code, param string) {
		c.point(r.section, "GET "+r.path+" refuses "+name, kind, func() error {
			id := strings.ReplaceAll(value, "{id}", oldsite.Text(c.samples[kind]["id"]))
			return c.refused(strings.NewReplacer("{id}", id, "{slug}", id).Replace(r.path), nil, status, code, param)
		})
	}
	if strings.HasSuffix(r.path, "{slug}") {
		refused("an unknown slug", "no-such-slug", "", http.StatusBadRequest, "rest_invalid_param", "slug")
		return
	}
	refused("an id that is no number", "no-id", "", http.StatusNotFound, "rest_no_route", "")
	if r.kind != "events" {
		refused("an unknown id", "999999999", "", http.StatusBadRequest, "rest_invalid_param", "id")
		if r.kind == "venues" || r.kind == "organizers" {
			refused("the id of an event", "{id}", "events", http.StatusBadRequest, "rest_invalid_param", "id")
		}
		return
	}
	refused("an unknown id", "999999999", "", http.StatusNotFound, "rest-event-not-found", "")
	refused("the id of a venue", "{id}", "venues", http.StatusBadRequest, "rest-invalid-event-id", "")
	c.point(r.section, "GET "+r.path+" refuses an empty password", r.kind, func() error {
		return c.refused(c.at(r), url.Values{"password": {""}}, http.StatusBadRequest, "rest_invalid_param", "password")
	})
}

// field asks for the type of a field of the sample. Venues and organizers leave out empty ones.
func (c *checker) field(r *route, row *params.Row) error {
	value, has := c.samples[r.kind][row.Name]
	if !has && !row.Required && (r.kind == "venues" || r.kind == "organizers") {
		return skip("the record has none")
	}
	want := "string"
	switch {
	case row.Kind == params.Bool || row.Kind == params.Truthy:
		want = "bool"
	case row.Kind == params.Image:
		want = "bool or map[string]interface {}" // false for none
	case row.Items != "":
		want = "[]interface {} or map[string]interface {}"
	case row.Name == "parent":
		want = "json.Number"
	}
	if is := fmt.Sprintf("%T", value); !has || !slices.Contains(strings.Split(want, " or "), is) {
		return fmt.Errorf("it is %.80s", oldsite.Text(value))
	}
	return nil
}
