// Archives: their manifest, and reading one, which may come from anywhere.

package store

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// archiveFormat is the format of archives.
const archiveFormat = 1

const (
	archiveName = "backup.json" // the first member of an archive
	usersName   = "users.json"
	archiveMax  = 16 << 20 // bytes of backup.json: for more segments than any disk holds
)

// An archiveManifest is backup.json without its checksum.
type archiveManifest struct {
	Version  int       `json:"version"`
	Seq      uint64    `json:"seq"`
	Head     string    `json:"head"`
	Time     time.Time `json:"time"`     // when it was made
	Snapshot uint64    `json:"snapshot"` // the one in it; 0 for none
	Members  []member  `json:"members"`  // all others, in their order
}

// A member is a file of an archive.
type member struct {
	Name   string `json:"name"` // in the data directory
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// parseArchiveManifest reads backup.json.
func parseArchiveManifest(text []byte) (*archiveManifest, error) {
	m := new(archiveManifest)
	if err := wal.DecodeSealed(text, m, archiveFormat, "backup"); err != nil {
		return nil, err
	}
	return m, m.check()
}

// check looks for what no archive can say. Only the names of a data directory
// pass, so that unpacking writes nothing else.
func (m *archiveManifest) check() error {
	if !wal.IsSHA256(m.Head) {
		return errors.New("the head is not a SHA-256")
	}
	rest := m.Members
	for i, member := range rest {
		if member.Bytes < 0 || !wal.IsSHA256(member.SHA256) {
			return fmt.Errorf("member %d has no size or no SHA-256", i+1)
		}
	}
	if len(rest) > 0 && rest[0].Name == usersName {
		rest = rest[1:]
	}
	if m.Snapshot > 0 {
		for _, name := range snapshotPaths(m.Snapshot) {
			if len(rest) == 0 || rest[0].Name != name {
				return fmt.Errorf("%s is not among the members, where it should be", name)
			}
			rest = rest[1:]
		}
	}
	if len(rest) == 0 {
		return errors.New("there is no log among the members")
	}
	last := uint64(0)
	for _, member := range rest {
		var first uint64
		fmt.Sscanf(strings.TrimPrefix(member.Name, wal.LogDir+"/"), "%d", &first)
		if first <= last || wal.SegmentName(first) != member.Name {
			return fmt.Errorf("the member %q is not a segment of the log, or not in its place", member.Name)
		}
		last = first
	}
	return nil
}

// snapshotPaths returns the names of the files of a snapshot, the manifest first.
func snapshotPaths(seq uint64) []string {
	names := []string{wal.ManifestPath(seq)}
	for _, name := range record.SnapshotFiles {
		names = append(names, wal.SnapshotName(seq)+"/"+name)
	}
	return names
}

// paddingMax is how many bytes may follow the last member: tar fills its last
// record up.
const paddingMax = 1 << 20

// fromArchive fills an empty directory, whose name is given too, with the state of the point. It
// returns the bytes of that.
func (o *RestoreOptions) fromArchive(ctx context.Context, dir string, to wal.Files) (*cut, int64, error) {
	if o.Point == (Point{}) {
		_, c, size, err := o.unpackWhole(ctx, to)
		return c, size, err
	}
	whole := filepath.Join(dir, "archive")
	defer os.RemoveAll(whole)
	all, err := wal.OpenDir(whole)
	if err != nil {
		return nil, 0, err
	}
	m, _, _, err := o.unpackWhole(ctx, all)
	if err := errors.Join(err, all.Close()); err != nil {
		return nil, 0, err
	}
	from := *o
	from.From, from.Now = whole, m.Time
	return from.copyFrom(ctx, to)
}

// unpackWhole unpacks the archive into an empty directory, and looks whether its log ends as the
// archive says.
func (o *RestoreOptions) unpackWhole(ctx context.Context, to wal.Files) (m *archiveManifest, c *cut, size int64, err error) {
	m, err = unpack(contextReader{ctx, o.Archive}, to)
	if ctx.Err() != nil {
		return nil, nil, 0, context.Cause(ctx) // and no damage
	}
	if err != nil {
		return nil, nil, 0, err
	}
	all, err := wal.ListFiles(to)
	if err != nil {
		return nil, nil, 0, err
	}
	if c, err = cutAt(to, all, Point{}, m.Time, o.Logger); err != nil {
		return nil, nil, 0, err
	}
	if c.seq != m.Seq || hex.EncodeToString(c.head[:]) != m.Head {
		return nil, nil, 0, damaged(archiveName, fmt.Errorf("it says transaction %d, and the log ends with another, %d", m.Seq, c.seq))
	}
	for _, in := range m.Members {
		size += in.Bytes
	}
	return m, c, size, syncAll(to, m.Snapshot)
}

// unpack writes the members of an archive into an empty directory. Only what
// the manifest says is written, and it says nothing but the files of a store.
func unpack(r io.Reader, to wal.Files) (*archiveManifest, error) {
	in, err := inflated(r)
	if err != nil {
		return nil, err
	}
	archive := tar.NewReader(in)
	header, err := nextMember(archive, archiveName)
	if err != nil {
		return nil, err
	}
	if header.Size > archiveMax {
		return nil, damaged(archiveName, fmt.Errorf("%d bytes are too many", header.Size))
	}
	text, err := io.ReadAll(io.LimitReader(archive, archiveMax))
	if err != nil {
		return nil, damaged(archiveName, err)
	}
	m, err := parseArchiveManifest(text)
	if IsFormat(err) {
		return nil, fmt.Errorf("store: %s: %w", archiveName, err)
	}
	if err != nil {
		return nil, damaged(archiveName, err)
	}
	if err := makeRoom(to, m.Snapshot); err != nil {
		return nil, err
	}
	for _, want := range m.Members {
		if err := unpackMember(archive, want, to); err != nil {
			return nil, err
		}
	}
	if _, err := archive.Next(); err == nil {
		return nil, damaged("", errors.New("there are more members than it says"))
	} else if err != io.EOF {
		return nil, damaged("", err)
	}
	// To the end, where the checksum of gzip is.
	if n, err := io.Copy(io.Discard, io.LimitReader(in, paddingMax+1)); err != nil {
		return nil, damaged("", err)
	} else if n > paddingMax {
		return nil, damaged("", errors.New("there is more after its end"))
	}
	return m, nil
}

// inflated reads an archive, whether it is compressed with gzip or not.
func inflated(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
		return in, nil
	}
	zip, err := gzip.NewReader(in)
	if err != nil {
		return nil, damaged("", err)
	}
	return bufio.NewReader(zip), nil
}

// nextMember goes to the next member, which must be a file of a name.
func nextMember(archive *tar.Reader, name string) (*tar.Header, error) {
	header, err := archive.Next()
	switch {
	case err == io.EOF:
		return nil, damaged(name, errors.New("it is missing"))
	case err != nil:
		return nil, damaged(name, err)
	case header.Name != name:
		return nil, damaged(name, fmt.Errorf("%q is in its place", header.Name))
	case header.Typeflag != tar.TypeReg:
		return nil, damaged(name, errors.New("it is not a file"))
	}
	return header, nil
}

// memberNames are the names of files in archives that a store reads.
var memberNames = regexp.MustCompile(`^(users\.json|log/\d{20}\.jsonl|snapshots/\d{20}/[a-z]+\.json)$`)

// unpackDamaged writes the members of an archive into a directory, as far as it can be read,
// whatever its manifest says. It returns the reason that it cannot be read further, "" for its end.
func unpackDamaged(r io.Reader, dir string) (cut string, err error) {
	in, err := inflated(r)
	if err != nil {
		return "", err
	}
	for archive := tar.NewReader(in); ; {
		header, failed := archive.Next()
		switch {
		case failed == io.EOF:
			return "", os.MkdirAll(dir, wal.DirMode)
		case failed != nil:
			return fmt.Sprintf("the archive: %v: what comes after it cannot be read", failed), os.MkdirAll(dir, wal.DirMode)
		case header.Typeflag != tar.TypeReg || !memberNames.MatchString(header.Name):
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(header.Name))
		if err := os.MkdirAll(filepath.Dir(name), wal.DirMode); err != nil {
			return "", fmt.Errorf("store: %w", err)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, wal.FileMode)
		if err != nil {
			return "", fmt.Errorf("store: %w", err)
		}
		_, err = io.Copy(f, errorReader{r: archive, err: &failed})
		if err = errors.Join(err, f.Close()); err != nil && failed == nil {
			return "", fmt.Errorf("store: %w", err)
		}
	}
}

// unpackMember writes a member, which must have the size and the hash in the manifest.
func unpackMember(archive *tar.Reader, want member, to wal.Files) error {
	header, err := nextMember(archive, want.Name)
	if err != nil {
		return err
	}
	if header.Size != want.Bytes {
		return damaged(want.Name, fmt.Errorf("%d bytes, where there should be %d", header.Size, want.Bytes))
	}
	var failed error // of reading; of writing it is no damage
	_, sum, err := wal.WriteFile(to, want.Name, func(w io.Writer) error {
		_, err := io.Copy(w, errorReader{r: archive, err: &failed})
		return err
	})
	if failed != nil {
		return damaged(want.Name, failed)
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if sum != want.SHA256 {
		return damaged(want.Name, fmt.Errorf("its SHA-256 is %s, where it should be %s", sum, want.SHA256))
	}
	return nil
}

// An errorReader notes that its reader failed.
type errorReader struct {
	r   io.Reader
	err *error
}

func (e errorReader) Read(b []byte) (int, error) {
	n, err := e.r.Read(b)
	if err != nil && err != io.EOF {
		*e.err = err
	}
	return n, err
}

// An ArchiveError says that what was to be restored is no archive, or not a
// whole one.
type ArchiveError struct {
	Member string // "" is the archive as a whole
	Err    error  // the reason
}

func damaged(member string, err error) error { return &ArchiveError{member, err} }

func (e *ArchiveError) Error() string {
	where := "the archive"
	if e.Member != "" {
		where += ": " + e.Member
	}
	return fmt.Sprintf("store: %s: %v; nothing was restored: take another backup", where, e.Err)
}

// Unwrap returns what is wrong.
func (e *ArchiveError) Unwrap() error { return e.Err }
