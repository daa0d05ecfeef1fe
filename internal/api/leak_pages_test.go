// Requests for pages about hidden records.

package api_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/race"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// pageQuestions returns the questions of pages: every view in every way that its address has, and
// the form for passwords.
func pageQuestions(w *leakWorld) (all []question) {
	ask := func(path, query, sent string) {
		q := question{
			method:  "GET",
			path:    path,
			query:   query,
			headers: []string{"Accept", "text/html"},
			sent:    sent,
		}
		all = append(all, q)
		if sent == "" && (sample.Long || len(all)%4 == 0) {
			q.method = "HEAD"
			all = append(all, q)
		}
	}
	for _, path := range []string{"/", "/events/", "/events/list/", "/events/past/", "/events/month/", "/events/month/2031-07/",
		"/events/2031-07/", "/embed/events/",
		"/events/month/2026-11/", "/events/week/", "/events/week/2031-07-07/", "/events/today/", "/events/2031-07-03/",
		"/events/tomorrow/", "/events/this-weekend/", "/events/this-week/", "/events/free/", "/events/category/music/this-week/free/",
		"/events/2031-07-06/", "/events/2031-07-07/",
		"/events/2031-07-13/", "/events/2031-07-20/", "/events/featured/", "/events/featured/month/2031-07/", "/events/page/2/",
		"/events/category/music/", "/events/category/music/month/2031-07/", "/events/category/music/week/2031-07-07/", "/events/tag/free/",
		"/tag/free/", "/de/events/", "/ar/events/month/2031-07/", "/ja/event/concert/", "/sitemap.xml", "/de/sitemap.xml", "/wp-sitemap.xml",
		"/wp-sitemap-posts-tribe_events-1.xml",
		"/robots.txt", "/embed/", "/events/photo/",
		"/assets/style-0.css", "/events/nothing/", "/event/nothing/", "/venue/nothing/", "/nothing",
		"/events/category/nothing/", "/favicon.ico"} {
		ask(path, "", "")
	}
	for _, path := range []string{"/media/00000000000000000000000000000000/p.jpg", "/wp/v2/media", "/wp-json/wp/v2/media",
		fmt.Sprint("/wp/v2/media/", w.picture), fmt.Sprint("/wp/v2/media/", w.image)} { // everybody may load a file by its address
		ask(path, "", "")
	}
	ask("/wp/v2/media", "search=zqpicturetitle", "zqpicturetitle")
	for _, query := range []string{
		fmt.Sprint("include=", w.picture, ",", w.image),
		"slug=p",
		"orderby=title",
		"context=edit",
		"author=1&order=asc",
		"exclude=1&per_page=1",
	} {
		ask("/wp/v2/media", query, "")
	}
	const posts = "/wp/v2/tribe_events"
	for _, query := range []string{
		"",
		"per_page=1&page=2",
		"context=edit",
		"order=asc&_fields=id,meta,class_list",
		"author=1,2,3&after=2000-01-01&exclude=1",
		"before=now",
		"orderby=title&password=wrong",
		"orderby=modified",
		"orderby=id",
		"status=any",
		"status=trash",
		"status=draft,private,future",
		"slug=zqeventsslug",
		fmt.Sprint("include=", w.event, ",", w.concert),
		fmt.Sprint("tribe_events_cat=", w.category),
		fmt.Sprint("tags=", w.tag),
	} {
		ask(posts, query, "")
	}
	for _, text := range searches(w) {
		ask(posts, "search="+url.QueryEscape(text), text)
	}
	for _, id := range append(hiddenRecords(w), publicEvents(w)...) {
		ask(posts+"/"+id, "", id)
	}
	for _, path := range []string{"/wp/v2", "/wp/v2/users/me", "/wp/v2/settings"} {
		ask(path, "", "")
	}
	ask("/event/zqeventssl/", "", "zqeventssl") // the beginning of a slug
	for _, term := range []string{"xqcategory", "xqtag"} {
		for _, path := range []string{"/events/category/", "/events/category/music/", "/events/tag/", "/tag/"} {
			for _, view := range []string{"", "month/2031-07/", "2031-07-07/"} {
				ask(path+term+"/"+view, "", term)
			}
		}
	}
	for _, slug := range []string{"zqeventsslug", "zqvenuesslug", "zqorganizersslug", "zqexceptionsslug", "zqseriesslug", "concert",
		"child",
		"closed", "carrier", "weekly", "weeklya", "weeklyc", "other"} {
		sent := ""
		if w.names(slug) {
			sent = slug
		}
		ask("/event/"+slug+"/", "", sent)
		ask("/", "post_type=tribe_events&tribe_events="+slug, sent)
		for _, password := range []string{"wrong", "secret"} {
			all = append(all, question{
				method: "POST",
				path:   "/event/" + slug + "/",
				body:   "password=" + password,
				sent:   sent,
				headers: []string{
					"Content-Type",
					"application/x-www-form-urlencoded",
					"Accept",
					"text/html",
				},
			})
		}
	}
	for _, place := range []string{"hall", "open-hall", "zqvenuesslug", "zqorganizersslug", "ann", "bob"} {
		sent := ""
		if w.names(place) {
			sent = place
		}
		ask("/venue/"+place+"/", "", sent)
		ask("/organizer/"+place+"/", "", sent)
	}
	for _, path := range []string{"/event/zqeventsformer", "/event/zqexceptionsformer", "/venue/zqvenuesformer",
		"/organizer/zqorganizersformer"} {
		_, former, _ := strings.Cut(path[1:], "/") // a slug that it had
		ask(path+"/", "", former)
		ask(path, "ical=1", former)
	}
	for _, date := range []string{"2031-07-06", "2031-07-07", "2031-07-13", "2031-07-20"} {
		for _, slug := range []string{"weekly", "zqseriesslug"} {
			ask("/event/"+slug+"/"+date+"/", "", slug)
			ask("/embed/event/"+slug+"/"+date+"/2/", "", slug)
		}
	}
	for _, slug := range []string{"weekly", "zqseriesslug"} {
		ask("/event/"+slug+"/all/", "", slug)
		ask("/event/"+slug+"/all/feed/", "", slug)
		ask("/event/"+slug+"/all/", "ical=1", slug)
		ask("/series/"+slug+"/", "", slug)
		ask("/series/"+slug+"/feed/", "", slug)
	}
	for _, id := range append(hiddenRecords(w), publicEvents(w)...) {
		ask("/", "p="+id, id)
	}
	for _, text := range searches(w) {
		ask("/events/", "tribe-bar-search="+url.QueryEscape(text), text)
		ask("/events/month/2031-07/", "tribe-bar-search="+url.QueryEscape(text), text)
	}
	for _, category := range hiddenCategory(w) {
		ask("/events/", "categories="+category, category)
	}
	for _, query := range []string{"tribe-bar-date=2031-07-07", "tribe-bar-date=2031-07", "eventDisplay=past",
		"eventDisplay=past&tribe-bar-date=2031-07-08", "eventDisplay=month&tribe-bar-date=2031-07-07",
		"eventDisplay=week&tribe-bar-date=2031-07-07", "eventDisplay=day&tribe-bar-date=2031-07-07", "featured=true", "status=any",
		"context=edit", "password=secret", "post_status=draft&preview=true"} {
		ask("/events/", query, "")
	}
	return all
}

// Callers with the right find hidden records on pages too, so that their absence elsewhere proves
// something.
func TestPageLeakControlsAlone(t *testing.T) {
	race.Alone(t)
	want := []string{"xqcategory", "xqtag",
		"zqeventscurrencywording", "zqeventsdescription", "zqeventsexcerpt", "zqeventsslug", "zqeventstitle",
		"zqorganizersdescription", "zqorganizersemail", "zqorganizersname", "zqorganizersphone", "zqorganizersslug",
		"zqvenuesaddress", "zqvenuescity", "zqvenuescountry", "zqvenuesdescription", "zqvenuesname", "zqvenuesphone", "zqvenuesslug",
		"zqvenuesstateprovince", "zqvenueszip"}
	for _, s := range secrets() {
		if s.inside() || s.password != "" || s.status == store.Trash {
			continue // trashed records have no page
		}
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			w := newLeakWorld(t, s, true)
			for _, role := range []account.Role{account.Editor, account.Administrator, s.by} {
				found := map[string]bool{}
				for _, q := range pageQuestions(w) {
					if strings.Contains(q.query, hiddenTexts) {
						continue // it may be an echo
					}
					body := w.ask(role, q).Body
					for _, word := range want {
						found[word] = found[word] || strings.Contains(body, word)
					}
				}
				maps.DeleteFunc(found, func(_ string, is bool) bool { return !is })
				if diff := cmp.Diff(want, slices.Sorted(maps.Keys(found))); diff != "" {
					t.Errorf("shown to %s (-want, +got):\n%s", role, diff)
				}
			}
		})
	}
}
