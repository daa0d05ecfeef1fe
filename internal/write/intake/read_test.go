package intake_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/write/intake"
	"almanac/move/files"
)

// read collects what a file holds, and looks at what it says of its lists.
func read(file string) (items []intake.Item, err error) {
	var pages files.Pages
	err = files.Reader{}.Read(strings.NewReader(file), "f.json", func(item intake.Item) error {
		items = append(items, item)
		return nil
	}, pages.Add)
	pages.Incomplete()
	return items, err
}

func TestRead(t *testing.T) {
	t.Parallel()
	item := func(kind string, position int, record string) intake.Item {
		return intake.Item{
			Kind:     kind,
			File:     "f.json",
			Position: position,
			Record:   json.RawMessage(record),
		}
	}
	rejected := func(position int, reason string) intake.Item {
		return intake.Item{File: "f.json", Position: position, Reject: reason}
	}
	tests := []struct {
		name, file string
		want       []intake.Item
	}{
		{"a listing", `{"events":[{"id":1},{"id":2}],"rest_url":"u","total":2,"total_pages":1}`,
			[]intake.Item{item("events", 1, `{"id":1}`), item("events", 2, `{"id":2}`)}},
		{
			"terms after the envelope",
			`{"rest_url":"u","total":1,"categories":[{"name":"A"}],"next_rest_url":"v"}`,
			[]intake.Item{item("categories", 1, `{"name":"A"}`)},
		},
		{"an empty listing", `{"events":[],"total":0}`, nil},
		{
			"several lists",
			`{"venues":[{"venue":"V"}],"tags":[{"name":"T"}],"events":[{"title":"E"}]}`,
			[]intake.Item{
				item("venues", 1, `{"venue":"V"}`),
				item("tags", 2, `{"name":"T"}`),
				item("events", 3, `{"title":"E"}`),
			},
		},
		{"a bare list of all kinds", `[{"title":"E","venue":{}},{"venue":"V"},{"organizer":"O"},
			{"name":"C","taxonomy":"tribe_events_cat"},{"name":"T","taxonomy":"post_tag"}]`,
			[]intake.Item{
				item("events", 1, `{"title":"E","venue":{}}`),
				item("venues", 2, `{"venue":"V"}`),
				item("organizers", 3, `{"organizer":"O"}`),
				item(
					"categories",
					4,
					`{"name":"C","taxonomy":"tribe_events_cat"}`,
				),
				item("tags", 5, `{"name":"T","taxonomy":"post_tag"}`),
			}},
		{"one event", `{"status":"publish", "title":"E", "categories":[{"name":"C"}], "tags":[]}`,
			[]intake.Item{
				item(
					"events",
					1,
					`{"status":"publish","title":"E","categories":[{"name":"C"}],"tags":[]}`,
				),
			}},
		{"pages one after the other", `{"events":[{"id":1}]} {"events":[{"id":2}]}`,
			[]intake.Item{item("events", 1, `{"id":1}`), item("events", 2, `{"id":2}`)}},
		{
			"a mark before UTF-8",
			"\ufeff[{\"venue\":\"V\"}]",
			[]intake.Item{item("venues", 1, `{"venue":"V"}`)},
		},
		{"what is no record", `[7,{"x":1}]`, []intake.Item{
			rejected(
				1,
				"is not to be told for an event, a venue, an organizer, a category or a tag",
			),
			rejected(
				2,
				"is not to be told for an event, a venue, an organizer, a category or a tag",
			)}},
		{"Latin-1", "[{\"venue\":\"Caf\xe9\"}]", []intake.Item{rejected(1, "is not UTF-8")}},
		{
			"half a surrogate pair",
			`[{"venue":"\ud83d"},{"venue":"\ud83c\udf89 \\ud83d"}]`,
			[]intake.Item{
				rejected(
					1,
					"holds half a surrogate pair",
				), item("venues", 2, `{"venue":"\ud83c\udf89 \\ud83d"}`)},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := read(test.file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("items (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, want string
		items            int // before it
	}{
		{"nothing", " \n", "f.json: is empty; it must be", 0},
		{"a text", `"events"`, "f.json: line 1, column 9: found a bare value; it must be", 0},
		{"an error of a site", "{\"code\":\"rest_forbidden\",\n\"message\":\"no\"}",
			`f.json: line 2, column 16: found an object with the members ["code" "message"], which is neither`, 0},
		{
			"no list",
			`{"events":{}}`,
			`f.json: line 1, column 12: "events" must be a list of records`,
			0,
		},
		{
			"cut off in a record",
			`{"events":[{"id":1},{"id":`,
			"f.json: ends in the middle of its JSON; was it cut off?",
			1,
		},
		{
			"cut off after a record",
			`{"events":[{"id":1}`,
			"f.json: ends in the middle of its JSON; was it cut off?",
			1,
		},
		{
			"a mistake within a record",
			"{\"events\":[\n {\"id\":1},\n {\"id\":2,\n  \"title\":\"é\" x}]}",
			"f.json: line 4, column 15: invalid character 'x' after object key:value pair",
			1,
		},
		{"no comma", "[{\"venue\":\"V\"}\n {\"venue\":\"W\"}]", "f.json: line 2, column 2: ", 1},
		{"no colon", "{\"events\" []}", "f.json: line 1, column 11: ", 0},
		{
			"a page of HTML",
			"\n<!doctype HTML>",
			"f.json: seems to be a page (HTML); it must be",
			0,
		},
		{
			"a page without a type",
			"<html lang=en>",
			"f.json: seems to be a page (HTML); it must be",
			0,
		},
		{"a spreadsheet", "PK\x03\x04\x14\x00",
			`f.json: seems to be a spreadsheet (.xlsx, .ods) or another ZIP archive: save its table as "CSV UTF-8"; `, 0},
		{
			"an old spreadsheet",
			"\xd0\xcf\x11\xe0\xa1",
			`f.json: seems to be a spreadsheet of an old Excel (.xls)`,
			0,
		},
		{"a PDF", "%PDF-1.7\n%\xe2", "f.json: seems to be a PDF; ", 0},
		{"a compressed file", "\x1f\x8b\x08\x00", "f.json: seems to be compressed: ", 0},
		{"contacts", "BEGIN:VCARD\r\nVERSION:4.0", "f.json: seems to be a list of contacts; ", 0},
		{"a document", `{\rtf1\ansi`, "f.json: seems to be a text document (RTF); ", 0},
		{"WXR", "<?xml version=\"1.0\"?>\n<rss xmlns:wp=\"http://wordpress.org/export/1.2/\">",
			"f.json: line 2: ends in the middle of its XML; was it cut off?", 0},
		{"a feed", "<?xml version=\"1.0\"?>\n<rss><channel>", "f.json: seems to be XML; ", 0},
		{
			"no text",
			"\x7fELF\x02\x00",
			"f.json: seems to be no text, or UTF-16 without a byte order mark; ",
			0,
		},
		{"a table of other things", "Task;Start;\"Due, or not\"\n1;2;3\n",
			`f.json: seems to be a table with the columns ["Task" "Start" "Due, or not"]; it must be`, 0},
		{
			"a table without dates",
			"EVENT NAME\nChoir\n",
			`f.json: seems to be a table with the columns ["EVENT NAME"]; it must be`,
			0,
		},
		{
			"mails",
			"Subject,Body\nHi,Ho\n",
			`f.json: seems to be a table with the columns ["Subject" "Body"]; it must be`,
			0,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			items, err := read(test.file)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
			if len(items) != test.items {
				t.Errorf("%d items before the error, want %d", len(items), test.items)
			}
		})
	}
}

// An error of the caller comes back as it is.
func TestReadStops(t *testing.T) {
	t.Parallel()
	stop := errors.New("enough")
	calls := 0
	err := files.Reader{}.Read(
		strings.NewReader(`[{"venue":"A"},{"venue":"B"}]`),
		"f.json",
		func(intake.Item) error {
			calls++
			return stop
		},
		nil,
	)
	if err != stop || calls != 1 {
		t.Errorf("error %v after %d calls, want %v after 1", err, calls, stop)
	}
}

func FuzzRead(f *testing.F) {
	for _, file := range []string{
		`{"events":[{"id":1}],"total":1}`, `[{"venue":"V"}]`, `{"title":"E","categories":[]}`, "\ufeff{}", `{"events":[{"id":1},`,
		"[\n{\"venue\" \"V\"}]", `[{"venue":"\ud83d\\"}]`, `{"categories":[1]}{"tags":[null]}`, "[\"\xff\"]", `{"a":1}`,
		`{"tags":[{"id":1}],"rest_url":"https://a.example/tags/?page=-9","next_rest_url":"?page=99999999999999999999",
			"previous_rest_url":":","total":-1}{"tags":[]}`,
	} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file string) {
		items, err := read(file)
		for i, item := range items {
			if item.Position != i+1 || item.File != "f.json" {
				t.Errorf("item %d is at position %d of %q", i, item.Position, item.File)
			}
			if (item.Reject == "") != json.Valid(item.Record) {
				t.Errorf("item %d: record %q, rejected for %q", i, item.Record, item.Reject)
			}
		}
		if err != nil && !strings.HasPrefix(err.Error(), "f.json: ") {
			t.Errorf("error %q does not name the file", err)
		}
	})
}
