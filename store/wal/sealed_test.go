// Sealed documents.

package wal_test

import (
	"bytes"
	"strings"
	"testing"

	"almanac/store/wal"
)

// Every refusal of a sealed document says what is wrong.
func TestSealedRefusals(t *testing.T) {
	t.Parallel()
	type document struct {
		Version int `json:"version"`
		N       int `json:"n"`
	}
	good, err := wal.EncodeSealed(document{1, 2})
	must(t, err)
	signed := func(body string) []byte { return append(sealed(body), '\n') }
	body := strings.TrimSuffix("{\n  \"version\": 1,\n  \"n\": 2\n}", "}")
	tests := []struct {
		name string
		text []byte
		want string // "" is not refused
	}{
		{"as it was written", good, ""},
		{"the same by hand", signed(body), ""},
		{"nothing", nil, "too short for a checksum"},
		{
			"another checksum",
			bytes.Replace(good, []byte(`"n": 2`), []byte(`"n": 3`), 1),
			"the checksum does not match: the end is ",
		},
		{"no object", signed("x"), "invalid character"},
		{
			"a later format",
			signed(strings.Replace(body, `1,`, `2,`, 1)),
			"format 2, and this almanac knows 1: " + wal.ErrNewer.Error(),
		},
		{
			"a member more",
			signed(strings.TrimSuffix(body, "\n") + ",\n  \"m\": 1\n"),
			`json: unknown field "m"`,
		},
		{
			"other spaces",
			signed(strings.Replace(body, "  ", " ", 1)),
			"members that are not in the order and form of a letter",
		},
		{
			"another order",
			signed("{\n  \"n\": 2,\n  \"version\": 1\n"),
			"members that are not in the order and form of a letter",
		},
		{
			"no newline",
			bytes.TrimSuffix(good, []byte("\n")),
			"members that are not in the order and form of a letter",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got document
			err := wal.DecodeSealed(test.text, &got, 1, 1, "letter")
			switch {
			case test.want == "" && (err != nil || got != document{1, 2}):
				t.Errorf("read as %+v with error %v", got, err)
			case test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)):
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func FuzzManifest(f *testing.F) {
	head := strings.Repeat("0", 64)
	m := &wal.Manifest{Version: wal.SnapshotFormat, Seq: 1, Head: head, NextPost: 1, NextTerm: 1}
	m.Files = []wal.ManifestFile{{Name: "a"}}
	text, err := wal.EncodeSealed(m)
	must(f, err)
	f.Add(text)
	f.Add([]byte(bodyOf(text)))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, text := range [][]byte{text, append(sealed(string(text)), '\n')} {
			m, err := wal.ParseManifest(text, []string{"a"})
			if err != nil {
				continue
			}
			if again, err := wal.EncodeSealed(m); err != nil || !bytes.Equal(text, again) {
				t.Errorf("accepted %q, which is written %q", text, again)
			}
		}
	})
}
