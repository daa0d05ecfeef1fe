package compare

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/move/client"
	"almanac/move/oldsite"
)

type object = oldsite.Object

// A recordID is the id of a record of a kind.
type recordID struct {
	kind string
	id   int64
}

// A side is one of the two sites.
type side struct {
	*oldsite.Site
	index oldsite.Index
	twins map[recordID]int64 // ids of the other side
}

// newPlain returns a replacer for the addresses of both sides in texts: links to the old site may
// stay.
func newPlain(sides [2]side) *strings.Replacer {
	var apis, homes []string
	add := func(to *[]string, address, name string) {
		_, rest, _ := strings.Cut(address, "://")
		*to = append(*to, "https://"+rest, name, "http://"+rest, name)
	}
	for _, s := range sides {
		add(&apis, s.index.API, "{api}")
		add(&apis, s.Root.String(), "{api}")
		add(&homes, s.index.Home, "{site}")
	}
	return strings.NewReplacer(append(apis, homes...)...) // the first that fits
}

// A comparison is a comparison of two sides, the old one first. The first error ends it.
type comparison struct {
	ctx     context.Context
	err     error
	sides   [2]side
	plain   *strings.Replacer // for addresses of both sides
	pages   map[string]string // new paths by changed old ones; nil collects none
	visitor *client.Crawler   // asks the new side for old addresses of pages; nil until then
	led     string            // path to which that was led
	report  report
	samples map[string][]object // by kind: records of the old side for filters
	loose   map[string]int      // by kind: records that differ, or that one side lacks
	lost    int                 // events that one side lacks
	kept    int                 // bytes of names and differences, about
}

// keptMost bounds the bytes that the command keeps of both sites in memory. entrySize is the size
// of an entry without its text.
const (
	keptMost  = 256 << 20
	entrySize = 100
)

// keep counts a text that stays in memory until the end.
func (c *comparison) keep(size int) {
	if c.kept += size + entrySize; c.kept > keptMost && c.err == nil {
		c.err = fmt.Errorf(
			"there is no end: names and differences of the sites take more than %d MiB",
			keptMost>>20,
		)
	}
}

func (c *comparison) compare() {
	c.plain = newPlain(c.sides)
	c.members(place{c, "index", "routes"}, "", c.sides[0].index.Routes, c.sides[1].index.Routes)
	for _, k := range oldsite.Kinds {
		c.records(k)
	}
	for i := range c.report.Differences {
		d := &c.report.Differences[i]
		a, _ := strconv.Atoi(d.Old)
		b, _ := strconv.Atoi(d.New)
		if d.Field == "count" && max(a-b, b-a) <= c.lost {
			c.report.Groups[d.Group]--
			c.report.Groups[expected]++
			d.Group = expected
			d.Why = following
		}
	}
	for _, k := range oldsite.Kinds {
		c.lists(k)
	}
}

// ask asks a side for a route. It is an error if the side has no object to answer with.
func (c *comparison) ask(side int, route string, query url.Values) (a oldsite.Answer) {
	if c.err != nil {
		return a
	}
	a, err := c.sides[side].Ask(c.ctx, route, query)
	if err == nil && (a.Body == nil || a.Code >= 500 || a.Code == http.StatusTooManyRequests) {
		err = fmt.Errorf("it answers %s", a.Status)
	}
	if err != nil {
		c.err = fmt.Errorf("%s: %w", c.sides[side].Address(route[1:], query), err)
	}
	return a
}

// totals are the members of a list that its headers repeat.
var totals = map[string]string{"X-Tec-Total": "total", "X-Tec-Totalpages": "total_pages"}

// both calls a function with two answers, or compares their errors.
func (c *comparison) both(
	at place,
	field string,
	old, now oldsite.Answer,
	do func(old, now object),
) {
	if a, b := fmt.Sprint(old.Code, " ", old.Body["code"]), fmt.Sprint(now.Code, " ", now.Body["code"]); a != b &&
		c.err == nil {
		at.add(field, a, b)
	} else if old.Code == http.StatusOK && c.err == nil {
		for header, member := range totals {
			a := old.Header.Get(header)
			b := now.Header.Get(header)
			if a != b && oldsite.Text(old.Body[member]) == oldsite.Text(now.Body[member]) {
				at.add(header, a, b)
			}
		}
		do(old.Body, now.Body)
	}
}

// each returns the records of a kind, page by page. A page without a new record is the last one:
// pages of a list that changes overlap.
func (c *comparison) each(side int, k oldsite.Kind) iter.Seq[object] {
	return func(yield func(object) bool) {
		seen := map[int64]bool{}
		for page := 1; ; page++ {
			query := k.Page(page)
			a := c.ask(side, "/"+k.Name, query)
			if page == 1 && a.Code != http.StatusOK {
				c.err = cmp.Or(
					c.err,
					fmt.Errorf("%s answers %s", c.sides[side].Address(k.Name, query), a.Status),
				)
			}
			before := len(seen)
			for _, record := range oldsite.Records(a.Body[k.Name]) {
				if id := oldsite.ID(record); !seen[id] {
					seen[id] = true
					c.keep(0)
					if !yield(record) {
						return
					}
				}
			}
			if len(seen) == before || int64(page) >= oldsite.Number(a.Body["total_pages"]) {
				return
			}
		}
	}
}

// keysOf returns the keys by which a record is found at another site, the best first.
func keysOf(record object) (keys []string) {
	lineage, _ := record["global_id_lineage"].([]any)
	for _, id := range append(lineage, record["global_id"]) {
		if id != nil {
			keys = append(keys, oldsite.Text(id))
		}
	}
	return append(keys, "slug "+oldsite.Slug(record))
}

// nameOf returns the slug of a record, or its id.
func nameOf(
	record object,
) string {
	return cmp.Or(oldsite.Slug(record), oldsite.Text(record["id"]))
}

// records compares all records of a kind: lists of the old side with single records of the new
// one.
func (c *comparison) records(k oldsite.Kind) {
	found := map[string]int64{}
	left := map[int64]string{} // by key, and names of records that have no twin yet
	for record := range c.each(1, k) {
		left[oldsite.ID(record)] = nameOf(record)
		for _, key := range keysOf(record) {
			c.keep(len(key))
			found[key] = cmp.Or(found[key], oldsite.ID(record))
		}
	}
	n := 0
	for record := range c.each(0, k) {
		at := place{c, k.Name, nameOf(record)}
		keys := keysOf(record)
		i := slices.IndexFunc(keys, func(key string) bool { return left[found[key]] != "" })
		if i < 0 {
			at.lacks(k.IsProtected(record), "there", "missing")
			continue
		}
		id := oldsite.ID(record)
		twin := found[keys[i]]
		delete(left, twin)
		c.sides[0].twins[recordID{k.Name, id}] = twin
		c.sides[1].twins[recordID{k.Name, twin}] = id
		c.report.Records[k.Name]++
		now := c.ask(1, fmt.Sprintf("/%s/%d", k.Name, twin), nil)
		if k.Name == "events" && k.IsProtected(record) && now.Code == http.StatusForbidden {
			continue // a password hides both
		}
		before := len(c.report.seen)
		c.both(at, "by id", oldsite.Answer{
			Code: http.StatusOK,
			Body: record,
		}, now, func(old, now object) { c.record(k.Name, old, now) })
		if len(c.report.seen) > before {
			c.loose[k.Name]++
		}
		if n++; n&(n-1) == 0 &&
			now.Code == http.StatusOK { // 1, 2, 4, 8 …: some of each part of the list
			c.samples[k.Name] = append(c.samples[k.Name], record)
		}
		if c.err != nil {
			return
		}
	}
	for _, id := range slices.Sorted(maps.Keys(left)) {
		place{c, k.Name, left[id]}.lacks(false, "missing", "there")
	}
}

// lists compares lists of a kind: for each parameter of the specification a list by a value of a
// sample, and the list without any. Parameters without a value for it are left out.
func (c *comparison) lists(k oldsite.Kind) {
	c.list(k, [2]url.Values{})
	var event object
	if events := c.samples["events"]; len(events) > 0 {
		event = events[len(events)/2]
	}
	for i := range k.List {
		row := &k.List[i]
		for n, samples := 0, c.samples[k.Name]; n < len(samples) && !row.Own; n++ {
			sample := samples[(i+n)%len(samples)] // in turn, so that a few requests look at many records
			value, of := k.Sample(row, sample, event)
			id, _ := strconv.ParseInt(value, 10, 64) // of a record of a kind
			twin, known := c.sides[0].twins[recordID{of, id}]
			now := value
			if known {
				now = strconv.FormatInt(twin, 10)
			}
			if value != "" && (of == "" || known) {
				c.list(k, [2]url.Values{k.Query(row, value, sample), k.Query(row, now, sample)})
				break
			}
		}
	}
}

// list compares a list, each side with its own query.
func (c *comparison) list(k oldsite.Kind, queries [2]url.Values) {
	at := place{c, k.Name, "?" + queries[0].Encode()}
	c.report.Lists++
	c.both(
		at,
		"status",
		c.ask(0, "/"+k.Name, queries[0]),
		c.ask(1, "/"+k.Name, queries[1]),
		func(old, now object) {
			rest := maps.Clone(old)
			delete(rest, k.Name)
			if c.total(at, old, now) {
				for _, member := range []string{"total", "total_pages", "next_rest_url"} {
					delete(rest, member)
				}
			}
			c.members(at, "", rest, now)
			c.order(at, k, old, now)
		},
	)
}

// slack returns the number of records by which lists of a kind may differ: those that differ
// themselves, or that one side lacks. Lists of other kinds depend on events.
func (c *comparison) slack(kind string) int {
	if kind == "events" {
		return c.loose[kind]
	}
	return c.loose[kind] + c.lost
}

// Reasons of differences that are not ours.
const (
	following = "numbers follow from records that differ, or that one side lacks"
	sorting   = "the order of names depends on the language"
)

// total notes different totals, and reports whether it did.
func (c *comparison) total(at place, old, now object) bool {
	a := oldsite.Number(old["total"])
	b := oldsite.Number(now["total"])
	switch {
	case a == b:
		return false
	case at.of == "categories" && a < b:
		at.note(theirs, "totals leave out categories whose events are all below them", "total", a, b)
	case max(a-b, b-a) <= int64(c.slack(at.of)):
		at.note(expected, following, "total", a, b)
	default:
		at.add("total", a, b)
	}
	return true
}

// order compares the records of a list, and their order: those with equal dates have any, also
// across the end of a page.
func (c *comparison) order(at place, k oldsite.Kind, old, now object) {
	lists := [2][]object{oldsite.Records(old[k.Name]), oldsite.Records(now[k.Name])}
	idOf := func(side int, record object) int64 {
		id := oldsite.ID(record)
		if side == 1 {
			id = cmp.Or(c.sides[1].twins[recordID{k.Name, id}], -id)
		}
		return id
	}
	var records [2]map[int64]object
	for side, list := range lists {
		records[side] = map[int64]object{}
		for _, record := range list {
			records[side][idOf(side, record)] = record
		}
	}
	lone := 0
	for side := range records {
		for id, record := range records[side] {
			if other := records[1-side][id]; other == nil {
				lone++
			} else if side == 0 {
				c.record(k.Name, record, other)
			}
		}
	}
	isClose := lone <= 2*c.slack(k.Name) // a page that lacks one record has one of the next page
	var ids [2][]int64
	var ranked [2][]string
	for side, list := range lists {
		for _, record := range list {
			id := idOf(side, record)
			if isClose && records[1-side][id] == nil {
				continue
			}
			rank := oldsite.Text(record["start_date"]) + oldsite.Text(record["date"])
			if isTerm(k.Name) {
				rank = oldsite.Slug(record)
			}
			ids[side] = append(ids[side], id)
			ranked[side] = append(ranked[side], rank)
		}
	}
	isSame := slices.Equal(slices.Sorted(slices.Values(ids[0])), slices.Sorted(slices.Values(ids[1])))
	switch {
	case slices.Equal(ids[0], ids[1]):
	case slices.Equal(ranked[0], ranked[1]) && (isSame || oldsite.Number(old["total_pages"]) > 1):
	case isSame && isTerm(k.Name):
		at.note(expected, sorting, "records", names(old[k.Name]), names(now[k.Name]))
	default:
		at.add("records", names(old[k.Name]), names(now[k.Name]))
	}
}

func isTerm(kind string) bool { return kind == "categories" || kind == "tags" }
