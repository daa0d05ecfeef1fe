// The manifest of an archive, and its members.

package store

import (
	"errors"
	"fmt"
	"strings"
	"time"

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

// encode returns the bytes of backup.json.
func (m *archiveManifest) encode() ([]byte, error) { return wal.EncodeSealed(m) }

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
	for _, name := range snapshotFiles {
		names = append(names, wal.SnapshotName(seq)+"/"+name)
	}
	return names
}
