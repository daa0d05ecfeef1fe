package intake_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/write"
	"almanac/store"
)

// A websiteFile is a file with a website, as a format writes it.
type websiteFile struct {
	name string
	text string // with %s for the website
}

var websiteFiles = []websiteFile{
	{"events of a table", "EVENT NAME,EVENT START DATE,EVENT WEBSITE\nA,2031-05-10,\"%s\"\n"},
	{"venues of a table", "VENUE NAME,VENUE WEBSITE\nA,\"%s\"\n"},
	{"organizers of a table", "ORGANIZER NAME,ORGANIZER WEBSITE\nA,\"%s\"\n"},
	{"events of a list", list(event(1, `,"website":"%s"`))},
	{"venues of a list", `{"venues":[{"venue":"A","website":"%s"}]}`},
	{"organizers of a list", `{"organizers":[{"global_id":"a.example?id=4","organizer":"A","website":"%s"}]}`},
	{"a venue in an event", list(event(1, `,"venue":{"venue":"A","website":"%s"}`))},
	{"an export", `{"exact":true,"events":[{"id":7,"title":"E","start_date":"2031-05-10 20:00:00",` +
		`"end_date":"2031-05-10 21:00:00","website":"%s"}]}`},
	{"a calendar", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:A\nDTSTART:20310510T200000Z\nURL:%s\nEND:VEVENT\nEND:VCALENDAR\n"},
	{"a calendar of ours", "BEGIN:VCALENDAR\nPRODID:-//almanac//EN\nBEGIN:VEVENT\nUID:a\nSUMMARY:A\nDTSTART:20310510T200000Z\n" +
		"X-ALMANAC-WEBSITE:%s\nEND:VEVENT\nEND:VCALENDAR\n"},
	{"an event of WordPress", wxrStart + wxrPost(7, "tribe_events", wxrDate+wxrMeta("_EventURL", "%s")) + wxrEnd},
	{"a venue of WordPress", wxrStart + wxrPost(7, "tribe_venue", wxrMeta("_VenueURL", "%s")) + wxrEnd},
	{"an organizer of WordPress", wxrStart + wxrPost(7, "tribe_organizer", wxrMeta("_OrganizerWebsite", "%s")) + wxrEnd},
}

func wxrMeta(key, value string) string {
	return "<wp:postmeta><wp:meta_key>" + key + "</wp:meta_key><wp:meta_value>" + value +
		"</wp:meta_value></wp:postmeta>"
}

// with returns the file with a website.
func (f *websiteFile) with(website string) string {
	if strings.HasPrefix(f.text, "{") {
		quoted, _ := json.Marshal(website) // a text can be written
		website = strings.Trim(string(quoted), `"`)
	}
	return fmt.Sprintf(f.text, website)
}

// websites returns the websites of all records, sorted.
func (c *calendar) websites() (found []string) {
	for _, e := range eventsOf(c) {
		found = append(found, e.Website)
	}
	for _, v := range all[*store.Venue](c, store.Venues) {
		found = append(found, v.Website)
	}
	for _, o := range all[*store.Organizer](c, store.Organizers) {
		found = append(found, o.Website)
	}
	found = slices.DeleteFunc(found, func(website string) bool { return website == "" })
	slices.Sort(found)
	return slices.Compact(found)
}

// No format brings a link that runs a script, and the import tells it.
func TestLinksOfScripts(t *testing.T) {
	for _, f := range websiteFiles {
		for _, website := range []string{
			"javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "javascript ://x/%0aalert(1)",
			"vbscript:x", "data:text/html,x",
		} {
			if strings.Contains(website, "\t") && strings.Contains(f.text, "BEGIN:VCALENDAR") {
				continue // which no line of a calendar holds in a parameter
			}
			t.Run(f.name+" "+website, func(t *testing.T) {
				t.Parallel()
				c := newCalendar(t)
				file := f.with(website)
				report := c.load(file)
				said := leftOf(t, file)
				for _, refusal := range report.Refusals {
					said += refusal.Reason
				}
				if got := c.websites(); len(got) > 0 {
					t.Errorf("websites %q", got)
				}
				if !strings.Contains(said, "must be an address such as https://example.org/, not ") &&
					!strings.Contains(said, "addresses in URL that no page may link to") {
					t.Errorf("the import says %q", said)
				}
			})
		}
	}
	c := newCalendar(t)
	report := c.load(list(
		event(1, `,"image":"javascript:alert(1)"`),
		event(2, `,"image":{"url":"https://a.example/a.jpg","sizes":{"large":{"url":"javascript:alert(2)"}}}`),
		event(3, `,"url":"javascript://a.example/%0aalert(3)"`),
	))
	if len(report.Refusals) != 2 ||
		!strings.Contains(report.Refusals[1].Reason, "image must be an address") {
		t.Errorf("pictures: %v", report.Refusals)
	}
	for _, e := range eventsOf(c) {
		if e.Page() != "" {
			t.Errorf("the page of an event is %s", e.Page())
		}
	}
}

// An address without a scheme is a link, as people write it, and other texts stay.
func TestLinksWithoutScheme(t *testing.T) {
	for website, want := range map[string]string{
		"www.choir.example":          "http://www.choir.example",
		"choir.example":              "http://choir.example",
		"choir.example/a?b=c#d":      "http://choir.example/a?b=c#d",
		"choir.example:8080/x":       "http://choir.example:8080/x",
		"WWW.Chœur.example":          "http://WWW.Chœur.example",
		"//choir.example/x":          "http://choir.example/x",
		"https://choir.example/":     "https://choir.example/",
		"mailto:ann@choir.example":   "mailto:ann@choir.example",
		"see the flyer":              "see the flyer",
		"ann@choir.example":          "ann@choir.example",
		"/event/choir/":              "/event/choir/",
		"coming soon...":             "coming soon...",
		"tel:+49 30 123":             "tel:+49 30 123",
		"https://javascript.example": "https://javascript.example",
	} {
		for _, f := range websiteFiles {
			isCalendar := strings.Contains(f.text, "BEGIN:VCALENDAR")
			isLink := strings.HasPrefix(want, "http")
			t.Run(f.name+" "+website, func(t *testing.T) {
				t.Parallel()
				wanted := []string{want}
				switch {
				case f.name == "an export":
					wanted = []string{website}
				case f.name == "a calendar" && !isLink:
					wanted = []string{} // a calendar has links alone
				case isCalendar && strings.Contains(website, "œ"):
					return
				}
				c := newCalendar(t)
				c.mustLoad(f.with(website))
				if diff := cmp.Diff(wanted, c.websites()); diff != "" {
					t.Errorf("websites (-want +got):\n%s", diff)
				}
				for what, n := range counts(c.mustLoad(f.with(website))) {
					if !strings.HasSuffix(what, string(write.Unchanged)) {
						t.Errorf("again: %d %s", n, what)
					}
				}
			})
		}
	}
}

// A site whose days end late lists an event of whole days from a full hour to the second before
// it. It lasts the days that it means, in lists and in exports of WordPress.
func TestDaysThatEndLate(t *testing.T) {
	for _, tt := range []struct{ start, end, more, want string }{
		{"2031-08-09 06:00:00", "2031-08-10 05:59:59", `,"all_day":true`, "days 2031-08-09 2031-08-09"},
		{"2031-08-09 06:00:00", "2031-08-12 05:59:59", `,"all_day":"yes"`, "days 2031-08-09 2031-08-11"},
		{"2031-12-31 04:00:00", "2032-01-01 03:59:59", `,"all_day":true`, "days 2031-12-31 2031-12-31"},
		{"2031-08-09 01:00:00", "2031-08-10 00:59:59", `,"all_day":true`, "days 2031-08-09 2031-08-09"},
		{"2031-08-09 11:00:00", "2031-08-10 10:59:00", `,"all_day":true`, "days 2031-08-09 2031-08-09"},
		// The clocks change at 02:00.
		{"2031-03-08 06:00:00", "2031-03-10 05:59:59", `,"all_day":true`, "days 2031-03-08 2031-03-09"},
		{"2031-11-02 02:00:00", "2031-11-03 01:59:59", `,"all_day":true`, "days 2031-11-02 2031-11-02"},
		{"2031-03-09 02:00:00", "2031-03-10 01:59:59", `,"all_day":true`, "days 2031-03-09 2031-03-09"},
		// Nothing of this kind stays as it is.
		{"2031-08-09 00:00:00", "2031-08-10 23:59:59", `,"all_day":true`, "days 2031-08-09 2031-08-10"},
		{"2031-08-09 06:00:00", "2031-08-10 05:59:59", `,"all_day":false`, "2031-08-09 06:00 2031-08-10 05:59:59"},
		{"2031-08-09 06:00:00", "2031-08-10 05:00:00", `,"all_day":true`,
			"days 2031-08-09 2031-08-10 from 2031-08-09 06:00:00 to 2031-08-10 05:00:00"},
		{"2031-08-09 06:30:00", "2031-08-10 06:29:59", `,"all_day":true`,
			"days 2031-08-09 2031-08-10 from 2031-08-09 06:30:00 to 2031-08-10 06:29:59"},
		{"2031-08-09 06:00:00", "2031-08-10 06:59:59", `,"all_day":true`,
			"days 2031-08-09 2031-08-10 from 2031-08-09 06:00:00 to 2031-08-10 06:59:59"},
	} {
		record := fmt.Sprintf(`"title":"E","start_date":%q,"end_date":%q%s`, tt.start, tt.end, tt.more)
		whole := "no"
		if !strings.HasSuffix(tt.more, "false") {
			whole = "yes"
		}
		for name, file := range map[string]string{
			"a list":           `{"events":[{"global_id":"a.example?id=1","url":"https://a.example/event/e/",` + record + `}]}`,
			"a list in a zone": `{"events":[{"global_id":"a.example?id=1","timezone":"Europe/Paris",` + record + `}]}`,
			"without an id":    `{"events":[{` + record + `}]}`,
			"of WordPress": wxrStart + strings.Replace(wxrPost(7, "tribe_events", wxrMeta("_EventStartDate", tt.start)+
				wxrMeta("_EventEndDate", tt.end)+wxrMeta("_EventAllDay", whole)), ">T<", ">E<", 1) + wxrEnd,
		} {
			t.Run(name+" "+tt.start+" "+tt.end, func(t *testing.T) {
				t.Parallel()
				c := newCalendar(t)
				c.mustLoad(file)
				got := strings.TrimSuffix(strings.Join(c.summaries(), "\n"), " https://a.example/event/e/")
				if diff := cmp.Diff("E "+tt.want, got); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				for what, n := range counts(c.mustLoad(file)) {
					if !strings.HasSuffix(what, string(write.Unchanged)) {
						t.Errorf("again: %d %s", n, what)
					}
				}
			})
		}
	}
	// The original, of an export of this program, stays as it was stored.
	c := newCalendar(t)
	c.mustLoad(`{"exact":true,"events":[{"id":7,"title":"E","all_day":true,` +
		`"start_date":"2031-08-09 06:00:00","end_date":"2031-08-10 05:59:59"}]}`)
	if got := eventsOf(c)[0].Start.String(); got != "2031-08-09 06:00:00" {
		t.Errorf("an export begins at %s", got)
	}
}
