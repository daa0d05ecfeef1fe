// The command import: calendars saved from other sites.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"almanac/internal/admission"
	"almanac/internal/cli"
	"almanac/internal/intake"
	"almanac/internal/intake/files"
)

// Limits of a transaction or a request.
const (
	batchItems = 500
	batchBytes = 512 << 10 // of records; a request holds more than these
)

// Import loads calendars saved from other sites.
var Import = cli.New("import", "FILE...", "load calendars saved from other sites",
	"almanac import [flags] FILE...: load calendars saved from sites of The Events Calendar, or tables; - is standard input.",
	(*importSettings).flags, importFiles)

// importSettings are the flags of import.
type importSettings struct {
	data, timezone, to, token, dateOrder string
	strict, partial, quiet               bool
	pictures                             string
	fetch                                bool
	pictureMB, pixels                    int
}

func (s *importSettings) flags(f *cli.FlagSet) {
	f.StringVar(&s.data, "data", "almanac-data", "data `directory`, created if it is missing, which no server has open")
	f.StringVar(&s.timezone, "timezone", "UTC", "time `zone` of dates that name none; a server uses its own")
	f.StringVar(&s.dateOrder, "date-order", "", "`order` of the dates in CSV: mdy, dmy or ymd; without it, each file has to tell")
	f.StringVar(&s.to, "to", "", "`address` of a running server to import into, instead of a data directory")
	f.StringVar(&s.token, "token", "", "with -to: a `token` of an administrator of the server")
	f.StringVar(&s.pictures, "pictures", "", "`directory` of the files of pictures, instead of that of the document")
	f.BoolVar(&s.fetch, "fetch-pictures", false, "fetch the pictures that no file is there for from their addresses")
	limits := admission.Default()
	f.IntVar(&s.pictureMB, "max-picture-mb", int(limits.Picture>>mega), "`megabytes` of a picture")
	f.IntVar(&s.pixels, "max-picture-pixels", limits.Pixels, "without -to: `pixels` of a JPEG, and a third of it of other pictures")
	f.BoolVar(&s.strict, "strict", false, "stop at the first record that cannot be taken, and store nothing of its batch")
	f.BoolVar(&s.partial, "partial", false, "it is no error that a site has more than was given, nor that records are refused")
	f.BoolVar(&s.quiet, "quiet", false, "print no progress and no table at the end")
}

// errIncomplete reports that lists have missing pages. Messages before it named them.
var errIncomplete = errors.New("lists are incomplete: save the pages that are missing and import all again, or give -partial " +
	"if this is all that is wanted")

// errRefused says that records were refused; the first ones were named.
var errRefused = errors.New("records were refused, and the others stored: mend them and import all again, or give -partial")

// importFiles loads files into a data directory or a server. That records were
// refused, or that the site has more of them, is an error when all is there that
// can be, unless parts are wanted.
func importFiles(ctx context.Context, s *importSettings, args []string, p cli.Process) error {
	size, err := checkFiles(args)
	if err != nil {
		return cli.Usage(err)
	}
	order := intake.DateOrder(s.dateOrder)
	if order != "" && !slices.Contains(intake.DateOrders, order) {
		return cli.Usage(fmt.Errorf("-date-order %q: must be mdy, dmy or ymd", s.dateOrder))
	}
	if s.pictureMB < 1 || s.pictureMB > 1<<10 || s.pixels < 1 || s.pixels > 1<<30 {
		return cli.Usage(fmt.Errorf("-max-picture-mb must be from 1 to %d, and -max-picture-pixels from 1 to %d", 1<<10, 1<<30))
	}
	pictures, err := s.openGallery()
	if err != nil {
		return err
	}
	target, err := s.open(ctx, warnings(p))
	if err != nil {
		return err
	}
	l := &loader{ctx: ctx, target: target, pictures: pictures, strict: s.strict, stderr: p.Stderr}
	l.progress = newProgress(p.Stderr, size, s.quiet)
	l.reader.DateOrder = order
	err = l.load(args)
	l.progress.clear()
	further := 0
	for _, n := range l.report.Further {
		further += n
	}
	if further > 0 {
		fmt.Fprintf(p.Stderr, "%d more records were refused\n", further)
	}
	if err == nil {
		incomplete := l.pages.Incomplete()
		for _, list := range incomplete {
			fmt.Fprintln(p.Stderr, list)
		}
		if len(incomplete) > 0 && !s.partial {
			err = errIncomplete
		}
		if len(l.report.Refusals) > 0 && !s.partial {
			err = errors.Join(err, errRefused)
		}
	}
	for _, left := range l.pages.Left {
		fmt.Fprintln(p.Stderr, left)
	}
	for _, key := range l.report.Unknown {
		fmt.Fprintln(p.Stderr, key)
	}
	if !s.quiet {
		err = errors.Join(err, l.report.WriteTable(p.Stdout))
	}
	return errors.Join(err, target.Close())
}

// checkFiles looks whether all files can be read before anything is stored, and
// adds up their sizes; 0 when one of them is not known.
func checkFiles(names []string) (size int64, err error) {
	if len(names) == 0 {
		return 0, errors.New("name the files to import, or - for standard input (see almanac help import)")
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

// A loader carries records from files to a target.
type loader struct {
	ctx      context.Context
	target   target
	pictures gallery
	reader   files.Reader
	strict   bool
	progress *progress
	stderr   io.Writer // for refusals

	batch  intake.Batch // waits to be stored
	bytes  int          // of it
	last   intake.Item  // the last that was stored
	report intake.Report
	told   int         // of its refusals
	pages  files.Pages // that were read
}

// load loads files in their order. An error says how far the import came.
func (l *loader) load(names []string) error {
	var err error
	for i := 0; i < len(names) && err == nil; i++ {
		err = l.file(names[i])
	}
	if err == nil {
		err = l.flush()
	}
	switch {
	case err == nil:
		return nil
	case l.last.File == "":
		return fmt.Errorf("%w (nothing was stored)", err)
	}
	return fmt.Errorf("%w (stored up to record %d of %s)", err, l.last.Position, l.last.File)
}

// file imports one file. Records before an error in it are stored.
func (l *loader) file(name string) error {
	f, shown := os.Stdin, "standard input"
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return err
		}
		defer f.Close()
		shown = name
	}
	done, err := l.pictures.beside(name)
	if err != nil {
		return err
	}
	defer done()
	err = l.reader.Read(io.TeeReader(f, l.progress), shown, l.add, l.pages.Add)
	if err != nil && !errors.Is(err, errStopped) {
		return errors.Join(err, l.flush())
	}
	return err
}

// errStopped is in the errors that end an import before its files do.
var errStopped = errors.New("stopped")

// add adds a record to the batch, and stores that when it is full.
func (l *loader) add(item intake.Item) error {
	if len(l.batch.Items) == batchItems || l.bytes+len(item.Record) > batchBytes {
		if err := l.flush(); err != nil {
			return err
		}
	}
	for _, p := range item.Pictures() {
		if err := l.picture(item, p); err != nil {
			return err
		}
	}
	l.batch.Items = append(l.batch.Items, item)
	l.bytes += len(item.Record)
	return nil
}

// flush stores the batch.
func (l *loader) flush() error {
	if len(l.batch.Items) == 0 {
		return nil
	}
	if err := l.ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", errStopped, context.Cause(l.ctx))
	}
	l.batch.Strict = l.strict
	result, err := l.target.apply(l.batch)
	if err != nil {
		return fmt.Errorf("%w: %w", errStopped, err)
	}
	l.report.Merge(result.Report)
	l.tell()
	if l.strict && len(result.Report.Refusals) > 0 {
		return fmt.Errorf("%w: a record cannot be taken", errStopped)
	}
	l.last = l.batch.Items[len(l.batch.Items)-1]
	l.progress.add(len(l.batch.Items))
	l.batch = intake.Batch{State: result.State}
	l.bytes = 0
	return nil
}

// tell prints the refusals that were not printed yet.
func (l *loader) tell() {
	for ; l.told < len(l.report.Refusals); l.told++ {
		l.progress.clear()
		fmt.Fprintln(l.stderr, l.report.Refusals[l.told])
	}
}
