// Finding the records of a file.

package importer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"almanac/internal/jsonin"
	"almanac/store"
)

// What a file may be, for errors.
const forms = `it must be the JSON that /events, /venues, /organizers, /categories or /tags answers, a list of records, or one record; ` +
	`or iCalendar, which begins with BEGIN:VCALENDAR; or CSV with a header row that has EVENT NAME and EVENT START DATE, or Subject ` +
	`and Start Date as Google and Outlook write it, or VENUE NAME, or ORGANIZER NAME`

// RecordKeys are members that a record has and a listing has not. They tell the
// categories and tags of an event from a listing of categories or tags.
var RecordKeys = words(`id global_id title start_date venue organizer name slug`)

// pageKeys are what a listing says beside its records.
var pageKeys = words(`rest_url next_rest_url previous_rest_url total`)

// A Reader reads files. The zero Reader is ready to use.
type Reader struct {
	DateOrder DateOrder // of the dates in tables
}

// headSize is how much of a file is looked at to tell its form, less if it is shorter.
const headSize = 4096

// Read is the method of the zero Reader.
func Read(r io.Reader, file string, yield func(Item) error, page func(Page)) error {
	return Reader{}.Read(r, file, yield, page)
}

// Read finds the records of a file and yields them in their order. The form of the file is
// told from its first bytes, whatever its name. Memory is needed for one record at a time,
// and for what the records of a listing are known by. What a listing says beside its records
// is told to page, unless that is nil, when its records were yielded.
//
// An error of yield ends the reading and is returned as it is. Other errors
// name the file and the line; what was found before was yielded.
// What cannot be a record is yielded with the reason in Reject.
func (rd Reader) Read(r io.Reader, file string, yield func(Item) error, page func(Page)) error {
	text := bufio.NewReaderSize(decoded(r), headSize)
	head, _ := text.Peek(headSize) // the next Read returns the error
	columns, comma, header := tableOf(head)
	switch is := foreign(head, header); {
	case isCalendar(head):
		return readCalendar(text, file, yield, page)
	case columns != nil:
		return rd.readTable(text, file, columns, comma, yield)
	case is != "":
		return fmt.Errorf("%s: seems to be %s; %s", file, is, forms)
	}
	return readLists(text, file, yield, page)
}

// readLists reads JSON: the body of a listing, a bare list of records, a single record, or
// several of these one after the other. A record may have 64 MiB.
func readLists(r io.Reader, file string, yield func(Item) error, page func(Page)) error {
	f := &finder{Stream: jsonin.NewStream(r, file), file: file, yield: yield, page: page}
	for values := 0; ; values++ {
		token, err := f.Next()
		switch {
		case err == io.EOF && values > 0:
			return nil
		case err == io.EOF:
			return fmt.Errorf("%s: is empty; %s", file, forms)
		case err != nil && values == 0:
			err = fmt.Errorf("%w; %s", err, forms)
		case err != nil:
		case token == json.Delim('['):
			err = f.list("")
		case token == json.Delim('{'):
			err = f.object()
		default:
			err = f.Locate(fmt.Errorf("found a bare value; %s", forms))
		}
		if err != nil {
			return err
		}
	}
}

// A finder walks through the JSON of a file.
type finder struct {
	*jsonin.Stream
	file  string
	found int // records so far
	yield func(Item) error
	page  func(Page) // or nil
	names []string   // what the records of the listing are known by
}

// list yields the records of a list whose bracket was read. kind is "" when
// each record tells its own.
func (f *finder) list(kind string) error {
	for f.More() {
		record, err := f.Value()
		if err != nil {
			return err
		}
		if err := f.give(kind, record); err != nil {
			return err
		}
	}
	_, err := f.Token()
	return err
}

// object yields the lists of a listing whose brace was read, or the one record
// that the object is.
func (f *finder) object() error {
	var members []byte                   // of the record that it may be
	var keys []string                    // of the first members
	said := map[string]json.RawMessage{} // of a listing, beside its records
	kinds, record := []string{}, false   // of its lists
	f.names = nil
	for f.More() {
		token, err := f.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if len(keys) < mostNames {
			keys = append(keys, key)
		}
		if k, ok := KindOf(key); ok && k != store.Images && k != store.AllSeries && !record {
			if token, err = f.Token(); err != nil {
				return err
			}
			if token != json.Delim('[') {
				return f.Locate(fmt.Errorf("%q must be a list of records", key))
			}
			kinds = append(kinds, key)
			if err := f.list(key); err != nil {
				return err
			}
			continue
		}
		value, err := f.Value()
		if err != nil {
			return err
		}
		record = record || RecordKeys[key]
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
	if _, err := f.Token(); err != nil {
		return err
	}
	switch {
	case len(kinds) > 0:
		if f.page != nil && len(kinds) == 1 { // what is said of several lists is true of none
			f.page(pageOf(f.file, kinds[0], said, f.names))
		}
		return nil
	case !record:
		return f.Locate(fmt.Errorf("found an object with the members %.40q, which is neither a listing nor a record; %s", keys, forms))
	}
	members[0] = '{'
	return f.give("", append(members, '}'))
}

// give yields a record.
func (f *finder) give(kind string, record json.RawMessage) error {
	f.found++
	if f.page != nil {
		f.names = append(f.names, knownBy(record, f.found))
	}
	item := Item{Kind: kind, File: f.file, Position: f.found, Record: record}
	if item.Reject = Unfit(record); item.Reject == "" && kind == "" {
		if k, ok := KindByShape(&jsonin.Value{Raw: record}); ok {
			item.Kind = k.String()
		} else {
			item.Reject = "is not to be told for an event, a venue, an organizer, a category or a tag"
		}
	}
	if item.Reject != "" {
		item.Record = nil
	}
	return f.yield(item)
}

// Unfit returns the reason why a text cannot be a record whatever it says, or "".
func Unfit(record []byte) string {
	switch flaw, _ := jsonin.Check(record, jsonin.MaxDepth); flaw {
	case jsonin.BadEncoding:
		return "is not UTF-8"
	case jsonin.LoneSurrogate:
		return "holds half a surrogate pair"
	}
	return ""
}

// KindByShape tells the kind of a record from its members.
func KindByShape(v *jsonin.Value) (k store.Kind, ok bool) {
	has := func(name string) bool { return !v.Member(name).IsNull() }
	taxonomy, _ := v.Member("taxonomy").Text()
	switch {
	case has("title") || has("start_date"):
		return store.Events, true
	case has("venue"):
		return store.Venues, true
	case has("organizer"):
		return store.Organizers, true
	case has("name") && strings.HasSuffix(taxonomy, "_cat"):
		return store.Categories, true
	case has("name") && strings.HasSuffix(taxonomy, "_tag"):
		return store.Tags, true
	}
	return 0, false
}
