// The commands backup and restore: a data directory, open or not, in one file, and anew from it.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/text/caltime"
	"almanac/store"
)

// Backup saves a data directory in one file.
var Backup = cli.New(
	"backup",
	"FILE",
	"save a data directory in one file",
	"almanac backup [flags] FILE: save a data directory in one file, also while a server has it open; - is standard output.",
	(*backupSettings).flags,
	backup,
)

// backupSettings are the flags of backup.
type backupSettings struct {
	data    string
	gzip    bool
	signIns bool
}

func (s *backupSettings) flags(f *cli.FlagSet) {
	f.StringVar(&s.data, "data", "almanac-data", "data `directory`")
	f.BoolVar(&s.gzip, "gzip", false, "compress, also if the name does not end in .gz or .tgz")
	f.BoolVar(
		&s.signIns,
		"sign-ins",
		true,
		"false: leave out sign-ins and links that sign in; the archive has the present state, and no former ones",
	)
}

// backup writes an archive and says what is in it.
func backup(ctx context.Context, s *backupSettings, args []string, p cli.Process) error {
	if len(args) != 1 {
		return cli.Usage(
			errors.New(
				"name one file to write, or - for standard output (see almanac help backup)",
			),
		)
	}
	name := args[0]
	isZip := s.gzip || strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".tgz")
	asked := url.Values{"gzip": {strconv.FormatBool(isZip)}}
	d := &directory{path: s.data, log: warnings(p)}
	pack := func(ctx context.Context, to io.Writer) error {
		return d.do(ctx, "GET /backup", asked, to)
	}
	if !s.signIns {
		o := store.BackupOptions{Gzip: isZip, Now: caltime.System().Now(), Logger: d.log}
		beside := "" // the system's directory of temporary files
		if name != "-" {
			beside = filepath.Dir(name)
		}
		pack = o.WithoutSignIns(beside, pack)
	}
	if name == "-" {
		return backupTo(ctx, pack, p)
	}
	done, err := store.Backup(ctx, name, pack)
	if err != nil {
		return err
	}
	return report(p.Stdout, "saved in "+name, done)
}

// backup writes an archive.
func (d *directory) backup(
	ctx context.Context,
	asked url.Values,
	_ io.Reader,
	out io.Writer,
) error {
	s, err := settingsOf(asked, (*backupSettings).flags)
	if err != nil {
		return err
	}
	o := store.BackupOptions{
		Dir:    d.path,
		Now:    caltime.System().Now(),
		Logger: d.log,
		Gzip:   s.gzip,
	}
	if d.store == nil {
		return o.Pack(ctx, out)
	}
	return d.store.Pack(ctx, o, out)
}

// backupTo writes to standard output, and not before the archive has been tried
// out.
func backupTo(
	ctx context.Context,
	pack func(context.Context, io.Writer) error,
	p cli.Process,
) error {
	dir, err := os.MkdirTemp("", "almanac-backup-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "archive")
	done, err := store.Backup(ctx, name, pack)
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(cli.Raw(p.Stdout), f); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return report(p.Stderr, "saved", done)
}

// report says what was saved or restored.
func report(w io.Writer, what string, s store.Summary) error {
	when := "never written to"
	if !s.Time.IsZero() {
		when = s.Time.Format("2006-01-02T15:04:05Z07:00")
	}
	_, err := fmt.Fprintf(
		w,
		"%s\n  seq   %d\n  time  %s\n  head  %x\n  with  %s\n  size  %d bytes\n",
		what,
		s.Seq,
		when,
		s.Head,
		countsOf(s.Counts[:]),
		s.Bytes,
	)
	return err
}

// warnings returns a log of warnings to standard error.
func warnings(p cli.Process) *slog.Logger {
	return slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Restore makes a data directory of an archive or of another directory.
var Restore = cli.New(
	"restore",
	"FILE",
	"make a data directory from such a file, or go back in time",
	"almanac restore -data DIR [flags] FILE: make a data directory from what backup saved; - is standard input.",
	(*restoreSettings).flags,
	restore,
)

// restoreSettings are the flags of restore.
type restoreSettings struct {
	data, from, at, seq string
	skipDamaged         bool
}

func (s *restoreSettings) flags(f *cli.FlagSet) {
	f.StringVar(&s.data, "data", "", "new data `directory`, which does not exist or is empty")
	f.StringVar(
		&s.from,
		"from",
		"",
		"another data `directory` to restore from, instead of a file; a server may have it open",
	)
	f.StringVar(
		&s.at,
		"at",
		"",
		"go back to this `time`, as \"2031-05-10T12:00:00Z\", or as \"2031-05-10 12:00:00\" in UTC: to what was there before the "+
			"first change, in order of the log, that is later",
	)
	f.StringVar(&s.seq, "seq", "", "go back to the transaction of this `number`")
	f.BoolVar(
		&s.skipDamaged,
		"skip-damaged",
		false,
		"go on behind damage: take everything that still verifies of a directory or archive, and say what is missing",
	)
}

// restore makes a data directory and says what is in it.
func restore(ctx context.Context, s *restoreSettings, args []string, p cli.Process) error {
	o, err := s.options(args)
	if err != nil {
		return cli.Usage(err)
	}
	o.Now = caltime.System().Now()
	o.Logger = warnings(p)
	if o.From == "" {
		in := os.Stdin
		if args[0] != "-" {
			if in, err = os.Open(args[0]); err != nil {
				return err
			}
			defer in.Close()
		}
		o.Archive = in
	}
	done, err := store.Restore(ctx, s.data, o)
	if err != nil {
		return err
	}
	if s.skipDamaged && done.Missing == nil {
		done.Missing = []string{"nothing"}
	}
	err = report(p.Stdout, "restored in "+s.data, done)
	for _, text := range done.Missing {
		if err == nil {
			_, err = fmt.Fprintln(p.Stdout, "  missing:", text)
		}
	}
	return err
}

// options checks the settings that need no file.
func (s *restoreSettings) options(args []string) (store.RestoreOptions, error) {
	o := store.RestoreOptions{From: s.from, SkipDamaged: s.skipDamaged}
	switch {
	case s.data == "":
		return o, errors.New("-data: name the directory to make, which does not exist or is empty")
	case s.from == "" && len(args) != 1:
		return o, errors.New(
			"name one file to restore, or - for standard input, or another data directory with -from (see almanac help restore)",
		)
	case s.from != "" && len(args) > 0:
		return o, fmt.Errorf("-from %s: leave out the file %s, or -from", s.from, args[0])
	case s.skipDamaged && (s.at != "" || s.seq != ""):
		return o, errors.New("-skip-damaged: takes the newest state; leave out -at and -seq")
	case s.at != "" && s.seq != "":
		return o, errors.New("-at and -seq: give one of them")
	}
	var err error
	if s.at != "" {
		if o.Point.At, err = parseMoment(s.at); err != nil {
			return o, fmt.Errorf("-at %q: %w", s.at, err)
		}
	}
	if s.seq != "" {
		if o.Point.Seq, err = strconv.ParseUint(s.seq, 10, 64); err != nil || o.Point.Seq == 0 {
			return o, fmt.Errorf("-seq %q: must be the number of a transaction, from 1", s.seq)
		}
	}
	return o, nil
}

// parseMoment reads a time as people and logs write it.
func parseMoment(text string) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.UTC(), nil
	}
	at, err := time.Parse(caltime.Layout, text)
	if err != nil {
		return at, fmt.Errorf(
			"must be of the form %q, or %q, which is in UTC",
			time.RFC3339,
			caltime.Layout,
		)
	}
	return at, nil
}
