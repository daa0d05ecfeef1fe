// Restoring: a new data directory from an archive or from another directory.

package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/store/archive"
	"almanac/store/wal"
)

// ErrNotEmpty is in the error for a directory that holds something already.
var ErrNotEmpty = errors.New("there is something in it")

// RestoreOptions says what is restored, from an archive or from a directory.
type RestoreOptions struct {
	Archive io.Reader     // an archive of Backup; read to its end
	From    string        // a data directory instead, which a store may have open
	Point   archive.Point // up to where; the zero value is the end
	Now     time.Time     // with From: the present, which is as far as it reaches
	Logger  *slog.Logger  // as in BackupOptions

	// Go on behind damage instead of refusing it: take everything that still verifies. The
	// new log begins with a note of the missing parts, which are in the summary too. Without a
	// Point.
	SkipDamaged bool

	// Leave out sign-ins and links, in a new log as that of SkipDamaged. The directory is sound.
	withoutSignIns bool
}

// Restore makes a data directory. It must not exist, or be empty. It is built
// and checked under another name beside it, .almanac-restore-… , and renamed at
// the end: an error leaves nothing behind, and a crash nothing under its name.
//
// The restored store goes on with the chain of the store that was saved, as it
// was at the point. Points out of reach are refused with archive.ErrReach, damaged
// archives with an *archive.Error; with SkipDamaged neither is.
func Restore(ctx context.Context, dir string, o RestoreOptions) (Summary, error) {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	dir = filepath.Clean(dir)
	if err := checkEmpty(dir); err != nil {
		return Summary{}, err
	}
	parent := filepath.Dir(dir)
	if err := wal.MakeDir(parent); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	tmp, err := os.MkdirTemp(parent, ".almanac-restore-*")
	if err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	defer os.RemoveAll(tmp)
	s, err := o.build(ctx, tmp)
	if err != nil {
		return Summary{}, err
	}
	if err := ctx.Err(); err != nil {
		return Summary{}, context.Cause(ctx)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Summary{}, fmt.Errorf("store: %w; name a directory in it that does not exist", err)
	}
	return s, wal.Publish(tmp, dir)
}

// checkEmpty refuses a directory that holds something.
func checkEmpty(dir string) error {
	names, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("store: %w; name a directory that does not exist", err)
	case len(names) > 0:
		return fmt.Errorf(
			"store: %s: %w; name a directory that does not exist, or is empty",
			dir,
			ErrNotEmpty,
		)
	}
	return nil
}

// build fills an empty directory and opens the store in it.
func (o *RestoreOptions) build(ctx context.Context, dir string) (Summary, error) {
	if o.SkipDamaged || o.withoutSignIns {
		return o.anew(ctx, dir)
	}
	to, err := wal.OpenDir(dir)
	if err != nil {
		return Summary{}, err
	}
	var c *archive.State
	if o.From != "" {
		c, err = o.copyFrom(ctx, to)
	} else {
		c, err = o.fromArchive(ctx, dir, to)
	}
	if err := errors.Join(err, to.Close()); err != nil {
		return Summary{}, err
	}
	s, err := inspect(ctx, dir, c.Time)
	if err == nil && (s.Seq != c.Seq || s.Head != c.Head) {
		err = fmt.Errorf("store: transaction %d was restored, and not %d", s.Seq, c.Seq)
	}
	s.Time = c.Time
	s.Bytes = c.Bytes
	return s, err
}

// anew fills an empty directory with what still verifies, in a new log, and opens the store in it.
func (o *RestoreOptions) anew(ctx context.Context, dir string) (s Summary, err error) {
	from := o.From
	cut := ""
	if from == "" {
		from = filepath.Join(dir, "damaged")
		if cut, err = archive.UnpackDamaged(ctx, o.Archive, from); err != nil {
			return Summary{}, err
		}
	}
	src, err := wal.ReadDir(from)
	if err != nil {
		return Summary{}, err
	}
	to, err := wal.OpenDir(dir)
	if err != nil {
		return Summary{}, errors.Join(err, src.Close())
	}
	left, err := remains(ctx, src)
	if err == nil {
		left.copyUploads(src, to)
	}
	users, unread := wal.ReadFile(src, archive.UsersName)
	if err = errors.Join(err, src.Close()); err != nil {
		return Summary{}, err
	}
	if unread == nil && !json.Valid(users) {
		unread = errors.New("it is not JSON, and was not taken")
	}
	switch {
	case left.at.Seq == 0 && left.missing == nil:
		return Summary{}, errors.New(
			"store: there is neither a log nor a snapshot in it; name a data directory of almanac, or an archive of one",
		)
	case cut != "":
		left.miss("%s", cut)
	case unread != nil && !wal.IsAbsent(unread):
		left.miss("%s: %v", archive.UsersName, unread)
	}
	if o.withoutSignIns {
		if left.missing != nil {
			return Summary{}, fmt.Errorf("store: damaged: %s", strings.Join(left.missing, "; "))
		}
		left.removeSignIns()
	}
	if o.From == "" {
		if err := os.RemoveAll(from); err != nil {
			return Summary{}, fmt.Errorf("store: %w", err)
		}
	}
	if unread == nil {
		_, _, err = wal.WriteFile(
			to,
			archive.UsersName,
			func(w io.Writer) error { _, err := w.Write(users); return err },
		)
	}
	if err != nil {
		return Summary{}, err
	}
	if err := left.build(to, o.Now); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	if s, err = inspect(ctx, dir, o.Now); err != nil {
		return Summary{}, err
	}
	s.Time = o.Now
	s.Missing = left.missing
	return s, filepath.WalkDir(dir, func(name string, f fs.DirEntry, err error) error {
		if err == nil && !f.IsDir() {
			var info fs.FileInfo
			if info, err = f.Info(); err == nil {
				s.Bytes += info.Size()
			}
		}
		return err
	})
}

// inspect opens a store, checks it, and counts what is in it. When the log names a
// snapshot that could not be restored, it makes another one: damage of the old directory
// does not come into the new one.
func inspect(ctx context.Context, dir string, now time.Time) (Summary, error) {
	st, err := Open(Options{Dir: dir, Snapshot: -1, Now: func() time.Time { return now }})
	if err != nil {
		return Summary{}, err
	}
	var s Summary
	err = st.Check()
	_ = st.View(func(v *View) error {
		s.Seq = v.Seq()
		s.Head = v.Head()
		for k := range kinds {
			s.Counts[k] = v.Len(k)
		}
		return nil
	})
	if err == nil && st.journal.named > st.journal.latest {
		err = st.Snapshot(ctx)
	}
	return s, errors.Join(err, st.Close())
}

// copyFrom copies the state of the point from another directory, and starts over when a store
// prunes that meanwhile.
func (o *RestoreOptions) copyFrom(
	ctx context.Context,
	to wal.Files,
) (s *archive.State, err error) {
	src, err := wal.ReadDir(o.From)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	err = wal.AttemptLog(src, func(all wal.Listing) (err error) {
		if s, err = archive.Cut(src, all, o.Point, o.Now, o.Logger); err != nil {
			return err
		}
		return s.Copy(ctx, src, to)
	})
	return s, err
}

// fromArchive fills an empty directory, whose name is given too, with the state of the point.
func (o *RestoreOptions) fromArchive(
	ctx context.Context,
	dir string,
	to wal.Files,
) (*archive.State, error) {
	if o.Point == (archive.Point{}) {
		s, _, err := archive.Unpack(ctx, o.Archive, to, o.Logger)
		return s, err
	}
	whole := filepath.Join(dir, "archive")
	defer os.RemoveAll(whole)
	all, err := wal.OpenDir(whole)
	if err != nil {
		return nil, err
	}
	_, made, err := archive.Unpack(ctx, o.Archive, all, o.Logger)
	if err := errors.Join(err, all.Close()); err != nil {
		return nil, err
	}
	from := *o
	from.From = whole
	from.Now = made
	return from.copyFrom(ctx, to)
}
