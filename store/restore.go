// Restoring: a new data directory from an archive or from another directory.

package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"almanac/store/wal"
)

// ErrNotEmpty is in the error for a directory that holds something already.
var ErrNotEmpty = errors.New("there is something in it")

// RestoreOptions says what is restored, from an archive or from a directory.
type RestoreOptions struct {
	Archive io.Reader    // an archive of Backup; read to its end
	From    string       // a data directory instead, which a store may have open
	Users   string       // with From: as in BackupOptions
	Point   Point        // up to where; the zero value is the end
	Now     time.Time    // with From: the present, which is as far as it reaches
	Logger  *slog.Logger // as in BackupOptions

	// Go on behind damage instead of refusing it: take everything that still verifies. The
	// new log begins with a note of the missing parts, which are in the summary too. Without a
	// Point.
	SkipDamaged bool
}

// Restore makes a data directory. It must not exist, or be empty. It is built
// and checked under another name beside it, .almanac-restore-… , and renamed at
// the end: an error leaves nothing behind, and a crash nothing under its name.
//
// The restored store goes on with the chain of the store that was saved, as it
// was at the point. Points out of reach are refused with ErrReach, damaged
// archives with an *ArchiveError; with SkipDamaged neither is.
func Restore(ctx context.Context, dir string, o RestoreOptions) (Summary, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
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
	if err := os.Rename(tmp, dir); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	if err := wal.SyncParent(dir); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	return s, nil
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
		return fmt.Errorf("store: %s: %w; name a directory that does not exist, or is empty", dir, ErrNotEmpty)
	}
	return nil
}

// build fills an empty directory and opens the store in it.
func (o *RestoreOptions) build(ctx context.Context, dir string) (Summary, error) {
	if o.SkipDamaged {
		return o.skipDamaged(ctx, dir)
	}
	to, err := wal.OpenDir(dir)
	if err != nil {
		return Summary{}, err
	}
	var c *cut
	var size int64
	if o.From != "" {
		c, size, err = o.copyFrom(ctx, to)
	} else {
		c, size, err = o.fromArchive(ctx, dir, to)
	}
	if err := errors.Join(err, to.Close()); err != nil {
		return Summary{}, err
	}
	s, err := inspect(ctx, dir, c.time)
	if err == nil && (s.Seq != c.seq || s.Head != c.head) {
		err = fmt.Errorf("store: transaction %d was restored, and not %d", s.Seq, c.seq)
	}
	s.Time, s.Bytes = c.time, size
	return s, err
}

// skipDamaged fills an empty directory with what still verifies, and opens the store in it.
func (o *RestoreOptions) skipDamaged(ctx context.Context, dir string) (s Summary, err error) {
	from, cut := o.From, ""
	if from == "" {
		from = filepath.Join(dir, "damaged")
		if cut, err = unpackDamaged(contextReader{ctx, o.Archive}, from); err != nil {
			return Summary{}, err
		}
	}
	src, err := wal.ReadDir(from)
	if err != nil {
		return Summary{}, err
	}
	left, err := remains(ctx, src)
	users, unread := readUsers(src, o.Users)
	if err = errors.Join(err, src.Close()); err != nil {
		return Summary{}, err
	}
	if unread == nil && !json.Valid(users) {
		unread = errors.New("it is not JSON, and was not taken")
	}
	switch {
	case left.at.Seq == 0 && left.missing == nil:
		return Summary{}, errors.New("store: there is neither a log nor a snapshot in it; name a data directory of almanac, or an archive of one")
	case cut != "":
		left.miss("%s", cut)
	case unread != nil && (o.Users != "" || !wal.IsAbsent(unread)):
		left.miss("%s: %v", usersName, unread)
	}
	if o.From == "" {
		if err := os.RemoveAll(from); err != nil {
			return Summary{}, fmt.Errorf("store: %w", err)
		}
	}
	to, err := wal.OpenDir(dir)
	if err == nil && unread == nil {
		_, _, err = wal.WriteFile(to, usersName, func(w io.Writer) error { _, err := w.Write(users); return err })
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
	s.Time, s.Missing = o.Now, left.missing
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
		s.Seq, s.Head = v.Seq(), v.Head()
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

// copyFrom copies a state from another directory, and starts over when a store
// prunes that meanwhile.
func (o *RestoreOptions) copyFrom(ctx context.Context, to wal.Files) (c *cut, size int64, err error) {
	src, err := wal.ReadDir(o.From)
	if err != nil {
		return nil, 0, err
	}
	defer src.Close()
	err = wal.AttemptLog(src, func(all wal.Listing) error {
		for _, name := range []string{wal.SnapshotDir, wal.LogDir, usersName} { // of an attempt before
			if err := wal.RemoveTree(to, name); err != nil && !wal.IsAbsent(err) {
				return fmt.Errorf("store: %w", err)
			}
		}
		c, size, err = o.copyState(ctx, src, all, to)
		return err
	})
	return c, size, err
}

func (o *RestoreOptions) copyState(ctx context.Context, src wal.Files, all wal.Listing, to wal.Files) (*cut, int64, error) {
	c, err := cutAt(src, all, o.Point, o.Now, o.Logger)
	if err != nil {
		return nil, 0, err
	}
	contents, err := contentsOf(ctx, src, c, o.Users)
	if err != nil {
		return nil, 0, err
	}
	var snapshot uint64
	if c.base != nil {
		snapshot = c.base.Seq
	}
	if err := makeRoom(to, snapshot); err != nil {
		return nil, 0, err
	}
	var size int64
	for _, in := range contents {
		_, _, err := wal.WriteFile(to, in.Name, func(w io.Writer) error { return in.copy(ctx, src, w) })
		if err != nil {
			return nil, 0, fmt.Errorf("store: %s: %w", in.Name, err)
		}
		size += in.Bytes
	}
	return c, size, syncAll(to, snapshot)
}

// makeRoom makes the directories of a store.
func makeRoom(to wal.Files, snapshot uint64) error { return eachDir(to.Mkdir, snapshot) }

// syncAll makes all entries of a restored directory durable.
func syncAll(to wal.Files, snapshot uint64) error { return eachDir(to.SyncDir, snapshot, ".") }

// eachDir calls do with some names and with the directories of a store, which has a snapshot or, for 0, none.
func eachDir(do func(name string) error, snapshot uint64, names ...string) error {
	names = append(names, wal.LogDir, wal.SnapshotDir)
	if snapshot > 0 {
		names = append(names, wal.SnapshotName(snapshot))
	}
	for _, name := range names {
		if err := do(name); err != nil {
			return fmt.Errorf("store: %w", err)
		}
	}
	return nil
}
