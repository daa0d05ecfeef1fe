package desk_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/people/account"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the files that tests compare with")

// A calendar of prices.txt is a site in a language and a country, where an editor types prices
// into the form of an event. Each line of it has a text, and behind it the page of the event if it
// says something else, the cost of the API, and the price, the currency and "free" for search
// engines.
const prices = "testdata/prices.txt"

// Prices as people write them are read as they were typed: on pages, in the form again, and in
// calendars. An amount alone has the currency of the site.
func TestPrices(t *testing.T) {
	data, err := os.ReadFile(prices)
	if err != nil {
		t.Fatal(err)
	}
	var b *browser
	var got strings.Builder
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if site, ok := strings.CutPrefix(line, "# "); ok {
			b = siteOf(t, site)
			fmt.Fprintln(&got, line)
			continue
		}
		typed, _, _ := strings.Cut(line, "\t")
		fmt.Fprintln(&got, typed+"\t"+b.enterPrice(typed))
	}
	if *update {
		if err := os.WriteFile(prices, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(data), got.String()); diff != "" && !*update {
		t.Errorf("%s (-want +got):\n%s", prices, diff)
	}
}

// siteOf returns an editor of a new calendar: "de CH CHF" is in German, in Switzerland, with
// francs.
func siteOf(t *testing.T, site string) *browser {
	t.Helper()
	words := strings.Fields(site)
	language, ok := i18n.Find(words[0])
	if !ok {
		t.Fatal("no language", site)
	}
	if language, ok = language.In(words[1]); !ok {
		t.Fatal("no region", site)
	}
	w := newWorld(t, func(o *api.Options) {
		o.Language = language
		o.Currency = words[2]
	})
	b := w.as(account.Editor)
	b.header.Set("Accept-Language", words[0])
	return b
}

var (
	costOnPage = regexp.MustCompile(
		`(?s)<section><h2>[^<]*</h2>\s*<p><bdi>([^<]*)</bdi></p>\s*</section>`,
	)
	linkedData = regexp.MustCompile(`(?s)<script type="application/ld\+json"[^>]*>(.*?)</script>`)
)

// enterPrice makes an event with a price, and returns what is made of it.
func (b *browser) enterPrice(typed string) string {
	b.t.Helper()
	saved := b.post(
		"/desk/events/new",
		"title",
		"Concert",
		"date",
		"2031-06-01",
		"starts",
		"20:00",
		"cost",
		typed,
		"do",
		"publish",
	)
	id := regexp.MustCompile(`\d+`).FindString(saved.location)
	if saved.status != 303 {
		b.t.Fatal(typed, saved.status, saved.body)
	}
	form := b.get("/desk/events/" + id).body
	isFree := regexp.MustCompile(`name="free"[^>]* checked`).MatchString(form) &&
		(typed == "0" || typed == "Free")
	if again := fields(form)["cost"]; again != typed && !isFree {
		b.t.Errorf("%q is %q in the form again", typed, again)
	}
	var e struct {
		URL  string
		Cost string
		Text string `json:"cost_text"`
	}
	var ld [1]struct {
		Free   bool `json:"isAccessibleForFree"`
		Offers struct{ Price, PriceCurrency string }
	}
	if err := json.Unmarshal([]byte(b.get("/cal/events/v1/events/"+id).body), &e); err != nil {
		b.t.Fatal(err)
	}
	if e.Text != "" && e.Text != typed ||
		e.Text == "" && e.Cost != typed && e.Cost != "Free" &&
			strings.Trim(typed, "0123456789., '") != "" {
		b.t.Errorf("%q is %q and %q in the API", typed, e.Cost, e.Text)
	}
	page := b.get(strings.TrimPrefix(e.URL, b.url)).body
	shown := costOnPage.FindStringSubmatch(page)
	if err := json.Unmarshal([]byte(linkedData.FindStringSubmatch(page)[1]), &ld); err != nil ||
		shown == nil {
		b.t.Fatal(typed, err, page)
	}
	written := html.UnescapeString(shown[1])
	calendar := strings.ReplaceAll(b.get("/cal/events/v1/events/"+id+".ics").body, "\r\n ", "")
	if !strings.Contains(
		calendar,
		"\r\nX-COST:"+strings.NewReplacer(",", `\,`, ";", `\;`).Replace(written)+"\r\n",
	) {
		b.t.Errorf("%q is not %q in the calendar: %s", typed, written, calendar)
	}
	facts := []string{written, e.Cost, ld[0].Offers.Price, ld[0].Offers.PriceCurrency}
	if ld[0].Free {
		facts = append(facts, "free")
	}
	if written == typed {
		facts[0] = ""
	}
	return strings.Join(facts, "\t")
}
