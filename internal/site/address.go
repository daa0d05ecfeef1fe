// The addresses of pages: a path below a base address, and a query.

package site

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
)

// An address names a page for people. parseAddress reads its path, with reads its query, and Path
// and Query print them. The zero value is the list of all events.
//
// A path is a subject, then the part of a list, then the page and the format:
//
//	/event/{slug}[/{date}[/{number}]] | /event/{slug}/all | /series/{slug} |
//	(/venue/{slug} | /organizer/{slug} | /events/category[/{slug above}…]/{slug} | [/events]/tag/{slug} | [/events])
//	[/{view}][/{day}][/featured][/free]
//
//	[/page/{number}][/ical | /feed[/{format}]]
type address struct {
	Event, Date, Number   string // slug of an event, its date in a series, its place there
	Series                string // slug of a series with all its events
	Above, Category       string // slugs of the categories above, as "arts/music/", and of the category
	Tag, Venue, Organizer string // slugs
	Root                  bool   // the path begins without a subject, as "/" and "/month/"

	View     string // one of render.Views, or of layouts
	Day      string // as "2031-05-10", or a month as "2031-05"
	Featured bool   // featured events alone
	Free     bool   // free events alone
	Page     string // its digits; "" is the first
	Foreign  bool   // the path has words of another language
	Format   string // "ical", "feed", "feed/atom" …; "" is HTML

	queryFilters
}

// queryFilters are the parameters in the query of a page.
type queryFilters struct {
	Single        bool    // an event is asked for, by its slug or its ID
	EventID       string  // of an event at the site that it came from
	IDs           *string // of events
	From          string  // a day
	Search        string
	FeaturedQuery string // featured events alone, if it is true
	ByID          [4]string
	SeriesQuery   string // "once": each series is one entry of the list
}

// Layouts are more words for a list, beside render.Views: sites with other layouts have them in
// addresses.
var (
	layouts = []string{"photo", "map", "summary"}
	formats = []string{"feed", "rdf", "rss", "rss2", "atom"}
)

// DayWords are the views that name their days, with the words for these in the parameter when.
var dayWords = map[string]string{
	"tomorrow":     "tomorrow",
	"this-weekend": "weekend",
	"this-week":    "week",
}

// parseAddress reads a path, decoded, below a base address, without a slash at its end. It reports
// whether the path has the form of an address of a page. Words may stand for ours, and behind the
// slug of a category, where a word may be the slug of another one, those of behind.
func parseAddress(path string, w, behind render.Words) (a address, ok bool) {
	if path == "" {
		return address{Root: true}, true
	}
	segments := strings.Split(path, "/")
	if segments[0] != "" || slices.Contains(segments[1:], "") {
		return a, false
	}
	s := segments[1:]
	switch first := s[0]; {
	case first == "event" && len(s) > 2 && a.is(s[2], "all", w):
		a.Series = s[1]
		return a, a.parseEnd(s[3:], w)
	case first == "series" && len(s) > 1:
		a.Series = s[1]
		return a, a.parseEnd(s[2:], w)
	case first == "event" && len(s) > 1:
		a.Event = s[1]
		a.Single = true
		s = s[2:]
		if len(s) > 0 && isDay(s[0]) && len(s[0]) == len("2031-05-10") {
			a.Date = s[0]
			s = s[1:]
			if len(s) > 0 && isDigits(s[0]) && len(s[0]) <= 4 {
				a.Number = s[0]
				s = s[1:]
			}
		}
		return a, a.parseEnd(s, w)
	case len(s) > 1 && a.is(first, "venue", w):
		a.Venue = s[1]
		return a, a.parseView(s[2:], w)
	case len(s) > 1 && a.is(first, "organizer", w):
		a.Organizer = s[1]
		return a, a.parseView(s[2:], w)
	case first == "events" && len(s) > 2 && a.is(s[1], "category", w):
		for i := 2; i < len(s); i++ { // the last slug counts: the first after which the rest is no slug
			b := address{Category: s[i], Foreign: a.Foreign}
			if b.parseView(s[i+1:], behind) {
				b.Above = strings.TrimSuffix(strings.Join(s[2:i+1], "/"), s[i])
				return b, true
			}
		}
		return a, false
	case first == "events" && len(s) > 2 && a.is(s[1], "tag", w):
		a.Tag = s[2]
		return a, a.parseView(s[3:], w)
	case first == "tag" && len(s) > 1:
		a.Tag = s[1]
		return a, a.parseView(s[2:], w)
	case first == "events":
		return a, a.parseView(s[1:], w)
	}
	a.Root = true
	return a, a.parseView(s, nil)
}

// is reports whether a segment is a word of ours, or stands for it, which the address notes.
func (a *address) is(segment, ours string, w render.Words) bool {
	if segment == ours {
		return true
	}
	if !w.Mean(segment, ours) {
		return false
	}
	a.Foreign = true
	return true
}

// parseView reads the segments behind the subject of a list.
func (a *address) parseView(s []string, w render.Words) bool {
	if len(s) > 0 && a.parseWord(s, w) {
		s = s[1:]
	}
	if len(s) > 0 && isDay(s[0]) && dayWords[a.View] == "" {
		a.Day = s[0]
		s = s[1:]
	}
	if len(s) > 0 && a.is(s[0], "featured", w) {
		a.Featured = true
		s = s[1:]
	}
	if len(s) > 0 && s[0] == "free" {
		a.Free = true
		s = s[1:]
	}
	return a.parseEnd(s, w)
}

// parseWord reports whether the first segment is a view, and sets that.
func (a *address) parseWord(s []string, w render.Words) bool {
	if slices.Contains(render.Views, s[0]) || slices.Contains(layouts, s[0]) {
		a.View = s[0]
		return true
	}
	for _, view := range slices.Concat(render.Views, layouts) {
		isDated := len(s) > 1 && isDay(s[1])
		if (isDated || view != "day") && a.is(s[0], view, w) { // Arabic has one word for day and today
			a.View = view
			return true
		}
	}
	return false
}

// parseEnd reads the last segments, and reports whether they are understood.
func (a *address) parseEnd(s []string, w render.Words) bool {
	if len(s) > 1 && isDigits(s[1]) && a.is(s[0], "page", w) {
		a.Page = s[1]
		s = s[2:]
	}
	switch {
	case len(s) == 1 && (s[0] == "ical" || s[0] == "feed"):
		a.Format = s[0]
		s = nil
	case len(s) == 2 && s[0] == "feed" && slices.Contains(formats, s[1]):
		a.Format = s[0] + "/" + s[1]
		s = nil
	}
	return len(s) == 0
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// isDay reports whether a segment has the form of a day or a month.
func isDay(text string) bool {
	year, rest, ok := strings.Cut(text, "-")
	month, day, isDay := strings.Cut(rest, "-")
	return ok && len(year) == 4 && isDigits(year) && len(month) == 2 && isDigits(month) &&
		(!isDay || len(day) == 2 && isDigits(day))
}

// with returns the address with the parameters of a query, which count before the path.
func (a address) with(in *params.Input) address {
	isHome := a == address{Root: true}
	for _, p := range [...]struct {
		name string
		into *string
	}{
		{"tribe_events", &a.Event},
		{"p", &a.EventID},
		{"tribe_venue", &a.Venue},
		{"tribe_organizer", &a.Organizer},
		{"tag", &a.Tag},
		{"featured", &a.FeaturedQuery},
		{"tribe_event_display", &a.View},
		{"eventDisplay", &a.View},
		{"eventDate", &a.From},
		{"tribe-bar-date", &a.From},
		{"tribe-bar-search", &a.Search},
		{"series", &a.SeriesQuery},
		{"categories", &a.ByID[0]},
		{"tags", &a.ByID[1]},
		{"venue", &a.ByID[2]},
		{"organizer", &a.ByID[3]},
	} {
		if text := in.Text(p.name); text != "" {
			*p.into = text
		}
	}
	if text := in.Text("tribe_events_cat"); text != "" {
		a.Above = ""
		a.Category = text
	}
	if a.FeaturedQuery != "" {
		a.Featured = false
	}
	if a.SeriesQuery != "once" {
		a.SeriesQuery = ""
	}
	if a.View != "" && !slices.Contains(render.Views, a.View) {
		a.View = "list"
	}
	if dayWords[a.View] != "" {
		a.Day = ""
		a.From = "" // it names its days
	}
	a.Single = a.Single || in.Sent("tribe_events") || in.Sent("p")
	if in.Sent("event_ids") {
		a.IDs = new(in.Text("event_ids"))
	}
	if n := in.Text("paged"); strings.Trim(n, "0") != "" && isDigits(n) {
		a.Page = n
	}
	ours := !isHome || in.Text("post_type") == "tribe_events"
	if text := in.Text("s"); text != "" && ours {
		a.Search = text
	}
	switch { // the feed of the site itself is of its posts
	case in.Sent("ical"), in.Sent("outlook-ical"), a.Format == "ical":
		a.Format = "ical"
	case in.Sent("feed") && ours:
		a.Format = strings.TrimSuffix("feed/"+strings.TrimPrefix(in.Text("feed"), "feed/"), "/")
	}
	return a
}

// Path returns the path, encoded, with a slash at its end.
func (a address) Path() string {
	var b strings.Builder
	b.WriteByte('/')
	add := func(segments ...string) {
		for _, segment := range segments {
			if segment != "" {
				b.WriteString(segment)
				b.WriteByte('/')
			}
		}
	}
	slug := func(text string) string {
		return strings.ReplaceAll(api.StoredSlug(text), "/", "%2f")
	}
	switch {
	case a.Event != "":
		add("event", slug(a.Event), a.Date, a.Number)
	case a.Series != "":
		add("event", slug(a.Series), "all")
	case a.Category != "":
		add("events", "category")
		b.WriteString(api.StoredSlug(a.Above))
		add(slug(a.Category))
	case a.Tag != "":
		add("events", "tag", slug(a.Tag))
	case a.Venue != "":
		add("venue", slug(a.Venue))
	case a.Organizer != "":
		add("organizer", slug(a.Organizer))
	case !a.Root:
		add("events")
	}
	add(a.View, a.Day)
	if a.Featured {
		add("featured")
	}
	if a.Free {
		add("free")
	}
	if a.Page != "" {
		add("page", a.Page)
	}
	add(a.Format)
	return b.String()
}

// parameters returns the texts of the filters by the names of their parameters.
func (f *queryFilters) parameters() map[string]string {
	texts := map[string]string{
		"featured":         f.FeaturedQuery,
		"tribe-bar-date":   f.From,
		"tribe-bar-search": f.Search,
		"series":           f.SeriesQuery,
		"categories":       f.ByID[0],
		"tags":             f.ByID[1],
		"venue":            f.ByID[2],
		"organizer":        f.ByID[3],
	}
	if f.IDs != nil {
		texts["event_ids"] = *f.IDs
	}
	return texts
}

// Query returns the filters as a query, with its question mark, or "".
func (a *address) Query() string {
	query := url.Values{}
	if a.Single && a.Event == "" {
		query.Set("p", a.EventID)
	}
	for name, text := range a.parameters() {
		switch {
		case name == "featured" && isTrue(text):
			query.Set(name, "true")
		case name != "featured" && text != "":
			query.Set(name, text)
		}
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

func isTrue(text string) bool {
	return text == "1" || text == "true"
}

// isFeatured reports whether featured events alone are asked for.
func (a *address) isFeatured() bool {
	return a.Featured || isTrue(a.FeaturedQuery)
}

// isOnce reports whether the list has one entry for each series: where a visitor looks for
// something, or asks for it.
func (a *address) isOnce() bool {
	view := a.display()
	return (view == "" || view == "list") && a.Series == "" && a.IDs == nil &&
		(a.SeriesQuery == "once" || a.Search+a.Venue+a.Organizer+a.ByID[2]+a.ByID[3] != "")
}

// display returns the view that is asked for; "" is no word for one.
func (a *address) display() string {
	switch {
	case slices.Contains(layouts, a.View):
		return "list"
	case a.View == "" && len(a.Day) == len("2031-05"):
		return "month"
	case a.View == "" && a.Day != "":
		return "day"
	}
	return a.View
}

// subject returns the address of the list of the same subject, without a view.
func (a *address) subject() address {
	return address{
		Series:    a.Series,
		Above:     a.Above,
		Category:  a.Category,
		Tag:       a.Tag,
		Venue:     a.Venue,
		Organizer: a.Organizer,
	}
}

// archive is subject if that has views of its own: series, venues and organizers have none.
func (a *address) archive() address {
	if a.Category != "" || a.Tag != "" {
		return address{Above: a.Above, Category: a.Category, Tag: a.Tag}
	}
	return address{}
}

// at returns the address of a day, or of a week or a month around it.
func (a address) at(view string, day time.Time) address {
	switch a.View, a.Day = view, day.Format(time.DateOnly); view {
	case "day":
		a.View = ""
	case "month":
		a.Day = day.Format("2006-01")
	}
	return a
}

// numberOf returns the number of a page as addresses have it: the first one has none.
func numberOf(digits string) string {
	if n, _ := strconv.Atoi(digits); n > 1 {
		return strconv.Itoa(n)
	}
	return ""
}
