package desk_test

import (
	"fmt"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/store"
)

// The time and the memory of a long form grow with its length, and not with its square. The server
// keeps no long key.
func TestLongForms(t *testing.T) {
	w := newWorld(t)
	const long = 450_000
	w.put(&store.Venue{
		Post: store.Post{
			Author: 2,
			Status: store.Publish,
			Slug:   "long",
		},
		Name: strings.Repeat("b", 2*long),
	})
	for i := range 2000 {
		slug := fmt.Sprint("a", i)
		w.put(&store.Organizer{
			Post: store.Post{
				Author: 2,
				Status: store.Publish,
				Slug:   slug,
			},
			Name: slug,
		},
			&store.Term{Taxonomy: store.Categories, Slug: slug, Name: slug})
	}
	b := w.as(account.Contributor)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, pair := range [][2]string{{"venue", strings.Repeat("a", 2*long)}, {"organizer", strings.Repeat("X;", long)},
		{"categories", strings.Repeat("9,", long)}} {
		got := b.post(
			"/desk/events/new",
			"title",
			"Choir",
			"date",
			"2031-05-13",
			"website",
			"://",
			"do",
			"draft",
			pair[0],
			pair[1],
		)
		if got.status != http.StatusUnprocessableEntity {
			t.Errorf("a long %s: %d", pair[0], got.status)
		}
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 2<<30 {
		t.Errorf("three long forms took %d MB", (after.TotalAlloc-before.TotalAlloc)>>20)
	}
	var many strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&many, "field%d=&", i)
	}
	if got := w.browser().do("POST", "/desk/events/new", "application/x-www-form-urlencoded", many.String()); len(
		got.body,
	) > 100_000 {
		t.Errorf("a stranger with many fields gets %d bytes", len(got.body))
	}
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 40 {
		b.post("/desk/events/new", "do", "draft", "key", fmt.Sprint(i)+strings.Repeat("k", long))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 20*long {
		t.Errorf("the keys of 40 forms take %d MB", grown>>20)
	}
}

// A text that no form takes has a page that says so, and not the page of an address of nothing.
func TestTooLongForms(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Author, 500, func(o *api.Options) {
		limits := admission.Default()
		limits.Body = 32 << 10
		limits.Picture = 64 << 10
		o.Limits = &limits
	})
	editor := w.as(account.Editor)
	editor.post(
		"/desk/events/new",
		"title",
		"Fair",
		"date",
		"2031-06-02",
		"password",
		"rose",
		"do",
		"publish",
	)
	for path, want := range map[string]string{
		"/events/suggest/":   "The text is too long",
		"/event/fair/":       "The text is too long",
		"/desk/tags/new":     "The text is too long",
		"/desk/pictures/new": "The picture was not stored.",
	} {
		got := editor.post(path, "password", strings.Repeat("x", 65<<10))
		_, heading, _ := strings.Cut(got.body, "<h1>")
		if got.status != http.StatusRequestEntityTooLarge ||
			!strings.HasPrefix(strings.TrimPrefix(heading, "<bdi>"), want) {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if got := editor.get("/event/fair/"); got.status != http.StatusOK {
		t.Error("the event with a password:", got.status)
	}
}

// The forms suggest some of many names, and take all names. They have boxes for some of many
// categories, and for those that are chosen.
func TestManyNames(t *testing.T) {
	t.Parallel()
	const many = 1500
	w, _ := proposing(t, account.Author, 500)
	err := w.store.Update(1, func(tx *store.Tx) error {
		for id := int64(1); id <= many; id++ {
			post := store.Post{
				Meta: store.Meta{
					ID: id,
				},
				Status: store.Publish,
				Slug:   fmt.Sprint("a", id),
			}
			if err := tx.Put(&store.Venue{
				Post: post,
				Name: fmt.Sprintf("Hall with the number %04d", id),
			}); err != nil {
				return err
			}
			post.ID += many
			if err := tx.Put(&store.Organizer{
				Post: post,
				Name: fmt.Sprintf("Choir with the number %04d", id),
			}); err != nil {
				return err
			}
			term := &store.Term{
				Taxonomy: store.Categories,
				Slug:     post.Slug,
				Name:     fmt.Sprintf("Genre %04d", id),
			}
			if err := tx.Put(term); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	editor := w.as(account.Editor)
	for path, lists := range map[string]int{
		"/events/suggest/":     2,
		"/desk/events/new":     2,
		"/desk/venues/7":       1,
		"/desk/venues/7/merge": 1,
	} {
		body := editor.get(path).body
		_, names, _ := strings.Cut(body, "<datalist")
		if n := strings.Count(names, `<option value="Hall`) + strings.Count(names, `<option value="Choir`); n != 1000*lists {
			t.Errorf("%s suggests %d names in %d lists", path, n, lists)
		}
	}
	boxes := func(body string) string {
		return fmt.Sprint(
			strings.Count(body, `name="categories[]"`),
			regexp.MustCompile(`value="(\d+)" checked`).FindAllStringSubmatch(body, -1),
		)
	}
	chosen := []string{
		"title",
		"",
		"date",
		"2031-06-02",
		"categories[]",
		"1500",
		"categories[]",
		"7",
		"categories[]",
		"9999",
	}
	for path, press := range map[string]string{
		"/events/suggest/":    "",
		"/desk/events/new":    "publish",
		"/desk/account/feeds": "add",
	} {
		got := map[string]string{"asked": boxes(editor.get(path).body)}
		got["sent"] = boxes(editor.post(path, append(chosen, "months", "x", "do", press)...).body)
		want := map[string]string{
			"asked": "1000 []",
			"sent":  `1001 [[value="7" checked 7] [value="1500" checked 1500]]`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: boxes (-want, +got):\n%s", path, diff)
		}
	}
	last := fmt.Sprintf("Hall with the number %04d", many)
	editor.post(
		"/desk/events/new",
		"title",
		"Fair",
		"date",
		"2031-06-02",
		"venue",
		last,
		"categories[]",
		"1500",
		"do",
		"publish",
	)
	body := editor.get("/events/suggest/").body
	if !strings.Contains(body, `name="categories[]" value="1500"`) || boxes(body) != "1000 []" {
		t.Errorf("the category of most events is not offered, or %s", boxes(body))
	}
	_ = w.store.View(func(v *store.View) error {
		if n := len(v.EventsOf(store.Venues, many)); n != 1 || v.Len(store.Venues) != many {
			t.Errorf("%d events at the last of %d places", n, v.Len(store.Venues))
		}
		return nil
	})
}
