// The conditions of a search, word by word.

package filters_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/filters"
)

func TestParseSearch(t *testing.T) {
	t.Parallel()
	const ten = "one two three four five six seven eight nine ten"
	for _, tt := range []struct {
		name, search string
		finds        []string // texts that match
		not          []string // texts that do not
	}{
		{"a word", "market", []string{"market", "Night Market", "supermarkets"}, []string{"", "mark et"}},
		{"all words", "market night", []string{"night market"}, []string{"market", "night"}},
		{"commas", "market,night, ,fair", []string{"fair night market"}, []string{"night market"}},
		{"plus signs, as forms leave them", "market+night", []string{"night market"}, []string{"market"}},
		{"ideographic space", "夜市　東京", []string{"東京の夜市"}, []string{"東京"}},
		{"case and accents", "CAFÉ strasse", []string{"Café, Straße 5"}, []string{"caf strasse"}},
		{"a phrase", `"night market"`, []string{"the night market"}, []string{"market night", "night, market"}},
		{"phrase and word", `"night market" free`, []string{"free night market"}, []string{"night market"}},
		{"phrase without a space before", `free"night market"`, []string{"night market is free"}, []string{"free market night"}},
		{"spaces in a phrase", `"  night market "`, []string{"night market"}, []string{"nightmarket"}},
		{"commas in a phrase", `"a, b"`, []string{"x a, b"}, []string{"a b"}},
		{"exclusion", "market -night", []string{"market"}, []string{"night market", "", "Nightfall market"}},
		{"exclusion alone", "-night", []string{"market", ""}, []string{"night"}},
		{"exclusion of a phrase", `market -"night fair"`, []string{"market, night, fair"}, []string{"market and night fair"}},
		{"a phrase that begins with a dash", `"-5 degrees"`, []string{"at -5 degrees"}, []string{"5 degrees", ""}},
		{"dash in a word", "open-air", []string{"an open-air fair"}, []string{"open air"}},
		{"dash between spaces", "market - night", []string{"market night"}, []string{"market"}},
		{"stop words in company", "the market of", []string{"market"}, []string{"the fair of"}},
		{"a stop word alone", "the", []string{"theatre"}, []string{"market", ""}},
		{"stop words alone are a phrase", "of the", []string{"out of the box"}, []string{"the end of"}},
		{"stop word and dash", "- the", []string{"x - the"}, []string{"the", ""}},
		{"excluded stop word", "market -the", []string{"the market"}, nil},
		{"excluded letter", "market -x", []string{"market"}, []string{"xmas market"}},
		{"excluded letter alone", "-x", []string{"market", ""}, []string{"xmas", "-x"}},
		{"single letter in company", "c market", []string{"market"}, []string{"c"}},
		{"single letter alone", "c", []string{"c", "cafe"}, []string{"x"}},
		{"single digit counts", "market 5", []string{"market 5"}, []string{"market"}},
		{"single character of another script counts", "山 market", []string{"山 market"}, []string{"market"}},
		{"nine words", ten[:len(ten)-4], []string{"nine eight seven six five four three two one"}, []string{"one two three"}},
		{"ten words are a phrase", ten, []string{"x " + ten + " y"}, []string{"ten nine eight seven six five four three two one"}},
		{"ten with stop words are not", "the " + ten[:len(ten)-4], []string{"nine eight seven six five four three two one"}, nil},
		{"ten that begin with a dash are a phrase", "-" + ten, []string{"x -" + ten}, []string{ten, ""}},
		{"per cent", "100%", []string{"100% jazz"}, []string{"100 jazz", "1000"}},
		{"underscore", "a_b", []string{"a_b"}, []string{"axb", "ab"}},
		{"regular expression", "a.*(b", []string{"a.*(b"}, []string{"axxb"}},
		{"backslash", `a\b`, []string{`a\b`}, []string{"ab"}},
		{"apostrophe", "rock'n", []string{"rock'n'roll"}, []string{"rock n"}},
		{"quotes about a word", "'market'", []string{"market"}, nil},
		{"open quote", `free "night market`, []string{"free night market"}, []string{"free market night"}},
		{"quote at the end", `market"`, []string{"market"}, []string{""}},
		{"only spaces", " \t ", []string{"", "anything"}, nil},
		{"nothing", "", []string{"", "anything"}, nil},
		{"only a quote", `"`, []string{`5" pipe`}, []string{"", "anything"}},
		{"empty phrase in company", `"" market`, []string{"market"}, []string{""}},
		{"only commas", ",,", []string{"a,,b"}, []string{"", "a, b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := filters.ParseSearch(tt.search)
			for _, text := range tt.finds {
				if !s.In("", text) || !s.In(text) {
					t.Errorf("%q does not find %q: %+v", tt.search, text, s)
				}
			}
			for _, text := range tt.not {
				if s.In("", text) {
					t.Errorf("%q finds %q: %+v", tt.search, text, s)
				}
			}
			if empty := strings.TrimSpace(tt.search) == ""; s.Empty() != empty {
				t.Errorf("Empty is %t", !empty)
			}
		})
	}
}

// Words may stand in different texts, and an exclusion counts in all.
func TestSearchInSeveralTexts(t *testing.T) {
	t.Parallel()
	s := filters.ParseSearch("night market -fair")
	for _, tt := range []struct {
		texts []string
		want  bool
	}{
		{[]string{"night", "", "market"}, true}, {[]string{"night", "market", "fair"}, false}, {[]string{"night", "mar", "ket"}, false},
		{nil, false},
	} {
		if got := s.In(tt.texts...); got != tt.want {
			t.Errorf("%q: %t", tt.texts, got)
		}
	}
}

func TestParseWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, search string
		want         filters.Words
	}{
		{"words", "Town Hall", []string{"town", "hall"}},
		{"everything else divides", "  O'Neil's-Bar, 5th.floor_x ", []string{"o", "neil", "s", "bar", "5th", "floor", "x"}},
		{"accents", "CAFÉ Straße", []string{"cafe", "strasse"}},
		{"other scripts", "東京 кафе", []string{"東京", "кафе"}},
		{"stop words count", "the hall", []string{"the", "hall"}},
		{"signs alone", " -- ", filters.Words{}},
		{"not a letter and not a digit", "☕ % _ №", filters.Words{}},
	} {
		if diff := cmp.Diff(tt.want, filters.ParseWords(tt.search)); diff != "" {
			t.Errorf("%s: what %q becomes (-want +got)\n%s", tt.name, tt.search, diff)
		}
	}
	w := filters.ParseWords("hall paris")
	for _, tt := range []struct {
		name   string
		fields []string
		want   bool
	}{
		{"in one field", []string{"x", "Hall of Paris"}, true},
		{"in two", []string{"Hall", "Paris"}, false},
		{"within words", []string{"Hallway, Parisian"}, true},
		{"nowhere", nil, false},
	} {
		if got := w.In(tt.fields...); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
	if filters.ParseWords("--").In() || filters.ParseWords("--").In("", "--") {
		t.Error("a search without words finds something")
	}
	if !filters.ParseWords("").In() || !filters.ParseWords("").In("x") {
		t.Error("no search does not match everything")
	}
}

// A search never panics, finds the text that it was made of, and finds the same
// whatever the letter case.
func FuzzParseSearch(f *testing.F) {
	for _, search := range []string{`"night market" -free`, "a,b+c", `-"x`, "ＡＢＣ　ＤＥＦ", "\xff - \"",
		"one two three four five six seven eight nine ten -eleven"} {
		f.Add(search, "Night Market")
	}
	f.Fuzz(func(t *testing.T, search, text string) {
		s := filters.ParseSearch(search)
		s.In(text, search)
		filters.ParseWords(search).In(text, search)
		if !strings.ContainsAny(search, "-－") && !s.In(search) {
			t.Errorf("%q does not find itself: %+v", search, s)
		}
		if upper := filters.ParseSearch(strings.ToUpper(search)); isASCII(search) &&
			upper.In(text) != s.In(text) {
			t.Errorf("%q and its capitals differ about %q", search, text)
		}
	})
}

func isASCII(
	s string,
) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0
}
