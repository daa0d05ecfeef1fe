package compare

import (
	"fmt"
	"html"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/move/oldsite"
)

// A place notes differences of a record or a list.
type place struct {
	c          *comparison
	of, record string
}

// add notes a difference that is ours.
func (p place) add(field string, old, now any) { p.note(ours, "", field, old, now) }

// note notes a difference of a group.
func (p place) note(group, why, field string, old, now any) {
	d := difference{group, p.of, p.record, field, oldsite.Text(old), oldsite.Text(now), why}
	if p.c.report.add(d) {
		p.c.keep(len(d.Record) + len(d.Field) + len(d.Old) + len(d.New))
	}
}

// lacks notes a record that one side lacks.
func (p place) lacks(isProtected bool, old, now string) {
	p.c.loose[p.of]++
	if p.of == "events" {
		p.c.lost++
	}
	if isProtected {
		p.note(expected, "a password hides records of the old site", "", old, now)
	} else {
		p.add("", old, now)
	}
}

// differing are the members that must differ. Only their types are compared. Records inside of
// events are compared by their twins.
var differing = []string{
	"id",
	"author",
	"modified",
	"modified_utc",
	"rest_url",
	"next_rest_url",
	"previous_rest_url",
	"urls",
	"_links",
	"global_id",
	"global_id_lineage",
	"term_taxonomy_id",
	"sizes",
	"filesize",
	"series",
	"description of the index",
	"namespace of the index",
}

// record compares a record of a kind with the record in its place. A record with a password shows
// little of itself.
func (c *comparison) record(of string, old, now object) {
	at := place{c, of, nameOf(old)}
	kind := oldsite.KindOf(of)
	if a, b := kind.IsProtected(old), kind.IsProtected(now); a != b {
		at.add("password", a, b)
		return
	}
	c.members(at, "", old, now)
}

// members compares the members that the old object has. Others are additions, which programs do
// not read.
func (c *comparison) members(at place, path string, old, now object) {
	for _, name := range slices.Sorted(maps.Keys(old)) {
		field := strings.TrimPrefix(path+"."+name, ".")
		a := old[name]
		b, has := now[name]
		kind := oldsite.Linked[name]
		is := name
		if at.of == "index" {
			is += " of the index"
		}
		switch {
		case !has && (isEmpty(a) || a == nil || a == "" || a == false):
		case strings.HasPrefix(name, "utc_") &&
			oldsite.HasOffset.MatchString(oldsite.Text(old["timezone"])):
		case !has:
			at.add(field, a, nil)
		case path == "" && kind != "" && at.of == "events":
			c.linked(at, kind, name, a, b)
		case name == "parent":
			c.twins(at, "categories", field, a, b)
		case name == "post_parent":
			c.twins(at, "events", field, a, b)
		case slices.Contains(differing, is):
			if typeOf(a) != typeOf(b) {
				at.add(field, a, b)
			}
		case is == "default of the index":
			c.value(at, field, c.sides[0].index.Default(a), c.sides[1].index.Default(b))
		case name == "url" && path == "" && c.pages != nil && !c.leads(oldsite.Text(a), oldsite.Text(b)) &&
			c.redirect(oldsite.Text(a), oldsite.Text(b)):
		case name == "count" && at.of == "tags" && oldsite.Number(b) < oldsite.Number(a):
			at.note(theirs, "tags count other posts, too", field, a, b)
		case path == "" && isDated(name, a, b, old, now):
			at.note(expected, "dates of a series have other addresses", field, a, b)
		case name == "website" && oldsite.Text(a) == oldsite.Text(old["url"]) && (b == "" || oldsite.Text(b) == oldsite.Text(now["url"])):
		case name == "website" && a != "" && oldsite.Text(b) == "http://"+oldsite.Text(a): // the old site adds it in pages
		case name == "image" && path == "" && isTaken(b) && typeOf(a) == typeOf(b): // another file
		case name == "url" && path == "" && c.leads(oldsite.Text(a), oldsite.Text(b)):
		default:
			c.value(at, field, a, b)
		}
	}
}

// value compares two values of one member.
func (c *comparison) value(at place, field string, old, now any) {
	switch a := old.(type) {
	case object:
		if b, ok := now.(object); ok {
			c.members(at, field, a, b)
			return
		}
	case []any:
		if b, ok := now.([]any); ok && len(a) == len(b) {
			for i := range a {
				c.value(at, field+"["+strconv.Itoa(i)+"]", a[i], b[i])
			}
			return
		}
	case string:
		if b, ok := now.(string); ok && c.isEqual(field, c.text(a), c.text(b)) {
			return
		}
	}
	if typeOf(old) != typeOf(now) || !isEmpty(old) && oldsite.Text(old) != oldsite.Text(now) {
		at.add(field, old, now)
	}
}

// linked compares the records inside of an event, which may be one or a list. Differences are
// those of the record inside.
func (c *comparison) linked(at place, of, field string, old, now any) {
	olds := oldsite.Records(old)
	nows := oldsite.Records(now)
	all := len(olds)
	olds = slices.DeleteFunc(olds, oldsite.KindOf(of).IsProtected)
	same := len(olds) == len(nows) && (len(olds) < all || typeOf(old) == typeOf(now))
	for i := 0; same && i < len(olds); i++ {
		twin, known := c.sides[0].twins[recordID{of, oldsite.ID(olds[i])}]
		same = !known || twin == oldsite.ID(nows[i])
	}
	if a, b := names(old), names(now); !same && isTerm(of) && slices.Equal(sorted(a), sorted(b)) {
		at.note(expected, sorting, field, a, b)
		return
	} else if !same {
		at.add(field, a, b)
		return
	}
	for i, record := range olds {
		record = maps.Clone(record)
		delete(record, "url") // compared in the record itself
		c.record(of, record, nows[i])
	}
}

// sorted returns names in order.
func sorted(names string) []string { return slices.Sorted(strings.SplitSeq(names, ", ")) }

// isDated reports whether a slug, or the address with it, differs because the event is a date of a
// series of the paid edition.
func isDated(name string, a, b any, old, now object) bool {
	day, _, _ := strings.Cut(oldsite.Text(old["start_date"]), " ")
	return (name == "slug" || name == "url") && a != b &&
		oldsite.Text(now["slug"]) == oldsite.Text(old["slug"])+"-"+day
}

// twins compares ids of other records.
func (c *comparison) twins(at place, of, field string, old, now any) {
	a := oldsite.Number(old)
	b := oldsite.Number(now)
	if twin, known := c.sides[0].twins[recordID{of, a}]; typeOf(old) != typeOf(now) ||
		(a == 0) != (b == 0) ||
		known && twin != b {
		at.add(field, old, now)
	}
}

// isTaken reports whether an image is a file of almanac.
func isTaken(image any) bool {
	file, _ := image.(object)
	address, err := url.Parse(oldsite.Text(file["url"]))
	return err == nil && strings.HasPrefix(address.Path, "/media/")
}

// ignored are attributes of images that depend on the software of a site, and white space beside
// elements.
var ignored = regexp.MustCompile(
	`\s(?:decoding|loading|fetchpriority|srcset|sizes)="[^"]*"|\s+$|(>)\s+|\s+(<)`,
)

// isEqual reports whether two plain texts of a member say the same. R4 is a row of
// docs/differences.md.
func (c *comparison) isEqual(field, a, b string) bool {
	if a == b || field == "timezone_abbr" && strings.Trim(b, "+-0123456789") == "" { // R4
		return true
	}
	last := field[strings.LastIndexByte(field, '.')+1:]
	return last == "url" &&
		strings.TrimPrefix(
			a,
			"{site}",
		) == strings.TrimPrefix(
			b,
			"{site}",
		) // a path belongs to the site
}

// text returns a text without the parts that depend on the site and without the ways to write a
// character.
func (c *comparison) text(text string) string {
	return html.UnescapeString(ignored.ReplaceAllString(c.plain.Replace(text), "$1$2"))
}

// names names the records of a member.
func names(value any) string {
	var all []string
	for _, record := range oldsite.Records(value) {
		all = append(all, nameOf(record))
	}
	return strings.Join(all, ", ")
}

// typeOf returns the type of a value. The Events Calendar writes an empty object as an empty list.
func typeOf(value any) string {
	if isEmpty(value) {
		return "empty"
	}
	return fmt.Sprintf("%T", value)
}

// isEmpty reports whether a value is an object or a list with nothing in it.
func isEmpty(value any) bool {
	text := oldsite.Text(value)
	return text == "{}" || text == "[]"
}
