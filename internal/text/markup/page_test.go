package markup_test

// Tests of HTML as pages show it.

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"almanac/internal/text/markup"
)

var pageOptions = markup.PageOptions{
	Origin:       "https://choir.example",
	PictureHosts: []string{"pictures.example"},
	FrameHosts:   []string{"www.youtube.com"},
	Heading:      3,
}

func page(s string) string    { return string(markup.AppendPage(nil, s, pageOptions)) }
func excerpt(s string) string { return string(markup.AppendPageExcerpt(nil, s)) }

const rel = ` rel="nofollow ugc noopener"`

var attacks = []conversion{
	{"script", "a<script>alert(1)</script>b", "ab"},
	{"script without an end", "a<script>alert(1)", "aalert(1)"},
	{"script in upper case with a space", "<SCRIPT >x</SCRIPT\n>a", "a"},
	{"script in a script", "<scr<script>ipt>alert(1)</scr</script>ipt>a", "&lt;script&gt;a"},
	{"handlers", `<p onclick=x() ONLOAD="y" on-z=1>a</p>`, "<p>a</p>"},
	{
		"handler behind a slash",
		`<img/src="/a"/onerror=alert(1)/>`,
		`<img src="/a" alt="" loading="lazy" decoding="async">`,
	},
	{"handler in a value", `<img alt='" onerror="x' src=/a.png>`,
		`<img src="/a.png" alt="&quot; onerror=&quot;x" loading="lazy" decoding="async">`},
	{
		"backticks",
		"<img src=`x` alt=`` onerror=x>",
		"<img src=\"%60x%60\" alt=\"``\" loading=\"lazy\" decoding=\"async\">",
	},
	{
		"style",
		`<p style="background:url(javascript:x)">a</p><style>@import 'x'</style>`,
		"<p>a</p>",
	},
	{
		"ids, names and classes",
		`<div id=main class=skip name=x data-a=b role=main aria-hidden=true tabindex=1>a</div>`,
		"<div>a</div>",
	},
	{"script address", `<a href="javascript:x">a</a>`, "a"},
	{"script address in disguise", "<a href=\" \x01jAv\na\tscr&#13;ipt&colon;x\">a</a>", "a"},
	{"script address by numbers", `<a href="&#106;&#x61;vascript&#58;x">a</a>`, "a"},
	{
		"script address by numbers without ends",
		`<a href="&#106&#x61vascript:x">a</a>`,
		`<a href="&amp;#106&amp;#x61vascript:x">a</a>`,
	},
	{"script address with NUL", "<a href=\"java\x00script:x\">a</a>", "a"},
	{"script address behind a no-break space", "<a href=\"&nbsp;javascript:x\">a</a>", "a"},
	{
		"other schemes",
		`<a href="data:text/html,x">a</a><a href="vbscript:x">b</a><a href="blob:x">c</a><a href="file:///x">d</a>`,
		"abcd",
	},
	{"data picture", `<img src="data:image/svg+xml,<svg onload=x>" alt=a>`, "a"},
	{"script picture", `<img src="javascript:x">`, ""},
	{"candidates", `<img srcset="//evil.example/a 2x" sizes=1 src="/a.png" alt="b">`,
		`<img src="/a.png" alt="b" loading="lazy" decoding="async">`},
	{"lowsrc, ping, formaction", `<a ping=/x href=/a formaction=/b>c</a>`, `<a href="/a">c</a>`},
	{"svg", "a<svg><script>x</script><a xlink:href='javascript:x'>y</a></svg>b", "ab"},
	{"svg without an end", "<svg><style><img src=x onerror=y></style>", ""},
	{
		"math",
		`<math><mtext><table><mglyph><style><img src onerror=x></style>a</table></math>`,
		"<table><tr><td>a</td></tr></table>",
	},
	{
		"mutation by a form",
		`<form><math><mtext></form><form><mglyph><style></math><img src onerror=x></style></form>`,
		"",
	},
	{"noscript", `<noscript><p title="</noscript><img src=x onerror=y>">a</noscript>`, "<p>a</p>"},
	{"template", "<template><img src=x onerror=y></template>a", "a"},
	{
		"title and textarea",
		`<title><img></title><textarea><b></textarea>a<select><option>b</select>`,
		"a",
	},
	{"plaintext and listings", "<plaintext><xmp><listing>a", "a"},
	{"mutation by a comment", `<!--><img src=x onerror=y>-->a<!-- --!> <b>b`,
		`<img src="x" alt="" loading="lazy" decoding="async">--&gt;a&lt;!-- --!&gt; <b>b</b>`},
	{"processing and declarations", "<?xml x?><!DOCTYPE html><![CDATA[ a ]]>b", "b"},
	{"conditional comment", "<!--[if IE]><script>x</script><![endif]-->a", "a"},
	{
		"base, meta, link",
		`<base href="//evil.example"><meta http-equiv=refresh content="0;url=//x"><link rel=stylesheet href=x>a`,
		"a",
	},
	{
		"form",
		`<form action=/x><label>a <input name=b></label><button>c</button></form>`,
		"<div>a c</div>",
	},
	{
		"object and embed",
		`<object data=x><embed src=y><param name=z>a</object><applet>b</applet>`,
		"ab",
	},
	{"frame", `<iframe src="https://evil.example/x?y=1&z=2"></iframe>`,
		`<a href="https://evil.example/x?y=1&amp;z=2"` + rel + `>evil.example</a>`},
	{"frame with a document", `<iframe srcdoc="<script>x</script>">a</iframe>`, ""},
	{
		"frame of our own",
		`<iframe src="/events/" title="Events">a</iframe>`,
		`<a href="/events/">Events</a>`,
	},
	{"hosts in disguise", `<img src="https://pictures.example@evil.example/a.png" alt="1"> ` +
		`<img src="https://pictures.example.evil.example/a.png" alt="2"> <img src="//pictures.example:81/a" alt="3"> ` +
		`<img src="/\evil.example/b" alt="4"> <img src="\/` + "\t" + `/evil.example" alt="5"> <img src="https:evil.example/a" alt="6">`,
		`1 <a href="https://pictures.example.evil.example/a.png"` + rel + `>2</a> <a href="//pictures.example:81/a"` + rel +
			`>3</a> <a href="//evil.example/b"` + rel + `>4</a> 5 6`},
	{
		"text that looks like tags",
		"1 < 2 <3 & a<b <img src=x onerror=y",
		"1 &lt; 2 &lt;3 &amp; a&lt;b &lt;img src=x onerror=y",
	},
	{"joined by what is dropped", "<<x>script>a<</x>/script>", "&lt;script&gt;a&lt;/script&gt;"},
	{"entities that begin like others", "&ltscript; &ampgt; &copy; &foo; &#60;b&#62; &lt;b&gt;",
		"&amp;ltscript; &amp;ampgt; &copy; &amp;foo; &#60;b&#62; &lt;b&gt;"},
	{
		"NUL and controls",
		"a\x00b\x1bc\u0085d&#0;e&#x1;f&#150;g&#xd800;h&#x110000;i\ufffej&#x81;",
		"abcdef–ghij",
	},
	{
		"bidi controls",
		"\u202ea\u2066b&#8238;c&#x2069;d\u200ee<b title='\u202d'>f</b><bdo dir=RTL lang=he>g</bdo><bdo>h</bdo>",
		`abcd` + "\u200e" + `e<b>f</b><bdo dir="rtl" lang="he">g</bdo>h`,
	},
	{
		"quote without an end",
		`<a title="x>y</a><img src="/a`,
		`&lt;a title=&quot;x&gt;y&lt;/a&gt;&lt;img src=&quot;/a`,
	},
	{
		"attribute twice",
		`<a href="/a" href="javascript:x">y</a><a href="javascript:x" href="/a">z</a>`,
		`<a href="/a">y</a>z`,
	},
}

var contents = []conversion{
	{"nothing", "", ""},
	{"text", "Salt &amp; Pepper &#8211; caf&eacute;\n", "Salt &amp; Pepper &#8211; caf&eacute;\n"},
	{
		"paragraphs",
		"<p>One<br />\ntwo</p>\n<p>Three &#8220;four&#8221;</p>",
		"<p>One<br>\ntwo</p>\n<p>Three &#8220;four&#8221;</p>",
	},
	{"not closed", "<p>a<p>b<div><b>c<i>d", "<p>a</p><p>b</p><div><b>c<i>d</i></b></div>"},
	{"stray ends", "</p></div>a</b></td></li></br>", "a"},
	{"crossing", "<b>a<i>b</b>c</i>d", "<b>a<i>b</i></b><i>c</i>d"},
	{
		"blocks in inline elements",
		`<a href=/x><h3>T</h3><p>p</p></a>q`,
		`<h3><a href="/x">T</a></h3><p><a href="/x">p</a></p>q`,
	},
	{"inline element left open in a block", "<p><b>a</p><p>b</p>", "<p><b>a</b></p><p>b</p>"},
	{
		"links in links",
		`<a href=/x>a<a href=/y>b</a>c</a>`,
		`<a href="/x">a</a><a href="/y">b</a>c`,
	},
	{
		"empty elements",
		"<p></p><div><p> </p><ul> <li></li></ul></div><h2></h2><b></b><a href=/x></a><p>&nbsp;</p>",
		"<p>&nbsp;</p>",
	},
	{
		"headings",
		"<h1>a</h1><h2>b</h2><h4>c</h4><h2>d</h2><h6>e</h6>",
		"<h3>a</h3><h4>b</h4><h5>c</h5><h4>d</h4><h5>e</h5>",
	},
	{
		"headings that begin low",
		"<h4>a</h4><h5>b</h5><h4>c</h4>",
		"<h3>a</h3><h4>b</h4><h3>c</h3>",
	},
	{"heading without text", "<h1></h1><h2><b></b></h2><h3>a</h3>", "<h3>a</h3>"},
	{
		"no seventh heading",
		"<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5>",
		"<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6>",
	},
	{"blocks in a heading", "<h2><div>a</div><p>b</p><ul><li>c</ul></h2>d", "<h3>a b c </h3>d"},
	{"heading closed by another", "<h2>a<h3>b</h3>", "<h3>a</h3><h4>b</h4>"},
	{"lists", "<ul>a<li>b<li>c<ol start=3 reversed type=a><li>d</ol></ul><li>e",
		`<ul><li>a</li><li>b</li><li>c<ol start="3" reversed="" type="a"><li>d</li></ol></li></ul> e `},
	{
		"list in a list",
		"<ul><li>a</li><ul><li>b</li></ul></ul>",
		"<ul><li>a</li><li><ul><li>b</li></ul></li></ul>",
	},
	{
		"definitions",
		"<dl><dt>a<dd>b<dt><p>c</p><dd><p>d</dl>",
		"<dl><dt>a</dt><dd>b</dd><dt>c </dt><dd><p>d</p></dd></dl>",
	},
	{
		"table",
		`<table class=x border=1><caption>a</caption><thead><tr><th scope=col colspan=2>b</th></tr></thead><tbody><tr><td>c<td` +
			` rowspan="2" style=x>d</tbody></table>`,
		`<table><caption>a</caption><thead><tr><th scope="col" colspan="2">b</th></tr></thead><tbody><tr><td>c</td><td rowspan="2">d</td>` +
			`</tr></tbody></table>`,
	},
	{
		"table without rows",
		"<table>a<td>b</td></table><td>c",
		"<table><tr><td>a</td><td>b</td></tr></table> c ",
	},
	{
		"table with breaks",
		"<table><br />\n<tr><br />\n<td>a</td><td></td></tr><p></p></table>",
		"<table><tr><td>a</td><td></td></tr></table>",
	},
	{"table in a table", "<table><tr><td><table></tr><tr><td>a</table>b</table>",
		"<table><tr><td><table><tr><td>a</td></tr></table>b</td></tr></table>"},
	{
		"ends do not leave a cell",
		"<div><table><tr><td></div>a</table>b</div>",
		"<div><table><tr><td>a</td></tr></table>b</div>",
	},
	{
		"spans without bounds",
		`<table><td colspan=65535 rowspan=-1>a`,
		"<table><tr><td>a</td></tr></table>",
	},
	{
		"late caption and head",
		"<table><tr><td>a</td></tr><caption>b</caption><thead><tr><td>c</table>",
		"<table><tr><td>a</td></tr><tr><td>b</td></tr><tbody><tr><td>c</td></tr></tbody></table>",
	},
	{"details", "<details open>\n<summary>a<p>b</p></summary><p>c</p></details>d",
		`<details open=""><summary>a b </summary><p>c</p></details>d`},
	{
		"details without summary",
		"<details><p>a</p><summary>b</summary></details>c",
		"<p>a</p> b c",
	},
	{
		"summary without text",
		"<details><summary></summary>a</details>",
		"<details><summary>…</summary>a</details>",
	},
	{
		"times",
		`<time datetime="2026-11-22T20:00">a</time> <time>b</time> <time datetime="x">c</time>`,
		`<time datetime="2026-11-22T20:00">a</time> b c`,
	},
	{
		"abbreviation",
		`<abbr title="a &quot;b&quot; & c">d</abbr><span title=x>e</span>`,
		`<abbr title="a &quot;b&quot; &amp; c">d</abbr>e`,
	},
	{"ruby", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</ruby> <rt>x</rt>",
		"<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby> x"},
	{
		"directions and languages",
		`<p dir=rtl lang=ar>a <bdi>b</bdi> <span lang="en-GB">c</span><span class=x>d</span></p><p dir=x` +
			` lang="a b">e</p>`,
		`<p dir="rtl" lang="ar">a <bdi>b</bdi> <span lang="en-GB">c</span>d</p><p>e</p>`,
	},
	{
		"sections",
		"<main><section><header>a</header><nav>b</nav></section></main>",
		"<div><div><div>a</div><div>b</div></div></div>",
	},
	{
		"old elements",
		"<center><font color=red>a</font> <big>b</big> <strike>c</strike> <tt>d</tt> <acronym title=x>e</acronym></center>",
		`<div>a b <s>c</s> <code>d</code> <abbr title="x">e</abbr></div>`,
	},
	{"preformatted", "<pre>\n a\n\n  <b> </b>b</pre>", "<pre>\n a\n\n  <b> </b>b</pre>"},
	{"rule", "<p>a<hr>b<h2>c<hr></h2>", "<p>a</p><hr>b<h3>c</h3>"},
	{
		"links",
		`<a href="http://a.example/?x=1&y=2&copy=3" target=_blank rel=x title=t>1</a> <a href="HTTPS://choir.example/x y">2</a> ` +
			`<a href="?p=1">3</a> ` +
			`<a href="mailto:a@b.example?subject=c&amp;body=d">4</a> <a href="tel:+1-2">5</a> <a href="webcal://c.example/a.ics">6</a> <a` +
			` href="#x">7</a> <a href="//d.example">8</a> <a>9</a>`,
		`<a href="http://a.example/?x=1&amp;y=2&amp;copy=3"` + rel + `>1</a> <a href="HTTPS://choir.example/x%20y">2</a> <a href="?p=1">3</a> ` +
			`<a href="mailto:a@b.example?subject=c&amp;body=d">4</a> <a href="tel:+1-2">5</a> <a href="webcal://c.example/a.ics"` + rel +
			`>6</a> 7 <a href="//d.example"` + rel + `>8</a> 9`,
	},
	{
		"address in another script",
		`<a href="/événement?q=&quot;x&quot;">a</a>`,
		`<a href="/%C3%A9v%C3%A9nement?q=%22x%22">a</a>`,
	},
	{
		"pictures",
		`<img src="https://choir.example/a.png" width="300" height="200" alt="a"><img src="http://pictures.example/b.png"><img` +
			` src="https://c.example/d/e%20f.jpg?x#y"><img src="https://c.example/g.jpg" alt=" G &amp; h ">`,
		`<img width="300" height="200" src="https://choir.example/a.png" alt="a" loading="lazy" decoding="async"><img` +
			` src="http://pictures.example/b.png" alt="" loading="lazy" decoding="async">` +
			`<a href="https://c.example/d/e%20f.jpg?x#y"` + rel + `>e%20f.jpg</a><a href="https://c.example/g.jpg"` + rel + `> G &amp; h </a>`,
	},
	{
		"linked pictures",
		`<a href="/x"><img src="https://c.example/d.jpg"></a><a href="/y"><img src="/e.png" alt=""></a>`,
		`<a href="/x">d.jpg</a><a href="/y"><img src="/e.png" alt="" loading="lazy" decoding="async"></a>`,
	},
	{
		"sound and films",
		`<audio controls src="/a.mp3">no sound</audio><video width=9 autoplay><source src="https://c.example/b.mp4">` +
			`<p>no film</p></video><a href=/x><video poster=x src=c.mp4></video>d</a>`,
		`<audio src="/a.mp3" controls="" preload="none"></audio><a href="https://c.example/b.mp4"` + rel +
			`>b.mp4</a><video src="c.mp4" controls="" preload="none"></video>d`,
	},
	{
		"film in a frame",
		`<figure class="wp-block-embed is-type-video"><div class="wp-block-embed__wrapper">
<iframe title="Our concert" width="500" height="281" src="https://www.youtube.com/embed/x?feature=oembed" frameborder="0"` +
			` allow="autoplay" allowfullscreen></iframe>
</div><figcaption>Last year</figcaption></figure>`,
		`<figure><div><iframe width="500" height="281" src="https://www.youtube.com/embed/x?feature=oembed" title="Our concert"` +
			` loading="lazy" allowfullscreen="" ` +
			`sandbox="allow-forms allow-popups allow-presentation allow-same-origin allow-scripts"></iframe>` +
			"\n</div><figcaption>Last year</figcaption></figure>",
	},
	{"blocks", markup.Content(`<!-- wp:paragraph {"align":"center"} -->
<p class="has-text-align-center">Welcome &amp; <strong>enjoy</strong></p>
<!-- /wp:paragraph -->

<!-- wp:heading -->
<h2 class="wp-block-heading" id="when">When</h2>
<!-- /wp:heading -->

<!-- wp:list --><ul><!-- wp:list-item --><li>Doors at 7</li><!-- /wp:list-item --></ul><!-- /wp:list -->`),
		"<p>Welcome &amp; <strong>enjoy</strong></p>\n\n\n\n<h3>When</h3>\n\n\n<ul><li>Doors at 7</li></ul>"},
	{
		"gallery",
		`<figure class="wp-block-gallery has-nested-images"><figure class="wp-block-image size-large"><a href="/a.jpg"><img` +
			` loading="lazy" width="10" height="20" data-id="1" src="/a-10x20.jpg" alt="" class="wp-image-1" srcset="/a.jpg 10w"/></a>` +
			`<figcaption class="x">A</figcaption></figure></figure>`,
		`<figure><figure><a href="/a.jpg"><img width="10" height="20" src="/a-10x20.jpg" alt="" loading="lazy" decoding="async"></a>` +
			`<figcaption>A</figcaption></figure></figure>`,
	},
	{
		"columns and buttons",
		`<div class="wp-block-columns"><div class="wp-block-column" style="flex-basis:50%"><div` +
			` class="wp-block-button"><a class="wp-block-button__link" href="https://t.example/">Tickets</a></div></div></div>`,
		`<div><div><div><a href="https://t.example/"` + rel + `>Tickets</a></div></div></div>`,
	},
	{
		"table block",
		`<figure class="wp-block-table"><table class="has-fixed-layout"><tbody><tr><td class="x" data-align="left">7 pm` +
			`</td><td>Doors</td></tr></tbody></table></figure>`,
		"<figure><table><tbody><tr><td>7 pm</td><td>Doors</td></tr></tbody></table></figure>",
	},
	{"shortcodes that are left", `<p>[contact-form-7 id="1" title="<b>x</b>"] [vc_row]</p>`,
		`<p>[contact-form-7 id=&quot;1&quot; title=&quot;<b>x</b>&quot;] [vc_row]</p>`},
	{
		"footnote",
		`a<sup data-fn="x" class="fn"><a href="#x" id="x-link">1</a></sup>`,
		"a<sup>1</sup>",
	},
	{
		"lazy pictures",
		`<img src="data:image/gif;base64,R0" data-src="/a.jpg" alt=""><noscript><img src="/a.jpg" alt=""></noscript>`,
		`<img src="/a.jpg" alt="" loading="lazy" decoding="async">`,
	},
}

func TestPage(t *testing.T) {
	check(t, page, attacks)
	check(t, page, contents)
	for _, c := range slices.Concat(attacks, contents, dirty, dirtyTitles, texts, shortcodes) {
		checkPage(t, c.in)
	}
	if got := string(markup.AppendPage([]byte("<p>"), " <p></p><h1>a", markup.PageOptions{})); got != "<p><h2>a</h2>" {
		t.Errorf("behind something: %q", got)
	}
}

func TestPageExcerpt(t *testing.T) {
	check(t, excerpt, []conversion{
		{"nothing", " ", ""},
		{"text", "a & b", "<p>a &amp; b</p>"},
		{
			"paragraphs",
			"<p>a <b>b</b><br>c</p>\n<p></p>\n<div><p>d</div>e",
			"<p>a <b>b</b><br>c</p><p>d</p><p>e</p>",
		},
		{
			"links and pictures",
			`<a href="/x">a <img src="/b.png" alt="b &amp; c"></a><iframe src=x title=y>z</iframe><audio src=q>r` +
				`</audio>`,
			"<p>a b &amp; c</p>",
		},
		{
			"headings, lists, tables",
			"<h2>a</h2><ul><li>b<li>c</ul><table><tr><td>d<td>e<tr><td>f</table><hr>g",
			"<p>a</p><p>b</p><p>c</p><p>d e</p><p>f</p><p>g</p>",
		},
		{
			"emphasis over blocks",
			"<b>a<p>b</p>c</b>",
			"<p><b>a</b></p><p><b>b</b></p><p><b>c</b></p>",
		},
		{
			"details and figures",
			"<details><summary>a</summary>b</details><figure>c<figcaption>d</figcaption></figure>",
			"<p>a</p><p>b</p><p>c</p><p>d</p>",
		},
		{"hidden", "<script>a</script><!-- b --><style>c</style>d", "<p>d</p>"},
	})
}

// Text reopens inline elements in every block; the output stays in proportion nevertheless, and so
// does the time.
func TestPageOfHugeInputs(t *testing.T) {
	const size = 1 << 18
	long := `<a href="/` + strings.Repeat("x", size/2) + `">`
	for _, in := range []string{
		long + strings.Repeat("<p>y", size/8), strings.Repeat("<b>", 100) + strings.Repeat("<p>y", size/4),
		strings.Repeat("<div>", size/5), strings.Repeat("<table>", size/7), strings.Repeat("<ul>x", size/5), strings.Repeat("<table><td>",
			size/11),
		strings.Repeat("<b>x", size/4), strings.Repeat("<b>", size/6) + strings.Repeat("</b>", size/8), strings.Repeat("</div>", size/6),
		strings.Repeat("<video>", size/7), strings.Repeat("<iframe src='", size/13), strings.Repeat("<svg>", size/5), strings.Repeat("&", size),
		strings.Repeat("<h2>x<ruby>y<rt>", size/16), strings.Repeat("<details><summary>", size/18), strings.Repeat("<a href=x ", size/10),
		strings.Repeat("<video><source>", size/15) + "</video>", "<img " + strings.Repeat("alt=x ", size/6) + "src=x>",
		strings.Repeat(`<img src="`, size/10),
	} {
		if got := page(in) + excerpt(in); len(got) > 32*len(in) {
			t.Errorf("%.40q, %d bytes, becomes %d", in, len(in), len(got))
		}
		checkPage(t, in[:1000])
	}
}

// Tidy reads HTML as no test of this package does.
func TestPageIsTidy(t *testing.T) {
	path, err := exec.LookPath("tidy")
	if err != nil {
		t.Skip("tidy, with which HTML is checked, is not installed")
	}
	const head = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>x</title></head><body><div dir=\"auto\">"
	for _, c := range slices.Concat(attacks, contents, dirty, dirtyTitles, texts, shortcodes) {
		cmd := exec.Command(
			path,
			"-e",
			"-q",
			"-utf8",
			"--show-info",
			"no",
			"--mute",
			"PROPRIETARY_ATTRIBUTE",
			"--gnu-emacs",
			"yes",
		)
		cmd.Stdin = strings.NewReader(
			head + page(c.in) + "x</div><div>x" + excerpt(c.in) + "</div></body></html>",
		)
		said, _ := cmd.CombinedOutput()
		for line := range strings.Lines(string(said)) {
			// Attributes that are younger than tidy.
			if strings.Contains(line, "proprietary attribute \"loading\"") ||
				strings.Contains(line, "proprietary attribute \"decoding\"") {
				continue
			}
			t.Errorf("%s: %q becomes %q: %s", c.name, c.in, page(c.in), line)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	for _, bench := range []struct{ name, html string }{
		{"paragraphs", markup.Content(strings.Repeat("Local bands play on two stages from noon until late. It's free for everybody, and six "+
			"cakes - no more - are left.\n\n", 5))},
		{"markup", strings.Repeat(contents[len(contents)-8].in+"<p>See <a href=\"https://a.example/\">the <em>page</em></a></p><ul><li>a"+
			"<li>b</ul>", 3)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			room := make([]byte, 0, 8*len(bench.html))
			b.SetBytes(int64(len(bench.html)))
			b.ReportAllocs()
			for b.Loop() {
				room = markup.AppendPage(room[:0], bench.html, pageOptions)
			}
		})
	}
}
