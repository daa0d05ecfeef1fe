// The history: its transactions, its end, and following it.

package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"almanac/store/record"
	"almanac/store/wal"
)

// chronicle writes the effects of transactions as "seq kind id verb name members".
func chronicle(t *testing.T, dir string) (told []string) {
	t.Helper()
	var past Past
	for transaction, err := range History(dir, nil) {
		must(t, err)
		effects, err := past.Effects(transaction)
		must(t, err)
		for _, e := range effects {
			told = append(
				told,
				fmt.Sprint(
					transaction.Seq,
					" ",
					e.Kind,
					" ",
					e.ID,
					" ",
					e.Verb,
					" ",
					e.Name,
					" ",
					e.Members,
				),
			)
		}
	}
	return told
}

func TestHistory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open(Options{Dir: dir, Segment: 1})
	must(t, err)
	closeAfter(t, s)
	status := func(title string, s Status) *Event {
		return &Event{Post: Post{Meta: Meta{ID: 2}, Status: s}, Title: title}
	}
	put(t, s, &Venue{
		Name: "Hall",
	}, &Event{
		Post: Post{
			Status: Draft,
		},
		Title:  "Concert",
		Venues: []int64{1},
	}, category("Music", 0))
	put(t, s, status("Concert!", Draft))
	put(t, s, status("Concert!", Publish), &Image{URL: "https://example.org/a.png"})
	put(t, s, status("Concert!", Trash))
	put(t, s, status("Concert!", Draft))
	update(t, s, func(tx *Tx) error { return tx.Remove(Categories, 1) })
	want := []string{
		"1 categories 1 created Music []",
		"1 venues 1 created Hall []",
		"1 events 2 created Concert []",
		"2 events 2 changed Concert! [title venues]",
		"3 images 3 created https://example.org/a.png []",
		"3 events 2 published Concert! [status]",
		"4 events 2 trashed Concert! [status]",
		"5 events 2 restored Concert! [status]",
		"6 categories 1 removed Music []",
	}
	equal(t, "history", want, chronicle(t, dir))

	// Records from before the begin of the log are unknown.
	must(
		t,
		os.Remove(filepath.Join(dir, wal.SegmentName(1))),
		os.Remove(filepath.Join(dir, wal.SegmentName(2))),
	)
	want = append([]string{
		"3 images 3 written https://example.org/a.png []",
		"3 events 2 written Concert! []",
	}, want[6:]...)
	want[len(want)-1] = "6 categories 1 removed  []"
	equal(t, "pruned history", want, chronicle(t, dir))
}

// A follower gets new transactions, from the same segment and from new ones, until it leaves.
func TestHistoryFollows(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	d.j.SegmentSize = 900
	const until = 20
	var got []uint64
	var size int64
	wait := func() bool {
		// A line that is not whole yet is told when it is.
		segments := segmentsOf(t, d.files)
		segment := wal.SegmentName(segments[len(segments)-1])
		f, err := d.files.Edit(segment)
		must(t, err)
		if size == 0 {
			size = int64(len(d.files.at(segment)))
			_, err = f.WriteAt([]byte(`{"v":7,"seq":9,"batch"`), size)
			must(t, err)
			return true
		}
		must(t, f.Truncate(size))
		size = 0
		d.commit(d.event(5, "Late"), d.event(6, "Later"))
		return true
	}
	must(
		t,
		readHistory(
			d.files,
			record.DecodeLine,
			wait,
			func(transaction Transaction, err error) bool {
				got = append(got, transaction.Seq)
				return transaction.Seq < until
			},
		),
	)
	var want []uint64
	for seq := range uint64(until) {
		want = append(want, seq+1)
	}
	equal(t, "transactions", want, got)
}

func TestHistoryRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		damage func(m *memFiles)
		told   int // transactions before the error
		want   *CorruptError
	}{
		{"a changed byte", func(m *memFiles) {
			m.put(
				wal.SegmentName(4),
				bytes.Replace(m.at(wal.SegmentName(4)), []byte("Concert"), []byte("Konzert"), 1),
			)
		}, 3, &CorruptError{File: wal.SegmentName(4), Line: 1}},
		{"a segment missing", func(m *memFiles) { m.Remove(wal.SegmentName(4)) }, 3, &CorruptError{
			File: wal.SegmentName(6),
		}},
		{"a torn segment", func(m *memFiles) {
			m.put(firstSegment, bytes.TrimSuffix(m.at(firstSegment), []byte("\n")))
		}, 2, &CorruptError{File: firstSegment, Line: 3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newDeed(t).files
			test.damage(m)
			told := 0
			err := readHistory(
				m,
				record.DecodeLine,
				nil,
				func(Transaction, error) bool { told++; return true },
			)
			var got *CorruptError
			if !errors.As(err, &got) || got.File != test.want.File || got.Line != test.want.Line ||
				told != test.told {
				t.Errorf(
					"error %v after %d transactions, want one in %s line %d after %d",
					err,
					told,
					test.want.File,
					test.want.Line,
					test.told,
				)
			}
		})
	}
	for _, err := range History(filepath.Join(t.TempDir(), "none"), nil) {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v, want one of a missing directory", err)
		}
	}
}

// A last line without its newline counts for a reader of one pass, and not yet for a follower.
// Bytes after an incomplete line may be no lines, since a writer may be at work on them.
func TestHistoryUnfinished(t *testing.T) {
	t.Parallel()
	m := newDeed(t).files
	segments := segmentsOf(t, m)
	name := wal.SegmentName(segments[len(segments)-1])
	text := bytes.Clone(m.at(name))
	expect := func(what string, wait func() bool, want int) {
		t.Helper()
		told := 0
		must(
			t,
			readHistory(
				m,
				record.DecodeLine,
				wait,
				func(Transaction, error) bool { told++; return true },
			),
		)
		if told != want {
			t.Errorf("%s: %d transactions, want %d", what, told, want)
		}
	}
	leave := func() bool { return false }
	all := int(segments[len(segments)-1]) - 1 + bytes.Count(text, []byte("\n"))
	expect("whole", leave, all)
	m.put(name, bytes.TrimSuffix(text, []byte("\n")))
	expect("without a newline, once", nil, all)
	expect("without a newline, waiting", leave, all-1)
	m.put(name, append(bytes.Clone(text), "half\x00\nand more\n"...))
	expect("half a line", nil, all)
}
