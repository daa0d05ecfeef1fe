// Cutting: which files, and how much of them, make up one state of a store that
// may be written to meanwhile. It changes no file and takes no lock.

package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"
)

// ErrReach is in the error for a moment that a store or an archive cannot be
// taken back to. It says how far it reaches.
var ErrReach = errors.New("out of reach")

// A Point says up to where a store is restored. The zero value is the end.
type Point struct {
	Seq uint64    // up to this transaction; 0 is any
	At  time.Time // up to the last transaction that was committed then or before; zero is any
}

// A cut is one state: a snapshot, and the log after it up to a transaction.
type cut struct {
	base   *manifest // of the snapshot; nil for none
	pieces []stretch // of the log, one after the other; the line of the snapshot may be in the first

	// The last transaction.
	seq  uint64
	head [sha256.Size]byte
	time time.Time // when it was committed; of the snapshot if its line is not there
}

// A stretch is the beginning of a segment.
type stretch struct {
	first uint64
	bytes int64
}

// A listing is what is in a directory, ascending.
type listing struct{ snapshots, segments []uint64 }

// list lists snapshots first: then the log reaches to each of them.
func list(fsys files) (listing, error) {
	snapshots, err := numbered(fsys, snapshotDir, "")
	if err != nil {
		return listing{}, fmt.Errorf("store: %w", err)
	}
	segments, err := numbered(fsys, logDir, segmentSuffix)
	if err != nil {
		return listing{}, fmt.Errorf("store: %w", err)
	}
	if len(segments) == 0 {
		return listing{}, errors.New("store: there is no log in it; name the data directory of an almanac")
	}
	return listing{snapshots, segments}, nil
}

// cutAt finds the state of a point. Now is the moment that a directory shows,
// or was when it was put into an archive.
func cutAt(fsys files, all listing, p Point, now time.Time, log *slog.Logger) (*cut, error) {
	until := uint64(0)
	if p != (Point{}) {
		var err error
		if until, err = resolve(fsys, all, p, now); err != nil {
			return nil, err
		}
	}
	base, err := newest(fsys, all, until, log)
	if err != nil {
		return nil, err
	}
	for again, end := 0, int64(-1); ; again++ {
		c, w := &cut{base: base}, &walk{until: until}
		if base != nil {
			if w.at, err = base.position(); err != nil {
				return nil, fmt.Errorf("store: %w", err)
			}
			w.time = base.Time
		}
		if err := w.run(fsys, all.segments); err != nil {
			return nil, err
		}
		c.pieces, c.seq, c.head, c.time = w.pieces, w.at.Seq, w.at.Head, w.time
		// Half a line at the end is being written, and is whole at the next look;
		// or it was torn by a crash, and stays so.
		if w.torn == 0 || w.size+w.torn == end || again == maxLooks {
			return c, nil
		}
		end = w.size + w.torn
	}
}

// maxLooks is how often the end of a log is looked at that is never found
// between two writes. Then it ends before the one that is going on.
const maxLooks = 100

// newest gives the newest snapshot that can be used, nil for none.
func newest(fsys files, all listing, until uint64, log *slog.Logger) (*manifest, error) {
	for _, seq := range slices.Backward(all.snapshots) {
		if until > 0 && seq > until {
			continue
		}
		m, _, err := verifySnapshot(fsys, seq)
		var corrupt *CorruptError
		if errors.As(err, &corrupt) && !isAbsent(err) {
			log.Warn("snapshot is damaged; taking one that is older, and the log", "file", corrupt.File, "err", corrupt.Err)
			continue
		}
		return m, err
	}
	return nil, nil
}

// resolve gives the number of the last transaction up to a point, and refuses
// points that the directory does not reach.
func resolve(fsys files, all listing, p Point, now time.Time) (uint64, error) {
	w, from := &walk{}, uint64(1) // the first state that there is
	var fromTime time.Time
	if all.segments[0] > 1 {
		i := slices.IndexFunc(all.snapshots, func(seq uint64) bool { return seq+1 >= all.segments[0] })
		if i < 0 {
			return 0, &CorruptError{File: segmentName(all.segments[0]), Err: errors.New("no snapshot covers the transactions before it")}
		}
		text, err := readFile(fsys, snapshotName(all.snapshots[i])+"/"+manifestName)
		if err != nil {
			return 0, fmt.Errorf("store: %w", err)
		}
		m, err := parseManifest(text)
		if err != nil {
			return 0, &CorruptError{File: snapshotName(all.snapshots[i]) + "/" + manifestName, Err: err}
		}
		if w.at, err = m.position(); err != nil {
			return 0, fmt.Errorf("store: %w", err)
		}
		w.time, from, fromTime = m.Time, m.Seq, m.Time
	}
	found := uint64(0)
	if w.at.Seq > 0 && !fromTime.After(p.At) {
		found = from // unless its line is there, too
	}
	w.each = func(l logLine) {
		if l.Seq == from {
			fromTime = l.Time
		}
		if l.Seq >= from && !l.Time.After(p.At) {
			found = l.Seq
		}
	}
	if err := w.run(fsys, all.segments); err != nil {
		return 0, err
	}
	if now.Before(w.time) {
		now = w.time
	}
	if p.Seq > 0 {
		found = p.Seq
	}
	if found < from || found > w.at.Seq || p.At.After(now) {
		if w.at.Seq == 0 {
			return 0, fmt.Errorf("store: %w: there is no transaction in it", ErrReach)
		}
		return 0, fmt.Errorf("store: %w: it reaches from transaction %d at %s to transaction %d at %s, as it was at %s", ErrReach,
			from, fromTime.Format(time.RFC3339Nano), w.at.Seq, w.time.Format(time.RFC3339Nano), now.Format(time.RFC3339Nano))
	}
	return found, nil
}

// A walk follows the log from a position on.
type walk struct {
	until uint64        // the last transaction; 0 is the end of the log
	each  func(logLine) // sees every line; nil for none

	step
	start  step // as it was before the last batch; its size is -1 if that is not known
	pieces []stretch
	torn   int64 // bytes that are no line, at the end
}

// A step is how far a walk has come.
type step struct {
	at    position  // only with Seq and Head
	time  time.Time // of the last transaction
	known bool      // its head is known, not only its number
	batch uint64    // of the last line in the segment; 0 for none
	size  int64     // bytes of the segment up to here
}

// run follows the log from the segment that has the line of the position.
func (w *walk) run(fsys files, segments []uint64) error {
	base, from := w.at, segmentOf(segments, w.at.Seq)
	if w.known = segments[from] == base.Seq+1; !w.known && segments[from] <= base.Seq {
		w.at.Seq = segments[from] - 1
	}
	for i, first := range segments[from:] {
		if w.until > 0 && first > w.until && i > 0 {
			return nil
		}
		if first != w.at.Seq+1 {
			return &CorruptError{File: segmentName(first), Err: fmt.Errorf("transactions are missing before it, after %d", w.at.Seq)}
		}
		if err := w.segment(fsys, first, base, from+i == len(segments)-1); err != nil {
			return err
		}
	}
	if w.at.Seq < max(base.Seq, w.until) {
		return &CorruptError{File: segmentName(segments[len(segments)-1]),
			Err: fmt.Errorf("the log ends with transaction %d; there should be %d", w.at.Seq, max(base.Seq, w.until))}
	}
	return nil
}

// segment follows one segment.
func (w *walk) segment(fsys files, first uint64, base position, last bool) error {
	name := segmentName(first)
	f, err := fsys.open(name)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	w.batch, w.size, w.start.size = 0, 0, -1
	defer func() { w.pieces = append(w.pieces, stretch{first, w.size}) }()
	l := newLineReader(name, f)
	for (w.until == 0 || w.at.Seq < w.until) && l.next() {
		if isTorn(l) && !(last && isUnterminated(l)) {
			if !last {
				return l.corrupt(errors.New("torn, in a segment that others follow"))
			}
			return w.tail(l)
		}
		if err := w.line(l, base); err != nil {
			return l.corrupt(err)
		}
	}
	if l.err != nil {
		return fmt.Errorf("store: %w", l.err)
	}
	return nil
}

// line takes a whole line.
func (w *walk) line(l *lineReader, base position) error {
	e, err := parseLine(l.text)
	if err != nil {
		return err
	}
	before := trail{seq: w.at.Seq, batch: w.batch, head: w.at.Head, known: w.known}
	if err := before.check(&e); err != nil {
		return err
	}
	if e.Batch == e.Seq {
		w.start = w.step
	}
	w.at.Seq, w.at.Head = e.Seq, sha256.Sum256(l.text)
	w.known, w.batch, w.time, w.size = true, e.Batch, e.Time, l.end
	if err := base.checkHead(w.at.Seq, w.at.Head); err != nil {
		return err
	}
	if w.each != nil {
		w.each(e)
	}
	return nil
}

// tail decides about the end of the log from a torn line on, as recovery does.
// If the batch before goes on in the torn line that batch is not whole either,
// and nobody was told that it is stored.
func (w *walk) tail(l *lineReader) error {
	text := slices.Clone(l.text)
	if l.whole {
		rest, err := io.ReadAll(l.in)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		text = append(append(text, '\n'), rest...)
	}
	if err := checkTorn(text, l.offset, w.at.Seq+1, w.batch); err != nil {
		return l.corrupt(err)
	}
	end := l.offset + int64(len(text))
	if w.start.size >= 0 && bytes.HasPrefix(text, fmt.Appendf(nil, `{"seq":%d,"batch":%d,`, w.at.Seq+1, w.batch)) {
		w.step = w.start
	}
	w.torn = end - w.size
	return nil
}
