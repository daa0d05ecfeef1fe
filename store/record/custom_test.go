package record

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// Custom fields are the same after their way through JSON, and their keys and labels after the
// header of a column.
func FuzzCustomFields(f *testing.F) {
	for _, text := range []string{"", "a", "A [b]", " [", "]", "%5B [%]", "field: x", "a\n\u2028<b>", "[a] [b"} {
		f.Add(text, "label")
		f.Add("key", text)
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, key, label string) {
		if !utf8.ValidString(key) || !utf8.ValidString(label) {
			return
		}
		want := CustomFields{{Key: key, Label: label, Value: key + label}, {Key: key + "b"}}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got CustomFields
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", text, diff)
		}
		key = strings.TrimSpace(key)
		label = strings.TrimSpace(label)
		header := CustomField{Key: key, Label: label}.Column()
		if column, ok := FieldOfColumn(header); ok != (key != "") || ok && column != (CustomField{
			Key:   key,
			Label: label,
		}) {
			t.Errorf("%q: %q, %t", header, column, ok)
		}
	})
}
