// Lists of plain text in calendar files.

package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/tools/sample"
	"almanac/store"
)

const v1 = sample.V1

// link returns the query of a link of a list, decoded and in its order, or "".
func link(t *testing.T, body map[string]any, name string) string {
	t.Helper()
	address, ok := body[name].(string)
	if !ok {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	text, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A list of plain text is one in calendar files, for people who read them as text and for others.
func TestCalendarLists(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.Add(&store.Event{
		Post: store.Post{
			Description: "Bring\n- a cup\n- https://example.org/",
		},
		Title:    "Choir",
		Start:    sample.Local(t, "2031-05-10 20:00:00"),
		End:      sample.Local(t, "2031-05-10 21:00:00"),
		Timezone: "Europe/Paris",
	})
	_, file := c.Page(t, http.MethodGet, "", v1+"/events/{Choir}.ics")
	file = strings.ReplaceAll(file, "\r\n ", "")
	for _, want := range []string{
		"\r\nDESCRIPTION:" + `Bring\n\n- a cup\n- https://example.org/` + "\r\n",
		`<ul>\n<li>a cup</li>\n<li><a href=`,
	} {
		if !strings.Contains(file, want) {
			t.Errorf("no %q in %s", want, file)
		}
	}
}
