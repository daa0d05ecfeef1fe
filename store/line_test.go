// Lines of the log, byte by byte.

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLine(t *testing.T) {
	e := entry{Seq: 12, Batch: 11, Time: testTime, Account: 1, Value: &Change{
		Tags:    []*Term{{Meta: Meta{ID: 3, Rev: 12}, Name: `<i>"a" & b`, Slug: "a-b"}},
		Removed: []Removal{{Events, 7}},
	}}
	prev := sha256.Sum256([]byte("the line before"))
	one := []entry{e}
	must(t, encode(one))
	e = one[0]
	line := appendLine(nil, &e, prev)
	const want = `{"v":7,"seq":12,"batch":11,"time":"2026-11-20T23:48:15.123456789Z","account":1,` +
		`"change":{"tags":[{"id":3,"rev":12,"name":"<i>\"a\" & b","slug":"a-b"}],"removed":[{"kind":"events","id":7}]},` +
		`"prev":"1ee2cc40ca0cb86d7e13bf5c2c3ed6ab87b5c45b1b1b8f6a8e8e1f2fc4ae98c5","crc":"00000000"}`
	before := func(line string) string { return line[:strings.Index(line, prevMember)] }
	if diff := cmp.Diff(before(want), before(string(line))); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}
	if rest := fmt.Sprintf(`,"prev":"%x","crc":"`, prev); !strings.Contains(string(line), rest) {
		t.Errorf("line %s does not have %s", line, rest)
	}
	if e.Head != sha256.Sum256(line) {
		t.Errorf("head %x is not the SHA-256 of the line", e.Head)
	}
	got := readLine(line, decodeLine)
	must(t, got.err)
	changeOf(&e).Tags[0].Taxonomy = Tags // told by the place
	if diff := cmp.Diff(e, got.entry); diff != "" {
		t.Errorf("entry (-want +got):\n%s", diff)
	}
}

// The well known check value of CRC-32C, which is of the Castagnoli
// polynomial and not of the one of zip files.
func TestSealIsCRC32C(t *testing.T) {
	if got, want := string(seal(nil, []byte("123456789"))), `,"crc":"e3069283"}`; got != want {
		t.Errorf("seal %s, want %s", got, want)
	}
}

// sealed returns lines that lie, with a checksum that is right.
func sealed(body string) []byte {
	return fmt.Appendf(nil, `%s,"crc":"%08x"}`, body, crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)))
}

// bodyOf returns what is before the checksum.
func bodyOf(line []byte) []byte { return line[:bytes.LastIndex(line, []byte(`,"crc":`))] }

func TestParseLineRefuses(t *testing.T) {
	zeros := strings.Repeat("0", 64)
	line := func(head, change string) []byte {
		return sealed(head + `,"change":` + change + `,"prev":"` + zeros + `"`)
	}
	const start = `{"v":7,"seq":2,"batch":1,"time":"2026-01-02T03:04:05Z","account":1`
	tests := []struct {
		name string
		line []byte
		want string
	}{
		{"nothing", nil, "too short"},
		{"no checksum", []byte(strings.Repeat("x", 40)), "checksum does not match"},
		{"checksum in capitals", bytes.ToUpper(sealed("x")), "checksum does not match"},
		{"newer", sealed(`{"v":8,"seq":1`), "newer almanac"},
		{"format 10", sealed(`{"v":10,"seq":1`), "newer almanac"},
		{"older", sealed(`{"v":6,"seq":1`), "older almanac"},
		{"format 1", sealed(`{"seq":1`), "older almanac"},
		{"format 01", sealed(`{"v":01,"seq":1`), "not a line"},
		{"format 07", sealed(strings.Replace(start, "7", "07", 1) + `,"change":{},"prev":"` + zeros + `"`), "order and form"},
		{"not JSON", sealed("x"), "not a line"},
		{"no prev", sealed(start + `,"change":{}`), "not a line"},
		{"short prev", sealed(start + `,"change":{},"prev":"00"`), "not a line"},
		{"space", line(strings.Replace(start, ",", ", ", 1), "{}"), "order and form"},
		{"other order", line(`{"v":7,"batch":1,"seq":2,"time":"2026-01-02T03:04:05Z","account":1`, "{}"), "order and form"},
		{"other case", line(strings.Replace(start, "seq", "Seq", 1), "{}"), "order and form"},
		{"twice", line(start+`,"account":1`, "{}"), "order and form"},
		{"unknown member", line(start+`,"more":1`, "{}"), "order and form"},
		{"no account", line(`{"v":7,"seq":2,"batch":1,"time":"2026-01-02T03:04:05Z"`, "{}"), "order and form"},
		{"local time", line(strings.Replace(start, "05Z", "05+01:00", 1), "{}"), "order and form"},
		{"negative number", line(strings.Replace(start, ":2", ":-2", 1), "{}"), "order and form"},
		{"batch after it", line(strings.Replace(start, `h":1`, `h":3`, 1), "{}"), "cannot be in batch 3"},
		{"batch 0", line(strings.Replace(start, `h":1`, `h":0`, 1), "{}"), "cannot be in batch 0"},
		{"unknown member in the change", line(start, `{"evnets":[]}`), "unknown field"},
		{"unknown member in a record", line(start, `{"tags":[{"id":1,"nmae":"x"}]}`), "unknown field"},
		{"more that is no object", line(start, `{"tags":[{"id":1,"more":["x"]}]}`), "more is not an object"},
		{"more that is null", line(start, `{"tags":[{"id":1,"more":null}]}`), "more is not an object"},
		{"no change", line(start, `null`), "not a JSON object"},
		{"null record", line(start, `{"tags":[null]}`), "null in the place"},
		{"no id", line(start, `{"tags":[{"name":"x"}]}`), "with the id 0"},
		{"last id", line(start, `{"tags":[{"id":9223372036854775807}]}`), "with the id 9223372036854775807"},
		{"null series", line(start, `{"series":[null]}`), "null in the place of a record"},
		{"no id of a series", line(start, `{"series":[{"event":{"id":0}}]}`), "with the id 0"},
		{"unknown member in a series", line(start, `{"series":[{"id":1,"event":{"id":0,"x":1}}]}`), "unknown field"},
		{"nothing removed", line(start, `{"removed":[{"kind":"tags"}]}`), "with the id 0"},
		{"unknown kind", line(start, `{"removed":[{"kind":"dogs","id":1}]}`), "unknown kind"},
		{"two changes", line(start, `{}{}`), "more after the end"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l, err := parseLine(test.line)
			if err == nil {
				_, err = decodeChange(l.Change)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestCommitRefuses(t *testing.T) {
	l := &ledger{t: t}
	j, err := l.open(newMemFiles(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	venue := &Venue{Post: Post{Meta: Meta{ID: 1}}, Geo: &Geo{Lat: math.NaN()}}
	for name, e := range map[string]entry{
		"a number without a form": {Seq: 1, Value: &Change{Venues: []*Venue{venue}}},
		"a gap":                   {Seq: 2, Value: &Change{}},
		"no change":               {Seq: 1},
		"a year too far":          {Seq: 1, Time: time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), Value: &Change{}},
	} {
		if err := j.commit([]entry{e}); err == nil || errors.Is(err, ErrLatched) {
			t.Errorf("%s: error %v, want one that does not latch", name, err)
		}
	}
	if err := l.commit(j, 3); err != nil { // as if nothing had been
		t.Error(err)
	}
}

// checkSeal computes the checksum of a line in another way.
func checkSeal(t *testing.T, line []byte) {
	t.Helper()
	i := bytes.LastIndex(line, []byte(`,"crc":"`))
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	sum.Write(line[:i])
	if want := fmt.Sprintf(`,"crc":"%08x"}`, binary.BigEndian.Uint32(sum.Sum(nil))); string(line[i:]) != want {
		t.Errorf("accepted %q, whose checksum should be %s", line, want)
	}
}

func FuzzLine(f *testing.F) {
	l := &ledger{t: f}
	var head [32]byte
	for _, e := range l.next(7) {
		line := lineOf(&e, head)
		head = sha256.Sum256(line)
		f.Add(line)
		f.Add(bodyOf(line))
	}
	f.Add([]byte(`{"v":7`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, line := range [][]byte{text, sealed(string(text))} {
			l, err := parseLine(line)
			if err != nil {
				continue
			}
			checkSeal(t, line)
			decoded := decodeLine(&l) == nil
			if start := appendLineStart(nil, &l.entry); decoded && !bytes.HasPrefix(line, start) {
				t.Errorf("line %q does not begin with %q", line, start)
			}
			if decoded {
				p := position{NextPost: 1, NextTerm: 1}
				p.note(changeOf(&l.entry))
			}
		}
	})
}

func FuzzManifest(f *testing.F) {
	m := newMemFiles()
	l := &ledger{t: f}
	l.work(m)
	for _, name := range m.walk() {
		if strings.HasSuffix(name, manifestName) {
			f.Add(m.at(name))
			f.Add(bodyOf(m.at(name)))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, text := range [][]byte{text, append(sealed(string(text)), '\n')} {
			m, err := parseManifest(text, snapshotFiles)
			if err != nil {
				continue
			}
			checkSeal(t, bytes.TrimSuffix(text, []byte("\n")))
			if again, err := m.Encode(); err != nil || !bytes.Equal(text, again) {
				t.Errorf("accepted %q, which is written %q", text, again)
			}
		}
	})
}

func FuzzSnapshotFile(f *testing.F) {
	l := &ledger{t: f}
	l.next(20)
	m := newMemFiles()
	must(f, m.mkdir(snapshotDir), saveRecords(m, position{logPosition{Seq: 1}, 1, 1, ""}, testTime, l.records(20)))
	intact, err := verifySnapshot(m, 1)
	must(f, err)
	for i, file := range intact.Files {
		f.Add(m.at(intact.Path(file)), i, file.Records)
	}
	f.Fuzz(func(t *testing.T, text []byte, i, records int) {
		m := newMemFiles()
		i = int(uint(i) % uint(kinds))
		kind, sum, n := snapshotOrder[i], sha256.Sum256(text), 0
		forged := &manifest{Seq: 1, Files: make([]manifestFile, kinds)}
		forged.Files[i] = manifestFile{Name: "f", Records: records, Bytes: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
		m.mkdir(snapshotDir)
		m.put(snapshotName(1)+"/f", text)
		err := readRecords(m, forged, i, kind, nil, func(p *piece) {
			p.change().each(func(r Record) {
				if n++; r.Kind() != kind {
					t.Errorf("%s in a file of %s", r.Kind(), kind)
				}
			})
		})
		if err == nil && n != max(records, 0) {
			t.Errorf("%d records loaded, want %d", n, records)
		}
	})
}
