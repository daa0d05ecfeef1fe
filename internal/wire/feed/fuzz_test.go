package feed_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"almanac/internal/text/markup"
	"almanac/internal/wire/feed"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A said is an item of a document, as a reader sees it.
type said struct {
	title, id, content string
	names, authors     []string
}

// FuzzFeeds looks for texts that end a value, so that readers find others than those of
// the event, or another number of events.
func FuzzFeeds(f *testing.F) {
	_, events := town()
	for _, e := range events {
		f.Add(e.Title, e.Description, "R&B, <soul>", "a?id=1")
	}
	f.Add("]]>", "<![CDATA[", "&#0;", "\"")
	f.Add("=1", "'=1", "''-1\r", "-5")
	f.Add("＝1", "\u200b@SUM", " '\u2060\u00ad=1", "\u202e\ufe0f＋1")
	f.Add("\ufeff", "\xff\xfe", "a\\,b", "\t")
	f.Fuzz(func(t *testing.T, title, description, name, id string) {
		w, events := town()
		w.terms[60] = &store.Term{Meta: store.Meta{ID: 60}, Taxonomy: store.Tags, Name: name}
		w.organizers[61] = &store.Organizer{Post: post(61, store.Publish, ""), Name: name}
		p := post(9, store.Publish, "x")
		p.Description = description
		p.Origins = []string{id}
		p.CustomFields = store.CustomFields{{Key: name, Label: title, Value: description}}
		e := &store.Event{
			Post:       p,
			Title:      title,
			Start:      events[0].Start,
			End:        events[0].End,
			Timezone:   "UTC",
			Tags:       []int64{60},
			Organizers: []int64{61},
		}
		events = []*store.Event{events[0], e, events[1]}
		want := said{
			title:   markup.CleanTermName(markup.Title(title)),
			id:      id,
			content: "<p>2026-11-22 20:00–23:00 UTC</p>\n" + markup.Content(description),
			names:   []string{name},
			authors: []string{markup.CleanTermName(markup.Title(name))},
		}
		compare := func(kind string, want, got said) {
			t.Helper()
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(said{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", kind, diff)
			}
		}
		compare(
			"RSS",
			want.through(inXML),
			readRSS(t, write(feed.RSS, page(), w.stranger(), events)),
		)
		atom := want.through(inXML)
		got := readAtom(t, write(feed.Atom, page(), w.stranger(), events))
		if !strings.HasPrefix(got.id, "urn:uuid:") ||
			len(got.id) != len("urn:uuid:6ba7b811-9dad-11d1-80b4-00c04fd430c8") {
			t.Errorf("Atom has the id %q", got.id)
		}
		atom.id = got.id
		compare("Atom", atom, got)
		compare(
			"JSON Feed",
			want.through(inJSON),
			readJSON(t, write(feed.JSON, page(), w.stranger(), events)),
		)
		checkCSV(t, write(feed.CSV, page(), w.stranger(), events), e, name)
	})
}

// through returns what is left of texts in a format.
func (s said) through(keep func(string) string) said {
	each := func(list []string) (kept []string) {
		for _, text := range list {
			kept = append(kept, keep(text))
		}
		return kept
	}
	return said{keep(s.title), keep(s.id), keep(s.content), each(s.names), each(s.authors)}
}

// inXML keeps what XML 1.0 allows (production 2 of the recommendation).
func inXML(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || ' ' <= r && r <= 0xd7ff ||
			0xe000 <= r && r <= 0xfffd ||
			r >= 0x10000 {
			return r
		}
		return -1
	}, inJSON(text))
}

// inJSON keeps what is UTF-8.
func inJSON(text string) string { return string([]rune(text)) }

// second returns the second of three items.
func second[T any](t *testing.T, items []T, err error) (none T) {
	t.Helper()
	if err != nil || len(items) != 3 {
		t.Fatalf("%d items, not 3: %v", len(items), err)
	}
	return items[1]
}

func readRSS(t *testing.T, document []byte) said {
	t.Helper()
	var doc struct {
		Items []struct {
			Title    string   `xml:"title"`
			GUID     string   `xml:"guid"`
			Content  string   `xml:"http://purl.org/rss/1.0/modules/content/ encoded"`
			Category []string `xml:"category"`
			Creator  []string `xml:"http://purl.org/dc/elements/1.1/ creator"`
		} `xml:"channel>item"`
	}
	err := xml.Unmarshal(document, &doc)
	i := second(t, doc.Items, err)
	return said{i.Title, i.GUID, i.Content, i.Category, i.Creator}
}

func readAtom(t *testing.T, document []byte) said {
	t.Helper()
	var doc struct {
		Entries []struct {
			Title    string `xml:"title"`
			ID       string `xml:"id"`
			Content  string `xml:"content"`
			Category []struct {
				Term string `xml:"term,attr"`
			} `xml:"category"`
			Authors []string `xml:"author>name"`
		} `xml:"entry"`
	}
	err := xml.Unmarshal(document, &doc)
	i := second(t, doc.Entries, err)
	s := said{i.Title, i.ID, i.Content, nil, i.Authors}
	for _, c := range i.Category {
		s.names = append(s.names, c.Term)
	}
	return s
}

func readJSON(t *testing.T, document []byte) said {
	t.Helper()
	var doc struct {
		Items []struct {
			ID, Title string
			Content   string `json:"content_html"`
			Tags      []string
			Authors   []struct{ Name string }
		}
	}
	err := json.Unmarshal(document, &doc)
	i := second(t, doc.Items, err)
	s := said{i.Title, i.ID, i.Content, i.Tags, nil}
	for _, a := range i.Authors {
		s.authors = append(s.authors, a.Name)
	}
	return s
}

// checkCSV compares the cells of the second event with its texts, and looks at all cells
// for what a spreadsheet would compute.
func checkCSV(t *testing.T, document []byte, e *store.Event, name string) {
	t.Helper()
	document, ok := bytes.CutPrefix(document, []byte("\ufeff"))
	if !ok {
		t.Fatal("no byte order mark")
	}
	r := csv.NewReader(bytes.NewReader(document))
	rows, err := r.ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, not 4: %v", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			seen := strings.TrimLeftFunc(
				cell,
				func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) },
			)
			first, _ := utf8.DecodeRuneInString(seen)
			if (strings.ContainsRune("=+-@＝＋－＠", first) || cell != "" && strings.ContainsRune("\t\r", rune(cell[0]))) &&
				strings.Trim(cell, "-.0123456789") != "" {
				t.Errorf("the cell %q is computed", cell)
			}
		}
	}
	cell := func(column string) string {
		text := rows[2][slices.Index(rows[0], column)]
		if bare, ok := strings.CutPrefix(text, "'"); ok && markup.IsFormula(bare) {
			return bare
		}
		return text
	}
	keep := func(text string) string {
		// encoding/csv makes line feeds of line ends.
		return strings.ReplaceAll(strings.ReplaceAll(inJSON(text), "\x00", ""), "\r\n", "\n")
	}
	escape := strings.NewReplacer(`\`, `\\`, `,`, `\,`)
	if diff := cmp.Diff(keep(e.CustomFields[0].Value), cell(rows[0][len(rows[0])-1])); diff != "" {
		t.Errorf("custom field (-want +got):\n%s", diff)
	}
	for column, want := range map[string]string{
		"EVENT NAME":           strings.TrimSpace(e.Title),
		"EVENT DESCRIPTION":    markup.Content(e.Description),
		"EVENT TAGS":           escape.Replace(name),
		"EVENT ORGANIZER NAME": escape.Replace(strings.TrimSpace(name)),
		"GLOBAL ID LINEAGE":    escape.Replace(e.Origins[0]),
		"GLOBAL ID":            "termine.example.org?id=9",
	} {
		if diff := cmp.Diff(keep(want), cell(column)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", column, diff)
		}
	}
}
