// Manifests: the description of a snapshot in it, and other documents of its form.

package wal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// A Manifest is manifest.json without its checksum. The next ids, the identity and the settings
// are the affair of the records.
type Manifest struct {
	Version  int            `json:"version"`
	Seq      uint64         `json:"seq"`
	Head     string         `json:"head"` // SHA-256 of the log line of Seq
	Time     time.Time      `json:"time"`
	NextPost int64          `json:"next_post"`
	NextTerm int64          `json:"next_term"`
	Identity string         `json:"identity,omitempty"` // of the calendar
	Settings *Settings      `json:"settings,omitempty"` // of the site
	Files    []ManifestFile `json:"files"`              // in a fixed order
}

// Settings are the choices for a site that an administrator makes in a browser. "" and 0 are no
// choice.
type Settings struct {
	Name     string `json:"name,omitempty"`
	Zone     string `json:"zone,omitempty"`
	Region   string `json:"region,omitempty"`   // two letters of ISO 3166
	Colour   string `json:"colour,omitempty"`   // six hexadecimal digits behind #
	Logo     int64  `json:"logo,omitempty"`     // id of an uploaded image
	Currency string `json:"currency,omitempty"` // of costs that name none: ISO 4217 code
	First    string `json:"first,omitempty"`    // day that weeks begin with, as monday
	Clock    string `json:"clock,omitempty"`    // how many hours it has: 12 or 24
	Language string `json:"language,omitempty"` // tag of the site's own language
	About    string `json:"about,omitempty"`    // a line below the name
	Contact  string `json:"contact,omitempty"`  // e-mail address, or address of a page
}

// A ManifestFile is a file of the snapshot.
type ManifestFile struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
}

// Sum returns the SHA-256 of manifest.json, which has the form of EncodeSealed.
func (m *Manifest) Sum() string {
	text, err := EncodeSealed(m)
	if err != nil {
		return "" // which is the hash of nothing
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ParseManifest reads manifest.json, of a snapshot of these files.
func ParseManifest(text []byte, files []string) (*Manifest, error) {
	m := new(Manifest)
	if err := DecodeSealed(text, m, LeastSnapshot, SnapshotFormat, "manifest"); err != nil {
		return nil, err
	}
	return m, m.check(files)
}

// check looks for what no snapshot can say.
func (m *Manifest) check(files []string) error {
	switch {
	case !IsSHA256(m.Head):
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
func (m *Manifest) At() Position {
	p := Position{Seq: m.Seq}
	hex.Decode(p.Head[:], []byte(m.Head)) // checked
	return p
}

// Path returns the name of a file of the snapshot in the data directory.
func (m *Manifest) Path(f ManifestFile) string { return SnapshotName(m.Seq) + "/" + f.Name }

// ReadManifest reads the manifest of a snapshot of these files. A file that cannot be read is
// damage too: a disk says so of a sector gone bad. All errors are *CorruptError but those of
// another format.
func ReadManifest(fsys Files, seq uint64, files []string) (*Manifest, error) {
	name := ManifestPath(seq)
	text, err := ReadFile(fsys, name)
	if err != nil {
		return nil, &CorruptError{File: name, Err: err}
	}
	m, err := ParseManifest(text, files)
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

// VerifySnapshot reads a snapshot whole and compares it with its manifest. It
// loads nothing, since what is loaded cannot be taken back.
func VerifySnapshot(fsys Files, seq uint64, files []string) (*Manifest, error) {
	m, err := ReadManifest(fsys, seq, files)
	if err == nil {
		err = m.Verify(fsys)
	}
	return m, err
}

// Verify reads the files of the snapshot and compares them with the manifest. All errors are
// *CorruptError.
func (m *Manifest) Verify(fsys Files) error {
	for _, want := range m.Files {
		if err := want.verify(fsys, m.Path(want)); err != nil {
			return &CorruptError{File: m.Path(want), Err: err}
		}
	}
	return nil
}

func (want ManifestFile) verify(fsys Files, name string) error {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, wholeFile(f))
	if sum := hex.EncodeToString(hash.Sum(nil)); err == nil &&
		(n != want.Bytes || sum != want.SHA256) {
		err = fmt.Errorf(
			"%d bytes with the SHA-256 %s; the manifest says %d and %s",
			n,
			sum,
			want.Bytes,
			want.SHA256,
		)
	}
	return err
}

// EncodeSealed returns the bytes of a document: indented for people, and sealed as a
// line of the log is.
func EncodeSealed(document any) ([]byte, error) {
	b, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, err
	}
	b = bytes.TrimSuffix(b, []byte("}"))
	return append(appendSum(b, b), '\n'), nil
}

// DecodeSealed reads a document, for its name in errors a manifest or a backup. Every
// byte must be as encodeSealed writes it, unless its format is not one from least to
// newest.
func DecodeSealed(text []byte, document any, least, newest int, name string) error {
	body, err := checkSum(bytes.TrimSuffix(text, []byte("\n")))
	if err != nil {
		return err
	}
	object := append(bytes.Clone(body), '}')
	var format struct{ Version int }
	if err := json.Unmarshal(object, &format); err != nil {
		return err
	}
	if err := checkFormat(format.Version, least, newest); err != nil {
		return err
	}
	strict := json.NewDecoder(bytes.NewReader(object))
	strict.DisallowUnknownFields()
	if err := strict.Decode(document); err != nil {
		return err
	}
	if same, err := EncodeSealed(document); err != nil || !bytes.Equal(same, text) {
		return fmt.Errorf("members that are not in the order and form of a %s", name)
	}
	return nil
}
