// Finding the records of a file.

package importer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// What a file may be, for errors.
const forms = `it must be the JSON that /events, /venues, /organizers, /categories or /tags answers, a list of records, or one record`

// recordKeys are members that a record has and a listing has not. They tell the
// categories and tags of an event from a listing of categories or tags.
var recordKeys = map[string]bool{
	"id": true, "global_id": true, "title": true, "start_date": true, "venue": true, "organizer": true, "name": true, "slug": true,
}

// pageKeys are what a listing says beside its records.
var pageKeys = map[string]bool{"rest_url": true, "next_rest_url": true, "previous_rest_url": true, "total": true}

// Read finds the records of a file and yields them in their order. The file
// holds the body of a listing, a bare list of records, a single record, or
// several of these one after the other. Memory is needed for one record at a time,
// of at most 64 MiB, and for what the records of a listing are known by. What a
// listing says beside its records is told to page, unless that is nil, when its
// records were yielded.
//
// An error of yield ends the reading and is returned as it is. Other errors
// name the file, the line and the column; what was found before was yielded.
// What is JSON but cannot be a record is yielded with the reason in Reject.
func Read(r io.Reader, file string, yield func(Item) error, page func(Page)) error {
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		_, _ = text.Discard(3) // some editors put it in front of UTF-8
	}
	t := &tracker{r: text, line: 1, column: 1}
	f := &finder{text: t, dec: json.NewDecoder(t), file: file, yield: yield, page: page}
	for values := 0; ; values++ {
		token, err := f.dec.Token()
		switch {
		case errors.Is(err, io.EOF) && values > 0:
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("%s: is empty; %s", file, forms)
		case err != nil:
			return f.located(err)
		case token == json.Delim('['):
			err = f.list("")
		case token == json.Delim('{'):
			err = f.object()
		default:
			err = f.located(fmt.Errorf("found a bare value; %s", forms))
		}
		if err != nil {
			return err
		}
	}
}

// A finder walks through the JSON of a file.
type finder struct {
	text  *tracker
	dec   *json.Decoder
	file  string
	found int // records so far
	yield func(Item) error
	page  func(Page) // or nil
	names []string   // what the records of the listing are known by
}

// list yields the records of a list whose bracket was read. kind is "" when
// each record tells its own.
func (f *finder) list(kind string) error {
	for f.dec.More() {
		record, err := f.value()
		if err != nil {
			return err
		}
		if err := f.give(kind, record); err != nil {
			return err
		}
	}
	_, err := f.dec.Token()
	return f.located(err)
}

// object yields the lists of a listing whose brace was read, or the one record
// that the object is.
func (f *finder) object() error {
	var members []byte                   // of the record that it may be
	said := map[string]json.RawMessage{} // of a listing, beside its records
	kinds, record := []string{}, false   // of its lists
	f.names = nil
	for f.dec.More() {
		token, err := f.dec.Token()
		if err != nil {
			return f.located(err)
		}
		key, _ := token.(string)
		if _, ok := kindOf(key); ok && !record {
			if token, err = f.dec.Token(); err != nil {
				return f.located(err)
			}
			if token != json.Delim('[') {
				return f.located(fmt.Errorf("%q must be a list of records", key))
			}
			kinds = append(kinds, key)
			if err := f.list(key); err != nil {
				return err
			}
			continue
		}
		value, err := f.value()
		if err != nil {
			return err
		}
		record = record || recordKeys[key]
		if pageKeys[key] {
			said[key] = value
		}
		if len(kinds) > 0 {
			continue
		}
		name, err := json.Marshal(key)
		if err != nil {
			return err
		}
		members = append(append(append(append(members, ','), name...), ':'), value...)
	}
	if _, err := f.dec.Token(); err != nil {
		return f.located(err)
	}
	switch {
	case len(kinds) > 0:
		if f.page != nil && len(kinds) == 1 { // what is said of several lists is true of none
			f.page(pageOf(f.file, kinds[0], said, f.names))
		}
		return nil
	case !record:
		return f.located(fmt.Errorf("found an object that is neither a listing nor a record; %s", forms))
	}
	members[0] = '{'
	return f.give("", append(members, '}'))
}

// value reads a whole value.
func (f *finder) value() (json.RawMessage, error) {
	f.text.drop(f.dec.InputOffset())
	var value json.RawMessage
	err := f.dec.Decode(&value)
	return value, f.located(err)
}

// give yields a record.
func (f *finder) give(kind string, record json.RawMessage) error {
	f.found++
	if f.page != nil {
		f.names = append(f.names, knownBy(record, f.found))
	}
	item := Item{Kind: kind, File: f.file, Position: f.found, Record: record}
	if item.Reject = Unfit(record); item.Reject == "" && kind == "" {
		if item.Kind = kindByShape(record); item.Kind == "" {
			item.Reject = "is not to be told for an event, a venue, an organizer, a category or a tag"
		}
	}
	if item.Reject != "" {
		item.Record = nil
	}
	return f.yield(item)
}

// surrogates finds escaped code units of UTF-16 that stand alone: they are what
// the second alternative leaves to the third.
var surrogates = regexp.MustCompile(`\\[^u]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|(\\u[dD][89a-fA-F])`)

// Unfit returns the reason why a text cannot be a record whatever it says, or "".
func Unfit(record []byte) string {
	if !utf8.Valid(record) {
		return "is not UTF-8"
	}
	if bytes.Contains(record, []byte(`\ud`)) || bytes.Contains(record, []byte(`\uD`)) {
		for _, at := range surrogates.FindAllSubmatchIndex(record, -1) {
			if at[2] >= 0 {
				return "holds half a surrogate pair"
			}
		}
	}
	return ""
}

// kindByShape tells the kind of a record from its members.
func kindByShape(record json.RawMessage) string {
	r, err := parse(record)
	if err != nil {
		return ""
	}
	switch taxonomy := r.text("taxonomy"); {
	case r.has("title") || r.has("start_date"):
		return "events"
	case r.has("venue"):
		return "venues"
	case r.has("organizer"):
		return "organizers"
	case r.has("name") && strings.HasSuffix(taxonomy, "_cat"):
		return "categories"
	case r.has("name") && strings.HasSuffix(taxonomy, "_tag"):
		return "tags"
	}
	return ""
}

// located adds file, line and column to an error of the decoder.
func (f *finder) located(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: ends in the middle of its JSON; was it cut off?", f.file)
	}
	f.text.drop(f.dec.InputOffset())
	rest := f.text.kept
	skipped := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))

	// The decoder does not say where in a value the error is. Reading the value
	// once more does, if it fails in the same way.
	var value json.RawMessage
	var syntax *json.SyntaxError
	if again := json.Unmarshal(rest[skipped:], &value); errors.As(again, &syntax) && again.Error() == err.Error() {
		skipped += int(syntax.Offset) - 1
	}
	f.text.drop(f.text.base + int64(skipped))
	return fmt.Errorf("%s: line %d, column %d: %w", f.file, f.text.line, f.text.column, err)
}

// maxRecord is how much of a file is held in memory at a time.
const maxRecord = 64 << 20

// A tracker passes a text on and knows the line and column of the place up to
// which it was dropped. What comes after that it keeps.
type tracker struct {
	r            io.Reader
	kept         []byte
	base         int64 // offset of kept in the text
	line, column int   // of kept, from 1; columns count characters
}

func (t *tracker) Read(p []byte) (int, error) {
	if len(t.kept) > maxRecord {
		return 0, fmt.Errorf("a record is larger than %d MiB", maxRecord>>20)
	}
	n, err := t.r.Read(p[:min(len(p), 32<<10)]) // what is kept beyond a record stays small
	t.kept = append(t.kept, p[:n]...)
	return n, err
}

// drop forgets the text before an offset.
func (t *tracker) drop(offset int64) {
	n := max(0, min(int(offset-t.base), len(t.kept)))
	for _, c := range t.kept[:n] {
		switch {
		case c == '\n':
			t.line, t.column = t.line+1, 1
		case utf8.RuneStart(c):
			t.column++
		}
	}
	t.kept = append(t.kept[:0], t.kept[n:]...)
	t.base += int64(n)
}
