// The lines of the log: their form, their checksum, and their chain.

package wal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Entry is the content of a line of the log: a change, a note, or which snapshots there are.
type Entry struct {
	Seq     uint64            // consecutive, from 1
	Batch   uint64            // Seq of the first entry of the same write and sync
	Time    time.Time         // when it was committed
	Account int64             // the account that asked for it
	Format  int               // of its line; 0 is LeastLine
	Head    [sha256.Size]byte // SHA-256 of its line, when that was made or read

	// One of the three: JSON on one line, without an escape for < > &, or the snapshots of a
	// checkpoint.
	Change, Note []byte
	Snapshots    []Reference

	Value any // the same for the writer, or of the decode function
}

// The members around the change. A text inside of a change cannot hold them:
// its quotation marks are escaped.
const (
	changeMember    = `,"change":`
	noteMember      = `,"note":`
	snapshotsMember = `,"snapshots":`
	prevMember      = `,"prev":"`
	prevSize        = len(prevMember) + 2*sha256.Size + len(`"`)
	sumMember       = `,"crc":"`
	sumSize         = len(sumMember) + 2*crc32.Size + len(`"}`)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendSum appends what closes a JSON object: a checksum of all of it before.
func appendSum(dst, body []byte) []byte {
	return fmt.Appendf(dst, `%s%08x"}`, sumMember, crc32.Checksum(body, castagnoli))
}

// checkSum returns what was sealed, if nothing of it has changed.
func checkSum(sealed []byte) ([]byte, error) {
	n := len(sealed) - sumSize
	if n < 0 {
		return nil, errors.New("too short for a checksum")
	}
	body := sealed[:n]
	end := sealed[n:]
	if want := appendSum(nil, body); !bytes.Equal(end, want) {
		return nil, fmt.Errorf(
			"the checksum does not match: the end is %q and should be %q",
			end,
			want,
		)
	}
	return body, nil
}

// AppendLine appends an entry without a newline, and notes its head.
func AppendLine(dst []byte, e *Entry, prev [sha256.Size]byte) []byte {
	from := len(dst)
	dst = appendLineStart(dst, e)
	switch {
	case e.Snapshots != nil:
		dst = appendReferences(append(dst, snapshotsMember...), e.Snapshots)
	case e.Note != nil:
		dst = append(append(dst, noteMember...), e.Note...)
	default:
		dst = append(append(dst, changeMember...), e.Change...)
	}
	dst = append(dst, prevMember...)
	dst = hex.AppendEncode(dst, prev[:])
	dst = append(dst, '"')
	dst = appendSum(dst, dst[from:])
	e.Head = sha256.Sum256(dst[from:])
	return dst
}

// The members before the change.
const (
	seqMember     = `,"seq":`
	batchMember   = `,"batch":`
	timeMember    = `,"time":"`
	accountMember = `","account":`
)

// appendLineStart appends what comes before the change.
func appendLineStart(dst []byte, e *Entry) []byte {
	dst = strconv.AppendUint(appendFormat(dst, max(e.Format, LeastLine)), e.Seq, 10)
	dst = strconv.AppendUint(append(dst, batchMember...), e.Batch, 10)
	dst = e.Time.UTC().AppendFormat(append(dst, timeMember...), time.RFC3339Nano)
	return strconv.AppendInt(append(dst, accountMember...), e.Account, 10)
}

// parseLineStart reads what comes before the change. Every byte must be as appendLineStart
// writes it.
func parseLineStart(start []byte) (e Entry, err error) {
	format, rest, _ := bytes.Cut(bytes.TrimPrefix(start, []byte(lineStart)), []byte(seqMember))
	seq, rest, _ := bytes.Cut(rest, []byte(batchMember))
	batch, rest, _ := bytes.Cut(rest, []byte(timeMember))
	at, account, _ := bytes.Cut(rest, []byte(accountMember))
	e.Format, _ = strconv.Atoi(string(format))
	e.Seq, _ = strconv.ParseUint(string(seq), 10, 64)
	e.Batch, _ = strconv.ParseUint(string(batch), 10, 64)
	e.Account, _ = strconv.ParseInt(string(account), 10, 64)
	var same [256]byte
	if e.Time.UnmarshalText(at) != nil || !bytes.Equal(start, appendLineStart(same[:0], &e)) {
		return Entry{}, errors.New("members that are not in the order and form of this log")
	}
	if e.Batch == 0 || e.Batch > e.Seq {
		return Entry{}, fmt.Errorf("transaction %d cannot be in batch %d", e.Seq, e.Batch)
	}
	return e, nil
}

// A Line is a line of the log taken apart. Its change is still JSON: a line
// that a snapshot covers is checked, and its change never looked at.
type Line struct {
	Entry            // its Change and Note are parts of the line
	Text      []byte // all of it, without its newline
	prev      []byte // hexadecimal, part of the line
	whole     bool   // it has a newline
	truncated bool   // not written to its end: nothing else is known
	err       error  // its error; without Seq it has not the form of a line
}

// readLine parses a line that is not torn, and decodes what it is about.
func readLine(text []byte, decode func(*Line) error) Line {
	l, err := ParseLine(text)
	if err != nil {
		return Line{Text: text, whole: true, err: err}
	}
	if l.Head = sha256.Sum256(text); decode != nil {
		l.err = decode(&l)
	}
	return l
}

// ParseLine takes apart a line without its newline. Every byte but for the JSON in its middle
// must be as appendLine writes it.
func ParseLine(text []byte) (Line, error) {
	body, err := checkSum(text)
	if err != nil {
		return Line{}, err
	}
	if err := checkLineFormat(body); err != nil {
		return Line{}, err
	}
	l := Line{Text: text, whole: true}
	for _, member := range []string{changeMember, snapshotsMember, noteMember} {
		start, rest, found := bytes.Cut(body, []byte(member))
		n := len(rest) - prevSize
		if !found || n < 0 || !bytes.HasPrefix(rest[n:], []byte(prevMember)) ||
			rest[len(rest)-1] != '"' {
			continue
		}
		if l.Entry, err = parseLineStart(start); err != nil {
			return Line{}, err
		}
		l.prev = rest[n+len(prevMember) : len(rest)-1]
		switch member {
		case changeMember:
			l.Change = rest[:n:n]
		case noteMember:
			l.Note = rest[:n:n]
		default:
			if l.Snapshots, err = parseReferences(rest[:n], l.Seq); err != nil {
				return Line{}, err
			}
		}
		return l, nil
	}
	return Line{}, errors.New("not a line of a log")
}

// A Reference names a snapshot, and all that is in it: the manifest has the hashes of
// its files.
type Reference struct {
	Seq      uint64 `json:"seq"`
	Manifest string `json:"manifest"` // SHA-256 of manifest.json
}

// appendReferences appends what a checkpoint has in the place of a change.
func appendReferences(dst []byte, refs []Reference) []byte {
	text, _ := json.Marshal(refs) // numbers and hexadecimal texts
	return append(dst, text...)
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
		return false, &CorruptError{
			File: ManifestPath(seq),
			Err: fmt.Errorf("its SHA-256 is %s, but when the snapshot was made it was %s, "+
				"as transaction %d says", manifest, e.Snapshots[i].Manifest, e.Seq),
		}
	}
	return i >= 0, nil
}

// IsSHA256 reports whether a text is a SHA-256 as the files have it.
func IsSHA256(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size && strings.ToLower(text) == text
}
