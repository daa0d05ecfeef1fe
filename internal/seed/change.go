// Changing the text of a record before it is planted.

package seed

import (
	"cmp"
	"slices"
	"strconv"
)

// A change puts another text in the place of some of a record's.
type change struct {
	from, until int // offsets in the file
	text        string
}

// replace puts a text in the place of a value.
func (r *record) replace(v value, text string) {
	r.texts = append(r.texts, change{v.at, v.at + len(v.raw), text})
}

// setIn sets a member of an object in the record.
func (r *record) setIn(o *object, name, text string) {
	if m := o.member(name); m.kind() != 0 {
		r.replace(m.value, text)
		return
	}
	text = strconv.Quote(name) + ":" + text
	if len(o.members) > 0 {
		text += ","
	}
	r.texts = append(r.texts, change{o.at + 1, o.at + 1, text})
}

// set sets a member of the record.
func (r *record) set(name, text string) { r.setIn(&r.object, name, text) }

// changed returns the text of the record with all changes.
func (r *record) changed() []byte {
	if len(r.texts) == 0 {
		return r.raw
	}
	slices.SortStableFunc(r.texts, func(a, b change) int { return cmp.Compare(a.from, b.from) })
	var b []byte
	at := r.at
	for _, c := range r.texts {
		b = append(append(b, r.raw[at-r.at:c.from-r.at]...), c.text...)
		at = c.until
	}
	return append(b, r.raw[at-r.at:]...)
}
