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
)

// VerifyOptions are the choices of Verify. The zero value works.
type VerifyOptions struct {
	Since string // look for a head of the chain that begins with these lower case hexadecimal digits; "" looks for none
}

// A Report is what Verify has read and found.
type Report struct {
	Segments            int
	Lines               int               // transactions in them
	Bytes               int64             // of them
	First, Last         uint64            // numbers of the first and the last one; 0 when there is none
	FirstTime, LastTime time.Time         // of them
	Head                [sha256.Size]byte // of the chain; zero before the first line, and when the last one is damaged
	Torn                *Torn             // the end of the log, if it is not a whole line
	Snapshots           []uint64          // that are as they should be, by number
	Records             [kinds]int        // after the last line, by Kind; 0 when damage hides them

	Since []Ancestor // those with the head that was looked for: none, one, or two if its digits are too few

	Findings []*CorruptError // what is not as it was written; none says that all is
	More     int             // findings beyond those
}

// A Torn end of the log is what a crash leaves, or a server that is just
// writing. It is no damage: nobody was told that it is stored.
type Torn struct {
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
}

// attempts is how often Verify begins again because what it was about to read
// was pruned.
const attempts = 5

// Verify reads everything in a data directory: each line of each segment, each
// snapshot, and whether the log leads to the records of the snapshots and to
// sound indexes. It takes no lock, so that it can run beside a server; what that
// adds after Verify began may be left out. It needs memory for the records of
// one state.
//
// What is wrong is in the report. The error is for what cannot be judged: a
// directory that cannot be read, files of a later format (ErrNewer), or the end
// of ctx.
func Verify(ctx context.Context, dir string, o VerifyOptions) (Report, error) {
	fsys, err := readFiles(dir)
	if err != nil {
		return Report{}, err
	}
	report, err := verifyFiles(ctx, fsys, o)
	return report, errors.Join(err, fsys.close())
}

func verifyFiles(ctx context.Context, fsys files, o VerifyOptions) (Report, error) {
	for range attempts {
		v := &verifier{ctx: ctx, fsys: fsys, since: o.Since}
		again, err := v.run()
		if err != nil || !again {
			return v.report, err
		}
	}
	return Report{}, errors.New("store: the log is pruned faster than it can be verified: stop the server, or verify a copy")
}

// A verifier is one attempt.
type verifier struct {
	ctx    context.Context
	fsys   files
	since  string
	report Report

	trail
	begin     uint64   // number of the first segment; 0 before there is one
	current   uint64   // number of the one that was read last
	snapshots []uint64 // that the log has not come to yet
	vanished  bool     // a snapshot was pruned before it was read

	// The state after the last line. After damage it is unknown until the next
	// snapshot.
	state *index   // nil when it is unknown
	ids   position // the next ids of that state
}

// run verifies everything, and reports whether that has to be done again.
func (v *verifier) run() (again bool, err error) {
	// Snapshots first: what is in one of them is in the log already.
	if v.snapshots, err = numbered(v.fsys, snapshotDir, ""); err != nil {
		return false, err
	}
	v.trail, v.state, v.ids = newTrail(), newIndex(), position{NextPost: 1, NextTerm: 1}
	v.noteHead(Ancestor{})
	if err := v.segments(); err != nil {
		return false, err
	}
	if err := v.strays(); err != nil {
		return false, err
	}
	if v.state == nil && len(v.report.Findings) == 0 {
		if v.vanished {
			return true, nil
		}
		v.find(segmentName(v.begin), missing(v.begin, 1))
	}
	if v.known {
		v.report.Head = v.head
	}
	if v.state == nil {
		return false, nil
	}
	for k := range kinds {
		v.report.Records[k] = v.state.records[k].Len()
	}
	v.state.shelve()
	v.rules(logDir, position{v.seq, v.head, v.ids.NextPost, v.ids.NextTerm}, (*checker).index)
	return false, nil
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

// rules holds the records of the state to the rules of Put, as Check does.
func (v *verifier) rules(name string, at position, also ...func(*checker, *index)) {
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

// noteHead compares a head with the one that is looked for.
func (v *verifier) noteHead(a Ancestor) {
	if v.since == "" || len(v.report.Since) == 2 || !strings.HasPrefix(hex.EncodeToString(a.Head[:]), v.since) {
		return
	}
	known := func(b Ancestor) bool { return b.Seq == a.Seq && b.Head == a.Head }
	if !slices.ContainsFunc(v.report.Since, known) {
		v.report.Since = append(v.report.Since, a)
	}
}
