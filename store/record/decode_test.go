// Changes, byte by byte.

package record

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func equal(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// A change is written in the form that store/FORMAT.md says, and read again.
func TestChange(t *testing.T) {
	want := &Change{
		Tags:    []*Term{{Meta: Meta{ID: 3, Rev: 12}, Name: `<i>"a" & b`, Slug: "a-b"}},
		Removed: []Removal{{Events, 7}},
	}
	text, err := AppendJSON(nil, want)
	must(t, err)
	const form = `{"tags":[{"id":3,"rev":12,"name":"<i>\"a\" & b","slug":"a-b"}],"removed":[{"kind":"events","id":7}]}`
	equal(t, "written", form, string(text))
	got, err := decodeChange(text)
	must(t, err)
	want.Tags[0].Taxonomy = Tags // told by the place
	equal(t, "read", want, got)
}

var longTitle = `{"id":1,"rev":1,"title":"` + strings.Repeat("long ", 40) + `"}`

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
		{
			"unknown member in a series",
			`{"series":[{"id":1,"event":{"id":0,"x":1}}]}`,
			"unknown field",
		},
		{"nothing removed", `{"removed":[{"kind":"tags"}]}`, "with the id 0"},
		{"unknown kind", `{"removed":[{"kind":"dogs","id":1}]}`, "unknown kind"},
		{"two changes", `{}{}`, "more after the end"},
		{
			"like no event",
			`{"events":[{"like":{"title":2},"id":1,"rev":1,"title":""}]}`,
			"event 1 cannot have the title of event 2",
		},
		{
			"like itself",
			`{"events":[{"like":{"title":1},"id":1,"rev":1,"title":""}]}`,
			"event 1 cannot have the title of event 1",
		},
		{
			"like an event without it",
			`{"events":[` + longTitle + `,{"like":{"excerpt":1},"id":2}]}`,
			"event 2 cannot have the excerpt of event 1",
		},
		{
			"like another, with its own",
			`{"events":[` + longTitle + `,{"like":{"title":1},"id":2,"title":"x"}]}`,
			"event 2 cannot have the title",
		},
		{"like in a number", `{"events":[` + longTitle + `,{"like":{"start":1},"id":2}]}`,
			"event 2 is like another in the unknown member \"start\""},
		{
			"a venue like another",
			`{"venues":[{"like":{"description":1},"id":2}]}`,
			"unknown field",
		},
		{
			"a series like another",
			`{"series":[{"id":1,"event":{"like":{"title":1},"id":0}}]}`,
			"unknown field",
		},
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

func FuzzChange(f *testing.F) {
	rng := rand.New(rand.NewPCG(7, 8))
	for k := range Kinds {
		c := &Change{Removed: []Removal{{k, int64(k) + 1}}}
		c.Add(oddRecord(rng, k))
		if text, err := AppendJSON(nil, c); err == nil {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, err := decodeChange(text); err == nil {
			p := Position{NextPost: 1, NextTerm: 1}
			p.Note(c)
		}
	})
}
