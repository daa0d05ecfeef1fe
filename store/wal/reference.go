// Checkpoints: lines of the log that name the snapshots.

package wal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Reference names a snapshot, and all that is in it: the manifest has the hashes of
// its files.
type Reference struct {
	Seq      uint64 `json:"seq"`
	Manifest string `json:"manifest"` // SHA-256 of manifest.json
}

// appendReferences appends what a checkpoint has in the place of a change.
func appendReferences(dst []byte, refs []Reference) []byte {
	for i, ref := range refs {
		dst = append(dst, "[,"[min(i, 1)])
		dst = append(dst, `{"seq":`...)
		dst = strconv.AppendUint(dst, ref.Seq, 10)
		dst = append(dst, `,"manifest":"`...)
		dst = append(dst, ref.Manifest...)
		dst = append(dst, `"}`...)
	}
	return append(dst, ']')
}

// parseReferences reads what a checkpoint after the transaction before seq names.
// Every byte must be as appendReferences writes it.
func parseReferences(text []byte, seq uint64) ([]Reference, error) {
	var refs []Reference
	if err := json.Unmarshal(text, &refs); err != nil {
		return nil, err
	}
	if len(refs) == 0 || !bytes.Equal(text, appendReferences(nil, refs)) {
		return nil, errors.New("snapshots that are not in the order and form of this log")
	}
	last := uint64(0)
	for _, ref := range refs {
		if ref.Seq <= last || ref.Seq >= seq || !IsSHA256(ref.Manifest) {
			return nil, fmt.Errorf("the snapshot of %d cannot be named here", ref.Seq)
		}
		last = ref.Seq
	}
	return refs, nil
}

// Names reports whether a line names a snapshot. It is an error if the snapshot had another
// manifest then.
func (e *Entry) Names(seq uint64, manifest string) (bool, error) {
	i := slices.IndexFunc(e.Snapshots, func(ref Reference) bool { return ref.Seq == seq })
	if i >= 0 && e.Snapshots[i].Manifest != manifest {
		return false, &CorruptError{File: ManifestPath(seq), Err: fmt.Errorf("its SHA-256 is %s, but when the snapshot was made it was %s, "+
			"as transaction %d says", manifest, e.Snapshots[i].Manifest, e.Seq)}
	}
	return i >= 0, nil
}

// IsSHA256 reports whether a text is a SHA-256 as the files have it.
func IsSHA256(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size && strings.ToLower(text) == text
}
