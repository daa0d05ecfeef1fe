package write_test

import (
	"fmt"
	"testing"

	"almanac/internal/markup"
)

// Many equal names get slugs by a search that looks for gaps among the low numbers only.
func TestSlugOfMany(t *testing.T) {
	t.Parallel()
	var given []string
	for n := 1; n <= 130; n++ {
		slug := "fair"
		if n > 1 {
			slug = markup.Suffix(slug, n)
		}
		if n != 30 && n != 100 {
			given = append(given,
				fmt.Sprintf(`POST /events {"title":"Place %d","start_date":"2031-05-10","end_date":"2031-05-10","slug":%q}`, n, slug))
		}
	}
	d := open(t, given...)
	for _, want := range []string{"fair-30", "fair-131", "fair-132"} {
		status, event := d.ask("", "POST", "/events", `{"title":"Fair","start_date":"2031-05-10","end_date":"2031-05-10"}`)
		if status != 201 || event["slug"] != want {
			t.Errorf("%d with slug %v, want %s", status, event["slug"], want)
		}
	}
}
