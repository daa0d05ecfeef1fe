// Segments: where they begin, and what is missed when one is gone.

package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/store/wal"
)

func TestSegments(t *testing.T) {
	l := &ledger{t: t}
	m := newMemFiles()
	j := opened(t, l, m, 3000)
	for i := range 10 {
		must(t, l.commit(j, 1+i%3))
	}
	segments := segmentsOf(t, m)
	if len(segments) < 3 {
		t.Fatalf("segments %v, want some", segments)
	}
	for _, first := range segments {
		data := m.at(wal.SegmentName(first))
		if len(data) > 3000 {
			t.Errorf("segment %d has %d bytes", first, len(data))
		}
		if want := fmt.Sprintf(`,"seq":%d,"batch":%d,`, first, first); strings.Index(
			string(data),
			want,
		) != len(
			`{"v":7`,
		) {
			t.Errorf("segment %d begins with %.40s", first, data)
		}
	}

	// A batch is never divided: a large one has a segment of its own.
	must(t, l.commit(j, 20), l.commit(j, 1))
	last := segmentsOf(t, m)[len(segments):]
	if want := []uint64{j.at.Seq - 20, j.at.Seq}; !slices.Equal(want, last) {
		t.Errorf("new segments %v, want %v", last, want)
	}
	must(t, j.Close())
	for _, name := range []string{"00000000000000000000.jsonl", "1.jsonl", "00000000000000000001.jsonl.bak", "notes.txt"} {
		m.put("log/"+name, []byte("somebody else's")) // and left alone
	}
	l.finish(m)
}

func TestDamagedSegments(t *testing.T) {
	tests := []struct {
		name   string
		damage func(m *memFiles, segments []uint64)
		want   string
	}{
		{
			"first missing",
			func(m *memFiles, s []uint64) { m.Remove(wal.SegmentName(s[0])) },
			"transactions 1 to 2 are missing",
		},
		{
			"one missing",
			func(m *memFiles, s []uint64) { m.Remove(wal.SegmentName(s[1])) },
			"transactions 3 to 4 are missing",
		},
		{"one cut", func(m *memFiles, s []uint64) {
			data := m.at(wal.SegmentName(s[1]))
			m.put(wal.SegmentName(s[1]), data[:len(data)-5])
		}, "line 2: offset"},
		{"one without its last newline", func(m *memFiles, s []uint64) {
			data := m.at(wal.SegmentName(s[1]))
			m.put(wal.SegmentName(s[1]), data[:len(data)-1])
		}, "torn, in a segment that others follow"},
		{
			"one empty",
			func(m *memFiles, s []uint64) { m.put(wal.SegmentName(s[1]), nil) },
			"transactions 3 to 4 are missing",
		},
		{"exchanged", func(m *memFiles, s []uint64) {
			a := m.at(wal.SegmentName(s[0]))
			b := m.at(wal.SegmentName(s[1]))
			m.put(wal.SegmentName(s[0]), b)
			m.put(wal.SegmentName(s[1]), a)
		}, "transaction 3 where 1 should be"},
		{"of another store", func(m *memFiles, s []uint64) {
			other := newMemFiles()
			l := &ledger{t: t, made: 100}
			j := opened(t, l, other, 1)
			must(t, l.commit(j, 2), l.commit(j, 2))
			m.put(wal.SegmentName(3), other.at(wal.SegmentName(3)))
		}, "the chain is broken"},
		{"all missing, with a snapshot", func(m *memFiles, s []uint64) {
			for _, first := range s {
				m.Remove(wal.SegmentName(first))
			}
			m.Mkdir(wal.SnapshotName(4))
		}, "the segment is missing"},
		{
			"shorter than a snapshot",
			func(m *memFiles, s []uint64) { m.Mkdir(wal.SnapshotName(9)) },
			"but there is a snapshot of 9",
		},
		{"newer", func(m *memFiles, s []uint64) {
			m.put(wal.SegmentName(7), append(sealed(`{"v":9,"seq":7,"batch":7`), '\n'))
		}, "written by a newer almanac"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := &ledger{t: t}
			m := newMemFiles()
			j := opened(t, l, m, 1) // a segment for each batch
			must(t, l.commit(j, 2), l.commit(j, 2), l.commit(j, 2), j.Close())
			test.damage(m, []uint64{1, 3, 5})
			_, err := l.open(m, 0)
			var corrupt *CorruptError
			if err == nil || !strings.Contains(err.Error(), test.want) ||
				errors.As(err, &corrupt) == IsFormat(err) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// A log whose old segments were removed is entered in the middle.
func TestPrunedLog(t *testing.T) {
	l := &ledger{t: t}
	m := newMemFiles()
	j := opened(t, l, m, 1)
	must(
		t,
		l.commit(j, 2),
		l.commit(j, 2),
		l.snapshot(j),
		l.commit(j, 2),
		l.commit(j, 2),
		j.Close(),
	)
	m.Remove(wal.SegmentName(1))
	must(t, opened(t, l, m, 1).Close())
	m.Remove(wal.SegmentName(3))
	must(t, opened(t, l, m, 1).Close())
	m.Remove(wal.SegmentName(5))
	if _, err := l.open(m, 1); err == nil ||
		!strings.Contains(err.Error(), "transactions 5 to 5 are missing") {
		t.Errorf("error %v, want one about a gap", err)
	}
}
