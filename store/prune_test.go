// Pruning: files that go, files that stay, and damage that is still found afterwards.

package store

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"almanac/store/archive"
	"almanac/store/record"
	"almanac/store/wal"
)

// reaches checks that every moment can be restored that is to be kept.
func (l *ledger) reaches(m *memFiles) {
	l.t.Helper()
	all, err := wal.ListFiles(m)
	if err != nil {
		l.t.Fatalf("%s: %v", l.name, err)
	}
	cutoff := l.now().Add(-max(l.keep, 0))
	// From the last state that is older than the period.
	from := 1
	for i, e := range l.entries {
		if l.keep != 0 && !e.Time.After(cutoff) {
			from = i + 1
		}
	}
	// Transactions between them take the same files.
	for _, seq := range []int{from, (from + l.acked) / 2, l.acked} {
		if seq < 1 || seq > l.acked {
			continue
		}
		c, err := archive.Cut(m, all, archive.Point{
			Seq: uint64(seq),
		}, l.now(), slog.New(slog.DiscardHandler))
		if err != nil {
			l.t.Fatalf(
				"%s: transaction %d of %d cannot be restored: %v",
				l.name,
				seq,
				l.acked,
				err,
			)
		}
		if want := l.position(seq).Head; c.Head != want {
			l.t.Fatalf(
				"%s: transaction %d is restored with the head %x, want %x",
				l.name,
				seq,
				c.Head,
				want,
			)
		}
	}
}

// A day is the time between two snapshots of these tests.
const day = 24 * time.Hour

// daily runs a journal with a snapshot every day, of the transaction of that day, and
// a segment for each line: the transaction of day n has the number 2n-1, its checkpoint
// 2n.
func daily(t *testing.T, keep time.Duration, days int) (*ledger, *memFiles) {
	t.Helper()
	l := &ledger{t: t, keep: keep, tick: day}
	m := newMemFiles()
	j := opened(t, l, m, 1)
	for range days {
		must(t, l.commit(j, 1), l.snapshot(j))
	}
	must(t, j.Close())
	return l, m
}

func TestPrune(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		keep      time.Duration
		days      int
		snapshots []uint64 // days
		first     uint64   // number of the first segment
	}{
		{"for ever", 0, 6, []uint64{5, 6}, 1},
		{"as little as possible, one snapshot", -1, 1, []uint64{1}, 1},
		{"as little as possible, two", -1, 2, []uint64{1, 2}, 2},
		{"as little as possible, many", -1, 6, []uint64{5, 6}, 10},
		{"longer than all of it", 100 * day, 6, []uint64{1, 5, 6}, 1},
		{"four days, the first is the base", 4 * day, 6, []uint64{1, 3, 5, 6}, 2},
		{"four days, for long", 4 * day, 41, []uint64{37, 39, 40, 41}, 74},
		{"four days, before a new base", 4 * day, 42, []uint64{37, 39, 41, 42}, 74},
		{"ten days, for long", 10 * day, 40, []uint64{26, 31, 36, 39, 40}, 52},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l, m := daily(t, test.keep, test.days)
			var days []uint64
			for _, seq := range snapshotsOf(t, m) {
				days = append(days, (seq+1)/2)
			}
			equal(t, "snapshots", test.snapshots, days)
			var segments []uint64
			for first := test.first; first <= uint64(2*test.days); first++ {
				segments = append(segments, first)
			}
			equal(t, "segments", segments, segmentsOf(t, m))
			if _, found := verified(t, m, ""); found != nil {
				t.Errorf("found %q", found)
			}
			l.finish(m.crash(none, 0))
		})
	}
}

// With four days to keep, these snapshots stay: a base that is old enough, the newest
// two, and one for each half of the time between them. The log begins behind
// the base as soon as there is one.
func TestPruneDays(t *testing.T) {
	t.Parallel()
	l := &ledger{t: t, keep: 4 * day, tick: day}
	m := newMemFiles()
	j := opened(t, l, m, 1)
	for i, want := range []string{
		"[1] 1", "[1 2] 1", "[1 2 3] 1", "[1 3 4] 1", "[1 3 4 5] 2", "[1 3 5 6] 2", "[3 5 6 7] 6", "[3 5 7 8] 6", "[5 7 8 9] 10",
		"[5 7 9 10] 10", "[7 9 10 11] 14", "[7 9 11 12] 14",
	} {
		must(t, l.commit(j, 1), l.snapshot(j))
		var days []uint64
		for _, seq := range snapshotsOf(t, m) {
			days = append(days, (seq+1)/2)
		}
		if got := fmt.Sprint(days, " ", segmentsOf(t, m)[0]); got != want {
			t.Errorf("on day %d: %s, want %s", i+1, got, want)
		}
		l.reaches(m)
	}
}

// Every moment of the time to keep can be restored, on every day.
func TestPruneKeeps(t *testing.T) {
	t.Parallel()
	for days := 2; days < 20; days++ {
		l, m := daily(t, 5*day, days)
		all, err := wal.ListFiles(m)
		must(t, err)
		now := l.now()
		for at := now; !at.Before(now.Add(-5*day)) && !at.Before(testTime.Add(day)); at = at.Add(-7 * time.Hour) {
			c, err := archive.Cut(m, all, archive.Point{
				At: at,
			}, now, slog.New(slog.DiscardHandler))
			must(t, err)
			if want := 2 * uint64(at.Sub(testTime)/day); c.Seq != want ||
				c.Head != l.position(int(want)).Head {
				t.Errorf("on day %d, %v is transaction %d, want %d", days, at, c.Seq, want)
			}
		}
	}
}

// Nothing goes that a damaged snapshot should cover, and no segment that has
// younger lines or cannot be read.
func TestPruneNot(t *testing.T) {
	t.Parallel()
	l, intact := daily(t, 0, 6)
	tests := []struct {
		name   string
		keep   time.Duration
		change func(m *memFiles)
		want   []uint64 // segments
		says   string   // in the log, or the error
	}{
		{"nothing is wrong", -1, func(*memFiles) {}, []uint64{12, 13, 14}, "log pruned"},
		{
			"the snapshot is damaged",
			-1,
			func(m *memFiles) { m.Remove(wal.SnapshotName(11) + "/tags.json") },
			[]uint64{10, 11, 12, 13, 14},
			"snapshot is damaged",
		},
		{"both are", -1, func(m *memFiles) {
			m.Remove(wal.SnapshotName(9) + "/tags.json")
			m.Remove(wal.SnapshotName(11) + "/tags.json")
		}, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, "snapshot is damaged"},
		{"a segment is damaged", -1, func(m *memFiles) {
			data := m.at(wal.SegmentName(2))
			data[len(data)-10] ^= 1
			m.put(wal.SegmentName(2), data)
		}, []uint64{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, "checksum"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := l.clone(test.name)
			m := intact.crash(none, 0)
			test.change(m)
			l.keep = test.keep
			j := opened(t, l, m, 1)
			said := l.log
			var log strings.Builder
			j.Logger = slog.New(slog.NewTextHandler(&log, nil))
			must(t, l.commit(j, 1))
			err := l.snapshotAt(j, testTime.Add(10*day))
			if err != nil {
				said += err.Error()
			}
			if said += log.String(); !strings.Contains(said, test.says) {
				t.Errorf("said %s, want %q", said, test.says)
			}
			got := segmentsOf(t, m)
			equal(t, "segments", test.want, got)
		})
	}

	// A clock that was ahead once: the lines of that time are young.
	l = &ledger{t: t, keep: day}
	m := newMemFiles()
	j := opened(t, l, m, 1)
	for i, days := range []time.Duration{0, 100, 1, 2, 3, 4, 5} {
		batch := l.next(1)
		batch[0].Time = testTime.Add(days * day)
		l.entries[2*i] = batch[0]
		must(t, j.commit(batch))
		l.acked++
		must(t, l.snapshotAt(j, batch[0].Time))
	}
	if got := segmentsOf(t, m); got[0] != 3 {
		t.Errorf("segments %v, want those from 3 on, which is of a time to come", got)
	}
}

// Snapshots that go bad while the store is open: nothing is pruned that only they
// would cover.
func TestPruneDamagedLater(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		keep    time.Duration
		days    int
		damaged []uint64 // snapshots
		want    string   // days of the snapshots that stay, and the first segment
		warns   int
	}{
		{"none", 4 * day, 8, nil, "[5 7 8 9] 10", 0},
		{"the next base", 4 * day, 8, []uint64{9}, "[3 5 7 8 9] 6", 1},
		{"none, as little as possible", -1, 6, nil, "[6 7] 12", 0},
		{
			"all, as little as possible",
			-1,
			6,
			[]uint64{9, 11},
			"[5 6 7] 10",
			1,
		}, // nothing is before the first one: it is not read
		{"all, and there is a segment that none needs", -2, 6, []uint64{9, 11}, "[5 6 7] 8", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l, m := daily(t, max(test.keep, -1), test.days)
			if test.keep == -2 { // as when a process dies while it prunes
				l, m = daily(t, 0, test.days)
				l.keep = -1
				for first := range uint64(7) {
					must(t, m.Remove(wal.SegmentName(first+1)))
				}
			}
			j := opened(t, l, m, 1)
			var log strings.Builder
			j.Logger = slog.New(slog.NewTextHandler(&log, nil))
			for _, seq := range test.damaged {
				must(t, m.Remove(wal.SnapshotName(seq)+"/tags.json"))
			}
			must(t, l.commit(j, 1), l.snapshot(j))
			var days []uint64
			for _, seq := range snapshotsOf(t, m) {
				days = append(days, (seq+1)/2)
			}
			equal(t, "left", test.want, fmt.Sprint(days, " ", segmentsOf(t, m)[0]))
			if got := strings.Count(log.String(), "a snapshot cannot be relied on; keeping what is older"); got != test.warns {
				t.Errorf(
					"said %d times that a snapshot is damaged, want %d: %s",
					got,
					test.warns,
					&log,
				)
			}
		})
	}
}

// A snapshot counts if its manifest can be read and is its own. That of the newest has to.
func TestRetainManifests(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(m *memFiles)
		want   []uint64 // snapshots that stay
		err    string
	}{
		{"nothing is wrong", func(*memFiles) {}, []uint64{9, 11}, ""},
		{"an older one without a manifest", func(m *memFiles) { m.Remove(wal.ManifestPath(9)) }, []uint64{11}, ""},
		{"an older one with that of another", func(m *memFiles) {
			m.put(wal.ManifestPath(9), m.at(wal.ManifestPath(11)))
		}, []uint64{11}, ""},
		{"the newest without one", func(m *memFiles) { m.Remove(wal.ManifestPath(11)) }, nil,
			"the snapshot of 11 cannot be read again"},
		{"the newest with that of another", func(m *memFiles) {
			m.put(wal.ManifestPath(11), m.at(wal.ManifestPath(9)))
		}, nil, "the snapshot of 11 cannot be read again"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l, m := daily(t, 0, 6)
			j := opened(t, l, m, 1)
			test.change(m)
			r, err := j.Retain(j.latest, 9, record.SnapshotFiles, l.now())
			if test.err != "" {
				if err == nil || err.Error() != test.err {
					t.Errorf("error %v, want %s", err, test.err)
				}
				return
			}
			must(t, err)
			var got []uint64
			for _, ref := range r.Stays {
				got = append(got, ref.Seq)
			}
			equal(t, "stays", test.want, got)
		})
	}
}

// A gap is refused wherever it is.
func TestPrunedGaps(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		keep    time.Duration
		missing []uint64
		want    string // "" is not refused
	}{
		{"the first, which a snapshot covers", 4 * day, []uint64{74}, ""},
		{
			"the next, which a snapshot covers",
			4 * day,
			[]uint64{75},
			"transactions are missing before it",
		},
		{"one after the newest snapshot", -1, []uint64{80, 81, 82}, "the segment is missing"},
		{"all but the last", 4 * day, []uint64{74, 75, 76, 77, 78, 79, 80, 81}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l, m := daily(t, test.keep, 41)
			for _, first := range test.missing {
				must(t, m.Remove(wal.SegmentName(first)))
			}
			_, err := l.open(m, 1)
			if test.want == "" && err != nil ||
				test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	_, m := daily(t, -1, 6)
	for _, seq := range snapshotsOf(t, m) {
		must(t, wal.RemoveTree(m, wal.SnapshotName(seq)))
	}
	if _, _, err := openJournal(m, journalOptions{}, catalogue{}.load); err == nil ||
		!strings.Contains(err.Error(), "transactions 1 to 9 are missing") {
		t.Errorf("error %v, want one about the beginning", err)
	}
}
