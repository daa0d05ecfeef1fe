package apitest_test

import (
	"strings"
	"testing"

	"almanac/internal/tools/apitest"
)

// Errors of a page are found.
func TestReadPage(t *testing.T) {
	const good = "<!DOCTYPE html>\n" + `<html lang="en" dir="ltr"><head><title>a</title>` +
		`<script type="application/ld+json">{}</script></head>` +
		`<body><main><h1 id="a">b &amp; c</h1><p>d<br><a href="/x">e</a></p><label for="f">g</label><input id="f" required>` +
		"</main></body></html>\n"
	p := apitest.ReadPage(good, "http://a.example")
	if len(p.Wrong) > 0 || !strings.Contains(p.Text, "b & c") || len(p.Links("href")) != 1 {
		t.Errorf("%v", p)
	}
	for _, tt := range [][2]string{
		{"<!DOCTYPE html>", ""}, {"</p>", ""}, {"<p>", "<p><p>"}, {"d<br>", "d</br>"}, {"b &amp; c", "b & c"}, {"d", "d\u202e"}, {"d<",
			"d&#8238;<"},
		{`href="/x"`, `href="javascript:x"`}, {` href="/x"`, ` href="/x" href="/y"`}, {`"/x"`, `"/x" onclick="x"`}, {` for="f"`, ``},
		{"required", `id="a"`},
		{"<main>", "<main><h1>x</h1>"}, {"{}", "{"}, {`{}`, `{"a":"<"}`}, {"<a ", "<A "}, {"e</a>", "e<a href=\"/z\">f</a></a>"}, {"g",
			"g<p>x</p>"}, {"<br>", "<br/>"},
		{"<p>d", "<p>d>"}, {`dir="ltr"`, `dir="x"`}, {"<input ", `<img src="https://b.example/c"><input `}, {"<h1 ", "<ul>x</ul><h1 "},
		{"b", "<marquee>b</marquee>"},
		{"</h1>", "</h1><h3>z</h3>"}, {"</html>\n", "</html>x"}, {`lang="en"`, `lang=en`}, {"d<br", "d\xff<br"}, {"html>\n<",
			"html>\n<!-- x --><"},
		{"<p>", "<p "}, {"for=", "for= "}, {" required", "  required"}, {"<label", `<img src="/x"><label`}, {`"f">`, `"f" style="x">`},
	} {
		old := tt[0]
		bad := tt[1]
		if p := apitest.ReadPage(strings.Replace(good, old, bad, 1), "http://a.example"); !strings.Contains(good,
			old) ||
			len(p.Wrong) == 0 {
			t.Errorf("%q in the place of %q: nothing is wrong", bad, old)
		}
	}
}
