// The form of the catalogues, and that all languages have the same texts.

package i18n

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCatalogues(t *testing.T) {
	want := English().Keys()
	for _, l := range Languages() {
		t.Run(l.Tag, func(t *testing.T) {
			if diff := cmp.Diff(want, l.Keys()); diff != "" {
				t.Errorf("keys differ from English (-en +%s):\n%s", l.Tag, diff)
			}
			for _, key := range l.Keys() {
				if text := l.Text(key); strings.TrimSpace(text) != text || text == "" {
					t.Errorf("%s is empty or has spaces around it: %q", key, text)
				}
			}
			name := "locales/" + l.Tag + ".json"
			data, err := locales.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			// Sorted keys, one a line, none twice.
			if diff := cmp.Diff(canonical(t, parse(name)), string(data)); diff != "" {
				t.Errorf("not in the form of a catalogue (-want +got):\n%s", diff)
			}
		})
	}
}

func canonical(t *testing.T, texts map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(texts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name, tag string
		want      string
		ok        bool
	}{
		{"as written", "en", "en", true},
		{"letter case does not count", "EN", "en", true},
		{"a region is another language", "en-GB", "", false},
		{"nothing", "", "", false},
		{"a file name is no tag", "en.json", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Find(test.tag)
			if got.Tag != test.want || ok != test.ok {
				t.Errorf("Find(%q) = %q, %v; want %q, %v", test.tag, got.Tag, ok, test.want, test.ok)
			}
		})
	}
}

func TestLanguagesIsACopy(t *testing.T) {
	Languages()[0].Tag = "xx"
	if _, ok := Find("xx"); ok {
		t.Error("a change to what Languages gave changed the languages")
	}
}

func TestMissingTextPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Text of an unknown key did not panic")
		}
	}()
	English().Text("no.such.key")
}

func TestDirection(t *testing.T) {
	for tag, want := range map[string]string{"en": "ltr", "ar": "rtl", "he": "rtl", "fa-IR": "rtl", "pt-BR": "ltr", "": "ltr"} {
		if got := direction(tag); got != want {
			t.Errorf("direction(%q) = %q, want %q", tag, got, want)
		}
	}
}
