// The report of an import as people read it.

package transfer

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"

	"almanac/internal/cli"
	"almanac/internal/text/jsonio"
	"almanac/internal/write"
	"almanac/internal/write/intake"
	"almanac/move/files"
	"almanac/store"
)

// placesInLists are the places of records in the lists of a path.
var placesInLists = regexp.MustCompile(`\[\d+\]`)

// inWords returns the refusal of an item with the name that the wrong member has in the file, and
// with the days that a date in another form may mean.
func inWords(r intake.Refusal, item intake.Item) intake.Refusal {
	path := placesInLists.ReplaceAllString(r.Field, "")
	member := path[strings.LastIndexByte(path, '.')+1:]
	if k, ok := intake.KindOf(r.Kind); r.Embedded && ok {
		path = strings.TrimSuffix(k.String(), "s") + "." + path
	}
	if name := item.Names[path]; name != "" {
		what, isNamed := strings.CutPrefix(r.Reason, member+" ")
		if r.Reason = name + ": " + r.Reason; isNamed {
			r.Reason = name + " " + what
		}
	}
	sent := &jsonio.Value{Raw: item.Record}
	for member := range strings.SplitSeq(path, ".") {
		sent = sent.Member(member)
	}
	if text, isText := sent.Text(); isText {
		r.Reason = strings.Replace(r.Reason, "YYYY-MM-DD", files.SuggestedDates(text), 1)
	}
	return r
}

// line returns a refusal as a line of text.
func line(r intake.Refusal) string {
	what := cmp.Or(r.Kind, "kind unknown")
	if r.Embedded {
		what = "in it, " + what
	}
	if r.ID != "" {
		what += " " + r.ID
	}
	file := r.File
	if r.Line > 0 {
		file += ":" + strconv.Itoa(r.Line)
	}
	return cli.Line(fmt.Sprintf("%s: record %d (%s): %s", file, r.Position, what, r.Reason))
}

// WriteUnknown writes a line for each member that the target does not keep.
func (l *Loader) WriteUnknown(w io.Writer) {
	for _, u := range l.Report.Unknown {
		reason := cmp.Or(u.Reason, "has no place here")
		fmt.Fprintf(w, "%s: %s have a key %q, which %s\n", u.File, u.Kind, u.Key, reason)
	}
}

// WriteTable writes the counts of the report as a table, and what became of pictures.
func (l *Loader) WriteTable(w io.Writer) error {
	refused := map[string]int{}
	maps.Copy(refused, l.Report.Further)
	for _, r := range l.Report.Refusals {
		refused[r.Kind]++
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\tcreated\tupdated\tleft alone\trefused\t\n")
	for _, k := range []store.Kind{
		store.Events,
		store.Venues,
		store.Organizers,
		store.Categories,
		store.Tags,
		store.Images,
	} {
		n := map[write.Outcome]int{}
		for _, outcome := range l.Report.Records[k] {
			n[outcome]++
		}
		fmt.Fprintf(
			t,
			"%s\t%d\t%d\t%d\t%d\t\n",
			k,
			n[write.Created],
			n[write.Updated],
			n[write.Unchanged],
			refused[k.String()],
		)
	}
	if n := refused[""]; n > 0 {
		fmt.Fprintf(t, "others\t0\t0\t0\t%d\t\n", n)
	}
	err := t.Flush()
	l.WritePictures(w)
	return err
}
