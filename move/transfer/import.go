// The command import: calendars saved from other sites.

package transfer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"almanac/internal/cli"
	"almanac/internal/text/caltime"
	"almanac/move/files"
)

// Import loads calendars saved from other sites.
var Import = cli.New(
	"import",
	"FILE...",
	"load calendars saved from other sites",
	"almanac-move import [flags] FILE...: load calendars from The Events Calendar, exports of WordPress, or tables; - is standard input.",
	(*importSettings).flags,
	importFiles,
)

// importSettings are the flags of import.
type importSettings struct {
	Settings
	dateOrder string
}

func (s *importSettings) flags(f *cli.FlagSet) {
	s.Flags(f)
	f.StringVar(
		&s.dateOrder,
		"date-order",
		"",
		"`order` of the dates in CSV: mdy, dmy or ymd; without it, each file has to tell",
	)
	f.Func(
		"author",
		"`LOGIN=LOGIN`: an author in an export of WordPress, and the account here; repeated, or with commas between",
		s.author,
	)
}

// author reads a value of -author.
func (s *importSettings) author(text string) error {
	for pair := range strings.SplitSeq(text, ",") {
		there, here, _ := strings.Cut(pair, "=")
		if there = strings.TrimSpace(there); there == "" || strings.TrimSpace(here) == "" {
			return errors.New(
				"must be LOGIN=LOGIN: the author in the export, and the account here",
			)
		}
		if s.Authors == nil {
			s.Authors = map[string]string{}
		}
		s.Authors[there] = strings.TrimSpace(here)
	}
	return nil
}

// errIncomplete reports that lists have missing pages. Messages before it named them.
var errIncomplete = errors.New(
	"lists are incomplete: save the pages that are missing and import all again, or give -partial " +
		"if this is all that is wanted",
)

// importFiles loads files into a data directory or a server. That records were
// refused, or that the site has more of them, is an error when all is there that
// can be, unless parts are wanted.
func importFiles(ctx context.Context, s *importSettings, args []string, p cli.Process) error {
	size, err := checkFiles(args)
	if err != nil {
		return cli.Usage(err)
	}
	order := files.DateOrder(s.dateOrder)
	if order != "" && !slices.Contains(files.DateOrders, order) {
		return cli.Usage(fmt.Errorf("-date-order %q: must be mdy, dmy or ymd", s.dateOrder))
	}
	l, err := s.Open(ctx, p)
	if err != nil {
		return err
	}
	l.Progress = cli.NewProgress(p.Stderr, caltime.System().Now, size, s.Quiet)
	l.Reader.DateOrder = order
	l.Reader.Authors = s.Authors
	err = l.Load(args)
	l.Progress.Clear()
	refused := s.Refused(l)
	if err == nil {
		incomplete := l.Pages.Incomplete()
		for _, list := range incomplete {
			fmt.Fprintln(p.Stderr, cli.Line(list))
		}
		if len(incomplete) > 0 && !s.Partial {
			err = errIncomplete
		}
		err = errors.Join(err, refused)
	}
	for _, left := range l.Pages.Left {
		fmt.Fprintln(p.Stderr, cli.Line(left))
	}
	l.WriteUnknown(p.Stderr)
	if !s.Quiet {
		err = errors.Join(err, l.WriteTable(p.Stdout))
	}
	return errors.Join(err, l.Close())
}

// checkFiles looks whether all files can be read before anything is stored, and
// adds up their sizes; 0 when one of them is not known.
func checkFiles(names []string) (size int64, err error) {
	if len(names) == 0 {
		return 0, errors.New(
			"name the files to import, or - for standard input (see almanac-move help import)",
		)
	}
	regular := 0
	for i, name := range names {
		if name == "-" {
			if slices.Contains(names[:i], "-") {
				return 0, errors.New("standard input, -, can be imported once only")
			}
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		if info.IsDir() {
			return 0, fmt.Errorf("%s is a directory; name the files in it", name)
		}
		if !info.Mode().IsRegular() {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return 0, err
		}
		f.Close()
		size += info.Size()
		regular++
	}
	if regular < len(names) {
		return 0, nil
	}
	return size, nil
}
