package jsonio_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/jsonio"
)

// A Value says what it is and where it stands, and takes other texts.
func TestValue(t *testing.T) {
	t.Parallel()
	text := `{"a": [ {"b":"x"}, 7 ,null], "n":"12", "a\u0062":true, "t":"1", "t":"2", "none":[ ], "no":false}`
	v := jsonio.Value{Raw: []byte(text)}
	items := v.Member("a").Items()
	none, _ := v.Member("none"), v.Member("no")
	got := []any{
		len(items),
		string(items[0].Member("b").Raw),
		items[1].IsNumber(),
		items[2].IsNull(),
		v.Member("n").Integer(),
		string(
			v.Member("ab").Raw,
		),
		string(v.Member("t").Raw),
		none.IsEmpty(),
		v.Member("no").IsEmpty(),
		v.Member("not").Kind(),
		len(v.Member("no").Items()),
		len(v.Member("n").Items()),
		len(v.Member("n").Members()),
	}
	want := []any{3, `"x"`, true, true, int64(12), "true", `"2"`, true, true, byte(0), 0, 1, 0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
	if at := items[0].Member("b").At; !strings.HasPrefix(text[at:], `"x"`) {
		t.Errorf("b stands at %q", text[at:])
	}
	n := v.Member("n")
	v.Set("new", `"made"`)
	n.Replace("13")
	v.Set("t", "3")
	items[1].Replace(`"8"`)
	eight, _ := v.Member("a").Items()[1].Text()
	made, _ := v.Member("new").Text()
	if v.Member("n").Integer() != 13 || v.Member("t").Integer() != 3 || eight != "8" ||
		made != "made" {
		t.Errorf(
			"after changes: %s, %s, %s and %s",
			v.Member("n").Raw,
			v.Member("t").Raw,
			eight,
			made,
		)
	}
}

// Values that stand one after the other are found one by one, and the place of
// the first that is none.
func TestValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text   string
		values int
		at     int // of the error; -1 is none
	}{
		{"\ufeff {} [1]\n7", 3, -1}, {" \n", 0, -1}, {"{} {", 1, 4}, {`[1,]`, 0, 3}, {"[] \"\xff\"", 1, 4}, {`{"a" 1}`, 0, 5}, {"x", 0, 0},
	} {
		values := 0
		at := -1
		for v, err := range jsonio.Values([]byte(test.text)) {
			if err != nil {
				at = v.At
				continue
			}
			values++
		}
		if values != test.values || at != test.at {
			t.Errorf(
				"%q: %d values and an error at %d, want %d and %d",
				test.text,
				values,
				at,
				test.values,
				test.at,
			)
		}
	}
}

// Commas in texts are no values.
func TestHasMany(t *testing.T) {
	t.Parallel()
	list := "[0" + strings.Repeat(",0", jsonio.MaxValues+1) + "]"
	for text, want := range map[string]bool{
		list:                               true,
		strings.Replace(list, ",0", "", 1): false,
		`["\"` + list + `"]`:               false,
		`["\\",` + strings.Trim(list, "[]") + `]`: true,
		`{"a":[` + list + `]}`:                    true,
	} {
		if got := jsonio.HasMany([]byte(text)); got != want {
			t.Errorf("%.20s…: %v", text, got)
		}
	}
}

// A value larger than the limit is refused; a smaller one and its successor are read.
func TestStreamLimit(t *testing.T) {
	t.Parallel()
	long := func(n int) io.Reader {
		return io.MultiReader(
			strings.NewReader(`["`),
			io.LimitReader(letters{}, int64(n)),
			strings.NewReader("\",\n7]"),
		)
	}
	s := jsonio.NewStream(long(1<<20), "f.json")
	_, err := s.Next()
	first, err1 := s.Value()
	second, err2 := s.Value()
	if err != nil || err1 != nil || err2 != nil || len(first) != 1<<20+2 ||
		string(second) != "7" ||
		s.More() {
		t.Errorf("%v, %v, %v: %d bytes and %s", err, err1, err2, len(first), second)
	}
	s = jsonio.NewStream(long(65<<20), "f.json")
	_, err = s.Next()
	const want = "f.json: line 1, column 2: a record is larger than 64 MiB"
	if _, err1 = s.Value(); err != nil || err1 == nil || !strings.Contains(err1.Error(), want) {
		t.Errorf("%v, %v", err, err1)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// Values agree with encoding/json, and their positions are right.
func FuzzValue(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,"x\"]",{"b":null}],"a":-1.5e3,"\u00e9":{}}`, ` [ [ ] , { } , "" ] `, `"\\"`, `{"a" : {"b" : [ true , false ]}}`, `7`,
		`{"a":"\ud83d\ude00"}`, `[[[[[[]]]]]]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if flaw, _ := jsonio.Check(text, 100); flaw != jsonio.None || !json.Valid(text) ||
			bytes.HasPrefix(text, []byte("\ufeff")) {
			return
		}
		var want any
		if err := json.Unmarshal(text, &want); err != nil {
			return // a number that is no float
		}
		for v, err := range jsonio.Values(text) {
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, found(t, text, v)); diff != "" {
				t.Fatalf("%q (-encoding/json, +jsonio):\n%s", text, diff)
			}
		}
	})
}

// found makes of a value what encoding/json makes of it.
func found(t *testing.T, text []byte, v *jsonio.Value) (made any) {
	t.Helper()
	if !bytes.HasPrefix(text[v.At:], v.Raw) {
		t.Fatalf("%q: %q does not stand at %d", text, v.Raw, v.At)
	}
	switch v.Kind() {
	case '{':
		object := map[string]any{}
		for _, m := range v.Members() {
			object[m.Name] = found(t, text, v.Member(m.Name))
		}
		return object
	case '[':
		list := []any{}
		for _, item := range v.Items() {
			list = append(list, found(t, text, item))
		}
		return list
	}
	if err := json.Unmarshal(v.Raw, &made); err != nil {
		t.Fatal(err)
	}
	return made
}
