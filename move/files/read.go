// Package files reads calendars from files: the JSON of The Events Calendar's lists /events,
// /venues, /organizers, /categories and /tags, as saved from a site or from this server, exports
// of this program, iCalendar, CSV and exports of WordPress.
//
// A Reader yields the records of a file one by one, all in the form of lists; it never holds the
// whole file in memory. Pages counts the records of each list, and finds lists with missing pages.
package files

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/internal/write/intake"
	"almanac/store"
)

// forms lists the readable forms, for errors.
const forms = `it must be the JSON that /events, /venues, /organizers, /categories or /tags answers, a list of records, or one record; ` +
	`or iCalendar, which begins with BEGIN:VCALENDAR; or CSV with a header row that has EVENT NAME and EVENT START DATE, or Subject ` +
	`and Start Date as Google and Outlook write it, or VENUE NAME, or ORGANIZER NAME; or an export of WordPress (WXR)`

// pageKeys are the members of a listing beside its records.
var pageKeys = intake.Words(`rest_url next_rest_url previous_rest_url total`)

type Reader struct {
	DateOrder DateOrder     // of the dates in tables
	Zone      *caltime.Zone // of the site, for the zones of calendars; nil is unknown
	// Keep keeps a large calendar, which is read twice, up to an error, in another place than
	// memory; nil keeps it in memory.
	Keep func(io.Reader) (io.ReadSeekCloser, error)

	Authors map[string]string // logins of accounts here, by the logins in exports of WordPress
}

// headSize is the number of bytes that decide the form of a file.
const headSize = 4096

// Read yields the records of a file in order. The first bytes decide the form of the file, not its
// name. Memory holds one record at a time, and the identities of the records of a listing. After
// its records, the rest of a listing goes to page, unless page is nil.
//
// Read returns an error of yield unchanged. Other errors name the file and the line; records
// before it were yielded. An unusable record is yielded with the reason in Reject.
func (rd Reader) Read(
	r io.Reader,
	file string,
	yield func(intake.Item) error,
	page func(Page),
) error {
	text := bufio.NewReaderSize(decoded(r), headSize)
	head, _ := text.Peek(headSize) // the next Read returns the error
	if endsInCR(head) {
		text = bufio.NewReaderSize(lineFeeds{text}, headSize)
		head, _ = text.Peek(headSize)
	}
	form := tableOf(head)
	switch is := foreign(head, form.header); {
	case begins(strings.TrimLeft(string(head), " \t\r\n"), "BEGIN:VCALENDAR"):
		return rd.readCalendar(text, file, yield, page)
	case strings.HasPrefix(strings.TrimSpace(string(head)), "<") && bytes.Contains(head, []byte("wordpress.org/export/")):
		return rd.readWordPress(r, file, yield, page)
	case form.table != nil:
		return rd.readTable(text, file, &form, yield, page)
	case form.ofEvents:
		return fmt.Errorf(
			"%s: has columns of events, %.40q, and lacks EVENT NAME or EVENT START DATE; %s",
			file,
			form.header[:min(len(form.header), mostNames)],
			forms,
		)
	case is != "":
		return fmt.Errorf("%s: seems to be %s; %s", file, is, forms)
	}
	return readLists(text, file, yield, page)
}

// readLists reads JSON: a listing, a list of records, a record, or several of these. A record may
// have 64 MiB.
func readLists(r io.Reader, file string, yield func(intake.Item) error, page func(Page)) error {
	f := &finder{
		Stream: jsonio.NewStream(r, file),
		file:   file,
		yield:  yield,
		page:   page,
		names:  map[string]bool{},
	}
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

// A finder reads the JSON of a file.
type finder struct {
	*jsonio.Stream
	file  string
	found int // records so far
	yield func(intake.Item) error
	page  func(Page)      // nil if unwanted
	names map[string]bool // identities of the records of the listing
	exact bool            // the records are of an export
}

// list yields the records of a list after its bracket. If kind is "", each record shows its own.
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

// object yields the lists of a listing, or the record, after its brace.
func (f *finder) object() error {
	members := []byte{'{'} // of the possible record, or beside the records of a listing
	var keys []string      // of the first members
	kinds := []string{}
	record := false // kinds are the lists of a listing
	f.names = map[string]bool{}
	f.exact = false
	for f.More() {
		token, err := f.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if len(keys) < mostNames {
			keys = append(keys, key)
		}
		if k, ok := intake.KindOf(key); ok &&
			(f.exact || k != store.Images && k != store.AllSeries) &&
			!record {
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
		record = record || intake.RecordKeys[key]
		f.exact = f.exact || key == "exact" && string(value) == "true"
		if len(kinds) > 0 && !pageKeys[key] {
			continue
		}
		name, err := json.Marshal(key)
		if err != nil {
			return err
		}
		members = append(append(append(append(members, name...), ':'), value...), ',')
	}
	if _, err := f.Token(); err != nil {
		return err
	}
	members = append(bytes.TrimSuffix(members, []byte(",")), '}')
	switch {
	case len(kinds) > 0:
		if f.page != nil &&
			len(kinds) == 1 { // a statement about several lists is true for no single one
			f.page(pageOf(f.file, kinds[0], &jsonio.Value{Raw: members}, f.names))
		}
		return nil
	case !record:
		return f.Locate(
			fmt.Errorf(
				"found an object with the members %.40q, which is neither a listing nor a record; %s",
				keys,
				forms,
			),
		)
	}
	return f.give("", members)
}

func (f *finder) give(kind string, record json.RawMessage) error {
	f.found++
	item := intake.Item{
		Kind:     kind,
		File:     f.file,
		Position: f.found,
		Record:   record,
		Exact:    f.exact,
	}
	item.Reject = intake.Unfit(record)
	if f.page != nil && item.Reject == "" {
		f.names[knownBy(record, f.found)] = true
	} else if f.page != nil {
		f.names[knownBy(nil, f.found)] = true
	}
	if item.Reject == "" && kind == "" {
		if k, ok := intake.KindByShape(&jsonio.Value{Raw: record}); ok {
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
