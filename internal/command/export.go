// The command export: the records of a data directory as one document.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"almanac/internal/seed"
	"almanac/store"
)

// Export writes all records of a data directory as a seed.
var Export = flagged("export", "[FILE]", "write all records as one JSON document, or the events as a calendar", exportFlags, export)

// exportSettings are the flags of export.
type exportSettings struct{ data, format, url, timezone, event string }

func exportFlags() (*flagSet, *exportSettings) {
	f, s := newFlags("export",
		"almanac export [flags] [FILE]: write all records as one JSON document, which serve -seed gives back; without FILE, or "+
			"with -, to standard output. A server may run. With -format ical, what strangers may see of the events in iCalendar."),
		&exportSettings{}
	f.StringVar(&s.data, "data", "almanac-data", "data `directory`, in which nothing is changed")
	f.StringVar(&s.format, "format", "json", "json for all records, or ical for the events that a stranger may see in iCalendar")
	f.StringVar(&s.url, "url", "", "with -format ical: the `address` of the site, of which those of the events are")
	f.StringVar(&s.timezone, "timezone", "UTC", "with -format ical: the time `zone` of the site")
	f.StringVar(&s.event, "event-base", "event", "with -format ical: the `word` that addresses of events begin with, as serve has it")
	return f, s
}

// export writes the records of a directory. The accounts are not among them.
func export(ctx context.Context, s *exportSettings, args []string, p Process) error {
	if len(args) > 1 {
		return usageError{errors.New("name one file to write, or - for standard output (see almanac help export)")}
	}
	if err := checkData(s.data); err != nil {
		return err
	}
	write, err := s.writer()
	if err != nil {
		return usageError{err}
	}
	progress := newProgress(p.Stderr, 0, false)
	st, err := store.Peek(store.Options{Dir: s.data, Logger: warnings(p), Progress: progress.reach})
	progress.clear()
	if err != nil {
		return err
	}
	defer st.Close()
	if len(args) == 1 && args[0] != "-" {
		return replaceFile(args[0], func(w io.Writer) error { return write(w, st) })
	}
	err = write(p.Stdout, st)
	if _, isUsage := err.(usageError); err != nil && !isUsage {
		return fmt.Errorf("standard output: %w", err)
	}
	return err
}

// writer returns what writes the format that the flags name.
func (s *exportSettings) writer() (func(io.Writer, *store.Store) error, error) {
	switch s.format {
	case "json":
		return seed.Write, nil
	case "ical":
		return s.calendarWriter()
	}
	return nil, fmt.Errorf("-format %q: must be json or ical", s.format)
}

// replaceFile writes a temporary file and renames it, so that the old file stays until the new one is on disk. Only
// its owner may read it, because it contains drafts and passwords.
func replaceFile(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".almanac-export-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
