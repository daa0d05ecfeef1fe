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

	"almanac/internal/oldsite"
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
	report  report
	samples map[string][]object // by kind: records of the old side for filters
	uneven  map[string]bool     // kinds with records that one side lacks
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
		for _, header := range []string{"X-Tec-Total", "X-Tec-Totalpages"} {
			if a, b := old.Header.Get(header), now.Header.Get(header); a != b {
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
		query := url.Values{"per_page": {strconv.Itoa(oldsite.PageSize)}}
		maps.Copy(query, k.All)
		seen := map[int64]bool{}
		for page := 1; ; page++ {
			query.Set("page", strconv.Itoa(page))
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
			c.uneven[k.Name] = true
			at.add("", "there", "missing")
			continue
		}
		id := oldsite.ID(record)
		twin := found[keys[i]]
		delete(left, twin)
		c.sides[0].twins[recordID{k.Name, id}] = twin
		c.sides[1].twins[recordID{k.Name, twin}] = id
		c.report.Records[k.Name]++
		now := c.ask(1, fmt.Sprintf("/%s/%d", k.Name, twin), nil)
		if k.Name == "events" && isProtected(record) && now.Code == http.StatusForbidden {
			continue // a password hides both
		}
		c.both(at, "by id", oldsite.Answer{
			Code: http.StatusOK,
			Body: record,
		}, now, func(old, now object) { c.record(k.Name, old, now) })
		if n++; n&(n-1) == 0 &&
			now.Code == http.StatusOK { // 1, 2, 4, 8 …: some of each part of the list
			c.samples[k.Name] = append(c.samples[k.Name], record)
		}
		if c.err != nil {
			return
		}
	}
	for _, id := range slices.Sorted(maps.Keys(left)) {
		c.uneven[k.Name] = true
		place{c, k.Name, left[id]}.add("", "missing", "there")
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

// ranks are the members that lists are ordered by: records with equal ones have any order, also
// across the end of a page.
var ranks = map[string][2]string{
	"categories": {"slug"},
	"tags":       {"slug"},
	"venues":     {"date"},
	"organizers": {"date"},
	"events":     {"start_date", "date"},
}

// list compares a list, each side with its own query.
func (c *comparison) list(k oldsite.Kind, queries [2]url.Values) {
	at := place{c, k.Name, "?" + queries[0].Encode()}
	if c.uneven[k.Name] || c.uneven["events"] && k.Name != "events" {
		return // told already
	}
	c.report.Lists++
	c.both(
		at,
		"status",
		c.ask(0, "/"+k.Name, queries[0]),
		c.ask(1, "/"+k.Name, queries[1]),
		func(old, now object) {
			var ids [2][]int64
			var order [2][]string
			records := map[int64]object{}
			for side, body := range []object{old, now} {
				for _, record := range oldsite.Records(body[k.Name]) {
					id := oldsite.ID(record)
					if side == 1 {
						id = cmp.Or(c.sides[1].twins[recordID{k.Name, id}], -id)
					}
					ids[side] = append(ids[side], id)
					order[side] = append(
						order[side],
						oldsite.Text(
							record[ranks[k.Name][0]],
						)+oldsite.Text(
							record[ranks[k.Name][1]],
						),
					)
					if side == 0 {
						records[id] = record
					} else if records[id] != nil {
						c.record(k.Name, records[id], record)
					}
				}
			}
			rest := maps.Clone(old)
			delete(rest, k.Name)
			c.members(at, "", rest, now)
			tied := slices.Equal(order[0], order[1])
			if oldsite.Number(old["total_pages"]) < 2 {
				tied = tied &&
					slices.Equal(
						slices.Sorted(slices.Values(ids[0])),
						slices.Sorted(slices.Values(ids[1])),
					)
			}
			if !tied && !slices.Equal(ids[0], ids[1]) {
				at.add("records", names(old[k.Name]), names(now[k.Name]))
			}
		},
	)
}
