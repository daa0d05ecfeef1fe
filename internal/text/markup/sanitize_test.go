package markup_test

// Tests of the sanitizer, with a checker that reads HTML in its own way.

import (
	"html"
	"slices"
	"strings"
	"testing"

	"almanac/internal/text/markup"
)

var dirty = []conversion{
	{"plain text", "Salt & Pepper > 3", "Salt & Pepper > 3"},
	{"less-than", "2 < 3 <3", "2 &lt; 3 &lt;3"},
	{"entities stay", "&lt;b&gt; &amp;", "&lt;b&gt; &amp;"},
	{"allowed", `<p class="x">a <a href="/b">c</a></p>`, `<p class="x">a <a href="/b">c</a></p>`},
	{"upper case", `<B CLASS=x>a</B>`, `<b class="x">a</b>`},
	{
		"script",
		`<script>alert(1)</script><p onclick="x()">hi</p><iframe src="https://example.org"></iframe>`,
		"alert(1)<p>hi</p>",
	},
	{"style sheet", "<style>b{}</style>", "b{}"},
	{"comment", "a<!-- <b> -->b<!DOCTYPE x><?php y ?>", "ab"},
	{"foreign content", "<svg><script>x</script></svg><math>y</math>", "xy"},
	{"form", `<form action=x><input name=y><button>z</button></form>`, "z"},
	{"joined tag", "<<b>script>x</b>", "&lt;<b>script>x</b>"},
	{"joined by a dropped tag", "<<x>script>", "&lt;script>"},
	{"tag without an end", `a <img src=x onerror=y`, `a &lt;img src=x onerror=y`},
	{"tag in a tag", `<a <b>x</b>`, `&lt;a <b>x</b>`},
	{"comment without an end", "<!-- a", "&lt;!-- a"},
	{
		"quote in a value",
		`<a title='"x"' href="/?a='">y</a>`,
		`<a title="&quot;x&quot;" href="/?a='">y</a>`,
	},
	{"tag in a value", `<a title="<b onclick=x>">y</a>`, `<a title="&lt;b onclick=x&gt;">y</a>`},
	{"quote without an end", `<a title="x>y</a>`, `<a title="&quot;x">y</a>`},
	{"attribute twice", `<a href="/a" href="javascript:x">y</a>`, `<a href="/a">y</a>`},
	{
		"attributes without spaces",
		`<a/href="/a"onclick="x"title=b>y</a>`,
		`<a href="/a" title="b">y</a>`,
	},
	{"data attributes, ids and names", `<p id=a name=b data-x=c>d</p>`, "<p>d</p>"},
	{"attribute without a value", "<details open>x</details>", `<details open="">x</details>`},
	{
		"void elements",
		`a<br>b<hr/>c<img src="x.png" alt="">`,
		`a<br />b<hr />c<img src="x.png" alt="" />`,
	},
	{"not closed", "<div><b>a", "<div><b>a</b></div>"},
	{"closed out of order", "<b><i>a</b>b</i>", "<b><i>a</i></b>b"},
	{"closed too often", "a</div></b>b", "ab"},
	{"list items", "<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"},
	{"paragraphs", "<p>a<p>b", "<p>a</p><p>b</p>"},
	{
		"schemes",
		`<a href="HTTPS://a">1</a><a href="mailto:a@b">2</a><a href="#x:y">3</a><a href="//a/b:c">4</a>`,
		`<a href="HTTPS://a">1</a><a href="mailto:a@b">2</a><a href="#x:y">3</a><a href="//a/b:c">4</a>`,
	},
	{"script address", `<a href="javascript:x">y</a>`, "<a>y</a>"},
	{
		"script address in disguise",
		`<a href=" &#1;jAva&Tab;scr` + "\n" + `ipt&colon;x">y</a>`,
		"<a>y</a>",
	},
	{"script address by numbers", `<a href="&#106&#x61vascript:x">y</a>`, "<a>y</a>"},
	{"script address with a control character", "<a href=\"java\x01script:x\">y</a>", "<a>y</a>"},
	{"data address", `<img src="data:image/svg+xml,x">`, "<img />"},
	{"unknown scheme", `<a href="x-y:z">y</a>`, "<a>y</a>"},
	{
		"address with query",
		`<a href="/?a=1&b=2&amp;c=3&copy=4">y</a>`,
		`<a href="/?a=1&b=2&amp;c=3&copy=4">y</a>`,
	},
	{"spaces in an address", "<a href=\" /a\n/b \">y</a>", `<a href="/a/b">y</a>`},
	{
		"style",
		`<span style="font-weight: 400;">x</span>`,
		`<span style="font-weight: 400;">x</span>`,
	},
	{
		"styles",
		`<p style="COLOR:#fff;background:url(x);position:fixed;width:expression(x);text-align:left">x</p>`,
		`<p style="color: #fff; text-align: left;">x</p>`,
	},
	{
		"margins",
		`<p style="margin:0 auto;margin-left:-9999px;margin-top:1em;font-family:Georgia, serif">x</p>`,
		`<p style="margin: 0 auto; margin-top: 1em; font-family: Georgia, serif;">x</p>`,
	},
	{
		"labels and fonts",
		`<font color=red face=Arial size=2 onclick=x><b role="img" aria-label="A" aria-hidden=true aria-owns=x hidden>x</b>`,
		`<font color="red" face="Arial" size="2"><b role="img" aria-label="A" aria-hidden="true">x</b></font>`,
	},
	{"no style left", `<p style="position:fixed">x</p>`, "<p>x</p>"},
}

func TestSanitize(t *testing.T) {
	check(t, markup.Sanitize, dirty)
	for _, c := range dirty {
		checkClean(t, markup.Sanitize, c.in)
	}
}

// Rendering must not undo the cleaning.
func TestSanitizedTextIsRenderedSafely(t *testing.T) {
	for _, c := range dirty {
		checkSafe(t, renderClean, c.in)
	}
	checkSafe(t, renderClean, `<a href="java[gallery " title="]script:x">y</a>`)
	for _, c := range shortcodes {
		checkSafe(t, renderClean, c.in)
	}
	checkSafe(t, renderClean, `<a title="<!-- wp:paragraph -->" class="--><p class=">y</a>`)
}

func renderClean(s string) string {
	s = markup.Sanitize(s)
	return markup.Content(s) + markup.Excerpt(s) + markup.Title(markup.SanitizeTitle(s))
}

var dirtyTitles = []conversion{
	{"plain", "Salt & Pepper > 3", "Salt & Pepper > 3"},
	{"blocks and pictures", `<p>para</p><h2>h</h2><span>s</span><img src="x">z`, "parahsz"},
	{"script", "<script>a()</script>z", "a()z"},
	{
		"other inline tags",
		"<u>a</u><small>b</small><sub>c</sub><sup>d</sup><br><ins>e</ins><mark>f</mark><!-- g -->",
		"abcdef",
	},
	{
		"inline",
		"<b>a</b> <em class=x style='color:red'>b</em> <strike>c</strike> <q cite='/q'>d</q> <abbr title=x>e</abbr>",
		`<b>a</b> <em>b</em> <strike>c</strike> <q cite="/q">d</q> <abbr title="x">e</abbr>`,
	},
	{"link", `<a href="https://example.org/?a&b" title="t" target="_blank" class="c">a</a>`,
		`<a href="https://example.org/?a&b" title="t">a</a>`},
	{"deleted", `<del datetime="2031-05-10" cite="/x">a`, `<del datetime="2031-05-10">a</del>`},
}

func TestSanitizeTitle(t *testing.T) {
	check(t, markup.SanitizeTitle, dirtyTitles)
	for _, c := range append(dirty, dirtyTitles...) {
		checkClean(t, markup.SanitizeTitle, c.in)
	}
}

func TestTermDescription(t *testing.T) {
	check(t, markup.TermDescription, []conversion{
		{"plain", " About music. ", " About music. "},
		{"script", "<script>x</script><b>b</b>", "x<b>b</b>"},
		{
			"inline only",
			`<p class="x"><em class="y">a</em> <a href="https://example.org/" title="t">b</a></p>`,
			`<em>a</em> <a href="https://example.org/" title="t">b</a>`,
		},
		{"ampersands", `a & b &amp; &#38; &foo <a href="/?a=1&b=2&amp;c">x</a> & <b`,
			`a &amp; b &amp; &#38; &amp;foo <a href="/?a=1&amp;b=2&amp;c">x</a> &amp; &lt;b`},
	})
}

func FuzzSanitize(f *testing.F) {
	for _, c := range slices.Concat(dirty, dirtyTitles, texts, shortcodes) {
		f.Add(c.in)
	}
	f.Add(`<a href="java[gallery " title="]script:x">y</a>`)
	f.Fuzz(func(t *testing.T, s string) {
		checkClean(t, markup.Sanitize, s)
		checkClean(t, markup.SanitizeTitle, s)
		checkClean(t, markup.TermDescription, s)
		checkClean(t, markup.StripTags, s)
		checkSafe(t, renderClean, s)
		if got := markup.StripTags(s); len(readTags(got)) > 0 {
			t.Errorf("StripTags(%q) = %q, which holds a tag", s, got)
		}
	})
}

// checkClean fails if the result of clean is not safe, or if cleaning it again changes it.
func checkClean(t *testing.T, clean func(string) string, s string) {
	t.Helper()
	checkSafe(t, clean, s)
	got := clean(s)
	if again := clean(got); again != got {
		t.Errorf("%q becomes %q and then %q", s, got, again)
	}
}

// checkSafe fails if a browser would run a part of the result of convert.
func checkSafe(t *testing.T, convert func(string) string, s string) {
	t.Helper()
	got := convert(s)
	for _, tag := range readTags(got) {
		if slices.Contains(
			[]string{
				"script",
				"style",
				"iframe",
				"object",
				"embed",
				"svg",
				"math",
				"base",
				"form",
				"!",
				"?",
			},
			tag.name,
		) {
			t.Errorf("%q becomes %q with <%s>", s, got, tag.name)
		}
		for name, value := range tag.attrs {
			address := strings.Map(func(r rune) rune {
				if r <= ' ' || r == 0x7f {
					return -1
				}
				return r
			}, strings.ToLower(html.UnescapeString(value)))
			if strings.HasPrefix(name, "on") || name == "srcdoc" ||
				name == "style" && strings.Contains(address, "(") ||
				name != "title" && name != "class" && name != "alt" &&
					(strings.HasPrefix(address, "javascript:") || strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "vbscript:")) {
				t.Errorf("%q becomes %q with %s=%q", s, got, name, value)
			}
		}
	}
}

type tag struct {
	name  string
	attrs map[string]string
}

// readTags reads the tags of s as a browser does, one character after the other, with a tag or a
// comment that never ends counting as well.
func readTags(s string) []tag {
	var tags []tag
	isSpace := func(c byte) bool { return strings.IndexByte(" \t\n\r\f", c) >= 0 }
	i := 0
	at := func() byte { // the current character, ">" behind the end
		if i < len(s) {
			return s[i]
		}
		return '>'
	}
	take := func(until string) string {
		start := i
		for at() != '>' && !strings.ContainsRune(until, rune(at())) {
			i++
		}
		return strings.ToLower(s[start:min(i, len(s))])
	}
	for ; i < len(s); i++ {
		if s[i] != '<' || i+1 == len(s) {
			continue
		}
		c := s[i+1]
		if c == '!' || c == '?' {
			tags = append(tags, tag{name: string(c)})
			continue
		}
		if c == '/' && i+2 < len(s) {
			i++
			c = s[i+1]
		}
		if c |= 0x20; c < 'a' || c > 'z' {
			continue
		}
		i++
		found := tag{name: take(" \t\n\r\f/"), attrs: map[string]string{}}
		for at() != '>' {
			if isSpace(at()) || at() == '/' {
				i++
				continue
			}
			start := i
			i++
			name := strings.ToLower(s[start:i]) + take(" \t\n\r\f/=")
			for isSpace(at()) {
				i++
			}
			value := ""
			if at() == '=' {
				i++
				for isSpace(at()) {
					i++
				}
				if q := at(); q == '"' || q == '\'' {
					i++
					start := i
					for i < len(s) && s[i] != q {
						i++
					}
					value = s[start:i]
					i++
				} else {
					value = take(" \t\n\r\f")
				}
			}
			if _, ok := found.attrs[name]; !ok {
				found.attrs[name] = value
			}
		}
		tags = append(tags, found)
	}
	return tags
}
