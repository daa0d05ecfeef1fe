package media_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/store"
)

// A merged picture leaves all places where it was shown to the other one: records of every status,
// texts, the logo, and addresses elsewhere.
func TestMerge(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	from := d.upload(account.Author, photo(1700, 1000), "?title=From")
	into := d.upload(account.Editor, photo(600, 400), "?title=Into&alt=A+choir")
	third := d.upload(account.Editor, photo(3, 3), "")
	html := func(addresses ...string) (text string) {
		for _, address := range addresses {
			text += `<p>A choir</p><img src="` + strings.TrimPrefix(
				address,
				d.srv.URL,
			) + `" alt="x">`
		}
		return text
	}
	text := html(
		from.URL,
		from.Sizes["medium"].URL,
		from.Sizes["large"].URL,
		from.Sizes["w480"].URL,
		from.Sizes["thumbnail"].URL,
		third.URL,
		"https://a.example/x.jpg",
	)
	post := func(slug string, status store.Status, image int64) store.Post {
		return store.Post{Slug: slug, Status: status, Image: image, Description: text}
	}
	start := store.Wall(0)
	public := &store.Event{
		Title: "Public",
		Post:  post("public", store.Publish, from.ID),
		Start: start,
		End:   start,
	}
	d.srv.Seed(public, &store.Event{Title: "Gone", Post: post("gone", store.Trash, from.ID)},
		&store.Event{Title: "Other", Post: post("other", store.Draft, third.ID)},
		&store.Venue{Name: "Hall", Post: post("hall", store.Publish, from.ID)},
		&store.Organizer{Name: "Choir", Post: post("choir", store.Draft, from.ID)})
	d.ask(
		account.Editor,
		201,
		"POST",
		"/cal/events/v1/events",
		[]byte(fmt.Sprintf(`{"title":"Weekly","start_date":"2031-06-01 10:00",
		"end_date":"2031-06-01 11:00","image":%d,"recurrence":"FREQ=WEEKLY;COUNT=2"}`, from.ID)),
		asJSON...)
	err := d.srv.Store.Update(1, func(tx *store.Tx) error {
		origin := *tx.Image(from.ID)
		origin.Origins = []string{"https://old.example/from.jpg"}
		if err := tx.Put(&origin); err != nil {
			return err
		}
		return tx.SetSettings(store.Settings{Logo: from.ID})
	})
	if err != nil {
		t.Fatal(err)
	}
	at := fmt.Sprint(own, "/", from.ID)
	body := func(id int64) []byte { return fmt.Appendf(nil, `{"into":%d}`, id) }
	for _, role := range []account.Role{"", account.Subscriber, account.Contributor, account.Author} {
		d.ask(role, map[bool]int{
			true:  401,
			false: 403,
		}[role == ""], "POST", at+"/merge", body(into.ID), asJSON...)
	}
	elsewhere := &store.Image{URL: "https://old.example/elsewhere.jpg"}
	d.srv.Seed(elsewhere)
	for want, sent := range map[int][][]byte{
		400: {body(from.ID), body(public.ID), body(999), body(elsewhere.ID), []byte(`{}`)},
		412: {body(into.ID)},
	} {
		for _, one := range sent {
			d.ask(account.Editor, want, "POST", at+"/merge", one, append(asJSON, map[int][]string{
				412: {"If-Match", `"x"`},
			}[want]...)...)
		}
	}
	d.ask(account.Editor, 404, "POST", own+"/999/merge", body(into.ID), asJSON...)
	answer, text2 := d.ask(account.Editor, 200, "POST", at+"/merge", body(into.ID), asJSON...)
	if got := read[medium](d, text2); got.ID != into.ID || got.Alt != "A choir" ||
		answer.Header.Get("X-Almanac-Moved") != "records=6" {
		t.Error(answer.Header, got)
	}
	d.ask(account.Editor, 404, "GET", at, nil)
	d.ask(account.Editor, 404, "GET", from.URL, nil)
	d.ask(account.Editor, 404, "POST", at+"/merge", body(into.ID), asJSON...)
	_ = d.srv.Store.View(func(v *store.View) error {
		shown := map[string]int64{}
		texts := html(
			into.URL,
			into.Sizes["medium"].URL,
			into.URL,
			into.Sizes["w480"].URL,
			into.Sizes["thumbnail"].URL,
			third.URL,
			"https://a.example/x.jpg",
		)
		for _, k := range []store.Kind{store.Events, store.Venues, store.Organizers, store.AllSeries} {
			for r := range v.Each(k) {
				p := store.PostOf(r)
				shown[fmt.Sprint(k, " ", p.Slug)] = p.Image
				if p.Description != "" && p.Description != texts {
					t.Errorf("%s (-want +got):\n%s", p.Slug, cmp.Diff(texts, p.Description))
				}
			}
		}
		want := map[string]int64{
			"events public":            into.ID,
			"events gone":              into.ID,
			"events other":             third.ID,
			"venues hall":              into.ID,
			"organizers choir":         into.ID,
			"events weekly-2031-06-01": into.ID,
			"events weekly-2031-06-08": into.ID,
			"series weekly":            into.ID,
		}
		if diff := cmp.Diff(want, shown); diff != "" {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
		i := v.ByURL("https://old.example/from.jpg")
		logo := d.srv.Store.Settings().Logo
		if i == nil || i.ID != into.ID || !i.Modified.Equal(now) || logo != into.ID {
			t.Error(i, logo)
		}
		return nil
	})
	if _, page := d.ask("", 200, "GET", "/event/public/", nil); !strings.Contains(
		string(page),
		path.Base(into.URL),
	) {
		t.Errorf("%s", page)
	}
	if err := d.srv.Store.Check(); err != nil {
		t.Error(err)
	}
}

// A picture that very many records show leaves them in several transactions, by a merge and by its
// removal, and the record of the picture goes in the last one.
func TestMergeInParts(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	from := d.upload(account.Author, photo(600, 400), "?title=From")
	into := d.upload(account.Editor, photo(3, 3), "?title=Into")
	const events = 1_100
	html := func(of medium) string { return `<img src="` + strings.TrimPrefix(of.URL, d.srv.URL) + `" alt="x">` }
	var all []any
	for n := range events {
		post := store.Post{Slug: fmt.Sprint("fair", n), Status: store.Publish, Image: from.ID}
		if n%2 == 0 {
			post.Description = html(from)
		}
		all = append(all, &store.Event{Title: "Fair", Post: post})
	}
	d.srv.Seed(all...)
	shown := func(id int64, texts string, want int) {
		t.Helper()
		images := 0
		described := 0
		_ = d.srv.Store.View(func(v *store.View) error {
			for r := range v.Each(store.Events) {
				p := store.PostOf(r)
				if p.Image == id {
					images++
				}
				if p.Description == texts {
					described++
				}
			}
			return nil
		})
		if images != want || described != events/2 {
			t.Errorf("%d events show the picture, and %d in their text", images, described)
		}
		if err := d.srv.Store.Check(); err != nil {
			t.Error(err)
		}
	}
	seq := d.srv.Store.Seq()
	at := fmt.Sprint(own, "/", from.ID)
	answer, _ := d.ask(
		account.Editor,
		200,
		"POST",
		at+"/merge",
		fmt.Appendf(nil, `{"into":%d}`, into.ID),
		asJSON...)
	if moved, steps := answer.Header.Get("X-Almanac-Moved"), d.srv.Store.Seq()-seq; moved != "records=1100" ||
		steps != 3 {
		t.Errorf("%s in %d transactions", moved, steps)
	}
	shown(into.ID, html(into), events)
	d.ask(account.Editor, 404, "GET", at, nil)
	seq = d.srv.Store.Seq()
	d.ask(account.Editor, 200, "DELETE", fmt.Sprint(own, "/", into.ID), nil)
	if steps := d.srv.Store.Seq() - seq; steps != 3 {
		t.Errorf("it is removed in %d transactions", steps)
	}
	shown(0, html(into), events)
}
