// Verifying after damage: one mistake hides neither the next nor what is known again.

package store

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/store/wal"
)

// A place of a line in the log of archive.
type linePlace struct {
	segment string
	first   uint64 // transaction of the segment
	from    int64  // bytes of it before the line
	number  int    // in the segment
}

// places returns where the lines of a log are, by transaction; 0 has none.
func places(t *testing.T, m *memFiles) []linePlace {
	t.Helper()
	all := []linePlace{{}}
	for _, first := range segmentsOf(t, m) {
		at := int64(0)
		number := 1
		for line := range bytes.Lines(m.at(wal.SegmentName(first))) {
			all = append(all, linePlace{wal.SegmentName(first), first, at, number})
			at = at + int64(len(line))
			number = number + 1
		}
	}
	return all
}

func TestVerifyGoesOn(t *testing.T) {
	t.Parallel()
	intact := newDeed(t).files
	at := places(t, intact) // transactions 1 to 10; snapshots of 2 and 9, named by 3 and 10
	flip := func(seqs ...int) func(m *memFiles) wal.Files {
		return func(m *memFiles) wal.Files {
			for _, seq := range seqs {
				data := slices.Clone(m.at(at[seq].segment))
				data[at[seq].from+9] ^= 1
				m.put(at[seq].segment, data)
			}
			return m
		}
	}
	// A report, as far as damage decides what is in it.
	type outcome struct {
		Found       []string // how findings begin
		Lines       int
		First, Last uint64
		At          uint64
		Hidden      bool
		HeadKnown   bool
		Snapshots   []uint64
		Events      int
		Named       uint64
		Truncated   bool
	}
	bad := func(seq int) string {
		return fmt.Sprintf("%s:%d: the checksum does not match", at[seq].segment, at[seq].number)
	}
	whole := func(o outcome) outcome { // with the records of the end
		o.At = 10
		o.HeadKnown = true
		o.Events = 3
		o.First = max(o.First, 1)
		o.Last = 10
		return o
	}
	last := at[10].segment
	tests := []struct {
		name   string
		damage func(m *memFiles) wal.Files
		want   outcome
	}{
		{"nothing", flip(), whole(outcome{Lines: 10, Snapshots: []uint64{2, 9}, Named: 2})},
		{"the first line", flip(1), whole(outcome{
			Found:     []string{bad(1)},
			Lines:     9,
			First:     2,
			Snapshots: []uint64{2, 9},
			Named:     2,
		})},
		{"a line before a snapshot", flip(5), whole(outcome{
			Found:     []string{bad(5)},
			Lines:     9,
			Snapshots: []uint64{2, 9},
			Named:     2,
		})},
		{"the line of a snapshot", flip(9), whole(outcome{
			Found:     []string{bad(9)},
			Lines:     9,
			Snapshots: []uint64{2, 9},
			Named:     2,
		})},
		{"two lines", flip(4, 6), whole(outcome{
			Found:     []string{bad(4), bad(6)},
			Lines:     8,
			Snapshots: []uint64{2, 9},
			Named:     2,
		})},
		{"two lines, one after the other", flip(4, 5),
			whole(outcome{
				Found:     []string{bad(4), bad(5)},
				Lines:     8,
				Snapshots: []uint64{2, 9},
				Named:     2,
			})},
		{"a line that names a snapshot, as a later one does", flip(3),
			whole(outcome{
				Found:     []string{bad(3)},
				Lines:     9,
				Snapshots: []uint64{2, 9},
				Named:     2,
			})},
		{"the last line", flip(10), outcome{
			Found:     []string{bad(10)},
			Lines:     9,
			First:     1,
			Last:      9,
			At:        9,
			Hidden:    true,
			Snapshots: []uint64{2, 9},
			Events:    3,
			Named:     2,
		}},
		{"the last two", flip(9, 10), outcome{
			Found:     []string{bad(9), bad(10)},
			Lines:     8,
			First:     1,
			Last:      8,
			At:        9,
			Hidden:    true,
			Snapshots: []uint64{2, 9},
			Events:    3,
			Named:     2,
		}},
		{
			"a line that cannot be read",
			func(m *memFiles) wal.Files { return badDisk{m, at[5].segment, at[5].from + 3} },
			whole(outcome{
				Found: []string{
					at[5].segment + ":0: injected failure",
					at[6].segment + ":0: transactions 5 to 5 are missing",
				},
				Lines:     10 - lines(at, at[5].segment) + at[5].number - 1,
				Snapshots: []uint64{2, 9},
				Named:     2,
			}),
		},
		{
			"the last line cannot be read",
			func(m *memFiles) wal.Files { return badDisk{m, last, at[10].from + 3} },
			outcome{
				Found:     []string{last + ":0: injected failure"},
				Lines:     9,
				First:     1,
				Last:      9,
				At:        9,
				Hidden:    true,
				HeadKnown: true,
				Snapshots: []uint64{2, 9},
				Events:    3,
				Named:     2,
			},
		},
		{
			"a segment that cannot be opened",
			func(m *memFiles) wal.Files { return badDisk{m, at[5].segment, -1} },
			whole(outcome{
				Found: []string{
					at[5].segment + ":0: injected failure",
					at[6].segment + ":0: transactions 4 to 5 are missing",
				},
				Lines:     10 - lines(at, at[5].segment),
				Snapshots: []uint64{2, 9},
				Named:     2,
			}),
		},
		{
			"the last segment cannot be opened",
			func(m *memFiles) wal.Files { return badDisk{m, last, -1} },
			outcome{
				Found: []string{
					last + ":0: injected failure",
					at[8].segment + ":0: the log ends with transaction 8",
				},
				Lines:     int(at[10].first) - 1,
				First:     1,
				Last:      at[10].first - 1,
				At:        at[10].first - 1,
				HeadKnown: true,
				Snapshots: []uint64{2},
				Events:    3,
				Named:     2,
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, found := verified(t, test.damage(intact.crash(all, 0)), "")
			for i, f := range found { // as much as the test says
				if i < len(test.want.Found) && strings.HasPrefix(f, test.want.Found[i]) {
					found[i] = test.want.Found[i]
				}
			}
			got := outcome{
				found,
				r.Lines,
				r.First,
				r.Last,
				r.RecordsAt,
				r.RecordsHidden,
				r.Head != [32]byte{},
				r.Snapshots,
				r.Records[Events],
				r.Named,
				r.Truncated != nil,
			}
			equal(t, "report", test.want, got)
		})
	}
}

// lines returns how many lines are in a segment.
func lines(at []linePlace, segment string) (n int) {
	for _, p := range at {
		if p.segment == segment {
			n++
		}
	}
	return n
}

// Findings that a report leaves out are counted.
func TestVerifyCountsFindings(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	const more = 7
	for i := range maxFindings + more {
		c := d.event(int64(5+i), fmt.Sprint("Nowhere ", i))
		c.Events[0].Venues = []int64{99}
		d.commit(c)
	}
	if r, found := verified(t, d.files, ""); len(found) != maxFindings || r.More < more {
		t.Errorf(
			"%d findings and %d more, want %d and at least %d",
			len(found),
			r.More,
			maxFindings,
			more,
		)
	}
	for _, first := range segmentsOf(t, d.files) {
		data := slices.Clone(d.files.at(wal.SegmentName(first)))
		for i := 9; i < len(data); i += bytes.IndexByte(data[i:], '\n') + 10 {
			data[i] ^= 1
		}
		d.files.put(wal.SegmentName(first), data)
	}
	const bad = 10 + maxFindings + more // every line
	if r, found := verified(t, d.files, ""); len(found)+r.More < bad || len(found) != maxFindings {
		t.Errorf(
			"%d findings and %d more, want %d and at least %d",
			len(found),
			r.More,
			maxFindings,
			bad-maxFindings,
		)
	}
}
