// Bench measures binaries of almanac from outside: two versions beside each other, or one
// beside L, the least that a server can do.
//
//	go run ./internal/tools/bench -now BINARY [-base BINARY] [-n 10000,100000] [-only EXPRESSION]
//	make compare BASE=main     builds both versions and compares them
//	make bench                 beside L, kept in testdata/bench.txt
//
// Each server is a process, started as an operator starts it. The load comes from this
// process: connections that are kept alive, each with one request at a time, over a list of
// some hundred different requests. Two servers run by turns and change places in each
// round, so that other work of the machine slows both. Client and server share the
// processors, so the processor time of the server says more than requests/s. The system
// counts it in steps of 10 ms.
//
// L is a bare net/http server, a process too, that repeats recorded answers and stores
// nothing. A ratio to L means the same on a fast machine and on a slow one.
//
// Three quarters of a calendar are events of almanactest.Generate. Servers get them as an
// export (-seed), since versions need not read each other's directories. The last quarter
// are weekly series, which are created after that. The clocks of servers stand still.
//
// A server keeps renderings of records, and whole answers that are asked for again while
// nothing has changed. "Again" measures these answers. Servers that explain their lists
// (-explain) keep no answers: these are measured as "anew". "Nothing kept" is without a
// cache (-cache-mb 0).
//
// Figures are medians of the rounds. A ratio is that of now to base: the median of the
// ratios of all rounds, with the smallest and the largest. Where there is one server alone,
// the table shows the smallest and the largest figure. More requests/s are better, less of
// all other figures. "Worse" marks ratios beside another version that are worse than 0.9. KB
// are 1,000 bytes. A row that fails says why, and the rest is measured all the same.
// With more than 100,000 events, only start-up, heap and lists anew with three filters are
// measured; a server needs some 9 GB of memory to take a seed of 1,000,000.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// bareCommand is the argument of L, which is this program too.
const bareCommand = "bare-process"

func main() {
	var err error
	if len(os.Args) == 2 && os.Args[1] == bareCommand {
		err = serveBare(os.Stdin, os.Stdout)
	} else {
		err = measure(os.Args[1:], os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A measurement is a run of this program.
type measurement struct {
	// Flags.
	base, dir string
	rounds    int
	different int // requests of a row
	length    time.Duration
	only      *regexp.Regexp

	*table
	programs []*program // now, and base if there is one
	calendar *calendar  // of the current size
}

// measure measures the rows that the flags choose, and prints the table.
func measure(args []string, out io.Writer) (err error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	m := &measurement{}
	now := f.String("now", "", "`binary` to measure")
	f.StringVar(
		&m.base,
		"base",
		"",
		"`binary` of another version to measure beside it; without it, L",
	)
	sizes := f.String("n", "10000,100000", "`numbers` of events")
	only := f.String(
		"only",
		"",
		"measure the rows that a regular `expression` finds, such as '^search|, again$'",
	)
	f.IntVar(&m.rounds, "rounds", 5, "`number` of rounds")
	f.IntVar(&m.different, "requests", 300, "`number` of different requests of a row")
	f.DurationVar(&m.length, "for", time.Second, "`length` of a round of one server")
	f.StringVar(
		&m.dir,
		"dir",
		"",
		"`directory` for data, on the disk to be measured, and for generated calendars, which stay there "+
			"for the next run; without it a temporary one",
	)
	keep := f.String("keep", "", "`file` for the table, when it is whole")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *now == "" || f.NArg() > 0 || m.rounds < 1 || m.different < 1 {
		return errors.New(
			"-now must name a binary, -rounds and -requests must be at least 1, and there are no arguments but flags",
		)
	}
	if m.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	var ns []int
	for size := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 10 {
			return fmt.Errorf(
				"-n: %q must be a number of events, at least 10, or several with commas between them",
				size,
			)
		}
		ns = append(ns, n)
	}
	var text bytes.Buffer
	m.table = &table{w: io.MultiWriter(out, &text), beside: "L"}
	m.programs = []*program{{binary: *now}}
	if m.base != "" {
		m.beside = "base"
		m.programs = append(m.programs, &program{binary: m.base})
	}
	data, err := os.MkdirTemp(m.dir, "almanac-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	if m.dir == "" {
		m.dir = data
	}
	fmt.Fprintf(
		m.w,
		"almanac beside %s, %s %s/%s, %d processors, %d rounds of %v\n",
		m.beside,
		runtime.Version(),
		runtime.GOOS,
		runtime.GOARCH,
		runtime.NumCPU(),
		m.rounds,
		m.length,
	)
	for _, n := range ns {
		if err := m.size(n, data); err != nil {
			return fmt.Errorf("%d events: %w", n, err)
		}
	}
	m.heading("nothing on a disk")
	m.row(
		"start-up, empty",
		func(name string) error { return m.starts(name, "resident, MiB", 1<<20, "-memory") },
	)
	m.row("worlds of @city", m.worlds)
	if m.failed > 0 {
		return fmt.Errorf("%d rows failed", m.failed)
	}
	if *keep != "" {
		err = os.WriteFile(*keep, text.Bytes(), 0o644)
	}
	return err
}

// row measures a row if it is chosen.
func (m *measurement) row(name string, run func(name string) error) {
	if !m.only.MatchString(name) {
		return
	}
	if err := run(name); err != nil {
		m.fail(name, err)
	}
}

// chosen returns the rows of a mode that are measured with n events.
func (m *measurement) chosen(of mode, n int) (chosen []row) {
	for _, r := range rows {
		r.name += of.name
		if strings.Contains(r.modes, of.letter) && m.only.MatchString(r.name) &&
			(n <= largest || of.letter == "W") {
			chosen = append(chosen, r)
		}
	}
	return chosen
}

// size measures everything with a calendar of n events.
func (m *measurement) size(n int, data string) (err error) {
	any := m.only.MatchString("start-up") || m.only.MatchString("heap")
	for _, mode := range modes {
		any = any || len(m.chosen(mode, n)) > 0
	}
	if !any {
		return nil
	}
	if m.calendar, err = calendarOf(m.dir, n); err != nil {
		return err
	}
	for i, p := range m.programs {
		p.data = filepath.Join(data, fmt.Sprint(n, "-", i))
		defer os.RemoveAll(p.data)
		if err := m.calendar.plant(p); err != nil {
			return err
		}
	}
	m.heading(fmt.Sprintf("%d events", n))
	m.row(
		"start-up",
		func(name string) error { return m.starts(name, "resident, KB per event", 1000*float64(n)) },
	)
	m.row("heap", m.heap)
	for _, mode := range modes {
		chosen := m.chosen(mode, n)
		if len(chosen) == 0 {
			continue
		}
		err := m.serving(func(servers []*server) error {
			for _, r := range chosen {
				m.row(r.name, func(string) error { return m.requests(r, servers) })
			}
			return nil
		}, mode.flags...)
		if err != nil {
			return err
		}
	}
	return nil
}
