// Texts of refusals.

package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/store/wal"
)

// A badDisk cannot read one of its files.
type badDisk struct {
	*memFiles
	name string
	from int64 // from this byte on; -1: the file cannot even be opened
}

func (d badDisk) Open(name string) (wal.File, error) {
	switch {
	case name != d.name:
		return d.memFiles.Open(name)
	case d.from < 0:
		return nil, errInjected
	}
	f, err := d.memFiles.Open(name)
	return badFile{f, d.from}, err
}

// A badFile is a file of a badDisk.
type badFile struct {
	wal.File
	from int64
}

func (f badFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(b[:min(len(b), int(max(0, f.from-at)))], at)
	if err == nil && n < len(b) {
		err = errInjected
	}
	return n, err
}

// Every refusal of a log says what is wrong, and where.
func TestLogRefusals(t *testing.T) {
	t.Parallel()
	_, log, at := written(t, 2, 1, 5)
	up := func(at int) int { return (at + sector - 1) / sector * sector }
	checksum := func(text []byte) string {
		text = bytes.TrimSuffix(text, []byte("\n"))
		_, err := wal.ParseLine(text)
		return err.Error()
	}
	flipped := func(line int) []byte {
		b := slices.Clone(log)
		b[at[line-1]+9] ^= 1
		return b
	}
	place := func(line int) CorruptError {
		return CorruptError{File: firstSegment, Offset: int64(at[line-1]), Line: line}
	}
	tests := []struct {
		name  string
		log   []byte
		place CorruptError // without Err
		want  string
	}{
		{"a byte that has gone bad", flipped(8), place(8), checksum(flipped(8)[at[7]:])},
		{
			"one NUL",
			zero(log, at[7]+9, at[7]+10),
			place(8),
			"1 NUL bytes that are not a sector of the disk",
		},
		{
			"another last newline",
			append(log[:len(log)-1:len(log)-1], 'x'),
			place(8),
			`a whole line that is followed by 'x' and not by a newline`,
		},
		{"a bad line after a lost sector", zero(flipped(8), at[3], up(at[3]+1)), place(4),
			"torn, and after it a line that is not: " + checksum(flipped(8)[at[7]:])},
		{
			"a sector of an older batch lost",
			zero(log, 0, sector),
			place(1),
			"torn, but transaction 3 after it was written later",
		},
		{
			"a line that is gone",
			slices.Delete(slices.Clone(log), at[4], at[5]),
			place(5),
			"transaction 6 where 5 should be",
		},
		{"no line", append(slices.Clip(log), "x\n"...), place(9), "too short for a checksum"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newMemFiles()
			m.put(firstSegment, test.log)
			_, _, err := openJournal(m, journalOptions{}, catalogue{}.load)
			var got *CorruptError
			if !errors.As(err, &got) {
				t.Fatalf("error %v, want a *CorruptError", err)
			}
			equal(t, "says", test.want, got.Err.Error())
			test.place.Err = got.Err
			if *got != test.place {
				t.Errorf("at %+v, want %+v", *got, test.place)
			}
		})
	}
}

// Files that cannot be read are no damage, and logs of a later almanac neither.
func TestLogIsNotRead(t *testing.T) {
	t.Parallel()
	_, log, at := written(t, 2, 1, 5)
	for _, from := range []int64{-1, int64(at[4] + 5)} {
		m := newMemFiles()
		m.put(firstSegment, log)
		_, _, err := openJournal(
			badDisk{m, firstSegment, from},
			journalOptions{},
			catalogue{}.load,
		)
		var corrupt *CorruptError
		if !errors.Is(err, errInjected) || errors.As(err, &corrupt) ||
			!strings.HasPrefix(err.Error(), "store: ") {
			t.Errorf("unreadable from byte %d on: error %v, want that of the disk", from, err)
		}
	}
	m := newMemFiles()
	m.put(
		firstSegment,
		append(
			slices.Clip(log),
			append(sealed(fmt.Sprintf(`{"v":%d,"seq":9,"batch":9`, LineFormat+1)), '\n')...),
	)
	_, _, err := openJournal(m, journalOptions{}, catalogue{}.load)
	if want := "store: " + firstSegment + ": format 9, and this almanac knows 8: " + ErrNewer.Error(); err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
