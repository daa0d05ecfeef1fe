// Reading an archive, which may come from anywhere.

package archive

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"almanac/store/wal"
)

// paddingMax is how many bytes may follow the last member: tar fills its last
// record up.
const paddingMax = 1 << 20

// Unpack writes the members of an archive into an empty directory, and looks whether its log ends
// as the archive says. It also returns when the archive was made.
func Unpack(
	ctx context.Context,
	r io.Reader,
	to wal.Files,
	log *slog.Logger,
) (s *State, made time.Time, err error) {
	m, err := unpack(contextReader{ctx, r}, to)
	if ctx.Err() != nil {
		return nil, made, context.Cause(ctx) // and no damage
	}
	if err != nil {
		return nil, made, err
	}
	all, err := wal.ListFiles(to)
	if err != nil {
		return nil, made, err
	}
	if s, err = Cut(to, all, Point{}, m.Time, log); err != nil {
		return nil, made, err
	}
	if s.Seq != m.Seq || hex.EncodeToString(s.Head[:]) != m.Head {
		return nil, made, damaged(
			manifestName,
			fmt.Errorf("it says transaction %d, and the log ends with another, %d", m.Seq, s.Seq),
		)
	}
	for _, in := range m.Members {
		s.Bytes += in.Bytes
	}
	return s, m.Time, syncAll(to, m.names())
}

// unpack writes the members of an archive into an empty directory. Only what
// the manifest says is written, and it says nothing but the files of a store.
func unpack(r io.Reader, to wal.Files) (*manifest, error) {
	in, err := inflated(r)
	if err != nil {
		return nil, err
	}
	archive := tar.NewReader(in)
	header, err := nextMember(archive, manifestName)
	if err != nil {
		return nil, err
	}
	if header.Size > manifestMax {
		return nil, damaged(manifestName, fmt.Errorf("%d bytes are too many", header.Size))
	}
	text, err := io.ReadAll(io.LimitReader(archive, manifestMax))
	if err != nil {
		return nil, damaged(manifestName, err)
	}
	m, err := parseManifest(text)
	if wal.IsFormat(err) {
		return nil, fmt.Errorf("store: %s: %w", manifestName, err)
	}
	if err != nil {
		return nil, damaged(manifestName, err)
	}
	if err := eachDir(m.names(), to.Mkdir); err != nil {
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
var memberNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(users\.json|log/\d{20}\.jsonl|snapshots/\d{20}/[a-z]+\.json)$|` + mediaName().String(),
	)
})

// UnpackDamaged writes the members of an archive into a directory, as far as it can be read,
// whatever its manifest says. It returns the reason that it cannot be read further, "" for its
// end.
func UnpackDamaged(ctx context.Context, r io.Reader, dir string) (cut string, err error) {
	in, err := inflated(contextReader{ctx, r})
	if err != nil {
		return "", err
	}
	for archive := tar.NewReader(in); ; {
		header, failed := archive.Next()
		switch {
		case failed == io.EOF:
			return "", os.MkdirAll(dir, wal.DirMode)
		case failed != nil:
			cut = fmt.Sprintf("the archive: %v: what comes after it cannot be read", failed)
			return cut, os.MkdirAll(dir, wal.DirMode)
		case header.Typeflag != tar.TypeReg || !memberNames().MatchString(header.Name):
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
		return damaged(
			want.Name,
			fmt.Errorf("%d bytes, where there should be %d", header.Size, want.Bytes),
		)
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
		return damaged(
			want.Name,
			fmt.Errorf("its SHA-256 is %s, where it should be %s", sum, want.SHA256),
		)
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
