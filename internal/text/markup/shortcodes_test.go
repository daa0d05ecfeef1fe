package markup_test

// Tests of the shortcodes that run in descriptions.

import (
	"testing"

	"almanac/internal/text/markup"
)

var shortcodes = []conversion{
	{"gallery alone", "[gallery ids=1]\n\na", "<p>a</p>"},
	{"gallery in a line", "[gallery] [map]", "<p> [map]</p>"},
	{"gallery between paragraphs", "a\n\n[gallery]\n\nb", "<p>a</p>\n<p>b</p>"},
	{"gallery in a paragraph", "<p>[gallery]</p><p>b</p>", "<p>b</p>"},
	{"gallery in a tag", `<i title="[gallery]">a</i>`, `<p><i title="[gallery]">a</i></p>`},
	{"gallery in a script", "<script>a[gallery]</script>", "<p><script>a[gallery]</script></p>"},
	{"not a gallery", "[galleryx] [gallery", "<p>[galleryx] [gallery</p>"},
	{"end of a gallery", "[/gallery]", "<p>[/gallery]</p>"},
	{
		"two pairs of brackets",
		`[[gallery]] [[caption a="1"]]`,
		`<p>&#91;gallery] &#91;caption a=&#8221;1&#8243;]</p>`,
	},
	{"brackets around", "[[gallery] [gallery]]", "<p>[ ]</p>"},

	{"caption", `[caption width="100"]<img src="x.png"> cap[/caption]`,
		`<figure style="width: 110px" class="wp-caption alignnone"><img src="x.png"><figcaption ` +
			`class="wp-caption-text">cap</figcaption></figure>`},
	{
		"caption by attributes",
		`[caption id="attachment_5" align="alignleft" width="300" caption="old"]<img src="x.png">[/caption]`,
		`<figure id="attachment_5" style="width: 310px" class="wp-caption alignleft"><img aria-describedby="caption-attachment-5" src="x.png">` +
			`<figcaption id="caption-attachment-5" class="wp-caption-text">old</figcaption></figure>`,
	},
	{
		"caption of a link",
		"a\n\n[caption]<a href=\"/x\"><img src=\"x\"></a> <b>It's</b>\ncap[/caption]\n\nb",
		"<p>a</p>\n<figure class=\"wp-caption alignnone\"><a href=\"/x\"><img src=\"x\"></a>" +
			"<figcaption class=\"wp-caption-text\"><b>It&#8217;s</b><br />\ncap</figcaption></figure>\n<p>b</p>",
	},
	{
		"caption without a text",
		`[caption width="100"]<img src="x.png">[/caption]`,
		`<p><img src="x.png"></p>`,
	},
	{"caption without a picture", "[caption]cap[/caption]",
		`<figure class="wp-caption alignnone"><figcaption class="wp-caption-text">cap</figcaption></figure>`},
	{
		"caption with made-up attributes",
		`[caption id="x" align="x y" width="1;color:red" class="z" onclick=x]<img src=x> cap[/caption]`,
		`<figure class="wp-caption alignnone"><img src=x><figcaption class="wp-caption-text">cap</figcaption></figure>`,
	},
	{
		"tag in an attribute of a caption",
		`[caption caption='5 < 6 <img src=x onerror=y']<img src=x>[/caption]`,
		`<figure class="wp-caption alignnone"><img src=x><figcaption class="wp-caption-text">5 &lt; 6 &lt;img src=x ` +
			`onerror=y</figcaption></figure>`,
	},
	{
		"caption without an end",
		`[caption a=1]<img src="x"> cap`,
		`<p>[caption a=1]<img src="x"> cap</p>`,
	},
	{"end of a caption", "cap[/caption]", "<p>cap[/caption]</p>"},

	{
		"embed",
		"[embed]http://a.example/v[/embed]",
		`<p><a href="http://a.example/v">http://a.example/v</a></p>`,
	},
	{"embed with a query", `[embed width="9"] https://a.example/?a=1&b=2 [/embed]`,
		`<p><a href="https://a.example/?a=1&#038;b=2">https://a.example/?a=1&#038;b=2</a></p>`},
	{"embed of a script", "[embed]javascript:x()[/embed]", "<p>[embed]javascript:x()[/embed]</p>"},
	{
		"embed of tags",
		"[embed]<b>https://a.example/</b>[/embed]",
		"<p>[embed]<b>https://a.example/</b>[/embed]</p>",
	},
	{
		"embed of a quote",
		`[embed]https://a.example/" onclick=x[/embed]`,
		"<p>[embed]https://a.example/&#8221; onclick=x[/embed]</p>",
	},
	{"embed without an end", "[embed]https://a.example/", "<p>[embed]https://a.example/</p>"},

	{
		"others",
		`[map zoom=3] [unknown a="1"]x[/unknown]`,
		"<p>[map zoom=3] [unknown a=&#8221;1&#8243;]x[/unknown]</p>",
	},
}

func TestShortcodes(t *testing.T) {
	check(t, markup.Content, shortcodes)
	for _, c := range shortcodes {
		if again := markup.Content(c.want); again != c.want {
			t.Errorf("%q becomes %q", c.want, again)
		}
	}
	check(
		t,
		markup.Excerpt,
		[]conversion{{"excerpt", "[gallery] [embed]http://a.example/v[/embed]",
			"<p>[gallery] [embed]http://a.example/v[/embed]</p>"}},
	)
}
