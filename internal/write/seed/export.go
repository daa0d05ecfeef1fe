// Exports: all records of a store as a document that restores them.

package seed

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/internal/write/intake"
	"almanac/store"
)

// Pictures are facts about uploads that an export adds to their records.
type Pictures struct {
	Site  string           // origin of their addresses; "" leaves them without a host
	Files map[int64]string // names of their files, by the id of the image
}

// Write writes all records of a store as an exact document: by kind and id, one member per line.
// Equal records give equal bytes.
func Write(w io.Writer, s *store.Store, pictures Pictures) error {
	lists := make([][]store.Record, len(intake.Kinds))
	_ = s.View(func(v *store.View) error {
		for i, k := range intake.Kinds {
			lists[i] = slices.AppendSeq(make([]store.Record, 0, v.Len(k)), v.Each(k))
		}
		return nil
	})
	out := &exporter{Writer: bufio.NewWriterSize(w, 1<<16), pictures: pictures}
	out.raw("{\n  \"exact\": true")
	for i, k := range intake.Kinds {
		records := lists[i]
		if len(records) == 0 {
			continue
		}
		slices.SortFunc(
			records,
			func(a, b store.Record) int { return cmp.Compare(a.Key(), b.Key()) },
		)
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
	return cmp.Or(out.Flush(), out.err)
}

// An exporter writes a document. Its Writer keeps the first error of the file.
type exporter struct {
	*bufio.Writer
	pictures Pictures
	err      error // first error of a value
}

func (x *exporter) raw(text string) { _, _ = x.WriteString(text) }

// record writes the members of a record.
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
	next := *i
	file := x.pictures.Files[i.ID]
	next.URL = x.pictures.Site + i.URL
	next.Sizes = slices.Clone(i.Sizes)
	for n := range next.Sizes {
		next.Sizes[n].URL = x.pictures.Site + i.Sizes[n].URL
	}
	return append(intake.Members(&next), intake.Member{
		Name:  "file",
		Class: intake.Text,
		Field: &file,
	})
}

// never is the wire form of an absent date.
const never = "0000-00-00 00:00:00"

// members writes the stored members that differ from the defaults of planting: behind a text, and
// others between them.
func (x *exporter) members(all []intake.Member, before, between string) {
	for _, m := range all {
		if m.Field == nil {
			continue
		}
		value := m.Field
		if at, ok := value.(*time.Time); ok {
			value = at.UTC().Format(caltime.Layout + ".999999999") // with fractions of seconds
			if at.IsZero() && m.Name == "modified_utc" {
				value = never
			}
		}
		text := x.json(value)
		isZero := slices.Contains([]string{`""`, "0", "false", "null", "[]"}, text)
		switch field := m.Field.(type) {
		case *store.Wall:
			isZero = *field == 0
		case **bool:
			isZero = *field == nil
		}
		if isZero && m.Class&intake.Always == 0 {
			continue
		}
		x.raw(before + `"` + m.Name + `": `)
		if sizes, ok := value.(*[]store.ImageSize); ok {
			x.sizes(*sizes)
		} else {
			x.raw(text)
		}
		before = between
	}
}

func (x *exporter) json(value any) string {
	text, err := jsonio.Marshal(value)
	x.err = cmp.Or(x.err, err)
	return string(text)
}

// sizes writes the sizes of an image as an object in their order, as lists do.
func (x *exporter) sizes(sizes []store.ImageSize) {
	between := "{"
	for n := range sizes {
		x.raw(between + "\n        " + x.json(sizes[n].Name) + ": {")
		x.members(intake.SizeMembers(&sizes[n]), "", ", ")
		between = "},"
	}
	x.raw("}\n      }")
}
