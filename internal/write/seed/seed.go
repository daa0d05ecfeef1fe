// Package seed reads and writes the records of a store as one JSON document: a seed, written by
// hand or exported.
//
//	{
//	  "venues": [{"$name": "hall", "venue": "Town Hall"}],
//	  "events": [{"title": "Concert", "venue": "$hall", "start_date": "@tomorrow 20:00", "end_date": "@start+2h"}]
//	}
//
// # Format
//
// A document has lists of records, named events, venues, organizers, categories, tags and images.
// Records have the members of requests and answers, and the defaults of a request that creates
// them. Given ids stay. A file may also be a saved list, an array of records, one record, or
// several of these one after the other. Saved records keep their ids; derived members, such as
// addresses and counts, are ignored.
//
// A record is referenced by its id, from anywhere in the file, or by its name: the record with
// "$name": "hall" is "$hall" in the members venue, organizer, categories, tags, image, parent and
// post_parent. All kinds share the names. A "$comment" is ignored.
//
// Every date may be relative to the time of planting; see caltime.Relative. start_date and
// end_date are in the event's zone: its timezone, or the zone in a relative start_date, or else
// the site's. A relative date in another zone is converted. date and modified are in the zone of
// the site. All except start_date may be relative to "@start".
//
// An event with a recurrence creates a series, as a request does: it is the first event, and the
// ids of the other events follow all records of the file.
//
// # Exports
//
// Write makes a document that begins with "exact": true. The values of such a document are stored
// unchanged: no cleaning of texts, no unique slugs, no moving of times of whole days or times that
// zones skip, no publication of scheduled records. Missing members have the usual defaults, so an
// export can be edited like any seed. The store planted from an unedited export has the same
// export, byte for byte. These members do not exist in requests:
//
//	date_utc, modified_utc       with fractions of seconds; a modified_utc of 0000-00-00 00:00:00 is none
//	undated, local_date          an unpublished record has no date, or only a local one
//	was_draft                    the record is in the trash, and was unpublished before
//	cost, currency_…             together: the stored amounts and texts, and their currency
//	stored_password              the stored form of a password
//	former_slugs                 earlier slugs, newest first; pages redirect from them
//	global_id_lineage            the ids of the record elsewhere, nearest first, and before them its address there
//	recurrence                   the series of an event, its date in the series, and its overrides
//
// Only exports have a list named series: the templates of events.
//
// An export has no revisions and no counters of ids: if the category with the highest id was
// removed, the next category of the copy gets that id.
//
// # Errors
//
// Plant checks all records before it stores the first, and reports some of the problems with file,
// line and member:
//
//	small.json:14: events[2].start_date: "@nexst-monday": …
//
// Unknown members are errors too, except in saved lists.
package seed

import (
	"errors"
	"os"
	"strings"

	"almanac/internal/write/intake"
	"almanac/store"
)

// Options has the time and place of planting. Dates are relative to Now; Home is unused.
type Options = intake.Options

// PlantFile plants a file, or the built-in profile if the name begins with "@", such as "@small".
// A file with such a name is "./@small".
func PlantFile(s *store.Store, name string, o Options) error {
	text, err := ReadFile(name)
	if err != nil {
		return err
	}
	return Plant(s, text, name, o)
}

// ReadFile returns the text of a file, or of the built-in profile.
func ReadFile(name string) ([]byte, error) {
	if strings.HasPrefix(name, "@") {
		return Profile(name)
	}
	return os.ReadFile(name)
}

// Plant fills an empty store with the records of a file, all or none, in one transaction. The
// error has a line for each of the first problems; name is the file's name in them. A store that
// is not empty is refused, unless Options.More is set: then records get free ids, a given id must
// be free, and ids in references may be those of stored records.
func Plant(s *store.Store, text []byte, name string, o Options) error {
	p := &planter{Options: o, store: s, name: name, text: text}
	p.find()
	p.identify()
	for _, r := range p.records {
		before := len(p.problems)
		p.object(r, r.Value, r.path, r.of, listed(r.of, r.Value))
		r.wrong = len(p.problems) > before
	}
	return p.plant(s)
}

type planter struct {
	Options
	store    *store.Store
	name     string // of the file
	text     []byte
	records  []*record
	names    map[string]*record
	ids      [2]map[int64]*record // of all records except terms, and of terms
	inside   map[embedded]bool
	next     [2]int64 // free ids, as ids
	problems []problem
}

// plant stores the records if they have no problem. Otherwise it only looks for invalid dates,
// because other refusals may be consequences of the problems.
func (p *planter) plant(s *store.Store) error {
	wrong := len(p.problems) > 0
	d := intake.Seed{Items: make([]intake.Item, len(p.records)), Next: p.next, Dry: wrong}
	for i, r := range p.records {
		d.Items[i] = intake.Item{
			Kind:     r.of.String(),
			File:     p.name,
			Position: i + 1,
			Value:    r.Value,
			Exact:    r.exact,
		}
	}
	report, err := d.Plant(s, p.Options)
	if !errors.Is(err, intake.ErrRefused) && !wrong {
		return err
	}
	for _, refusal := range report.Refusals {
		name := refusal.Field[strings.LastIndexByte(refusal.Field, '.')+1:]
		m, _ := intake.MemberOf(store.Events, name)
		r := p.records[refusal.Position-1]
		if wrong &&
			(r.wrong || name != "timezone" && !m.Is(intake.EventDate) && !m.Is(intake.SiteDate)) {
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

// joined returns the path of a member of a record; the path of a single record is empty.
func joined(path, below string) string {
	if path == "" {
		return strings.TrimPrefix(below, ".")
	}
	return path + below
}
