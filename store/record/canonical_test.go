// The scanner reads texts as encoding/json does.

package record

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/race"
	"almanac/store/wal"
)

// oddTexts are texts that need escapes in JSON, and others beside them.
var oddTexts = []string{
	"", "a", "publish", "UTC", `"`, `\`, "\n\r\t\b\f", "\x00\x1f\x7f", "<b>&amp;</b>", "é", "日本語", "\u2028\u2029", "😀",
	"\ufffd", "\xff",
	`\u0041`, strings.Repeat("x", longText-1), strings.Repeat("é\n", longText), strings.Repeat("12345678", 3) + `"`, "},{",
}

// fillIn sets every field of a record, and of its members, to an odd or a plain value.
func fillIn(rng *rand.Rand, v reflect.Value) {
	if rng.IntN(6) == 0 {
		return // left out, where it can be
	}
	switch v.Interface().(type) {
	case time.Time:
		at := time.Unix(rng.Int64N(100_000_000_000)-50_000_000_000, rng.Int64N(2)*rng.Int64N(1e9)).UTC()
		if rng.IntN(8) == 0 {
			at = at.In(time.FixedZone("", 3600*rng.IntN(5)))
		}
		v.Set(reflect.ValueOf(at))
		return
	case Wall:
		v.SetInt(int64(firstWall) + rng.Int64N(int64(lastWall-firstWall)+1))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Taxonomy" && name != "More" {
				fillIn(rng, v.Field(i))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillIn(rng, v.Elem())
	case reflect.Slice:
		for range rng.IntN(4) {
			item := reflect.New(v.Type().Elem()).Elem()
			fillIn(rng, item)
			v.Set(reflect.Append(v, item))
		}
	case reflect.String:
		v.SetString(oddTexts[rng.IntN(len(oddTexts))])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, -1, 0.5, -0.25, 52.520008, 1e-9, 123456.789}[rng.IntN(8)])
	case reflect.Int, reflect.Int64:
		v.SetInt(rng.Int64N(1<<rng.IntN(59)+1) * (1 - 2*rng.Int64N(2)))
	case reflect.Uint64:
		v.SetUint(rng.Uint64N(1<<rng.IntN(59) + 1))
	}
}

// oddRecord makes a record of any values.
func oddRecord(rng *rand.Rand, k Kind) Record {
	r := newRecord(k)
	fillIn(rng, reflect.ValueOf(r).Elem())
	if err := WriteMore(r); err != nil {
		panic(err)
	}
	return r
}

// sameAsStrict compares the two ways of reading a record, and reports whether
// the scanner has read it.
func sameAsStrict(t *testing.T, k Kind, text []byte) (canonical bool) {
	t.Helper()
	scanned, want := newRecord(k), newRecord(k)
	canonical = scan(text, nil, func(s *scanner) { s.record(scanned) })
	wantErr := decodeStrict(text, want)
	if wantErr == nil {
		wantErr = readMore(want)
	}
	got, err := decodeRecord(k, text, nil)
	if canonical && wantErr != nil {
		t.Fatalf("%s %q was read, and is %v", k, text, wantErr)
	}
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && !reflect.DeepEqual(want, got) {
		t.Fatalf("%s %q:\n%#v, %v\nwant\n%#v, %v", k, text, got, err, want, wantErr)
	}
	return canonical
}

// sameChange does that for changes.
func sameChange(t *testing.T, text []byte) (canonical bool) {
	t.Helper()
	got := new(Change)
	canonical = scan(text, likeReader{}, func(s *scanner) { s.change(got) })
	want, err := decodeChangeStrict(text)
	if canonical && err == nil {
		want.Each(func(r Record) {
			if r.Kind() != Events {
				err = cmp.Or(err, readMore(r))
			}
		})
		got.Each(func(Record) {}) // tells terms their taxonomy
	}
	if canonical && (err != nil || !reflect.DeepEqual(want, got)) {
		t.Fatalf("change %q:\n%#v\nwant\n%#v, %v", text, got, want, err)
	}
	return canonical
}

// mutate returns a line that is a little different.
func mutate(rng *rand.Rand, text []byte) []byte {
	text = slices.Clone(text)
	at := rng.IntN(len(text))
	switch rng.IntN(6) {
	case 0:
		text[at] ^= 1 << rng.IntN(8)
	case 1:
		return slices.Delete(text, at, min(len(text), at+1+rng.IntN(3)))
	case 2:
		odd := []string{" ", "0", "-", "\\", "\"", ",", "null", "1e1", ".5", "\\u00e9", "\\ud83d", "\xc3", "\x00", "[]", "{}",
			`,"id":1`, `,"more":1`}
		return slices.Insert(text, at, []byte(odd[rng.IntN(len(odd))])...)
	case 3: // another order, at least of members without a comma
		parts := bytes.Split(text[1:len(text)-1], []byte(","))
		i, j := rng.IntN(len(parts)), rng.IntN(len(parts))
		parts[i], parts[j] = parts[j], parts[i]
		return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
	case 4: // a member twice
		parts := bytes.Split(text[1:len(text)-1], []byte(","))
		return slices.Concat([]byte("{"), bytes.Join(append(parts, parts[rng.IntN(len(parts))]), []byte(",")), []byte("}"))
	default: // a member of another form
		forms := [][2]string{{"true", "false"}, {":1", ":01"}, {":1", ":1.0"}, {`"id"`, `"ID"`}, {`""`, "null"}, {":[", ":[0,"},
			{"-", "/"}, {"00:00", "00:60"}}
		form := forms[rng.IntN(len(forms))]
		return bytes.Replace(text, []byte(form[0]), []byte(form[1]), 1)
	}
	return text
}

// stride is which part of the cases is tried: with ALMANAC_LONG=1 each is.
func stride() int {
	if os.Getenv("ALMANAC_LONG") != "" {
		return 1
	}
	return 7
}

func TestCanonicalAlone(t *testing.T) {
	race.Alone(t)
	rng := rand.New(rand.NewPCG(9, 9))
	canonical, all, alike := 0, 0, 0
	for range 3000 / stride() {
		c := new(Change)
		for k := range Kinds {
			r := oddRecord(rng, k)
			text, err := AppendJSON(nil, r)
			if err != nil {
				continue // a year of five digits, in a zone
			}
			if read := sameAsStrict(t, k, text); k == Accounts {
				if read {
					t.Fatal("accounts are for encoding/json alone")
				}
			} else if all++; read {
				canonical++
			} else if !bytes.Contains(text, []byte("e-9")) { // which only a number has here
				t.Fatalf("%s %s was not read", k, text)
			}
			for range 20 {
				sameAsStrict(t, k, mutate(rng, text))
			}
			if k != Venues && k != Accounts { // numbers of venues may not be canonical
				c.Add(r)
			}
		}
		for range rng.IntN(6) {
			c.Add(oddRecord(rng, Events))
		}
		for i, e := range c.Events {
			e.ID = int64(1 + i)
		}
		for range rng.IntN(3) {
			c.Removed = append(c.Removed, Removal{Kind(rng.IntN(int(Kinds))), rng.Int64N(1000)})
		}
		text, format, err := EncodeChange(c)
		if err != nil {
			continue
		}
		if like := bytes.Contains(text, []byte(`{"like":`)); like != (format == wal.LikeLine) {
			t.Fatalf("format %d: %s", format, text)
		} else if like {
			alike++
		}
		if !sameChange(t, text) {
			t.Fatalf("%s was not read", text)
		}
		for range 20 {
			sameChange(t, mutate(rng, text))
		}
	}
	if canonical < all*9/10 {
		t.Errorf("only %d of %d records were read", canonical, all)
	}
	if alike < 10 {
		t.Errorf("only %d changes have events that are like others", alike)
	}
}

// The lines and the snapshots of a directory are read by the scanner.
func TestCanonicalStores(t *testing.T) {
	t.Parallel()
	fsys, err := wal.ReadDir("../../testdata/stores/whole")
	must(t, err)
	all, err := wal.ListFiles(fsys)
	must(t, err)
	texts := 0
	r := wal.Reader{Files: fsys, Rest: all.Segments}
	must(t, r.Follow(func(l *wal.Line) error {
		if l.Change != nil && !bytes.Contains(l.Change, []byte(`"accounts":`)) && !bytes.Contains(l.Change, []byte(`{"identity":`)) {
			if texts++; !sameChange(t, l.Change) {
				t.Errorf("%s was not read", l.Change)
			}
		}
		return nil
	}, func(err error) error { return err }))
	for _, seq := range all.Snapshots {
		m, err := wal.ReadManifest(fsys, seq, SnapshotFiles)
		must(t, err)
		for i, k := range SnapshotOrder {
			must(t, wal.ReadList(fsys, m, m.Files[i], nil, func(text []byte) error {
				if texts++; !sameAsStrict(t, k, text) && k != Accounts {
					t.Errorf("%s %s was not read", k, text)
				}
				return nil
			}))
		}
	}
	if texts < 50 {
		t.Errorf("only %d texts", texts)
	}
}

func TestWallScans(t *testing.T) {
	for _, text := range []string{
		"2026-11-20 23:48:15", "0000-01-01 00:00:00", "9999-12-31 23:59:59", "2024-02-29 00:00:00", "2023-02-29 00:00:00",
		"2026-00-10 00:00:00", "2026-13-10 00:00:00", "2026-01-00 00:00:00", "2026-01-32 00:00:00", "2026-01-01 24:00:00",
		"2026-01-01 00:60:00", "2026-01-01 00:00:60", "2026-01-01T00:00:00", "2026-1-01 00:00:000", "+026-01-01 00:00:00", "",
	} {
		var got, want Wall
		ok := scan([]byte(`"`+text+`"`), nil, func(s *scanner) { got = s.localTime() })
		if err := want.UnmarshalText([]byte(text)); ok != (err == nil) || ok && got != want {
			t.Errorf("%q: %v, %t, want %v, %v", text, got, ok, want, err)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 10 * int(Kinds) {
		k := Kind(i) % Kinds
		r := oddRecord(rng, k)
		if text, err := AppendJSON(nil, r); err == nil {
			f.Add(text, uint8(k))
		}
		c := new(Change)
		c.Add(r)
		c.Events = append(c.Events, c.Events...)
		if text, _, err := EncodeChange(c); err == nil {
			f.Add(text, uint8(k))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, k uint8) {
		sameAsStrict(t, Kind(k)%Kinds, text)
		sameChange(t, text)
	})
}
