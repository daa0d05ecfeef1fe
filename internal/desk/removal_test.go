// Tests of what the desk does to events when it removes what they name.

package desk_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/account"
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
