// Tests of writes of categories and tags.

package write_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/store"
)

func TestCategory(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /categories {"name":"Music","description":"D"}`, `POST /categories {"name":"Jazz","parent":1,"description":"J"}`,
		`POST /categories {"name":"Bebop","parent":2}`,
	}
	long := strings.Repeat("é", 201)
	play(t, given, "POST /categories", `{"name":"New"}`, []row{
		{name: "what is not sent",
			want: `{"id":4,"name":"New","slug":"new","description":"","parent":0,"count":0,"meta":[],"url":"URL/events/category/new/"}`},
		{name: "no name", send: `{"name":null}`, want: "400 rest_missing_callback_param name"},
		{name: "name empty", send: `{"name":""}`, want: "400 rest_invalid_param name"},
		{name: "name of spaces", send: `{"name":" "}`, want: "400 rest_invalid_param name"},
		{name: "name too long", send: `{"name":"` + long + `"}`, want: "400 rest_invalid_param name"},
		{name: "name of 200 characters", send: `{"name":"` + long[2:] + `","slug":"x"}`, want: `{"slug":"x"}`},
		{name: "name with tags", send: `{"name":"<script>x</script><b>A</b> & \"b\""}`, want: `{"name":"A &amp; \"b\"","slug":"a-b"}`},
		{name: "name of signs", send: `{"name":"!!!"}`, want: `{"name":"!!!","slug":"4"}`},
		{name: "description", send: `{"description":" <script>x</script><b>b</b> "}`, want: `{"description":"x<b>b</b>"}`},
		{name: "description empty", send: `{"description":""}`, want: "400 rest_invalid_param description"},
		{name: "slug", send: `{"slug":"Has Space"}`, want: `{"slug":"has-space"}`},
		{name: "slug empty", send: `{"slug":""}`, want: "400 rest_invalid_param slug"},
		{name: "slug taken", send: `{"slug":"music"}`, want: `{"slug":"music-2"}`},
		{name: "name taken", send: `{"name":"MUSIC"}`, want: "400 term_exists"},
		{name: "name taken, with a slug", send: `{"name":"Music","slug":"other"}`, want: `{"name":"Music","slug":"other"}`},
		{name: "name and slug taken", send: `{"name":"Music","slug":"music"}`, want: "400 term_exists"},
		{name: "name taken below another", send: `{"name":"Music","parent":2}`,
			want: `{"slug":"music-jazz","parent":2,"url":"URL/events/category/music/jazz/music-jazz/"}`},
		{name: "parent by digits", send: `{"parent":"1"}`, want: `{"parent":1}`},
		{name: "parent zero", send: `{"parent":0}`, want: `{"parent":0}`},
		{name: "parent null", send: `{"parent":null}`, want: `{"parent":0}`},
		{name: "parent unknown", send: `{"parent":99}`, want: "400 rest_invalid_param parent"},
		{name: "parent no number", send: `{"parent":"x"}`, want: "400 rest_invalid_param parent"},
		{name: "parent by slug", send: `{"parent":"music"}`, want: "400 rest_invalid_param parent, type"},
		{name: "parent by slug, of a list", ask: "GET /categories?parent=music", want: "400 rest_invalid_param parent, type"},
		{name: "parent unknown, of a list", ask: "GET /categories?parent=x", want: "400 rest_invalid_param parent"},
		{name: "by an author", as: "author", want: `{"name":"New"}`},
		{name: "by a contributor", as: "contributor", want: "403 rest_forbidden"},
		{name: "by a stranger", as: stranger, want: "401 rest_forbidden"},
	})
	playChanges(t, given, "/categories/2", []row{
		{name: "nothing", send: `{}`, want: `{}`},
		{name: "name: the slug stays", send: `{"name":"Music"}`, want: `{"name":"Music"}`},
		{name: "description emptied", send: `{"description":""}`, want: "400 rest_invalid_param description"},
		{name: "slug", send: `{"slug":"swing"}`, want: `{"slug":"swing","url":"URL/events/category/music/swing/"}`},
		{name: "slug its own", send: `{"slug":"JAZZ"}`, want: `{}`},
		{name: "slug of another", send: `{"slug":"music"}`, want: "400 duplicate_term_slug"},
		{name: "to the top", send: `{"parent":0}`,
			want: `{"parent":0,"url":"URL/events/category/jazz/","urls":{"up":"<absent>"},"_links":{"up":"<absent>"}}`},
		{name: "below itself", send: `{"parent":2}`, want: "400 rest_invalid_param parent"},
		{name: "below its child", send: `{"parent":3}`, want: "400 rest_invalid_param parent"},
		{name: "unknown", ask: "PATCH /categories/99", send: `{}`, want: "400 rest_invalid_param id"},
	})
}

func TestTag(t *testing.T) {
	t.Parallel()
	given := []string{`POST /tags {"name":"Free"}`, `POST /tags {"name":"Late"}`}
	play(t, given, "POST /tags", `{"name":"New"}`, []row{
		{name: "what is not sent", want: `{"id":3,"slug":"new","taxonomy":"post_tag","parent":"<absent>","url":"URL/tag/new/"}`},
		{name: "name taken", send: `{"name":"free"}`, want: "400 term_exists"},
		{name: "name taken, with a slug", send: `{"name":"Free","slug":"other"}`, want: `{"slug":"other"}`},
		{name: "name and slug taken", send: `{"name":"Free","slug":"late"}`, want: "400 term_exists"},
		{name: "parent", send: `{"parent":1}`, want: "400 rest_taxonomy_not_hierarchical"},
		{name: "parent zero", send: `{"parent":0}`, want: "400 rest_taxonomy_not_hierarchical"},
		{name: "parent null", send: `{"parent":null}`, want: `{"name":"New"}`},
		{name: "parent without a name", send: `{"name":"-","parent":1}`, want: "400 rest_missing_callback_param name"},
		{name: "parent by a stranger", as: stranger, send: `{"parent":1}`, want: "401 rest_forbidden"},
		{name: "by an author", as: "author", want: "403 rest_forbidden"},
	})
}

// No category becomes its own ancestor, however deep the tree.
func TestDeepCategories(t *testing.T) {
	t.Parallel()
	d := open(t)
	const depth = 1200
	err := d.srv.Store.Update(1, func(tx *store.Tx) error {
		for i := range int64(depth) {
			name := fmt.Sprint("level-", i)
			if err := tx.Put(&store.Term{Taxonomy: store.Categories, Name: name, Slug: name, Parent: i}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	status, answer := d.ask("", http.MethodPost, "/categories/1", fmt.Sprintf(`{"parent":%d}`, depth))
	if message, _ := answer["message"].(string); status != http.StatusBadRequest || !strings.Contains(message, "or one below it") {
		t.Errorf("answered %d %v", status, answer)
	}
}

// A deleted term disappears from the templates of series.
func TestRemoveTermOfSeries(t *testing.T) {
	t.Parallel()
	d := open(t, `POST /categories {"name":"Music"}`, `POST /tags {"name":"Free"}`)
	err := d.srv.Store.Update(1, func(tx *store.Tx) error {
		return tx.Put(&store.Series{Event: store.Event{Timezone: "UTC", Categories: []int64{1}, Tags: []int64{2}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/categories/1", "/tags/2"} {
		if status, answer := d.ask("", http.MethodDelete, path+"?force=true", ""); status != http.StatusOK {
			t.Errorf("%s is removed: %d %v", path, status, answer)
		}
	}
	err = d.srv.Store.View(func(v *store.View) error {
		if e := v.Series(1).Event; len(e.Categories)+len(e.Tags) > 0 {
			t.Errorf("its events are still made with categories %v and tags %v", e.Categories, e.Tags)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The children of a removed category move up to its parent, and other categories stay below theirs.
func TestRemoveCategoryWithChildren(t *testing.T) {
	t.Parallel()
	d := open(t, `POST /categories {"name":"Music"}`, `POST /categories {"name":"Jazz","parent":1}`,
		`POST /categories {"name":"Bebop","parent":2}`, `POST /categories {"name":"Sports"}`, `POST /categories {"name":"Tennis","parent":4}`,
		"DELETE /categories/2?force=true")
	for id, want := range map[int]string{3: `{"parent":1}`, 5: `{"parent":4}`} {
		status, answer := d.ask("", "GET", fmt.Sprint("/categories/", id), "")
		compare(t, want, status, answer)
	}
}

// A published event with a date ahead, as an export may have, stays published when an update sends no date.
func TestPublishedAhead(t *testing.T) {
	t.Parallel()
	d := open(t)
	err := d.srv.Store.Update(1, func(tx *store.Tx) error {
		ahead := now.AddDate(0, 1, 0)
		return tx.Put(&store.Event{Post: store.Post{Status: store.Publish, Slug: "gala", Date: ahead, Modified: now}, Title: "Gala",
			Timezone: "UTC"})
	})
	if err != nil {
		t.Fatal(err)
	}
	status, answer := d.ask("", "POST", "/events/1", `{"title":"Ball"}`)
	compare(t, `{"status":"publish","title":"Ball"}`, status, answer)
}
