// Package seed reads and writes the records of a store as one JSON document: a
// seed, which people write by hand and programs export.
//
//	{
//	  "venues": [{"$name": "hall", "venue": "Town Hall"}],
//	  "events": [{"title": "Concert", "venue": "$hall", "start_date": "@tomorrow 20:00", "end_date": "@start+2h"}]
//	}
//
// # The form
//
// A document has lists of records, named events, venues, organizers, categories,
// tags and images. Their members are those that requests have and lists answer,
// and a record needs no more of them than a request that makes one: the rest is
// as if a request had made it. An id that is given is kept. A file may also be
// what was saved of a list, a bare list, one record, or several of all these one
// after the other. Saved records keep their ids, and what a site derives, such as
// addresses and counts, is passed over.
//
// A record is referred to by its id, wherever in the file it stands, or by its
// name: one with "$name": "hall" is "$hall" in the members venue, organizer,
// categories, tags, image, parent and post_parent. All records share the names.
// A "$comment" is for people.
//
// Every date may be relative to the moment at which the seed is planted; see
// caltime.Relative. start_date and end_date go by the clocks of the event's zone,
// which is its timezone, or the zone that a relative start_date names, or else
// that of the site. A relative date that names another zone is converted. date
// and modified go by the clocks of the site. All of them but start_date may be
// relative to "@start".
//
// An event with a recurrence makes a series, as a request does: it is the first event, and
// the others come behind all records of the file.
//
// # Exports
//
// Write makes a document that begins with "exact": true. What such a document
// says is taken as it is: texts are not cleaned, slugs not made unlike, hours of
// whole days and hours that clocks skip not moved, scheduled records not
// published. What a record of it leaves out is filled in as in any other. So an
// export can be edited like any seed, and what is planted from one that nobody
// edited is exported again as the same bytes. These members say what requests
// have no words for:
//
//	date_utc, modified_utc       with fractions of seconds; a modified_utc of 0000-00-00 00:00:00 is none
//	undated, local_date          the date of an unpublished record was never given, or given without UTC
//	was_draft                    the record is in the trash, and was unpublished when it came there
//	cost, currency_…             together: the amounts and texts as they are stored, and their currency
//	stored_password              what the store holds in the place of a password
//	former_slugs                 what the record was called before, newest first: pages lead from there to it
//	global_id_lineage            the ids of the record elsewhere, nearest first, and before them its address there
//	recurrence                   of which series an event is, the start it was made for, and its own members
//
// Only such a document has a list named series: what the events are made of.
//
// Revisions, and the numbers that ids go on from, are not part of it: after a
// category with the highest id was removed, a new one in the copy has its id.
//
// # Errors
//
// Plant finds what is wrong in all records before it stores the first, and tells
// a few of the problems with file, line and member:
//
//	small.json:14: events[2].start_date: "@nexst-monday": …
//
// In records that were not saved from a list, members that mean nothing are
// refused too.
package seed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"almanac/internal/caltime"
	"almanac/internal/importer"
	"almanac/store"
)

// Options says where and when a seed is planted. Relative dates are relative to
// Now, and a seed needs no Home.
type Options = importer.Options

// PlantFile plants the file of a name, or the built-in profile: a name that
// begins with "@", such as "@small". A file whose name begins with it is
// "./@small".
func PlantFile(s *store.Store, name string, o Options) error {
	text, err := open(name)
	if err != nil {
		return err
	}
	return Plant(s, bytes.NewReader(text), name, o)
}

// open reads a file or a profile.
func open(name string) ([]byte, error) {
	if strings.HasPrefix(name, "@") {
		return Profile(name)
	}
	return os.ReadFile(name)
}

// Plant fills an empty store with the records of a file, all of them or none, in
// one transaction. The error has a line for each of the first few problems. name
// is what they call the file. A store that holds anything is refused.
func Plant(s *store.Store, r io.Reader, name string, o Options) error {
	content, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if o.Zones == nil {
		o.Zones = &caltime.Zones{}
	}
	p := &planter{Options: o, name: name, text: content}
	p.find()
	p.identify()
	for _, r := range p.records {
		p.prepare(r)
	}
	return p.plant(s)
}

// A planter plants one file.
type planter struct {
	Options
	name     string // of the file
	text     []byte
	records  []*record
	names    map[string]*record
	ids      [2]map[int64]*record // of the records that are not terms, and of the terms
	inside   map[embedded]bool
	next     [2]int64 // free ids, as ids
	problems []problem
}

// plant stores the records, if nothing is wrong with them. If something is, it
// only finds out which dates are wrong, too: what else could not be taken may
// follow from what is wrong.
func (p *planter) plant(s *store.Store) error {
	wrong := len(p.problems) > 0
	d := importer.Seed{Items: make([]importer.Item, len(p.records)), NextPost: p.next[0], NextTerm: p.next[1], Dry: wrong}
	for i, r := range p.records {
		d.Items[i] = importer.Item{Kind: r.of.String(), File: p.name, Position: i + 1, Value: r.Value, Exact: r.exact}
	}
	report, err := d.Plant(s, p.Options)
	if !errors.Is(err, importer.ErrRefused) && !wrong {
		return err
	}
	for _, refusal := range report.Refusals {
		name := refusal.Field[strings.LastIndexByte(refusal.Field, '.')+1:]
		m, _ := memberOf(store.Events, name)
		r := p.records[refusal.Position-1]
		if wrong && (r.wrong || name != "timezone" && !m.Is(importer.EventDate) && !m.Is(importer.SiteDate)) {
			continue
		}
		path := r.path
		if refusal.Field != "" {
			path = joined(path, "."+refusal.Field)
		}
		p.report(refusal.At, path, errors.New(refusal.Reason))
	}
	return p.verdict()
}

// joined returns the path of a member of a record, which has none when it is
// alone in its file.
func joined(path, below string) string {
	if path == "" {
		return strings.TrimPrefix(below, ".")
	}
	return path + below
}
