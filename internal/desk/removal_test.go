// Tests of what the desk does to events when it removes what they name.

package desk_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/store"
)

// An event keeps its place while that is in the trash, also when it is saved in the meantime.
func TestPlaceComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	author := w.as(account.Author)
	editor := w.as(account.Editor)
	author.post("/desk/venues/new", "name", "Barn")
	barn := "/desk/venues/" + strconv.FormatInt(w.id(store.Venues, "Barn"), 10)
	hall := &store.Event{
		Post: store.Post{
			Slug:   "tea",
			Author: 2,
			Status: store.Publish,
		},
		Title:    "Tea",
		Timezone: "UTC",
		Venues:   []int64{w.id(store.Venues, "Barn")},
	}
	w.put(hall)
	tea := "/desk/events/" + strconv.FormatInt(hall.ID, 10)
	if got := author.post(barn, "do", "trash"); got.location != "/desk/venues?done=trashed" {
		t.Fatal(got.status, got.location, got.body)
	}
	form := fields(editor.get(tea).body)
	if form["venue"] != "" || strings.Contains(editor.get("/desk/events").body, "Barn") {
		t.Error("the place in the trash is shown:", form)
	}
	form["title"], form["do"] = "Tea for two", "save"
	var pairs []string
	for name, text := range form {
		pairs = append(pairs, name, text)
	}
	if got := editor.post(tea, pairs...); got.status != http.StatusSeeOther {
		t.Fatal(got.status, got.body)
	}
	author.post(barn, "do", "restore")
	if form = fields(editor.get(tea).body); form["venue"] != "Barn" ||
		form["title"] != "Tea for two" {
		t.Error("restored, the form has", form)
	}
}

// The desk says why a category of events of others stays.
func TestCategoryOfOthersStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	music := &store.Term{Taxonomy: store.Categories, Name: "Music", Slug: "music"}
	w.put(music)
	w.put(&store.Event{
		Post: store.Post{
			Slug:   "tea",
			Author: 2,
			Status: store.Publish,
		},
		Title:      "Tea",
		Timezone:   "UTC",
		Categories: []int64{music.ID},
	})
	path := "/desk/categories/" + strconv.FormatInt(music.ID, 10)
	got := w.as(account.Author).post(path, "do", "trash")
	if got.status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.body, "Others use this, so you cannot remove it.") {
		t.Error("an author:", got.status, got.body)
	}
	if got = w.as(account.Editor).post(path, "do", "trash"); got.location != "/desk/categories?done=trashed" {
		t.Error("an editor:", got.status, got.body)
	}
}

// What is in the trash is offered in no form, found by no name, and shown on no other page.
func TestTrashIsOfferedNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	editor := w.as(account.Editor)
	gone := store.Post{Author: 2, Status: store.Trash, Date: now}
	barn := &store.Venue{Name: "Zqbarn", Post: gone}
	w.put(barn, &store.Organizer{Name: "Zqguild", Post: gone})
	mill := &store.Venue{
		Name: "Mill",
		Post: store.Post{Author: 2, Status: store.Publish, Date: now, Slug: "mill"},
	}
	w.put(mill)
	for _, path := range []string{"/desk/events/new", "/desk/venues/" + strconv.FormatInt(mill.ID, 10),
		"/desk/venues/" + strconv.FormatInt(mill.ID, 10) + "/merge?same=Zqbarn"} {
		body := strings.ReplaceAll(
			editor.get(path).body,
			`value="Zqbarn"><`,
			"",
		) // what was searched
		if strings.Contains(body, `<option value="Zq`) {
			t.Errorf("%s offers what is in the trash: %s", path, body)
		}
	}
	form := []string{"title", "Tea", "date", "2031-06-01", "zone", "UTC", "do", "draft"}
	if got := editor.post("/desk/events/new", append(form, "venue", "Zqbar")...); got.status != http.StatusSeeOther {
		t.Error("a place in the trash is like the one that was typed:", got.status, got.body)
	}
	got := editor.post(
		"/desk/events/new",
		append(form, "venue", "Zqbarn", "organizer", "Zqguild", "place", "new")...)
	path, _, _ := strings.Cut(got.location, "?")
	tea := w.event(api.ParseID(strings.TrimPrefix(path, "/desk/events/")))
	if len(tea.Venues) != 1 || tea.Venues[0] == barn.ID || len(tea.Organizers) != 1 ||
		tea.Organizers[0] == 1 {
		t.Error("an event has what is in the trash:", got.status, tea.Venues, tea.Organizers)
	}
	if got := editor.get(path + "/preview"); got.status != http.StatusOK {
		t.Error("the preview:", got.status)
	}
	editor.post(path, "do", "trash")
	if got := editor.get(path + "/preview"); got.status != http.StatusNotFound {
		t.Error("the preview of an event in the trash:", got.status)
	}
	own := eventOf(idOf(account.Contributor), store.Trash, "Own")
	w.put(own)
	if got := w.as(account.Contributor).get("/desk/events/" + strconv.FormatInt(own.ID, 10)); got.status != http.StatusNotFound {
		t.Error("a published event in the trash, for its contributor:", got.status)
	}
}

// A place that was no public one in the trash is none when it comes back.
func TestDraftComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	editor := w.as(account.Editor)
	hall := &store.Venue{Name: "Hall", Post: store.Post{Author: 2, Status: store.Draft, Date: now}}
	w.put(hall)
	path := "/desk/venues/" + strconv.FormatInt(hall.ID, 10)
	editor.post(path, "do", "trash")
	for _, want := range []store.Status{store.Trash, store.Draft} {
		_ = w.store.View(func(v *store.View) error {
			if got := v.Venue(hall.ID).Status; got != want {
				t.Errorf("the place has the status %q, want %q", got, want)
			}
			return nil
		})
		editor.post(path, "do", "restore")
	}
}

// A form of one account is not that of another one with the same key.
func TestFormsOfTwoAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, role := range []account.Role{account.Author, account.Editor, account.Editor} {
		got := w.as(role).
			post("/desk/events/new", "key", "same", "title", string(role), "date", "2031-06-01", "do", "draft")
		if got.status != http.StatusSeeOther {
			t.Fatal(role, got.status, got.body)
		}
	}
	if got := strings.Join(w.events(), ", "); got != "author draft, editor draft" {
		t.Error("events:", got)
	}
}
