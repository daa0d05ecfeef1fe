package markup_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/markup"
	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	tests := []struct{ name, html, want string }{
		{"nothing", "", ""},
		{"text", "  a  b \n c ", "a b c"},
		{"paragraphs", "<p>One.</p>\n<p>Two<br />\nand three.</p>\n", "One.\n\nTwo\nand three."},
		{"entities", "<p>Ann &amp; Bob&#8217;s &lt;b&gt; caf&eacute;</p>", "Ann & Bob’s <b> café"},
		{"typography of a text", markup.Content("It's \"on\"\n\nR&B -- now"), "It’s “on”\n\nR&B — now"},
		{"list", "<p>Bring:</p><ul><li>a pen</li>\n<li><p>paper</p></li></ul><p>See you.</p>", "Bring:\n\n- a pen\n- paper\n\nSee you."},
		{"numbers", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>d", "1. a\n  - b\n2. c\n\nd"},
		{"link", `See <a class="x" href="https://a.example/?x=1&amp;y=2">our page</a>.`, "See our page (https://a.example/?x=1&y=2)."},
		{"link that says so", `<a href="https://a.example/">https://a.example/</a>`, "https://a.example/"},
		{"link to a mailbox", `Write to <a href="mailto:ann@a.example">Ann</a> or <a href='mailto:b@a.example'>b@a.example</a>`,
			"Write to Ann (ann@a.example) or b@a.example"},
		{"link on the page", `<a href="#top">up</a> <a href="/x">x</a>`, "up x"},
		{"heading", "<h2>When</h2>Now<hr>then", "When\n\nNow\n\n---\n\nthen"},
		{"inline", "<p><b>bo</b>ld <i>it</i></p>", "bold it"},
		{"image", `<p><img src="a.png" alt="A &quot;map&quot;"> here</p>`, `A "map" here`},
		{"table", "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a b\n1 2"},
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
		if !strings.Contains(html, "<pre") && !strings.Contains(html, "<PRE") && strings.Contains(got, "\n\n\n") && !strings.Contains(html, "&") {
			t.Errorf("two blank lines: %q", got)
		}
	})
}
