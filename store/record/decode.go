// Reading the JSON of the log and of snapshots.

package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unique"

	"almanac/store/wal"
)

// AppendJSON appends a value on one line, with < > & as themselves: the log is
// read by people.
func AppendJSON(dst []byte, value any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return b.Bytes()[:b.Len()-1], nil // without the newline
}

// ChangeOf returns the change of a line, which is empty if the line has another purpose.
func ChangeOf(e *wal.Entry) *Change {
	if c, ok := e.Value.(*Change); ok {
		return c
	}
	return new(Change)
}

// Encode writes the changes of lines that have none as JSON yet.
func Encode(entries []wal.Entry) (err error) {
	for i := range entries {
		e := &entries[i]
		if c, ok := e.Value.(*Change); ok && e.Change == nil {
			if e.Change, e.Format, err = EncodeChange(c); err != nil {
				return fmt.Errorf("transaction %d: %w", e.Seq, err)
			}
		}
	}
	return nil
}

// DecodeLine reads the change or the note of a line into it.
func DecodeLine(l *wal.Line) (err error) {
	switch {
	case l.Note != nil:
		l.Value, err = parseNote(l.Note)
	case l.Change != nil:
		l.Value, err = decodeChange(l.Change)
	}
	return err
}

// decodeChange reads the change of a line.
func decodeChange(data []byte) (*Change, error) {
	c, err := decodeListedChange(data)
	if err != nil {
		return nil, err
	}
	if slices.Contains(c.Events, nil) || slices.Contains(c.Venues, nil) || slices.Contains(c.Organizers, nil) ||
		slices.Contains(c.Categories, nil) || slices.Contains(c.Tags, nil) ||
		slices.Contains(c.Images, nil) ||
		slices.Contains(c.Series, nil) ||
		slices.Contains(c.Accounts, nil) {
		return nil, errors.New("null in the place of a record")
	}
	var wrong error
	c.Each(func(r Record) {
		if r.Kind() != Events { // which have them already
			wrong = cmp.Or(wrong, readMore(r))
		}
		shareWords(r)
	})
	return c, cmp.Or(wrong, checkIDs(c))
}

// decodeRecord reads a record of a kind from a JSON object and nothing else: the next one of a
// list.
func decodeRecord(k Kind, data []byte, before likeReader) (Record, error) {
	if k == Events {
		e, err := decodeListed(data, before)
		shareWords(e)
		return e, err
	}
	r := newRecord(k)
	if err := decodeStrict(data, r); err != nil {
		return r, err
	}
	shareWords(r)
	return r, readMore(r)
}

// shareWords makes a record share the short texts that many records have, such as time zones and
// countries.
func shareWords(r Record) {
	if p := PostOf(r); p != nil {
		p.Status = unique.Make(p.Status).Value()
	}
	switch r := r.(type) {
	case *Event:
		shareFields(EventFields, r)
	case *Series:
		shareFields(EventFields, &r.Event)
	case *Venue:
		shareFields(VenueFields, r)
	}
}

func shareFields[T any](fields []Field[T], r *T) {
	for i := range fields {
		if fields[i].Use&word == 0 {
			continue
		}
		if text, ok := fields[i].At(r).(*string); ok {
			*text = unique.Make(*text).Value()
		}
	}
}

// checkIDs refuses ids that no record can have, or none after it. It tells
// terms their taxonomy.
func checkIDs(c *Change) error {
	var err error
	check := func(k Kind, id int64) {
		if id < 1 || id == math.MaxInt64 {
			err = fmt.Errorf("a record of %s with the id %d", k, id)
		}
	}
	c.Each(func(r Record) { check(r.Kind(), r.Key()) })
	for _, gone := range c.Removed {
		if check(gone.Kind, gone.ID); gone.Kind == Accounts {
			err = ErrAccountStays
		}
	}
	return err
}

// decodeStrict reads a JSON object and nothing else, without members that the
// type does not know.
func decodeStrict(data []byte, into any) error {
	if len(data) == 0 || data[0] != '{' {
		return errors.New("not a JSON object")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if dec.InputOffset() != int64(len(data)) {
		return errors.New("more after the end of the JSON object")
	}
	return nil
}

// A Note is the text of such a line.
type Note struct {
	Salvaged *Salvaged `json:"salvaged,omitempty"`
}

// Salvaged begins a log that was made of a damaged one, and lists everything that could
// not be read of that.
type Salvaged struct {
	Missing []string `json:"missing"`
}

// parseNote reads a note. Every byte must be as AppendJSON writes it.
func parseNote(text []byte) (*Note, error) {
	n := new(Note)
	if err := decodeStrict(text, n); err != nil {
		return nil, err
	}
	if same, err := AppendJSON(nil, n); err != nil || !bytes.Equal(same, text) ||
		n.Salvaged == nil {
		return nil, errors.New("a note that is not in the order and form of this log")
	}
	return n, nil
}
