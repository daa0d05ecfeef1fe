// Backups: one state of a store, running or not, in one file.

package store

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	f, err := os.OpenFile(filepath.Join(tmp, "archive"), os.O_RDWR|os.O_CREATE|os.O_EXCL, wal.FileMode)
	if err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	packed, err := packAgain(ctx, src, f, o)
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
	if err := os.Rename(f.Name(), file); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	if err := wal.SyncParent(file); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	return s, nil
}

// prove restores an archive and compares what comes of it with what went in.
func prove(ctx context.Context, f io.ReadSeeker, dir string, packed *cut) (Summary, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	s, err := Restore(ctx, dir, RestoreOptions{Archive: f})
	if err == nil && (s.Seq != packed.seq || s.Head != packed.head) {
		err = fmt.Errorf("store: it holds transaction %d and not %d", s.Seq, packed.seq)
	}
	return s, err
}

// A target receives an archive: an *os.File.
type target interface {
	io.WriteSeeker
	Truncate(size int64) error
}

// packAgain packs, and starts over when the store has made or removed files
// meanwhile that are in the way.
func packAgain(ctx context.Context, src wal.Files, to target, o BackupOptions) (c *cut, err error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	err = wal.AttemptLog(src, func(all wal.Listing) error {
		_, err := to.Seek(0, io.SeekStart)
		if err = errors.Join(err, to.Truncate(0)); err != nil {
			return fmt.Errorf("store: %w", err)
		}
		c, err = pack(ctx, src, all, to, o)
		return err
	})
	return c, err
}

// pack writes the end of a log, and the newest snapshot, as an archive.
func pack(ctx context.Context, src wal.Files, all wal.Listing, to io.Writer, o BackupOptions) (*cut, error) {
	c, err := cutAt(src, all, Point{}, o.Now, o.Logger)
	if err != nil {
		return nil, err
	}
	contents, err := contentsOf(ctx, src, c, o.Users)
	if err != nil {
		return nil, err
	}
	if !o.Gzip {
		return c, writeArchive(ctx, src, c, contents, to, o.Now.UTC())
	}
	zip := gzip.NewWriter(to)
	if err := writeArchive(ctx, src, c, contents, zip, o.Now.UTC()); err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return c, nil
}

// writeArchive writes the manifest and the members of an archive.
func writeArchive(ctx context.Context, src wal.Files, c *cut, contents []content, to io.Writer, now time.Time) error {
	m := archiveManifest{Version: archiveFormat, Seq: c.seq, Head: hex.EncodeToString(c.head[:]), Time: now}
	if c.base != nil {
		m.Snapshot = c.base.Seq
	}
	for _, in := range contents {
		m.Members = append(m.Members, in.member)
	}
	text, err := wal.EncodeSealed(m)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	archive := tar.NewWriter(to)
	for _, in := range append([]content{newContent(archiveName, text)}, contents...) {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: in.Name, Size: in.Bytes, Mode: wal.FileMode, ModTime: now}
		if err := archive.WriteHeader(header); err != nil {
			return fmt.Errorf("store: %w", err)
		}
		if err := in.copy(ctx, src, archive); err != nil {
			return fmt.Errorf("store: %s: %w", in.Name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// A content is a member and where its bytes are.
type content struct {
	member
	data []byte // nil: in a file
	file string // that it is in
	at   int64  // where it begins there
}

func newContent(name string, data []byte) content {
	sum := sha256.Sum256(data)
	return content{member: member{name, int64(len(data)), hex.EncodeToString(sum[:])}, data: append([]byte{}, data...)}
}

// contentsOf returns the files of a state, and that of the accounts. Users names
// the latter; "" is the one in the directory, if there is one.
func contentsOf(ctx context.Context, src wal.Files, c *cut, users string) ([]content, error) {
	var contents []content
	accounts, err := readUsers(src, users)
	if err == nil {
		contents = append(contents, newContent(usersName, accounts))
	} else if users != "" || !wal.IsAbsent(err) {
		return nil, fmt.Errorf("store: accounts: %w", err)
	}
	if c.base != nil {
		text, err := c.base.Encode()
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		contents = append(contents, newContent(wal.ManifestPath(c.base.Seq), text))
		for _, f := range c.base.Files {
			contents = append(contents, content{member: member{c.base.Path(f), f.Bytes, f.SHA256}, file: c.base.Path(f)})
		}
	}
	for _, p := range c.pieces {
		in := content{member: member{Name: wal.SegmentName(p.First), Bytes: p.Bytes}, file: wal.SegmentName(p.Segment), at: p.From}
		hash := sha256.New()
		if err := in.write(ctx, src, hash); err != nil {
			return nil, fmt.Errorf("store: %s: %w", in.Name, err)
		}
		in.SHA256 = hex.EncodeToString(hash.Sum(nil))
		contents = append(contents, in)
	}
	return contents, nil
}

func readUsers(src wal.Files, path string) ([]byte, error) {
	if path != "" {
		return os.ReadFile(path)
	}
	text, err := wal.ReadFile(src, usersName)
	if wal.IsAbsent(err) {
		return nil, fs.ErrNotExist
	}
	return text, err
}

// write writes as many bytes as the member has.
func (c content) write(ctx context.Context, src wal.Files, w io.Writer) error {
	var r io.Reader = bytes.NewReader(c.data)
	if c.data == nil {
		f, err := src.Open(c.file)
		if err != nil {
			return err
		}
		defer f.Close()
		r = io.NewSectionReader(f, c.at, c.Bytes)
	}
	n, err := io.Copy(w, contextReader{ctx, r})
	if err == nil && n != c.Bytes {
		err = fmt.Errorf("%d bytes, not %d: %w", n, c.Bytes, wal.ErrChanged)
	}
	return err
}

// copy writes the member and compares its hash.
func (c content) copy(ctx context.Context, src wal.Files, w io.Writer) error {
	hash := sha256.New()
	if err := c.write(ctx, src, io.MultiWriter(w, hash)); err != nil {
		return err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != c.SHA256 {
		return fmt.Errorf("its SHA-256 is %s, not %s: %w", sum, c.SHA256, wal.ErrChanged)
	}
	return nil
}

// A contextReader ends when its context does, so that somebody who gives up
// does not wait for gigabytes.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.r.Read(b)
}
