// Exports: the records of a store as a document that gives them back.

package seed

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"almanac/store"
)

// Write writes all records of a store as an exact document: by kind and id, with
// one member a line. Equal records give equal bytes.
func Write(w io.Writer, s *store.Store) error {
	lists := make([][]store.Record, len(kinds))
	_ = s.View(func(v *store.View) error {
		for i, k := range kinds {
			lists[i] = slices.AppendSeq(make([]store.Record, 0, v.Len(k)), v.Each(k))
		}
		return nil
	})
	out := &exporter{w: bufio.NewWriterSize(w, 1<<16)}
	out.enc = json.NewEncoder(&out.value)
	out.enc.SetEscapeHTML(false) // which would make texts hard to read
	out.raw("{\n  \"exact\": true")
	for i, k := range kinds {
		records := lists[i]
		if len(records) == 0 {
			continue
		}
		slices.SortFunc(records, func(a, b store.Record) int { return cmp.Compare(a.Key(), b.Key()) })
		out.raw(",\n  \"" + k.String() + "\": [")
		for n, r := range records {
			if n > 0 {
				out.raw(",")
			}
			out.record(r)
		}
		out.raw("\n  ]")
	}
	out.raw("\n}\n")
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}

// An exporter writes a document. After an error it does nothing more.
type exporter struct {
	w     *bufio.Writer
	enc   *json.Encoder // into value
	value bytes.Buffer
	begun bool // the record has a member
	err   error
}

func (x *exporter) raw(text string) {
	if x.err == nil {
		_, x.err = x.w.WriteString(text)
	}
}

// record writes a record.
func (x *exporter) record(r store.Record) {
	x.raw("\n    {")
	x.begun = false
	switch r := r.(type) {
	case *store.Event:
		x.event(r)
	case *store.Venue:
		x.venue(r)
	case *store.Organizer:
		x.organizer(r)
	case *store.Term:
		x.term(r)
	case *store.Image:
		x.image(r)
	}
	x.raw("\n    }")
}

// member writes a member of a record.
func (x *exporter) member(name string, v any) {
	if x.begun {
		x.raw(",")
	}
	x.begun = true
	x.raw("\n      \"" + name + "\": ")
	x.encode(v)
}

// encode writes a value.
func (x *exporter) encode(v any) {
	x.value.Reset()
	if err := x.enc.Encode(v); x.err == nil {
		x.err = err
	}
	x.raw(string(bytes.TrimSuffix(x.value.Bytes(), []byte("\n"))))
}

// some writes a member that says something.
func some[T comparable](x *exporter, name string, v T) {
	var nothing T
	if v != nothing {
		x.member(name, v)
	}
}

// list writes a list that has items.
func list[T any](x *exporter, name string, items []T) {
	if len(items) > 0 {
		x.member(name, items)
	}
}
