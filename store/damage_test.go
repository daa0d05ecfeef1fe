// Damage: forgiven, survived or refused.

package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"almanac/internal/tools/race"
	"almanac/store/wal"
)

const firstSegment = "log/00000000000000000001.jsonl"

// written returns a log of batches of these sizes, and where its lines begin.
func written(t testing.TB, batches ...int) (l *ledger, log []byte, lines []int) {
	t.Helper()
	l = &ledger{t: t, name: t.Name()}
	m := newMemFiles()
	j, err := l.open(m, 0)
	must(t, err)
	defer j.Close()
	for _, n := range batches {
		must(t, l.commit(j, n))
	}
	log = m.at(firstSegment)
	lines = []int{0}
	for i, b := range log {
		if b == '\n' {
			lines = append(lines, i+1)
		}
	}
	return l, log, lines
}

func zero(b []byte, from, to int) []byte {
	b = slices.Clone(b)
	clear(b[from:to])
	return b
}

func TestTornTail(t *testing.T) {
	up := func(at int) int { return (at + sector - 1) / sector * sector }
	down := func(at int) int { return at / sector * sector }
	tests := []struct {
		name   string
		reason string
		damage func(log []byte, at []int) []byte // of batches 1-2, 3, 4-8
		want   int                               // transactions left; -1: refused
	}{
		{"nothing", "", func(b []byte, at []int) []byte { return b }, 8},
		{
			"last newline missing",
			"the line is whole",
			func(b []byte, at []int) []byte { return b[:at[8]-1] },
			8,
		},
		{"last byte missing", "", func(b []byte, at []int) []byte { return b[:at[8]-2] }, 7},
		{
			"one byte of the last line",
			"",
			func(b []byte, at []int) []byte { return b[:at[7]+1] },
			7,
		},
		{"one byte of the only batch", "", func(b []byte, at []int) []byte { return b[:1] }, 0},
		{"empty", "", func(b []byte, at []int) []byte { return nil }, 0},
		{"half of line 5", "", func(b []byte, at []int) []byte { return b[:(at[4]+at[5])/2] }, 4},
		{
			"a batch never written",
			"the file grew first",
			func(b []byte, at []int) []byte { return zero(b, at[3], len(b)) },
			3,
		},
		{"only NUL", "", func(b []byte, at []int) []byte { return zero(b, 0, len(b)) }, 0},
		{
			"NUL after the end",
			"the file grew more",
			func(b []byte, at []int) []byte { return append(b, make([]byte, 1000)...) },
			8,
		},
		{"first sector of a batch lost", "lines after it are of that batch",
			func(b []byte, at []int) []byte { return zero(b, at[3], up(at[3]+1)) }, 3},
		{"a sector inside of a batch lost", "lines before and after it are of that batch",
			func(b []byte, at []int) []byte { return zero(b, down(at[6]), down(at[6])+sector) }, 4},
		{"a lost sector and no last newline", "",
			func(b []byte, at []int) []byte { return zero(b, down(at[6]), down(at[6])+sector)[:at[8]-1] }, 4},

		{
			"a sector of an older batch lost",
			"the batch after it was written later, so this one was acknowledged",
			func(b []byte, at []int) []byte { return zero(b, at[0], sector) },
			-1,
		},
		{
			"one NUL",
			"no disk writes a byte",
			func(b []byte, at []int) []byte { return zero(b, at[7]+9, at[7]+10) },
			-1,
		},
		{
			"last newline changed",
			"the line was whole and acknowledged",
			func(b []byte, at []int) []byte { b[len(b)-1] = 'x'; return b },
			-1,
		},
		{"a newline changed before a torn line", "",
			func(b []byte, at []int) []byte { b[at[7]-1] = 'x'; return b[:at[8]-9] }, -1},
		{
			"a byte changed in a line",
			"",
			func(b []byte, at []int) []byte { b[at[7]+9] ^= 1; return b },
			-1,
		},
		{"a byte changed after a lost sector", "", func(b []byte, at []int) []byte {
			b = zero(b, at[3], up(at[3]+1))
			b[at[7]+9] ^= 1
			return b
		}, -1},
		{"an older line after a lost sector", "", func(b []byte, at []int) []byte {
			return slices.Concat(
				b[:at[5]],
				make([]byte, up(at[5])-at[5]),
				[]byte("\n"),
				b[at[4]:at[5]],
			)
		}, -1},
		{"an empty line", "", func(b []byte, at []int) []byte { return append(b, '\n') }, -1},
		{
			"an empty line before a torn one",
			"",
			func(b []byte, at []int) []byte { return append(b, "\n{"...) },
			-1,
		},
		{
			"a line twice",
			"",
			func(b []byte, at []int) []byte { return append(b, b[at[7]:]...) },
			-1,
		},
		{
			"a line missing",
			"",
			func(b []byte, at []int) []byte { return slices.Delete(b, at[4], at[5]) },
			-1,
		},
		{"first line missing", "", func(b []byte, at []int) []byte { return b[at[1]:] }, -1},
		{"lines exchanged", "", func(b []byte, at []int) []byte {
			return slices.Concat(b[:at[5]], b[at[6]:at[7]], b[at[5]:at[6]], b[at[7]:])
		}, -1},
		{"carriage return", "an editor saved it", func(b []byte, at []int) []byte {
			return bytes.ReplaceAll(b,
				[]byte("\n"), []byte("\r\n"))
		}, -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l, log, lines := written(t, 2, 1, 5)
			log = test.damage(log, lines)
			m := newMemFiles()
			m.put(firstSegment, log)
			if l.acked = test.want; test.want >= 0 {
				l.finish(m)
				return
			}
			_, err := l.open(m, 0)
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) || corrupt.File != firstSegment || corrupt.Line == 0 {
				t.Fatalf("error %v, want a *CorruptError with file and line", err)
			}
			if !bytes.Equal(log, m.at(firstSegment)) {
				t.Error("a refused log was changed")
			}
			if m.locked {
				t.Error("a refused directory stays locked")
			}
		})
	}
}

// Exactly the torn bytes are cut, and it is said.
func TestCut(t *testing.T) {
	l, log, lines := written(t, 2, 3)
	m := newMemFiles()
	m.put(firstSegment, log[:lines[3]+7])
	l.acked = 3
	j, err := l.open(m, 0)
	must(t, err)
	defer j.Close()
	want := fmt.Sprintf("file=%s offset=%d bytes=7", firstSegment, lines[3])
	if !strings.Contains(l.log, want) {
		t.Errorf("logged %q, want %q in it", l.log, want)
	}
	equal(t, "log after the cut", string(log[:lines[3]]), string(m.at(firstSegment)))
}

// A byte gone bad is never taken for what was committed, wherever it is.
func TestFlipEveryByteAlone(t *testing.T) {
	race.Alone(t)
	l := &ledger{t: t}
	m := newMemFiles()
	j, err := l.open(m, 1)
	must(t, err)
	must(
		t,
		l.commit(j, 1),
		l.snapshot(j),
		l.commit(j, 1),
		l.snapshot(j),
		l.commit(j, 2),
		j.Close(),
	)
	wantAt := l.position(6)
	want := l.state(6)
	bare := m.crash(none, 0)
	delete(bare.root.entries, wal.SnapshotDir)

	for _, name := range m.names() {
		intact := m.at(name)
		for i := 0; i < len(intact) && name != "lock"; i += stride() {
			was := intact[i]
			for _, is := range []byte{was ^ 1<<(i%8), 0} {
				data := slices.Clone(intact)
				data[i] = is

				// With the log alone, every byte of it counts, but for a NUL in the place
				// of the last newline: a crash leaves that too.
				lost := is == 0 && i == len(intact)-1 && name == wal.SegmentName(5)
				if strings.HasPrefix(name, wal.LogDir) && !lost {
					bare.put(name, data)
					_, _, err := openJournal(bare, journalOptions{}, catalogue{}.load)
					var corrupt *CorruptError
					if !errors.As(err, &corrupt) {
						t.Fatalf(
							"%s, byte %d: %q for %q: error %v, want a *CorruptError",
							name,
							i,
							is,
							was,
							err,
						)
					}
				}

				// With snapshots it is refused, or all is there.
				damaged := m.crash(none, 0)
				damaged.put(name, data)
				got := catalogue{}
				j, p, err := openJournal(damaged, journalOptions{}, got.load)
				if err != nil {
					continue
				}
				j.Close()
				if p != wantAt || !maps.Equal(want, got) {
					t.Fatalf("%s, byte %d: %q for %q: recovered something else", name, i, is, was)
				}
			}
		}
		if strings.HasPrefix(name, wal.LogDir) {
			bare.put(name, intact)
		}
	}
}

// A line cannot join a batch that ended.
func TestBatchOfAnother(t *testing.T) {
	var log []byte
	var head [32]byte
	for i, batch := range []uint64{1, 2, 1} {
		e := wal.Entry{Seq: uint64(i + 1), Batch: batch, Time: testTime, Change: []byte("{}")}
		log = append(wal.AppendLine(log, &e, head), '\n')
		head = e.Head
	}
	m := newMemFiles()
	m.put(firstSegment, log)
	_, _, err := openJournal(m, journalOptions{}, catalogue{}.load)
	if err == nil ||
		!strings.Contains(err.Error(), "transaction 3 is in batch 1, but the one before is in 2") {
		t.Errorf("error %v, want one about the batch", err)
	}
}

// FuzzRecover opens a directory with any bytes as its log.
func FuzzRecover(f *testing.F) {
	_, log, lines := written(f, 2, 3)
	f.Add(log)
	f.Add(log[:lines[4]+5])
	f.Add(log[:len(log)-1])
	f.Add(zero(log, lines[3], len(log)))
	f.Add([]byte("\x00\n{}\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		m := newMemFiles()
		m.put(firstSegment, log)
		got := catalogue{}
		j, p, err := openJournal(m, journalOptions{}, got.load)
		if err != nil {
			if !bytes.Equal(log, m.at(firstSegment)) {
				t.Error("a refused log was changed")
			}
			return
		}
		left := m.at(firstSegment)
		if !bytes.HasPrefix(append(bytes.TrimSuffix(log, []byte{0}), '\n'), left) &&
			!bytes.HasPrefix(log, left) {
			t.Errorf("recovery left %q of %q", left, log)
		}
		if uint64(bytes.Count(left, []byte("\n"))) != p.Seq {
			t.Errorf("%d transactions in %q", p.Seq, left)
		}
		for line := range bytes.Lines(left) {
			if line = bytes.TrimSuffix(line, []byte("\n")); !bytes.Equal(
				line,
				sealed(string(bodyOf(line))),
			) {
				t.Errorf("recovered %q, whose checksum is another", line)
			}
		}
		e := wal.Entry{
			Seq:  p.Seq + 1,
			Time: testTime,
			Value: &Change{
				Removed: []Removal{{
					Kind: Tags,
					ID:   1,
				}},
			},
		}
		must(t, j.commit([]wal.Entry{e}))
		want := j.at
		j.Close()
		_, p, err = openJournal(m.crash(none, 0), journalOptions{}, catalogue{}.load)
		if err != nil || p != want {
			t.Errorf("reopened at %v with error %v, want %v", p, err, want)
		}
	})
}
