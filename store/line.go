// The lines of the log: their form, their checksum, and their chain.

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
	"time"
)

// An entry is one transaction in the log.
type entry struct {
	Seq     uint64    // consecutive, from 1
	Batch   uint64    // Seq of the first entry of the same write and sync
	Time    time.Time // when it was committed
	Account int64     // the account that asked for it
	Change  *Change
	Head    [sha256.Size]byte // SHA-256 of its line, when that was made or read

	Text      []byte      `json:"-"` // Change as JSON; nil when appendLine is to make it
	Snapshots []reference `json:"-"` // of a checkpoint, whose change is empty
	Note      *Note       `json:"-"` // of a note, whose change is empty
}

// The members around the change. A text inside of a change cannot hold them:
// its quotation marks are escaped.
const (
	changeMember = `,"change":`
	prevMember   = `,"prev":"`
	prevSize     = len(prevMember) + 2*sha256.Size + len(`"`)
	sealMember   = `,"crc":"`
	sealSize     = len(sealMember) + 2*crc32.Size + len(`"}`)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal appends what closes a JSON object: a checksum of all of it before.
func seal(dst, body []byte) []byte {
	return fmt.Appendf(dst, `%s%08x"}`, sealMember, crc32.Checksum(body, castagnoli))
}

// unseal returns what was sealed, if nothing of it has changed.
func unseal(sealed []byte) ([]byte, error) {
	n := len(sealed) - sealSize
	if n < 0 {
		return nil, errors.New("too short for a checksum")
	}
	body, end := sealed[:n], sealed[n:]
	if want := seal(nil, body); !bytes.Equal(end, want) {
		return nil, fmt.Errorf("the checksum does not match: the end is %q and should be %q", end, want)
	}
	return body, nil
}

// appendLine appends an entry without a newline, and returns the head of the
// chain after it.
func appendLine(dst []byte, e entry, prev [sha256.Size]byte) ([]byte, [sha256.Size]byte, error) {
	from := len(dst)
	dst = appendLineStart(dst, e)
	switch {
	case e.Snapshots != nil:
		dst = appendReferences(append(dst, snapshotsMember...), e.Snapshots)
	case e.Note != nil:
		var err error
		if dst, err = appendJSON(append(dst, noteMember...), e.Note); err != nil {
			return nil, prev, err
		}
	case e.Text != nil:
		dst = append(append(dst, changeMember...), e.Text...)
	default:
		var err error
		if dst, err = appendJSON(append(dst, changeMember...), e.Change); err != nil {
			return nil, prev, err
		}
	}
	dst = append(dst, prevMember...)
	dst = hex.AppendEncode(dst, prev[:])
	dst = append(dst, '"')
	dst = seal(dst, dst[from:])
	return dst, sha256.Sum256(dst[from:]), nil
}

// startsLine reports whether a text begins as the line of a transaction does.
func startsLine(text []byte, seq uint64) bool {
	var start [64]byte
	return bytes.HasPrefix(text, append(strconv.AppendUint(append(start[:0], lineStart...), seq, 10), ','))
}

// appendLineStart appends what comes before the change.
func appendLineStart(dst []byte, e entry) []byte {
	dst = append(dst, lineStart...)
	dst = strconv.AppendUint(dst, e.Seq, 10)
	dst = append(dst, `,"batch":`...)
	dst = strconv.AppendUint(dst, e.Batch, 10)
	dst = append(dst, `,"time":"`...)
	dst = e.Time.UTC().AppendFormat(dst, time.RFC3339Nano)
	dst = append(dst, `","account":`...)
	return strconv.AppendInt(dst, e.Account, 10)
}

// appendJSON appends a value on one line, with < > & as themselves: the log is
// read by people.
func appendJSON(dst []byte, value any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return b.Bytes()[:b.Len()-1], nil // without the newline
}

// A logLine is a line of the log taken apart. Its change is still JSON: a line
// that a snapshot covers is checked, and its change never looked at.
type logLine struct {
	entry         // without Change, unless who reads it decodes that
	change []byte // part of the line
	prev   string // hexadecimal, part of the line

	text  []byte // all of it, without its newline
	whole bool   // it has a newline
	torn  bool   // not written to its end: nothing else is known
	err   error  // its error; without Seq it has not the form of a line
}

// size returns the bytes of the line in its file.
func (l *logLine) size() int64 {
	if l.whole {
		return int64(len(l.text)) + 1
	}
	return int64(len(l.text))
}

// readLine parses a line that is not torn, and decodes what it is about.
func readLine(text []byte, decode func(*logLine) error) logLine {
	l, err := parseLine(text)
	if err != nil {
		return logLine{text: text, whole: true, err: err}
	}
	l.text, l.whole, l.Head = text, true, sha256.Sum256(text)
	if decode != nil {
		l.err = decode(&l)
	}
	return l
}

// parseLine takes apart a line without its newline. Every byte must be as
// appendLine writes it.
func parseLine(text []byte) (logLine, error) {
	body, err := unseal(text)
	if err != nil {
		return logLine{}, err
	}
	if err := checkLineFormat(body); err != nil {
		return logLine{}, err
	}
	l, err := splitLine(body, changeMember)
	if err == errMember {
		if l, err = splitLine(body, snapshotsMember); err == nil {
			l.Snapshots, err = parseReferences(l.change, l.Seq)
		} else if l, err = splitLine(body, noteMember); err == nil {
			l.Note, err = parseNote(l.change)
		}
		l.change = []byte("{}")
	}
	return l, err
}

// errMember says that a body has not the member in its middle.
var errMember = errors.New("not a line of a log")

// splitLine takes apart the body of a line. The member in its middle is still
// JSON.
func splitLine(body []byte, middle string) (logLine, error) {
	start, rest, found := bytes.Cut(body, []byte(middle))
	n := len(rest) - prevSize
	if !found || n < 0 || !bytes.HasPrefix(rest[n:], []byte(prevMember)) || rest[len(rest)-1] != '"' {
		return logLine{}, errMember
	}
	var l logLine
	if !scan(start, func(s *scanner) { s.lineStart(&l.entry) }) {
		l.entry = entry{} // without what was read of it
		if err := json.Unmarshal(append(slices.Clip(start), '}'), &l.entry); err != nil {
			return logLine{}, err
		}
	}
	if !bytes.Equal(start, appendLineStart(nil, l.entry)) {
		return logLine{}, errors.New("members that are not in the order and form of this log")
	}
	if l.Batch == 0 || l.Batch > l.Seq {
		return logLine{}, fmt.Errorf("transaction %d cannot be in batch %d", l.Seq, l.Batch)
	}
	l.change = rest[:n]
	l.prev = string(rest[n+len(prevMember) : len(rest)-1])
	return l, nil
}

// decodeLine reads the change of a line into it.
func decodeLine(l *logLine) (err error) {
	l.Change, err = decodeChange(l.change)
	return err
}

// decodeChange reads the change of a line.
func decodeChange(data []byte) (*Change, error) {
	if c := scanChange(data); c != nil {
		return c, checkIDs(c)
	}
	c := new(Change)
	if err := decodeStrict(data, c); err != nil {
		return nil, err
	}
	if slices.Contains(c.Events, nil) || slices.Contains(c.Venues, nil) || slices.Contains(c.Organizers, nil) ||
		slices.Contains(c.Categories, nil) || slices.Contains(c.Tags, nil) || slices.Contains(c.Images, nil) || slices.Contains(c.Series, nil) ||
		slices.Contains(c.Accounts, nil) {
		return nil, errors.New("null in the place of a record")
	}
	return c, checkIDs(c)
}

// checkIDs refuses ids that no record can have, or none after it. It tells
// terms their taxonomy.
func checkIDs(c *Change) error {
	var err error
	check := func(k Kind, id int64) {
		if id < 1 || id == math.MaxInt64 {
			err = fmt.Errorf("a record of %s with the id %d", k, id)
		}
	}
	c.each(func(r Record) { check(r.Kind(), r.Key()) })
	for _, gone := range c.Removed {
		if check(gone.Kind, gone.ID); gone.Kind == Accounts {
			err = errAccountStays
		}
	}
	return err
}

// decodeStrict reads a JSON object and nothing else, without members that the
// type does not know.
func decodeStrict(data []byte, into any) error {
	if len(data) == 0 || data[0] != '{' {
		return errors.New("not a JSON object")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if dec.InputOffset() != int64(len(data)) {
		return errors.New("more after the end of the JSON object")
	}
	return nil
}
