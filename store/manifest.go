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

// snapshotOrder has the order of the files of a snapshot: links lead back.
var snapshotOrder = [kinds]Kind{Accounts, Images, Categories, Tags, Venues, Organizers, AllSeries, Events}

// A manifest is manifest.json without its checksum.
type manifest struct {
	Version  int            `json:"version"`
	Seq      uint64         `json:"seq"`
	Head     string         `json:"head"` // SHA-256 of the log line of Seq
	Time     time.Time      `json:"time"`
	NextPost int64          `json:"next_post"`
	NextTerm int64          `json:"next_term"`
	Identity string         `json:"identity,omitempty"` // of the calendar
	Files    []manifestFile `json:"files"`              // in that order
}

// A manifestFile is a file of the snapshot.
type manifestFile struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
}

func snapshotFile(k Kind) string { return k.String() + ".json" }

// encode returns the bytes of manifest.json.
func (m *manifest) encode() ([]byte, error) { return encodeSealed(m) }

// sum returns the SHA-256 of manifest.json, which has the form of encode.
func (m *manifest) sum() string {
	text, err := m.encode()
	if err != nil {
		return "" // which is the hash of nothing
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// parseManifest reads manifest.json.
func parseManifest(text []byte) (*manifest, error) {
	m := new(manifest)
	if err := decodeSealed(text, m, SnapshotFormat, "manifest"); err != nil {
		return nil, err
	}
	return m, m.check()
}

// check looks for what no snapshot can say.
func (m *manifest) check() error {
	switch {
	case len(m.Head) != 2*sha256.Size:
		return errors.New("the head is not a SHA-256")
	case m.NextPost < 1 || m.NextTerm < 1:
		return errors.New("next ids are counted from 1")
	case len(m.Files) != len(snapshotOrder):
		return fmt.Errorf("%d files where %d should be", len(m.Files), len(snapshotOrder))
	}
	for i, k := range snapshotOrder {
		if m.Files[i].Name != snapshotFile(k) {
			return fmt.Errorf("file %d is %q where %q should be", i+1, m.Files[i].Name, snapshotFile(k))
		}
	}
	return nil
}

// position returns the state that the snapshot holds.
func (m *manifest) position() (position, error) {
	p := position{Seq: m.Seq, NextPost: m.NextPost, NextTerm: m.NextTerm, Identity: m.Identity}
	_, err := hex.Decode(p.Head[:], []byte(m.Head))
	return p, err
}

// verifySnapshot reads a snapshot whole and compares it with its manifest. It
// loads nothing, since what is loaded cannot be taken back. A file that cannot
// be read is damage too: a disk says so of a sector gone bad. All errors are
// *CorruptError but those of another format.
func verifySnapshot(fsys files, seq uint64) (*manifest, position, error) {
	m, p, err := readManifest(fsys, seq)
	if err == nil {
		err = m.verify(fsys)
	}
	if err != nil {
		return nil, position{}, err
	}
	return m, p, nil
}

// readManifest reads the manifest of a snapshot.
func readManifest(fsys files, seq uint64) (*manifest, position, error) {
	name := snapshotName(seq) + "/" + manifestName
	fail := func(name string, err error) (*manifest, position, error) {
		return nil, position{}, &CorruptError{File: name, Err: err}
	}
	f, err := fsys.open(name)
	if err != nil {
		return fail(name, err)
	}
	text, err := io.ReadAll(wholeFile(f))
	f.Close()
	if err != nil {
		return fail(name, err)
	}
	m, err := parseManifest(text)
	if IsFormat(err) {
		return nil, position{}, fmt.Errorf("store: %s: %w", name, err)
	}
	if err != nil {
		return fail(name, err)
	}
	p, err := m.position()
	if err != nil || m.Seq != seq {
		return fail(name, fmt.Errorf("it is not the manifest of transaction %d", seq))
	}
	return m, p, nil
}

// verify reads the files of the snapshot and compares them with the manifest.
func (m *manifest) verify(fsys files) error {
	for _, want := range m.Files {
		if err := m.verifyFile(fsys, want); err != nil {
			return err
		}
	}
	return nil
}

func (m *manifest) verifyFile(fsys files, want manifestFile) error {
	name := snapshotName(m.Seq) + "/" + want.Name
	f, err := fsys.open(name)
	if err != nil {
		return &CorruptError{File: name, Err: err}
	}
	hash := sha256.New()
	n, err := io.Copy(hash, wholeFile(f))
	f.Close()
	if sum := hex.EncodeToString(hash.Sum(nil)); err == nil && (n != want.Bytes || sum != want.SHA256) {
		err = fmt.Errorf("%d bytes with the SHA-256 %s; the manifest says %d and %s", n, sum, want.Bytes, want.SHA256)
	}
	if err != nil {
		return &CorruptError{File: name, Err: err}
	}
	return nil
}
