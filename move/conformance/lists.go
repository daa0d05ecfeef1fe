package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/wire/params"
	"almanac/move/oldsite"
)

// list asks for a list: its form, and each parameter by a value that finds a sample, by a wrong
// value and by its default.
func (c *checker) list(op operation) {
	k := oldsite.KindOf(op.kind)
	shown := "GET " + op.path
	c.point(op.section, shown+" answers with a list, totals and links", "", func() error {
		a, err := c.get(op.path, nil)
		_, isList := a.Body[op.kind].([]any)
		_, isText := a.Body["rest_url"].(string)
		total := oldsite.Text(a.Body["total"])
		pages := oldsite.Text(a.Body["total_pages"])
		if err == nil &&
			(!isList || !isText || a.Header.Get("X-TEC-Total") != total || a.Header.Get("X-TEC-TotalPages") != pages) {
			err = fmt.Errorf(
				"%s or rest_url is missing, or total %.20s and total_pages %.20s are not in the header",
				op.kind,
				total,
				pages,
			)
		}
		return err
	})
	c.point(op.section, shown+" shows members in their form", op.kind, func() error {
		for _, record := range c.records[op.kind] {
			if err := inForm(op.kind, record); err != nil {
				return err
			}
		}
		return nil
	})
	if op.kind == "events" {
		c.point(op.section, shown+" shows UTC by time zones", op.kind, func() error {
			return inZones(c.records[op.kind])
		})
	}
	c.point(op.section, shown+" is in its order", op.kind, func() error {
		return inOrder(op.kind, c.ordered[op.kind])
	})
	c.point(op.section, shown+" has an end", "", func() error {
		query := url.Values{"page": {"999999"}}
		if op.kind != "categories" && op.kind != "tags" {
			return c.refused(
				op.path,
				query,
				http.StatusNotFound,
				strings.TrimSuffix(op.kind, "s")+"-archive-page-not-found",
				"",
			)
		}
		a, err := c.get(op.path, query)
		if err == nil && len(ids(a.Body, op.kind)) > 0 {
			err = errors.New("page 999999 has records")
		}
		return err
	})
	for i := range op.params {
		row := &op.params[i]
		if row.Own {
			continue
		}
		name := shown + "?" + row.Name
		c.point(
			op.section,
			name+" has its effect",
			op.kind,
			func() error { return c.effect(k, row) },
		)
		if wrong, is := refusedValues[row.Kind]; is {
			c.point(op.section, name+" refuses "+strconv.Quote(wrong), "", func() error {
				return c.refused(op.path, url.Values{
					row.Name: {wrong},
				}, http.StatusBadRequest, "rest_invalid_param", row.Name)
			})
		}
		if row.Kind != params.Date && (row.Default != nil || row.Dynamic != nil) {
			c.point(
				op.section,
				name+" has its default",
				"",
				func() error { return c.standard(op, row) },
			)
		}
	}
}

// refusedValues are values that no parameter of a kind takes.
var refusedValues = map[params.Kind]string{
	params.Page:        "0",
	params.Date:        "bad",
	params.LenientBool: "",
	params.Text:        "",
	params.Terms:       "no-such-term",
	params.IDs:         "no-id",
	params.Bool:        "maybe",
	params.Statuses:    "no-status",
	params.Include:     "no-id",
	params.ID:          "no-id",
	params.TermIDs:     "no-id",
}

// standard compares a list without a parameter with the list with its default.
func (c *checker) standard(op operation, row *params.Row) error {
	query := url.Values{row.Name: {oldsite.Text(row.Value(params.Env{PerPage: 10}))}} // section 8
	without, err := c.get(op.path, nil)
	if err != nil {
		return err
	}
	with, err := c.get(op.path, query)
	if a, b := ids(without.Body, op.kind), ids(with.Body, op.kind); err == nil &&
		(!slices.Equal(a, b) ||
			oldsite.Text(without.Body["total"]) != oldsite.Text(with.Body["total"])) {
		err = fmt.Errorf(
			"%s is another list than without it: %v, not %v",
			c.shown(op.path, query),
			b,
			a,
		)
	}
	return err
}

// ids returns the ids of the records of a member.
func ids(body object, member string) (all []int64) {
	for _, record := range oldsite.Records(body[member]) {
		all = append(all, oldsite.ID(record))
	}
	return all
}

// samplesMost bounds the values of a parameter that are asked for.
const samplesMost = 3

// effect asks whether lists have the records that values of samples find, and no others.
func (c *checker) effect(k oldsite.Kind, row *params.Row) error {
	var err error = skip("no record shows it")
	tried := map[string]bool{"": true}
	for _, sample := range append([]object{c.samples[k.Name]}, c.records[k.Name]...) {
		value, _ := k.Sample(row, sample, c.samples["events"])
		if tried[value] || len(tried) > samplesMost {
			continue
		}
		tried[value] = true
		if err = c.effectOf(k, row, sample, value); err != nil {
			return err
		}
	}
	return err
}

func (c *checker) effectOf(k oldsite.Kind, row *params.Row, sample object, value string) error {
	event := c.samples["events"]
	path := "/" + k.Name
	query := k.Query(row, value, sample)
	switch row.Name {
	case "page":
		query.Del("page")
	case "order", "orderby": // the order of texts depends on the language
		query.Set("orderby", "id")
	}
	a, err := c.get(path, query)
	if err != nil {
		return err
	}
	all := ids(a.Body, k.Name)
	total := oldsite.Number(a.Body["total"])
	for _, record := range oldsite.Records(a.Body[k.Name]) {
		if !k.IsProtected(record) && !holds(row.Name, value, record) {
			return fmt.Errorf("%s shows %.80q", c.shown(path, query), oldsite.Text(record["slug"]))
		}
	}
	switch row.Name {
	case "page":
		if oldsite.Number(a.Body["total_pages"]) < 2 {
			return skip("there is one page only")
		}
		query.Set("page", value)
		second, err := c.get(path, query)
		_, next := a.Body["next_rest_url"].(string)
		_, previous := second.Body["previous_rest_url"].(string)
		if again := slices.ContainsFunc(ids(second.Body, k.Name), func(id int64) bool { return slices.Contains(all, id) }); err == nil &&
			(again || !next || !previous) {
			err = fmt.Errorf(
				"%s shows a record of page 1, or the pages have no links to each other",
				c.shown(path, query),
			)
		}
		return err
	case "per_page":
		if pages := (total + 2) / 3; len(all) > 3 ||
			oldsite.Number(a.Body["total_pages"]) != pages {
			return fmt.Errorf(
				"%s shows %d records, and total_pages is not %d",
				c.shown(path, query),
				len(all),
				pages,
			)
		}
	case "order", "orderby":
		if row.Name == "order" {
			slices.Reverse(all)
		}
		if !slices.IsSorted(all) {
			return fmt.Errorf("%s is not sorted by id", c.shown(path, query))
		}
	case "search",
		"categories",
		"tags",
		"venue",
		"organizer",
		"featured",
		"status",
		"include",
		"slug",
		"parent":
		if !slices.Contains(all, oldsite.ID(sample)) && total <= int64(len(all)) {
			return fmt.Errorf(
				"%s does not show %.80q",
				c.shown(path, query),
				oldsite.Text(sample["slug"]),
			)
		}
	case "event", "post":
		for member, kind := range oldsite.Linked {
			want := ids(event, member)
			if kind == k.Name &&
				!slices.Equal(
					slices.Sorted(slices.Values(all)),
					slices.Sorted(slices.Values(want)),
				) {
				return fmt.Errorf(
					"%s has %v, and the event has %v",
					c.shown(path, query),
					all,
					want,
				)
			}
		}
	}
	return nil
}

// holds reports whether a record may be in a list by a value of a parameter. Dates stand for whole
// days.
func holds(name, value string, record object) bool {
	day := func(text string) string { return text[:min(len(text), len("2006-01-02"))] }
	start := day(oldsite.Text(record["start_date"]))
	end := day(oldsite.Text(record["end_date"]))
	of := day(value)
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
		return slices.ContainsFunc(
			oldsite.Records(record[name]),
			func(link object) bool { return oldsite.Text(link["id"]) == value },
		)
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
