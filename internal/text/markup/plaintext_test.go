package markup_test

// Tests of plain text on pages.

import (
	"strings"
	"testing"

	"almanac/internal/text/markup"
)

const link = `<a href="https://example.org/" rel="nofollow ugc noopener">https://example.org/</a>`

var plainTexts = []conversion{
	{"an address", "Tickets: https://example.org/", "<p>Tickets: " + link + "</p>"},
	{
		"the end of a sentence",
		"See https://example.org/. (Or https://example.org/, https://example.org/)!",
		"<p>See " + link + ". (Or " + link + ", " + link + ")!</p>",
	},
	{
		"brackets of its own",
		"https://example.org/a_(b)",
		strings.ReplaceAll("<p>"+link+"</p>", "org/", "org/a_(b)"),
	},
	{
		"a query",
		"https://example.org/?a=1&b=2",
		strings.ReplaceAll("<p>"+link+"</p>", "org/", "org/?a=1&amp;b=2"),
	},
	{"a query of HTML", "https://example.org/?a=1&amp;b=2&nbsp;x",
		strings.ReplaceAll("<p>"+link+"&nbsp;x</p>", "org/", "org/?a=1&amp;b=2")},
	{
		"no typography",
		"https://example.org/a--b...c'd1x2",
		`<p><a href="https://example.org/a--b...c'd1x2" ` +
			`rel="nofollow ugc noopener">https://example.org/a&#45;&#45;b&#46;&#46;&#46;c&#39;d1&#120;2</a></p>`,
	},
	{"quotes", "“https://example.org/”", "<p>“" + link + "”</p>"},
	{"Japanese", "詳細はhttps://example.org/をご覧ください。", "<p>詳細は" + link + "をご覧ください。</p>"},
	{
		"no address",
		"https:// http://. xhttp://a ftp://a.b httpd",
		"<p>https:// http://. xhttp://a ftp://a.b httpd</p>",
	},
	{"a link", `<a href="https://example.org/">https://example.org/</a>`, "<p>" + link + "</p>"},
	{"code", "<code>https://example.org/</code> <pre>https://example.org/</pre>",
		"<p><code>https://example.org/</code> </p><pre>https://example.org/</pre>"},
	{
		"in HTML",
		"<div>See <b>https://example.org/</b></div>",
		"<div>See <b>" + link + "</b></div>",
	},
	{
		"a list",
		"Bring:\n- a friend\n- a cup\nSee you",
		"<p>Bring:</p><ul><li>a friend</li><li>a cup</li></ul><p>See you</p>",
	},
	{"a list of CRLF", "- a\r\n- b", "<ul><li>a</li><li>b</li></ul>"},
	{
		"a list with blank lines",
		"One\n\n- a\n\n- <b>b</b>\n\nTwo",
		"<p>One</p><ul><li>a</li><li><b>b</b></li></ul><p>Two</p>",
	},
	{"a list of addresses", "- https://example.org/\n", "<ul><li>" + link + "</li></ul>"},
	{
		"no list",
		"well-known - really\n-5 degrees\n -- a",
		"<p>well-known – really<br>\n-5 degrees<br>\n — a</p>",
	},
	{"a list in HTML", "<p>- a\n- b</p>", "<p>– a<br>\n– b</p>"},
	{"lines within a tag", "<b title=\"\n- a\">b</b>", "<p><b>b</b></p>"},
	{
		"a shortcode",
		"[embed]https://example.org/[/embed] [[gallery]]",
		"<p>" + link + " [gallery]</p>",
	},
}

func TestPageContent(t *testing.T) {
	page := func(s string) string {
		shown := string(markup.AppendPage(nil, markup.PageContent(s), markup.PageOptions{
			Heading: 2,
		}))
		return strings.NewReplacer("&#8211;", "–", "&#8212;", "—", "&#8220;", "“", "&#038;", "&amp;", "&#91;", "[",
			">\n<", "><").
			Replace(shown)
	}
	check(t, page, plainTexts)
	for _, c := range plainTexts { // what the API has stays
		if got := markup.Content(c.in); !strings.ContainsAny(c.in, "<[") &&
			strings.ContainsAny(strings.NewReplacer("<p>", "", "</p>", "",
				"<br />", "").Replace(got), "<") {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func FuzzPageContent(f *testing.F) {
	for _, c := range plainTexts {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !strings.Contains(s, "://") && !strings.Contains(s, "- ") &&
			markup.PageContent(s) != markup.Content(s) {
			t.Errorf("%q: %q", s, markup.PageContent(s))
		}
	})
}
