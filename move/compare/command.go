// Package compare asks an old site and the server in its place the same, and tells what differs and
// should not, apart from what the old site does wrong and what must differ: in the index, in every
// record, and in lists by sampled filters and pages.
//
//	command.go    the command and its report
//	records.go    all records of both sites, and lists by the parameters of the specification
//	values.go     what must differ between two answers, and what must not
//	redirects.go  addresses of pages that change, for a proxy
package compare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/text/caltime"
	"almanac/move/client"
	"almanac/move/oldsite"
)

// Command compares two sites.
var Command = cli.New(
	"compare",
	"SITE",
	"compare an old site with the server in its place",
	"almanac-move compare [flags] SITE: ask an old site and the server in its place the same, and print what differs. Exit "+
		"status 0 if nothing does that should not, 1 if something does or a site cannot be asked, 2 after a mistake in the command line.",
	(*settings).flags,
	func(ctx context.Context, s *settings, args []string, p cli.Process) error {
		return s.run(ctx, args, p, nil)
	},
)

// settings are the flags of compare.
type settings struct {
	with, redirects string
	json            bool
}

func (s *settings) flags(f *cli.FlagSet) {
	f.StringVar(
		&s.with,
		"with",
		"http://127.0.0.1:8080",
		"`address` of the server in the place of the old site",
	)
	f.BoolVar(&s.json, "json", false, "print the differences as JSON")
	f.StringVar(
		&s.redirects,
		"redirects",
		"",
		"`proxy`, nginx or caddy: print a map of the pages whose addresses change for it, and the "+
			"other differences on standard error",
	)
	f.NoVariables()
}

// Bounds of a comparison.
const (
	differencesMost = 10_000 // that are listed
	timeMost        = 24 * time.Hour
)

// Groups of differences.
const (
	ours     = "ours"           // should not be there
	theirs   = "theirs"         // the old site is wrong
	expected = "to be expected" // belongs to the move
)

// A difference is a place where the new server does not answer as the old site does.
type difference struct {
	Group  string `json:"group"`
	Kind   string `json:"kind"`   // events, or index
	Record string `json:"record"` // slug, or the query of a list
	Field  string `json:"field"`
	Old    string `json:"old"`
	New    string `json:"new"`
	Why    string `json:"why,omitempty"` // unless it is ours
}

// A report is the result of a comparison.
type report struct {
	Old         string         `json:"old"` // addresses of the APIs
	New         string         `json:"new"`
	Records     map[string]int `json:"records"` // that both have, by kind
	Lists       int            `json:"lists"`   // that both were asked for
	Groups      map[string]int `json:"groups"`  // numbers of differences
	Differences []difference   `json:"differences"`

	seen map[difference]bool // by their places: an event shows its venue again
}

// add notes a difference, once at its place, and reports whether it did.
func (r *report) add(d difference) bool {
	place := difference{Kind: d.Kind, Record: d.Record, Field: d.Field}
	if r.seen[place] {
		return false
	}
	r.Groups[d.Group]++
	if len(r.Differences) == differencesMost {
		return false
	}
	r.seen[place] = true
	r.Differences = append(r.Differences, d)
	return true
}

// run compares and reports. Sleep waits between requests; nil sleeps.
func (s *settings) run(
	ctx context.Context,
	args []string,
	p cli.Process,
	sleep func(context.Context, time.Duration) error,
) error {
	switch {
	case len(args) != 1:
		return cli.Usage(
			errors.New(
				"name one site, such as https://old.example.org (see almanac-move help compare)",
			),
		)
	case !slices.Contains([]string{"", "nginx", "caddy"}, s.redirects):
		return cli.Usage(fmt.Errorf("-redirects %q: must be nginx or caddy", s.redirects))
	case s.redirects != "" && s.json:
		return cli.Usage(
			errors.New("-redirects and -json do not go together: both write to standard output"),
		)
	}
	pauses := [2]time.Duration{time.Second / 2, 0} // for the old site
	c := &comparison{
		samples: map[string][]object{},
		loose:   map[string]int{},
		report: report{
			Records:     map[string]int{},
			Groups:      map[string]int{},
			Differences: []difference{},
			seen:        map[difference]bool{},
		},
	}
	if s.redirects != "" {
		c.pages = map[string]string{}
	}
	var addresses [2]*url.URL
	for i, address := range []string{args[0], s.with} {
		var err error
		if addresses[i], err = oldsite.Parse(address); err != nil {
			return err
		}
	}
	ctx, cancel := client.Within(ctx, timeMost)
	defer cancel()
	c.ctx = ctx
	for i, address := range addresses {
		site, err := oldsite.Find(ctx, &client.Crawler{
			Accept:   "application/json",
			Timeout:  time.Minute,
			Interval: pauses[i],
			Now:      caltime.System().Now,
			Sleep:    sleep,
		}, address)
		if err != nil {
			return err
		}
		index, err := site.Index(ctx)
		if err != nil {
			return err
		}
		c.sides[i] = side{site, index, map[recordID]int64{}}
	}
	c.report.Old, c.report.New = c.sides[0].Root.String(), c.sides[1].Root.String()
	if c.compare(); c.err != nil {
		return c.err
	}
	out := p.Stdout
	if s.redirects != "" {
		if err := writeMap(p.Stdout, s.redirects, c.pages); err != nil {
			return err
		}
		out = p.Stderr
	}
	if err := cli.PrintReport(out, s.json, c.report, c.report.print); err != nil {
		return err
	}
	if n := c.report.Groups[ours]; n > 0 {
		return fmt.Errorf("differences: %d (no more than %d are listed)", n, differencesMost)
	}
	return nil
}

// namesMost is the number of records that are named of those with one cause.
const namesMost = 3

// print prints a line for each member of a kind that is ours, and one for each other group, with
// its causes.
func (r *report) print(w io.Writer) error {
	var compared []string
	for _, k := range oldsite.Kinds {
		compared = append(compared, fmt.Sprintf("%d %s", r.Records[k.Name], k.Name))
	}
	var rows cli.Rows
	rows.Add(fmt.Sprintf("compared: %s, %d lists", strings.Join(compared, ", "), r.Lists))
	causes := map[string][]string{}
	for _, class := range r.classes() {
		var names []string
		for _, d := range class {
			names = append(names, strconv.Quote(d.Record))
		}
		if names = slices.Compact(names); len(names) > namesMost {
			names = append(names[:namesMost], "…")
		}
		d := class[0]
		shown := fmt.Sprintf("%s (%d: %s)", d.Why, len(class), strings.Join(names, ", "))
		if d.Group == ours {
			values := fmt.Sprintf("old: %.200q, new: %.200q", d.Old, d.New)
			rows.Add(ours, fmt.Sprintf("%s %q%s", d.Kind, d.Field, shown), values)
		}
		causes[d.Group] = append(causes[d.Group], shown)
	}
	for _, group := range []string{ours, theirs, expected} {
		if group != ours || r.Groups[ours] == 0 {
			n := strconv.Itoa(r.Groups[group])
			rows.Add(group, strings.TrimSuffix(n+": "+strings.Join(causes[group], "; "), ": "))
		}
	}
	return rows.Print(w)
}

// classes returns the differences in classes: those with one cause, and of ours those of one member
// of a kind.
func (r *report) classes() (classes [][]difference) {
	places := map[difference]int{}
	for _, d := range r.Differences {
		key := difference{Group: d.Group, Why: d.Why}
		if d.Group == ours {
			key = difference{Kind: d.Kind, Field: d.Field}
		}
		i, known := places[key]
		if !known {
			i = len(classes)
			places[key] = i
			classes = append(classes, nil)
		}
		classes[i] = append(classes[i], d)
	}
	return classes
}
