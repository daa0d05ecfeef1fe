// Links of events to venues, organizers and images.

package params

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// firstOf returns the first member of an object that says something, or nil.
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
func (c *checker) links() []link {
	links := []link{}
	var list []any
	switch v := c.sent.(type) {
	case []any:
		list = v
	case map[string]any:
		list = []any{v}
		if isList(v) {
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
	if most := c.env.Items; most > 0 && len(list) > most {
		c.refuse("%s must not have more than %d items.", c.row.Name, most)
		return nil
	}
	for _, item := range list {
		if item == nil {
			links = append(links, link{}) // well formed, and nothing that can be made
			continue
		}
		if link, ok := c.link(item); ok {
			links = append(links, link)
		}
	}
	return links
}

// isList reports whether a map is a list that came with its numbers.
func isList(m map[string]any) bool {
	for key := range m {
		if _, err := strconv.Atoi(key); err != nil {
			return false
		}
	}
	return len(m) > 0
}

func (c *checker) refuseLink() {
	c.refuse(
		"%s must be ids of existing %ss, or objects with at least the name of one.",
		c.row.Name,
		c.row.Of,
	)
}

// link takes one venue or organizer; an empty object is none, and so is an organizer without a
// name and with blank members alone. An object with an id is that record, and of its other members
// only the status is read; an id that is empty, 0 or false is none.
func (c *checker) link(item any) (link, bool) {
	object, ok := item.(map[string]any)
	unpublished := false
	if ok {
		status := object["status"]
		unpublished = status != nil && status != "publish"
		filled := func(item any) bool { return !isBlank(item) }
		if len(object) == 0 ||
			c.row.Of == Organizer && object["organizer"] == nil &&
				!slices.ContainsFunc(inOrder(object), filled) {
			return link{}, false
		}
		if hasID(object) {
			item = object["id"]
			ok = false
		}
	}
	if !ok {
		n, numeric := digitsOf(item)
		if !numeric || n < 1 || !c.env.Known.Has(c.row.Of, n, c.row.Path) {
			c.refuseLink()
			return link{}, false
		}
		return link{ID: n, Unpublished: unpublished}, true
	}
	fields, err := c.row.linked().Check(&Input{values: object}, *c.env)
	var invalid *Invalid
	switch {
	case errors.As(err, &invalid):
		c.refuse("%s: %s", c.row.Name, invalid.Complaints[0].Reason)
		return link{}, false
	case err != nil:
		c.refuseLink()
		return link{}, false
	}
	return link{Fields: fields, Unpublished: unpublished}, true
}

// hasID reports whether an object names a record by its id; an id that is empty, 0 or false is
// none.
func hasID(object map[string]any) bool {
	switch object["id"] {
	case nil, "", "0", json.Number("0"), false:
		return false
	}
	return true
}

// linked is the table of the records that a row of Links finds or makes.
func (r *Row) linked() Table {
	if r.Of == Organizer {
		return OrganizerCreate
	}
	return VenueCreate
}

// image takes an image: an id, an address, or the object that records show,
// whose id counts if it is known here; false and, where the row allows it, ""
// are none.
func (c *checker) image() ImageRef {
	v := c.sent
	if object, ok := v.(map[string]any); ok {
		v = firstOf(object, "id", "url")
		if n, ok := digitsOf(v); ok && !c.env.Known.Has(Picture, n, c.row.Path) {
			v = object["url"]
		}
	}
	switch v := v.(type) {
	case bool:
		if !v {
			return ImageRef{}
		}
	case string, json.Number:
		text := textOf(v)
		if text == "" && c.row.Empty {
			return ImageRef{}
		}
		if n, ok := digitsOf(v); ok {
			if c.env.Known.Has(Picture, n, c.row.Path) {
				return ImageRef{ID: n}
			}
		} else if isURL(text) && !strings.HasPrefix(strings.ToLower(text), "mailto:") {
			if _, may := c.env.Known.Find(Picture, text, c.row.Path); !may {
				c.refuse("%s must be the id or the address of an image that is known here: your account may bring no new ones.", c.row.Name)
			}
			return ImageRef{URL: text}
		}
	}
	c.refuse(
		"%s must be the id of a known image or an address such as https://example.org/picture.jpg.",
		c.row.Name,
	)
	return ImageRef{}
}
