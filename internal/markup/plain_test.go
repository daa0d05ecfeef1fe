package markup_test

// Tests of the ways between HTML and plain text.

import (
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/markup"

	"github.com/google/go-cmp/cmp"
)

func TestStripTags(t *testing.T) {
	check(t, markup.StripTags, []conversion{
		{"plain", "12 Elm St. & Co", "12 Elm St. & Co"},
		{"tags", "<b>12</b> Elm<br>St.", "12 ElmSt."},
		{"script", "a<script>if (b < c) { '</b>' }</SCRIPT >d", "ad"},
		{"style sheet", "<style>b{}</style>c", "c"},
		{"comment", "a<!-- <b> -->c", "ac"},
		{"script without an end", "https://example.org/<script>", "https://example.org/"},
		{"comparisons", "2 < 3 <4", "2 < 3 <4"},
		{"tag without an end", "a <b c", "a b c"},
		{"joined tag", "<<<b>b> <<b", "b> b"},
		{"joined by a dropped comment", "<<!-- -->!-- x", "!-- x"},
		{"greater-than in a value", `<a title="x>y">z</a>`, "z"},
		{"entities stay", "&lt;b&gt;", "&lt;b&gt;"},
	})
}

func TestTermName(t *testing.T) {
	shown := func(s string) string { return markup.EscapeName(markup.CleanTermName(s)) }
	check(t, shown, []conversion{
		{"plain", "Music", "Music"},
		{"ampersand", "Arts & Crafts", "Arts &amp; Crafts"},
		{"entity", "Arts &amp; Crafts", "Arts &amp; Crafts"},
		{"tags and quotes", `<i>Arts</i> & "Crafts" 'n' more`, `Arts &amp; "Crafts" 'n' more`},
		{"script", "a<script>x</script>b", "ab"},
		{"escaped tag", "&lt;b&gt;", "&lt;b&gt;"},
		{"spaces", "  Arts \n and&nbsp;Crafts ", "Arts and Crafts"},
		{"spaces only", " &nbsp; ", ""},
		{"other scripts", "日本語", "日本語"},
	})
}

func TestEscapeURL(t *testing.T) {
	check(t, markup.EscapeURL, []conversion{
		{"plain", "https://example.org/a#b", "https://example.org/a#b"},
		{"query", "https://example.org/?a=1&b=2&amp;c=3&copy=4", "https://example.org/?a=1&amp;b=2&amp;c=3&amp;copy=4"},
		{"quotes", `https://example.org/it's"`, "https://example.org/it&#039;s&quot;"},
		{"brackets", "https://example.org/<b>", "https://example.org/&lt;b&gt;"},
	})
}

func TestUnescape(t *testing.T) {
	check(t, markup.Unescape, []conversion{
		{"entities", "&#8220;a&#8221; &amp; b", "“a” & b"},
		{"once", "&amp;lt;", "&lt;"},
	})
}

func TestPlain(t *testing.T) {
	check(t, markup.Plain, []conversion{
		{"paragraphs", "<p>One<br />\ntwo</p>\n<p>three</p>", "One two three"},
		{"blocks on one line", "<ul><li>a</li><li>b</li></ul><figure>c<figcaption>d</figcaption></figure>", "a b c d"},
		{"inline tags", "<p><b>B</b>ig &amp; &#8220;bold&#8221;&nbsp;</p>", `Big & "bold"`},
		{"hidden", "<script>x</script><p>a<!-- b --></p><style>c</style>", "a"},
		{"escaped tag", "&lt;b&gt;", "<b>"},
		{"empty", "", ""},
		{"as typed", "<p>It&#8217;s &#8220;short&#8221; &#038; sweet &#8212; 3&#215;4&#8230; 6&#8242; 2&#8243; &#8211; a&#8211;b (c) &#8482;</p>",
			`It's "short" & sweet -- 3x4... 6' 2" - a--b (c) (tm)`},
		{"as typed with signs", "<p>“It’s – so”</p>", "“It’s – so”"},
		{"shortcodes are text", "[gallery] [map]", "[gallery] [map]"},
	})
}

// A description is the same plain text before and after it was sent back as it was shown.
func TestPlainAsTyped(t *testing.T) {
	for _, s := range []string{
		`It's "short" & sweet -- 3x4...`, `<b>"x"</b> 'y' - z`, `5'10" wide -- a--b---c ('99)`, "one\n\ntwo 100% [map a=\"1\"]",
		"a && b &copy; &amp;lt;",
	} {
		if diff := cmp.Diff(strings.Join(strings.Fields(markup.Unescape(markup.StripTags(s))), " "),
			markup.Plain(markup.Content(s))); diff != "" {
			t.Errorf("%q, as plain text (-typed +got):\n%s", s, diff)
		}
	}
}

func TestEscapeTags(t *testing.T) {
	check(t, markup.EscapeTags, []conversion{
		{"plain", "Fair", "Fair"},
		{"tags", "&lt;b&gt; <b>x</b> < 5 > 3 &#038;", "&lt;b&gt; &lt;b&gt;x&lt;/b&gt; &lt; 5 &gt; 3 &#038;"},
	})
}

func FuzzPlain(f *testing.F) {
	for _, c := range texts {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, convert := range map[string]func(string) string{
			"StripTags": markup.StripTags, "CleanTermName": markup.CleanTermName, "EscapeName": markup.EscapeName,
			"EscapeURL": markup.EscapeURL, "Plain": markup.Plain, "EscapeTags": markup.EscapeTags, "Fold": markup.Fold, "Sanitize": markup.Sanitize,
		} {
			if got := convert(s); utf8.ValidString(s) && !utf8.ValidString(got) {
				t.Errorf("%s(%q) = %q, not valid UTF-8", name, s, got)
			}
		}
		if got := markup.EscapeTags(s); strings.ContainsAny(got, "<>") {
			t.Errorf("EscapeTags(%q) = %q, which holds a tag", s, got)
		}
		if once := markup.EscapeURL(s); markup.EscapeURL(once) != once {
			t.Errorf("EscapeURL(%q) = %q, then %q", s, once, markup.EscapeURL(once))
		}
	})
}
