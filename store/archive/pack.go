// Writing a state: as an archive, and as another directory.

package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
	"time"

	"almanac/store/media"
	"almanac/store/wal"
)

// Pack writes the state as an archive, made now, of the directory that it was found in.
func (s *State) Pack(
	ctx context.Context,
	src wal.Files,
	to io.Writer,
	compress bool,
	now time.Time,
) error {
	contents, err := s.contents(ctx, src)
	if err != nil {
		return err
	}
	if !compress {
		return s.write(ctx, src, contents, to, now.UTC())
	}
	zip := gzip.NewWriter(to)
	if err := s.write(ctx, src, contents, zip, now.UTC()); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// Copy writes the state into another directory. Files of an attempt before go first.
func (s *State) Copy(ctx context.Context, src, to wal.Files) error {
	for _, name := range []string{wal.SnapshotDir, wal.LogDir, media.Dir, UsersName} {
		if err := wal.RemoveTree(to, name); err != nil && !wal.IsAbsent(err) {
			return fmt.Errorf("store: %w", err)
		}
	}
	contents, err := s.contents(ctx, src)
	if err != nil {
		return err
	}
	var names []string
	for _, in := range contents {
		names = append(names, in.Name)
	}
	if err := eachDir(names, to.Mkdir); err != nil {
		return err
	}
	for _, in := range contents {
		_, _, err := wal.WriteFile(
			to,
			in.Name,
			func(w io.Writer) error { return in.copy(ctx, src, w) },
		)
		if err != nil {
			return fmt.Errorf("store: %s: %w", in.Name, err)
		}
		s.Bytes += in.Bytes
	}
	return syncAll(to, names)
}

// snapshot returns the transaction of the snapshot, 0 for none.
func (s *State) snapshot() uint64 {
	if s.Base == nil {
		return 0
	}
	return s.Base.Seq
}

// eachDir calls do with the directories of a store and of some files in it, the upper one first.
func eachDir(names []string, do func(name string) error) error {
	dirs := []string{wal.LogDir, wal.SnapshotDir}
	for _, name := range names {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := do(dir); err != nil {
			return fmt.Errorf("store: %w", err)
		}
	}
	return nil
}

// syncAll makes all entries of a directory durable.
func syncAll(to wal.Files, names []string) error {
	if err := to.SyncDir("."); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return eachDir(names, to.SyncDir)
}

// write writes the manifest and the members of an archive.
func (s *State) write(
	ctx context.Context,
	src wal.Files,
	contents []content,
	to io.Writer,
	now time.Time,
) error {
	m := manifest{
		Version:  plainFormat,
		Seq:      s.Seq,
		Head:     hex.EncodeToString(s.Head[:]),
		Time:     now,
		Snapshot: s.snapshot(),
	}
	for _, in := range contents {
		m.Members = append(m.Members, in.member)
	}
	if s.media != nil {
		m.Version = format
	}
	text, err := wal.EncodeSealed(m)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	archive := tar.NewWriter(to)
	for _, in := range append([]content{newContent(manifestName, text)}, contents...) {
		header := &tar.Header{
			Typeflag: tar.TypeReg,
			Name:     in.Name,
			Size:     in.Bytes,
			Mode:     wal.FileMode,
			ModTime:  now,
		}
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
	return content{
		member: member{name, int64(len(data)), hex.EncodeToString(sum[:])},
		data:   append([]byte{}, data...),
	}
}

// contents returns the files of the state, and the accounts of an older program, if no start has
// taken them into the store yet.
func (s *State) contents(ctx context.Context, src wal.Files) ([]content, error) {
	var contents []content
	accounts, err := wal.ReadFile(src, UsersName)
	if err == nil {
		contents = append(contents, newContent(UsersName, accounts))
	} else if !wal.IsAbsent(err) {
		return nil, fmt.Errorf("store: accounts: %w", err)
	}
	if s.Base != nil {
		text, err := wal.EncodeSealed(s.Base)
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		contents = append(contents, newContent(wal.ManifestPath(s.Base.Seq), text))
		for _, f := range s.Base.Files {
			contents = append(contents, content{
				member: member{s.Base.Path(f), f.Bytes, f.SHA256},
				file:   s.Base.Path(f),
			})
		}
	}
	for _, p := range s.pieces {
		in := content{
			member: member{
				Name:  wal.SegmentName(p.First),
				Bytes: p.Bytes,
			},
			file: wal.SegmentName(p.Segment),
			at:   p.From,
		}
		hash := sha256.New()
		if err := in.write(ctx, src, hash); err != nil {
			return nil, fmt.Errorf("store: %s: %w", in.Name, err)
		}
		in.SHA256 = hex.EncodeToString(hash.Sum(nil))
		contents = append(contents, in)
	}
	return append(contents, s.media...), nil
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
