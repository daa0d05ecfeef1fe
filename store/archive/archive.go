// Package archive takes one state out of a data directory that a server may be writing to: a
// snapshot, and the log after it up to a transaction. The state becomes an archive, which is one
// file, or another directory. The package knows the files of a store and no record in them.
//
// Cut finds a state. Pack and Copy write it, and compare each file with its hash. Unpack makes a
// directory of an archive, which may come from anywhere: it writes nothing but the files of a
// store.
package archive

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// format is the format of archives that have files of uploads, and plainFormat that of other ones,
// which older programs read.
const (
	format      = 2
	plainFormat = 1
)

const (
	manifestName = "backup.json" // the first member of an archive
	UsersName    = "users.json"  // accounts of an older program
	manifestMax  = 16 << 20      // bytes of backup.json: for more segments than any disk holds
)

// A manifest is backup.json without its checksum.
type manifest struct {
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

// parseManifest reads backup.json.
func parseManifest(text []byte) (*manifest, error) {
	m := new(manifest)
	if err := wal.DecodeSealed(text, m, plainFormat, format, "backup"); err != nil {
		return nil, err
	}
	return m, m.check()
}

// names returns the names of the members.
func (m *manifest) names() (names []string) {
	for _, member := range m.Members {
		names = append(names, member.Name)
	}
	return names
}

// check looks for what no archive can say. Only the names of a data directory
// pass, so that unpacking writes nothing else.
func (m *manifest) check() error {
	if !wal.IsSHA256(m.Head) {
		return errors.New("the head is not a SHA-256")
	}
	rest := m.Members
	for i, member := range rest {
		if member.Bytes < 0 || !wal.IsSHA256(member.SHA256) {
			return fmt.Errorf("member %d has no size or no SHA-256", i+1)
		}
	}
	if len(rest) > 0 && rest[0].Name == UsersName {
		rest = rest[1:]
	}
	if m.Snapshot > 0 {
		for _, name := range record.SnapshotPaths(m.Snapshot) {
			if len(rest) == 0 || rest[0].Name != name {
				return fmt.Errorf("%s is not among the members, where it should be", name)
			}
			rest = rest[1:]
		}
	}
	for len(rest) > 0 && mediaName().MatchString(rest[len(rest)-1].Name) {
		rest = rest[:len(rest)-1]
	}
	if len(rest) == 0 {
		return errors.New("there is no log among the members")
	}
	last := uint64(0)
	for _, member := range rest {
		var first uint64
		fmt.Sscanf(strings.TrimPrefix(member.Name, wal.LogDir+"/"), "%d", &first)
		if first <= last || wal.SegmentName(first) != member.Name {
			return fmt.Errorf(
				"the member %q is not a segment of the log, or not in its place",
				member.Name,
			)
		}
		last = first
	}
	return nil
}

// An Error says that what was to be restored is no archive, or not a
// whole one.
type Error struct {
	member string // "" is the archive as a whole
	err    error  // the reason
}

func damaged(member string, err error) error { return &Error{member, err} }

func (e *Error) Error() string {
	where := "the archive"
	if e.member != "" {
		where += ": " + e.member
	}
	return fmt.Sprintf("store: %s: %v; nothing was restored: take another backup", where, e.err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.err }
