package pages

import (
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Lines break neither inside of a day and its month, nor before the hour of a time.
func TestWhole(t *testing.T) {
	for date, want := range map[string]string{
		"until Saturday 12 December":             "until Saturday 12_December",
		"Saturday, December 12, 2026 at 6:00 PM": "Saturday, December_12, 2026 at_6:00_PM",
		"bis Samstag, 12. Dezember":              "bis Samstag, 12._Dezember",
		"sábado, 12 de diciembre de 2026, 18:00": "sábado, 12_de diciembre de 2026, 18:00",
		"lauantai 12. joulukuuta 2026 klo 18.00": "lauantai 12._joulukuuta 2026 klo_18.00",
		"2026. május 10., szombat":               "2026. május_10., szombat",
		"2026年12月12日土曜日 18:00":                   "2026年12月12日土曜日 18:00",
	} {
		if got := strings.ReplaceAll(Whole(date), "\u00a0", "_"); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

// english are the words of tests.
type english map[string]string

func (w english) Text(key string, values ...string) string {
	text, ok := w[strings.TrimPrefix(key, "site.")]
	if !ok {
		panic("no text " + key)
	}
	return strings.NewReplacer(values...).Replace(text)
}

func (w english) Count(key string, n int) string { return fmt.Sprint(n, " ", w.Text(key)) }

var words = english{
	"poster": "Print as a poster",
	"skip":   "Skip to the events", "views": "Views", "narrow": "Search and filters", "now": "On now", "earlier-days": "Earlier days",
	"other-languages": "Other languages", "search": "Search", "from": "From", "find": "Find", "filter": "Filter", "all": "All",
	"featured-only": "Featured events only", "series-once": "Each series once",
	"featured": "Featured", "locked": "Protected by a password", "subscribe": "Subscribe",
	"languages": "Languages", "turn": "More pages", "turn-again": "More pages, again", "when": "When", "where": "Where",
	"cost": "Cost", "organizer": "Organizer", "website": "Website", "map": "Show on a map", "add": "Add to your calendar",
	"locked-note": "This event is protected. Enter its password to read more.", "wrong-password": "That is not the password.",
	"password": "Password", "unlock": "Show the event", "next-dates": "Other dates", "related": "At the same place", "category": "Category",
}

func frame(title string) Frame {
	return Frame{
		Words:     words,
		Lang:      "en",
		Dir:       "ltr",
		Title:     title,
		Site:      "St Mary’s Choir",
		About:     "Concerts and rehearsals in Springfield",
		Home:      "/events/",
		Styles:    []string{"style.css"},
		Canonical: "https://choir.example.org/events/",
		Type:      "website",
		Views: []Link{{
			Text: "List",
			Href: "list.html",
			Here: true,
		}, {
			Text: "Month",
			Href: "month.html",
		}, {
			Text: "Week",
			Href: "#",
		},
			{Text: "Today", Href: "#"}},
		Feeds: []Link{{Text: "Calendar (webcal)", Href: "webcal://x/e.ics", Type: "text/calendar"},
			{Text: "iCalendar", Href: "e.ics", Type: "text/calendar"},
			{
				Text: "RSS",
				Href: "e.rss",
				Type: "application/rss+xml",
			}, {
				Text: "CSV",
				Href: "e.csv",
				Type: "text/csv",
			}},
		Languages: Versions{
			Path: "/",
			Links: []Link{{
				Text: "Deutsch",
				Href: "/de",
				Lang: "de",
				Dir:  "ltr",
			},
				{
					Text: "English",
					Lang: "en",
					Dir:  "ltr",
					Here: true,
				}, {
					Text: "العربية",
					Href: "/ar",
					Lang: "ar",
					Dir:  "rtl",
				},
				{Text: "日本語", Href: "/ja", Lang: "ja", Dir: "ltr"}},
		},
		Search: &Search{
			Action: "/events/",
			Choices: []Choice{{
				Name:    "categories",
				Label:   "Category",
				Options: []Option{{"music", "Music", false}, {"talks", "Talks", false}},
			},
				{Name: "venue", Label: "Place", Options: []Option{{"1", "Town Hall", false}}}},
		},
	}
}

// made returns a part.
func made(p *Part) template.HTML {
	p.Words = words
	theme, err := NewTheme(nil)
	if err != nil {
		panic(err)
	}
	html, err := theme.Part(p)
	if err != nil {
		panic(err)
	}
	return html
}

func entries(day time.Time) []Entry {
	return []Entry{
		{
			Title:    "Advent Vespers with the Chamber Choir",
			Href:     "event.html",
			When:     "7:30 – 9:00 PM",
			Start:    Time{ISO: day.Format("2006-01-02T19:30")},
			Where:    "St Mary’s Church, Springfield",
			Cost:     "$12 – $18",
			Featured: true,
			Summary:  "<p>Monteverdi and Schütz by candlelight, with cornetts and sackbuts.</p>",
			Image:    &Image{Source: "pic.png", Width: 320, Height: 240},
		},
		{
			Title: "Open rehearsal",
			Href:  "event.html",
			When:  "all day",
			Start: Time{
				ISO: day.Format(time.DateOnly),
			},
			Where: "Parish Hall",
			Note:  "until Sunday",
		},
		{
			Title: "Members’ meeting",
			Href:  "event.html",
			When:  "10:00 AM",
			Start: Time{
				ISO: day.Format("2006-01-02T10:00"),
			},
			Locked: true,
			Zone:   "New York",
		},
	}
}

func samples() map[string]func() (Frame, any) {
	first := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	return map[string]func() (Frame, any){
		"list": func() (Frame, any) {
			l := &List{Outline: Outline{
				Heading: "Upcoming events",
				Said:    []Said{{"Category", "Music"}, {"", "Featured"}},
				Count:   "12 events",
				Lift: &Link{
					Text: "Show all",
					Href: "#",
				},
				Earlier: &Link{
					Text: "Past events",
					Href: "#",
				},
				Later: &Link{Text: "Later events", Href: "#"},
			}}
			for i := range 4 {
				d := first.AddDate(0, 0, i*i)
				l.Days = append(l.Days, made(&Part{Day: &Day{
					Date:    Time{d.Format("Monday, January 2, 2006"), d.Format(time.DateOnly)},
					Number:  d.Format("2"),
					Weekday: d.Format("Monday"),
					Month:   d.Format("January"),
					Href:    "#",
					Today:   i == 0,
					Entries: entries(d)[:3-i/2],
				}}))
			}
			return frame("Upcoming events"), l
		},
		"month": func() (Frame, any) {
			m := &Month{Outline: Outline{
				Heading: "November 2026",
				Earlier: &Link{
					Text: "October",
					Href: "#",
				},
				Later: &Link{Text: "December", Href: "#"},
			}}
			start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
			for i := range 7 {
				d := start.AddDate(0, 0, i)
				m.Weekdays = append(m.Weekdays, Weekday{d.Format("Mon"), d.Format("Monday")})
			}
			for w := range 5 {
				var week []*Cell
				for i := range 7 {
					d := start.AddDate(0, 0, 7*w+i)
					c := Cell{
						Day:     Time{d.Format("Monday, January 2"), d.Format(time.DateOnly)},
						Number:  d.Format("2"),
						Today:   d.Equal(first),
						Outside: d.Month() != start.Month(),
					}
					if c.Outside {
						c.Number = ""
					} else if d.Day()%3 == 0 || c.Today {
						c.Href = "#"
						c.Entries = entries(d)
						for i := range c.Entries {
							c.Entries[i].Note = ""
							c.Entries[i].Zone = ""
						}
						if d.Day()%2 == 0 {
							c.More = &Link{Text: "+12 more", Href: "#"}
						}
					}
					week = append(week, &c)
				}
				m.Weeks = append(m.Weeks, made(&Part{Cells: week}))
			}
			return frame("November 2026"), m
		},
		"event": func() (Frame, any) {
			e := &Event{
				Entry:  entries(first)[0],
				Date:   "Sunday, November 22, 2026",
				Here:   "8:30 – 10:00 PM in Springfield",
				Series: "every Sunday, until December 20",
				Over:   "",
				Categories: []Link{{
					Text: "Music",
					Href: "#",
				}},
				Tags: []Link{{
					Text: "candlelight",
					Href: "#",
				}},
				Website: &Link{Text: "choir.example.org", Href: "https://choir.example.org/"},
				Venues: []Place{{
					Name: "St Mary’s Church",
					Href: "#",
					Address: []string{"12 Church Lane", "Springfield, IL 62701",
						"United States"},
					Map: "https://www.openstreetmap.org/",
				}},
				Organizers: []Place{{
					Name:  "Ann Smith",
					Href:  "#",
					Email: "ann@example.org",
					Phone: "+1 217 555 0100",
				}},
				Add: []Link{{
					Text: "Download (.ics)",
					Href: "e.ics",
				}, {
					Text: "Subscribe",
					Href: "webcal://x/",
				},
					{Text: "Google Calendar", Href: "https://g", Rel: "external nofollow"},
					{Text: "Outlook", Href: "https://o", Rel: "external nofollow"}},
				Description: "<p>Monteverdi’s Vespers in the version for small forces, sung from the gallery and the nave by the light " +
					"of four hundred candles.</p><h3>Doors</h3><p>Doors open at seven. Please leave your coats in the parish hall; <a " +
					"href=\"#\">there is a map</a>.</p><ul><li>Monteverdi: Dixit Dominus</li><li>Schütz: Es steh Gott auf</li></ul>",
				Related: []Entry{{
					Title: "Organ at noon",
					Href:  "#",
					When:  "Tuesday, November 24, 12:00 PM",
					Start: Time{
						ISO: "2026-11-24T12:00",
					},
				}},
				Next: []Entry{{
					Href: "#",
					When: "Sunday, November 29, 7:30 PM",
					Start: Time{
						ISO: "2026-11-29T19:30",
					},
				}},
			}
			f := frame("Advent Vespers with the Chamber Choir")
			f.Type = "article"
			f.Search = nil
			return f, e
		},
		"locked": func() (Frame, any) {
			e := &Event{
				Entry: entries(first)[2],
				Date:  "Sunday, November 22, 2026",
				Form: &Unlock{
					Action: "#",
					Wrong:  true,
				},
				Over: "This event is over.",
			}
			f := frame("Members’ meeting")
			f.Search = nil
			return f, e
		},
		"venue": func() (Frame, any) {
			f, l := samples()["list"]()
			list := l.(*List)
			list.Heading = "Events here"
			list.Days = list.Days[:2]
			return f, &Place{
				Name:        "St Mary’s Church",
				Address:     []string{"12 Church Lane", "Springfield, IL 62701"},
				Map:         "https://www.openstreetmap.org/",
				List:        list,
				Description: "<p>A church of 1874 with a good echo.</p>",
			}
		},
		"empty": func() (Frame, any) {
			return frame("Search"), &List{Outline: Outline{
				Heading: "Events with “zither”",
				Empty:   "Nothing was found. Try another word or a later date.",
				Offers: []Link{{
					Text: "Show all events",
					Href: "#",
				}},
			}}
		},
	}
}

// TestPage makes a page of each kind.
func TestPage(t *testing.T) {
	theme, err := NewTheme(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, make := range samples() {
		f, what := make()
		b, err := theme.Page(f, what)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if dir := os.Getenv("ALMANAC_PAGES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".html"), b, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "style.css"), Style, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
