// Manifests: the description of a snapshot in it, and whether it is true.

package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"
)

// A manifest is manifest.json without its checksum. The next ids and the identity are the
// affair of the records.
type manifest struct {
	Version  int            `json:"version"`
	Seq      uint64         `json:"seq"`
	Head     string         `json:"head"` // SHA-256 of the log line of Seq
	Time     time.Time      `json:"time"`
	NextPost int64          `json:"next_post"`
	NextTerm int64          `json:"next_term"`
	Identity string         `json:"identity,omitempty"` // of the calendar
	Files    []manifestFile `json:"files"`              // in a fixed order
}

// A manifestFile is a file of the snapshot.
type manifestFile struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
}

// Encode returns the bytes of manifest.json.
func (m *manifest) Encode() ([]byte, error) { return encodeSealed(m) }

// Sum returns the SHA-256 of manifest.json, which has the form of Encode.
func (m *manifest) Sum() string {
	text, err := m.Encode()
	if err != nil {
		return "" // which is the hash of nothing
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// parseManifest reads manifest.json, of a snapshot of these files.
func parseManifest(text []byte, files []string) (*manifest, error) {
	m := new(manifest)
	if err := decodeSealed(text, m, SnapshotFormat, "manifest"); err != nil {
		return nil, err
	}
	return m, m.check(files)
}

// check looks for what no snapshot can say.
func (m *manifest) check(files []string) error {
	switch {
	case !isSHA256(m.Head):
		return errors.New("the head is not a SHA-256")
	case m.NextPost < 1 || m.NextTerm < 1:
		return errors.New("next ids are counted from 1")
	case len(m.Files) != len(files):
		return fmt.Errorf("%d files where %d should be", len(m.Files), len(files))
	}
	for i, name := range files {
		if m.Files[i].Name != name {
			return fmt.Errorf("file %d is %q where %q should be", i+1, m.Files[i].Name, name)
		}
	}
	return nil
}

// At returns the position of the snapshot in the log.
func (m *manifest) At() logPosition {
	p := logPosition{Seq: m.Seq}
	hex.Decode(p.Head[:], []byte(m.Head)) // checked
	return p
}

// Path returns the name of a file of the snapshot in the data directory.
func (m *manifest) Path(f manifestFile) string { return snapshotName(m.Seq) + "/" + f.Name }

// readManifest reads the manifest of a snapshot of these files. A file that cannot be read is
// damage too: a disk says so of a sector gone bad. All errors are *CorruptError but those of
// another format.
func readManifest(fsys files, seq uint64, files []string) (*manifest, error) {
	name := manifestPath(seq)
	text, err := readFile(fsys, name)
	if err != nil {
		return nil, &CorruptError{File: name, Err: err}
	}
	m, err := parseManifest(text, files)
	switch {
	case IsFormat(err):
		return nil, fmt.Errorf("store: %s: %w", name, err)
	case err == nil && m.Seq != seq:
		err = fmt.Errorf("it is not the manifest of transaction %d", seq)
	}
	if err != nil {
		return nil, &CorruptError{File: name, Err: err}
	}
	return m, nil
}

// Verify reads the files of the snapshot and compares them with the manifest. All errors are
// *CorruptError.
func (m *manifest) Verify(fsys files) error {
	for _, want := range m.Files {
		if err := want.verify(fsys, m.Path(want)); err != nil {
			return &CorruptError{File: m.Path(want), Err: err}
		}
	}
	return nil
}

func (want manifestFile) verify(fsys files, name string) error {
	f, err := fsys.open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, wholeFile(f))
	if sum := hex.EncodeToString(hash.Sum(nil)); err == nil && (n != want.Bytes || sum != want.SHA256) {
		err = fmt.Errorf("%d bytes with the SHA-256 %s; the manifest says %d and %s", n, sum, want.Bytes, want.SHA256)
	}
	return err
}
