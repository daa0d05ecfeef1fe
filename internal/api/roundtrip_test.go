package api_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"

	"github.com/google/go-cmp/cmp"
)

// Whatever a create accepts can be read, sent back whole as an update and read
// again: it is the same record but for the time of the change.
func TestRecordsCanBeSentBackAlone(t *testing.T) {
	race.Alone(t)
	srv := almanactest.Start(t, almanactest.Options{
		Now:  time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		Zone: "America/New_York",
	})
	seed := uint64(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC).Unix())
	g := &generator{rand.New(rand.NewPCG(seed, 1))}
	accepted := map[string]int{}
	for i := range 900 {
		kind := []string{"events", "events", "venues", "organizers", "categories", "tags"}[i%6]
		body := g.body(kind)
		sent, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		status, made := apitest.Do(
			t,
			srv.Client(),
			"POST",
			srv.URL+"/cal/events/v1/"+kind,
			string(sent),
		)
		if status != http.StatusCreated {
			continue
		}
		accepted[kind]++
		address := fmt.Sprintf("%s/cal/events/v1/%s/%v", srv.URL, kind, made["id"])
		status, before := apitest.Do(t, srv.Client(), "GET", address, "")
		if status != http.StatusOK {
			if before["code"] != "event-no-longer-available" {
				t.Fatalf("made with %s, read with %d %v", sent, status, before)
			}
			continue
		}
		again, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		method := []string{"POST", "PUT", "PATCH"}[g.rng.IntN(3)]
		if status, answer := apitest.Do(t, srv.Client(), method, address, string(again)); status != http.StatusOK {
			t.Fatalf("made with %s\nsent back %s\nanswered %d %v", sent, again, status, answer)
		}
		_, after := apitest.Do(t, srv.Client(), "GET", address, "")
		for _, record := range []map[string]any{before, after} {
			delete(record, "modified")
			delete(record, "modified_utc")
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("made with %s\nsent back, it changed (-before +after):\n%s", sent, diff)
		}
	}
	for _, kind := range []string{"events", "venues", "organizers", "categories", "tags"} {
		if accepted[kind] < 50 {
			t.Errorf(
				"only %d creates of %s were accepted: the generator is too wild",
				accepted[kind],
				kind,
			)
		}
	}
}

// A generator makes bodies of creates.
type generator struct{ rng *rand.Rand }

func (g *generator) pick(values ...any) any { return values[g.rng.IntN(len(values))] }

// body makes a body with the required fields and a few optional ones.
func (g *generator) body(kind string) map[string]any {
	texts := []any{
		"Plain", `He said "hi" & left`, "Ümläut – naïve", "日本語", "<b>Bold</b> & <i>more</i>", "Rock &amp; Roll", "It's 5 o'clock...",
		"a\nb\n\nc", "<p>One</p>\n<p>Two</p>", "<script>alert(1)</script>x", `back\slash \" \\`, "  spaces  ", "100% & 3x4", "<!-- c -->d",
		"<ul><li>a</li></ul>", "https://example.org/?a=1&b=2", "&lt;tag&gt;", "\U0001F600", "[gallery]", "1,000.50",
	}
	name := fmt.Sprintf("%v %d", g.pick(texts...), g.rng.IntN(1_000_000))
	optional := map[string]func() any{
		"description": func() any { return g.pick(texts...) },
		"status":      func() any { return g.pick("publish", "draft", "pending", "private", "future") },
		"image":       func() any { return g.pick("https://example.org/a.png", "https://example.org/b.jpg?x=1&y=2") },
		"website": func() any {
			return g.pick(
				"https://example.org/",
				"https://example.org/?a=1&b='2'",
				"mailto:a@example.org",
				"",
			)
		},
		"date": func() any { return g.pick("2026-01-02 03:04:05", "2031-01-01", "yesterday") },
	}
	body := map[string]any{}
	switch kind {
	case "venues":
		body["venue"] = name
		for _, field := range []string{"address", "city", "country", "province", "state", "zip", "phone", "stateprovince"} {
			optional[field] = func() any { return g.pick("0", "", "Main St. 5", "A & B <i>x</i>", "États", `"quoted"`) }
		}
		optional["show_map"] = func() any { return g.pick("true", "false", true, false) }
		if g.rng.IntN(3) == 0 {
			body["geo_lat"], body["geo_lng"] = g.pick(0, 51.5, "-33.25"), g.pick(0, -2.5, 179.999)
		}
	case "categories", "tags":
		delete(optional, "status")
		delete(optional, "image")
		delete(optional, "website")
		delete(optional, "date")
		body["name"] = name
		optional["slug"] = func() any { return fmt.Sprintf("%v %d", g.pick("given", "Ünder", "日本"), g.rng.IntN(1_000_000)) }
		if kind == "categories" {
			optional["parent"] = func() any { return g.pick(0, 1, 2) }
		}
	case "organizers":
		body["organizer"] = name
		optional["phone"] = func() any { return g.pick("", "0", "+1 (2) 3") }
		optional["email"] = func() any { return g.pick("a@example.org", "not an address", "") }
	default:
		body["title"] = name
		body["start_date"] = g.pick(
			"2031-03-09 02:30:00",
			"2031-11-02 01:30",
			"tomorrow 9am",
			"+5 days 11am",
			"May 10, 2031 9pm",
			"2031-02-30",
			"1900-01-01",
			"2026-1-5 9:3:0",
		)
		body["end_date"] = g.pick(
			"2031-03-09 03:30:00",
			"2031-11-02 02:30",
			"next friday",
			"2031-12-31 23:59:59",
			"2000-01-01",
			"9999-12-31 23:59:59",
		)
		for _, field := range []string{"all_day", "show_map", "hide_from_listings", "sticky", "featured", "ticketed"} {
			optional[field] = func() any { return g.pick(true, false, "1", 0) }
		}
		optional["excerpt"] = func() any { return g.pick(texts...) }
		optional["slug"] = func() any { return g.pick("given", "Given Slug!", "日本", "2031") }
		optional["timezone"] = func() any {
			return g.pick(
				"Europe/Paris",
				"asia/kathmandu",
				"UTC+5:30",
				"UTC-8",
				"+02:00",
				"Australia/Lord_Howe",
				"",
			)
		}
		optional["cost"] = func() any {
			return g.pick(
				"10",
				10.5,
				"$10 - $20",
				"Free",
				0,
				"0.00",
				"10€",
				[]any{"0$", "20$", "30$"},
				"Pay what you can",
				"1,000.50",
				"5, 10, 20",
				"from 10",
				"10 USD",
				"-5",
				"<b>10</b>",
				"",
			)
		}
		optional["categories"] = func() any { return g.pick("Music", []any{"Arts & Crafts", "Music"}, "", 1, "1,2") }
		optional["tags"] = func() any { return g.pick([]any{"Free Entry", "outdoors"}, "a,b , c", []any{}) }
		optional["venue"] = func() any {
			return g.pick(map[string]any{
				"venue": "Hall",
			}, map[string]any{
				"venue": "H & K",
				"city":  "Köln",
			}, nil, "", []any{})
		}
		optional["organizer"] = func() any {
			return g.pick([]any{map[string]any{
				"organizer": "Ann",
			}, map[string]any{
				"organizer": "B & C",
			}}, map[string]any{
				"organizer": "D",
			}, nil)
		}
	}
	for field, make := range optional {
		if g.rng.IntN(3) == 0 {
			body[field] = make()
		}
	}
	return body
}
