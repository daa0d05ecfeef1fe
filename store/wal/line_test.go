// Lines of the log, byte by byte.

package wal_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/store/wal"

	"github.com/google/go-cmp/cmp"
)

var testTime = time.Date(2026, 11, 20, 23, 48, 15, 123456789, time.UTC)

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// sealed returns lines that lie, with a checksum that is right: the CRC-32C, which is of the
// Castagnoli polynomial and not of the one of zip files.
func sealed(body string) []byte {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	sum.Write([]byte(body))
	return fmt.Appendf(nil, `%s,"crc":"%08x"}`, body, binary.BigEndian.Uint32(sum.Sum(nil)))
}

// bodyOf returns what is before the checksum.
func bodyOf(line []byte) string {
	body, _, _ := bytes.Cut(line, []byte(`,"crc":`))
	return string(body)
}

const start = `{"v":7,"seq":12,"batch":11,"time":"2026-11-20T23:48:15.123456789Z","account":1`

// Each kind of line is written in its one form, and read again.
func TestLine(t *testing.T) {
	t.Parallel()
	prev := sha256.Sum256([]byte("the line before"))
	sum := strings.Repeat("0a", 32)
	e := wal.Entry{Seq: 12, Batch: 11, Time: testTime, Account: 1, Format: wal.LeastLine}
	change := e
	like := e
	note := e
	checkpoint := e
	like.Format = wal.LikeLine
	like.Change = []byte(`{"alike":1}`)
	change.Change = []byte(`{"anything":["<i>\"a\" & b"]}`)
	note.Note = []byte(`{"said":1}`)
	checkpoint.Snapshots = []wal.Reference{{Seq: 3, Manifest: sum}, {Seq: 9, Manifest: sum}}
	for middle, e := range map[string]wal.Entry{
		`,"change":{"anything":["<i>\"a\" & b"]}`: change,
		`,"note":{"said":1}`:                      note,
		`,"change":{"alike":1}`:                   like,
		`,"snapshots":[{"seq":3,"manifest":"` + sum + `"},{"seq":9,"manifest":"` + sum + `"}]`: checkpoint,
	} {
		line := wal.AppendLine(nil, &e, prev)
		want := sealed(
			fmt.Sprintf(
				`%s%s,"prev":"%x"`,
				strings.Replace(start, "7", strconv.Itoa(e.Format), 1),
				middle,
				prev,
			),
		)
		if diff := cmp.Diff(string(want), string(line)); diff != "" ||
			e.Head != sha256.Sum256(line) {
			t.Errorf("head %x, line (-want +got):\n%s", e.Head, diff)
		}
		got, err := wal.ParseLine(line)
		must(t, err)
		got.Head = e.Head // which the reader of a log adds
		if diff := cmp.Diff(e, got.Entry); diff != "" {
			t.Errorf("entry (-want +got):\n%s", diff)
		}
	}
}

func TestParseLineRefuses(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("0a", 32)
	end := `,"prev":"` + strings.Repeat("0", 64) + `"`
	line := func(head, middle string) []byte { return sealed(head + middle + end) }
	refs := func(refs string) []byte { return line(start, `,"snapshots":[`+refs+`]`) }
	ref := func(seq, manifest string) string { return `{"seq":` + seq + `,"manifest":"` + manifest + `"}` }
	const none = `,"change":{}`
	tests := []struct {
		name string
		line []byte
		want string
	}{
		{"nothing", nil, "too short"},
		{"no checksum", []byte(strings.Repeat("x", 40)), "checksum does not match"},
		{"checksum in capitals", bytes.ToUpper(sealed("x")), "checksum does not match"},
		{"newer", sealed(`{"v":9,"seq":1`), "newer almanac"},
		{"format 10", sealed(`{"v":10,"seq":1`), "newer almanac"},
		{"older", sealed(`{"v":6,"seq":1`), "older almanac"},
		{"format 1", sealed(`{"seq":1`), "older almanac"},
		{"format 01", sealed(`{"v":01,"seq":1`), "not a line"},
		{"format 07", line(strings.Replace(start, "7", "07", 1), none), "order and form"},
		{"not JSON", sealed("x"), "not a line"},
		{"no prev", sealed(start + none), "not a line"},
		{"short prev", sealed(start + none + `,"prev":"00"`), "not a line"},
		{"space", line(strings.Replace(start, ",", ", ", 1), none), "order and form"},
		{
			"other order",
			line(`{"v":7,"batch":1,"seq":2,"time":"2026-01-02T03:04:05Z","account":1`, none),
			"order and form",
		},
		{"other case", line(strings.Replace(start, "seq", "Seq", 1), none), "order and form"},
		{"twice", line(start+`,"account":1`, none), "order and form"},
		{"unknown member", line(start+`,"more":1`, none), "order and form"},
		{
			"no account",
			line(`{"v":7,"seq":2,"batch":1,"time":"2026-01-02T03:04:05Z"`, none),
			"order and form",
		},
		{"local time", line(strings.Replace(start, "9Z", "9+01:00", 1), none), "order and form"},
		{
			"negative number",
			line(strings.Replace(start, ":12", ":-12", 1), none),
			"order and form",
		},
		{
			"batch after it",
			line(strings.Replace(start, `h":11`, `h":13`, 1), none),
			"cannot be in batch 13",
		},
		{
			"batch 0",
			line(strings.Replace(start, `h":11`, `h":0`, 1), none),
			"cannot be in batch 0",
		},
		{"neither", line(start, ""), "not a line"},
		{"no snapshots", refs(""), "order and form"},
		{"null in the place of them", line(start, `,"snapshots":null`), "order and form"},
		{"a space before one", refs(" " + ref("3", sum)), "order and form"},
		{
			"a member more of one",
			refs(`{"seq":3,"manifest":"` + sum + `","x":1}`),
			"order and form",
		},
		{"a later snapshot", refs(ref("12", sum)), "cannot be named here"},
		{"a snapshot without a number", refs(ref("0", sum)), "cannot be named here"},
		{"capitals", refs(ref("3", strings.ToUpper(sum))), "cannot be named here"},
		{"a short hash", refs(ref("3", sum[2:])), "cannot be named here"},
		{"not ascending", refs(ref("3", sum) + "," + ref("3", sum)), "cannot be named here"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := wal.ParseLine(test.line); err == nil ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func FuzzLine(f *testing.F) {
	e := wal.Entry{Seq: 1, Batch: 1, Time: testTime, Change: []byte(`{"tags":[]}`)}
	for _, e.Note = range [][]byte{nil, []byte(`{}`)} {
		line := wal.AppendLine(nil, &e, [32]byte{})
		f.Add(line)
		f.Add([]byte(bodyOf(line)))
	}
	f.Add([]byte(`{"v":7`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, line := range [][]byte{text, sealed(string(text))} {
			l, err := wal.ParseLine(line)
			if err != nil {
				continue
			}
			at := bytes.LastIndex(line, []byte(`,"prev":"`)) + len(`,"prev":"`)
			prev, err := hex.DecodeString(string(line[at : at+64]))
			if err != nil {
				continue // no hash, and the reader of a log finds so
			}
			want := bytes.Clone(line)
			copy(want[at:], fmt.Sprintf("%x", prev))
			if again := wal.AppendLine(nil, &l.Entry, [32]byte(prev)); bodyOf(
				again,
			) != bodyOf(
				want,
			) {
				t.Errorf("accepted %q, which is written %q", line, again)
			}
		}
	})
}
