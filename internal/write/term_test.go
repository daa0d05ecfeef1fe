// Tests of writes of categories and tags.

package write_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/store"
)

func TestCategory(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /categories {"name":"Music","description":"D"}`, `POST /categories {"name":"Jazz","parent":1,"description":"J"}`,
		`POST /categories {"name":"Bebop","parent":2}`,
	}
	moved := append(slices.Clip(given), `POST /categories {"name":"Polka"}`)
	long := strings.Repeat("é", 201)
	play(t, given, "POST /categories", `{"name":"New"}`, []row{
		{
			name: "what is not sent",
			want: `{"id":4,"name":"New","slug":"new","description":"","parent":0,"count":0,"meta":[],"url":"URL/events/category/new/"}`,
		},
		{name: "no name", send: `{"name":null}`, want: "400 rest_missing_callback_param name"},
		{name: "name empty", send: `{"name":""}`, want: "400 rest_invalid_param name"},
		{name: "name of spaces", send: `{"name":" "}`, want: "400 rest_invalid_param name"},
		{
			name: "name too long",
			send: `{"name":"` + long + `"}`,
			want: "400 rest_invalid_param name",
		},
		{
			name: "name of 200 characters",
			send: `{"name":"` + long[2:] + `","slug":"x"}`,
			want: `{"slug":"x"}`,
		},
		{
			name: "name with tags",
			send: `{"name":"<script>x</script><b>A</b> & \"b\""}`,
			want: `{"name":"A &amp; \"b\"","slug":"a-b"}`,
		},
		{name: "name of signs", send: `{"name":"!!!"}`, want: `{"name":"!!!","slug":"4"}`},
		{
			name: "description",
			send: `{"description":" <script>x</script><b>b</b> "}`,
			want: `{"description":" x<b>b</b> "}`,
		},
		{
			name: "description empty",
			send: `{"description":""}`,
			want: "400 rest_invalid_param description",
		},
		{name: "slug", send: `{"slug":"Has Space"}`, want: `{"slug":"has-space"}`},
		{name: "slug empty", send: `{"slug":""}`, want: "400 rest_invalid_param slug"},
		{name: "slug taken", send: `{"slug":"music"}`, want: `{"slug":"music-2"}`},
		{name: "name taken", send: `{"name":"MUSIC"}`, want: "400 term_exists"},
		{
			name: "name taken, with a slug",
			send: `{"name":"Music","slug":"other"}`,
			want: `{"name":"Music","slug":"other"}`,
		},
		{
			name: "name and slug taken",
			send: `{"name":"Music","slug":"music"}`,
			want: "400 term_exists",
		},
		{
			name: "name taken below another",
			send: `{"name":"Music","parent":2}`,
			want: `{"slug":"music-jazz","parent":2,"url":"URL/events/category/music/jazz/music-jazz/"}`,
		},
		{name: "parent by digits", send: `{"parent":"1"}`, want: `{"parent":1}`},
		{name: "parent zero", send: `{"parent":0}`, want: `{"parent":0}`},
		{name: "parent null", send: `{"parent":null}`, want: `{"parent":0}`},
		{name: "parent unknown", send: `{"parent":99}`, want: "400 rest_invalid_param parent"},
		{name: "parent no number", send: `{"parent":"x"}`, want: "400 rest_invalid_param parent"},
		{
			name: "parent by slug",
			send: `{"parent":"music"}`,
			want: "400 rest_invalid_param parent, type",
		},
		{
			name: "parent by slug, of a list",
			ask:  "GET /categories?parent=music",
			want: "400 rest_invalid_param parent, type",
		},
		{
			name: "parent unknown, of a list",
			ask:  "GET /categories?parent=x",
			want: "400 rest_invalid_param parent",
		},
		{name: "by an author", as: "author", want: `{"name":"New"}`},
		{name: "by a contributor", as: "contributor", want: "403 rest_forbidden"},
		{name: "by a stranger", as: stranger, want: "401 rest_forbidden"},
	})
	playChanges(t, moved, "/categories/2", []row{
		{name: "nothing", send: `{}`, want: `{}`},
		{name: "name: the slug stays", send: `{"name":"Music"}`, want: `{"name":"Music"}`},
		{
			name: "description emptied",
			send: `{"description":""}`,
			want: "400 rest_invalid_param description",
		},
		{
			name: "slug",
			send: `{"slug":"swing"}`,
			want: `{"slug":"swing","url":"URL/events/category/music/swing/"}`,
		},
		{name: "slug its own", send: `{"slug":"JAZZ"}`, want: `{}`},
		{name: "slug of another", send: `{"slug":"music"}`, want: "400 duplicate_term_slug"},
		{
			name: "slug of another, and another parent",
			send: `{"slug":"music","parent":4}`,
			want: `{"slug":"music-polka","parent":4,
			"url":"URL/events/category/polka/music-polka/","urls":{"up":"URL/cal/events/v1/categories/4"},
			"_links":{"up":[{"embeddable":true,"href":"URL/cal/events/v1/categories/4"}]}}`,
		},
		{
			name: "slug of another, at the top",
			send: `{"slug":"music","parent":0}`,
			want: `{"slug":"music-2","parent":0,
			"url":"URL/events/category/music-2/","urls":{"up":"<absent>"},"_links":{"up":"<absent>"}}`,
		},
		{
			name: "to the top",
			send: `{"parent":0}`,
			want: `{"parent":0,"url":"URL/events/category/jazz/","urls":{"up":"<absent>"},"_links":{"up":"<absent>"}}`,
		},
		{name: "below itself", send: `{"parent":2}`, want: "400 rest_invalid_param parent"},
		{name: "below its child", send: `{"parent":3}`, want: "400 rest_invalid_param parent"},
		{
			name: "unknown",
			ask:  "PATCH /categories/99",
			send: `{}`,
			want: "400 rest_invalid_param id",
		},
	})
}

func TestTag(t *testing.T) {
	t.Parallel()
	given := []string{`POST /tags {"name":"Free"}`, `POST /tags {"name":"Late"}`}
	play(t, given, "POST /tags", `{"name":"New"}`, []row{
		{
			name: "what is not sent",
			want: `{"id":3,"slug":"new","taxonomy":"post_tag","parent":"<absent>","url":"URL/tag/new/"}`,
		},
		{name: "name taken", send: `{"name":"free"}`, want: "400 term_exists"},
		{
			name: "name taken, with a slug",
			send: `{"name":"Free","slug":"other"}`,
			want: `{"slug":"other"}`,
		},
		{
			name: "name and slug taken",
			send: `{"name":"Free","slug":"late"}`,
			want: "400 term_exists",
		},
		{name: "parent", send: `{"parent":1}`, want: "400 rest_taxonomy_not_hierarchical"},
		{name: "parent zero", send: `{"parent":0}`, want: "400 rest_taxonomy_not_hierarchical"},
		{name: "parent null", send: `{"parent":null}`, want: `{"name":"New"}`},
		{
			name: "parent without a name",
			send: `{"name":"-","parent":1}`,
			want: "400 rest_missing_callback_param name",
		},
		{
			name: "parent by a stranger",
			as:   stranger,
			send: `{"parent":1}`,
			want: "401 rest_forbidden",
		},
		{name: "by an author", as: "author", want: "403 rest_forbidden"},
	})
}

// A tree of categories has 20 levels at most, whichever way it grows.
func TestLevelsOfCategories(t *testing.T) {
	t.Parallel()
	given := []string{`POST /categories {"name":"Level 1"}`}
	for level := 2; level <= store.LevelsMost; level++ {
		given = append(
			given,
			fmt.Sprintf(`POST /categories {"name":"Level %d","parent":%d}`, level, level-1),
		)
	}
	given = append(
		given,
		`POST /categories {"name":"Upper"}`,
		`POST /categories {"name":"Lower","parent":21}`,
		`PATCH /categories/22 {"parent":0}`,
		`POST /categories {"name":"Third","parent":22}`,
		`PATCH /categories/21 {"parent":19}`,
	)
	item := func(id, parent int) string {
		return fmt.Sprintf(
			`{"kind":"categories","record":{"id":%d,"name":"Import %[1]d","parent":%d,
			"urls":{"collection":"https://old.example/categories/"}}}`,
			id,
			parent,
		)
	}
	deep := make([]string, store.LevelsMost+1)
	for i := range deep {
		deep[i] = item(i+1, i)
	}
	slices.Reverse(deep)
	for _, tt := range []struct{ name, ask, send, want string }{
		{"the last level", "POST /categories", `{"name":"New","parent":19}`, ""},
		{"a new one", "POST /categories", `{"name":"New","parent":20}`, "parent"},
		{"a moved one", "PATCH /categories/21", `{"parent":20}`, "parent"},
		{"one moved with another below it", "PATCH /categories/22", `{"parent":19}`, "parent"},
		{"one moved with another below it, to where there is room", "PATCH /categories/22", `{"parent":18}`, ""},
		{"a merge", "POST /categories/22/merge", `{"into":20}`, "into"},
		{"a merge where there is room", "POST /categories/22/merge", `{"into":19}`, ""},
		{"an import", "POST /_almanac/import", `{"items":[` + strings.Join(deep[:20], ",") + `]}`, ""},
		{"an import of one too many", "POST /_almanac/import", `{"items":[` + strings.Join(deep, ",") + `]}`, "Import 2"},
		{"an import from the top", "POST /_almanac/import",
			`{"items":[` + item(1, 0) + `,{"kind":"categories","record":{"id":2,"name":"Level 1","slug":"level-1","parent":1,
			"urls":{"collection":"https://old.example/categories/"}}}]}`, "has at most"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := open(t, given...)
			method, path, _ := strings.Cut(tt.ask, " ")
			if !strings.HasPrefix(path, "/_almanac/") {
				path = "/cal/events/v1" + path
			}
			status, answer := apitest.Text(
				t,
				d.srv.As(account.Administrator),
				method,
				d.srv.URL+path,
				tt.send,
			)
			text := string(answer)
			switch names := strings.Contains(text, tt.want) && strings.Contains(text, "at most 20 levels"); {
			case tt.want == "" && (status >= 300 || names), tt.want != "" && !names:
				t.Errorf("answered %d %s", status, text)
			}
			err := d.srv.Store.View(func(v *store.View) error {
				for r := range v.Each(store.Categories) {
					levels := 0
					for c := r.(*store.Term); c != nil; c = v.Term(store.Categories, c.Parent) {
						levels++
					}
					if levels > 20 {
						t.Errorf("%s is on level %d", r.(*store.Term).Name, levels)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A revision with a parent on the last level is not restored.
func TestRestoreTooDeepCategory(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /categories {"name":"Top"}`,
		`POST /categories {"name":"Moved"}`,
		`PATCH /categories/2 {"parent":1}`,
		`PATCH /categories/2 {"parent":0}`,
		`POST /categories {"name":"Below","parent":2}`,
		`POST /categories {"name":"Level 1"}`,
	}
	for level := 2; level < store.LevelsMost; level++ {
		given = append(
			given,
			fmt.Sprintf(`POST /categories {"name":"Level %d","parent":%d}`, level, level+2),
		)
	}
	d := open(t, append(given, `PATCH /categories/1 {"parent":21}`)...)
	_, list := d.ask("", "GET", "/categories/2/revisions", "")
	below := list["revisions"].([]any)[1].(map[string]any)["number"].(float64)
	status, answer := d.ask(
		"",
		"POST",
		fmt.Sprintf("/categories/2/revisions/%d/restore", int64(below)),
		"",
	)
	if !strings.Contains(
		fmt.Sprint(answer),
		"number must lead to a place with room: a tree of categories has at most 20 levels",
	) {
		t.Errorf("answered %d %v", status, answer)
	}
}

// A tree that is too deep already is shown as far as the limit, its categories can be renamed and
// move up, and none moves below itself.
func TestDeepCategories(t *testing.T) {
	t.Parallel()
	d := open(t)
	const depth = 4000
	err := d.srv.Store.Update(1, func(tx *store.Tx) error {
		var tree []*store.Term
		for i := range depth {
			name := fmt.Sprint("level-", i+1)
			tree = append(tree, &store.Term{Taxonomy: store.Categories, Name: name, Slug: name})
			if err := tx.Put(tree[i]); err != nil {
				return err
			}
		}
		for i, c := range tree {
			c.Parent = int64(i) // as an older version stored it
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ ask, send, want string }{
		{"POST /categories/1", `{"parent":4000}`, "parent must not be the category itself or one below it"},
		{"POST /categories", `{"name":"New","parent":4000}`, "a tree of categories has at most 20 levels"},
		{"PATCH /categories/4000", `{"name":"Renamed"}`, "name:Renamed"},
		{"GET /categories/4000", "", "URL/events/category/level-3981/level-3982/"},
		{"DELETE /categories/3999?force=true", "", "slug:level-3999"},
		{"PATCH /categories/4000", `{"parent":2000}`, "parent:2000"},
		{"PATCH /categories/2001", `{"parent":0}`, "parent:0"},
		{"POST /events", `{"title":"E","start_date":"2031-05-10 20:00","end_date":"2031-05-10 21:00","categories":[30,40]}`, "title:E"},
		{"GET /events?start_date=2031-01-01&categories=11", "", "total:1 "},
		{"GET /events?start_date=2031-01-01&categories=10", "", "total:0 "},
	} {
		method, path, _ := strings.Cut(step.ask, " ")
		if status, answer := d.ask("", method, path, step.send); !strings.Contains(
			fmt.Sprint(answer),
			step.want,
		) {
			t.Errorf("%s: answered %d %v", step.ask, status, answer)
		}
	}
	if err := d.srv.Store.Check(); err != nil {
		t.Error(err)
	}
}

// A deleted term disappears from the templates of series.
func TestRemoveTermOfSeries(t *testing.T) {
	t.Parallel()
	d := open(t, `POST /categories {"name":"Music"}`, `POST /tags {"name":"Free"}`)
	err := d.srv.Store.Update(1, func(tx *store.Tx) error {
		return tx.Put(&store.Series{
			Event: store.Event{
				Timezone:   "UTC",
				Categories: []int64{1},
				Tags:       []int64{2},
			},
		})
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
			t.Errorf(
				"its events are still made with categories %v and tags %v",
				e.Categories,
				e.Tags,
			)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The children of a removed category move up to its parent, and other categories stay below
// theirs.
func TestRemoveCategoryWithChildren(t *testing.T) {
	t.Parallel()
	d := open(
		t,
		`POST /categories {"name":"Music"}`,
		`POST /categories {"name":"Jazz","parent":1}`,
		`POST /categories {"name":"Bebop","parent":2}`,
		`POST /categories {"name":"Sports"}`,
		`POST /categories {"name":"Tennis","parent":4}`,
		"DELETE /categories/2?force=true",
	)
	for id, want := range map[int]string{3: `{"parent":1}`, 5: `{"parent":4}`} {
		status, answer := d.ask("", "GET", fmt.Sprint("/categories/", id), "")
		compare(t, want, status, answer)
	}
}

// A published event with a date ahead, as an export may have, stays published when an update sends
// no date.
func TestPublishedAhead(t *testing.T) {
	t.Parallel()
	d := open(t)
	err := d.srv.Store.Update(1, func(tx *store.Tx) error {
		ahead := now.AddDate(0, 1, 0)
		return tx.Put(&store.Event{
			Post: store.Post{
				Status:   store.Publish,
				Slug:     "gala",
				Date:     ahead,
				Modified: now,
			},
			Title:    "Gala",
			Timezone: "UTC",
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	status, answer := d.ask("", "POST", "/events/1", `{"title":"Ball"}`)
	compare(t, `{"status":"publish","title":"Ball"}`, status, answer)
}
