// Lists of ids and of terms.

package params

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// items returns the items of a list: an array, the values of a map, text with
// commas, or one value. A comma too much makes no item, and an empty text beside
// others is none.
func (c *checker) items() []any {
	var list []any
	switch v := c.sent.(type) {
	case []any:
		list = v
	case string:
		for more := true; more; {
			var part string
			part, v, more = strings.Cut(v, ",")
			if strings.TrimSpace(part) != "" {
				list = append(list, part)
			}
		}
		if list == nil {
			list = []any{""} // nothing but commas, or nothing
		}
	case map[string]any:
		list = inOrder(v)
	default:
		list = []any{v}
	}
	if full := slices.DeleteFunc(slices.Clone(list), isBlank); len(full) > 0 {
		list = full
	}
	if most := c.env.Items; most > 0 && len(list) > most {
		c.refuse("%s must not have more than %d items.", c.row.Name, most)
		return nil
	}
	return list
}

func isBlank(item any) bool {
	text, ok := item.(string)
	return ok && strings.TrimSpace(text) == ""
}

// inOrder returns the values of a map: first those whose keys are numbers, in their order, then
// the rest in the order of their texts.
func inOrder(m map[string]any) []any {
	keys := slices.Collect(maps.Keys(m))
	slices.SortFunc(keys, func(a, b string) int {
		x := position(a)
		y := position(b)
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	})
	list := make([]any, len(keys))
	for i, key := range keys {
		list[i] = m[key]
	}
	return list
}

// position returns the number that a key of a map is, or the largest.
func position(key string) int {
	n, err := strconv.Atoi(key)
	if err != nil {
		return math.MaxInt
	}
	return n
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
		if !c.env.Known.Has(c.row.Of, id, c.row.Path) {
			c.refuse("%s: there is no %s %d.", c.row.Name, c.row.Of, id)
		}
	}
	return ids
}

// idsOrNone takes ids that all exist, or the word none.
func (c *checker) idsOrNone() []int64 {
	text, ok := c.sent.(string)
	switch {
	case text == "none":
		return []int64{0}
	case ok && strings.Trim(text, "0123456789, ") != "":
		c.refuse("%s must be none or a list of ids.", c.row.Name)
	}
	return c.ids()
}

// termIDs takes ids of terms. Slugs and names of terms pass and match nothing,
// which 0 stands for.
func (c *checker) termIDs() []int64 {
	var ids []int64
	for _, item := range c.items() {
		n, ok := digitsOf(item)
		if ok && n > 0 && c.env.Known.Has(c.row.Of, n, c.row.Path) {
			ids = append(ids, n)
			continue
		}
		if text, isText := item.(string); isText && !ok {
			if _, found := c.env.Known.Find(c.row.Of, strings.TrimSpace(text), c.row.Path); found {
				ids = append(ids, 0)
				continue
			}
		}
		c.refuse(
			"%s must be a list of ids, and %.60q is none of an existing %s.",
			c.row.Name,
			textOf(item),
			c.row.Of,
		)
		return nil
	}
	return ids
}

// terms takes terms by id, else by slug or name, that all exist.
func (c *checker) terms() []int64 {
	var ids []int64
	for _, item := range c.items() {
		id, ok := c.term(item)
		if !ok {
			c.refuse(
				"%s must be a list of ids, slugs or names, and %.60q is none of an existing %s.",
				c.row.Name,
				textOf(item),
				c.row.Of,
			)
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}

// term finds an existing term: a number is an id first, then a slug.
func (c *checker) term(item any) (int64, bool) {
	if n, ok := digitsOf(item); ok && n > 0 && c.env.Known.Has(c.row.Of, n, c.row.Path) {
		return n, true
	}
	text := strings.TrimSpace(numeral(item))
	if text == "" {
		return 0, false
	}
	return c.env.Known.Find(c.row.Of, text, c.row.Path)
}

// termRefs takes terms of a write: by id, slug or name, or as the objects that
// records show. Unknown ids are skipped, since clients send stale ones, and so
// are empty texts, null and false; unknown names are terms to be made.
func (c *checker) termRefs() []TermRef {
	refs := []TermRef{}
	list := c.items()
	if object, ok := c.sent.(map[string]any); ok && !isList(object) {
		list = []any{object}
	}
	for _, item := range list {
		if item == nil || item == false {
			continue // none, as an empty text
		}
		if object, ok := item.(map[string]any); ok {
			if item = firstOf(object, "id", "slug", "name"); item == nil {
				c.refuse(
					"%s: an item that is an object must have an id, a slug or a name.",
					c.row.Name,
				)
				return nil
			}
		}
		if id, ok := c.term(item); ok {
			refs = append(refs, TermRef{ID: id})
			continue
		}
		if isNumber(item) {
			continue
		}
		name, ok := item.(string)
		name = strings.TrimSpace(name)
		switch {
		case !ok:
			c.refuse("%s must be a list of ids, slugs or names.", c.row.Name)
			return nil
		case !utf8.ValidString(name) || strings.ContainsRune(name, 0) || utf8.RuneCountInString(name) > maxName:
			c.refuse(
				"%s: a name must be a text in UTF-8 without NUL characters, of %d characters at most.",
				c.row.Name,
				maxName,
			)
			return nil
		case name != "":
			refs = append(refs, TermRef{Name: name})
		}
	}
	return refs
}

// isNumber reports whether an item is a whole number, negative ones too: an id
// that there is not, and no name.
func isNumber(item any) bool {
	if text, ok := item.(string); ok {
		item = strings.TrimPrefix(strings.TrimSpace(text), "-")
	}
	_, ok := digitsOf(item)
	return ok
}

// maxName is the longest name of a term, in characters.
const maxName = 200
