// Reading components one at a time (section 3.6 of RFC 5545).

package ical

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Component is a component of a calendar, from BEGIN to END.
type Component struct {
	Name       string // in upper case
	Line       int    // of its BEGIN, from 1
	Properties []Property
	Components []*Component

	// Wrong is an error of the component with its line, or "". Properties before the error
	// are kept.
	Wrong string
}

// Get returns the first property of a name, or nil.
func (c *Component) Get(name string) *Property {
	for p := range c.All(name) {
		return p
	}
	return nil
}

// All yields the properties of some names.
func (c *Component) All(names ...string) iter.Seq[*Property] {
	return func(yield func(*Property) bool) {
		for i := range c.Properties {
			if p := &c.Properties[i]; slices.Contains(names, p.Name) && !yield(p) {
				return
			}
		}
	}
}

// Text returns the text of the first property of a name, or "".
func (c *Component) Text(name string) string {
	if p := c.Get(name); p != nil {
		return p.Text()
	}
	return ""
}

// A Reader reads the components inside of VCALENDARs, one after the other. It holds one
// component in memory at a time.
type Reader struct {
	Calendar Component // the last VCALENDAR, with its properties so far
	Ignored  int       // lines that are no properties
	Unended  int       // VCALENDARs so far without their END

	lines *lineReader
	again *Property // was read, and counts for what comes next
	open  []*Component
	size  int // of the outermost component that is open
}

// NewReader returns a Reader of a file.
func NewReader(r io.Reader) *Reader { return &Reader{lines: newLineReader(r)} }

// Next returns the next component of a calendar. Its errors are in Component.Wrong; the
// returned error is io.EOF or of the file.
func (r *Reader) Next() (*Component, error) {
	for {
		p, err := r.property()
		if err == io.EOF && len(r.open) > 0 {
			return r.broken("the file ends before END:%s", r.open[0].Name), nil
		}
		if err != nil {
			return nil, err
		}
		if done := r.take(p); done != nil {
			return done, nil
		}
	}
}

// property returns the next property. A line that cannot be read makes the component that
// it is in a wrong one.
func (r *Reader) property() (*Property, error) {
	if p := r.again; p != nil {
		r.again = nil
		return p, nil
	}
	for {
		text, number, whole, err := r.lines.next()
		if err != nil {
			return nil, err
		}
		switch {
		case !whole:
			r.wrong("line %d is longer than %d MiB", number, maxComponent>>20)
		case len(bytes.TrimSpace(text)) == 0:
		case !utf8.Valid(text):
			r.wrong(
				"line %d is not UTF-8; convert the file, as by iconv -f ISO-8859-1 -t UTF-8",
				number,
			)
		default:
			if len(r.open) > 0 && r.open[0].Wrong != "" && strings.IndexByte("BbEe", text[0]) < 0 {
				break // where it ends is all that matters of it
			}
			if p, ok := parse(text, number); ok {
				return &p, nil
			}
			r.Ignored++
		}
	}
}

// wrong notes the first error of the open component.
func (r *Reader) wrong(format string, args ...any) {
	if len(r.open) > 0 && r.open[0].Wrong == "" {
		r.open[0].Wrong = fmt.Sprintf(format, args...)
	}
}

// broken closes a component that has no end.
func (r *Reader) broken(format string, args ...any) *Component {
	r.wrong(format, args...)
	done := r.open[0]
	r.open = nil
	return done
}

// take takes a property, and returns the component that it completes.
func (r *Reader) take(p *Property) *Component {
	name := strings.ToUpper(strings.TrimSpace(p.Value))
	switch p.Name {
	case "BEGIN":
		return r.begin(p, name)
	case "END":
		return r.end(p, name)
	}
	if len(r.open) == 0 {
		if r.size += p.size(); r.size <= maxComponent {
			r.Calendar.Properties = append(r.Calendar.Properties, *p)
		}
		return nil
	}
	if r.grow(p.size()) {
		top := r.open[len(r.open)-1]
		top.Properties = append(top.Properties, *p)
	}
	return nil
}

// grow reports whether the component that is open may have something more.
func (r *Reader) grow(size int) bool {
	if r.size += size; r.size > maxComponent {
		r.wrong("is larger than %d MiB", maxComponent>>20)
	}
	return r.open[0].Wrong == ""
}

// outermost are components that stand in no other one, so that these lack their END before them.
var outermost = []string{"VCALENDAR", "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"}

func (r *Reader) begin(p *Property, name string) *Component {
	if len(r.open) > 0 && (name == r.open[0].Name || slices.Contains(outermost, name)) {
		r.again = p
		return r.broken(
			"there is no END:%s before line %d, where another begins",
			r.open[0].Name,
			p.Line,
		)
	}
	next := &Component{Name: name, Line: p.Line}
	switch {
	case name == "VCALENDAR":
		r.Calendar = *next
		r.size = 0
		r.Unended++
		return nil
	case len(r.open) == 0:
		r.size = 0
	case len(r.open) == maxDepth:
		r.wrong("line %d: components are nested more than %d deep", p.Line, maxDepth)
	}
	if len(r.open) == maxDepth {
		return nil // its END is that of nobody
	}
	r.open = append(r.open, next)
	if top := r.open[:len(r.open)-1]; len(top) > 0 && r.grow(partSize*2) {
		above := top[len(top)-1]
		above.Components = append(above.Components, next)
	}
	return nil
}

func (r *Reader) end(p *Property, name string) *Component {
	if len(r.open) > 0 && name == "VCALENDAR" {
		r.again = p
		return r.broken(
			"there is no END:%s before line %d, where the calendar ends",
			r.open[0].Name,
			p.Line,
		)
	}
	for i, c := range slices.Backward(r.open) {
		if c.Name != name {
			continue
		}
		if i < len(r.open)-1 {
			r.wrong(
				"line %d ends %s before %s, which is in it",
				p.Line,
				name,
				r.open[len(r.open)-1].Name,
			)
		}
		if r.open = r.open[:i]; i == 0 {
			return c
		}
		return nil
	}
	if name == "VCALENDAR" && r.Unended > 0 {
		r.Unended--
	} else {
		r.Ignored++
	}
	return nil
}
