// Pruning: the removal of segments and snapshots that are not needed any more.

package wal

import (
	"fmt"
	"slices"
	"time"
)

// A Retention says which files stay after a snapshot was made.
type Retention struct {
	Listing                   // before
	Stays         []Reference // the snapshots that stay, ascending
	base, covered uint64      // see base
	cutoff        time.Time   // no line after it goes
}

// Retain decides what is older than has to be kept, after a snapshot was made. It
// removes nothing. Previous is the good snapshot before it, 0 for none.
func (l *Log) Retain(latest, previous uint64, files []string, now time.Time) (*Retention, error) {
	all, err := ListFiles(l.Files)
	if err != nil {
		return nil, err
	}
	r := &Retention{Listing: all, cutoff: now.Add(-max(l.Keep, 0))}
	candidates, err := l.candidates(r.Snapshots, files)
	if err != nil {
		return nil, err
	}
	r.base, r.covered = l.base(candidates, r, previous, files)
	stays := l.staying(candidates, r.base, previous, latest)
	for _, m := range candidates {
		if slices.Contains(stays, m.Seq) {
			r.Stays = append(r.Stays, Reference{m.Seq, m.Sum()})
		}
	}
	if n := len(r.Stays); n == 0 || r.Stays[n-1].Seq != latest {
		return nil, fmt.Errorf("the snapshot of %d cannot be read again", latest)
	}
	return r, nil
}

// Prune removes old files, once a line of the log names the snapshots that stay. The comments
// say which files are on disk if the process dies at that step.
func (l *Log) Prune(r *Retention) error {
	// Older snapshots, each under its own name and whole, or under a name that
	// recovery removes. None is there without the log after it.
	for _, seq := range r.Snapshots {
		if !slices.ContainsFunc(r.Stays, func(ref Reference) bool { return ref.Seq == seq }) {
			if err := DiscardSnapshot(l.Files, seq); err != nil {
				return err
			}
		}
	}

	// Older segments, from one of them on: each is gone for good before the next
	// one goes, so that there is never a gap.
	removed := 0
	segments := r.Segments
	for ; len(segments) > 1 && segments[1] <= r.covered+1; segments = segments[1:] {
		aged, err := l.aged(segments, r.cutoff)
		if err != nil {
			return err
		}
		if !aged {
			break
		}
		if err := l.Files.Remove(SegmentName(segments[0])); err != nil {
			return err
		}
		if err := l.Files.SyncDir(LogDir); err != nil {
			return err
		}
		removed++
	}
	if removed > 0 {
		l.Logger.Info("log pruned", "segments", removed, "first", segments[0], "snapshot", r.base)
	}
	return nil
}

// candidates reads when snapshots were made. One whose manifest is damaged is left
// out: nothing can be read from it.
func (l *Log) candidates(snapshots []uint64, files []string) ([]*Manifest, error) {
	var candidates []*Manifest
	for _, seq := range snapshots {
		text, err := ReadFile(l.Files, ManifestPath(seq))
		if err != nil && !IsAbsent(err) {
			return nil, err
		}
		if m, err := ParseManifest(text, files); err == nil && m.Seq == seq {
			candidates = append(candidates, m)
		}
	}
	return candidates, nil
}

// base chooses the snapshot that the restoring of any moment to be kept can
// begin with; 0 is the beginning of the log. All that is before it may go.
// Covered is the same if the snapshot has been read and found whole, else 0.
//
// It is not the newest snapshot, even if that alone would do: when one turns
// out to be damaged there has to be another, with the log after it.
func (l *Log) base(
	candidates []*Manifest,
	r *Retention,
	previous uint64,
	files []string,
) (base, covered uint64) {
	for _, m := range slices.Backward(candidates) {
		if l.Keep == 0 || m.Seq > previous || m.Time.After(r.cutoff) {
			continue
		}
		if m == candidates[0] && (len(r.Segments) < 2 || r.Segments[1] > m.Seq+1) {
			return m.Seq, 0 // nothing is before it, so it need not be read
		}
		_, err := VerifySnapshot(l.Files, m.Seq, files)
		if err == nil {
			return m.Seq, m.Seq
		}
		l.Logger.Warn(
			"a snapshot cannot be relied on; keeping what is older",
			"snapshot",
			m.Seq,
			"err",
			err,
		)
	}
	if len(candidates) > 0 && len(r.Segments) > 0 && r.Segments[0] > 1 {
		return candidates[0].Seq, 0
	}
	return 0, 0
}

// staying returns the snapshots to keep: the base, the newest, the one before it,
// and between them one for each half of the time to keep. One of these is the
// next base; without them it could be none but the newest, which are always
// too young where much is written.
func (l *Log) staying(candidates []*Manifest, base, previous, latest uint64) []uint64 {
	stays := []uint64{base, previous, latest}
	var last time.Time
	for _, m := range candidates {
		switch {
		case m.Seq < base:
		case m.Seq == base:
			last = m.Time
		case l.Keep > 0 && m.Time.Sub(last) >= l.Keep/2:
			last = m.Time
			stays = append(stays, m.Seq)
		}
	}
	return stays
}

// aged reports whether no line of the first of some segments was committed after a
// moment. It reads the lines, because clocks are set back now and then.
func (l *Log) aged(segments []uint64, cutoff time.Time) (bool, error) {
	r := Reader{Files: l.Files, Rest: segments, Alone: true, one: true}
	err := r.Follow(func(l *Line) error {
		if l.Time.After(cutoff) {
			return ErrStop
		}
		return nil
	}, func(err error) error { return err })
	if err == ErrStop {
		return false, nil
	}
	return err == nil, err
}
