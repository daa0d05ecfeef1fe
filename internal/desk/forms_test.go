package desk_test

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/png"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/people/submission"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// chosen finds the fields of a form in which one of several values is chosen.
var chosen = regexp.MustCompile(
	`(?s)<select[^>]* name="([^"]+)"[^>]*>(?:\s*<option value="[^"]*">[^<]*</option>)*\s*<option value="([^"]*)" selected>`,
)

// allOf returns the values of all fields of a form.
func allOf(body string) map[string]string {
	all := fields(body)
	for _, m := range chosen.FindAllStringSubmatch(body, -1) {
		all[m[1]] = html.UnescapeString(m[2])
	}
	all["dates"] = strings.Trim(all["dates"], ",") // less the empty fields
	return all
}

// complaints returns the field and the text of each reason why a form was not taken.
func complaints(body string) string {
	var all []string
	for _, m := range complaint.FindAllStringSubmatch(body, -1) {
		all = append(all, m[1]+": "+html.UnescapeString(m[2]))
	}
	return strings.Join(all, "; ")
}

// public are the fields of a form that proposals have too.
var public = []string{
	"title", "date", "starts", "ends", "last", "venue", "cost", "free", "description", "organizer", "website",
	"virtual_url", "sure",
}

// What was typed in a form is stored as it was typed, or refused at its field, with all that was
// typed.
func TestOddForms(t *testing.T) {
	t.Parallel()
	const (
		often   = "repeat: How often does it repeat? Choose it here, or empty what is filled in below."
		other   = "repeat: This choice leaves out something that is filled in below. Choose another one, or empty it."
		clock   = ": Enter a time as hours and minutes, such as 19:30."
		day     = ": Enter a date as year, month and day, such as 2031-06-01."
		free    = "cost: “Free of charge” is ticked, and a cost stands beside it. Untick it, or empty the cost."
		moment  = "publish: Enter a date and times that exist."
		website = "website: Enter a website that begins with https:// or http://."
		online  = "virtual_url: Enter a website that begins with https:// or http://."
		zone    = "zone: Enter a time zone such as Europe/Berlin."
		far     = ": this is more than ten years ahead. Is it right?"
		is      = "=" // what the form of the stored event has otherwise
	)
	w, _ := proposing(t, account.Editor, 1000, func(o *api.Options) {
		o.Submissions = submission.New(idOf(account.Editor), 1000, elapsed(o.Clock))
	})
	b := w.as(account.Editor)
	for i, test := range []struct{ sent, want string }{
		// Fields that have no effect alone.
		{"weekdays=TU,TH", often},
		{"weekdays=TU&until=2031-09-01", often},
		{"until=2031-09-01", often},
		{"until=9/1/2031", often + "=until=2031-09-01"},
		{"weeks=1", often},
		{"dates=2031-06-10", often},
		{"more=2031-06-10T19:00", often},
		{"repeat=monthly&weekdays=TU", other},
		{"repeat=monthday&weekdays=TU", other},
		{"repeat=yearly&weekdays=TU", other},
		{"repeat=weekly&weeks=1,3", other},
		{"repeat=fortnightly&weeks=1", other},
		{"repeat=yearly&weeks=-1", other},
		{"repeat=monthday&weeks=2", other},
		{"repeat=weekly&dates=2031-06-10", other},
		{"repeat=dates&dates=2031-06-10&until=2031-09-01", other},
		{"repeat=dates&dates=2031-06-10&weekdays=TU", other},
		{"repeat=dates", "repeat: Enter the dates below."},
		{"repeat=weekly&until=2031-06-02", "until: This day is before the first one."},
		{"repeat=weekly&until=2031-02-30", "until: February 2031 has 28 days."},
		{"repeat=weekly&until=soon", "until" + day},
		{"repeat=dates&dates=soon", "repeat" + day},
		{"repeat=dates&dates=2031-06-31", "repeat: June 2031 has 30 days."},
		{"repeat=weekly&until=2031-07-01", is + "repeat=FREQ=WEEKLY;BYDAY=TU"},
		{"repeat=weekly&weekdays=TU,TH&until=2031-07-01", is + "repeat=FREQ=WEEKLY;BYDAY=TU,TH&weekdays="},
		{"repeat=fortnightly&until=7/1/2031", is + "repeat=FREQ=WEEKLY;INTERVAL=2;BYDAY=TU&until=2031-07-01"},
		{"repeat=monthly&weeks=1,3&until=2031-09-02", is + "repeat=FREQ=MONTHLY;BYDAY=1TU,3TU&weeks="},
		{"repeat=dates&dates=2031-06-10,2031-06-21", is + "dates="},
		{"repeat=dates&dates=6/10/2031", is + "dates="},
		{"password=sesame&title=", "title: Enter a title."},
		{"password=sesame", is + "password="},
		{"open=1&password=sesame", "password: A new password is entered, and “Remove the password” is ticked. Keep one of them." +
			"=open="}, // an event without a password has no such tick
		{"alt=Singers", "alt: Choose the picture that this text is about, or empty the text."},

		// Dates and times.
		{"date=June 3, 2031", is + "date=2031-06-03"},
		{"date=3 June 2031", is + "date=2031-06-03"},
		{"date=2031/06/03", is + "date=2031-06-03"},
		{"date=6/31/2031", "date: June 2031 has 30 days.=date=2031-06-31"},
		{"date=13/6/2031", "date" + day + "=date=2031-13-06"},
		{"date=6/3", "date" + day},
		{"date=3.6.2031", "date" + day},
		{"date=Pentecost", "date" + day},
		{"date=2031-06-03&last=6/5/2031", is + "last=2031-06-05"},
		{"last=6/2/2031", "last: This day is before the first one.=last=2031-06-02"},
		{"starts=7:30", is + "starts=07:30"},
		{"starts=9:30&ends=12:00", is + "starts=09:30&last="},
		{"starts=1930", is + "starts=19:30"},
		{"starts=930", "starts" + clock},
		{"starts=25:00", "starts" + clock},
		{"starts=19:30&ends=9 pm", is + "ends=21:00"},
		{"starts=19:30&ends=9", "ends" + clock},
		{"publish=2031-06-01T10:00", ""},
		{"publish=2031-06-01 10:00", is + "publish=2031-06-01T10:00"},
		{"publish=6/1/2031 10:00", is + "publish=2031-06-01T10:00"},
		{"publish=next week", moment},
		{"publish=2031-06-31T10:00", moment},
		{"publish=2031-06-01", moment},
		{"days=0", "days: “Last day” cannot be saved like this."},
		{"zone=Berlin", zone},
		{"zone=CEST", zone},
		{"zone=Europe/Berlin", ""},

		// Days that may be a slip.
		{"date=0226-06-03&do=publish", "sure: This date was 1,804 years ago. Is it right?"},
		{"date=2026-06-03&do=publish", "sure: This date was 4 years ago. Is it right?"},
		{"date=2031-05-09&do=publish", "sure: This date was 1 day ago. Is it right?"},
		{"date=2031-05-08&last=2031-05-09&do=publish", "sure: This date was 1 day ago. Is it right?"},
		{"date=2031-05-08&last=2031-05-10&do=publish", ""},
		{"date=2131-06-03&do=publish", "sure: Sunday, June 3, 2131" + far},
		{"last=2301-06-03&do=publish", "sure: Monday, June 3, 2301" + far},
		{"repeat=weekly&until=2131-06-03&do=publish", "sure: Sunday, June 3, 2131" + far},
		{"date=2026-06-03&do=publish&sure=2026-06-03//", is + "sure="},
		{"date=2131-06-03&do=publish&sure=2026-06-03//", "sure: Sunday, June 3, 2131" + far + "=sure="},
		{"date=2026-06-03&title=&do=publish&sure=2026-06-03//", "title: Enter a title."},
		{"date=2026-06-03&do=draft", ""},

		// Words.
		{"cost=12,50", ""},
		{"cost=pay what you can", ""},
		{"free=1&cost=free", is + "free="},
		{"free=1&cost=Kostenlos", is + "free="},
		{"free=1&cost=0", is + "cost="},
		{"free=1&cost=5", free},
		{"free=1&cost=Free, VIP 5 €", free},
		{"website=example.org", website},
		{"website=javascript:alert(1)", website},
		{"website=https://example.org/a?b=c", ""},
		{"virtual_url=example.org", online},
		{"virtual_url=javascript:alert(1)", online},
		{"virtual_url=https://meet.example.org/a?b=c", ""},
		{"tags=choir, autumn", ""},
		{"organizer=Choir; Band", ""},
		{"venue=  Barn  ", is + "venue=Barn"},
		{"title=<i>Choir</i> %26 \"Band\"", ""},
		{"description=a < b\n\n- c", ""},
	} {
		sent, err := url.ParseQuery(strings.NewReplacer(";", "%3B", "+", "%2B").Replace(test.sent))
		if err != nil {
			t.Fatal(err)
		}
		typed := map[string]string{"title": "Concert", "date": "2031-06-03", "do": "draft"}
		isProposal := true
		for name, values := range sent {
			typed[name] = values[0]
			isProposal = isProposal && (name == "do" || slices.Contains(public, name))
		}
		text, otherwise, _ := strings.Cut(test.want, "=")
		want := map[string]string{}
		for name, value := range typed {
			if name != "do" {
				want[name] = value
			}
		}
		for pair := range strings.SplitSeq(otherwise, "&") {
			name, value, _ := strings.Cut(pair, "=")
			want[name] = value
		}
		var pairs []string
		for name, value := range typed {
			pairs = append(pairs, name, value)
		}
		check := func(path string, got answer) (isStored bool) {
			t.Helper()
			if diff := cmp.Diff(text, complaints(got.body)); diff != "" ||
				(got.status == 303) != (text == "") || text != "" && got.status != 422 {
				t.Errorf("%q at %s: %d (-want +got):\n%s", test.sent, path, got.status, diff)
				return false
			}
			form := allOf(got.body)
			if got.status == 303 && path == "desk" {
				form = allOf(b.get(strings.Split(got.location, "?")[0]).body)
			} else if got.status == 303 {
				return true
			}
			for name, value := range want {
				if form[name] != value {
					t.Errorf("%q at %s: %s is %q, not %q, in the form again",
						test.sent, path, name, form[name], value)
				}
			}
			return got.status == 303
		}
		before := len(w.events())
		stored := check("desk", b.post("/desk/events/new", pairs...))
		if !stored && len(w.events()) != before {
			t.Errorf("%q is refused, and stored", test.sent)
		}
		if isProposal && !strings.Contains(test.sent, "do=draft") {
			stranger := w.browser()
			stranger.header.Set("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i))
			check(
				"public",
				stranger.propose(append(pairs, "sender", "Ann", "email", "a@example.org")...),
			)
		}
	}
}

// send sends a form of a page as it stands there, with other values.
func (b *browser) send(path string, pairs ...string) answer {
	b.t.Helper()
	for name, value := range allOf(b.get(path).body) {
		if !slices.Contains(pairs, name) {
			pairs = append(pairs, name, value)
		}
	}
	return b.post(path, pairs...)
}

// What is typed about a picture in the form of an event is stored with the picture, or refused at
// the field.
func TestTextOfPictureInForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	author := w.as(account.Author)
	editor := w.as(account.Editor)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 600, 400))); err != nil {
		t.Fatal(err)
	}
	author.multi("/desk/pictures/new", file.Bytes(), "alt", "A choir")
	editor.multi("/desk/pictures/new", file.Bytes(), "alt", "A band")
	alts := func() (all []string) {
		_ = w.store.View(func(v *store.View) error {
			for _, r := range v.Uploads() {
				all = append(all, r.(*store.Image).Alt)
			}
			return nil
		})
		slices.Sort(all)
		return all
	}
	own := w.images()[0]
	others := w.images()[1]
	if !strings.Contains(author.get("/desk/pictures/"+own).body, "A choir") {
		own, others = others, own
	}
	made := author.post(
		"/desk/events/new",
		"title",
		"Concert",
		"date",
		"2031-06-01",
		"uploaded",
		own,
		"do",
		"draft",
	)
	edit := strings.Split(made.location, "?")[0]
	const problem = "alt: This picture belongs to somebody else, so you cannot change its text."
	for _, test := range []struct {
		who  *browser
		sent []string
		want string
		alts []string
		alt  string // in the form after it
	}{
		{author, []string{"title", "Concerts"}, "", []string{"A band", "A choir"}, "A choir"},
		{author, []string{"alt", "Singers"}, "", []string{"A band", "Singers"}, "Singers"},
		{author, []string{"alt", "A quartet", "date", ""}, "date: Enter the date.", []string{"A band", "Singers"}, "A quartet"},
		{editor, []string{"uploaded", others}, "", []string{"A band", "Singers"}, "A band"},
		{author, []string{"alt", "A crowd"}, problem, []string{"A band", "Singers"}, "A crowd"},
		{editor, []string{"alt", "A big band"}, "", []string{"A big band", "Singers"}, "A big band"},
		{editor, []string{"uploaded", own, "alt", "A quintet"}, "", []string{"A big band", "A quintet"}, "A quintet"},
		{editor, []string{"alt", ""}, "", []string{"", "A big band"}, ""},
		{editor, []string{"alt", "Nothing", "no-picture", "1"},
			"alt: Choose the picture that this text is about, or empty the text.", []string{"", "A big band"}, "Nothing"},
	} {
		got := test.who.send(edit, append(test.sent, "do", "save")...)
		form := allOf(got.body)
		if got.status == 303 {
			form = allOf(test.who.get(edit).body)
		}
		if diff := cmp.Diff(test.want, complaints(got.body)); diff != "" ||
			form["alt"] != test.alt {
			t.Errorf(
				"%q: %d, %q in the form again (-want +got):\n%s",
				test.sent,
				got.status,
				form["alt"],
				diff,
			)
		}
		if diff := cmp.Diff(test.alts, alts()); diff != "" {
			t.Errorf("%q: texts of pictures (-want +got):\n%s", test.sent, diff)
		}
	}
}

// An event that is off gets a reason, or another one, and stays off.
func TestReasonOfEventThatIsOff(t *testing.T) {
	t.Parallel()
	for _, state := range []string{store.Canceled, store.Postponed} {
		w := newWorld(t)
		b := w.as(account.Editor)
		e := eventOf(2, store.Publish, "Fair")
		w.put(e)
		edit := fmt.Sprint("/desk/events/", e.ID)
		b.post(edit, "do", state)
		button := `<button name="do" value="` + state + `">Save</button>`
		for _, reason := range []string{"Rain.", "A storm.", ""} {
			if page := b.get(edit).body; !strings.Contains(page, button) {
				t.Errorf("%s: no button for the reason: %s", state, page)
			}
			b.post(edit, "do", state, "reason", reason)
			got := fields(b.get(edit).body)["reason"]
			_ = w.store.View(func(v *store.View) error {
				e := v.Event(e.ID)
				if diff := cmp.Diff([]string{state, reason, reason}, []string{e.State, e.StateReason, got}); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				return nil
			})
		}
	}
}

// A change of several dates says how many they were, and the rule of a series is offered once.
func TestNoticeOfSeveralDates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Editor)
	b.post(
		"/desk/events/new",
		"title",
		"Choir",
		"date",
		"2031-06-03",
		"starts",
		"19:00",
		"repeat",
		"weekly",
		"until",
		"2031-06-24",
		"zone",
		"UTC",
		"do",
		"publish",
	)
	third := ""
	_ = w.store.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			if e := r.(*store.Event); e.Start.Time().Day() == 17 {
				third = fmt.Sprint("/desk/events/", e.ID)
			}
		}
		return nil
	})
	page := b.get(third).body
	if strings.Contains(page, `<option value="weekly"`) ||
		!strings.Contains(page, ">every week on Tuesday<") ||
		!strings.Contains(page, `<option value="fortnightly"`) {
		t.Error("the rule of the series is not offered once:", page)
	}
	notice := regexp.MustCompile(`<p class="done"[^>]*>([^<]*)</p>`)
	for _, test := range [][]string{
		{"Saved.", "scope", "this", "title", "Song", "do", "save"},
		{"Saved. Dates that were changed: 4.", "scope", "all", "cost", "5", "do", "save"},
		{"Saved. Dates that were changed: 2.", "scope", "following", "cost", "6", "do", "save"},
	} {
		got := b.send(third, test[1:]...)
		if shown := notice.FindStringSubmatch(b.get(got.location).body); shown == nil ||
			shown[1] != test[0] {
			t.Errorf("%q: %d %q", test, got.status, shown)
		}
	}
	got := b.post(third, "do", "canceled", "scope", "following")
	if shown := notice.FindStringSubmatch(b.get(got.location).body); shown == nil ||
		shown[1] != "Saved. Dates that were changed: 2." {
		t.Errorf("canceled: %d %q", got.status, shown)
	}
}

// Before an event becomes public on a day that may be a slip, that is asked, wherever the button
// stands.
func TestYearIsAskedAtEachButton(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Editor, 10)
	b := w.as(account.Editor)
	stranger := w.browser()
	made := stranger.propose(with(proposal, "date", "2031-05-12", "last", "")...)
	if made.status != 303 {
		t.Fatal(made.status, complaints(made.body))
	}
	draft := eventOf(2, store.Draft, "Old")
	draft.Start = store.WallOf(time.Date(226, 6, 1, 19, 0, 0, 0, time.UTC))
	draft.End = draft.Start
	w.put(draft)
	edit := fmt.Sprint("/desk/events/", draft.ID)
	got := b.post(edit, "do", "publish") // as the strip above the preview does
	if want := "sure: This date was 1,804 years ago. Is it right?"; got.status != 422 ||
		complaints(got.body) != want {
		t.Errorf("%d %q", got.status, complaints(got.body))
	}
	pairs := []string{"do", "publish", "sure", "0226-06-01//"}
	for name, value := range allOf(got.body) {
		pairs = append(pairs, name, value)
	}
	if again := b.post(edit, pairs...); again.status != 303 {
		t.Errorf("it was confirmed: %d %q", again.status, complaints(again.body))
	}
	if again := b.send(edit, "title", "Older", "do", "save"); again.status != 303 {
		t.Errorf("it is asked once: %d %q", again.status, complaints(again.body))
	}
	w.clock.Set(now.AddDate(0, 0, 5))
	waiting := regexp.MustCompile(`/desk/waiting/\d+`).FindString(b.get("/desk/waiting").body)
	const asks = "This date was 3 days ago. Is it right? Yes, this date is right"
	if page := b.get(waiting).body; !strings.Contains(page, asks) {
		t.Error("the strip does not ask:", page)
	}
	b.post(waiting, "do", "publish")
	before := w.events()
	b.post(waiting, "do", "publish", "sure", "1")
	want := [][]string{{"Fair pending", "Older publish"}, {"Fair publish", "Older publish"}}
	if diff := cmp.Diff(want, [][]string{before, w.events()}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// After a mistake only those folds are open that have one, or something that was filled in.
func TestFoldsAfterMistake(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Editor)
	folds := regexp.MustCompile(`<details class="part"( open)?>`)
	for _, test := range []struct {
		sent []string
		want []string
	}{
		{[]string{"title", ""}, []string{"", "", ""}},
		{[]string{"until", "2031-09-01"}, []string{" open", "", ""}},
		{[]string{"title", "", "tags", "choir"}, []string{"", " open", ""}},
		{[]string{"website", "nowhere"}, []string{"", " open", ""}},
		{[]string{"virtual_url", "nowhere"}, []string{"", " open", ""}},
		{[]string{"title", "", "hide", "1"}, []string{"", "", " open"}},
		{[]string{"publish", "soon"}, []string{"", "", " open"}},
		{[]string{"zone", "Mars/Base"}, []string{" open", "", ""}},
	} {
		got := b.post(
			"/desk/events/new",
			with([]string{"title", "Fair", "date", "2031-06-01"}, test.sent...)...)
		var open []string
		for _, m := range folds.FindAllStringSubmatch(got.body, -1) {
			open = append(open, m[1])
		}
		if diff := cmp.Diff(test.want, open); diff != "" || got.status != 422 {
			t.Errorf("%q: %d (-want +got):\n%s", test.sent, got.status, diff)
		}
	}
}

// A date is typed as the language of the page writes it, where a browser has no field for dates.
func TestDatesInLanguages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Editor)
	for _, test := range []struct{ language, date, want string }{
		{"de", "24.12.2031", "2031-12-24"},
		{"fr", "24/12/2031", "2031-12-24"},
		{"ja", "2031年12月24日", "2031-12-24"},
		{"en", "12/24/2031", "2031-12-24"},
	} {
		b.post("/desk/language", "language", test.language, "to", "/desk/")
		got := b.post("/desk/events/new", "title", "Fair", "date", test.date, "do", "draft")
		if stored := fields(b.get(got.location).body)["date"]; stored != test.want {
			t.Errorf("%s: %q is %d %q", test.language, test.date, got.status, stored)
		}
	}
}

// The form of a proposal marks what has to be filled in, and says what the e-mail is for. Later its
// address names the event.
func TestProposalNamesItsEvent(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Editor, 10)
	b := w.as(account.Editor)
	page := w.browser().get("/events/suggest/").body
	var required []string
	for _, m := range regexp.MustCompile(` name="(\w+)"[^>]* aria-required="true"`).FindAllStringSubmatch(page, -1) {
		required = append(required, m[1])
	}
	if diff := cmp.Diff([]string{"title", "date", "sender", "email"}, required); diff != "" ||
		strings.Count(
			page,
			"(required)",
		) != 4 || !strings.Contains(page, "For questions about your proposal.") {
		t.Errorf("required fields (-want +got):\n%s\n%s", diff, page)
	}
	for _, button := range []string{"publish", "decline", "withdraw"} {
		made := w.browser().propose(with(proposal, "title", "Zqfair "+button)...)
		address := strings.TrimPrefix(made.location, b.url)
		waiting := regexp.MustCompile(`/desk/waiting/\d+`).FindString(b.get("/desk/waiting").body)
		if button == "withdraw" {
			w.browser().post(address, "do", button)
		} else {
			b.post(waiting, "do", button)
		}
		if got := w.browser().get(address).body; !strings.Contains(
			got,
			"<strong><bdi>Zqfair "+button+"</bdi></strong>",
		) {
			t.Errorf("%s: the event is not named: %s", button, got)
		}
	}
	made := w.browser().propose(with(proposal, "title", "Zqfair")...)
	waiting := regexp.MustCompile(`/desk/waiting/(\d+)`).
		FindStringSubmatch(b.get("/desk/waiting").body)
	b.send("/desk/events/"+waiting[1], "title", "Zqsecret", "do", "draft")
	_ = w.store.Update(1, func(tx *store.Tx) error {
		e := *tx.Event(api.ParseID(waiting[1]))
		e.Status = store.Draft
		return tx.Put(&e)
	})
	if got := w.browser().get(strings.TrimPrefix(made.location, b.url)).body; strings.Contains(
		got,
		"Zqsecret",
	) {
		t.Error("a draft of an editor is told:", got)
	}
}

// The page of accounts says what links and roles are. A dead link leads on, and each sign-in tells
// its browser and address.
func TestAccountsExplained(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	admin := w.as(account.Administrator)
	page := admin.get("/desk/accounts").body
	for _, want := range []string{"An invitation does the same within 7 days", "Contributors write drafts"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	link, _, err := w.sessions.AddLink(0, account.Account{ID: 2, Role: account.Editor}, true)
	if err != nil {
		t.Fatal(err)
	}
	phone := w.browser()
	phone.header.Set("User-Agent", "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 "+
		"(KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36")
	phone.post("/desk/link", "token", link)
	got := phone.get("/desk/link?token=" + link)
	if got.status != 303 || got.location != "/desk/?done=link" {
		t.Errorf("the link again, where it was used: %d %q", got.status, got.location)
	}
	if said := phone.get(got.location).body; !strings.Contains(said, "signed in as editor.") {
		t.Errorf("the page that it leads to does not say who is signed in: %s", said)
	}
	if got := w.browser().get("/desk/link?token=" + link); got.status != 403 ||
		!strings.Contains(got.body, "open this page there") {
		t.Errorf("the link again, elsewhere: %d %s", got.status, got.body)
	}
	odd := w.browser()
	odd.header.Set("User-Agent", "<b>Zqbot</b>")
	odd.post("/desk/sign-in", "sign-in-login", "editor", "sign-in-token", "editor")
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0":             "Firefox, Windows",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1": "Safari, iPhone",
		"Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0":       "Edge, Windows",
	} {
		other := w.browser()
		other.header.Set("User-Agent", agent)
		other.post("/desk/sign-in", "sign-in-login", "editor", "sign-in-token", "editor")
		if list := phone.get("/desk/account").body; !strings.Contains(
			list,
			"<bdi>"+want+"\u00a0· 127.0.0.1</bdi>",
		) {
			t.Errorf("no %q in %s", want, list)
		}
	}
	list := phone.get("/desk/account").body
	if !strings.Contains(list, "<bdi>Chrome, Android\u00a0· 127.0.0.1</bdi>") ||
		!strings.Contains(list, "<bdi>127.0.0.1</bdi>") || strings.Contains(list, "Zqbot") ||
		!strings.Contains(list, "A phone was lost or stolen") {
		t.Error(list)
	}
}

// Each tick box of the list has a name of its own: two dates of a series are told apart.
func TestNamesOfTickBoxes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Editor)
	b.post(
		"/desk/events/new",
		"title",
		"Choir",
		"date",
		"2031-06-03",
		"repeat",
		"weekly",
		"until",
		"2031-06-10",
		"zone",
		"UTC",
		"do",
		"publish",
	)
	var names []string
	for _, m := range regexp.MustCompile(` name="id\[\]"[^>]* aria-label="([^"]*)"`).FindAllStringSubmatch(b.get("/desk/").body, -1) {
		names = append(names, m[1])
	}
	want := []string{"Choir, Tuesday, June 3, 2031", "Choir, Tuesday, June 10, 2031"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
