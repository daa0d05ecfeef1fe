// The contents of lines of the log and files of snapshots, byte by byte.

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"testing"
	"time"

	"almanac/store/wal"
)

// A change is written in the form that FORMAT.md says, and read again.
func TestChange(t *testing.T) {
	want := &Change{
		Tags:    []*Term{{Meta: Meta{ID: 3, Rev: 12}, Name: `<i>"a" & b`, Slug: "a-b"}},
		Removed: []Removal{{Events, 7}},
	}
	text, err := appendJSON(nil, want)
	must(t, err)
	const form = `{"tags":[{"id":3,"rev":12,"name":"<i>\"a\" & b","slug":"a-b"}],"removed":[{"kind":"events","id":7}]}`
	equal(t, "written", form, string(text))
	got, err := decodeChange(text)
	must(t, err)
	want.Tags[0].Taxonomy = Tags // told by the place
	equal(t, "read", want, got)
}

// sealed returns lines that lie, with a checksum that is right.
func sealed(body string) []byte {
	return fmt.Appendf(nil, `%s,"crc":"%08x"}`, body, crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)))
}

// bodyOf returns what is before the checksum.
func bodyOf(line []byte) []byte { return line[:bytes.LastIndex(line, []byte(`,"crc":`))] }

func TestDecodeRefuses(t *testing.T) {
	tests := []struct{ name, change, want string }{
		{"unknown member in the change", `{"evnets":[]}`, "unknown field"},
		{"unknown member in a record", `{"tags":[{"id":1,"nmae":"x"}]}`, "unknown field"},
		{"more that is no object", `{"tags":[{"id":1,"more":["x"]}]}`, "more is not an object"},
		{"more that is null", `{"tags":[{"id":1,"more":null}]}`, "more is not an object"},
		{"no change", `null`, "not a JSON object"},
		{"null record", `{"tags":[null]}`, "null in the place"},
		{"no id", `{"tags":[{"name":"x"}]}`, "with the id 0"},
		{"last id", `{"tags":[{"id":9223372036854775807}]}`, "with the id 9223372036854775807"},
		{"null series", `{"series":[null]}`, "null in the place of a record"},
		{"no id of a series", `{"series":[{"event":{"id":0}}]}`, "with the id 0"},
		{"unknown member in a series", `{"series":[{"id":1,"event":{"id":0,"x":1}}]}`, "unknown field"},
		{"nothing removed", `{"removed":[{"kind":"tags"}]}`, "with the id 0"},
		{"unknown kind", `{"removed":[{"kind":"dogs","id":1}]}`, "unknown kind"},
		{"two changes", `{}{}`, "more after the end"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := decodeChange([]byte(test.change))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestCommitRefuses(t *testing.T) {
	l := &ledger{t: t}
	j, err := l.open(newMemFiles(), 0)
	must(t, err)
	defer j.Close()
	venue := &Venue{Post: Post{Meta: Meta{ID: 1}}, Geo: &Geo{Lat: math.NaN()}}
	for name, e := range map[string]wal.Entry{
		"a number without a form": {Seq: 1, Value: &Change{Venues: []*Venue{venue}}},
		"a gap":                   {Seq: 2, Value: &Change{}},
		"no change":               {Seq: 1},
		"a year too far":          {Seq: 1, Time: time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), Value: &Change{}},
	} {
		if err := j.commit([]wal.Entry{e}); err == nil || errors.Is(err, ErrLatched) {
			t.Errorf("%s: error %v, want one that does not latch", name, err)
		}
	}
	if err := l.commit(j, 3); err != nil { // as if nothing had been
		t.Error(err)
	}
}

func FuzzChange(f *testing.F) {
	for _, e := range (&ledger{t: f}).next(7) {
		text, err := appendJSON(nil, changeOf(&e))
		must(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, err := decodeChange(text); err == nil {
			p := position{NextPost: 1, NextTerm: 1}
			p.note(c)
		}
	})
}

func FuzzSnapshotFile(f *testing.F) {
	l := &ledger{t: f}
	l.next(20)
	m := newMemFiles()
	must(f, m.Mkdir(wal.SnapshotDir), saveRecords(m, position{wal.Position{Seq: 1}, 1, 1, ""}, testTime, l.records(20)))
	intact, err := wal.VerifySnapshot(m, 1, snapshotFiles)
	must(f, err)
	for i, file := range intact.Files {
		f.Add(m.at(intact.Path(file)), i, file.Records)
	}
	f.Fuzz(func(t *testing.T, text []byte, i, records int) {
		m := newMemFiles()
		i = int(uint(i) % uint(kinds))
		kind, sum, n := snapshotOrder[i], sha256.Sum256(text), 0
		forged := &wal.Manifest{Seq: 1, Files: make([]wal.ManifestFile, kinds)}
		forged.Files[i] = wal.ManifestFile{Name: "f", Records: records, Bytes: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
		m.Mkdir(wal.SnapshotDir)
		m.put(wal.SnapshotName(1)+"/f", text)
		err := readRecords(m, forged, i, kind, nil, func(r Record) {
			if n++; r.Kind() != kind {
				t.Errorf("%s in a file of %s", r.Kind(), kind)
			}
		})
		if err == nil && n != max(records, 0) {
			t.Errorf("%d records loaded, want %d", n, records)
		}
	})
}
