package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/race"
	"almanac/store/record"
	"almanac/store/wal"
)

// A remainderModel says what is left of a directory that was damaged, by comparing its files
// with those before.
type remainderModel struct {
	*ledger
	intact *memFiles
	seqs   map[string]int // of lines, by their text
}

func newRemainderModel(l *ledger, intact *memFiles) *remainderModel {
	m := &remainderModel{l, intact, map[string]int{}}
	for _, name := range intact.names() {
		if !strings.HasPrefix(name, wal.LogDir) {
			continue
		}
		for _, line := range bytes.Split(intact.at(name), []byte("\n")) {
			if len(line) > 0 {
				l, err := wal.ParseLine(line)
				must(m.t, err)
				m.seqs[string(line)] = int(l.Seq)
			}
		}
	}
	return m
}

// expect returns the records that are left, and the transactions with a loss.
func (m *remainderModel) expect(damaged *memFiles) (want catalogue, lost []int) {
	kept := map[int]bool{}
	traces := 0 // the last transaction that something is left of
	names := damaged.names()
	same := func(name string) bool {
		return slices.Contains(names, name) && bytes.Equal(damaged.at(name), m.intact.at(name))
	}
	var bases [kinds]int
	for _, name := range names {
		if strings.HasPrefix(name, wal.LogDir) {
			for _, line := range bytes.Split(damaged.at(name), []byte("\n")) {
				if seq := m.seqs[string(line)]; seq > 0 {
					kept[seq] = true
					traces = max(traces, seq)
				}
			}
		}
	}
	left, err := wal.ListFiles(damaged)
	if err == nil {
		traces = max(traces, int(left.Segments[len(left.Segments)-1])-1)
	}
	for _, seq := range left.Snapshots {
		traces = max(traces, int(seq))
	}
	all, err := wal.ListFiles(m.intact)
	must(m.t, err)
	for _, seq := range all.Snapshots {
		for k := range kinds {
			file := wal.SnapshotName(seq) + "/" + record.SnapshotFile(k)
			if same(wal.ManifestPath(seq)) && (k == AllSeries || k == Accounts || same(file)) {
				bases[k] = int(seq)
			}
		}
	}
	want = catalogue{}
	for k := range kinds {
		of := maps.Clone(m.state(bases[k]))
		for i, e := range m.entries[bases[k]:] {
			if kept[bases[k]+i+1] {
				must(m.t, of.apply(record.ChangeOf(&e)))
			} else if !slices.Contains(lost, bases[k]+i+1) {
				lost = append(lost, bases[k]+i+1)
			}
		}
		for key, text := range of {
			if key.Kind == k {
				want[key] = text
			}
		}
	}
	slices.Sort(lost)
	if !damagedLines(damaged, m.seqs) {
		lost = slices.DeleteFunc(lost, func(seq int) bool { return seq > traces })
	}
	return want, lost
}

// damagedLines reports whether the log ends with a line that it did not have before.
func damagedLines(damaged *memFiles, lines map[string]int) bool {
	open := false
	for _, name := range damaged.names() {
		if strings.HasPrefix(name, wal.LogDir) {
			for _, line := range bytes.Split(damaged.at(name), []byte("\n")) {
				if len(line) > 0 {
					open = lines[string(line)] == 0
				}
			}
		}
	}
	return open
}

var lostTransactions = regexp.MustCompile(`^transactions? (\d+)(?: to (\d+))?: lost`)

// holds reads a damaged directory, and compares what is there and what is said to be
// missing.
func (m *remainderModel) holds(what string, damaged *memFiles) *remainder {
	m.t.Helper()
	want, wantLost := m.expect(damaged)
	s, err := remains(context.Background(), damaged)
	if err != nil {
		m.t.Fatalf("%s: %v", what, err)
	}
	got := catalogue{}
	for k := range kinds {
		for _, r := range s.records[k] {
			got.put(r)
		}
	}
	if !maps.Equal(want, got) {
		m.t.Fatalf("%s: left (-want, +got):\n%s\n%q", what, cmp.Diff(want, got), s.missing)
	}
	var lost []int
	for _, text := range s.missing {
		if found := lostTransactions.FindStringSubmatch(text); found != nil {
			from, _ := strconv.Atoi(found[1])
			to, _ := strconv.Atoi(found[2])
			for seq := from; seq <= max(from, to); seq++ {
				lost = append(lost, seq)
			}
		}
	}
	// After the last line that is left nobody knows how many there were.
	unknown := func(text string) bool { return strings.HasPrefix(text, "how many transactions there were after ") }
	if slices.ContainsFunc(s.missing, unknown) && len(lost) > 0 {
		last := lost[len(lost)-1]
		wantLost = slices.DeleteFunc(wantLost, func(seq int) bool { return seq > last })
	}
	truncated := slices.ContainsFunc(
		s.missing,
		func(text string) bool { return strings.Contains(text, "is no whole line") },
	)
	if truncated && len(wantLost) > 0 && wantLost[len(wantLost)-1] == len(m.entries) {
		wantLost = wantLost[:len(wantLost)-1] // it looks like what a crash leaves
	}
	if diff := cmp.Diff(wantLost, lost, cmp.Transformer("", func(seqs []int) string { return fmt.Sprint(seqs) })); diff != "" {
		m.t.Fatalf("%s: said to be lost (-want, +got):\n%s\n%q", what, diff, s.missing)
	}
	if len(wantLost) > 0 && s.missing == nil {
		m.t.Fatalf("%s: nothing is said to be missing", what)
	}
	return s
}

// opens makes a directory of the rest, which opens and verifies, and goes on after the last
// transaction.
func (m *remainderModel) opens(what string, s *remainder) {
	m.t.Helper()
	last := s.at.Seq
	anew := newMemFiles()
	if err := s.build(anew, testTime); err != nil {
		m.t.Fatalf("%s: %v", what, err)
	}
	j, p, err := openJournal(anew, journalOptions{}, catalogue{}.load)
	if err != nil {
		m.t.Fatalf("%s: what was left: %v", what, err)
	}
	must(m.t, j.Close())
	if p.Seq != last+2 {
		m.t.Fatalf("%s: it goes on from transaction %d, and not from %d", what, p.Seq, last+2)
	}
	report, err := verifyFiles(context.Background(), anew, VerifyOptions{})
	if err != nil || len(report.Findings) > 0 {
		m.t.Fatalf("%s: what was left does not verify: %v, %v", what, err, report.Findings)
	}
}

// damagedDirectory returns a small directory with two snapshots, whose log begins at the
// beginning or was pruned.
func damagedDirectory(t *testing.T, pruned bool) *remainderModel {
	l := &ledger{t: t}
	m := newMemFiles()
	if pruned {
		l.keep = -1
	}
	j, err := l.open(m, 1)
	must(
		t,
		err,
		l.commit(j, 1),
		l.snapshot(j),
		l.commit(j, 1),
		l.snapshot(j),
		l.commit(j, 2),
		j.Close(),
	)
	return newRemainderModel(l, m)
}

// eachDirectory runs a test with directories whose log begins at the beginning and was pruned.
func eachDirectory(t *testing.T, test func(*remainderModel)) {
	for _, pruned := range []bool{false, true} {
		t.Run(fmt.Sprintf("pruned=%v", pruned), func(t *testing.T) {
			t.Parallel()
			test(damagedDirectory(t, pruned))
		})
	}
}

// Whatever byte of a directory is changed, all records that still verify are left, and the list of
// missing ones is right.
func TestSkipDamagedEveryByteAlone(t *testing.T) {
	race.Alone(t)
	eachDirectory(t, func(m *remainderModel) {
		for _, name := range m.intact.names() {
			intact := m.intact.at(name)
			for i := 0; i < len(intact) && name != "lock"; i += stride() {
				data := slices.Clone(intact)
				data[i] ^= 1 << (i % 8)
				damaged := m.intact.crash(none, 0)
				damaged.put(name, data)
				what := fmt.Sprintf("%s, byte %d", name, i)
				if s := m.holds(what, damaged); i%16 == 0 {
					m.opens(what, s)
				}
			}
		}
	})
}

// The same holds when a line, or some of them, or a file is gone.
func TestSkipDamagedEveryLineAlone(t *testing.T) {
	race.Alone(t)
	eachDirectory(t, func(m *remainderModel) {
		m.holds("nothing is damaged", m.intact.crash(none, 0))
		for _, name := range m.intact.names() {
			if name == "lock" {
				continue
			}
			lines := bytes.SplitAfter(m.intact.at(name), []byte("\n"))
			for i := range lines {
				for n := 1 + i%stride(); i+n <= len(lines); n += stride() {
					damaged := m.intact.crash(none, 0)
					damaged.put(name, bytes.Join(slices.Delete(slices.Clone(lines), i, i+n), nil))
					what := fmt.Sprintf("%s without lines %d to %d", name, i+1, i+n)
					m.opens(what, m.holds(what, damaged))
				}
			}
			damaged := m.intact.crash(none, 0)
			must(m.t, damaged.Remove(name))
			what := "without " + name
			m.opens(what, m.holds(what, damaged))
		}
	})
}

// A value that only one record can have stays with the record that was written last, and links
// to lost records are gone. Restore reports both.
func TestSkipDamagedRepairs(t *testing.T) {
	t.Parallel()
	s := &remainder{
		at: record.Position{
			Position: wal.Position{
				Seq: 9,
			},
			NextPost: 20,
			NextTerm: 10,
		},
	}
	for k := range kinds {
		s.records[k] = map[int64]Record{}
	}
	for _, r := range []Record{
		&Term{
			Meta: Meta{
				ID:  1,
				Rev: 1,
			},
			Taxonomy: Categories,
			Name:     "Music",
			Slug:     "music",
			Parent:   2,
		},
		&Term{
			Meta: Meta{
				ID:  2,
				Rev: 3,
			},
			Taxonomy: Categories,
			Name:     "Art",
			Slug:     "art",
			Parent:   1,
		},
		&Venue{
			Post: Post{
				Meta: Meta{
					ID:  3,
					Rev: 2,
				},
				Slug:     "hall",
				Date:     testTime,
				Modified: testTime,
			},
		},
		&Venue{
			Post: Post{
				Meta: Meta{
					ID:  4,
					Rev: 5,
				},
				Slug:     "hall",
				Image:    8,
				Date:     testTime,
				Modified: testTime,
			},
		},
		&Organizer{
			Post: Post{
				Meta: Meta{
					ID:  6,
					Rev: 1,
				},
				Origins:  []string{"old?id=1"},
				Date:     testTime,
				Modified: testTime,
			},
		},
		&Organizer{
			Post: Post{
				Meta: Meta{
					ID:  7,
					Rev: 2,
				},
				Origins:  []string{"old?id=1"},
				Date:     testTime,
				Modified: testTime,
			},
		},
		&Series{Meta: Meta{ID: 11, Rev: 1}, Rule: "FREQ=DAILY"},
		&Event{
			Post: Post{
				Meta: Meta{
					ID:  12,
					Rev: 1,
				},
				Date:     testTime,
				Modified: testTime,
			},
			Recurrence: &Recurrence{
				Series: 11,
			},
		},
		&Event{
			Post: Post{
				Meta: Meta{
					ID:  13,
					Rev: 2,
				},
				Date:     testTime,
				Modified: testTime,
			},
			Recurrence: &Recurrence{
				Series: 11,
			},
		},
		&Event{
			Post: Post{
				Meta: Meta{
					ID:  5,
					Rev: 4,
				},
				Slug:     "concert",
				Date:     testTime,
				Modified: testTime,
			},
			Venues:     []int64{3, 7},
			Categories: []int64{1, 6},
			Recurrence: &Recurrence{Series: 9},
		},
	} {
		s.records[r.Kind()][r.Key()] = r
	}
	to := newMemFiles()
	must(t, s.build(to, testTime))
	want := []string{
		"categories 1: without its place below itself", `venues 4: without images 8`,
		`venues 3: without a part that another has (the slug is another record's: "hall" of 4)`,
		`organizers 6: without a part that another has (the origin "old?id=1" is that of 7)`,
		"events 5: without categories 6, venues 7, series 9",
		"events 12: without a part that another has (13 is the instance 1970-01-01 00:00:00 of the series 11 already)",
	}
	if diff := cmp.Diff(want, s.missing); diff != "" {
		t.Error(diff)
	}
	got := catalogue{}
	j, _, err := openJournal(to, journalOptions{}, got.load)
	must(t, err, errors.Join(j.Close()))
	if text := got[Removal{Kind: Venues, ID: 3}]; !strings.Contains(text, `"slug":"hall-3"`) {
		t.Errorf("the venue that was written first is %s", text)
	}
	report, err := verifyFiles(t.Context(), to, VerifyOptions{})
	if err != nil || len(report.Findings) > 0 {
		t.Errorf("%v, %v", err, report.Findings)
	}
}

// A line that was written anew is taken, and said to be so.
func TestSkipDamagedForged(t *testing.T) {
	t.Parallel()
	m := damagedDirectory(t, false)
	text := m.intact.at(wal.SegmentName(1))
	end := bytes.IndexByte(text, '\n')
	body := bytes.Replace(bodyOf(text[:end]), []byte(`"account":`), []byte(`"account":9`), 1)
	m.intact.put(wal.SegmentName(1), append(sealed(string(body)), text[end:]...))
	s, err := remains(t.Context(), m.intact)
	must(t, err)
	if len(s.missing) != 1 ||
		!strings.Contains(s.missing[0], "transaction 2 does not follow the one before it") {
		t.Errorf("missing: %q", s.missing)
	}
}
