// Bench measures almanac against the least that a server can do.
//
//	go run ./internal/bench                          everything, about an hour
//	go run ./internal/bench -n 10000 -only '^[ab] '  some of it
//	make bench                                       everything, kept in testdata/bench.txt
//
// # Method
//
// L is a bare net/http handler: the same kind of http.ServeMux, on a port of its
// own in the same process, which answers the same requests with the same
// status, header and body. It got them from almanac beforehand and has them in
// a map, so it does nothing but net/http's own work. A ratio to L says what
// almanac adds, and means the same on a fast machine and on a slow one. Where
// almanac writes to a disk, L writes as many bytes to a file on it, in groups
// as large, with as many syncs.
//
// The load comes from a process of its own, started for each round: 32
// connections that are kept alive, each sending its next request when it was
// answered, over a list of some hundred different ones. So the processor time
// of the measuring process is the servers' alone, and that of a round is that
// of the one server which had the load. Both servers run by turns and change
// places each round; garbage is collected before each. Client and server share
// the processors: requests/s say less than processor time does.
//
// Records come from almanactest.Generate. They are written to disk and opened
// again, as those of a server that is started on its data: a snapshot, and a log
// that changes one event in twenty after it. The clock of the server stands still
// in the first of their three years. All is the same in every run but the
// machine.
//
// # The table
//
// Start-up is against reading the same files with os.ReadFile into memory that
// is new to the process.
//
// Columns almanac and L are medians of the rounds. The ratio is the median of
// the rounds' own ratios, with the smallest and the largest; where there is no
// L, the span is that of the figure itself. "requests/s" is better when larger,
// everything else when smaller. A goal that ends in L limits the ratio, others
// the figure. KB are 1,000 bytes.
//
// A server keeps renderings of records, and whole lists and reads of events
// that are asked for again while nothing has changed. "Asked again", and d,
// measure those. "Asked anew", and all of e, f and g, are servers that explain
// what they do, which keep records but neither lists nor reads: each request is
// read, planned, found and joined. Figures "in the store" are what they say.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"
)

// loadCommand is the argument of a load process.
const loadCommand = "load-process"

func main() {
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == loadCommand:
		err = work(os.Stdin, os.Stdout)
	case len(os.Args) == 2 && os.Args[1] == bareCommand:
		err = serveBare(os.Stdin, os.Stdout)
	default:
		err = measure(os.Args[1:], os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	sizes  []int         // numbers of events
	rounds int           // of each server in each comparison
	length time.Duration // of a round
	only   *regexp.Regexp
	dir    string // for files; "" is the system's temporary one
	keep   string // file for the table; "" is none
	cpu    string // file for a profile of everything; "" is none
}

func parse(args []string) (settings, error) {
	s := settings{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	sizes := f.String("n", "10000,100000,1000000", "`numbers` of events")
	f.IntVar(&s.rounds, "rounds", 9, "`number` of rounds of each comparison")
	f.DurationVar(&s.length, "for", time.Second, "`length` of a round")
	only := f.String("only", "", "run only the cases that a regular `expression` finds, such as '^[abc] '")
	f.StringVar(&s.dir, "dir", "", "`directory` for the files of durable cases, on the disk to be measured")
	f.StringVar(&s.keep, "keep", "", "`file` for the table too, which takes the place of an earlier one when it is whole")
	f.StringVar(&s.cpu, "cpuprofile", "", "`file` for a profile of the measuring process")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return s, fmt.Errorf("-n: %q is no number of events", text)
		}
		s.sizes = append(s.sizes, n)
	}
	if f.NArg() > 0 || s.rounds < 1 || s.length <= 0 {
		return s, errors.New("there must be no arguments but flags, at least one -rounds, and a -for of more than nothing")
	}
	var err error
	s.only, err = regexp.Compile(*only)
	return s, err
}

// measure runs the cases and prints the table.
func measure(args []string, out io.Writer) error {
	s, err := parse(args)
	switch {
	case err != nil:
		return err
	case s.keep != "":
		return kept(s.keep, func(f io.Writer) error { return s.measure(io.MultiWriter(out, f)) })
	}
	return s.measure(out)
}

// kept writes a file, which is there only when it is whole.
func kept(name string, write func(io.Writer) error) error {
	part := name + ".part"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, name)
}

func (s settings) measure(out io.Writer) error {
	if s.cpu != "" {
		f, err := os.Create(s.cpu)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	t := &table{w: out}
	fmt.Fprintf(out, "almanac against L, %s %s/%s, %d processors, %d rounds of %v\n", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.GOMAXPROCS(0), s.rounds, s.length)
	largest := slices.Max(s.sizes)
	for _, n := range s.sizes {
		if err := measureSize(s, n, n == largest, t); err != nil {
			return err
		}
	}
	if err := importAll(s, t); err != nil {
		return err
	}
	if err := readyAll(s, t); err != nil {
		return fmt.Errorf("%s: %w", readyName, err)
	}
	if err := writeAll(s, t); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d of %d goals are met\n", t.reached, t.goals)
	return nil
}

// measureSize runs the cases that read, with a calendar of n events.
func measureSize(s settings, n int, snapshots bool, t *table) (err error) {
	var chosen []readCase
	for _, c := range readCases {
		if s.only.MatchString(c.name) {
			chosen = append(chosen, c)
		}
	}
	starts, snapshots := s.only.MatchString(startName), snapshots && s.only.MatchString(snapshotName)
	if len(chosen) == 0 && !starts && !snapshots {
		return nil
	}
	c, err := save(s.dir, n, nil)
	defer func() { err = errors.Join(err, c.remove()) }()
	if err != nil {
		return err
	}
	t.heading(fmt.Sprintf("%d events, made in %.1f s", n, c.took.Seconds()))
	if len(chosen) > 0 {
		if err := readAll(s, c, chosen, t); err != nil {
			return err
		}
	}
	if starts {
		if err := startAll(s, c, t); err != nil {
			return fmt.Errorf("%s, %d events: %w", startName, n, err)
		}
	}
	if snapshots {
		if err := snapshotAll(s, c, t); err != nil {
			return fmt.Errorf("%s: %w", snapshotName, err)
		}
	}
	return nil
}

// readAll runs some cases in one store.
func readAll(s settings, c *saved, chosen []readCase, t *table) error {
	st, err := openSaved(c.dir)
	if err != nil {
		return err
	}
	defer st.Close()
	awaitWords(st)
	w := &world{settings: s, n: c.n, store: st, table: t}
	w.words, w.categories, w.tags, w.venues, w.organizers = c.Words, c.Categories, c.Tags, c.Venues, c.Organizers
	rng := w.rng()
	for range 500 {
		w.events = append(w.events, c.Events[rng.IntN(c.n)])
	}
	for _, one := range chosen {
		w.current = one.name
		if err := one.run(w); err != nil {
			return fmt.Errorf("%s, %d events: %w", one.name, c.n, err)
		}
	}
	return nil
}

// writeAll runs the cases that write, in one store on disk.
func writeAll(s settings, t *table) (err error) {
	creates, mixed := s.only.MatchString("h durable creates"), s.only.MatchString("i on schedule")
	commits, series := s.only.MatchString("m group commit"), s.only.MatchString(seriesCreateName)
	if !creates && !mixed && !commits && !series {
		return nil
	}
	dir, err := os.MkdirTemp(s.dir, "almanac-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d, err := newDurable(s, dir, t)
	if err != nil {
		return err
	}
	defer d.close()
	if creates || mixed || commits {
		t.heading(fmt.Sprintf("%d events, on disk", d.n))
	}
	if creates {
		if err := d.alone(); err != nil {
			return err
		}
	}
	if mixed {
		if err := d.amongReads(); err != nil {
			return err
		}
	}
	if commits {
		if err := d.commits(dir); err != nil {
			return err
		}
	}
	if series {
		return d.series()
	}
	return nil
}
