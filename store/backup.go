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
	"almanac/store/wal"
)

// BackupOptions says what is put into an archive.
type BackupOptions struct {
	Dir    string       // data directory; a store may have it open
	Users  string       // file of the accounts; "" is users.json in Dir, if it exists
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

// Backup writes an archive of a store to a file, which it replaces if it is
// there. It restores the archive into a temporary directory beside the file and
// checks the store in it, before the file gets its name: an error leaves
// nothing behind.
func Backup(ctx context.Context, file string, o BackupOptions) (Summary, error) {
	src, err := wal.ReadDir(o.Dir)
	if err != nil {
		return Summary{}, err
	}
	defer src.Close()
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
	packed, err := o.pack(ctx, src, f)
	if err != nil {
		return Summary{}, err
	}
	if err := f.Sync(); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	s, err := prove(ctx, f, filepath.Join(tmp, "restored"), packed)
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

// prove restores an archive and compares what comes of it with what went in.
func prove(
	ctx context.Context,
	f io.ReadSeeker,
	dir string,
	packed *archive.State,
) (Summary, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	s, err := Restore(ctx, dir, RestoreOptions{Archive: f})
	if err == nil && (s.Seq != packed.Seq || s.Head != packed.Head) {
		err = fmt.Errorf("store: it holds transaction %d and not %d", s.Seq, packed.Seq)
	}
	return s, err
}

// A target receives an archive: an *os.File.
type target interface {
	io.WriteSeeker
	Truncate(size int64) error
}

// pack writes the end of the log, and the newest snapshot, as an archive. It starts over when the
// store has made or removed files meanwhile that are in the way.
func (o *BackupOptions) pack(
	ctx context.Context,
	src wal.Files,
	to target,
) (s *archive.State, err error) {
	log := cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	err = wal.AttemptLog(src, func(all wal.Listing) error {
		_, err := to.Seek(0, io.SeekStart)
		if err = errors.Join(err, to.Truncate(0)); err != nil {
			return fmt.Errorf("store: %w", err)
		}
		if s, err = archive.Cut(src, all, archive.Point{}, o.Now, log); err != nil {
			return err
		}
		return s.Pack(ctx, src, o.Users, to, o.Gzip, o.Now)
	})
	return s, err
}
