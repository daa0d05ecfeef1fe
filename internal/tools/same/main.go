// Same asks two programs the same and prints each answer that differs.
//
//	make same BASE=main
//	go run ./internal/tools/same -base OLD -now NEW [-samples DIR] [-only crawl,writes,files]
//
// Both are started with the same records, the same accounts and a clock that
// stands still. Three parts are compared:
//
//   - crawl: every address that a page, a feed or an answer of the API names,
//     from the entry points of every language on, and every parameter of every
//     operation that reads, alone, with bad values, and in random combinations,
//     for callers of every role;
//   - writes: random creates, updates and deletes of callers of every role, and
//     all records after them;
//   - files: exports, and the printed text of commands, after each file of
//     testdata/import and of the given directories was imported, twice.
//
// Compared are status, header and body, plain or compressed, and whether a
// condition on the entity tag holds. The values of entity tags may differ, since
// they depend on the settings of a program.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "same:", err)
		os.Exit(1)
	}
}

// errDifferent says that the programs are not the same.
var errDifferent = errors.New("the programs differ")

func run(args []string) error {
	flags := flag.NewFlagSet("same", flag.ExitOnError)
	base := flags.String("base", "", "program to compare with")
	now := flags.String("now", "", "program to compare")
	samples := flags.String("samples", "", "directory of more files to import")
	only := flags.String("only", "crawl,writes,files", "parts to compare")
	most := flags.Int("most", 400_000, "addresses that a crawl of one calendar asks for")
	_ = flags.Parse(args) // it exits
	if *base == "" || *now == "" || flags.NArg() > 0 {
		return errors.New("-base and -now are needed, and nothing else")
	}
	programs := [2]string{*base, *now}
	parts := strings.Split(*only, ",")
	report := &report{shapes: map[string]*shape{}, changing: changing(time.Now())}
	for _, seed := range []string{"@city", "@torture"} {
		for _, part := range []struct {
			name string
			do   func(*pair) error
		}{
			{"crawl", func(p *pair) error { return crawl(p, report, *most) }},
			{"writes", func(p *pair) error { return writes(p, report) }},
		} {
			if !slices.Contains(parts, part.name) {
				continue
			}
			report.part = part.name + " of " + seed
			if err := withServers(programs, seed, part.do); err != nil {
				return fmt.Errorf("%s: %w", report.part, err)
			}
			report.print(os.Stdout)
		}
	}
	if slices.Contains(parts, "files") {
		report.part = "files"
		if err := files(programs, *samples, report); err != nil {
			return fmt.Errorf("files: %w", err)
		}
		report.print(os.Stdout)
	}
	if report.different > 0 {
		return errDifferent
	}
	return nil
}
