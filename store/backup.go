// Backups: one state of a store, running or not, in one file.

package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"almanac/store/archive"
	"almanac/store/disk"
	"almanac/store/wal"
)

// BackupOptions says what is put into an archive.
type BackupOptions struct {
	Dir    string       // data directory; a store may have it open
	Gzip   bool         // compress
	Now    time.Time    // when it is made
	Logger *slog.Logger // damage that a backup does not need; nil discards
}

// A Summary says what was backed up or restored.
type Summary struct {
	Seq    uint64            // the last transaction
	Head   [sha256.Size]byte // of the chain
	Time   time.Time         // when Seq was committed; zero if there is none
	Counts [kinds]int        // records by Kind
	Bytes  int64             // of the archive, or of the files restored

	Missing []string // everything that SkipDamaged could not read, for people
}

// Backup writes an archive to a file, which it replaces if it is there. Pack writes the archive, as
// BackupOptions.Pack does. Backup restores it into a temporary directory beside the file and checks
// the store in it, before the file gets its name: an error leaves nothing behind.
func Backup(
	ctx context.Context,
	file string,
	pack func(context.Context, io.Writer) error,
) (Summary, error) {
	if err := disk.MayReplace(file); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(file), ".almanac-backup-*")
	if err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	defer os.RemoveAll(tmp)
	f, err := os.OpenFile(
		filepath.Join(tmp, "archive"),
		os.O_RDWR|os.O_CREATE|os.O_EXCL,
		wal.FileMode,
	)
	if err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	if err := pack(ctx, f); err != nil {
		return Summary{}, err
	}
	if err := f.Sync(); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	s, err := Restore(ctx, filepath.Join(tmp, "restored"), RestoreOptions{Archive: f})
	if err != nil {
		return Summary{}, fmt.Errorf("the archive is no good and was thrown away: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	s.Bytes = info.Size()
	if err := f.Close(); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	return s, wal.Publish(f.Name(), file)
}

// WithoutSignIns returns a pack for Backup that writes the archive of another pack without sign-ins
// and without links that sign in, so that a cookie which somebody kept opens nothing where it is
// restored. The lines of a log have them too, and are chained: the archive has the state alone, and
// a new log. It works in temporary directories in dir.
func (o BackupOptions) WithoutSignIns(
	dir string,
	pack func(context.Context, io.Writer) error,
) func(context.Context, io.Writer) error {
	return func(ctx context.Context, to io.Writer) error {
		tmp, err := os.MkdirTemp(dir, ".almanac-backup-*")
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		defer os.RemoveAll(tmp)
		f, err := os.OpenFile(
			filepath.Join(tmp, "archive"),
			os.O_RDWR|os.O_CREATE|os.O_EXCL,
			wal.FileMode,
		)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		defer f.Close()
		if err = pack(ctx, f); err == nil {
			_, err = f.Seek(0, io.SeekStart)
		}
		if err != nil {
			return err
		}
		whole := filepath.Join(tmp, "whole")
		if _, err := Restore(ctx, whole, RestoreOptions{Archive: f}); err != nil {
			return err
		}
		o.Dir = filepath.Join(tmp, "without")
		_, err = Restore(ctx, o.Dir, RestoreOptions{From: whole, Now: o.Now, withoutSignIns: true})
		if err != nil {
			return err
		}
		return o.Pack(ctx, to)
	}
}

// Pack writes an archive of the directory: the end of the log, and the newest snapshot. It starts
// a file over when a store of another process has made or removed files meanwhile that are in the
// way.
func (o BackupOptions) Pack(ctx context.Context, to io.Writer) error {
	src, err := wal.ReadDir(o.Dir)
	if err != nil {
		return err
	}
	return errors.Join(o.pack(ctx, src, to), src.Close())
}

func (o BackupOptions) pack(ctx context.Context, src wal.Files, to io.Writer) error {
	log := cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return wal.AttemptLog(src, func(all wal.Listing) error {
		if file, isFile := to.(target); isFile {
			_, err := file.Seek(0, io.SeekStart)
			if err = errors.Join(err, file.Truncate(0)); err != nil {
				return fmt.Errorf("store: %w", err)
			}
		}
		s, err := archive.Cut(src, all, archive.Point{}, o.Now, log)
		if err != nil {
			return err
		}
		return s.Pack(ctx, src, to, o.Gzip, o.Now)
	})
}

// A target is a file that can be started over.
type target interface {
	io.Seeker
	Truncate(size int64) error
}

// Pack is BackupOptions.Pack for a store that is open: it takes no snapshot meanwhile, and removes
// no file that is read.
func (s *Store) Pack(ctx context.Context, o BackupOptions, to io.Writer) error {
	if err := s.pause(ctx); err != nil {
		return err
	}
	defer func() { <-s.saving }()
	return o.Pack(ctx, to)
}
