package markup_test

// Tests of the texts of events, venues and organizers.

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/text/markup"

	"github.com/google/go-cmp/cmp"
)

// A conversion is a case of a function from text to text.
type conversion struct{ name, in, want string }

func check(t *testing.T, convert func(string) string, cases []conversion) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, convert(c.in)); diff != "" {
				t.Errorf("of %q (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

var titles = []conversion{
	{"plain", "Summer Fair", "Summer Fair"},
	{"empty", "", ""},
	{"spaces around", " \t Fair \n", "Fair"},
	{"bare ampersand", "Salt & Pepper", "Salt &#038; Pepper"},
	{
		"entities stay",
		"Salt &amp; Pepper &copy; &#8211; &#x2014;",
		"Salt &amp; Pepper &copy; &#8211; &#x2014;",
	},
	{"entity needs its semicolon", "a&amp b", "a&#038;amp b"},
	{"entity needs a name", "a&; &#; &#x; &1;", "a&#038;; &#038;#; &#038;#x; &#038;1;"},
	{"double quotes", `The "Old" Mill`, "The &#8220;Old&#8221; Mill"},
	{"empty double quotes", `zone ""`, "zone &#8220;&#8221;"},
	{"quote at the start", `"Old"`, "&#8220;Old&#8221;"},
	{"quote behind a bracket", `("Old")`, "(&#8220;Old&#8221;)"},
	{"quote behind a tag", `<b>"Old"</b>`, "<b>&#8220;Old&#8221;</b>"},
	{"quote behind a greater-than", `a >"b"`, "a >&#8220;b&#8221;"},
	{"quote at the end", `a "`, "a &#8220;"},
	{"quoted number", `Route "66"`, "Route &#8220;66&#8221;"},
	{"single quotes", `The 'Old' Mill`, "The &#8216;Old&#8217; Mill"},
	{"nested quotes", `"'Old' Mill"`, "&#8220;&#8216;Old&#8217; Mill&#8221;"},
	{"nested the other way", `'"Old" Mill'`, "&#8216;&#8221;Old&#8221; Mill&#8217;"},
	{"apostrophe", "Anna's and the dogs' day", "Anna&#8217;s and the dogs&#8217; day"},
	{"apostrophe after a digit", "1990's hits", "1990&#8217;s hits"},
	{"year", "Class of '99", "Class of &#8217;99"},
	{"years", "the '90s", "the &#8217;90s"},
	{"year before a full stop", "in '99.", "in &#8217;99."},
	{"no year", "'99.5 FM'", "&#8216;99.5 FM&#8217;"},
	{"year in quotes", "'99'", "&#8217;99&#8217;"},
	{"clipped word", "Dance 'til dawn, 'tis free", "Dance &#8217;til dawn, &#8217;tis free"},
	{"longer than a clipped word", "the 'tiling' course", "the &#8216;tiling&#8217; course"},
	{"feet and inches", `a 6' 2" door`, "a 6&#8242; 2&#8243; door"},
	{
		"feet and inches like a year",
		`5'10" wide, 5'10"`,
		"5&#8217;10&#8221; wide, 5&#8217;10&#8221;",
	},
	{"feet and inches in quotes", `"5'10""`, "&#8220;5&#8217;10&#8243;&#8221;"},
	{"year behind a digit", `5 - 6'90s`, "5 &#8211; 6&#8217;90s"},
	{"quotes of quotes", `'"x"'`, "&#8216;&#8221;x&#8221;&#8216;"},
	{"single quote before a double one", `"'n'" 'n'`, "&#8220;&#8216;n'&#8221; &#8216;n&#8217;"},
	{
		"quotes around tags",
		`<b>"x"</b> "<b>x</b>"`,
		"<b>&#8220;x&#8221;</b> &#8220;<b>x</b>&#8220;",
	},
	{
		"quotes in words",
		`he said:"hi" ("x") a"b`,
		"he said:&#8221;hi&#8221; (&#8220;x&#8221;) a&#8221;b",
	},
	{"single quotes", `it's '90s 5' 6" rock 'n' roll 'tis '12`,
		"it&#8217;s &#8217;90s 5&#8242; 6&#8243; rock &#8216;n&#8217; roll &#8217;tis &#8217;12"},
	{"quote alone", `"`, "&#8220;"},
	{"quote before a space", `" x`, "&#8221; x"},
	{"number ends a quotation", `"Apollo 13" in 3D`, "&#8220;Apollo 13&#8221; in 3D"},
	{"back quotes", "``Old'' Mill", "&#8220;Old&#8221; Mill"},
	{"curly quotes pass", "it’s “curly” – so…", "it’s “curly” – so…"},
	{"dash between spaces", "Jazz - the concert", "Jazz &#8211; the concert"},
	{"dash in a word", "Sing-along 2-3", "Sing-along 2-3"},
	{"two dashes between spaces", "Jazz -- the concert", "Jazz &#8212; the concert"},
	{"two dashes", "9--5", "9&#8211;5"},
	{"three dashes", "Jazz---live", "Jazz&#8212;live"},
	{"four dashes", "Jazz----live", "Jazz&#8212;-live"},
	{"host name", "xn--bcher-kva.example", "xn--bcher-kva.example"},
	{"dots", "and so on...", "and so on&#8230;"},
	{"four dots", "wait....", "wait&#8230;."},
	{"trade mark", "Bingo (tm)", "Bingo &#8482;"},
	{"trade mark needs a space", "Bingo(tm) (tm)x", "Bingo(tm) (tm)x"},
	{"dashes at words", "1 -- 2 --a a-- A--B", "1 &#8212; 2 &#8211;a a&#8211; A&#8211;B"},
	{"no signs", "(c) 1/2 1st xn--abc 0x1F 12x34x56", "(c) 1/2 1st xn--abc 0x1F 12x34x56"},
	{"hard spaces around", "\u00a0Fair\u00a0", "\u00a0Fair\u00a0"},
	{"multiplication", "3x4 and 2.5x10", "3&#215;4 and 2.5&#215;10"},
	{
		"no multiplication",
		"0x4, a3x4, 3x4x5, 1x00,x0, 3xl, max",
		"0x4, a3x4, 3x4x5, 1x00,x0, 3xl, max",
	},
	{
		"tags pass",
		`<b title="it's -- x">Bold</b> <script>a && b</script>`,
		`<b title="it's -- x">Bold</b> <script>a && b</script>`,
	},
	{
		"ampersand in a tag",
		`<a href="/?a=1&b=2&amp;c">l</a>`,
		`<a href="/?a=1&#038;b=2&amp;c">l</a>`,
	},
	{
		"ampersand in code",
		`<code title="a & b">a & <b title="a & b">b</b></code> <b title="a & b">x</b><!-- & -->`,
		`<code title="a &#038; b">a & <b title="a & b">b</b></code> <b title="a &#038; b">x</b><!-- & -->`,
	},
	{"code passes", `<code>a -- "b"</code> -- c`, `<code>a -- "b"</code> &#8212; c`},
	{
		"code in code",
		`<code><code>"</code>"</code> "c"`,
		`<code><code>"</code>"</code> &#8220;c&#8221;`,
	},
	{"comparisons", "7 > 2 < 3", "7 > 2 < 3"},
	{"text behind a less-than", `2 < 3 "x"`, "2 < 3 &#8220;x&#8221;"},
	{"tag without an end", `a <b and "c"`, "a &lt;b and &#8220;c&#8221;"},
	{"backslash", `a\b 50% [x]`, `a\b 50% [x]`},
	{"other scripts", "夏祭り 🎆 Καλοκαίρι", "夏祭り 🎆 Καλοκαίρι"},
}

func TestTitle(t *testing.T) { check(t, markup.Title, titles) }

// An imported title is stored decoded, and shown as the same text again.
func TestTitleOfDecodedText(t *testing.T) {
	for _, shown := range []string{
		"Bread &#038; Butter &#8211; 2pm &#038; 4pm", "St Anne&#8217;s Day", "Members’ Evening: Light / Dark", "Barn (North)",
	} {
		want := markup.Unescape(shown)
		if diff := cmp.Diff(want, markup.Unescape(markup.Title(want))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", shown, diff)
		}
	}
}

// Cases that Content and Excerpt share.
var texts = []conversion{
	{"empty", "", ""},
	{"spaces only", " \n ", ""},
	{"one line", "Come in", "<p>Come in</p>"},
	{"line end", "one\ntwo", "<p>one<br />\ntwo</p>"},
	{"line ends of other systems", "one\r\ntwo\r\rthree", "<p>one<br />\ntwo</p>\n<p>three</p>"},
	{"spaces at a line end", "one  \n  two", "<p>one<br />\n  two</p>"},
	{"blank line", "one\n\ntwo", "<p>one</p>\n<p>two</p>"},
	{"blank line with spaces", "one\n \t\n\n two", "<p>one</p>\n<p> two</p>"},
	{"break", "one<br>two<BR/>three<br />\nfour", "<p>one<br />two<br />three<br />\nfour</p>"},
	{"two breaks", "one<br><br />two", "<p>one</p>\n<p>two</p>"},
	{"breaks at the ends", "<br>one<br>", "<p>one</p>"},
	{"typography", "\"A\" -- b & c", "<p>&#8220;A&#8221; &#8212; b &#038; c</p>"},
	{
		"inline tags",
		"Go <em>there</em>\nby <a href=\"/bus\">bus</a>",
		"<p>Go <em>there</em><br />\nby <a href=\"/bus\">bus</a></p>",
	},
	{"line end in a tag", "<a\nhref=\"/bus\">bus</a>", "<p><a\nhref=\"/bus\">bus</a></p>"},
	{"paragraph passes", "<p>One <b>two</b></p>", "<p>One <b>two</b></p>"},
	{"paragraph keeps its spaces", "<p> one </p>", "<p> one </p>"},
	{
		"paragraph with a class",
		"<p class=\"x\">one\n\ntwo</p>",
		"<p class=\"x\">one</p>\n<p>two</p>",
	},
	{"empty paragraph goes", "a<p></p>b", "<p>a</p>\n<p>b</p>"},
	{"empty paragraph with a class", "<p class=\"gap\"></p>", "<p class=\"gap\"></p>"},
	{"non-breaking space", "<p>&nbsp;</p>", "<p>&nbsp;</p>"},
	{
		"open paragraphs",
		"<p>one<p>two<ul><li>a</ul>",
		"<p>one</p>\n<p>two</p>\n<ul>\n<li>a\n</ul>",
	},
	{"stray end of paragraph", "one</p>two", "<p>one</p>\n<p>two</p>"},
	{
		"stray end of paragraph in a block",
		"<figure>one</p>two",
		"<figure>\n<p>one</p>\n<p>two</p>",
	},
	{
		"blocks",
		"<h2>Head</h2>\ntext\n<ul><li>a</li><li>b</li></ul>",
		"<h2>Head</h2>\n<p>text</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>",
	},
	{"text before a block", "text\n<h2>Head</h2>", "<p>text</p>\n<h2>Head</h2>"},
	{"rule", "a<hr>b", "<p>a</p>\n<hr>\n<p>b</p>"},
	{"lines in a heading", "<h2>\nOne\n\ntwo</h2>", "<h2>\nOne<br />\ntwo</h2>"},
	{
		"nested list",
		"<ul>\n\n<li>a\n<ol><li>b</li></ol></li>\n</ul>",
		"<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>",
	},
	{
		"paragraphs in a list",
		"<ul><li>a\n\nb</li></ul>",
		"<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>",
	},
	{
		"table",
		"<table><tr><td>a</td><td></td></tr></table>",
		"<table>\n<tr>\n<td>a</td>\n<td></td>\n</tr>\n</table>",
	},
	{"text alone in a block", "<div>one\ntwo</div>", "<div>one<br />\ntwo</div>"},
	{"text on a line of its own", "<div>\none\n</div>", "<div>\none\n</div>"},
	{"blank lines in a block", "<div>\n\none\n\n</div>", "<div>\n<p>one</p>\n</div>"},
	{
		"text among blocks",
		"<div>one<h2>Two</h2>three</div>",
		"<div>\n<p>one</p>\n<h2>Two</h2>\n<p>three</p>\n</div>",
	},
	{
		"quotation",
		"<blockquote>one\n\ntwo</blockquote>",
		"<blockquote>\n<p>one</p>\n<p>two</p>\n</blockquote>",
	},
	{
		"details",
		"<details><summary>More</summary>text</details>",
		"<details>\n<summary>More</summary>\n<p>text</p>\n</details>",
	},
	{"figure", "<figure>\n<img src=\"a\">\n<figcaption>one\ntwo</figcaption>\n</figure>",
		"<figure>\n<img src=\"a\"><figcaption>one<br />\ntwo</figcaption>\n</figure>"},
	{
		"table with text",
		"<table><tr><td>1</td></tr></table>",
		"<table>\n<tr>\n<td>1</td>\n</tr>\n</table>",
	},
	{"definitions", "<dl><dt>a</dt><dd>b</dd></dl>", "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>"},
	{"paragraph in a block", "<div><p>a</p></div>", "<div>\n<p>a</p>\n</div>"},
	{
		"paragraph in a quotation",
		"<blockquote><p>q</p></blockquote>",
		"<blockquote>\n<p>q</p>\n</blockquote>",
	},
	{"picture with a caption", "<figure><img src=x><figcaption>c</figcaption></figure>",
		"<figure><img src=x><figcaption>c</figcaption></figure>"},
	{"elements that are no blocks", "<center>c</center>", "<p><center>c</center></p>"},
	{"one line end in a script", "<script>a\nb</script>", "<p><script>a\nb</script></p>"},

	{"spaces at the ends", "  spaced  ", "<p>  spaced  </p>"},
	{"spaces at the ends of a paragraph", "<p>  spaced  </p>", "<p>  spaced  </p>"},
	{"spaces at the ends of paragraphs", "  a  \n\n  b  ", "<p>  a  </p>\n<p>  b  </p>"},
	{"spaces in paragraphs", "<p> a </p><p> b </p>", "<p> a </p>\n<p> b </p>"},
	{"spaces in blocks", "<h2> x </h2><div>  x  </div>", "<h2> x </h2>\n<div>  x  </div>"},
	{"lines around", " \n a \n ", "<p> a </p>"},
	{"hard spaces at the ends", "\u00a0a\u00a0\n\n\u00a0", "<p>\u00a0a\u00a0</p>\n<p>\u00a0</p>"},

	{"spaces at a break", "a <br> b", "<p>a <br /> b</p>"},
	{"break at a line end", "a<br>\nb", "<p>a<br />\nb</p>"},
	{"break behind a line end", "a\n<br> b", "<p>a<br />\n<br /> b</p>"},
	{"break on a line of its own", "text after\n<br>\nx", "<p>text after<br />\n<br />\nx</p>"},
	{
		"break on a line of its own in a paragraph",
		"<p>a\n<br>\nb</p>",
		"<p>a<br />\n<br />\nb</p>",
	},
	{
		"break on a line of its own in a block",
		"<div>a\n<br>\nb</div>",
		"<div>a<br />\n<br />\nb</div>",
	},
	{"two breaks at line ends", "a<br>\n<br>\nb", "<p>a</p>\n<p>b</p>"},
	{"two breaks on lines of their own", "a\n<br>\n<br>\nb", "<p>a</p>\n<p>b</p>"},
	{"two breaks and a blank line", "a<br>\n\n<br>b", "<p>a</p>\n<p>b</p>"},
	{"two breaks with spaces", "a <br> <br> b", "<p>a </p>\n<p> b</p>"},
	{"three breaks", "a<br><br><br>b", "<p>a</p>\n<p>b</p>"},
	{"break before a blank line", "a<br />\n\nb", "<p>a</p>\n<p>b</p>"},
	{"break behind a blank line", "a\n\n<br>\nb", "<p>a</p>\n<p>\nb</p>"},
	{"break between blank lines", "a\n\n<br>\n\nb", "<p>a</p>\n<p>b</p>"},
	{"break at the end of a paragraph", "<p>a<br></p>", "<p>a</p>"},
	{"break at the end of a block", "<div>a<br></div>", "<div>a</div>"},
	{"break at the beginning of a block", "<div><br>a</div>", "<div>a</div>"},
	{"break at the end of a list item", "<ul><li> a <br></li></ul>", "<ul>\n<li> a </li>\n</ul>"},
	{
		"break at the end of a heading",
		"<h2>a<br></h2><h3>b\n<br></h3>",
		"<h2>a<br /></h2>\n<h3>b<br />\n<br /></h3>",
	},

	{"empty paragraph alone", "<p></p>", ""},
	{"paragraph of a space", "<p> </p>x", "<p>x</p>"},
	{"empty paragraph between blank lines", "a\n\n<p></p>\n\nb", "<p>a</p>\n<p>b</p>"},

	{"link around blocks", "<a href=\"/\"><div>x</div></a>", "<a href=\"/\">\n<div>x</div>\n</a>"},
	{
		"tags on lines of their own",
		"<i>\n\n<b>\n\n<p>x</p></b></i>",
		"<i>\n\n<b>\n<p>x</p>\n</b></i>",
	},
	{"stray end of a block", "a</div>b", "<p>a</p>\n</div>\n<p>b</p>"},
	{
		"listing",
		"a\n<pre>x\n\n  \"y\" <b>\n</pre>\nb",
		"<p>a</p>\n<pre>x\n\n  \"y\" <b>\n</pre>\n<p>b</p>",
	},
	{"script", "<script>\na()\n\nb()\n</script><p onclick=\"x()\">hi</p>",
		"<p><script>\na()\n\nb()\n</script></p>\n<p onclick=\"x()\">hi</p>"},
	{"script without an end", "<script>a\n\nb", "<p><script>a</p>\n<p>b</p>"},
	{
		"frame",
		"<iframe src=\"https://example.org\"></iframe>",
		"<p><iframe src=\"https://example.org\"></iframe></p>",
	},
	{"comment", "a <!-- x\n\ny --> b", "<p>a <!-- x\n\ny --> b</p>"},
	{"address", "https://example.org/a", "<p>https://example.org/a</p>"},
	{"shortcode", "[map zoom=3]", "<p>[map zoom=3]</p>"},
	{"less-than", "a < b\n\nc <", "<p>a < b</p>\n<p>c <</p>"},
}

func TestContent(t *testing.T) {
	check(t, markup.Content, texts)
	check(t, markup.Content, []conversion{
		{
			"paragraph block",
			"<!-- wp:paragraph -->\n<p>One</p>\n<!-- /wp:paragraph -->",
			`<p class="wp-block-paragraph">One</p>`,
		},
		{
			"paragraph block with a class",
			`<!-- wp:paragraph {"align":"right"} --><p class="r">One</p><!-- /wp:paragraph -->`,
			`<p class="r wp-block-paragraph">One</p>`,
		},
		{
			"paragraph block of another make",
			`<!-- wp:paragraph --><p class='wp-block-paragraph'>a</p><!-- /wp:paragraph -->`,
			`<p class='wp-block-paragraph'>a</p>`,
		},
		{
			"paragraph block without class value",
			`<!-- wp:paragraph --><p class dir=rtl>a</p><!-- /wp:paragraph -->`,
			`<p class="wp-block-paragraph" class dir=rtl>a</p>`,
		},
		{
			"list block",
			"<!-- wp:list {\"ordered\":true} --><ol><li>a\nb<ul></ul></li></ol><!-- /wp:list --><p>c -- d</p>",
			`<ol class="wp-block-list"><li>a` + "\n" + `b<ul></ul></li></ol><p>c &#8212; d</p>`,
		},
		{"list in a list",
			"<!-- wp:list --><ul><!-- wp:list-item --><li>a<!-- wp:list --><ul></ul><!-- /wp:list --></li><!-- /wp:list-item " +
				"--></ul><!-- /wp:list -->",
			`<ul class="wp-block-list"><li>a<ul class="wp-block-list"></ul></li></ul>`},
		{
			"heading block",
			"<!-- wp:heading --><h2 id=x>H</h2><!-- /wp:heading -->",
			`<h2 class="wp-block-heading" id=x>H</h2>`,
		},
		{
			"heading block with its class",
			`<!-- wp:heading --><h2 class="wp-block-heading">H</h2><!-- /wp:heading -->`,
			`<h2 class="wp-block-heading">H</h2>`,
		},
		{
			"quotation block",
			`<!-- wp:quote --><blockquote class="wp-block-quote"><p>q</p></blockquote><!-- /wp:quote -->`,
			`<blockquote class="wp-block-quote is-layout-flow wp-block-quote-is-layout-flow"><p>q</p></blockquote>`,
		},
		{
			"other block",
			"<!-- wp:code --><pre class=x>a</pre><!-- /wp:code -->",
			"<pre class=x>a</pre>",
		},
		{"dynamic block", "<!-- wp:calendar /--> a", "a"},
	})
}

func TestExcerpt(t *testing.T) {
	check(t, markup.Excerpt, texts)
	check(t, markup.Excerpt, []conversion{
		{"block comments are comments", "<!-- wp:paragraph --><p>One</p><!-- /wp:paragraph -->",
			"<p><!-- wp:paragraph --></p>\n<p>One</p>\n<p><!-- /wp:paragraph --></p>"},
		{"gallery is text", "[gallery]", "<p>[gallery]</p>"},
	})
}

func TestRenderedTextIsStable(t *testing.T) {
	rendered := []string{
		"<h2>Open Day at Anna&#8217;s Studio</h2>\n<p>Write to us:</p>\n<p><strong>Ann  (phone) or (mail @ann_draws)</strong></p>\n<p>&nbsp;</p>",
		"<p>Tea &amp; Cake  — $7 (small)</p>\n<p>At both places until 5pm!</p>",
		"<p>The Shop – <a href=\"https://example.org/x\" target=\"_blank\" rel=\"noopener\">5 Elm St., Albany</a></p>",
		"<p><strong>Two Days &#8211; Saturday and Sunday.</strong></p>\n<p>All 50% off.</p>",
		"<p><span style=\"font-weight: 400;\">We&#8217;ll see you there! </span></p>",
		"<p>2 1/2 hours. ✏️🎨<br />\nBring chairs.</p>",
	}
	for _, c := range texts {
		rendered = append(rendered, c.want)
	}
	for _, want := range rendered {
		if diff := cmp.Diff(want, markup.Content(want)); diff != "" {
			t.Errorf("Content changes what it made (-want +got):\n%s", diff)
		}
	}
}

// brokenLines are the parts of paragraphs and the ends of their lines.
var brokenLines = []string{
	"a", "b c", "'n'", "\"", "5'10", " ", "  ", "\n", "\n", "\n\n", "<br>", "<br>", "<br />", "<p>", "</p>", "<p class=x>", "<div>",
	"</div>", "<h2>", "</h2>",
	"<ul>", "<li>", "</li>", "</ul>", "<blockquote>", "</blockquote>", "<b>", "</b>", "<hr>", "\u00a0", "<img>", "<!-- c -->",
}

func TestRenderedTwice(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 30_000 {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString(brokenLines[random.IntN(len(brokenLines))])
		}
		s := b.String()
		once := markup.Excerpt(s)
		if diff := cmp.Diff(once, markup.Excerpt(once)); diff != "" {
			t.Fatalf("%q, rendered (-once +twice):\n%s", s, diff)
		}
	}
}

var verbatim = regexp.MustCompile(`(?i)<(pre|code|kbd|style|script|tt)`)

func FuzzRender(f *testing.F) {
	for _, c := range append(titles, texts...) {
		f.Add(c.in)
	}
	f.Add("<!-- wp:paragraph --><p class>x</p>")
	f.Fuzz(func(t *testing.T, s string) {
		for name, render := range map[string]func(string) string{
			"Title": markup.Title, "Content": markup.Content, "Excerpt": markup.Excerpt,
		} {
			got := render(s)
			if utf8.ValidString(s) && !utf8.ValidString(got) {
				t.Errorf("%s(%q) = %q, not valid UTF-8", name, s, got)
			}
			if got != strings.Trim(got, " \n\t\r\f") {
				t.Errorf("%s(%q) = %q, not trimmed", name, s, got)
			}
		}
		if verbatim.MatchString(s) {
			return // a verbatim element may have a tag without an end, which may find one
		}
		if once := markup.Title(s); markup.Title(once) != once {
			t.Errorf("Title(%q) = %q, then %q", s, once, markup.Title(once))
		}
		if once := markup.Excerpt(s); markup.Excerpt(once) != once {
			t.Errorf("Excerpt(%q) = %q, then %q", s, once, markup.Excerpt(once))
		}
	})
}

// These inputs take a second in linear time, and minutes in any other.
func TestHugeInputs(t *testing.T) {
	const size = 1 << 18
	for _, unit := range []string{
		"a", "<", "<a", "<a ", "<a x=\"' y='", "<a x=\"", "<b>", "</b>", "<p>", "<div>", "<!--", "<!", "<script>",
		"</script", "<script></script x='", "\"'", "1x", "1,", "-", "&", "&a", "\n", " \n", "<br>", "%e6", "[gallery ",
		"[caption]<img x>a", "[caption]a[/caption]", "[embed]", "[[embed]", "[embed]https://a[/embed]", "[gallery \"",
		"é", "и\u0306", "<!-- wp:paragraph -->", "<p class=x ", "<li><i>", "</div><svg>",
	} {
		s := strings.Repeat(unit, size/len(unit))
		for _, f := range []func(string) string{
			markup.Title, markup.Content, markup.Excerpt, markup.Sanitize, markup.SanitizeTitle, markup.StripTags, markup.TermDescription,
			markup.CleanTermName, markup.EscapeName, markup.EscapeURL, markup.EscapeTags, markup.Plain,
			markup.Slug, markup.Fold,
		} {
			f(s)
		}
	}
}
