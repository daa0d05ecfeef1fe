// What answers, searches and search engines are told of a cost.

package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A cost is shown as clients know it, and beside that as it was typed. Who sends it back as it was
// read changes nothing.
func TestCosts(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	id := c.Add(&store.Event{
		Title: "Choir",
		Start: sample.Local(t, "2031-05-10 20:00:00"),
		End:   sample.Local(t, "2031-05-10 22:00:00"),
	})
	c.IDs["Choir"] = id
	for _, tt := range []struct {
		send                              string
		cost, text, price, currency, free string
	}{
		{`"18 €, reduced 12 €"`, "$12 – $18", "18 €, reduced 12 €", "12", "EUR", "<nil>"},
		{`"12"`, "$12", "<nil>", "12", "USD", "<nil>"},
		{`["5","7"]`, "$5 – $7", "<nil>", "5", "USD", "<nil>"},
		{`"£8 in advance"`, "£8 in advance", "<nil>", "8", "GBP", "<nil>"},
		{`"100 kr"`, "100 kr", "<nil>", "100", "<nil>", "<nil>"},
		{`"Eintritt frei, Spenden willkommen"`, "Eintritt frei, Spenden willkommen", "<nil>", "0", "USD", "true"},
		{`0`, "Free", "<nil>", "0", "USD", "true"},
	} {
		send := func(cost string) {
			status, answer := apitest.Do(
				t,
				c.As(account.Administrator),
				http.MethodPatch,
				fmt.Sprint(c.URL, v1, "/events/", id),
				cost,
			)
			if status != http.StatusOK {
				t.Fatal(cost, status, answer)
			}
		}
		send(`{"cost":` + tt.send + `}`)
		for range 2 {
			_, e := c.Get(t, "", "/events/{Choir}")
			ld := e["json_ld"].(map[string]any)
			offers := ld["offers"].(map[string]any)
			got := fmt.Sprint(
				e["cost"],
				"|",
				e["cost_text"],
				"|",
				offers["price"],
				"|",
				offers["priceCurrency"],
				"|",
				ld["isAccessibleForFree"],
			)
			want := strings.Join([]string{tt.cost, tt.text, tt.price, tt.currency, tt.free}, "|")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.send, diff)
			}
			send(fmt.Sprintf(`{"cost":%q}`, e["cost"]))
		}
		found := strings.Contains(
			c.List(t, "", "/events?start_date=2031-05-01&free=true"),
			"Choir",
		)
		if want := tt.free == "true"; found != want {
			t.Errorf("%s: found among free events: %t", tt.send, found)
		}
	}
}

// Answers have a cost with the entities that another site put into it. People read what they mean.
func TestCostEntities(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.Add(&store.Event{
		Title: "Choir",
		Start: sample.Local(t, "2031-05-10 20:00:00"),
		End:   sample.Local(t, "2031-05-10 22:00:00"),
		Cost:  store.Cost{Entries: []string{"Free – &#036;5.00"}},
	})
	_, e := c.Get(t, "", "/events/{Choir}")
	if diff := cmp.Diff("Free – &#036;5.00", e["cost"]); diff != "" {
		t.Error(diff)
	}
	h := sample.Visited(t, c)
	for _, path := range []string{"/events/", "/events/2031-05-10/", "/event/choir/", "/event/choir/?print=poster"} {
		page := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+path,
			"",
			"Accept",
			"text/html",
		).Body.String()
		if !strings.Contains(page, "Free – $5.00") || strings.Contains(page, "036;") {
			t.Errorf("%s:\n%s", path, page)
		}
	}
}
