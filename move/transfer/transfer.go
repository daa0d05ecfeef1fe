// Package transfer stores the records that a command reads, with their pictures, in a data
// directory or in a running server.
//
//	l, err := s.Open(ctx, p)
//	err = l.Load(names) // or Add for each record, and Flush
//	err = errors.Join(err, l.Close())
package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strings"

	"almanac/internal/api/admission"
	"almanac/internal/cli"
	"almanac/internal/text/caltime"
	"almanac/store/disk"
)

// Settings are the flags of a command that stores records.
type Settings struct {
	Data, Timezone, To, Token string
	Strict, Partial, Quiet    bool
	Pictures                  string // directory
	Fetch                     bool
	PictureMB, Pixels         int
	Authors                   map[string]string // logins here, by logins in exports of WordPress
	zone                      *caltime.Zone     // of Timezone
}

// Flags declares the flags. Fetch is the default of -fetch-pictures.
func (s *Settings) Flags(f *cli.FlagSet) {
	f.StringVar(
		&s.Data,
		"data",
		"almanac-data",
		"data `directory`, created if it is missing; a server that has it open takes the records",
	)
	f.StringVar(
		&s.Timezone,
		"timezone",
		"UTC",
		"time `zone` of dates that name none; a server uses its own",
	)
	f.StringVar(
		&s.To,
		"to",
		"",
		"`address` of a running server to import into, instead of a data directory",
	)
	f.StringVar(&s.Token, "token", "", "with -to: a `token` of an account of the server")
	f.StringVar(&s.Pictures, "pictures", "",
		"`directory` of files that records name as their pictures; without it, none is taken")
	f.BoolVar(
		&s.Fetch,
		"fetch-pictures",
		s.Fetch,
		"fetch the pictures that no file is there for from their addresses",
	)
	limits := admission.Default()
	f.IntVar(&s.PictureMB, "max-picture-mb", int(limits.Picture>>20), "`megabytes` of a picture")
	f.IntVar(
		&s.Pixels,
		"max-picture-pixels",
		limits.Pixels,
		"without -to: `pixels` of a JPEG, and two thirds of it of other pictures",
	)
	f.BoolVar(
		&s.Strict,
		"strict",
		false,
		"stop at the first record that cannot be taken, and store nothing of its batch",
	)
	f.BoolVar(
		&s.Partial,
		"partial",
		false,
		"it is no error that a site has more than was given, nor that records are refused",
	)
	f.BoolVar(&s.Quiet, "quiet", false, "print no progress and no table at the end")
}

// Check returns a mistake in the settings, as a usage error. It opens and connects to nothing.
func (s *Settings) Check() (err error) {
	if s.PictureMB < 1 || s.PictureMB > 1<<10 || s.Pixels < 1 || s.Pixels > 1<<30 {
		return cli.Usage(
			fmt.Errorf(
				"-max-picture-mb must be from 1 to %d, and -max-picture-pixels from 1 to %d",
				1<<10,
				1<<30,
			),
		)
	}
	if s.zone, err = caltime.LoadZone(s.Timezone); err != nil {
		return cli.Usage(fmt.Errorf("-timezone: %w", err))
	}
	if s.To == "" {
		if s.Data == "" {
			err = cli.Usage(errors.New("-data: give a directory, or -to URL for a running server"))
		}
		return err
	}
	if u, err := url.Parse(s.To); err != nil || !cli.IsAddress(u) {
		return cli.Usage(
			fmt.Errorf(
				"-to %q: must be the address of a server, such as https://calendar.example.org",
				s.To,
			),
		)
	}
	if s.Token == "" {
		return cli.Usage(errors.New("-token: give a token of an account of the server"))
	}
	return nil
}

// Open opens the target that the settings name. Its Progress shows nothing yet.
func (s *Settings) Open(ctx context.Context, p cli.Process) (*Loader, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	pictures, err := s.openGallery()
	if err != nil {
		return nil, err
	}
	target, err := s.open(ctx, slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{
		Level: slog.LevelWarn,
	})))
	if err != nil {
		return nil, err
	}
	l := &Loader{
		ctx:      ctx,
		target:   target,
		pictures: pictures,
		strict:   s.Strict,
		stderr:   p.Stderr,
		Progress: cli.NewProgress(p.Stderr, caltime.System().Now, 0, true),
	}
	l.Reader.Keep = Keep
	if _, isServer := target.(*server); !isServer { // which has its own zone
		l.Reader.Zone = s.zone
	}
	l.From("")
	return l, nil
}

// errRefused says that records were refused; the first ones were named.
var errRefused = errors.New(
	"records or pictures were refused, and the others stored: mend them and import all again, " +
		"or accept it with -partial",
)

// Refused counts the refusals that were not printed, and returns an error if records were refused,
// unless parts are wanted.
func (s *Settings) Refused(l *Loader) error {
	further := 0
	for _, n := range l.Report.Further {
		further += n
	}
	if further > 0 {
		fmt.Fprintf(l.stderr, "%d more records were refused\n", further)
	}
	if len(l.Report.Refusals) > 0 && !s.Partial {
		return errRefused
	}
	return nil
}

// Keep copies a text to a temporary file, which Close removes. After an error in the text, the file
// has its beginning.
func Keep(text io.Reader) (io.ReadSeekCloser, error) {
	f, err := os.CreateTemp("", "almanac-*")
	if err != nil {
		return nopCloser{strings.NewReader("")}, err
	}
	_, err = io.Copy(f, text)
	return temporary{f}, err
}

type nopCloser struct{ io.ReadSeeker }

func (nopCloser) Close() error { return nil }

type temporary struct{ *os.File }

func (f temporary) Close() error { return errors.Join(f.File.Close(), os.Remove(f.Name())) }

// WriteState replaces a file of JSON.
func WriteState(name string, state any) error {
	return disk.Replace(name, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", " ")
		return enc.Encode(state)
	})
}
