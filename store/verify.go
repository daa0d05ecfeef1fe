// Verifying: is everything in a data directory as it was written? Recovery
// reads what it needs to go on; this reads all of it, and changes nothing.

package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// VerifyOptions are the choices of Verify. The zero value works.
type VerifyOptions struct {
	Since string // prefix of a head to find, in lower-case hexadecimal; "": none
}

// A Report is the result of Verify.
type Report struct {
	Segments            int
	Lines               int               // transactions in them
	Bytes               int64             // of them
	First, Last         uint64            // numbers of the first and last transaction; 0 without transactions
	FirstTime, LastTime time.Time         // of them
	Head                [sha256.Size]byte // of the chain; zero without lines, or with a damaged last line
	Truncated           *Truncation       // truncated end of the log; nil if its last line is whole
	Empty               string            // the last segment, if it has no line; ""
	Snapshots           []uint64          // that are as they should be, by number
	Identity            string            // of the calendar; "" when it has none, or damage hides it

	// The records by Kind, as they were after the transaction RecordsAt. When damage hides
	// what came after that, RecordsHidden is true; RecordsAt is 0 when it hides all.
	Records       [kinds]int
	RecordsAt     uint64
	RecordsHidden bool

	Uploads int // uploaded pictures with all their files as they should be

	// A pruned log rests on a snapshot: Base is that, or 0 for a log from its beginning.
	// Named is the snapshot from which on the log vouches for the records, and NamedBy
	// the checkpoint in it that names this snapshot as it is; both are 0 when none does.
	Base, Named, NamedBy uint64

	Since []Ancestor // states whose head has the prefix; two: it is ambiguous

	Findings []*CorruptError // damage; empty when everything is as it was written
	More     int             // number of findings that are not in Findings
}

// A Truncation is a truncated end of the log. A crash leaves one, and so does a server that is
// just writing: Update has not returned for that line, so it is no damage. A whole line that
// something else truncated looks the same.
type Truncation struct {
	File   string
	Offset int64 // of the first byte that is not part of a whole line
	Bytes  int64 // from there on; 0: a whole line without its newline
}

// An Ancestor is an earlier state.
type Ancestor struct {
	Seq      uint64
	Head     [sha256.Size]byte
	Time     time.Time // of the transaction, or when the snapshot was made
	Snapshot bool      // known from a snapshot; the log begins after it

	// Whole says that the head stands for all records, and not for lines of the log
	// alone: that begins with the first one ever, or the head is that of the checkpoint
	// NamedBy, or of a later line.
	Whole bool
}

// Verify reads everything in a data directory: each line of each segment, each
// snapshot, and whether the log leads to the records of the snapshots and to
// sound indexes. It takes no lock, so that it can run beside a server, but may miss
// transactions that are committed meanwhile. It needs memory for the records of one state.
//
// Damage is in the report. An error means that Verify could not judge: a directory that
// cannot be read, files of another format (IsFormat), or the end of ctx.
func Verify(ctx context.Context, dir string, o VerifyOptions) (Report, error) {
	fsys, err := wal.ReadDir(dir)
	if err != nil {
		return Report{}, err
	}
	report, err := verifyFiles(ctx, fsys, o)
	return report, errors.Join(err, fsys.Close())
}

func verifyFiles(ctx context.Context, fsys wal.Files, o VerifyOptions) (report Report, err error) {
	err = wal.Attempt(fsys, func(all wal.Listing) error {
		in := wal.Reader{Files: fsys, Decode: record.DecodeLine, Rest: all.Segments}
		v := &verifier{ctx: ctx, Reader: in, since: o.Since, listed: all.Snapshots}
		err := v.run()
		report = v.report
		return err
	})
	if err == wal.ErrChanged {
		return Report{}, errors.New(
			"store: the log is pruned faster than it can be verified: stop the server, or verify a copy",
		)
	}
	return report, err
}

// A verifier is one attempt.
type verifier struct {
	ctx    context.Context
	since  string
	report Report

	wal.Reader
	oldest    uint64            // number of the first segment; 0 before there is one
	begin     uint64            // number of the first segment after the last gap, else oldest
	listed    []uint64          // the snapshots at the start
	snapshots []uint64          // snapshots after the last line that was read
	vanished  bool              // a snapshot was pruned before it was read
	manifests map[uint64]string // the SHA-256 of manifests, by snapshot
	last      *wal.Line         // the last checkpoint

	// The state after the last line. After damage it is unknown until the next
	// snapshot.
	state *index          // nil when it is unknown
	ids   record.Position // the next ids of that state
}

// run verifies everything. The error is wal.ErrChanged if files were pruned before it read them.
func (v *verifier) run() error {
	v.snapshots = slices.Clone(v.listed)
	v.manifests = map[uint64]string{}
	v.state = newIndex()
	v.ids = record.Position{NextPost: 1, NextTerm: 1}
	v.noteHead(Ancestor{})
	for _, verify := range []func() error{v.segments, v.strays, v.missing} {
		if err := verify(); err != nil {
			return err
		}
	}
	if v.state == nil && len(v.report.Findings) == 0 {
		if v.vanished {
			return wal.ErrChanged
		}
		v.find(wal.SegmentName(v.begin), wal.MissingBefore(v.begin, 1))
	}
	if !v.Unknown {
		v.report.Head = v.Head
	}
	for i := range v.report.Since {
		a := &v.report.Since[i]
		a.Whole = v.oldest == 1 || v.report.NamedBy > 0 && a.Seq >= v.report.NamedBy
	}
	if v.state == nil {
		return nil
	}
	v.count()
	v.state.makeLists()
	v.ids.Position = v.Position
	v.report.Identity = v.ids.Identity
	v.rules(wal.LogDir, v.ids, (*checker).index)
	return v.uploads()
}

// find adds a finding about a file, or about what a *CorruptError names.
func (v *verifier) find(file string, err error) {
	var found *CorruptError
	if !errors.As(err, &found) {
		found = &CorruptError{File: file, Err: err}
	}
	if len(v.report.Findings) == maxFindings {
		v.report.More++
		return
	}
	v.report.Findings = append(v.report.Findings, found)
}

// count notes how many records there are.
func (v *verifier) count() {
	for k := range kinds {
		v.report.Records[k] = len(v.state.records[k])
	}
	v.report.RecordsAt = v.Seq
	v.report.RecordsHidden = false
}

// lose notes that damage hides the records after seq, the last transaction that was applied.
func (v *verifier) lose(seq uint64) {
	if v.state != nil && seq > 0 {
		v.count()
		v.report.RecordsAt = seq
	}
	v.state = nil
	v.report.RecordsHidden = true
}

// rules holds the records of the state to the rules of Put, as Check does.
func (v *verifier) rules(name string, at record.Position, also ...func(*checker, *index)) {
	var c checker
	c.records(&Reader{base: v.state}, at)
	for _, check := range also {
		check(&c, v.state)
	}
	for _, err := range c.found {
		v.find(name, errors.New(strings.TrimPrefix(err.Error(), "store: check: ")))
	}
	v.report.More += c.more
}

// noteHead compares a head with the prefix.
func (v *verifier) noteHead(a Ancestor) {
	if v.since == "" || len(v.report.Since) == 2 ||
		!strings.HasPrefix(hex.EncodeToString(a.Head[:]), v.since) {
		return
	}
	known := func(b Ancestor) bool { return b.Seq == a.Seq && b.Head == a.Head }
	if !slices.ContainsFunc(v.report.Since, known) {
		v.report.Since = append(v.report.Since, a)
	}
}

// segments verifies all segments that there were when Verify began.
func (v *verifier) segments() error {
	segments := v.Rest
	if v.report.Segments = len(segments); len(segments) == 0 {
		v.find(wal.SegmentName(1), errors.New("the segment is missing"))
		return nil
	}
	v.oldest = segments[0]
	v.begin = segments[0]
	err := v.Follow(
		v.line,
		func(err error) error { return v.damage(err, segments[len(segments)-len(v.Rest)-1]) },
	)
	if err != nil {
		return err
	}
	switch name := wal.SegmentName(v.First); {
	case v.Tail != nil:
		v.report.Truncated = &Truncation{name, v.Offset, int64(len(v.Tail))}
	case v.Open:
		v.report.Truncated = &Truncation{File: name, Offset: v.End}
	case v.Number == 0:
		v.report.Empty = name
	}
	return nil
}

// damage notes what is wrong in a segment, and goes on behind it, so that one mistake does not
// hide the next.
func (v *verifier) damage(err error, segment uint64) error {
	var corrupt *CorruptError
	isCorrupt := errors.As(err, &corrupt)
	switch name := wal.SegmentName(segment); {
	case IsFormat(err):
		return err
	case isCorrupt && corrupt.Line == 0: // a gap before the segment; a log that was pruned begins with one
		if v.begin = segment; segment != v.oldest {
			v.find(name, err)
		}
	case isCorrupt:
		v.find(name, err)
	case v.First != segment && wal.IsAbsent(err):
		return wal.ErrChanged
	case v.First != segment: // it cannot be opened
		v.report.Segments--
		v.find(name, errors.Unwrap(err))
		return nil // the next segment has a gap before it
	default:
		v.find(name, &CorruptError{File: name, Offset: v.End, Err: errors.Unwrap(err)})
	}
	v.lose(v.Seq)
	v.Chain = v.Next
	err = v.snapshot()
	v.Next = v.Chain // with the head of the snapshot
	return err
}

// line verifies a line that follows the one before.
func (v *verifier) line(l *wal.Line) error {
	if err := v.ctx.Err(); err != nil {
		return err
	}
	r := &v.report
	if r.Lines == 0 {
		r.First, r.FirstTime = l.Seq, l.Time
	}
	r.Last, r.LastTime = l.Seq, l.Time
	r.Lines++
	r.Bytes += v.End - v.Offset
	v.noteHead(Ancestor{Seq: l.Seq, Head: l.Head, Time: l.Time})
	if v.state != nil {
		v.state.apply(record.ChangeOf(&l.Entry))
		v.ids.Note(record.ChangeOf(&l.Entry))
	}
	if l.Snapshots != nil {
		v.checkpoint(l)
	}
	return v.snapshot()
}
