package ical_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/internal/wire/ical"
	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	at := time.Date(2031, 5, 10, 9, 8, 7, 0, time.UTC)
	long := strings.Repeat("é", 80)
	tests := []struct {
		name  string
		write func(*ical.Writer)
		want  string
	}{
		{
			"component",
			func(w *ical.Writer) { w.Begin("VEVENT"); w.End("VEVENT") },
			"BEGIN:VEVENT\r\nEND:VEVENT\r\n",
		},
		{
			"text",
			func(w *ical.Writer) { w.Line("SUMMARY").Text("Ann; Bob, \"c\": \\n") },
			`SUMMARY:Ann\; Bob\, "c": \\n` + "\r\n",
		},
		{"no text", func(w *ical.Writer) { w.Line("SUMMARY").Text("") }, "SUMMARY:\r\n"},
		{
			"list",
			func(w *ical.Writer) { w.Line("CATEGORIES").Text("a,b", "c") },
			`CATEGORIES:a\,b,c` + "\r\n",
		},
		{
			"line ends",
			func(w *ical.Writer) { w.Line("A").Text("1\n2\r\n3\r4\u20285\u20296\u00857\r") },
			`A:1\n2\n3\n4\n5\n6\n7\n` + "\r\n",
		},
		{
			"controls",
			func(w *ical.Writer) { w.Line("A").Text("\x00a\x1b\tb\x7f\v\f\x1c") },
			"A:a\tb\r\n",
		},
		{
			"not UTF-8",
			func(w *ical.Writer) { w.Line("A").Text("a\xff\xc3é\xed\xa0\x80") },
			"A:a��é���\r\n",
		},
		{
			"parameters",
			func(w *ical.Writer) { w.Line("A").Param("B", "plain text").Param("C", "a:b").Text("") },
			"A;B=plain text;C=\"a:b\":\r\n",
		},
		{
			"parameters in quotes",
			func(w *ical.Writer) { w.Line("A").Param("B", "a,b").Param("C", "a;b").Text("") },
			"A;B=\"a,b\";C=\"a;b\":\r\n",
		},
		{
			"parameter that is encoded",
			func(w *ical.Writer) { w.Line("A").Param("B", "\"a^\nb\";\x00\r\n").Text("") },
			"A;B=\"^'a^^^nb^';^n\":\r\n",
		},
		{
			"address",
			func(w *ical.Writer) { w.Line("URL").URI("https://é.example/a b?c=d;e,f\r\nX:1\"\xff") },
			"URL:https://é.example/a%20b?c=d;e,f%0D%0AX:1%22%FF\r\n",
		},
		{
			"dates",
			func(w *ical.Writer) { w.Line("A").Date(at, at.AddDate(-2000, 0, 0)) },
			"A:20310510,00310510\r\n",
		},
		{
			"clocks",
			func(w *ical.Writer) { w.Line("A").Local(at, at) },
			"A:20310510T090807,20310510T090807\r\n",
		},
		{
			"moments",
			func(w *ical.Writer) { w.Line("A").UTC(at.In(time.FixedZone("", 7200))) },
			"A:20310510T090807Z\r\n",
		},
		{
			"moment after the last year",
			func(w *ical.Writer) { w.Line("A").UTC(time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -7200))) },
			"A:99990101T010000Z\r\n",
		},
		{
			"75 octets",
			func(w *ical.Writer) { w.Line("A").Raw(long[:72] + "x") },
			"A:" + long[:72] + "x\r\n",
		},
		{
			"76 octets",
			func(w *ical.Writer) { w.Line("A").Raw(long[:74]) },
			"A:" + long[:72] + "\r\n " + long[72:74] + "\r\n",
		},
		{"three lines", func(w *ical.Writer) { w.Line("A").Raw(long) },
			"A:" + long[:72] + "\r\n " + long[72:146] + "\r\n " + long[146:] + "\r\n"},
	}
	for _, test := range tests {
		w := ical.Writer{B: []byte("before\r\n")}
		test.write(&w)
		if diff := cmp.Diff("before\r\n"+test.want, string(w.B)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// readable returns the text that a reader gets of a written text.
func readable(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").
		Replace(string([]rune(text)))
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}

// No text gets out of its line, and all of it can be read back.
func FuzzLines(f *testing.F) {
	f.Add("a", "b", "c")
	f.Add("a\r\nBEGIN:VEVENT\r\n", "\":\r\nX:1", "http://\r\n X:\u2028")
	f.Add(strings.Repeat("日本", 50), strings.Repeat("é\\,;", 30)+"^n", "\xff\xfe")
	f.Fuzz(func(t *testing.T, text, param, uri string) {
		var w ical.Writer
		w.Line("A").Param("P", param).Text(text, param)
		w.Line("U").URI(uri)
		out := string(w.B)
		if !utf8.ValidString(out) || !strings.HasSuffix(out, "\r\n") {
			t.Fatalf("not text in lines: %q", out)
		}
		for _, line := range strings.Split(strings.TrimSuffix(out, "\r\n"), "\r\n") {
			if len(line) > 75 || !utf8.ValidString(line) ||
				strings.ContainsAny(line, "\r\n\u0085\u2028\u2029") {
				t.Fatalf("bad line %q", line)
			}
		}
		lines := strings.Split(strings.ReplaceAll(out, "\r\n ", ""), "\r\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[1], "U:") {
			t.Fatalf("%d lines: %q", len(lines), lines)
		}
		rest := lines[0][len("A;P="):]
		gotParam := ""
		if strings.HasPrefix(rest, `"`) {
			gotParam, rest, _ = strings.Cut(rest[1:], `"`)
		} else {
			n := strings.IndexAny(rest, ":;,\"")
			gotParam = rest[:n]
			rest = rest[n:]
		}
		gotParam = strings.NewReplacer("^^", "^", "^n", "\n", "^'", `"`).Replace(gotParam)
		if gotParam != readable(param) || rest == "" || rest[0] != ':' {
			t.Fatalf("parameter %q became %q before %q", param, gotParam, rest)
		}
		var values []string
		var value []byte
		for i := 1; i < len(rest); i++ {
			switch c := rest[i]; {
			case c == ',':
				values = append(values, string(value))
				value = nil
			case c == ';':
				t.Fatalf("a bare ; in %q", rest)
			case c == '\\':
				i++
				value = append(value, map[byte]byte{
					'n':  '\n',
					'\\': '\\',
					',':  ',',
					';':  ';',
				}[rest[i]])
			default:
				value = append(value, c)
			}
		}
		values = append(values, string(value))
		want := []string{readable(text), readable(param)}
		if diff := cmp.Diff(want, values); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
