package desk_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// rows returns the texts of a list, with one space for all between them.
func rows(body string) (all []string) {
	for _, m := range regexp.MustCompile(`(?s)<li>(.*?)</li>`).FindAllStringSubmatch(body[strings.Index(body, `class="rows"`):], -1) {
		all = append(
			all,
			strings.Join(
				strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], " ")),
				" ",
			),
		)
	}
	return all
}

// value returns the value of a hidden field within a text.
func value(text, name string) string {
	m := regexp.MustCompile(`name="` + regexp.QuoteMeta(name) + `" value="([^"]*)"`).
		FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.ReplaceAll(m[1], "&#34;", `"`)
}

// Each record has a list of its changes, with the fields of its form, and each former state comes
// back.
func TestChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	author := w.as(account.Author)
	editor := w.as(account.Editor)
	long := strings.Repeat("The choir sings old songs. ", 30)
	edit, _, _ := strings.Cut(
		author.post(
			"/desk/events/new",
			"title",
			"Tea",
			"date",
			"2031-06-01",
			"starts",
			"20:00",
			"venue",
			"Barn",
			"description",
			long+"Come early!",
			"do",
			"publish",
		).location,
		"?",
	)
	save := func(b *browser, pairs ...string) {
		t.Helper()
		form := fields(b.get(edit).body)
		for i := 0; i < len(pairs); i += 2 {
			form[pairs[i]] = pairs[i+1]
		}
		all := []string{"do", "save"}
		for name, text := range form {
			all = append(all, name, text)
		}
		if got := b.post(edit, all...); got.status != 303 {
			t.Fatal(got.status, got.body)
		}
	}
	w.clock.Advance(time.Hour)
	save(editor, "title", "Tea & Song", "date", "2031-06-02", "password", "sesame")
	save(author, "description", long+"Come late!")
	got := author.get(edit + "/changes")
	want := []string{
		"Changed. Saturday, May 10, 2031 at 1:00 PM · author Undo this change (Saturday, May 10, 2031 at 1:00 PM) Description …",
		"Changed. Saturday, May 10, 2031 at 1:00 PM · editor Restore this state",
		"Added. Saturday, May 10, 2031 at 12:00 PM · author Restore this state",
	}
	list := rows(got.body)
	for i := range want {
		if i >= len(list) || !strings.HasPrefix(list[i], want[i]) {
			t.Errorf("change %d of %d:\n%s", i, len(list), strings.Join(list, "\n"))
		}
	}
	for _, part := range []string{`<dt>Title</dt><dd><del dir="auto">Tea</del> <ins dir="auto">Tea &amp; Song</ins>`,
		`<del dir="auto">Sunday, June 1, 2031</del> <ins dir="auto">Monday, June 2, 2031</ins>`,
		`<dt>Password</dt><dd><del class="none">–</del> <ins dir="auto">•••</ins>`,
		`Come early!</del> <ins dir="auto">…`} {
		if !strings.Contains(got.body, part) {
			t.Errorf("no %s in\n%s", part, got.body)
		}
	}
	if n := strings.Count(got.body, "sings old songs"); n > 6 {
		t.Error(n, "times the text that is equal")
	}

	numbers := regexp.MustCompile(`name="number" value="(\d+)"`).
		FindAllStringSubmatch(got.body, -1)
	undo := numbers[0][1]
	first := numbers[2][1]
	if numbers[1][1] != undo {
		t.Error("to undo is not to restore the state before:", numbers)
	}
	tag := value(got.body, "tag")
	save(editor, "title", "Song")
	if got := author.post(edit+"/changes", "number", undo, "tag", tag); got.status != 422 ||
		!strings.Contains(got.body, "Somebody else") {
		t.Error("undone what the page did not show:", got.status)
	}
	tag = value(author.get(edit+"/changes").body, "tag")
	if got := author.post(edit+"/changes", "number", first, "tag", tag); got.location != edit+"/changes?done=restored" {
		t.Error(got.status, got.body)
	}
	if form := fields(author.get(edit).body); form["title"] != "Tea" ||
		form["date"] != "2031-06-01" ||
		!strings.HasSuffix(form["description"], "early!") {
		t.Error(form)
	}
	author.post(edit, "do", "trash")
	if got := author.get(edit + "/changes"); !strings.HasPrefix(
		rows(got.body)[0],
		"Moved to the trash.",
	) ||
		!strings.Contains(got.body,
			"Undo this change") {
		t.Error(rows(got.body))
	}
	author.post(edit, "do", "restore")
	if list := rows(author.get(edit + "/changes").body); !strings.HasPrefix(
		list[1],
		"Moved to the trash.",
	) ||
		strings.Contains(list[0], "Undo this change") ||
		strings.Contains(list[1], "Restore this state") {
		t.Error("the state in the trash is one to restore:", list)
	}
	author.post(edit, "do", "trash")
	for _, b := range []*browser{w.as(account.Contributor), w.as(account.Subscriber)} {
		if got := b.get(edit + "/changes"); got.status != 404 && got.status != 403 ||
			strings.Contains(got.body, "Tea") {
			t.Error("changes for everybody:", got.status)
		}
		if got := b.post(edit+"/changes", "number", first); got.status < 400 ||
			w.events()[0] != "Tea trash" {
			t.Error("undone by everybody:", got.status, w.events())
		}
	}

	place := "/desk/venues/" + strconv.FormatInt(w.id(store.Venues, "Barn"), 10)
	editor.post(place, "name", "Barn", "city", "York")
	if got := rows(editor.get(place + "/changes").body); len(got) != 2 ||
		!strings.HasSuffix(got[0], "Town – York") {
		t.Error(got)
	}
}

// id returns the id of the first venue, organizer or term with a name.
func (w *world) id(k store.Kind, name string) (id int64) {
	_ = w.store.View(func(v *store.View) error {
		for r := range v.Each(k) {
			switch r := r.(type) {
			case *store.Venue:
				if r.Name == name && r.Status != store.Trash {
					id = r.ID
				}
			case *store.Term:
				if r.Name == name {
					id = r.ID
				}
			}
		}
		return nil
	})
	return id
}

// Of several records with a name, the page that merges chooses none, and a form takes the oldest.
func TestNamesakes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var ids []string
	for range 8 {
		hall := &store.Venue{
			Post: store.Post{
				Author: 2,
				Status: store.Publish,
				Date:   now,
			},
			Name: "Town Hall",
		}
		w.put(hall)
		ids = append(ids, strconv.FormatInt(hall.ID, 10))
	}
	b := w.as(account.Editor)
	page := b.get("/desk/venues/" + ids[3] + "/merge?same=town+hall").body
	var found []string
	for _, input := range regexp.MustCompile(`<input type="radio"[^>]* value="(\d+)"[^>]*>`).FindAllStringSubmatch(page, -1) {
		if found = append(found, input[1]); strings.Contains(input[0], "checked") {
			t.Error("chosen:", input[0])
		}
	}
	if diff := cmp.Diff(slices.Delete(slices.Clone(ids), 3, 4), found); diff != "" {
		t.Errorf("candidates (-want +got):\n%s\n%s", diff, page)
	}
	if got := b.post("/desk/events/new", "title", "Concert", "date", "2031-06-01", "venue", "town hall", "do", "publish"); got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	_ = w.store.View(func(v *store.View) error {
		for e := range v.Each(store.Events) {
			if got := e.(*store.Event).Venues; strconv.FormatInt(got[0], 10) != ids[0] {
				t.Errorf("linked to %d of %s", got, ids)
			}
		}
		return nil
	})
}

// Records that are found in no order are shown in theirs: the first events that are like a
// proposal, the records that show a picture, and categories of one name.
func TestOrderOfFound(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Contributor, 500)
	w.putPicture(2, "a")
	hall := &store.Venue{
		Post: store.Post{
			Author: 2,
			Status: store.Publish,
			Date:   now,
		},
		Name: "Green",
	}
	w.put(hall)
	var picture int64
	_ = w.store.View(func(v *store.View) error { picture = v.Uploads()[0].Key(); return nil })
	var titles, categories []string
	for i := range 9 {
		e := eventOf(2, store.Publish, fmt.Sprint("Dance ", i))
		e.Image = picture
		e.Start = store.WallOf(time.Date(2031, 6, 1, 18, 0, 0, 0, time.UTC))
		e.End = e.Start + 3600
		e.Venues = []int64{hall.ID}
		music := &store.Term{
			Taxonomy: store.Categories,
			Name:     "Music",
			Slug:     fmt.Sprint("music-", i),
		}
		w.put(e, music)
		titles = append(titles, e.Title)
		categories = append(categories, strconv.FormatInt(music.ID, 10))
	}
	if got := w.browser().propose(with(proposal, "place", strconv.FormatInt(hall.ID, 10))...); got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	editor := w.as(account.Editor)
	look := regexp.MustCompile(`href="(/desk/waiting/\d+)"`).
		FindStringSubmatch(editor.get("/desk/waiting").body)
	shown := func(path, pattern string) (all []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(editor.get(path).body, -1) {
			all = append(all, m[1])
		}
		return all
	}
	for what, tt := range map[string]struct{ got, want []string }{
		"like a proposal": {shown(look[1], `<a href="/desk/events/\d+"><bdi>(Dance \d)`), titles[:5]},
		"of a picture":    {shown(fmt.Sprint("/desk/pictures/", picture), `>(Dance \d)<`), titles},
		"of one name":     {shown("/desk/events/new", `name="categories\[\]" value="(\d+)"`), categories},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
}

// Two records that are the same become one, and their events move along.
func TestMerge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	post := store.Post{Author: 2, Status: store.Publish, Date: now}
	hall := &store.Venue{Post: post, Name: "Town Hall"}
	same := &store.Venue{Post: post, Name: "Town Hall", City: "York"}
	other := &store.Venue{Post: post, Name: "Barn"}
	hall.Slug = "town-hall"
	same.Slug = "hall"
	other.Slug = "barn"
	w.put(hall, same, other, &store.Term{
		Taxonomy: store.Tags,
		Name:     "jaz",
		Slug:     "jaz",
	}, &store.Term{
		Taxonomy: store.Tags,
		Name:     "jazz",
		Slug:     "jazz",
	})
	e := eventOf(2, store.Publish, "Concert")
	e.Venues = []int64{hall.ID}
	e.Tags = []int64{w.id(store.Tags, "jaz")}
	w.put(e)
	b := w.as(account.Editor)
	path := "/desk/venues/" + strconv.FormatInt(hall.ID, 10)
	if got := b.get(path); !strings.Contains(got.body, `action="`+path+`/merge"`) {
		t.Error("no way to the merge:", got.body)
	}
	if got := b.get(path + "/merge?same=Nowhere"); got.status != 422 ||
		!strings.Contains(got.body, `href="#f-same"`) {
		t.Error(got.status, got.body)
	}
	asked := b.get(path + "/merge?same=town+hall")
	if !strings.Contains(asked.body, "Town Hall, York") ||
		!strings.Contains(asked.body, "Events that move along: 1.") ||
		value(asked.body, "into") != strconv.FormatInt(same.ID, 10) {
		t.Error(asked.body)
	}
	author := w.as(account.Author)
	if got := author.get(path + "/merge?same=town+hall"); got.status != 403 {
		t.Error("an author merges:", got.status)
	}
	if got := author.post(path+"/merge", "into", value(asked.body, "into")); got.status != 403 {
		t.Error("an author merges:", got.status)
	}
	into := []string{
		"into",
		value(asked.body, "into"),
		"tag",
		value(asked.body, "tag"),
		"same",
		"town hall",
	}
	if got := b.post(path+"/merge", "into", strconv.FormatInt(hall.ID, 10), "same", "Town Hall"); got.status != 422 {
		t.Error("merged into itself:", got.status)
	}
	if got := b.post(path+"/merge", into...); got.status != 303 ||
		!strings.HasSuffix(got.location, "?done=merged") {
		t.Fatal(got.status, got.body)
	}
	tag := "/desk/tags/" + strconv.FormatInt(w.id(store.Tags, "jaz"), 10) + "/merge"
	if got := b.post(tag, "into", value(b.get(tag+"?same=jazz").body, "into")); got.status != 303 {
		t.Error(got.status, got.body)
	}
	_ = w.store.View(func(v *store.View) error {
		if e := v.Event(e.ID); !slices.Equal(e.Venues, []int64{same.ID}) ||
			!slices.Equal(e.Tags, []int64{w.id(store.Tags, "jazz")}) ||
			v.Venue(hall.ID).Status != store.Trash {
			t.Error(e.Venues, e.Tags)
		}
		return nil
	})
	if got := b.get("/desk/venues/" + strconv.FormatInt(same.ID, 10) + "/changes"); strings.Contains(
		got.body,
		"Undo",
	) ||
		!strings.Contains(got.body, "Merged with another one.") {
		t.Error("a merge is undone by one record:", got.body)
	}
}

// Many events go to the trash at once after a question, and come back; some are refused with the
// reason.
func TestBulk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(
		eventOf(2, store.Publish, "One"),
		eventOf(2, store.Publish, "Two"),
		eventOf(3, store.Draft, "Three"),
		eventOf(4, store.Draft,
			"Four"),
	)
	editor := w.as(account.Editor)
	contributor := w.as(account.Contributor)
	home := editor.get("/desk/?state=&search=")
	ids := regexp.MustCompile(`name="id\[\]" value="(\d+)"`).FindAllStringSubmatch(home.body, -1)
	if len(ids) != 4 || value(home.body, "to") != "/desk/?state=&amp;search=" {
		t.Fatal(ids, home.body)
	}
	pick := []string{"do", "trash", "to", "/desk/?search=", "id[]", "1", "id[]", "2"}
	asked := editor.post("/desk/events", pick...)
	if asked.status != 200 || !strings.Contains(asked.body, "Events that go to the trash: 2.") ||
		strings.Contains(strings.Join(w.events(), " "), "trash") {
		t.Fatal(asked.status, asked.body, w.events())
	}
	if got := editor.post("/desk/events", append(pick, "sure", "1")...); got.location != "/desk/?done=trashed&search=" {
		t.Error(got.status, got.location)
	}
	if diff := cmp.Diff([]string{"Four draft", "One trash", "Three draft", "Two trash"}, w.events()); diff != "" {
		t.Error(diff)
	}
	if got := editor.post("/desk/events", "do", "trash", "sure", "1", "id[]", "1", "id[]", "3"); got.status != 422 ||
		!strings.Contains(got.body, "<li>One: This is in the trash.") ||
		!strings.Contains(got.body, "Done: 1.") {
		t.Error(got.status, got.body)
	}
	editor.post("/desk/events", "do", "restore", "id[]", "3")
	trash := editor.get("/desk/?state=trash")
	if strings.Count(trash.body, `name="id[]"`) != 2 ||
		!strings.Contains(trash.body, `value="restore"`) {
		t.Error(trash.body)
	}
	if got := editor.post("/desk/events", "do", "restore", "to", "/desk/?state=trash", "id[]", "1", "id[]",
		"2"); !strings.Contains(
		got.location,
		"done=restored",
	) {
		t.Error(got.status, got.location)
	}
	if got := contributor.post("/desk/events", "do", "trash", "sure", "1", "id[]", "1", "id[]", "2", "id[]", "3"); got.status != 303 {
		t.Error(got.status, got.body)
	}
	if diff := cmp.Diff([]string{"Four draft", "One draft", "Three draft", "Two draft"}, w.events()); diff != "" {
		t.Error("a contributor removes the events of others:", diff)
	}
	if got := editor.post("/desk/events", "do", "trash"); got.location != "/desk/" {
		t.Error(got.status, got.location)
	}
	before := w.events()
	if got := editor.post("/desk/events", "do", "decline", "sure", "1", "id[]", "1", "id[]", "4"); got.location != "/desk/" {
		t.Error("declined what nobody proposed:", got.status, got.location)
	}
	if diff := cmp.Diff(before, w.events()); diff != "" {
		t.Error("declined what nobody proposed:", diff)
	}
	many := []string{"do", "trash"}
	for n := range 501 {
		e := eventOf(2, store.Draft, fmt.Sprint("Many ", n))
		w.put(e)
		many = append(many, "id[]", strconv.FormatInt(e.ID, 10))
	}
	if got := editor.post("/desk/events", many...); !strings.Contains(
		got.body,
		"Events that go to the trash: 500.",
	) {
		t.Error("more than 500 at once:", got.status, got.body)
	}
	author := w.as(account.Author)
	if got := author.post("/desk/events", "do", "restore", "id[]", "1", "id[]", "2"); got.status != 303 {
		t.Error(got.status, got.body)
	}
}

// A form lists the dates of its rule, and leaves out those with a tick. It takes chosen dates,
// too.
func TestChosenDates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Author)
	days := func(title string) (all []string) {
		_ = w.store.View(func(v *store.View) error {
			for r := range v.Each(store.Events) {
				if e := r.(*store.Event); e.Title == title {
					all = append(all, e.Start.Time().Format("01-02 15:04"))
				}
			}
			return nil
		})
		slices.Sort(all)
		return all
	}
	form := []string{
		"date",
		"2031-06-03",
		"starts",
		"19:00",
		"zone",
		"UTC",
		"repeat",
		"weekly",
		"until",
		"2031-07-01",
	}
	shown := b.post("/desk/events/new", append(form, "title", "Choir", "do", "dates")...)
	if shown.status != 200 || len(w.events()) != 0 || fields(shown.body)["title"] != "Choir" ||
		!strings.Contains(
			shown.body,
			`name="takes[]" value="2031-07-01" checked`,
		) || strings.Count(shown.body, `name="takes[]"`) != 4 ||
		!strings.Contains(shown.body, "Jun 10, 2031") {
		t.Fatal(shown.status, shown.body)
	}
	if strings.Contains(shown.body, `action="/desk/language"`) {
		t.Error("another language loses the text")
	}
	for _, day := range []string{"2031-06-10", "2031-06-17", "2031-06-24", "2031-07-01"} {
		form = append(form, "offered[]", day)
	}
	form = append(form, "takes[]", "2031-06-17", "takes[]", "2031-07-01")
	again := b.post("/desk/events/new", append(form, "title", "", "do", "publish")...)
	if again.status != 422 || strings.Count(again.body, " checked><label for=\"d-") != 2 {
		t.Error(again.status, again.body)
	}
	got := b.post("/desk/events/new", append(form, "title", "Choir", "do", "publish")...)
	if diff := cmp.Diff([]string{"06-03 19:00", "06-17 19:00", "07-01 19:00"}, days("Choir")); diff != "" ||
		got.status != 303 {
		t.Error(got.status, got.body, diff)
	}
	chosen := []string{
		"title",
		"Talk",
		"date",
		"2031-06-03",
		"starts",
		"19:00",
		"zone",
		"UTC",
		"repeat",
		"dates",
		"dates[]",
		"2031-08-02",
		"dates[]",
		"",
		"dates[]",
		"2031-06-05",
	}
	shown = b.post("/desk/events/new", append(chosen, "do", "dates")...)
	if strings.Count(shown.body, `name="dates[]"`) < 4 ||
		!strings.Contains(shown.body, `name="dates[]" value="2031-08-02"`) {
		t.Error(shown.body)
	}
	got = b.post("/desk/events/new", append(chosen, "do", "publish")...)
	if diff := cmp.Diff([]string{"06-03 19:00", "06-05 19:00", "08-02 19:00"}, days("Talk")); diff != "" ||
		got.status != 303 {
		t.Error(got.status, got.body, diff)
	}
	endless := b.post(
		"/desk/events/new",
		"title",
		"Dates",
		"date",
		"2031-06-03",
		"zone",
		"UTC",
		"repeat",
		"dates",
		"dates[]",
		"never",
		"do",
		"draft",
	)
	if endless.status != 422 || !strings.Contains(endless.body, `href="#f-repeat"`) ||
		strings.Contains(endless.body, "rdates") {
		t.Error(endless.status, endless.body)
	}
	all := b.post(
		"/desk/events/new",
		"title",
		"Day",
		"date",
		"2031-06-03",
		"zone",
		"UTC",
		"repeat",
		"weekly",
		"until",
		"2031-06-17",
		"leave[]",
		"2031-06-10",
		"do",
		"draft",
	)
	if diff := cmp.Diff([]string{"06-03 00:00", "06-17 00:00"}, days("Day")); diff != "" ||
		all.status != 303 {
		t.Error(all.status, all.body, diff)
	}
}

// multi sends a form with a file.
func (b *browser) multi(path string, file []byte, pairs ...string) answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(pairs); i += 2 {
		_ = form.WriteField(pairs[i], pairs[i+1])
	}
	part, _ := form.CreateFormFile("picture", "poster.png")
	_, _ = part.Write(file)
	_ = form.Close()
	return b.do("POST", path, form.FormDataContentType(), body.String())
}

// Pictures are uploaded, chosen, changed and deleted, by the rules of uploads.
func TestPictures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	author := w.as(account.Author)
	editor := w.as(account.Editor)
	contributor := w.as(account.Contributor)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 600, 400))); err != nil {
		t.Fatal(err)
	}
	if got := author.multi("/desk/pictures/new", []byte("no picture"), "alt", "A choir"); got.status != 422 ||
		fields(got.body)["alt"] != "A choir" ||
		!strings.Contains(got.body, `href="#f-picture"`) {
		t.Error(got.status, got.body)
	}
	got := author.multi("/desk/pictures/new", file.Bytes(), "alt", "A choir", "title", "Steps")
	path, _, _ := strings.Cut(got.location, "?")
	if got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	id := strings.TrimPrefix(path, "/desk/pictures/")
	event := author.post(
		"/desk/events/new",
		"title",
		"Concert",
		"date",
		"2031-06-01",
		"uploaded",
		id,
		"do",
		"draft",
	)
	if form := author.get(strings.Split(event.location, "?")[0]); value(
		form.body,
		"image",
	) != id ||
		!strings.Contains(form.body,
			"<option value=\""+id+"\">Steps") {
		t.Error(event.status, form.body)
	}
	list := author.get("/desk/pictures")
	if !strings.Contains(strings.Join(rows(list.body), " "), "Steps 600 × 400 · 2 kB · Concert") ||
		!strings.Contains(list.body,
			"-150x150.png") {
		t.Error(list.body)
	}
	if got := author.get("/desk/pictures?search=nothing"); strings.Contains(got.body, "Steps") {
		t.Error(got.body)
	}
	if got := author.get("/desk/events/new"); !strings.Contains(
		got.body,
		`<option value="`+id+`">Steps`,
	) {
		t.Error(got.body)
	}
	for _, path := range []string{path, "/desk/pictures", "/desk/pictures/new"} {
		if got := contributor.get(path); strings.Contains(got.body, "Steps") ||
			path != "/desk/pictures" && got.status < 400 {
			t.Errorf("a contributor, %s: %d %s", path, got.status, got.body)
		}
	}
	page := editor.get(path)
	if strings.Count(page.body, `name="focus"`) != 9 || value(page.body, "focus") != "17,17" ||
		!strings.Contains(page.body,
			`value="50,50" checked`) {
		t.Error(page.body)
	}
	if got := editor.post(path, "alt", "The choir", "title", "Steps", "caption", "", "focus", "83,17", "tag", value(page.body,
		"tag")); got.status != 303 {
		t.Error(got.status, got.body)
	}
	if got := author.post(path, "alt", "Mine", "title", "Steps", "tag", value(page.body, "tag")); got.status != 422 ||
		fields(got.body)["alt"] != "Mine" {
		t.Error("a change of somebody else is lost:", got.status)
	}
	if page := editor.get(path); !strings.Contains(page.body, `value="83,17" checked`) ||
		fields(page.body)["alt"] != "The choir" {
		t.Error(page.body)
	}
	other := editor.multi("/desk/pictures/new", file.Bytes(), "title", "Steps again").location
	other, _, _ = strings.Cut(other, "?")
	if page := editor.get(other); !strings.Contains(page.body, `href="`+other+`/merge"`) ||
		strings.Contains(author.get(path).body, "/merge") {
		t.Error("the way to the merge:", page.body)
	}
	if got := editor.get(other + "/merge?same=nothing"); got.status != 422 ||
		!strings.Contains(got.body, `href="#f-same"`) {
		t.Error(got.status, got.body)
	}
	asked := editor.get(other + "/merge")
	if value(asked.body, "into") != id || strings.Count(asked.body, `name="into"`) != 1 ||
		!strings.Contains(asked.body, "show the other picture instead: 0.") {
		t.Error(asked.body)
	}
	if got := author.get(other + "/merge"); got.status < 400 {
		t.Error("an author merges:", got.status)
	}
	if got := editor.post(other+"/merge", "into", "999"); got.status != 422 ||
		!strings.Contains(got.body, `name="into"`) {
		t.Error(got.status, got.body)
	}
	again := strings.TrimPrefix(other, "/desk/pictures/")
	if got := editor.post(path+"/merge", "into", again, "tag", "x"); got.status != 422 ||
		editor.get(path).status != 200 {
		t.Error("a changed picture was merged:", got.status)
	}
	if got := editor.post(other+"/merge", "into", id, "tag", value(asked.body, "tag")); got.location != path+"?done=merged" {
		t.Error(got.status, got.location, got.body)
	}
	if got := editor.get(other).status; got != 404 {
		t.Error("the merged picture:", got)
	}
	if got := contributor.post(path, "do", "delete"); got.status < 400 {
		t.Error("a contributor deletes:", got.status)
	}
	if got := editor.post(path, "do", "delete"); got.location != "/desk/pictures?done=removed" ||
		editor.get(path).status != 404 {
		t.Error(got.status, got.location)
	}

	// A session that has ended keeps the chosen file in its page.
	author.post("/desk/sign-out")
	over := author.multi(
		"/desk/events/new",
		file.Bytes(),
		"title",
		"Late",
		"date",
		"2031-06-01",
		"zone",
		"UTC",
	)
	kept := value(over.body, "kept-file")
	large := author.multi(
		"/desk/events/new",
		make([]byte, 8<<20+1),
		"title",
		"Large",
		"date",
		"2031-06-01",
		"zone",
		"UTC",
	)
	if large.status != http.StatusForbidden || fields(large.body)["title"] != "Large" ||
		strings.Contains(large.body, "kept-file") {
		t.Errorf(
			"a page keeps a file of more than 8 MB: %d, %d bytes",
			large.status,
			len(large.body),
		)
	}
	if data, _ := base64.RawURLEncoding.DecodeString(kept); over.status != http.StatusForbidden ||
		!bytes.Equal(data, file.Bytes()) {
		t.Fatal(over.status, over.body)
	}
	got = author.post(
		"/desk/events/new",
		"sign-in-login",
		"author",
		"sign-in-token",
		"author",
		"title",
		"Late",
		"date",
		"2031-06-01",
		"zone",
		"UTC",
		"kept-file",
		kept,
		"kept-name",
		value(over.body, "kept-name"),
	)
	if page := author.get(strings.Split(got.location, "?")[0]); got.status != 303 ||
		value(page.body, "image") == "" {
		t.Error(got.status, got.body, page.body)
	}
}

// undo undoes the last change of a record.
func (b *browser) undo(path string) answer {
	b.t.Helper()
	page := b.get(path + "/changes").body
	return b.post(path+"/changes", "number", value(page, "number"), "tag", value(page, "tag"))
}

// event returns a stored event, an empty one for none.
func (w *world) event(id int64) (e store.Event) {
	_ = w.store.View(func(v *store.View) error {
		if stored := v.Event(id); stored != nil {
			e = *stored
		}
		return nil
	})
	return e
}

// A former state comes back by the rights of the account: without markup that it may not store,
// without links to what is hidden from it. What is no part of the state stays: the origins of a
// record, and that a person withdrew a proposal.
func TestRestoreRights(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Author, 500)
	author := w.as(account.Author)
	editor := w.as(account.Editor)
	const script, clean = `<i onclick="x()">Old</i><script>x()</script>`, "<i>Old</i>x()"
	type texts struct{ Title, Description, Excerpt, Organizer string }
	for _, tt := range []struct {
		*browser
		want texts
	}{
		{author, texts{clean, clean, clean, clean}},
		{editor, texts{script, script, script, script}},
	} {
		e := eventOf(3, store.Publish, script)
		e.Slug = ""
		e.Description = script
		e.Excerpt = script
		o := &store.Organizer{
			Name: script,
			Post: store.Post{
				Author: 3,
				Status: store.Publish,
				Date:   now,
			},
		}
		w.put(e, o)
		next := *e
		named := *o
		next.Title = "New"
		next.Description = "New"
		next.Excerpt = "New"
		id := strconv.FormatInt(e.ID, 10)
		next.Origins = []string{"https://old.example/" + id}
		named.Name = "New"
		w.put(&next, &named)
		for _, path := range []string{"events/" + id, "organizers/" + strconv.FormatInt(o.ID, 10)} {
			if got := tt.undo("/desk/" + path); got.status != 303 {
				t.Fatal(got.status, got.body)
			}
		}
		is := w.event(e.ID)
		name := ""
		_ = w.store.View(func(v *store.View) error {
			name = v.Organizer(o.ID).Name
			return nil
		})
		if diff := cmp.Diff(tt.want, texts{is.Title, is.Description, is.Excerpt, name}); diff != "" {
			t.Error("restored (-want +got):", diff)
		}
		if diff := cmp.Diff(next.Origins, is.Origins); diff != "" {
			t.Error("origins (-want +got):", diff)
		}
	}

	hidden := &store.Venue{
		Name: "Zqvenue",
		Post: store.Post{
			Author: 2,
			Status: store.Draft,
			Date:   now,
		},
	}
	secret := &store.Image{URL: "https://pictures.example/zq.png"}
	w.put(hidden, secret)
	for name, link := range map[string]func(*store.Event){
		"place":   func(e *store.Event) { e.Venues = []int64{hidden.ID} },
		"picture": func(e *store.Event) { e.Image = secret.ID },
	} {
		e := eventOf(3, store.Draft, name)
		link(e)
		w.put(e)
		next := *e
		next.Title = "Mine"
		next.Venues = nil
		next.Image = 0
		w.put(&next)
		path := "/desk/events/" + strconv.FormatInt(e.ID, 10)
		got := author.undo(path)
		if is := w.event(e.ID); got.status != 422 || is.Title != "Mine" {
			t.Errorf("a hidden %s: %d %+v", name, got.status, is)
		}
		got = editor.undo(path)
		if is := w.event(e.ID); got.status != 303 || is.Title != name {
			t.Errorf("a %s that the account sees: %d %+v", name, got.status, is)
		}
	}

	b := w.browser()
	address := w.path(b.propose(proposal...).location)
	if got := b.post(address, "do", "withdraw"); got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	id := strings.Split(address, "/")[3]
	if got := editor.undo("/desk/events/" + id); got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	number, _ := strconv.ParseInt(id, 10, 64)
	e := w.event(number)
	if e.Status != store.Pending || e.Proposal.Name+e.Proposal.Email != "" {
		t.Errorf("the person who withdrew is there again: %+v", e)
	}
}

// The changes of an event name only the pictures that the caller may see.
func TestPicturesInChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	picture := func(author int64, title string) *store.Image {
		i := &store.Image{
			Author:    author,
			Title:     title,
			URL:       store.MediaPath + title + "/a.png",
			Extension: "png",
		}
		w.put(i)
		return i
	}
	e := eventOf(3, store.Draft, "Fair")
	for _, i := range []*store.Image{picture(2, "Zqposter"), picture(3, "Drawing")} {
		e.Image = i.ID
		w.put(e)
		next := *e
		e = &next
	}
	path := "/desk/events/" + strconv.FormatInt(e.ID, 10) + "/changes"
	for role, want := range map[account.Role]bool{account.Editor: true, account.Author: false} {
		got := w.as(role).get(path)
		if strings.Contains(got.body, "Zqposter") != want ||
			!strings.Contains(got.body, "Drawing") {
			t.Errorf(
				"%s: the name of the picture of somebody else is not %t: %d %s",
				role,
				want,
				got.status,
				got.body,
			)
		}
	}
}

// Only who may change the events of others sees the page of a merge, even of an own record: it says
// what else there is.
func TestMergeIsForEditors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	author := w.as(account.Author)
	barn := &store.Venue{
		Name: "Barn",
		Post: store.Post{Author: 3, Status: store.Publish, Date: now, Slug: "barn"},
	}
	w.put(barn)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 9, 9))); err != nil {
		t.Fatal(err)
	}
	picture, _, _ := strings.Cut(author.multi("/desk/pictures/new", file.Bytes()).location, "?")
	for _, path := range []string{"/desk/venues/" + strconv.FormatInt(barn.ID, 10), picture} {
		if got := author.get(path); got.status != 200 {
			t.Errorf("%s: %d", path, got.status)
		}
		if got := author.get(path + "/merge"); got.status != 403 {
			t.Errorf("%s/merge: %d, want 403", path, got.status)
		}
	}
}

// The desk has pages of uploads alone, without the names of what is in the trash: a picture with an
// address elsewhere has no page.
func TestPicturesElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	editor := w.as(account.Editor)
	elsewhere := &store.Image{URL: "https://old.example/a.png", Extension: "png"}
	w.put(elsewhere)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 9, 9))); err != nil {
		t.Fatal(err)
	}
	own, _, _ := strings.Cut(editor.multi("/desk/pictures/new", file.Bytes()).location, "?")
	shows := eventOf(2, store.Draft, "Zqshown")
	gone := eventOf(2, store.Trash, "Zqgone")
	shows.Image = api.ParseID(strings.TrimPrefix(own, "/desk/pictures/"))
	gone.Image = shows.Image
	w.put(shows, gone)
	for _, path := range []string{own, "/desk/pictures"} {
		if got := editor.get(path); !strings.Contains(got.body, "Zqshown") ||
			strings.Contains(got.body, "Zqgone") {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	path := "/desk/pictures/" + strconv.FormatInt(elsewhere.ID, 10)
	if got := editor.get(path); got.status != 404 {
		t.Errorf("%s: %d, want 404", path, got.status)
	}
	for _, path := range []string{path, path + "/merge"} {
		if got := editor.post(path, "title", "A", "into", strings.TrimPrefix(own, "/desk/pictures/")); got.status != 404 {
			t.Errorf("POST %s: %d, want 404", path, got.status)
		}
	}
}

// A revision brings back neither an author nor, for who may not publish, a public event.
func TestRestoreRaisesNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	contributor := idOf(account.Contributor)
	public := eventOf(contributor, store.Publish, "Fair")
	others := eventOf(contributor, store.Draft, "Dance")
	w.put(public, others)
	draft := *public
	draft.Status = store.Draft
	given := *others
	given.Author = idOf(account.Editor)
	given.Title = "Ball"
	w.put(&draft, &given)
	for role, id := range map[account.Role]int64{account.Contributor: public.ID, account.Editor: others.ID} {
		if got := w.as(role).undo("/desk/events/" + strconv.FormatInt(id, 10)); got.status != 303 {
			t.Fatal(role, got.status, got.body)
		}
	}
	if got := w.event(public.ID).Status; got != store.Pending {
		t.Errorf("an event that a contributor restored is %s, want pending", got)
	}
	if got := w.event(others.ID); got.Title != "Dance" || got.Author != given.Author {
		t.Errorf("restored: %q of account %d, want it of %d", got.Title, got.Author, given.Author)
	}
}
