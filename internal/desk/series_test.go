package desk_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A story is what one place tells of the dates of a series: the start of each, with a mark behind
// one that is canceled.
type story []string

// A teller asks every place for the dates of a series.
type teller struct {
	*world
	editor, reader *browser
	steps          int
}

// series returns the series on the wire, by their ids, in their order.
func (tl *teller) series() (all []map[string]any) {
	tl.t.Helper()
	var list struct{ Series []map[string]any }
	tl.read("/cal/events/v1/series?per_page=50", &list)
	return list.Series
}

// read reads JSON as a stranger.
func (tl *teller) read(path string, to any) {
	tl.t.Helper()
	got := tl.reader.get(path)
	if err := json.Unmarshal([]byte(got.body), to); err != nil || got.status != 200 {
		tl.t.Fatal(path, got.status, err, got.body)
	}
}

// listed returns what the API lists.
func (tl *teller) listed(query string) (told story) {
	tl.t.Helper()
	var list struct {
		Events []struct {
			Start string `json:"start_date"`
			State string `json:"event_status"`
		}
	}
	tl.read(
		"/cal/events/v1/events?start_date=2031-01-01&end_date=2032-12-31&per_page=50&"+query,
		&list,
	)
	for _, e := range list.Events {
		told = append(told, e.Start[:16]+map[bool]string{true: " off"}[e.State == "canceled"])
	}
	return told
}

// tell compares what every place tells with what it should be.
func (tl *teller) tell(step string, want ...string) {
	tl.t.Helper()
	tl.steps++
	check := func(place string, got story) {
		tl.t.Helper()
		if diff := cmp.Diff(story(want), got); diff != "" {
			tl.t.Errorf("%s: %s (-want +got):\n%s", step, place, diff)
		}
	}
	all := tl.series()
	ids := []int{}
	for i, s := range all {
		id := int(s["id"].(float64))
		ids = append(ids, id)
		check(fmt.Sprintf("the API lists by the part %d", i), tl.listed(fmt.Sprint("series=", id)))
		if total := int(s["total"].(float64)); total != len(want) {
			tl.t.Errorf("%s: the part %d has %d dates in all, want %d", step, i, total, len(want))
		}
		next := s["next"].(map[string]any)["start_date"].(string)
		if diff := cmp.Diff(want[0][:16], next[:16]); diff != "" {
			tl.t.Errorf("%s: the next date of the part %d (-want +got):\n%s", step, i, diff)
		}
		expanded := story{}
		ics := tl.reader.get(
			fmt.Sprintf(
				"/cal/events/v1/events.ics?start_date=2031-01-01&end_date=2032-12-31&series=%d&expand=true",
				id,
			),
		).body
		for _, event := range strings.Split(ics, "BEGIN:VEVENT")[1:] {
			m := regexp.MustCompile(`DTSTART(?:;[^:]*)?:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)`).
				FindStringSubmatch(event)
			expanded = append(
				expanded,
				fmt.Sprintf("%s-%s-%s %s:%s%s", m[1], m[2], m[3], m[4], m[5],
					map[bool]string{true: " off"}[strings.Contains(event, "STATUS:CANCELLED")]),
			)
		}
		slices.Sort(expanded)
		check(fmt.Sprintf("the calendar of the part %d", i), expanded)
	}
	tl.keep(step, ids[0], want)

	page := tl.reader.get("/event/choir/all/").body
	paged := story{}
	for _, entry := range strings.Split(page, `<article class="entry`)[1:] {
		m := regexp.MustCompile(`<time datetime="(\d{4}-\d\d-\d\d)T(\d\d:\d\d)`).
			FindStringSubmatch(entry)
		if m == nil {
			tl.t.Fatal(entry)
		}
		paged = append(paged, m[1]+" "+m[2]+map[bool]string{
			true: " off",
		}[strings.Contains(entry, `<span class="state">Cancelled`)])
	}
	check("the page of all dates", paged)

	found := tl.reader.get("/events/?tribe-bar-search=choir").body
	if n := strings.Count(found, `<article class="entry`); n != 1 {
		tl.t.Errorf("%s: a search for each series once finds %d entries", step, n)
	}
	if more := fmt.Sprintf("%d more date", len(want)-1); !strings.Contains(found, more) {
		tl.t.Errorf("%s: a search does not tell of %q", step, more)
	}
}

// keep keeps the calendar of the series, and what it should tell, for .ci/series, which reads it
// with another program.
func (tl *teller) keep(step string, id int, want story) {
	dir := os.Getenv("ALMANAC_SERIES")
	if dir == "" {
		return
	}
	ics := tl.reader.get(
		fmt.Sprintf(
			"/cal/events/v1/events.ics?start_date=2031-01-01&end_date=2032-12-31&series=%d",
			id,
		),
	).body
	for name, text := range map[string]string{
		"ics": ics,
		"txt": step + "\n" + strings.Join(want, "\n") + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%02d.%s", tl.t.Name(), tl.steps, name)), []byte(text), 0o644); err != nil {
			tl.t.Fatal(err)
		}
	}
}

// form returns the form of an event at the desk as it is sent, with changes.
func (tl *teller) form(path string, changes ...string) []string {
	pairs := slices.Clone(changes)
	for name, value := range fields(tl.editor.get(path).body) {
		if !slices.Contains(changes, name) {
			pairs = append(pairs, name, value)
		}
	}
	return pairs
}

// send sends the form of the event of a date, with changes.
func (tl *teller) send(date string, changes ...string) {
	tl.t.Helper()
	path := tl.of(date)
	got := tl.editor.post(path, tl.form(path, changes...)...)
	if got.status != 303 {
		tl.t.Fatal(date, changes, got.status, got.body)
	}
}

// of returns the path of the form of the event of a date.
func (tl *teller) of(date string) string {
	tl.t.Helper()
	for id, times := range tl.times() {
		if strings.HasPrefix(times, date) && !tl.isTrashed(id) {
			return "/desk/events/" + id
		}
	}
	tl.t.Fatal("no event on", date, tl.times())
	return ""
}

func (tl *teller) isTrashed(id string) bool {
	return strings.Contains(tl.editor.get("/desk/events/"+id).body, `value="restore"`)
}

// A series that is split twice, moved, called off and shortened is one series to its readers:
// every place tells the same dates after each step.
func TestSeriesStory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tl := &teller{world: w, editor: w.as(account.Editor), reader: w.browser()}
	made := tl.editor.post(
		"/desk/events/new",
		"title",
		"Choir",
		"date",
		"2031-06-03",
		"starts",
		"19:00",
		"ends",
		"21:00",
		"zone",
		"UTC",
		"repeat",
		"weekly",
		"until",
		"2031-07-15",
		"do",
		"publish",
	)
	if made.status != 303 {
		t.Fatal(made.status, made.body)
	}
	tl.tell(
		"made",
		"2031-06-03 19:00",
		"2031-06-10 19:00",
		"2031-06-17 19:00",
		"2031-06-24 19:00",
		"2031-07-01 19:00",
		"2031-07-08 19:00",
		"2031-07-15 19:00",
	)

	tl.send("2031-06-24", "starts", "20:00", "ends", "22:00", "scope", "following", "do", "save")
	tl.tell(
		"split once",
		"2031-06-03 19:00",
		"2031-06-10 19:00",
		"2031-06-17 19:00",
		"2031-06-24 20:00",
		"2031-07-01 20:00",
		"2031-07-08 20:00",
		"2031-07-15 20:00",
	)
	for where, body := range map[string]string{
		"page":   tl.reader.get("/event/choir-2031-06-03/").body,
		"search": tl.reader.get("/events/?tribe-bar-search=choir").body,
		"desk":   tl.editor.get(tl.of("2031-06-03")).body,
	} {
		if !strings.Contains(body, "every week on Tuesday, until 17 June 2031") {
			t.Errorf("%s does not say the last date of the first part: %s", where, body)
		}
	}
	tl.send("2031-06-10", "starts", "18:00", "ends", "20:00", "scope", "following", "do", "save")
	tl.tell(
		"split before that",
		"2031-06-03 19:00",
		"2031-06-10 18:00",
		"2031-06-17 18:00",
		"2031-06-24 20:00",
		"2031-07-01 20:00",
		"2031-07-08 20:00",
		"2031-07-15 20:00",
	)

	var chain [][]any
	for _, s := range tl.series() {
		chain = append(chain, []any{s["earlier"], s["later"]})
	}
	first := tl.series()[0]["id"]
	second := tl.series()[2]["id"]
	third := tl.series()[1]["id"]
	if diff := cmp.Diff([][]any{{nil, second}, {second, nil}, {first, third}}, chain); diff != "" {
		t.Errorf("the parts of the series in the API (-want +got):\n%s", diff)
	}
	page := tl.reader.get("/event/choir/2031-06-03/")
	page = tl.reader.get(strings.TrimPrefix(page.location, w.url))
	then := regexp.MustCompile(`<p class="series"><a href="([^"]+)">([^<]+)<`).
		FindStringSubmatch(page.body)
	if then == nil ||
		then[2] != "every week on Tuesday, from Tuesday, June 10, 2031 at 6:00\u202fPM " {
		t.Fatalf("the page of the first date says %q", then)
	}
	if led := tl.reader.get(strings.TrimPrefix(then[1], w.url)); led.status != 301 ||
		!strings.Contains(led.location, "2031-06-10") {
		t.Error("the link to the next part:", then[1], led.status, led.location)
	}
	desk := tl.editor.get(tl.of("2031-06-10")).body
	for _, other := range []string{"2031-06-03", "2031-06-24"} {
		if !strings.Contains(desk, `<a href="`+tl.of(other)+`">every week on Tuesday`) {
			t.Errorf("the form of the second part does not lead to %s: %s", other, desk)
		}
	}

	tl.send("2031-07-01", "date", "2031-07-02", "scope", "this", "do", "save")
	tl.tell(
		"a date moved",
		"2031-06-03 19:00",
		"2031-06-10 18:00",
		"2031-06-17 18:00",
		"2031-06-24 20:00",
		"2031-07-02 20:00",
		"2031-07-08 20:00",
		"2031-07-15 20:00",
	)
	moved := tl.of("2031-07-02")
	tl.editor.post(tl.of("2031-06-17"), "do", "canceled", "reason", "Heat", "scope", "this")
	tl.tell(
		"one called off",
		"2031-06-03 19:00",
		"2031-06-10 18:00",
		"2031-06-17 18:00 off",
		"2031-06-24 20:00",
		"2031-07-02 20:00",
		"2031-07-08 20:00",
		"2031-07-15 20:00",
	)
	tl.editor.post(tl.of("2031-06-17"), "do", "scheduled", "scope", "this")
	tl.editor.post(tl.of("2031-07-15"), "do", "trash", "scope", "following")
	tl.tell(
		"ended",
		"2031-06-03 19:00",
		"2031-06-10 18:00",
		"2031-06-17 18:00",
		"2031-06-24 20:00",
		"2031-07-02 20:00",
		"2031-07-08 20:00",
	)

	changes := tl.editor.get(moved + "/changes").body
	number := regexp.MustCompile(`name="number" value="(\d+)"`).FindAllStringSubmatch(changes, -1)
	if len(number) == 0 {
		t.Fatal(changes)
	}
	back := tl.editor.post(moved+"/changes", tl.form(moved+"/changes", "number", number[0][1])...)
	if back.status != 303 {
		t.Fatal(back.status, back.body)
	}
	tl.tell(
		"the move undone",
		"2031-06-03 19:00",
		"2031-06-10 18:00",
		"2031-06-17 18:00",
		"2031-06-24 20:00",
		"2031-07-01 20:00",
		"2031-07-08 20:00",
	)

	like := tl.editor.post(
		"/desk/events/new?like="+strings.TrimPrefix(moved, "/desk/events/"),
		"title",
		"Choir copy",
		"date",
		"2031-09-01",
		"starts",
		"20:00",
		"ends",
		"22:00",
		"zone",
		"UTC",
		"do",
		"draft",
	)
	if like.status != 303 {
		t.Error(like.status, like.body)
	}
	tl.tell(
		"copied",
		"2031-06-03 19:00",
		"2031-06-10 18:00",
		"2031-06-17 18:00",
		"2031-06-24 20:00",
		"2031-07-01 20:00",
		"2031-07-08 20:00",
	)
}

// A series is edited at the desk: its end, single dates, dates with a time of their own and the
// rule of later dates.
func TestSeriesAtDesk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tl := &teller{world: w, editor: w.as(account.Editor), reader: w.browser()}
	made := tl.editor.post(
		"/desk/events/new",
		"title",
		"Choir",
		"date",
		"2031-06-03",
		"starts",
		"19:00",
		"ends",
		"21:00",
		"zone",
		"UTC",
		"repeat",
		"weekly",
		"until",
		"2031-07-15",
		"do",
		"publish",
	)
	if made.status != 303 {
		t.Fatal(made.status, made.body)
	}
	form := fields(tl.editor.get(tl.of("2031-06-03")).body)
	if diff := cmp.Diff([]string{"2031-07-15", form["offered"]}, []string{form["until"], form["takes"]}); diff != "" ||
		form["takes"] == "" {
		t.Errorf("the form has not the end and all dates ticked (-want +got):\n%s", diff)
	}

	tl.send("2031-06-03", "until", "2031-07-01", "scope", "all", "do", "save")
	tl.tell(
		"an earlier end",
		"2031-06-03 19:00",
		"2031-06-10 19:00",
		"2031-06-17 19:00",
		"2031-06-24 19:00",
		"2031-07-01 19:00",
	)

	takes := func(without string) string {
		all := fields(tl.editor.get(tl.of("2031-06-03")).body)["takes"]
		if without == "" {
			return all
		}
		return strings.ReplaceAll(strings.ReplaceAll(all, without+",", ""), ","+without, "")
	}
	tl.send("2031-06-03", "takes", takes("2031-06-17T19:00"), "scope", "all", "do", "save")
	tl.tell(
		"a date unticked",
		"2031-06-03 19:00",
		"2031-06-10 19:00",
		"2031-06-24 19:00",
		"2031-07-01 19:00",
	)
	tl.send(
		"2031-06-03",
		"takes",
		takes("2031-06-10T19:00"),
		"starts",
		"20:00",
		"ends",
		"22:00",
		"scope",
		"all",
		"do",
		"save",
	)
	tl.tell(
		"another time and a date unticked",
		"2031-06-03 20:00",
		"2031-06-24 20:00",
		"2031-07-01 20:00",
	)
	tl.send(
		"2031-06-03",
		"takes",
		takes("")+",2031-06-10T20:00,2031-06-17T20:00",
		"scope",
		"all",
		"do",
		"save",
	)
	tl.tell(
		"ticked again",
		"2031-06-03 20:00",
		"2031-06-10 20:00",
		"2031-06-17 20:00",
		"2031-06-24 20:00",
		"2031-07-01 20:00",
	)

	tl.send("2031-06-10", "more", "2031-06-20T15:30", "scope", "all", "do", "save")
	tl.tell(
		"one more date",
		"2031-06-03 20:00",
		"2031-06-10 20:00",
		"2031-06-17 20:00",
		"2031-06-20 15:30",
		"2031-06-24 20:00",
		"2031-07-01 20:00",
	)
	tl.send(
		"2031-06-24",
		"repeat",
		"fortnightly",
		"until",
		"2031-07-25",
		"scope",
		"following",
		"do",
		"save",
	)
	want := []string{
		"2031-06-03 20:00",
		"2031-06-10 20:00",
		"2031-06-17 20:00",
		"2031-06-20 15:30",
		"2031-06-24 20:00",
		"2031-07-08 20:00",
		"2031-07-22 20:00",
	}
	tl.tell("another rhythm later", want...)
	tl.send(
		"2031-06-24",
		"takes",
		"2031-06-24T20:00,2031-07-08T20:00",
		"more",
		"7/9/2031 10 am",
		"scope",
		"following",
		"do",
		"save",
	)
	want = append(want[:6:6], "2031-07-09 10:00")
	tl.tell("another date in place of the last one", want...)

	for _, test := range []struct{ field, value, scope, wrong string }{
		{"repeat", "fortnightly", "this", "repeat"},
		{"takes", "2031-06-24T20:00", "this", "repeat"},
		{"more", "tomorrow", "all", "more"},
		{"until", "2031-02-30", "all", "until"},
		{"repeat", "never", "all", "repeat"},
	} {
		path := tl.of("2031-06-24")
		got := tl.editor.post(
			path,
			tl.form(path, test.field, test.value, "scope", test.scope, "do", "save")...)
		if got.status != 422 || !strings.Contains(got.body, `href="#f-`+test.wrong+`"`) {
			t.Errorf(
				"%s=%s for %s: %d, and no problem at %s",
				test.field,
				test.value,
				test.scope,
				got.status,
				test.wrong,
			)
		}
		if says := strings.Contains(got.body, "Choose below for which dates this is"); says != (test.scope == "this") {
			t.Errorf(
				"%s=%s for %s: the form asks for the dates: %t",
				test.field,
				test.value,
				test.scope,
				says,
			)
		}
		if again := fields(got.body)[test.field]; again != test.value && test.field != "repeat" {
			t.Errorf("%s=%s is %q in the form again", test.field, test.value, again)
		}
	}
	path := tl.of("2031-06-24")
	shown := tl.editor.post(
		path,
		tl.form(path, "repeat", "weekly", "scope", "all", "do", "dates")...)
	for _, part := range []string{`formaction="#dates"`, `<div id="dates" tabindex="-1">`, `value="2031-07-15" checked`,
		`<option value="weekly" selected>`} {
		if shown.status != 200 || !strings.Contains(shown.body, part) {
			t.Errorf("the dates of another rule are shown without %s: %d", part, shown.status)
		}
	}
	tl.tell("refused and shown", want...)
}

// The rules of the form give the dates that their words say.
func TestRulesOfForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Editor)
	for i, test := range []struct {
		fields []string
		want   string
	}{
		{[]string{"repeat", "weekly", "weekdays[]", "TU", "weekdays[]", "TH", "until", "2031-06-12"}, "06-03 06-05 06-10 06-12"},
		{[]string{"repeat", "fortnightly", "weekdays[]", "TU", "weekdays[]", "WE", "until", "2031-06-20"}, "06-03 06-04 06-17 06-18"},
		{[]string{"repeat", "monthly", "until", "2031-08-31"}, "06-03 07-01 08-05"},
		{[]string{"repeat", "monthly", "weeks[]", "1", "weeks[]", "3", "until", "2031-07-31"}, "06-03 06-17 07-01 07-15"},
		{[]string{"repeat", "monthly", "weeks[]", "1", "weeks[]", "-1", "until", "2031-07-31"}, "06-03 06-24 07-01 07-29"},
		{[]string{"repeat", "monthday", "until", "2031-08-31"}, "06-03 07-03 08-03"},
		{[]string{"repeat", "yearly", "until", "2032-12-31"}, "06-03 06-03"},
	} {
		title := fmt.Sprint("Rule ", i)
		got := b.post(
			"/desk/events/new",
			append(
				test.fields,
				"title",
				title,
				"date",
				"2031-06-03",
				"zone",
				"UTC",
				"do",
				"publish",
			)...)
		var all []string
		_ = w.store.View(func(v *store.View) error {
			for r := range v.Each(store.Events) {
				if e := r.(*store.Event); e.Title == title {
					all = append(all, e.Start.Time().Format(time.DateOnly))
				}
			}
			return nil
		})
		slices.Sort(all)
		for i := range all {
			all[i] = all[i][5:]
		}
		if diff := cmp.Diff(test.want, strings.Join(all, " ")); diff != "" {
			t.Errorf("%q: %d (-want +got):\n%s", test.fields, got.status, diff)
		}
	}
	bad := b.post(
		"/desk/events/new",
		"title",
		"Bad",
		"date",
		"2031-06-03",
		"zone",
		"UTC",
		"repeat",
		"weekly",
		"weekdays[]",
		"XX",
	)
	if bad.status != 422 || !strings.Contains(bad.body, `href="#f-repeat"`) {
		t.Error(bad.status, bad.body)
	}
}

// The form says what became of each date, and of a series that was split, which dates are all.
func TestDatesOfTheForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tl := &teller{world: w, editor: w.as(account.Editor), reader: w.browser()}
	made := tl.editor.post("/desk/events/new", "title", "Choir", "date", "2031-06-03",
		"starts", "19:00", "ends", "21:00", "zone", "UTC",
		"repeat", "weekly", "until", "2031-07-15", "do", "publish")
	if made.status != 303 {
		t.Fatal(made.status, made.body)
	}
	const all = `<label for="scope-all">All dates</label>`
	if form := tl.editor.get(tl.of("2031-06-03")).body; !strings.Contains(form, all) {
		t.Errorf("the form of a whole series does not say that all dates are meant: %s", form)
	}
	tl.send("2031-06-24", "starts", "18:00", "scope", "following", "do", "save")
	cancel := tl.editor.post(
		tl.of("2031-06-10"),
		"do",
		"canceled",
		"reason",
		"Snow",
		"scope",
		"this",
	)
	if cancel.status != 303 {
		t.Fatal(cancel.status, cancel.body)
	}
	form := tl.editor.get(tl.of("2031-06-03")).body
	for _, want := range []string{
		"Jun 10, 2031: 7:00\u202fPM (Cancelled)</label>",
		"Jun 17, 2031: 7:00\u202fPM</label>",
		`<label for="scope-all">All dates (every week on Tuesday, until `,
		`<option value="all">All dates (every week on Tuesday, until `,
	} {
		if !strings.Contains(form, want) {
			t.Errorf("%q is not in the form: %s", want, form)
		}
	}
}

// The form of an event leads to the other parts of its series by events that the account may edit:
// of other events it tells nothing, not even the date.
func TestHiddenPartsOfSeries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := store.WallOf(now.AddDate(0, 1, 0))
	part := func(start store.Wall) *store.Series {
		e := eventOf(3, store.Publish, "Choir")
		e.Start = start
		e.End = start + 3600
		return &store.Series{Event: *e, Rule: "FREQ=DAILY;COUNT=1"}
	}
	first := part(at)
	second := part(at + 86_400)
	w.put(first, second)
	linked := *first
	linked.Event.Parts.Later = second.ID
	later := *second
	later.Event.Parts.Earlier = first.ID
	instance := func(s *store.Series, author int64, status store.Status, title string) *store.Event {
		e := eventOf(author, status, title)
		e.Start = s.Event.Start
		e.End = s.Event.End
		e.Recurrence = &store.Recurrence{Series: s.ID, Start: e.Start}
		return e
	}
	own := instance(first, 3, store.Publish, "Choir one")
	hidden := instance(second, 2, store.Draft, "Choir two")
	w.put(&linked, &later, own, hidden)
	path := fmt.Sprint("/desk/events/", hidden.ID)
	for role, shown := range map[account.Role]bool{account.Author: false, account.Editor: true} {
		got := w.as(role).get(fmt.Sprint("/desk/events/", own.ID))
		if got.status != 200 || strings.Contains(got.body, `"`+path+`"`) != shown {
			t.Errorf(
				"%s: %d, the other part is shown is not %v: %s",
				role,
				got.status,
				shown,
				got.body,
			)
		}
	}
}
