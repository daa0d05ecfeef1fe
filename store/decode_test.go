// Changes that have no form, and files of snapshots, byte by byte.

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"testing"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// sealed returns lines that lie, with a checksum that is right.
func sealed(body string) []byte {
	return fmt.Appendf(
		nil,
		`%s,"crc":"%08x"}`,
		body,
		crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)),
	)
}

// bodyOf returns what is before the checksum.
func bodyOf(line []byte) []byte { return line[:bytes.LastIndex(line, []byte(`,"crc":`))] }

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
		"a year too far": {
			Seq:   1,
			Time:  time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC),
			Value: &Change{},
		},
	} {
		if err := j.commit([]wal.Entry{e}); err == nil || errors.Is(err, ErrLatched) {
			t.Errorf("%s: error %v, want one that does not latch", name, err)
		}
	}
	if err := l.commit(j, 3); err != nil { // as if nothing had been
		t.Error(err)
	}
}

func FuzzSnapshotFile(f *testing.F) {
	l := &ledger{t: f}
	l.next(20)
	m := newMemFiles()
	at := record.Position{Position: wal.Position{Seq: 1}, NextPost: 1, NextTerm: 1}
	must(f, m.Mkdir(wal.SnapshotDir), record.WriteSnapshot(m, at, testTime, l.records(20)))
	intact, err := wal.VerifySnapshot(m, 1, record.SnapshotFiles)
	must(f, err)
	for i, file := range intact.Files {
		f.Add(m.at(intact.Path(file)), i, file.Records)
	}
	f.Fuzz(func(t *testing.T, text []byte, i, records int) {
		m := newMemFiles()
		i = int(uint(i) % uint(kinds))
		kind := record.SnapshotOrder[i]
		sum := sha256.Sum256(text)
		n := 0
		forged := &wal.Manifest{Seq: 1, Files: make([]wal.ManifestFile, kinds)}
		forged.Files[i] = wal.ManifestFile{
			Name:    "f",
			Records: records,
			Bytes:   int64(len(text)),
			SHA256:  hex.EncodeToString(sum[:]),
		}
		m.Mkdir(wal.SnapshotDir)
		m.put(wal.SnapshotName(1)+"/f", text)
		err := record.ReadRecords(m, forged, i, kind, nil, func(r Record) {
			if n++; r.Kind() != kind {
				t.Errorf("%s in a file of %s", r.Kind(), kind)
			}
		})
		if err == nil && n != max(records, 0) {
			t.Errorf("%d records loaded, want %d", n, records)
		}
	})
}
