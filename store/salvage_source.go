// Where salvaging reads: a directory, or an archive as far as it goes.

package store

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
)

// salvage fills an empty directory, whose name is given too, with what still verifies. It returns
// what is missing, and the bytes of what there is.
func (o *RestoreOptions) salvage(ctx context.Context, dir string, to files) (missing []string, size int64, err error) {
	from := o.From
	var cut string
	if from == "" {
		// Not below the new directory, which is renamed when it is whole.
		tmp, err := os.MkdirTemp(filepath.Dir(dir), ".almanac-salvage-*")
		if err != nil {
			return nil, 0, fmt.Errorf("store: %w", err)
		}
		defer os.RemoveAll(tmp)
		from = tmp
		unpacked, err := openFiles(tmp)
		if err != nil {
			return nil, 0, err
		}
		cut, err = unpackDamaged(contextReader{ctx, o.Archive}, unpacked)
		if err := errors.Join(err, unpacked.close()); err != nil {
			return nil, 0, err
		}
	}
	root, err := os.OpenRoot(from)
	if err != nil {
		return nil, 0, fmt.Errorf("store: %w", err)
	}
	src := osFiles{root}
	defer src.close()
	s, err := salvage(ctx, src)
	if err != nil {
		return nil, 0, err
	}
	if s.at.Seq == 0 && s.missing == nil {
		return nil, 0, errors.New("store: there is neither a log nor a snapshot in it; name a data directory of almanac, or an archive of one")
	}
	if cut != "" {
		s.miss("%s", cut)
	}
	users := s.accounts(o.Users)
	if size, err = s.build(to, users, o.Now); err != nil {
		return nil, 0, fmt.Errorf("store: %w", err)
	}
	return s.missing, size, nil
}

// Salvageable says what Restore with Salvage would take of a directory, and changes nothing. The
// head and the time of what it returns are zero.
func Salvageable(ctx context.Context, dir string) (Summary, error) {
	fsys, err := readFiles(dir)
	if err != nil {
		return Summary{}, err
	}
	s, err := salvage(ctx, fsys)
	if err := errors.Join(err, fsys.close()); err != nil {
		return Summary{}, err
	}
	sum := Summary{Seq: s.at.Seq}
	for k, list := range s.repaired(s.at.Seq + 1) {
		sum.Counts[k] = len(list)
	}
	sum.Missing = s.missing
	return sum, nil
}

// memberNames are the names of files in archives that a store reads.
var memberNames = regexp.MustCompile(`^(users\.json|log/\d{20}\.jsonl|snapshots/\d{20}/[a-z]+\.json)$`)

// unpackDamaged writes the members of an archive into an empty directory, as far as it can be
// read, whatever its manifest says. It returns what ended it, "" for its end.
func unpackDamaged(r io.Reader, to files) (cut string, err error) {
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		zip, err := gzip.NewReader(in)
		if err != nil {
			return "", damaged("", err)
		}
		in = bufio.NewReader(zip)
	}
	if err := makeRoom(to, 0); err != nil {
		return "", err
	}
	for archive := tar.NewReader(in); ; {
		header, err := archive.Next()
		switch {
		case err == io.EOF:
			return "", nil
		case err != nil:
			return fmt.Sprintf("the archive: %v: what comes after it cannot be read", err), nil
		case header.Typeflag != tar.TypeReg || !memberNames.MatchString(header.Name):
			continue
		}
		if dir := path.Dir(header.Name); path.Dir(dir) == snapshotDir {
			if err := to.mkdir(dir); err != nil && !errors.Is(err, os.ErrExist) {
				return "", fmt.Errorf("store: %w", err)
			}
		}
		var failed error // of reading
		err = writeFile(to, header.Name, func(w io.Writer) error {
			_, err := io.Copy(w, errorReader{r: archive, err: &failed})
			if failed != nil {
				return nil // what was read stays
			}
			return err
		})
		if err != nil {
			return "", fmt.Errorf("store: %w", err)
		}
		if failed != nil {
			return fmt.Sprintf("the archive: %s: %v: what comes after it cannot be read", header.Name, failed), nil
		}
	}
}
