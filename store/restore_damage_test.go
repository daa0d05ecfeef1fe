// Restoring past damage, and to a time of clocks that were set back.

package store

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/store/archive"
	"almanac/store/wal"
)

// One bad line is no matter for the states before it, nor for those from the next good
// snapshot on.
func TestRestorePastDamage(t *testing.T) {
	t.Parallel()
	for name, segment := range map[string]int64{"many segments": 1200, "one segment": 1 << 20} {
		t.Run(name, func(t *testing.T) { restorePastDamage(t, segment) })
	}
}

func restorePastDamage(t *testing.T, segment int64) {
	l := &ledger{t: t}
	intact := newMemFiles()
	j := opened(t, l, intact, segment)
	for range 5 {
		must(t, l.commit(j, 2), l.commit(j, 1), l.commit(j, 2), l.snapshot(j))
	}
	must(t, l.commit(j, 2), j.Close())
	all, err := wal.ListFiles(intact)
	must(t, err)
	if want := []uint64{23, 29}; len(all.Snapshots) != 2 || all.Snapshots[0] != want[0] ||
		all.Snapshots[1] != want[1] {
		t.Fatalf("snapshots %v, want %v", all.Snapshots, want)
	}
	damaged := func(seqs ...int) *memFiles {
		m := intact.crash(none, 0)
		gone := len(seqs) > 0 && seqs[0] == 0 // the lines, whole
		for _, seq := range seqs {
			hit := false
			for _, first := range all.Segments {
				lines := bytes.SplitAfter(m.at(wal.SegmentName(first)), []byte("\n"))
				i := slices.IndexFunc(lines, func(line []byte) bool {
					return bytes.Contains(
						line,
						fmt.Appendf(nil, `,"seq":%d,"batch":`, max(seq, -seq)),
					)
				})
				if i >= 0 || seq == 0 {
					if seq < 0 { // in several
						lines[i] = bytes.ReplaceAll(lines[i], []byte(`,"`), []byte("\n"))
					} else if gone && seq > 0 {
						lines = slices.Delete(lines, i, i+1)
					} else if seq > 0 {
						lines[i] = bytes.Replace(lines[i], []byte(`"account":`), []byte(`"acc0unt":`), 1)
					}
					m.put(wal.SegmentName(first), bytes.Join(lines, nil))
					hit = true
				}
			}
			if !hit {
				t.Fatalf("no line %d", seq)
			}
		}
		return m
	}
	if len(all.Segments) == 1 { // a snapshot that no line names yet is the second choice
		m := damaged(0, 30, 31, 32)
		for _, want := range []uint64{23, 29} {
			c, err := archive.Cut(m, all, archive.Point{}, l.now(), slog.New(slog.DiscardHandler))
			if err != nil || c.Seq != 29 || c.Base.Seq != want {
				t.Errorf("cut %+v, error %v, want the snapshot of %d", c, err, want)
			}
			m.put(
				wal.SegmentName(1),
				bytes.Replace(
					m.at(wal.SegmentName(1)),
					[]byte(`"seq":26,`),
					[]byte(`"seq":27,`),
					1,
				),
			)
		}
	}
	tests := []struct {
		name    string
		m       *memFiles
		refused func(seq int) bool
		says    string
	}{
		{"nothing", damaged(), func(int) bool { return false }, ""},
		{
			"the first line",
			damaged(1),
			func(seq int) bool { return seq < 23 },
			"name a transaction up to 0, or 23 and those after it",
		},
		{
			"a line before the snapshots",
			damaged(8),
			func(seq int) bool { return seq >= 8 && seq < 23 },
			"name a transaction up to 7, or 23 and those after it",
		},
		{"the line of a snapshot", damaged(23), func(int) bool { return false }, ""},
		{
			"the line before it",
			damaged(22),
			func(seq int) bool { return seq == 22 },
			"name a transaction up to 21, or 23",
		},
		{
			"the checkpoint of a snapshot",
			damaged(24),
			func(seq int) bool { return seq >= 24 && seq < 29 },
			"name a transaction up to 23, or 29",
		},
		{
			"the lines up to a snapshot are gone",
			damaged(0, 21, 22, 23),
			func(seq int) bool { return seq == 21 || seq == 22 },
			"up to 20, or 23",
		},
		{
			"the last lines are gone",
			damaged(0, 28, 29, 30, 31, 32),
			func(seq int) bool { return seq > 27 },
			"name a transaction up to 27",
		},
		{
			"a line before a snapshot in pieces",
			damaged(-22),
			func(seq int) bool { return seq == 22 },
			"up to 21, or 23",
		},
		{"the line of a snapshot in pieces", damaged(-23), func(int) bool { return false }, ""},
		{
			"the line after a snapshot in pieces",
			damaged(-24),
			func(seq int) bool { return seq >= 24 && seq < 29 },
			"up to 23, or 29",
		},
		{
			"the line of a snapshot and the next one",
			damaged(23, 24),
			func(seq int) bool { return seq >= 24 && seq < 29 },
			"up to 23, or 29",
		},
		{
			"two lines",
			damaged(8, 26),
			func(seq int) bool { return seq >= 8 && seq < 23 || seq >= 26 && seq < 29 },
			"name a transaction up to ",
		},
		{
			"a line after the snapshots",
			damaged(31),
			func(seq int) bool { return seq >= 31 },
			"name a transaction up to 30",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for seq := 1; seq <= 32; seq++ {
				c, err := archive.Cut(test.m, all, archive.Point{
					Seq: uint64(seq),
				}, l.now(), slog.New(slog.DiscardHandler))
				if test.refused(seq) {
					var corrupt *CorruptError
					if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), test.says) {
						t.Errorf(
							"transaction %d: error %v, want damage and %q",
							seq,
							err,
							test.says,
						)
					}
					continue
				}
				if err != nil || c.Seq != uint64(seq) || c.Head != l.position(seq).Head {
					t.Errorf("transaction %d: cut %+v, error %v", seq, c, err)
					continue
				}
				if test.name == "the line of a snapshot" && seq == 23 &&
					!c.Time.Equal(c.Base.Time) {
					t.Errorf("it was at %v, and the snapshot was made at %v", c.Time, c.Base.Time)
				}
				// The extract is a directory that opens.
				left := newMemFiles()
				must(t, c.Copy(t.Context(), test.m, left))
				got := catalogue{}
				j, p, err := openJournal(left, journalOptions{}, got.load)
				must(t, err)
				must(t, j.Close())
				l.clone(fmt.Sprint(test.name, seq)).prefix(seq).found(p, got)
			}
		})
	}
}

// prefix is the ledger of the first transactions.
func (l *ledger) prefix(n int) *ledger {
	l.entries = l.entries[:n]
	l.acked = n
	l.positions = nil
	l.states = nil
	return l
}

// When the clock was set back, a time is that before the first line, in order of the
// log, that is later.
func TestRestoreAtAfterClock(t *testing.T) {
	t.Parallel()
	m := newMemFiles()
	hours := 0
	s, err := open(Options{
		Now: func() time.Time { return testTime.Add(time.Duration(hours) * time.Hour) },
	}, m)
	must(t, err)
	for _, hours = range []int{1, 2, 3, 9, 10, 4, 5, 11} { // ahead by six hours for two transactions
		put(t, s, &Event{})
	}
	must(t, s.Check(), s.Close())
	all, err := wal.ListFiles(m)
	must(t, err)
	for _, test := range []struct {
		at   float64
		want uint64 // 0: out of reach
	}{{0.5, 0}, {1, 1}, {2.5, 2}, {3, 3}, {4, 3}, {5.5, 3}, {8.9, 3}, {9, 4}, {10, 7}, {10.5, 7}, {11, 8}, {11.5, 8}, {12.5, 0}} {
		at := testTime.Add(time.Duration(test.at * float64(time.Hour)))
		c, err := archive.Cut(m, all, archive.Point{
			At: at,
		}, testTime.Add(12*time.Hour), slog.New(slog.DiscardHandler))
		switch {
		case test.want == 0 && !errors.Is(err, archive.ErrReach):
			t.Errorf("at %v h: error %v, want ErrReach", test.at, err)
		case test.want > 0 && (err != nil || c.Seq != test.want):
			t.Errorf("at %v h: cut %+v, error %v, want transaction %d", test.at, c, err, test.want)
		}
	}

	// Later lines are not read.
	name := wal.SegmentName(1)
	m.put(name, bytes.Replace(m.at(name), []byte(`{"v":7,"seq":7,`), []byte(`{"v":7,"seq":8,`), 1))
	if c, err := archive.Cut(m, all, archive.Point{
		At: testTime.Add(4 * time.Hour),
	}, testTime.Add(12*time.Hour),
		slog.New(slog.DiscardHandler)); err != nil || c.Seq != 3 {
		t.Errorf("before damage: cut %+v, error %v", c, err)
	}
}
