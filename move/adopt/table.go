// The table at the end: records of the site against records here.

package adopt

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"almanac/internal/cli"
	"almanac/internal/text/jsonio"
	"almanac/internal/write/intake"
	"almanac/move/oldsite"
	"almanac/move/transfer"
	"almanac/store"
)

// A table counts the records of an archive, and those of them that an import created or found.
type table struct {
	archive *archive
	loader  *transfer.Loader          // nil if nothing is imported
	ids     map[string]map[int64]bool // ids at the site, by kind
	read    map[string]int            // events at the site, by month of start
	here    map[string]int
	left    map[string]int // records set apart, by kind
	named   []string       // the first of these

	month, next string // of events in the loader, of the last event
	noted       int    // events of earlier months

	refused error
}

func newTable(a *archive) *table {
	t := &table{
		archive: a,
		ids:     map[string]map[int64]bool{},
		read:    map[string]int{},
		here:    map[string]int{},
		left:    map[string]int{},
	}
	for _, k := range oldsite.Kinds {
		t.ids[k.Name] = map[int64]bool{}
	}
	return t
}

// namedMost bounds the records set apart that are named.
const namedMost = 1000

// see counts a record before it is added to the loader, and reports whether it is to be added: it
// is the first with its id, and no password hides its content.
func (t *table) see(item intake.Item) (isNew bool) {
	v := &jsonio.Value{Raw: item.Record}
	ids := t.ids[item.Kind]
	id := v.Member("id").Integer()
	isNew = !ids[id]
	ids[id] = true
	if isNew && oldsite.KindOf(item.Kind).IsProtected(oldsite.Decode(item.Record)) {
		page, _ := v.Member("url").Text()
		t.left[item.Kind]++
		if len(t.named) < namedMost {
			t.named = append(t.named, fmt.Sprintf("%s: %d %.200s", item.Kind, id, page))
		}
		return false
	}
	if !isNew || item.Kind != store.Events.String() {
		return isNew
	}
	start, _ := v.Member("start_date").Text()
	if t.next = start[:min(len(start), len("2006-01"))]; strings.Trim(
		t.next,
		"0123456789-",
	) != "" {
		t.next = "no date"
	}
	for name, kind := range oldsite.Linked {
		member := v.Member(name)
		for _, record := range append(member.Items(), member) {
			if id := record.Member("id").Integer(); id != 0 && len(t.ids[kind]) < recordsMost {
				t.ids[kind][id] = true
			}
		}
	}
	t.read[t.next]++
	return true
}

// count counts the events that were stored since the last count.
func (t *table) count() {
	n := len(t.loader.Report.Records[store.Events])
	t.here[t.month] += n - t.noted
	t.noted = n
	t.month = t.next
}

// errMissing reports that records are missing. Messages before it named their lists.
var errMissing = errors.New(
	"records of the site are missing here: adopt it again later, or give -partial if this is all that is wanted",
)

// print prints the table, and returns an error if records of the site are missing, unless parts
// are wanted.
func (t *table) print(s *settings, p cli.Process) error {
	err := t.refused
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
		if fmt.Fprintf(p.Stderr, format+"\n", args...); !s.Partial && err == nil {
			err = errMissing
		}
	}
	row("", "the site says", "read", "here")
	for _, k := range oldsite.Kinds {
		d := t.archive.Lists[k.Name]
		n := len(t.ids[k.Name])
		here := 0
		if shown := min(n, d.Read); !d.Steady || shown < d.Read {
			wrong(
				"%s: the site says %d and shows %d, or they change while they are read",
				k.Name,
				d.Total,
				shown,
			)
		}
		if t.loader != nil {
			kind, _ := intake.KindOf(k.Name)
			here = len(t.loader.Report.Records[kind])
			if missing := n - t.left[k.Name] - here; missing > 0 {
				wrong("%s: %d of %d are missing here", k.Name, missing, n)
			}
		}
		row(k.Name, d.Total, n, here)
	}
	for _, name := range t.named {
		fmt.Fprintln(p.Stderr, cli.Line(name+" is left out: a password hides its content"))
	}
	row("", "")
	row("events of", "", "read", "here")
	for _, month := range slices.Sorted(maps.Keys(t.read)) {
		row(month, "", t.read[month], t.here[month])
	}
	if s.Quiet {
		return err
	}
	for _, line := range t.untold() {
		fmt.Fprintln(out, line)
	}
	if t.loader != nil {
		t.loader.WritePictures(out)
		fmt.Fprintf(out, "\nA server with this calendar, as the site tells of itself:\n%s\n", serveLine(os.Args[0], s, t.archive.state))
	}
	return errors.Join(err, out.Flush())
}

// untold returns lines about everything that the API does not tell.
func (t *table) untold() []string {
	lines := []string{"",
		fmt.Sprintf(
			"These are the answers of %s since %s. Its API does not tell:",
			t.archive.Site,
			t.archive.Began.Format(time.DateTime),
		),
		"- tickets, orders and attendees: on the old site, Tickets, Attendees, Export",
		"- venues and organizers with a password: in an export of WordPress",
		"- events that lists hide, the trash, revisions and comments: in an export of WordPress",
		"- names of accounts: authors are numbers; all records belong to the account that imports them"}
	if t.archive.Login == "" {
		lines = append(lines, "- events with a password, drafts, pending, scheduled and private records: "+
			"give -login and -password-file")
	} else {
		lines = append(lines, "- passwords that the account cannot read: these events are private here, "+
			"until you publish them with a password")
	}
	if t.archive.Silent {
		lines = append(lines, "- that an event is cancelled or postponed: on its page")
	}
	return lines
}
