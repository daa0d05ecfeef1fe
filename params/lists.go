// Lists: of ids, of terms, of linked records.

package params

import (
	"encoding/json"
	"errors"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// items gives the items of a list: an array, the values of a map, text with
// commas, or one value.
func (c *checker) items() []any {
	var list []any
	switch v := c.raw.value.(type) {
	case []any:
		list = v
	case string:
		for part := range strings.SplitSeq(v, ",") {
			list = append(list, part)
		}
	case map[string]any:
		list = inOrder(v)
	default:
		list = []any{v}
	}
	if len(list) > maxList {
		c.refuse("%s must not have more than %d items.", c.row.Name, maxList)
		return nil
	}
	return list
}

// inOrder gives the values of a map whose keys are numbers, in their order.
func inOrder(m map[string]any) []any {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool {
		a, errA := strconv.Atoi(keys[i])
		b, errB := strconv.Atoi(keys[j])
		if errA != nil || errB != nil {
			return keys[i] < keys[j]
		}
		return a < b
	})
	list := make([]any, len(keys))
	for i, key := range keys {
		list[i] = m[key]
	}
	return list
}

// include takes positive numbers, known or not.
func (c *checker) include() []int64 {
	var ids []int64
	for _, item := range c.items() {
		n, ok := digitsOf(item)
		if !ok || n < 1 {
			c.refuse("%s must be a list of ids.", c.row.Name)
			return nil
		}
		ids = append(ids, n)
	}
	return ids
}

// ids takes ids that all exist.
func (c *checker) ids() []int64 {
	ids := c.include()
	for _, id := range ids {
		if !c.env.Known.Has(c.row.Of, id) {
			c.refuse("%s: there is no %s %d.", c.row.Name, c.row.Of, id)
		}
	}
	return ids
}

// termIDs takes ids of terms. Slugs and names of terms pass and match nothing,
// which 0 stands for.
func (c *checker) termIDs() []int64 {
	ids := []int64{}
	for _, item := range c.items() {
		n, ok := digitsOf(item)
		if ok && n > 0 && c.env.Known.Has(c.row.Of, n) {
			ids = append(ids, n)
			continue
		}
		if text, isText := item.(string); isText && !ok {
			if _, found := c.env.Known.Find(c.row.Of, strings.TrimSpace(text)); found {
				ids = append(ids, 0)
				continue
			}
		}
		c.refuse("%s must be a list of ids of existing %s terms.", c.row.Name, c.row.Of)
	}
	return ids
}

// terms takes terms by id, else by slug or name, that all exist.
func (c *checker) terms() []int64 {
	var ids []int64
	for _, item := range c.items() {
		id, ok := c.term(item)
		if !ok {
			c.refuse("%s must be a list of ids, slugs or names, and %q is none of an existing %s.", c.row.Name, textOf(item), c.row.Of)
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}

// term finds an existing term: a number is an id first, then a slug.
func (c *checker) term(item any) (int64, bool) {
	if n, ok := digitsOf(item); ok && n > 0 && c.env.Known.Has(c.row.Of, n) {
		return n, true
	}
	text := ""
	switch item := item.(type) {
	case string:
		text = strings.TrimSpace(item)
	case json.Number:
		text = item.String()
	}
	if text == "" {
		return 0, false
	}
	return c.env.Known.Find(c.row.Of, text)
}

// termRefs takes terms of a write: by id, slug or name, or as the objects that
// records show. Unknown numbers are skipped, since clients send stale ids;
// unknown names are terms to be made.
func (c *checker) termRefs() []TermRef {
	refs := []TermRef{}
	for _, item := range c.items() {
		if object, ok := item.(map[string]any); ok {
			if item = firstOf(object, "id", "slug", "name"); item == nil {
				c.refuse("%s: an item that is an object must have an id, a slug or a name.", c.row.Name)
				return nil
			}
		}
		switch item.(type) {
		case string, json.Number:
		default:
			c.refuse("%s must be a list of ids, slugs or names.", c.row.Name)
			return nil
		}
		if id, ok := c.term(item); ok {
			refs = append(refs, TermRef{ID: id})
			continue
		}
		text, _ := item.(string)
		text = strings.TrimSpace(text)
		if _, numeric := digitsOf(item); numeric || text == "" {
			continue
		}
		if len(text) > maxName || strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
			c.refuse("%s: a name must be valid UTF-8, not longer than %d bytes, without NUL characters.", c.row.Name, maxName)
			return nil
		}
		refs = append(refs, TermRef{Name: text})
	}
	return refs
}

// maxName is the longest name of a term in bytes.
const maxName = 200

func firstOf(object map[string]any, names ...string) any {
	for _, name := range names {
		if v := object[name]; v != nil && v != "" {
			return v
		}
	}
	return nil
}

// links takes venues or organizers: by id, as an object, and lists of both.
// An empty list is none.
func (c *checker) links() []Link {
	links := []Link{}
	var list []any
	switch v := c.raw.value.(type) {
	case []any:
		list = v
	case map[string]any:
		list = []any{v}
		if allNumbers(v) {
			list = inOrder(v)
		}
	case bool:
		if v {
			c.refuseLink()
		}
	case string:
		if v != "" && v != "0" {
			list = c.items()
		}
	case json.Number:
		if v.String() != "0" {
			list = []any{v}
		}
	}
	if len(list) > maxList {
		c.refuse("%s must not have more than %d items.", c.row.Name, maxList)
		return nil
	}
	for _, item := range list {
		if item == nil {
			links = append(links, Link{}) // well formed, and nothing that can be made
			continue
		}
		if link, ok := c.link(item); ok {
			links = append(links, link)
		}
	}
	return links
}

func allNumbers(m map[string]any) bool {
	for key := range m {
		if _, err := strconv.Atoi(key); err != nil {
			return false
		}
	}
	return len(m) > 0
}

func (c *checker) refuseLink() {
	c.refuse("%s must be ids of existing %ss, or objects with at least the name of one.", c.row.Name, c.row.Of)
}

// link takes one venue or organizer. An object with an id is that record, and
// what else it says is not read.
func (c *checker) link(item any) (Link, bool) {
	object, ok := item.(map[string]any)
	if ok {
		if len(object) == 0 {
			return Link{}, false
		}
		if id := object["id"]; id != nil && id != "" {
			item, ok = id, false
		}
	}
	if !ok {
		n, numeric := digitsOf(item)
		if !numeric || n < 1 || !c.env.Known.Has(c.row.Of, n) {
			c.refuseLink()
			return Link{}, false
		}
		return Link{ID: n}, true
	}
	table := VenueCreate
	if c.row.Of == Organizer {
		table = OrganizerCreate
	}
	in := &Input{values: map[string]raw{}}
	for name, value := range object {
		in.values[name] = raw{value, c.raw.json}
	}
	fields, err := table.Check(in, *c.env)
	var invalid *Invalid
	switch {
	case errors.As(err, &invalid):
		c.refuse("%s: %s", c.row.Name, invalid.Complaints[0].Reason)
		return Link{}, false
	case err != nil:
		c.refuseLink()
		return Link{}, false
	}
	return Link{Fields: fields}, true
}

// image takes an image: an id, an address, or the object that records show;
// false and, where the row allows it, "" are none.
func (c *checker) image() ImageRef {
	v := c.raw.value
	if object, ok := v.(map[string]any); ok {
		v = firstOf(object, "id", "url")
		if n, ok := digitsOf(v); ok && !c.env.Known.Has(Picture, n) {
			v = object["url"]
		}
	}
	switch v := v.(type) {
	case bool:
		if !v && c.raw.json {
			return ImageRef{}
		}
	case string, json.Number:
		text := textOf(v)
		if text == "" && c.row.Empty {
			return ImageRef{}
		}
		if n, ok := digitsOf(v); ok {
			if c.env.Known.Has(Picture, n) {
				return ImageRef{ID: n}
			}
		} else if isURL(text) && !strings.HasPrefix(strings.ToLower(text), "mailto:") {
			return ImageRef{URL: text}
		}
	}
	c.refuse("%s must be the id of a known image or an address such as https://example.org/picture.jpg.", c.row.Name)
	return ImageRef{}
}
