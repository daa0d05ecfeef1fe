// The table at the end: records of the site against records here.

package adopt

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"almanac/internal/cli"
	"almanac/internal/intake"
	"almanac/internal/jsonin"
	"almanac/internal/transfer"
	"almanac/store"
)

// A table counts the records of an archive, and those of them that an import created or found.
type table struct {
	archive *archive
	loader  *transfer.Loader   // nil if nothing is imported
	ids     map[string]*idSet  // ids at the site, by kind
	months  map[string]*[2]int // events read and here, by month of start

	month, next string // of events in the loader, of the last event
	noted       int    // events of earlier months

	protected, ticketed int // events
}

func newTable(a *archive) *table {
	t := &table{archive: a, ids: map[string]*idSet{}, months: map[string]*[2]int{}}
	for _, l := range lists {
		t.ids[l.name] = &idSet{}
	}
	return t
}

// embedded are the members of an event that have records of the other lists.
var embedded = map[string]string{"venue": "venues", "organizer": "organizers", "categories": "categories", "tags": "tags"}

// see counts a record before it is added to the loader, and reports whether it begins another month than the one before.
func (t *table) see(item intake.Item) (isOther bool) {
	v := &jsonin.Value{Raw: item.Record}
	isNew := t.ids[item.Kind].add(v.Member("id").Integer())
	if item.Kind != store.Events.String() {
		return false
	}
	start, _ := v.Member("start_date").Text()
	t.next = start[:min(len(start), len("2006-01"))]
	if isNew {
		t.row(t.next)[0]++
	}
	for name, kind := range embedded {
		member := v.Member(name)
		for _, record := range append(member.Items(), member) {
			if id := record.Member("id").Integer(); id != 0 {
				t.ids[kind].add(id)
			}
		}
	}
	if isNew && v.Member("all_day").IsNull() {
		t.protected++
	}
	if isNew && !v.Member("ticketed").IsEmpty() {
		t.ticketed++
	}
	return t.next != t.month
}

// count counts the events that were stored since the last count.
func (t *table) count() {
	n := len(t.loader.Report.Records[store.Events])
	if n > t.noted {
		t.row(t.month)[1] += n - t.noted
	}
	t.noted, t.month = n, t.next
}

// row returns the row of a month.
func (t *table) row(month string) *[2]int {
	if t.months[month] == nil {
		t.months[month] = &[2]int{}
	}
	return t.months[month]
}

// errMissing reports that records are missing. Messages before it named their lists.
var errMissing = errors.New("records of the site are missing here: adopt it again later, or give -partial if this is all that is wanted")

// print prints the table, and returns an error if records of the site are missing, unless parts are wanted.
func (t *table) print(s *settings, p cli.Process) (err error) {
	out := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells ...any) {
		if t.loader == nil {
			cells = cells[:len(cells)-1] // here
		}
		for _, cell := range cells {
			fmt.Fprint(out, cell, "\t")
		}
		fmt.Fprintln(out)
	}
	wrong := func(format string, args ...any) {
		if fmt.Fprintf(p.Stderr, format+"\n", args...); !s.Partial {
			err = errMissing
		}
	}
	row("", "the site says", "read", "here")
	for _, l := range lists {
		d, n, here := t.archive.Lists[l.name], t.ids[l.name].n, 0
		if shown := min(n, d.Read); !d.Steady || shown < d.Read {
			wrong("%s: the site says %d and shows %d, or they change while they are read", l.name, d.Total, shown)
		}
		if t.loader != nil {
			k, _ := intake.KindOf(l.name)
			if here = len(t.loader.Report.Records[k]); here < n {
				wrong("%s: %d of %d are missing here", l.name, n-here, n)
			}
		}
		row(l.name, d.Total, n, here)
	}
	row("", "")
	row("events of", "", "read", "here")
	for _, month := range slices.Sorted(maps.Keys(t.months)) {
		row(month, "", t.months[month][0], t.months[month][1])
	}
	if s.Quiet {
		return err
	}
	for _, line := range t.untold() {
		fmt.Fprintln(out, line)
	}
	return errors.Join(err, out.Flush())
}

// untold returns lines about everything that the API does not tell.
func (t *table) untold() []string {
	lines := []string{"", fmt.Sprintf("These are the answers of %s since %s. Its API does not tell:", t.archive.Site,
		t.archive.Began.Format(time.DateTime)),
		"- tickets, orders and attendees: on the old site, Tickets, Attendees, Export" + number(t.ticketed, "has tickets"),
		"- passwords of events: in the form of the event, or in an export of WordPress" + number(t.protected, "came without its text"),
		"- events that lists hide, the trash, revisions and comments: in an export of WordPress",
		"- that an event is cancelled or postponed: on its page",
		"- names of accounts: authors are numbers; all records belong to the account that imports them"}
	if t.archive.Login == "" {
		lines = append(lines, "- drafts, pending, scheduled and private records: give -login and -password-file")
	}
	return lines
}

// number says how many events something is true for.
func number(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (this is true for %d events: each %s)", n, what)
}
