// Exports of WordPress (WXR, versions 1.1 and 1.2): posts of The Events Calendar become items in
// the form of lists.

package files

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"

	"almanac/internal/write/intake"
	"almanac/store"
)

// Limits of an element below the channel, such as a post. They bound its memory.
const (
	elementBytes = 64 << 20
	elementMarks = 500_000 // "<" and "=", which begin elements and attributes
)

// An exportReader reads an export in four passes, because posts name others that come later. It
// keeps small facts: the addresses of pictures, what is known of those that records show, and the
// slugs of terms.
type exportReader struct {
	Reader
	file  string
	yield func(intake.Item) error

	site       string // address, without a slash at its end
	host       string // of global ids
	found      int    // items so far
	pictures   map[int64]string
	images     map[int64]Draft  // those that records name; nil until they are described
	shown      map[int64]bool   // pictures of records
	used       map[string]bool  // slugs of the tags of events
	categories map[string]int64 // ids by slug
	left       leftOut
}

// readWordPress reads an export of WordPress, and reports the numbers of ignored parts to page.
func (rd Reader) readWordPress(
	file io.Reader,
	name string,
	yield func(intake.Item) error,
	page func(Page),
) error {
	x := &exportReader{
		Reader:     rd,
		file:       name,
		yield:      yield,
		pictures:   map[int64]string{},
		images:     map[int64]Draft{},
		shown:      map[int64]bool{},
		used:       map[string]bool{},
		categories: map[string]int64{},
		left:       leftOut{},
	}
	for _, take := range []func(*element) error{x.learn, x.describe, x.places, x.events} {
		again, ok := file.(io.Seeker)
		if ok {
			_, err := again.Seek(0, io.SeekStart)
			ok = err == nil
		}
		if !ok {
			return fmt.Errorf(
				"%s: is an export of WordPress (WXR), which is read four times: name a file, no pipe",
				name,
			)
		}
		if err := x.pass(decoded(file), take); err != nil {
			return err
		}
	}
	if n := len(x.pictures) - len(x.shown); n > 0 {
		x.left["pictures that no record has as its image"] = n
	}
	if page != nil && len(x.left) > 0 {
		page(Page{file: name, left: x.left})
	}
	return nil
}

// An exportText is the text of an export. Control characters, which WordPress writes and XML
// forbids, become spaces.
type exportText struct {
	io.Reader
	bytes, marks int // of the present element
}

var errElementSize = fmt.Errorf(
	"an element is larger than %d MiB, or has more than %d elements and attributes",
	elementBytes>>20,
	elementMarks,
)

func (t *exportText) Read(b []byte) (int, error) {
	if t.bytes > elementBytes || t.marks > elementMarks {
		return 0, errElementSize
	}
	n, err := t.Reader.Read(b)
	t.bytes += n
	for i, c := range b[:n] {
		switch {
		case c == '<' || c == '=':
			t.marks++
		case c < ' ' && c != '\t' && c != '\n' && c != '\r':
			b[i] = ' '
		}
	}
	return n, err
}

// pass reads the whole file, and hands the elements of its channel to take.
func (x *exportReader) pass(file io.Reader, take func(*element) error) error {
	text := &exportText{Reader: file}
	d := xml.NewDecoder(text)
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(label string, text io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToUpper(label), "UTF-16") { // decoded reads it
			return text, nil
		}
		return nil, fmt.Errorf(
			"is in %.40q: convert it to UTF-8, for example with iconv, and correct the encoding in its first line",
			label,
		)
	}
	for {
		token, err := d.Token()
		start, isStart := token.(xml.StartElement)
		e := &element{}
		e.line, _ = d.InputPos()
		isElement := isStart && start.Name.Local != "rss" && start.Name.Local != "channel"
		if isElement {
			err = d.DecodeElement(e, &start)
			text.bytes = 0
			text.marks = 0
		}
		var syntax *xml.SyntaxError
		line, _ := d.InputPos()
		switch {
		case err == io.EOF:
			return x.known()
		case errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
			return fmt.Errorf(
				"%s: line %d: ends in the middle of its XML; was it cut off?",
				x.file,
				syntax.Line,
			)
		case errors.As(err, &syntax):
			return fmt.Errorf("%s: line %d: is no XML: %s", x.file, syntax.Line, syntax.Msg)
		case err != nil:
			return fmt.Errorf("%s: line %d: %w", x.file, line, err)
		case isElement:
			if err := take(e); err != nil {
				return err
			}
		}
	}
}

// known returns an error if the export does not name its site.
func (x *exportReader) known() error {
	at, err := url.Parse(x.site)
	if err != nil || at.Host == "" {
		return fmt.Errorf(
			"%s: has no address of its site in wp:base_blog_url or link, but %.100q",
			x.file,
			x.site,
		)
	}
	x.host = strings.TrimSuffix(at.Host, ":"+at.Port()) + at.EscapedPath()
	return nil
}

// An element is an element with its text and the elements in it.
type element struct {
	XMLName  xml.Name
	Taxonomy string    `xml:"domain,attr"` // of a term of a post
	Nicename string    `xml:"nicename,attr"`
	Text     string    `xml:",chardata"`
	Elements []element `xml:",any"`

	line int // of its beginning
}

// name returns the local name of the element, and the end of the namespace (content or excerpt) of
// an encoded text.
func (e *element) name() string {
	if e.XMLName.Local == "encoded" {
		return path.Base(e.XMLName.Space)
	}
	return e.XMLName.Local
}

// get returns the text of the first element with a name, or "".
func (e *element) get(name string) string {
	for _, inner := range e.Elements {
		if inner.name() == name {
			return strings.TrimSpace(inner.Text)
		}
	}
	return ""
}

func (e *element) number(name string) int64 {
	n, _ := strconv.ParseInt(e.get(name), 10, 64) // 0 is no id
	return n
}

// postTypes are the types of posts that are records, with their kinds.
var postTypes = map[string]store.Kind{
	"tribe_events":    store.Events,
	"tribe_venue":     store.Venues,
	"tribe_organizer": store.Organizers,
}

// learn keeps facts that records need, and counts posts of other types.
func (x *exportReader) learn(e *element) error {
	kind := e.get("post_type")
	_, isRecord := postTypes[kind]
	switch {
	case e.name() == "base_blog_url" || e.name() == "link" && x.site == "":
		x.site = strings.TrimRight(strings.TrimSpace(e.Text), "/")
	case e.name() != "item":
	case kind == "attachment":
		x.pictures[e.number("post_id")] = e.get("attachment_url")
	case !isRecord:
		x.left.count(fmt.Sprintf("posts of the type %.40q", kind))
	default:
		x.want(e)
		for _, tag := range e.Elements {
			if kind == "tribe_events" && tag.Taxonomy == "post_tag" {
				x.used[tag.Nicename] = true
			}
		}
	}
	return nil
}

// places yields terms, venues and organizers.
func (x *exportReader) places(e *element) error {
	switch taxonomy := e.get("term_taxonomy"); {
	case e.name() == "term" && taxonomy == "tribe_events_cat":
		slug := e.get("term_slug")
		id := e.number("term_id")
		x.categories[slug] = id
		return x.give(e, store.Categories, Draft{
			"id":          id,
			"name":        e.get("term_name"),
			"slug":        slug,
			"description": e.get("term_description"),
			"parent":      x.categories[e.get("term_parent")], // parents come first
			"urls": Draft{
				"collection": x.site + "/wp-json/tribe/events/v1/categories",
			},
		}, nil)
	case e.name() == "tag" && x.used[e.get("tag_slug")]:
		return x.give(e, store.Tags, Draft{
			"name":        e.get("tag_name"),
			"slug":        e.get("tag_slug"),
			"description": e.get("tag_description"),
		}, nil)
	case e.name() == "tag":
		x.left.count("tags that no event has")
	case e.name() == "category":
		x.left.count("categories of posts")
	case e.name() == "term":
		x.left.count(fmt.Sprintf("terms of %.40q", taxonomy))
	case e.name() == "item":
		if kind, ok := postTypes[e.get("post_type")]; ok && kind != store.Events {
			return x.post(e, kind)
		}
	}
	return nil
}

// events yields events.
func (x *exportReader) events(e *element) error {
	if e.name() == "item" && e.get("post_type") == "tribe_events" {
		return x.post(e, store.Events)
	}
	return nil
}

// give yields a draft as an item.
func (x *exportReader) give(e *element, k store.Kind, d Draft, err error) error {
	x.found++
	item := intake.Item{
		Kind:     k.String(),
		File:     x.file,
		Position: x.found,
		Line:     e.line,
		Author:   x.author(e),
		Names:    exportNames[k],
		Whole:    true,
	}
	d.Fill(&item, err)
	return x.yield(item)
}
