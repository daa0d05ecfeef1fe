// The data for search engines, in every form of an answer.

package rest_test

import (
	"strings"
	"testing"

	"almanac/internal/account"
	"almanac/internal/resttest"
	"almanac/store"
)

// In every form of the answer, and with any text, json_ld can be copied into a script element of a page as it
// stands.
func TestJSONLDClosesNoScript(t *testing.T) {
	t.Parallel()
	const attack = "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
	c := newCalendar(t)
	_, hall := resttest.Do(t, c.As(account.Contributor), "POST", c.URL+api+"/venues", `{"venue":"Hall","description":"`+attack+`"}`)
	_, ann := resttest.Do(t, c.As(account.Author), "POST", c.URL+api+"/organizers", `{"organizer":"Ann","description":"`+attack+`"}`)
	_, fair := resttest.Do(t, c.As(account.Author), "POST", c.URL+api+"/events",
		`{"title":"Fair","start_date":"tomorrow","end_date":"tomorrow","description":"`+attack+`"}`)
	event := store.Event{Post: store.Post{Description: attack}, Title: "Both", Start: local(t, "2031-04-10 12:00:00"),
		End: local(t, "2031-04-10 12:00:00")}
	event.Venues, event.Organizers = []int64{int64(hall["id"].(float64))}, []int64{int64(ann["id"].(float64))}
	c.add(&event)
	c.ids["Hall"], c.ids["Ann"], c.ids["Fair"] = int64(hall["id"].(float64)), int64(ann["id"].(float64)), int64(fair["id"].(float64))
	for _, path := range []string{"/events/{Fair}", "/events/{Both}", "/venues/{Hall}", "/organizers/{Ann}"} {
		for _, form := range []string{"", "_pretty", "_fields=json_ld",
			"_fields=json_ld.description,json_ld.location.description&_pretty", "_envelope&_fields=json_ld", "_jsonp=show&_fields=json_ld"} {
			_, body := c.send(t, account.Editor, "GET", api+path+"?"+form)
			_, ld, ok := strings.Cut(string(body), `"json_ld":`)
			if !ok || !strings.Contains(ld, `\u003c/script>\u003cscript>`) {
				t.Errorf("%s?%s: the text is not in json_ld: %s", path, form, body)
			}
			if strings.Contains(ld, "</script") {
				t.Errorf("%s?%s: json_ld closes a script element: %s", path, form, ld)
			}
		}
	}
}
