// The command backup: a store, running or not, in one file.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/caltime"
	"almanac/store"
)

// Backup saves a data directory in one file.
var Backup = flagged("backup", "FILE", "save a data directory in one file", backupFlags, backup)

// backupSettings are the flags of backup.
type backupSettings struct {
	data, users string
	gzip        bool
}

func backupFlags() (*flagSet, *backupSettings) {
	f, s := newFlags("backup",
		"almanac backup [flags] FILE: save a data directory in one file, also while a server has it open; - is standard output."),
		&backupSettings{}
	f.StringVar(&s.data, "data", "almanac-data", "data `directory`")
	f.StringVar(&s.users, "users", "", "`file` of the accounts; without it users.json in the data directory")
	f.BoolVar(&s.gzip, "gzip", false, "compress, also if the name does not end in .gz or .tgz")
	return f, s
}

// backup writes an archive and says what is in it.
func backup(ctx context.Context, s *backupSettings, args []string, p Process) error {
	if len(args) != 1 {
		return usageError{errors.New("name one file to write, or - for standard output (see almanac help backup)")}
	}
	name := args[0]
	o := store.BackupOptions{
		Dir: s.data, Users: s.users, Now: caltime.System().Now(), Logger: warnings(p),
		Gzip: s.gzip || strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".tgz"),
	}
	if name == "-" {
		return backupTo(ctx, o, p)
	}
	done, err := store.Backup(ctx, name, o)
	if err != nil {
		return err
	}
	return report(p.Stdout, "saved in "+name, done)
}

// backupTo writes to standard output, and not before the archive has been tried
// out.
func backupTo(ctx context.Context, o store.BackupOptions, p Process) error {
	dir, err := os.MkdirTemp("", "almanac-backup-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "archive")
	done, err := store.Backup(ctx, name, o)
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(p.Stdout, f); err != nil {
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
	_, err := fmt.Fprintf(w, "%s\n  seq   %d\n  time  %s\n  head  %x\n  with  %s\n  size  %d bytes\n",
		what, s.Seq, when, s.Head, countsOf(s.Counts[:]), s.Bytes)
	return err
}

// warnings returns a log of warnings to standard error.
func warnings(p Process) *slog.Logger {
	return slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
