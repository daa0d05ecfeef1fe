package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/oldsite"
	"almanac/internal/params"
)

// list asks for a list: its form, and each parameter by a value that finds a sample, by a wrong value and by its default.
func (c *checker) list(r *route) {
	k := oldsite.Kinds[slices.IndexFunc(oldsite.Kinds, func(k oldsite.Kind) bool { return k.Name == r.kind })]
	shown := "GET " + r.path
	c.point(r.section, shown+" answers with a list, totals and links", "", func() error {
		a, err := c.get(r.path, nil)
		_, isList := a.Body[r.kind].([]any)
		_, isText := a.Body["rest_url"].(string)
		total, pages := oldsite.Text(a.Body["total"]), oldsite.Text(a.Body["total_pages"])
		if err == nil && (!isList || !isText || a.Header.Get("X-TEC-Total") != total || a.Header.Get("X-TEC-TotalPages") != pages) {
			err = fmt.Errorf("%s or rest_url is missing, or total %.20s and total_pages %.20s are not in the header", r.kind, total, pages)
		}
		return err
	})
	c.point(r.section, shown+" ignores unknown parameters", "", func() error {
		_, err := c.get(r.path, url.Values{"no_such_parameter": {"1"}})
		return err
	})
	c.point(r.section, shown+" has an end", "", func() error {
		query := url.Values{"page": {"999999"}}
		if r.kind != "categories" && r.kind != "tags" {
			return c.refused(r.path, query, http.StatusNotFound, strings.TrimSuffix(r.kind, "s")+"-archive-page-not-found", "")
		}
		a, err := c.get(r.path, query)
		if err == nil && len(ids(a, r.kind)) > 0 {
			err = errors.New("page 999999 has records")
		}
		return err
	})
	for i := range r.tables[0] {
		row := &r.tables[0][i]
		if row.Own {
			continue
		}
		name := shown + "?" + row.Name
		c.point(r.section, name+" has its effect", r.kind, func() error { return c.effect(k, row) })
		if wrong, is := refusedValues[row.Kind]; is {
			c.point(r.section, name+" refuses "+strconv.Quote(wrong), "", func() error {
				return c.refused(r.path, url.Values{row.Name: {wrong}}, http.StatusBadRequest, "rest_invalid_param", row.Name)
			})
		}
		if row.Default != nil || row.Dynamic != nil {
			c.point(r.section, name+" has its default", "", func() error { return c.standard(r, row) })
		}
	}
}

// refusedValues are values that no parameter of a kind takes.
var refusedValues = map[params.Kind]string{params.Page: "0", params.Date: "bad", params.LenientBool: "", params.Text: "",
	params.Terms: "no-such-term", params.IDs: "no-id", params.Bool: "maybe", params.Statuses: "no-status",
	params.Include: "no-id", params.ID: "no-id", params.TermIDs: "no-id"}

// standard compares a list without a parameter with the list with its default: that of its row, and dates as the index shows them.
func (c *checker) standard(r *route, row *params.Row) error {
	query := url.Values{row.Name: {fmt.Sprint(row.Value(params.Env{PerPage: 10}))}} // section 8
	if description, _ := c.index.Routes[r.path].(object); row.Kind == params.Date {
		for _, endpoint := range oldsite.Records(description["endpoints"]) {
			args, _ := endpoint["args"].(object)
			if arg, _ := args[row.Name].(object); arg["default"] != nil {
				query.Set(row.Name, oldsite.Text(arg["default"]))
			}
		}
	}
	without, err := c.get(r.path, nil)
	if err != nil {
		return err
	}
	with, err := c.get(r.path, query)
	if a, b := ids(without, r.kind), ids(with, r.kind); err == nil && (!slices.Equal(a, b) ||
		oldsite.Text(without.Body["total"]) != oldsite.Text(with.Body["total"])) {
		err = fmt.Errorf("%s is another list than without it: %v, not %v", c.shown(r.path, query), b, a)
	}
	return err
}

func ids(a oldsite.Answer, kind string) (all []int64) {
	for _, record := range oldsite.Records(a.Body[kind]) {
		all = append(all, oldsite.ID(record))
	}
	return all
}

// effect asks whether a list has the records that a value finds, and no others.
func (c *checker) effect(k oldsite.Kind, row *params.Row) error {
	sample, path := c.samples[k.Name], "/"+k.Name
	if strings.HasPrefix(row.Name, "geoloc") { // section 4.2: they need an extension, and have no effect without it
		query := url.Values{"geoloc": {"false"}}
		if row.Name != "geoloc" {
			query = url.Values{"geoloc_lat": {"1"}, "geoloc_lng": {"1"}}
		}
		_, err := c.get(path, query)
		return err
	}
	value, _ := k.Sample(row, sample, c.samples["events"])
	if row.Name == "post_parent" {
		value = oldsite.Text(sample["id"])
	}
	if value == "" {
		return skip("no record has it")
	}
	query := k.Query(row, value, sample)
	switch row.Name {
	case "page":
		return c.pages(k, query)
	case "order", "orderby": // the order of texts depends on the language
		query.Set("orderby", "id")
	}
	a, err := c.get(path, query)
	if err != nil {
		return err
	}
	records, total := oldsite.Records(a.Body[k.Name]), oldsite.Number(a.Body["total"])
	for _, record := range records {
		if !holds(k, row.Name, value, record) {
			return fmt.Errorf("%s shows %.80q", c.shown(path, query), oldsite.Text(record["slug"]))
		}
	}
	switch row.Name {
	case "per_page":
		if pages := (total + 2) / 3; len(records) > 3 || oldsite.Number(a.Body["total_pages"]) != pages {
			return fmt.Errorf("%s shows %d records, and total_pages is not %d", c.shown(path, query), len(records), pages)
		}
	case "order", "orderby":
		all := ids(a, k.Name)
		if row.Name == "order" {
			slices.Reverse(all)
		}
		if !slices.IsSorted(all) {
			return fmt.Errorf("%s is not sorted by id", c.shown(path, query))
		}
	case "search", "categories", "tags", "venue", "organizer", "featured", "status", "include", "slug", "parent":
		if total > int64(len(records)) && k.Name == "events" { // the days around the sample
			day := oldsite.Text(sample["start_date"])
			query.Set("starts_after", day+" -1 day")
			query.Set("starts_before", day)
			if a, err = c.get(path, query); err != nil {
				return err
			}
		}
		if all := ids(a, k.Name); !slices.Contains(all, oldsite.ID(sample)) && oldsite.Number(a.Body["total"]) <= int64(len(all)) {
			return fmt.Errorf("%s does not show %.80q", c.shown(path, query), oldsite.Text(sample["slug"]))
		}
	case "event", "post":
		return c.linked(k, a)
	}
	return nil
}

// pages asks whether a second page goes on after the first.
func (c *checker) pages(k oldsite.Kind, query url.Values) error {
	query.Del("page")
	first, err := c.get("/"+k.Name, query)
	if err != nil {
		return err
	}
	if oldsite.Number(first.Body["total_pages"]) < 2 {
		return skip("there is one page only")
	}
	query.Set("page", "2")
	second, err := c.get("/"+k.Name, query)
	if err != nil {
		return err
	}
	before := ids(first, k.Name)
	if again := slices.IndexFunc(ids(second, k.Name), func(id int64) bool { return slices.Contains(before, id) }); again >= 0 {
		return errors.New("page 2 shows a record of page 1")
	}
	_, next := first.Body["next_rest_url"].(string)
	if _, previous := second.Body["previous_rest_url"].(string); !next || !previous {
		return errors.New("page 1 has no next_rest_url, or page 2 no previous_rest_url")
	}
	return nil
}

// linked asks whether a list by an event has the records that the event shows.
func (c *checker) linked(k oldsite.Kind, a oldsite.Answer) error {
	event := c.samples["events"]
	for member, kind := range oldsite.Linked {
		want := ids(oldsite.Answer{Body: event}, member)
		if got := ids(a, k.Name); kind == k.Name && !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			return fmt.Errorf("the list by the event %.20s has %v, and the event has %v", oldsite.Text(event["id"]), got, want)
		}
	}
	return nil
}

// holds reports whether a record may be in a list by a value of a parameter. Dates stand for whole days.
func holds(k oldsite.Kind, name, value string, record object) bool {
	day := func(text string) string { return text[:min(len(text), len("2006-01-02"))] }
	start, end, of := day(oldsite.Text(record["start_date"])), day(oldsite.Text(record["end_date"])), day(value)
	switch name {
	case "start_date":
		return start >= of
	case "starts_after":
		return start > of
	case "starts_before":
		return start <= of
	case "end_date", "ends_before":
		return end <= of
	case "ends_after":
		return end > of
	case "search":
		return strings.Contains(strings.ToLower(oldsite.Text(record)), strings.ToLower(value))
	case "categories", "tags": // a category finds its children too
		return slices.ContainsFunc(oldsite.Records(record[name]), func(term object) bool {
			return oldsite.Slug(term) == value || oldsite.Number(term["parent"]) > 0
		})
	case "venue", "organizer":
		return slices.ContainsFunc(oldsite.Records(record[name]), func(link object) bool { return oldsite.Text(link["id"]) == value })
	case "featured", "status", "parent":
		return oldsite.Text(record[name]) == value
	case "slug":
		return oldsite.Slug(record) == value
	case "include":
		return oldsite.Text(record["id"]) == value
	case "exclude":
		return oldsite.Text(record["id"]) != value
	}
	return true
}
