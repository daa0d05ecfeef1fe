package markup

// Tests of the quick ways of texts without tags against the long ways.

import (
	"cmp"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"
)

// alphabet has texts that need care in the quick ways.
var alphabet = []string{
	"a", "x", "2", "9", " ", " ", "\n", "\n", "\r", "\r\n", "\t", "\f", "\v", "\u00a0", "\u0085", "\u2028", "é", "\xff", "\xc3",
	"\"", "'", "''", "`", "``", "-", "--", "---", ".", "..", "...", "(", "(tm)", " (tm)", "&", "&amp;", "&nbsp;", "&lt;", "&#8220;",
	"'99", "'til", "xn--", "3x4", "[", "[gallery", "[gallery]", "]", ">", ";", "Some ordinary words", "\u0300", "и\u0306", "ß",
	"A", "Z", "`",
}

func nasty(random *rand.Rand, most int) string {
	var b strings.Builder
	for range random.IntN(most + 1) {
		b.WriteString(alphabet[random.IntN(len(alphabet))])
	}
	return b.String()
}

// typesetSlowly goes over a text without tags character by character.
func typesetSlowly(s string) string {
	t := typesetter{prev: ' '}
	for t.src = s; t.pos < len(s); {
		switch c := s[t.pos]; {
		case c == '&':
			t.ampersand()
		case c == '<' && t.pos+1 < len(s) && opensMarkup(s[t.pos+1]):
			t.put("&lt;", 1, '<')
		case c == '"':
			t.doubleQuote()
		case t.ahead("''"):
			t.put(closeDouble, 2, '"')
			t.inDouble = false
		case c == '\'':
			t.singleQuote()
		case t.ahead("``"):
			t.put(openDouble, 2, '"')
			t.inDouble = true
		case c == '-':
			t.dashes()
		case t.ahead("..."):
			t.put(ellipsis, 3, '.')
		case t.ahead("(tm)") && t.pos > 0 && s[t.pos-1] == ' ' && !startsWithLetter(s[t.pos+4:]):
			t.put(tradeMark, 4, ')')
		case c == 'x' && t.betweenNumbers():
			t.put(times, 1, 'x')
		default:
			r, size := utf8.DecodeRuneInString(s[t.pos:])
			t.put(s[t.pos:t.pos+size], size, r)
		}
	}
	return string(t.rest())
}

// checkUntagged compares the quick ways of a text without tags with the long ones.
func checkUntagged(t *testing.T, s string) {
	t.Helper()
	long := paragraphs(typesetSlowly(s))
	content := paragraphs(typeset(withShortcodes(s)))
	for name, pair := range map[string][2]string{
		"Title":         {typesetSlowly(trim(s)), Title(s)},
		"Excerpt":       {long, Excerpt(s)},
		"AppendExcerpt": {"before" + long, string(AppendExcerpt([]byte("before"), s))},
		"Content":       {content, Content(s)},
		"AppendContent": {"before" + content, string(AppendContent([]byte("before"), s))},
	} {
		if diff := gocmp.Diff(pair[0], pair[1]); diff != "" {
			t.Errorf("%s of %q (-long +quick):\n%s", name, s, diff)
		}
	}
}

func TestUntagged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		checkUntagged(t, nasty(random, 12))
	}
}

func FuzzUntagged(f *testing.F) {
	for _, text := range alphabet {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, s string) { checkUntagged(t, strings.ReplaceAll(s, "<", "")) })
}

func TestCompareAsFolded(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 30_000 {
		a := nasty(random, 3)
		b := nasty(random, 3)
		if random.IntN(2) == 0 {
			b = a[:random.IntN(len(a)+1)] + b // with a common prefix
		}
		if want, got := cmp.Or(strings.Compare(Fold(a), Fold(b)), strings.Compare(a, b)), Compare(a, b); want != got {
			t.Errorf("Compare(%q, %q) = %d, want %d", a, b, got, want)
		}
	}
}

// ordinaryText is a description as most are.
var ordinaryText = strings.Repeat(
	"Local bands play on two stages from noon until late. It's free for everybody, and six "+
		"cakes - no more - are left.\n\n",
	5,
)

func BenchmarkContent(b *testing.B) {
	room := make([]byte, 0, 2*len(ordinaryText))
	b.SetBytes(int64(len(ordinaryText)))
	b.ReportAllocs()
	for b.Loop() {
		room = AppendContent(room[:0], ordinaryText)
	}
}

func BenchmarkPlain(b *testing.B) {
	html := Content(ordinaryText)
	b.SetBytes(int64(len(html)))
	b.ReportAllocs()
	for b.Loop() {
		Plain(html)
	}
}

func BenchmarkCompare(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Compare("Arts and Crafts", "arts and music")
	}
}
