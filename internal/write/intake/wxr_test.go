package intake_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/race"
	"almanac/internal/write/intake"
	"almanac/move/files"
)

// This file reads exports of WordPress; internal/serve/command imports one of every kind of record.

const (
	wxrStart = `<?xml version="1.0" encoding="UTF-8"?><rss xmlns:wp="http://wordpress.org/export/1.0/"
xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:excerpt="http://wordpress.org/export/1.0/excerpt/"
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:o="http://other.example/"><channel><link>https://a.example:8080/cal/</link>`
	wxrEnd  = "</channel></rss>"
	wxrDate = `<wp:postmeta><wp:meta_key>_EventStartDate</wp:meta_key><wp:meta_value>2031-05-10 20:00:00</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>_EventEndDate</wp:meta_key><wp:meta_value>2031-05-10 22:00:00</wp:meta_value></wp:postmeta>`
)

// wxrPost returns a post with further elements.
func wxrPost(id any, kind, more string) string {
	return fmt.Sprintf(
		"<item><title>T</title><wp:post_id>%v</wp:post_id><wp:status>publish</wp:status>"+
			"<wp:post_type>%s</wp:post_type>%s</item>",
		id,
		kind,
		more,
	)
}

// readExport returns the records of an export, or the reasons why they are refused, and what was
// left out.
func readExport(file io.Reader) (records []string, left string, err error) {
	var pages files.Pages
	err = files.Reader{
		Authors: map[string]string{
			"anna": "ann",
		},
	}.Read(file, "f.xml", func(item intake.Item) error {
		records = append(records, item.Kind+" "+item.Author+" "+string(item.Record)+item.Reject)
		return nil
	}, pages.Add)
	return records, strings.Join(pages.Left, "\n"), err
}

// An export of an old version has no time of the last change. Elements of other namespaces,
// comments inside texts, control characters and entities change nothing, and a port stays out of
// global ids.
func TestReadExport(t *testing.T) {
	t.Parallel()
	text := wxrStart + wxrPost(
		7,
		"tribe_events",
		"<o:title>other</o:title><content:encoded>a &amp; b&nbsp;\x0bc<!-- -->"+
			"<![CDATA[ <b>]]></content:encoded><dc:creator>anna</dc:creator><wp:post_date>2031-01-01 10:00:00</wp:post_date>"+
			"<category domain=\"tribe_events_cat\" nicename=\"x\">X</category><category>Y</category>"+
			"<category domain=\"post_tag\" nicename=\"y\">Y</category>"+wxrDate,
	) + wxrPost(
		"x",
		"tribe_organizer",
		"",
	) + wxrEnd
	want := []string{
		`organizers  has no number in wp:post_id, but "x"`,
		`events ann {"all_day":false,"categories":[{"name":"X","slug":"x"}],"cost":"","cost_details":{"currency_code":"",` +
			`"currency_position":"","currency_symbol":"","values":[]},"date":"2031-01-01 10:00:00",` +
			`"description":"\u003cp\u003ea \u0026#038; b` + "\u00a0" + ` c \u003cb\u003e\u003c/p\u003e","end_date":"2031-05-10 22:00:00",` +
			`"excerpt":"","featured":false,"global_id":"a.example/cal?id=7","hide_from_listings":false,"image":false,"organizer":[],` +
			`"password":"","show_map":false,"show_map_link":false,"slug":"","start_date":"2031-05-10 20:00:00","status":"publish","sticky":false,` +
			`"tags":[{"name":"Y","slug":"y"}],"title":"T","url":"","venue":[],"virtual_url":"","website":""}`,
	}
	utf16le := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(strings.Replace(text, "UTF-8", "UTF-16", 1))) {
		utf16le = append(utf16le, byte(unit), byte(unit>>8))
	}
	for name, file := range map[string]string{
		"UTF-8":             text,
		"a byte order mark": "\ufeff" + text,
		"lines before it":   "\n\n" + text,
		"UTF-16":            string(utf16le),
	} {
		records, left, err := readExport(strings.NewReader(file))
		if diff := cmp.Diff(want, records); diff != "" || err != nil || left != "" {
			t.Errorf("%s: %v %s (-want, +got):\n%s", name, err, left, diff)
		}
	}
}

// A file that cannot be read yields an error that names the mistake, and no record.
func TestReadExportErrors(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("a=b ", 20_000)
	for _, text := range []string{many, "<![CDATA[" + many + "]]>", "<![CDATA[<b>" + many + "</b>]]>", "<!--" + many + "-->"} {
		records, _, err := readExport(
			strings.NewReader(wxrStart + wxrPost(7, "tribe_venue", text) + wxrEnd),
		)
		if err != nil || len(records) != 1 {
			t.Errorf("%.20s: %d records, %v", text, len(records), err)
		}
	}
	deep := strings.Repeat("<a>", 1_000_000)
	tests := []struct{ name, text, want string }{
		{
			"cut off",
			wxrStart + "\n<item><title>T",
			"f.xml: line 4: ends in the middle of its XML; was it cut off?",
		},
		{
			"cut off between posts",
			wxrStart + wxrPost(1, "post", ""),
			"f.xml: line 3: ends in the middle of its XML; was it cut off?",
		},
		{
			"another end",
			wxrStart + "<item></title>",
			"f.xml: line 3: is no XML: element <item> closed by </title>",
		},
		{
			"a billion laughs",
			strings.Replace(
				wxrStart,
				"<rss",
				`<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><rss`,
				1,
			) +
				"<title>&b;</title>" + wxrEnd,
			"f.xml: line 3: is no XML: invalid character entity &b;",
		},
		{"deep nesting", wxrStart + "<item>" + deep, "f.xml: line 3: exceeded max depth"},
		{"deep nesting of channels", wxrStart + strings.Repeat("<channel>", 1_000_000),
			"f.xml: line 3: an element is larger than 64 MiB, or has more than 500000 elements and attributes"},
		{
			"many elements",
			wxrStart + "<item>" + strings.Repeat("<a/>", 1_000_000),
			"f.xml: line 3: an element is larger than 64 MiB, or has ",
		},
		{"many attributes", wxrStart + "<item " + strings.Repeat(`a="" `, 1_000_000) + ">",
			"f.xml: line 3: an element is larger than 64 MiB, or has "},
		{
			"another encoding",
			strings.Replace(wxrStart, "UTF-8", "ISO-8859-1", 1) + wxrEnd,
			`is in "ISO-8859-1": convert it to UTF-8, `,
		},
		{
			"no UTF-8",
			wxrStart + "<title>caf\xe9</title>" + wxrEnd,
			"f.xml: line 3: is no XML: invalid UTF-8",
		},
		{"no site", strings.Replace(wxrStart, "https://a.example:8080/cal/", "/cal/", 1) + wxrEnd,
			`f.xml: has no address of its site in wp:base_blog_url or link, but "/cal"`},
		{
			"nothing",
			wxrStart[:strings.Index(wxrStart, "<channel>")] + "></rss>",
			"f.xml: has no address of its site",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			records, _, err := readExport(strings.NewReader(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) || len(records) > 0 {
				t.Errorf("error %.300v after %d records, want %s", err, len(records), test.want)
			}
		})
	}
	_, _, err := readExport(io.MultiReader(strings.NewReader(wxrStart + wxrEnd)))
	if err == nil || !strings.Contains(err.Error(), "name a file, no pipe") {
		t.Errorf("a pipe: %v", err)
	}
}

// A generated file has a text again and again.
type generated struct {
	start, text, end string
	times            int
	at               int // parts that were begun
	rest             string
}

func (g *generated) Read(b []byte) (int, error) {
	for g.rest == "" {
		switch {
		case g.at == 0:
			g.rest = g.start
		case g.at <= g.times:
			g.rest = strings.ReplaceAll(g.text, "NUMBER", fmt.Sprint(g.at))
		case g.at == g.times+1:
			g.rest = g.end
		default:
			return 0, io.EOF
		}
		g.at++
	}
	n := copy(b, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

func (g *generated) Seek(int64, int) (int64, error) {
	g.at = 0
	g.rest = ""
	return 0, nil
}

// Memory does not grow with the events of an export, and little with its pictures. An element that
// is larger than the limit is an error before memory holds it all.
func TestReadExportMemoryAlone(t *testing.T) {
	race.AloneInTurn(t)
	picture := wxrPost(
		"1NUMBER",
		"attachment",
		"<wp:attachment_url>https://a.example/wp-content/uploads/NUMBER.jpg</wp:attachment_url>",
	)
	before := heap()
	n := 0
	file := &generated{
		start: wxrStart,
		text:  wxrPost("NUMBER", "tribe_events", wxrDate) + picture,
		end:   wxrEnd,
		times: 100_000,
	}
	err := files.Reader{}.Read(file, "f.xml", func(intake.Item) error {
		if n++; n%25_000 == 0 {
			if now := heap(); now > before+24<<20 {
				return fmt.Errorf("%d bytes are held after %d events", now-before, n)
			}
		}
		return nil
	}, nil)
	if err != nil || n != 100_000 {
		t.Errorf("%d events, %v", n, err)
	}
	for name, start := range map[string]string{
		"a text": "<item><title>",
		"a type": "<!DOCTYPE a [",
	} {
		_, _, err = readExport(&generated{
			start: wxrStart + start,
			text:  strings.Repeat("x", 1<<10),
			times: 100 << 10,
		})
		if err == nil || !strings.Contains(err.Error(), "an element is larger than 64 MiB") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzReadExport reads any text as an export: every item has a kind and a record, or the reason
// why it has none.
func FuzzReadExport(f *testing.F) {
	f.Add("", wxrPost(1, "tribe_events", wxrDate))
	f.Add(
		"<!DOCTYPE a>",
		wxrPost(2, "tribe_venue", "<wp:post_password>x</wp:post_password><wp:comment/>"),
	)
	f.Add(
		"",
		"<wp:term><wp:term_taxonomy>tribe_events_cat</wp:term_taxonomy></wp:term><wp:tag/><wp:category/>",
	)
	f.Add("", "<item><wp:post_type>attachment</wp:post_type></item></channel></rss><rss>")
	f.Add("", "<item><content:encoded><![CDATA[<!-- wp:x -->]]></content:encoded><![CDATA[")
	f.Fuzz(func(t *testing.T, before, posts string) {
		err := files.Reader{}.Read(
			strings.NewReader(before+wxrStart+posts+wxrEnd),
			"f.xml",
			func(item intake.Item) error {
				if _, ok := intake.KindOf(item.Kind); !ok ||
					item.Reject == "" && !json.Valid(item.Record) ||
					item.Reject != "" && item.Record != nil {
					t.Errorf("%+v", item)
				}
				return nil
			},
			nil,
		)
		if err != nil && strings.Contains(err.Error(), "%!") {
			t.Error(err)
		}
	})
}
