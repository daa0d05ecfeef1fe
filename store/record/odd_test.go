package record

import (
	"bytes"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/tools/race"
	"almanac/store/wal"
)

// This file makes odd records, which are read as they were written.

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

// stride is which part of the cases is tried: with ALMANAC_LONG=1 each is.
func stride() int {
	if os.Getenv("ALMANAC_LONG") != "" {
		return 1
	}
	return 7
}

// A record and a change are read as they were written: what is written of them then is the same.
func TestRoundTripAlone(t *testing.T) {
	race.Alone(t)
	rng := rand.New(rand.NewPCG(9, 9))
	alike := 0
	for range 3000 / stride() {
		c := new(Change)
		for k := range Kinds {
			r := oddRecord(rng, k)
			text, err := AppendJSON(nil, r)
			if err != nil {
				continue // a year of five digits, in a zone
			}
			text = bytes.ReplaceAll(
				text,
				[]byte(`\ufffd`),
				[]byte("\ufffd"),
			) // of a byte that is no text
			got, err := decodeRecord(k, text, nil)
			must(t, err)
			again, err := AppendJSON(nil, got)
			must(t, err)
			if !bytes.Equal(text, again) {
				t.Fatalf("%s: written\n%s\nread and written\n%s", k, text, again)
			}
			if term, ok := r.(*Term); ok && term.Taxonomy != k {
				t.Fatalf("a term of %s is read as one of %s", k, term.Taxonomy)
			}
			c.Add(r)
		}
		for range rng.IntN(12) {
			c.Add(oddRecord(rng, Events))
		}
		id := int64(0)
		c.Each(func(r Record) {
			id++
			MetaOf(r).ID = id
		})
		for range rng.IntN(3) {
			c.Removed = append(
				c.Removed,
				Removal{Kind(rng.IntN(int(Accounts))), 1 + rng.Int64N(1000)},
			)
		}
		text, format, err := EncodeChange(c)
		if err != nil {
			continue
		}
		text = bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd"))
		like := bytes.Contains(text, []byte(`{"like":`))
		if like != (format == wal.LikeLine) {
			t.Fatalf("format %d: %s", format, text)
		}
		if like {
			alike++
		}
		got, err := decodeChange(text)
		must(t, err)
		again, _, err := EncodeChange(got)
		must(t, err)
		if !bytes.Equal(text, again) {
			t.Fatalf("written\n%s\nread and written\n%s", text, again)
		}
	}
	if alike < 10 {
		t.Errorf("only %d changes have events that are like others", alike)
	}
}

// The tables have every field of their type, in its order and with its name on disk.
func TestFields(t *testing.T) {
	t.Parallel()
	equal(t, "event", membersOf[Event](), slices.Concat(namesOf(PostFields), namesOf(EventFields)))
	equal(t, "venue", membersOf[Venue](), slices.Concat(namesOf(PostFields), namesOf(VenueFields)))
	equal(
		t,
		"organizer",
		membersOf[Organizer](),
		slices.Concat(namesOf(PostFields), namesOf(OrganizerFields)),
	)
}

// membersOf returns the members of a type on disk, without those of a Meta.
func membersOf[T any]() (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && name != "-" && name != "id" && name != "rev" && name != "more" {
			names = append(names, name)
		}
	}
	return names
}

// namesOf returns the names in a table but for the optional ones, which are in more.
func namesOf[T any](fields []Field[T]) (names []string) {
	for _, f := range fields {
		if f.Use&Optional == 0 {
			names = append(names, f.Name)
		}
	}
	return names
}
