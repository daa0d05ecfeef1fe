// Events of several days: bars in months, and what goes on now.

package site_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// lanesOf returns the lanes of the days of a month: a title with the days of its bar, the title in
// brackets in later cells, and "-" for an empty lane.
func lanesOf(body string) map[string]string {
	lanes := map[string]string{}
	for _, cell := range regexp.MustCompile(`(?s)<td.*?</td>`).FindAllString(body, -1) {
		day := regexp.MustCompile(`datetime="2027-03-(..)"`).FindStringSubmatch(cell)
		for _, li := range regexp.MustCompile(`(?s)<li class="(?:featured )?lane.*?</li>`).FindAllString(cell, -1) {
			lane := "-"
			title := regexp.MustCompile(`<bdi>(.*?)</bdi>`).FindStringSubmatch(li)
			bar := regexp.MustCompile(` bar (d.[ a-z]*)"`).FindStringSubmatch(li)
			switch {
			case bar != nil:
				lane = title[1] + " " + bar[1]
			case title != nil && strings.Contains(li, ` middle"`):
				lane = "{" + title[1] + "}"
			case title != nil:
				lane = "(" + title[1] + ")"
			}
			lanes[day[1]] = strings.TrimPrefix(lanes[day[1]]+", "+lane, ", ")
		}
	}
	return lanes
}

// An event of several days is a bar in each week of a month, in one lane of it. Bars share lanes,
// and the month counts events without a lane.
func TestPageBars(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	long := func(title, start, end string) {
		c.Add(&store.Event{
			Title: title,
			Start: sample.Local(t, "2027-"+start+":00"),
			End:   sample.Local(t, "2027-"+end+":00"),
		})
	}
	long("Show", "02-20 10:00", "03-16 18:00")
	long("Camp", "03-02 18:00", "03-03 20:00")
	long("Fair", "03-03 00:00", "03-05 00:00") // it ends with the day before
	long("Trip", "03-04 09:00", "03-08 09:00")
	long("Tail", "03-08 10:00", "03-10 12:00")
	long("Night", "03-05 22:00", "03-06 02:00")
	for i := range 12 {
		long(fmt.Sprint("Course ", i), "03-22 09:00", "03-23 10:00")
	}
	body := look(t, sample.Visited(t, c), "/events/month/2027-03/")
	want := map[string]string{
		"01": "Show d6 goes stays", "02": "{Show}, Camp d2", "03": "{Show}, (Camp), Fair d2", "04": "{Show}, Trip d3 stays, (Fair)",
		"05": "{Show}, (Trip)", "06": "{Show}, (Trip)", "07": "Show d7 goes stays middle, Trip d2 goes", "08": "{Show}, (Trip), Tail d3",
		"09": "{Show}, -, (Tail)", "10": "{Show}, -, (Tail)", "11": "{Show}", "12": "{Show}", "13": "{Show}",
		"14": "Show d3 goes middle", "15": "{Show}", "16": "(Show)",
	}
	got := lanesOf(body)
	if courses := strings.Count(got["22"], " d2"); courses != 10 ||
		strings.Count(body, ">2 more</a>") != 2 {
		t.Errorf("%d of 12 courses have lanes, want 10: %s", courses, got["22"])
	}
	for day, lanes := range got {
		if strings.Trim(lanes, "-, ") == "" || day > "16" {
			delete(got, day)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lanes (-want, +got):\n%s", diff)
	}
}

// The first page of a list begins with events that take more than a week and have begun, besides
// as many others. Such an event stands among the days where it begins and where it ends, and each
// page tells search engines of it once.
func TestPageOnNow(t *testing.T) {
	t.Parallel()
	c := sample.New(t) // whose clock is in the evening of 2026-11-20
	add := func(title, start, end string) {
		c.Add(&store.Event{Title: title, Start: sample.Local(t, start+":00"), End: sample.Local(t, end+":00")})
	}
	add("Show", "2026-10-20 10:00", "2027-01-20 18:00")
	add("Ends", "2026-10-21 10:00", "2026-11-26 18:00")
	add("Week", "2026-11-16 10:00", "2026-11-23 10:00")
	add("Opens", "2026-11-20 00:00", "2026-12-02 18:00")
	add("Begins", "2026-11-21 10:00", "2026-12-05 18:00")
	for i := range 13 {
		start := fmt.Sprintf("2026-11-%d ", 21+i/2)
		add(fmt.Sprint("T", i), start+"20:00", start+"21:00")
	}
	h := sample.Visited(t, c)
	for range 2 { // parts of pages are remembered
		for path, want := range map[string]string{
			"/events/": "now Show Ends Opens | 2026-11-20 Opens Week | 2026-11-21 Begins T0 T1 |" +
				" 2026-11-22 T2 T3 | 2026-11-23 T4 T5 | 2026-11-24 T6 T7",
			"/events/page/2/": "2026-11-25 T8 T9 | 2026-11-26 T10 T11 Ends |" +
				" 2026-11-27 T12 | 2026-12-02 Opens | 2026-12-05 Begins | 2027-01-20 Show",
			"/events/?tribe-bar-search=show":     "now Show | 2027-01-20 Show",
			"/events/?tribe-bar-date=2027-01-10": "2027-01-10 Show", "/events/page/3/": "404",
		} {
			rec := apitest.Serve(
				h,
				http.MethodGet,
				"http://example.com"+path,
				"",
				"Accept",
				"text/html",
			)
			body := rec.Body.String()
			got := fmt.Sprint(rec.Code)
			for i, section := range strings.Split(body, `<section class="day`)[1:] {
				day := "now"
				titles := ""
				if found := regexp.MustCompile(`<h2>.*?datetime="(.*?)"`).FindStringSubmatch(section); found != nil {
					day = found[1]
				}
				for _, title := range shownTitles.FindAllStringSubmatch(section, -1) {
					titles += " " + title[1]
				}
				if got += " | " + day + titles; i == 0 {
					got = day + titles
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want, +got):\n%s", path, diff)
			}
			told := regexp.MustCompile(`"@type":"Event","name":"(\w+)"`).
				FindAllStringSubmatch(body, -1)
			for _, name := range told {
				if n := strings.Count(fmt.Sprint(told), name[1]+"]"); n != 1 ||
					!strings.Contains(want, name[1]) {
					t.Errorf("%s: search engines are told %d times of %s", path, n, name[1])
				}
			}
			if shown := shownTitles.FindAllStringSubmatch(body, -1); len(told) == 0 &&
				len(shown) > 0 {
				t.Errorf("%s: search engines are told of nothing", path)
			}
		}
	}
	if said := textOf(look(t, h, "/events/?tribe-bar-search=show"), `<p class="said".*?</p>`); !strings.Contains(
		said,
		"1 event ",
	) {
		t.Errorf("a list with an ongoing event says %q", said)
	}
	if month := look(t, h, "/events/month/"); !strings.Contains(
		textOf(month, `<section class="day now.*?</section>`),
		"On now Show",
	) ||
		!strings.Contains(month, `"gone `) ||
		strings.Contains(look(t, h, "/events/month/2026-12/"), `"gone `) {
		t.Error("the month of today folds no days, or another one does")
	}
}
