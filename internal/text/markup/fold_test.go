package markup_test

// Tests of folding and of the order of names.

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"almanac/internal/text/markup"

	"github.com/google/go-cmp/cmp"
)

var folds = []conversion{
	{"ASCII", "CAFE 24-7", "cafe 24-7"},
	{"French", "Café À Noël Œuvre", "cafe a noel oeuvre"},
	{"German", "STRASSE Straße ẞ", "strasse strasse ss"},
	{"Danish", "Ærø", "aero"},
	{"Polish", "Łódź", "lodz"},
	{"Turkish", "İstanbul Iğdır", "istanbul igdir"},
	{"Vietnamese", "Đường Nguyễn", "duong nguyen"},
	{"marks", "e\u0301 A\u030a", "e a"},
	{"ligatures", "ﬁne ǅ", "fine dz"},
	{"full width", "Ｔｏｋｙｏ２", "tokyo2"},
	{"Greek", "Ταξίδι Άγιος Ἀθῆναι", "ταξιδι αγιοσ αθηναι"},
	{"Cyrillic", "Ёлка Йод Київ", "елка йод київ"},
	{"Cyrillic as marks", "И\u0306од Киі\u0308в е\u0308", "йод київ е"},
	{"no alphabet", "日本語 ガ", "日本語 ガ"},
	{"quotes", "Don’t ‘x’ “Night” „Markt“ «Café» 5′ ʼn", `don't 'x' "night" "markt" "cafe" 5' 'n`},
	{"dashes", "2030–2031 — a‑b −1", "2030-2031 - a-b -1"},
	{"signs", "Wait… 3×4 10\u00a0000", "wait... 3x4 10 000"},
	{"Hindi", "हिन्दी", "हिन्दी"},
}

func TestFold(t *testing.T) { check(t, markup.Fold, folds) }

func TestFoldEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		once := markup.Fold("x" + string(r))
		if again := markup.Fold(once); again != once {
			t.Errorf("%U folds to %+q and then %+q", r, once, again)
		}
		if up := markup.Fold("x" + string(unicode.ToTitle(r))); unicode.ToLower(
			unicode.ToTitle(r),
		) == r &&
			up != once {
			t.Errorf("%U folds to %+q, its capital to %+q", r, once, up)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, c := range folds {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := markup.Fold(s)
		if again := markup.Fold(once); again != once {
			t.Errorf("Fold(%q) = %q, then %q", s, once, again)
		}
		if markup.Compare(s, s) != 0 || markup.Compare(s, s+"x") >= 0 {
			t.Errorf("Compare orders %q wrongly", s)
		}
	})
}

func TestCompare(t *testing.T) {
	want := strings.Fields("2031 alpha Beta BETA beta bêta delta Éclair Gamma iota Ωμέγα Ёлка Жар")
	want[2], want[3] = "BETA", "Beta" // alike when folded, so by their bytes
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, markup.Compare)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
