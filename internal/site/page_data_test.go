package site_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// dataOf returns the objects that a page has for search engines.
func dataOf(t *testing.T, h http.Handler, path string) (objects []map[string]any) {
	t.Helper()
	body := askFor(h, path).Body.String()
	found := regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`).
		FindStringSubmatch(body)
	if found == nil {
		t.Fatalf("%s has no data", path)
	}
	if err := json.Unmarshal([]byte(found[1]), &objects); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return objects
}

// Pages of lists tell search engines of an event what its own page does, but for the ends of long
// texts, so that they stay light.
func TestDataOfLists(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	long := strings.Repeat("Many words and ½. ", 5000)
	image := c.Add(&store.Image{URL: "https://example.com/poster.jpg"})
	music := c.Add(&store.Term{Name: "Music"})
	hall := c.Add(&store.Venue{
		Name: "Hall", City: "Springfield", Phone: "555", Website: "https://hall.example/",
		Post: store.Post{Description: long},
	})
	ann := c.Add(&store.Organizer{
		Name: "Ann", Email: "ann@example.com",
		Post: store.Post{Description: "Plays."},
	})
	c.Add(&store.Event{
		Title:      "Show",
		Start:      sample.Local(t, "2031-05-10 20:00:00"),
		End:        sample.Local(t, "2031-05-10 22:00:00"),
		Categories: []int64{music},
		Venues:     []int64{hall},
		Organizers: []int64{ann},
		Cost:       store.Cost{Entries: []string{"$10"}, Symbol: "$"},
		Post:       store.Post{Description: "An evening.", Image: image},
	})
	c.Add(&store.Event{
		Title:      "Long",
		Start:      sample.Local(t, "2031-05-10 20:00:00"),
		End:        sample.Local(t, "2031-05-10 22:00:00"),
		Categories: []int64{music},
		Venues:     []int64{hall},
		Post:       store.Post{Description: long},
	})
	h := sample.Site(t, c, api.Options{})
	cut := func(object map[string]any) {
		if text, _ := object["description"].(string); len([]rune(text)) > 300 {
			object["description"] = string([]rune(text)[:299]) + "…"
		}
	}
	own := map[any]map[string]any{}
	for _, path := range []string{"/event/show/", "/event/long/"} {
		objects := dataOf(t, h, path)
		if len(objects) != 1 {
			t.Fatalf("%s: %d objects", path, len(objects))
		}
		cut(objects[0])
		cut(objects[0]["location"].(map[string]any))
		own[objects[0]["name"]] = objects[0]
	}
	for _, member := range []string{"organizer", "offers", "image", "description", "eventAttendanceMode"} {
		if own["Show"][member] == nil {
			t.Errorf("the page of an event has no %s", member)
		}
	}
	for _, path := range []string{
		"/events/", "/events/list/", "/events/month/2031-05/", "/events/week/2031-05-10/", "/events/2031-05-10/",
		"/events/category/music/", "/venue/hall/", "/organizer/ann/", "/de/events/",
	} {
		n := 0
		for _, object := range dataOf(t, h, path) {
			if object["@type"] != "Event" {
				continue
			}
			n++
			want := own[object["name"]]
			if strings.HasPrefix(path, "/de/") {
				address := object["url"].(string)
				if !strings.Contains(address, "/de/event/") {
					t.Errorf("%s leads to %s", path, address)
				}
				object["url"] = strings.Replace(address, "/de/", "/", 1)
				if offers, ok := object["offers"].(map[string]any); ok {
					offers["url"] = object["url"]
				}
			}
			if diff := cmp.Diff(want, object); diff != "" {
				t.Errorf("%s (-page of the event +list):\n%s", path, diff)
			}
		}
		if n == 0 || n == 1 && path != "/organizer/ann/" {
			t.Errorf("%s: %d events", path, n)
		}
		if weight := askFor(h, path).Body.Len(); weight > 100_000 && path != "/venue/hall/" {
			t.Errorf("%s has %d bytes", path, weight)
		}
	}
}
