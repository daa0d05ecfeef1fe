// Exports: all records of a store as a document that restores them.

package seed

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/intake"
	"almanac/store"
)

// Pictures are facts about uploads that an export adds to their records.
type Pictures struct {
	Site  string           // origin of their addresses; "" leaves them without a host
	Files map[int64]string // names of their files, by the id of the image
}

// Write writes all records of a store as an exact document: by kind and id, one member per line. Equal records give
// equal bytes.
func Write(w io.Writer, s *store.Store, pictures Pictures) error {
	lists := make([][]store.Record, len(intake.Kinds))
	_ = s.View(func(v *store.View) error {
		for i, k := range intake.Kinds {
			lists[i] = slices.AppendSeq(make([]store.Record, 0, v.Len(k)), v.Each(k))
		}
		return nil
	})
	out := &exporter{w: bufio.NewWriterSize(w, 1<<16), pictures: pictures}
	out.enc = json.NewEncoder(&out.value)
	out.enc.SetEscapeHTML(false) // texts stay readable
	out.raw("{\n  \"exact\": true")
	for i, k := range intake.Kinds {
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

// An exporter writes a document. After an error it does nothing.
type exporter struct {
	w        *bufio.Writer
	pictures Pictures
	enc      *json.Encoder // into value
	value    bytes.Buffer
	err      error
}

func (x *exporter) raw(text string) {
	if x.err == nil {
		_, x.err = x.w.WriteString(text)
	}
}

// record writes the members of a record that differ from the defaults of planting.
func (x *exporter) record(r store.Record) {
	x.raw("\n    {")
	members := intake.Members(r)
	if i, ok := r.(*store.Image); ok && i.Directory != "" {
		members = x.upload(i)
	}
	x.members(members, "\n      ", ",\n      ")
	x.raw("\n    }")
}

// upload returns the members of an upload, with the address of the site and the name of its file.
func (x *exporter) upload(i *store.Image) []intake.Member {
	next, file := *i, x.pictures.Files[i.ID]
	next.URL, next.Sizes = x.pictures.Site+i.URL, slices.Clone(i.Sizes)
	for n := range next.Sizes {
		next.Sizes[n].URL = x.pictures.Site + i.Sizes[n].URL
	}
	return append(intake.Members(&next), intake.Member{Name: "file", Class: intake.Text, Field: &file})
}

// members writes members behind a text, and others between them.
func (x *exporter) members(all []intake.Member, before, between string) {
	for _, m := range all {
		value, said := valueOf(m)
		if value == nil || !said && m.Class&intake.Always == 0 {
			continue
		}
		x.raw(before + `"` + m.Name + `": `)
		if sizes, ok := value.([]store.ImageSize); ok {
			x.sizes(sizes)
		} else {
			x.encode(value)
		}
		before = between
	}
}

// valueOf returns the exported value of a member, and whether it is not empty. It is nil for a member that is not
// stored.
func valueOf(m intake.Member) (value any, said bool) {
	switch field := m.Field.(type) {
	case *string:
		return *field, *field != ""
	case *store.Status:
		return *field, *field != ""
	case *bool:
		return *field, *field
	case **bool:
		return *field, *field != nil
	case *int:
		return *field, *field != 0
	case *int64:
		return *field, *field != 0
	case *float64:
		return *field, *field != 0
	case *store.Wall:
		return *field, *field != 0
	case *[]store.Wall:
		return *field, len(*field) > 0
	case **store.Recurrence:
		return *field, *field != nil
	case *time.Time:
		if field.IsZero() && m.Name == "modified_utc" {
			return never, true
		}
		return field.UTC().Format(caltime.Layout + ".999999999"), true // with fractions of seconds
	case *[]int64:
		return *field, len(*field) > 0
	case *[]string:
		return *field, len(*field) > 0
	case *store.CustomFields:
		return *field, len(*field) > 0
	case *[]store.ImageSize:
		return *field, len(*field) > 0
	}
	return nil, false
}

// never is the wire form of an absent date.
const never = "0000-00-00 00:00:00"

func (x *exporter) encode(v any) {
	x.value.Reset()
	if err := x.enc.Encode(v); x.err == nil {
		x.err = err
	}
	x.raw(string(bytes.TrimSuffix(x.value.Bytes(), []byte("\n"))))
}

// sizes writes the sizes of an image as an object in their order, as lists do.
func (x *exporter) sizes(sizes []store.ImageSize) {
	x.raw("{")
	for n := range sizes {
		if n > 0 {
			x.raw(",")
		}
		x.raw("\n        ")
		x.encode(sizes[n].Name)
		x.raw(": {")
		x.members(intake.SizeMembers(&sizes[n]), "", ", ")
		x.raw("}")
	}
	x.raw("\n      }")
}
