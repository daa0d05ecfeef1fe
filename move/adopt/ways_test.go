package adopt

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/cli"
	"almanac/internal/tools/apitest"
	"almanac/internal/write/intake"
	"almanac/move/transfer"
	"almanac/store"
)

// A site that is known by three ways: its API, its export and its calendar. Each hides something.
const (
	waysTimes = `"date_utc":"2020-01-01 10:00:00","modified_utc":"2020-01-02 10:00:00","status":"publish"`

	waysHall = `{"id":11,"global_id":"old.example?id=11","url":"http://old.example/venue/hall/","venue":"Hall",
		"slug":"hall","address":"1 Main St","city":"Linz","stateprovince":"OÖ","show_map":true,
		"show_map_link":true,` + waysTimes + `}`
	waysChoir = `{"id":21,"global_id":"old.example?id=21","url":"http://old.example/organizer/choir/",
		"organizer":"Choir","slug":"choir","email":"choir@example.org",` + waysTimes + `}`
	waysMusic = `{"id":5,"name":"Music","slug":"music","urls":{
		"collection":"http://old.example/wp-json/tribe/events/v1/categories/"}}`

	waysImage = `{"url":"http://old.example/wp-content/uploads/a.jpg","id":41,"extension":"jpg","width":1200,
		"height":800,"sizes":{"medium":{"width":300,"height":200,"mime-type":"image/jpeg",
		"url":"http://old.example/wp-content/uploads/a-300x200.jpg"}}}`
	waysGallery = `<p>See:</p>\n<div class='gallery'><a href='http://old.example/b/'>` +
		`<img src=\"http://old.example/wp-content/uploads/b-150x150.jpg\" alt=\"Stage\" /></a></div>\n`
	waysMetadata = `a:4:{s:5:"width";i:1200;s:6:"height";i:800;s:4:"file";s:5:"a.jpg";s:5:"sizes";a:2:{` +
		`s:6:"medium";a:4:{s:4:"file";s:13:"a-300x200.jpg";s:5:"width";i:300;s:6:"height";i:200;` +
		`s:9:"mime-type";s:10:"image/jpeg";}s:5:"other";a:1:{s:4:"file";s:4:"../x";}}}`
)

func waysEvent(id int, slug, day, more string) string {
	return fmt.Sprintf(`{"id":%d,"global_id":"old.example?id=%[1]d","slug":"%s","title":"%[2]s",
		"url":"http://old.example/event/%[2]s/","start_date":"2041-05-%s 20:00:00",
		"end_date":"2041-05-%[3]s 22:00:00","timezone":"Europe/Vienna","all_day":false,"excerpt":"",
		"website":"http://old.example/event/%[2]s/","show_map":true,"show_map_link":true,
		"hide_from_listings":false,"sticky":false,"featured":false,%[4]s,%s}`, id, slug, day, waysTimes, more)
}

func waysCost(text, symbol, values string) string {
	return `"cost":"` + text + `","cost_details":{"currency_symbol":"` + symbol +
		`","currency_code":"","currency_position":"prefix","values":[` + values + `]}`
}

// waysDate is a date of a series, as the paid extension lists it.
func waysDate(id int, day string) string {
	const bare = `"categories":[],"tags":[],"venue":[],"organizer":[],"image":false,"description":""`
	return strings.Replace(waysEvent(id, "weekly", day, bare), "/event/weekly/", "/event/weekly/2041-05-"+day+"/", -1)
}

// waysLists are the answers of the API. They may tell more than the export: labels of fields, the
// currency of the site, and dates of series.
func waysLists(isMore bool) map[string]string {
	lists := map[string]string{"categories": waysMusic, "venues": waysHall, "organizers": waysChoir}
	label, symbol := "_ecp_custom_1", ""
	if isMore {
		label, symbol = "Colour", "$"
	}
	links := `"categories":[` + waysMusic + `],"tags":[],"venue":` + waysHall + `,"organizer":[` + waysChoir + `]`
	const bare = `"categories":[],"tags":[],"venue":[],"organizer":[],"image":false,"description":""`
	events := []string{
		waysEvent(31, "concert", "10", links+`,"image":`+waysImage+`,"description":"`+waysGallery+`",
				"custom_fields":{"_ecp_custom_1":{"label":"`+label+`","value":"Red"}},`+
			waysCost("$10 – $20", "$", `"10","20"`)),
		waysEvent(32, "fair", "11", bare+","+waysCost("£5 – £10.50", "£", `"free","5","10.50"`)),
		waysEvent(33, "market", "12", strings.Replace(bare, `"description":""`,
			`"description":"<p>Today: 7 tickets</p>\n"`, 1)+","+waysCost(symbol+"5", symbol, `"5"`)),
	}
	if isMore {
		events = append(events, waysDate(10000162, "20"), waysDate(10000163, "27"))
	}
	lists["events"] = strings.Join(events, ",")
	for kind, records := range lists {
		n := 1
		if kind == "events" {
			n = len(events)
		}
		lists[kind] = fmt.Sprintf(`{"total":%d,"total_pages":1,"%s":[%s]}`, n, kind, records)
	}
	return lists
}

// waysPost is a post of the export; meta has keys and values by turns.
func waysPost(id int, kind, slug, status, more string, meta ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<item><title>%s</title><link>http://old.example/%s/%[3]s/</link><wp:post_id>%d</wp:post_id>
		<wp:post_name>%[3]s</wp:post_name><wp:status>%[5]s</wp:status><wp:post_type>%s</wp:post_type>
		<wp:post_date_gmt>2020-01-01 10:00:00</wp:post_date_gmt>
		<wp:post_modified_gmt>2020-01-02 10:00:00</wp:post_modified_gmt>%s`,
		map[string]string{"hall": "Hall", "choir": "Choir", "cellar": "Cellar"}[slug]+
			map[bool]string{true: slug}[kind == "tribe_events"],
		strings.TrimPrefix(strings.Replace(kind, "tribe_events", "tribe_event", 1), "tribe_"),
		slug, id, status, kind, more)
	for i := 0; i < len(meta); i += 2 {
		fmt.Fprintf(&b, `<wp:postmeta><wp:meta_key>%s</wp:meta_key><wp:meta_value><![CDATA[%s]]></wp:meta_value></wp:postmeta>`,
			meta[i], meta[i+1])
	}
	return b.String() + "</item>\n"
}

// waysExport is the export of WordPress. It has the first date of a series.
func waysExport(isMore bool) string {
	event := func(id int, slug, day, more string, meta ...string) string {
		return waysPost(id, "tribe_events", slug, "publish", more, append(meta,
			"_EventStartDate", "2041-05-"+day+" 20:00:00", "_EventEndDate", "2041-05-"+day+" 22:00:00",
			"_EventTimezone", "Europe/Vienna", "_EventShowMap", "1", "_EventShowMapLink", "1")...)
	}
	picture := func(id, name, more string) string {
		return `<item><wp:post_id>` + id + `</wp:post_id><wp:post_type>attachment</wp:post_type>
			<wp:attachment_url>http://old.example/wp-content/uploads/` + name + `</wp:attachment_url>` + more + `</item>`
	}
	meta := func(key, value string) string {
		return `<wp:postmeta><wp:meta_key>` + key + `</wp:meta_key><wp:meta_value><![CDATA[` + value +
			`]]></wp:meta_value></wp:postmeta>`
	}
	series := ""
	if isMore {
		series = event(50, "weekly", "20", "", "_EventRecurrence", "a:0:{}")
	}
	return `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"
		xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><link>http://old.example</link>
		<wp:term><wp:term_id>5</wp:term_id><wp:term_taxonomy>tribe_events_cat</wp:term_taxonomy>
		<wp:term_slug>music</wp:term_slug><wp:term_name>Music</wp:term_name></wp:term>` +
		waysPost(11, "tribe_venue", "hall", "publish", "", "_VenueAddress", "1 Main St", "_VenueCity", "Linz",
			"_VenueStateProvince", "OÖ", "_VenueZip", "0", "_VenuePhone", "0", "_VenueLat", "48.203", "_VenueLng", "16.4",
			"_VenueOverwriteCoords", "1") +
		waysPost(12, "tribe_venue", "cellar", "private", "") +
		waysPost(21, "tribe_organizer", "choir", "publish", "", "_OrganizerEmail", "choir@example.org") +
		event(31, "concert", "10", `<content:encoded><![CDATA[See:

[gallery ids="42,99"]]]></content:encoded><category domain="tribe_events_cat" nicename="music">Music</category>`,
			"_EventVenueID", "11", "_EventVenueID", "12", "_EventOrganizerID", "21", "_thumbnail_id", "41",
			"_wp_old_slug", "old-concert", "_wp_old_slug", "older-concert", "_EventCost", "$10 - $20",
			"_EventCurrencySymbol", "$", "_EventCurrencyPosition", "prefix",
			"_ecp_custom_1", "Red", "_ecp_custom_1", "Blue") +
		event(32, "fair", "11", "", "_EventCost", "5", "_EventCost", "10.50", "_EventCost", "Free",
			"_EventCurrencySymbol", "£", "_EventCurrencyPosition", "prefix") +
		event(33, "market", "12", `<content:encoded>Today: [tickets left="1"] tickets</content:encoded>`,
			"_EventCost", "5") + series +
		picture("41", "a.jpg", meta("_wp_attachment_metadata", waysMetadata)+
			meta("_wp_attachment_image_alt", "The hall")) +
		picture("42", "b.jpg", meta("_wp_attachment_image_alt", "Stage")+
			meta("_wp_attachment_metadata", `O:8:"stdClass":0:{}`)) +
		`</channel></rss>`
}

// waysCalendar is the calendar of the site.
func waysCalendar(isMore bool) string {
	event := func(uid, slug, day, more string) string {
		return "BEGIN:VEVENT\r\nDTSTART;TZID=Europe/Vienna:204105" + day + "T200000\r\n" +
			"DTEND;TZID=Europe/Vienna:204105" + day + "T220000\r\nDTSTAMP:20200102T100000Z\r\n" +
			"CREATED:20200101T100000Z\r\nLAST-MODIFIED:20200102T100000Z\r\nUID:" + uid + "\r\nSUMMARY:" + slug +
			"\r\nURL:http://old.example/event/" + slug + "/\r\n" + more + "END:VEVENT\r\n"
	}
	series := ""
	if isMore {
		series = event("10000162-2253038400-2253045600@old.example", "weekly/2041-05-20", "20", "") +
			event("10000163-2253643200-2253650400@old.example", "weekly/2041-05-27", "27", "")
		series = strings.NewReplacer("SUMMARY:weekly/2041-05-20", "SUMMARY:weekly",
			"SUMMARY:weekly/2041-05-27", "SUMMARY:weekly").Replace(series)
	}
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Old - ECPv6.17.2//NONSGML v1.0//EN\r\n" +
		"X-ORIGINAL-URL:http://old.example\r\n" +
		event("31-2252174400-2252181600@old.example", "concert", "10", "DESCRIPTION:See: \\n\r\n"+
			"LOCATION:Hall\\, 1 Main St\\, Linz\\, OÖ\r\nCATEGORIES:Music\r\n"+
			"ORGANIZER;CN=\"Choir\":MAILTO:choir@example.org\r\n"+
			"ATTACH;FMTTYPE=image/jpeg:http://old.example/wp-content/uploads/a.jpg\r\n") +
		event("10000075-2252260800-2252268000@old.example", "fair", "11", "DESCRIPTION:\r\n") +
		event("10000076-2252347200-2252354400@old.example", "market", "12", "DESCRIPTION:Today: 7 tickets \\n\r\n") + series +
		"END:VCALENDAR\r\n"
}

// recordsOf returns all records of a store.
func recordsOf(t testing.TB, s *store.Store) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, k := range intake.Kinds {
		for name, r := range apitest.Records[store.Record](t, s, k) {
			all[k.String()+" "+name] = r
		}
	}
	return all
}

// showsSeries checks that the page of the series has its dates.
func showsSeries(t testing.TB, site string) {
	t.Helper()
	for _, address := range []string{site + "/series/weekly/", site + "/series/weekly/?ical=1"} {
		answer, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		dates := strings.Count(string(text), "/event/weekly-2041-05-2") +
			strings.Count(string(text), "SUMMARY:weekly")
		if err != nil || answer.StatusCode != http.StatusOK || dates < 2 {
			t.Errorf("%s: %s, %v, %d dates", address, answer.Status, err, dates)
		}
	}
}

// wantSeries checks that the dates of the series are one, and have their slugs.
func wantSeries(t testing.TB, s *store.Store) {
	t.Helper()
	events := apitest.Records[*store.Event](t, s, store.Events)
	for _, slug := range []string{"weekly-2041-05-20", "weekly-2041-05-27"} {
		if e := events[slug]; e == nil || e.Recurrence == nil {
			t.Errorf("%s is %+v", slug, e)
		}
	}
	if series := apitest.Records[*store.Series](t, s, store.AllSeries); len(series) != 1 {
		t.Errorf("%d series", len(series))
	}
}

// The ways of a site follow one another in any order: what one of them hides stays, and what came
// once changes nothing again.
func TestWays(t *testing.T) {
	t.Parallel()
	for _, isMore := range []bool{false, true} {
		t.Run(fmt.Sprint("the API tells more ", isMore), func(t *testing.T) {
			t.Parallel()
			testWays(t, isMore)
		})
	}
}

func testWays(t *testing.T, isMore bool) {
	lists := waysLists(isMore)
	site := front(t, "http://127.0.0.1:1", func(w http.ResponseWriter, r *http.Request) bool {
		_, name, isAPI := strings.Cut(r.URL.Path, "/tribe/events/v1/")
		switch {
		case isAPI && lists[name] != "":
			fmt.Fprint(w, lists[name])
		case isAPI && strings.HasPrefix(name, "events/"):
			fmt.Fprint(w, `{"json_ld":{"eventStatus":"https://schema.org/EventScheduled"}}`)
		case isAPI:
			fmt.Fprintf(w, `{"%s":[],"total":0,"total_pages":0}`, name)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
		return true
	})
	dir := t.TempDir()
	files := map[string]string{"export": "site.xml", "calendar": "site.ics"}
	for name, text := range map[string]string{"site.xml": waysExport(isMore), "site.ics": waysCalendar(isMore)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, order := range [][]string{
		{"export", "api", "calendar"}, {"export", "calendar", "api"}, {"api", "export", "calendar"},
		{"api", "calendar", "export"}, {"calendar", "export", "api"}, {"calendar", "api", "export"},
	} {
		t.Run(strings.Join(order, ", "), func(t *testing.T) {
			t.Parallel()
			s := almanactest.Start(t, almanactest.Options{NoLimits: true})
			to := []string{"-to", s.URL, "-token", s.Token}
			came := map[string]bool{}
			for n := range 2 * len(order) {
				way := order[n%len(order)]
				before := recordsOf(t, s.Store)
				seq := s.Store.Seq()
				var out bytes.Buffer
				var err error
				if way == "api" {
					_, _, err = adoptNow(t, t.Context(), append(to,
						"-archive", filepath.Join(t.TempDir(), strconv.Itoa(n)), site)...)
				} else {
					p := cli.Process{
						Getenv: func(string) string { return "" },
						Stdout: &out,
						Stderr: &out,
					}
					err = transfer.Import.Run(t.Context(), append(to, filepath.Join(dir, files[way])), p)
				}
				if err != nil {
					t.Fatalf("%s: %v\n%s", way, err, &out)
				}
				if way == "export" && !strings.Contains(out.String(), "1 pictures of galleries that the "+
					"export lacks, 1 sizes of pictures that cannot be read") {
					t.Errorf("the export says\n%s", &out)
				}
				isNew := !came[way] && (!came["export"] || isMore && !came["api"])
				came[way] = true
				if isMore && way != "export" {
					wantSeries(t, s.Store)
				}
				if diff := cmp.Diff(before, recordsOf(t, s.Store)); !isNew && (diff != "" || s.Store.Seq() != seq) {
					t.Errorf("%d: %s changes something (-before, +after):\n%.4000s\n%s", n, way, diff, &out)
				}
			}
			e := fetch(t, s.URL+v1+"/events/by-slug/concert")
			fair := fetch(t, s.URL+v1+"/events/by-slug/fair")
			image := apitest.Records[*store.Image](t, s.Store, store.Images)["http://old.example/wp-content/uploads/a.jpg"]
			event := apitest.Records[*store.Event](t, s.Store, store.Events)["concert"]
			var hall, cellar *store.Venue
			for _, v := range apitest.Records[*store.Venue](t, s.Store, store.Venues) {
				switch v.ID {
				case event.Venues[0]:
					hall = v
				case event.Venues[len(event.Venues)-1]:
					cellar = v
				}
			}
			if hall == nil || cellar == nil || hall.Geo == nil || image == nil {
				t.Fatalf("the hall is %+v, the cellar %+v, the image %+v", hall, cellar, image)
			}
			got := []any{
				e["cost"], e["cost_details"].(map[string]any)["values"],
				fair["cost"], fair["cost_details"].(map[string]any)["values"],
				hall.Zip, hall.Phone, hall.StateProvince, *hall.Geo, image.Alt, image.Width, len(image.Sizes),
				event.Former, event.CustomFields[0].Value,
				hall.Name + ", " + cellar.Name,
				strings.Contains(event.Description, `alt="Stage"`), // or else the text of the calendar
				len(apitest.Records[*store.Event](t, s.Store, store.Events)),
			}
			want := []any{
				"$10 – $20", []any{"10", "20"},
				"£5 – £10.50", []any{"free", "5", "10.50"},
				"0", "0", "OÖ", store.Geo{Lat: 48.203, Lng: 16.4}, "The hall", 1200, 1,
				[]string{"old-concert", "older-concert"}, "Red, Blue",
				"Hall, Cellar", order[0] == "export" || order[0] == "api", 3,
			}
			if isMore {
				want[len(want)-1] = 5
				showsSeries(t, s.URL)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want, +got):\n%s", diff)
			}
		})
	}
}
