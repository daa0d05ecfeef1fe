package respond

// Bodies in another form, read in parts, against what reads them whole.

import (
	"bytes"
	"encoding/json"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inParts cuts a text into random parts.
func inParts(rng *rand.Rand, text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			n := 1 + rng.IntN(min(len(text), 40))
			if !yield(bytes.Clone(text[:n])) {
				return
			}
			text = text[n:]
		}
	}
}

// randomValue makes a JSON value. Names are few, so that they are asked for.
func randomValue(rng *rand.Rand, depth int) any {
	names := []string{"a", "b", "c", `q"\`, "é", "a.b", ""}
	switch n := rng.IntN(9); {
	case n < 3 && depth > 0:
		object := map[string]any{}
		for range rng.IntN(5) {
			object[names[rng.IntN(len(names))]] = randomValue(rng, depth-1)
		}
		return object
	case n == 3 && depth > 0:
		list := []any{}
		for range rng.IntN(4) {
			list = append(list, randomValue(rng, depth-1))
		}
		return list
	case n == 4:
		return nil
	case n == 5:
		return rng.IntN(2) == 0
	case n == 6:
		return rng.IntN(1000) - 500
	}
	return strings.Repeat(
		[]string{"", `"`, `\`, "x", "{[,:]}", "\n", "日本", `\"`}[rng.IntN(8)],
		rng.IntN(4),
	)
}

func TestFieldsInParts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 14))
	fields := []string{
		"a",
		"b",
		"c",
		"a.b",
		"a.b.c",
		"b.c",
		"c.a",
		`q"\`,
		"é.a",
		"none",
		"none.a",
		" a ",
		"",
		"a.",
		".",
	}
	for range 20_000 {
		value, err := json.Marshal(randomValue(rng, 4))
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for range 1 + rng.IntN(4) {
			asked = append(asked, fields[rng.IntN(len(fields))])
		}
		list := strings.Join(asked, ",")
		want := keepWanted(t, value, wantedOf(list))
		got := whole(selectFields(inParts(rng, value), list))
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Fatalf("_fields=%s of %s (-whole, +in parts):\n%s", list, value, diff)
		}
	}
}

// keepWanted does what selectFields does with a value that is there as a whole.
func keepWanted(t *testing.T, text []byte, want wanted) []byte {
	dec := json.NewDecoder(bytes.NewReader(text))
	open, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch open {
	case json.Delim('['):
		return []byte("[]")
	case json.Delim('{'):
	default:
		return text
	}
	members := []string{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
		below, ok := want[name.(string)]
		if !ok {
			continue
		}
		if below != nil {
			value = keepWanted(t, value, below)
		}
		key, _ := json.Marshal(name)
		members = append(members, string(key)+":"+string(value))
	}
	return []byte("{" + strings.Join(members, ",") + "}")
}

func TestIndentInParts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 14))
	for n := range 10_000 {
		value, err := json.Marshal(randomValue(rng, 5))
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := json.Indent(&want, value, "", "    "); err != nil {
			t.Fatal(err)
		}
		if n%2 == 1 {
			value = want.Bytes() // indenting twice is indenting once
		}
		if diff := cmp.Diff(want.String(), string(whole(indent(inParts(rng, value))))); diff != "" {
			t.Fatalf("%s (-json.Indent, +in parts):\n%s", value, diff)
		}
	}
}
