package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/api"
	"almanac/internal/wire/params"
	"almanac/move/oldsite"
)

// An operation is a route of the specification with its methods.
type operation struct {
	methods []string
	path    string // below the namespace, as /events/{id}
	kind    string // its first part, as events
	section string
	params  params.Table
}

// sections are the sections of the specification about the routes of a kind.
var sections = map[string]string{
	"":           "4.1",
	"doc":        "4.1",
	"events":     "4.2",
	"venues":     "4.3",
	"organizers": "4.4",
	"categories": "4.5",
	"tags":       "4.6",
}

// specified returns the operations of the specification among those of almanac, which has more.
func specified(routes Routes) (found []operation) {
	routes(func(pattern string, op *api.Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		path, ok := strings.CutPrefix(path, "/"+api.Namespace)
		kind, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		section, is := sections[kind]
		if ok && is && slices.Contains([]string{"", "{id}", "by-slug/{slug}"}, rest) {
			found = append(
				found,
				operation{strings.Split(methods, ","), path, kind, section, op.Params},
			)
		}
	})
	return found
}

// run asks for all points of all operations.
func (c *checker) run(operations []operation) {
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
	for _, op := range operations {
		c.described(op)
		switch isRead := op.methods[0] == http.MethodGet; {
		case isRead && op.path == "/doc":
			c.point(
				op.section,
				"GET /doc describes every route",
				"",
				func() error { return c.documented(operations) },
			)
		case isRead && strings.HasSuffix(op.path, "}"):
			c.record(op)
		case isRead && op.kind != "":
			c.list(op)
		}
	}
}

// findSamples finds an event with as many linked records as possible, and a record of each other
// kind: that of the event, if it has one.
func (c *checker) findSamples() {
	for _, k := range slices.Backward(oldsite.Kinds) { // events first
		most := -1
		for _, query := range []url.Values{{"per_page": {strconv.Itoa(oldsite.PageSize)}}, k.All} {
			a, _ := c.get("/"+k.Name, query) // the points of lists tell errors
			c.ordered[k.Name] = slices.DeleteFunc(oldsite.Records(a.Body[k.Name]), k.IsProtected)
			c.records[k.Name] = append(c.records[k.Name], c.ordered[k.Name]...)
			for _, record := range c.ordered[k.Name] {
				links := 0
				for member := range oldsite.Linked {
					links += min(len(oldsite.Records(record[member])), 1)
				}
				if links > most {
					most = links
					c.samples[k.Name] = record
				}
			}
		}
	}
	for member, kind := range oldsite.Linked {
		for _, record := range oldsite.Records(c.samples["events"][member]) {
			if !oldsite.KindOf(kind).IsProtected(record) {
				c.samples[kind] = record
			}
		}
	}
}

// at returns the path of an operation for the sample.
func (c *checker) at(op operation) string {
	sample := c.samples[op.kind]
	return strings.NewReplacer("{id}", oldsite.Text(sample["id"]), "{slug}", oldsite.Slug(sample)).
		Replace(op.path)
}

// described asks whether the index has an operation and its parameters.
func (c *checker) described(op operation) {
	name := strings.Join(op.methods, ", ") + " /" + strings.TrimPrefix(op.path, "/")
	var args object
	c.point(op.section, name+" is in the index", "", func() error {
		path := strings.NewReplacer("{id}", `(?P<id>\d+)`, "{slug}", "(?P<slug>[^/]+)").
			Replace(op.path)
		description, _ := c.index.Routes[path].(object)
		for _, endpoint := range oldsite.Records(description["endpoints"]) {
			if oldsite.Text(endpoint["methods"]) == oldsite.Text(op.methods) {
				args, _ = endpoint["args"].(object)
				return nil
			}
		}
		return errors.New("there is no endpoint with these methods")
	})
	for i := range op.params {
		if row := &op.params[i]; !row.Own && !row.Unlisted {
			arg, _ := args[row.Name].(object)
			c.point(
				op.section,
				name+" "+row.Name+" is described",
				"",
				func() error { return c.argument(row, arg) },
			)
		}
	}
}

// argument compares a parameter in the index with its row.
func (c *checker) argument(row *params.Row, arg object) error {
	if arg == nil {
		return errors.New("it is missing")
	}
	items, _ := arg["items"].(object)
	want := oldsite.Computed
	if row.Kind != params.Date || row.Dynamic == nil {
		want = oldsite.Text(row.Value(params.Env{PerPage: 10, Namespace: want}))
	}
	for _, member := range [][3]string{
		{"required", strconv.FormatBool(row.Required), oldsite.Text(arg["required"])}, {"type", row.Type, oldsite.Text(arg["type"])},
		{"format", row.Format, oldsite.Text(arg["format"])}, {"items", row.Items, oldsite.Text(items["type"])},
		{"default", want, c.index.Default(arg["default"])},
	} {
		if member[1] != member[2] && (member[1] != "" || member[2] != "null") {
			return fmt.Errorf("%s is %.80s, not %s", member[0], member[2], member[1])
		}
	}
	return nil
}

// documented asks whether /doc is an OpenAPI document with all that can be read.
func (c *checker) documented(operations []operation) error {
	a, err := c.get("/doc", nil)
	paths, _ := a.Body["paths"].(object)
	for _, op := range operations {
		if path, _ := paths[op.path].(object); err == nil && op.path != "" &&
			op.methods[0] == http.MethodGet &&
			path["get"] == nil {
			err = fmt.Errorf("there is no get of %s", op.path)
		}
	}
	return err
}

// record asks for one record: by its id or slug, and by others that there are not.
func (c *checker) record(op operation) {
	name := "GET " + op.path
	c.point(op.section, name+" answers with the record", op.kind, func() error {
		a, err := c.get(c.at(op), nil)
		if err == nil && oldsite.ID(a.Body) != oldsite.ID(c.samples[op.kind]) {
			err = fmt.Errorf("%s has the id %.80s", c.at(op), oldsite.Text(a.Body["id"]))
		}
		if err == nil {
			err = inForm(op.kind, a.Body)
		}
		return err
	})
	venue := oldsite.Text(c.samples["venues"]["id"])
	event := oldsite.Text(c.samples["events"]["id"])
	isEvent := op.kind == "events"
	isPost := op.kind == "venues" || op.kind == "organizers"
	bySlug := strings.HasSuffix(op.path, "{slug}")
	for _, r := range []struct {
		is                bool
		name, value, kind string // of the record with the id
		status            int
		code, param       string
	}{
		{bySlug, "an unknown slug", "no-such-slug", "", http.StatusBadRequest, "rest_invalid_param", "slug"},
		{!bySlug, "an id that is no number", "no-id", "", http.StatusNotFound, "rest_no_route", ""},
		{!bySlug && isEvent, "an unknown id", "999999999", "", http.StatusNotFound, "rest-event-not-found", ""},
		{!bySlug && !isEvent, "an unknown id", "999999999", "", http.StatusBadRequest, "rest_invalid_param", "id"},
		{!bySlug && isEvent, "the id of a venue", venue, "venues", http.StatusBadRequest, "rest-invalid-event-id", ""},
		{!bySlug && isPost, "the id of an event", event, "events", http.StatusBadRequest, "rest_invalid_param", "id"},
	} {
		if r.is {
			c.point(op.section, name+" refuses "+r.name, r.kind, func() error {
				return c.refused(
					op.path[:strings.IndexByte(op.path, '{')]+r.value,
					nil,
					r.status,
					r.code,
					r.param,
				)
			})
		}
	}
	if isEvent && !bySlug {
		c.point(op.section, name+" refuses an empty password", op.kind, func() error {
			return c.refused(c.at(op), url.Values{
				"password": {""},
			}, http.StatusBadRequest, "rest_invalid_param", "password")
		})
	}
}
