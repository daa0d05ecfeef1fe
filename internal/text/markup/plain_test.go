// Tests of the ways between HTML and plain text.

package markup_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/markup"
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
		{
			"query",
			"https://example.org/?a=1&b=2&amp;c=3&copy=4",
			"https://example.org/?a=1&amp;b=2&amp;c=3&amp;copy=4",
		},
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
		{
			"blocks on one line",
			"<ul><li>a</li><li>b</li></ul><figure>c<figcaption>d</figcaption></figure>",
			"a b c d",
		},
		{"inline tags", "<p><b>B</b>ig &amp; &#8220;bold&#8221;&nbsp;</p>", `Big & "bold"`},
		{"hidden", "<script>x</script><p>a<!-- b --></p><style>c</style>", "a"},
		{"escaped tag", "&lt;b&gt;", "<b>"},
		{"empty", "", ""},
		{
			"as typed",
			"<p>It&#8217;s &#8220;short&#8221; &#038; sweet &#8212; 3&#215;4&#8230; 6&#8242; 2&#8243; &#8211; a&#8211;b (c) &#8482;</p>",
			`It's "short" & sweet -- 3x4... 6' 2" - a--b (c) (tm)`,
		},
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
		{
			"tags",
			"&lt;b&gt; <b>x</b> < 5 > 3 &#038;",
			"&lt;b&gt; &lt;b&gt;x&lt;/b&gt; &lt; 5 &gt; 3 &#038;",
		},
	})
}

func FuzzPlain(f *testing.F) {
	for _, c := range texts {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, convert := range map[string]func(string) string{
			"StripTags":     markup.StripTags,
			"CleanTermName": markup.CleanTermName,
			"EscapeName":    markup.EscapeName,
			"EscapeURL":     markup.EscapeURL,
			"Plain":         markup.Plain,
			"EscapeTags":    markup.EscapeTags,
			"Fold":          markup.Fold,
			"Sanitize":      markup.Sanitize,
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

func TestLines(t *testing.T) {
	tests := []struct{ name, html, want string }{
		{"nothing", "", ""},
		{"text", "  a  b \n c ", "a b c"},
		{"paragraphs", "<p>One.</p>\n<p>Two<br />\nand three.</p>\n", "One.\n\nTwo\nand three."},
		{"entities", "<p>Ann &amp; Bob&#8217;s &lt;b&gt; caf&eacute;</p>", "Ann & Bob’s <b> café"},
		{
			"typography of a text",
			markup.Content("It's \"on\"\n\nR&B -- now"),
			"It’s “on”\n\nR&B — now",
		},
		{
			"list",
			"<p>Bring:</p><ul><li>a pen</li>\n<li><p>paper</p></li></ul><p>See you.</p>",
			"Bring:\n\n- a pen\n- paper\n\nSee you.",
		},
		{"numbers", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>d", "1. a\n  - b\n2. c\n\nd"},
		{
			"link",
			`See <a class="x" href="https://a.example/?x=1&amp;y=2">our page</a>.`,
			"See our page (https://a.example/?x=1&y=2).",
		},
		{
			"link that says so",
			`<a href="https://a.example/">https://a.example/</a>`,
			"https://a.example/",
		},
		{
			"link to a mailbox",
			`Write to <a href="mailto:ann@a.example">Ann</a> or <a href='mailto:b@a.example'>b@a.example</a>`,
			"Write to Ann (ann@a.example) or b@a.example",
		},
		{"link on the page", `<a href="#top">up</a> <a href="/x">x</a>`, "up x"},
		{"heading", "<h2>When</h2>Now<hr>then", "When\n\nNow\n\n---\n\nthen"},
		{"inline", "<p><b>bo</b>ld <i>it</i></p>", "bold it"},
		{"image", `<p><img src="a.png" alt="A &quot;map&quot;"> here</p>`, `A "map" here`},
		{
			"table",
			"<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
			"a b\n1 2",
		},
		{"white space that counts", "<pre>a\n  b</pre>c", "a\n  b\n\nc"},
		{"hidden", "a<script>b</script><style>c</style><!-- d -->e", "ae"},
		{"breaks", "a<br><br>b<br><br><br>c", "a\n\nb\n\nc"},
		{"no markup", "1 < 2 > 0 <", "1 < 2 > 0 <"},
		{"ends too many", "a</ul></ol></pre></a></p>b<li>c", "a\n\nb\n- c"},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, string(markup.AppendLines(nil, test.html))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if got := string(markup.AppendLines([]byte("before "), "<p>a</p>")); got != "before a" {
		t.Errorf("behind something: %q", got)
	}
}

// Lines are text without ends around it, whatever they are made of.
func FuzzLines(f *testing.F) {
	f.Add("<ul><li>a<p>b</ul>c")
	f.Add(`<a href="x:y">z</a><pre>`)
	f.Fuzz(func(t *testing.T, html string) {
		got := string(markup.AppendLines(nil, html))
		if utf8.ValidString(html) && !utf8.ValidString(got) {
			t.Errorf("no UTF-8: %q", got)
		}
		if !strings.Contains(html, "<pre") && !strings.Contains(html, "<PRE") &&
			strings.Contains(got, "\n\n\n") &&
			!strings.Contains(html, "&") {
			t.Errorf("two blank lines: %q", got)
		}
	})
}
