// The filters of the five lists: their results, order and errors (sections 4.2 to 4.6 of the
// specification).

package api_test

import (
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/sample"
)

// A listing is a query and what answers it: names, or a code with parameters.
type listing struct {
	as    account.Role
	query string
	want  string
}

// play asks for lists of one kind.
func play(t *testing.T, c *sample.Calendar, path string, listings []listing) {
	t.Helper()
	for _, l := range listings {
		if got := c.List(t, l.as, path+l.query); got != l.want {
			t.Errorf("%s%s as %q\n got %s\nwant %s", path, l.query, l.as, got, l.want)
		}
	}
}

// refusals are queries that are refused for the parameter they begin with.
func refusals(name string, values ...string) []listing {
	var list []listing
	for _, value := range values {
		list = append(list, listing{"", name + "=" + value, "rest_invalid_param " + name})
	}
	return list
}

func TestEventFilters(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	const all = "Past, One, Two, Three, Child, Locked"
	// Without a date filter there is the default window.
	play(
		t, c,
		"/events?",
		[]listing{{"", "", ""}, {"", "end_date=2031-12-31", "One, Two, Three, Child, Locked"},
			{"", "start_date=2031-01-01", "One, Two, Three, Child, Locked"}},
	)

	const path = "/events?starts_after=2000-01-01&"
	play(t, c, path, []listing{
		{"", "", all},
		{"", "hide_subsequent_recurrences=1&_embed&unknown", all},
		{"", "order=&orderby=&slug=&password=", all},
		{"", "order=desc", "Locked, Child, Three, Two, One, Past"},
		{"", "orderby=title", "Child, Locked, One, Past, Three, Two"},
		{"", "orderby=title&order=DESC", "Two, Three, Past, One, Locked, Child"},
		{"", "orderby=id", "One, Two, Three, Child, Locked, Past"},
		{"", "orderby=anything", all},
		{"", "slug=two", "Two"}, {"", "slug=TWO", "Two"}, {"", "slug=none", ""},

		// A category stands for those below it; lists are joined by or.
		{
			"",
			"categories={Music}",
			"One, Two",
		}, {"", "categories=music", "One, Two"}, {"", "categories=MUSIC", "One, Two"},
		{
			"",
			"categories=jazz",
			"Two",
		}, {"", "categories=Bebop %26 Bop", "Two"}, {"", "categories=bebop , café", "Two, Locked"},
		{
			"",
			"categories={Café},",
			"Locked",
		}, {"", "categories[]=jazz&categories[]=café", "Two, Locked"},
		{
			"",
			"categories=jazz&categories=café",
			"Locked",
		}, {"", "categories=2024", "Three"}, {"", "categories=unseen", ""},
		{
			"",
			"categories=music,none",
			"rest_invalid_param categories",
		}, {"", "categories={Kids}", "rest_invalid_param categories"},
		{
			"",
			"tags=free-entry",
			"One, Three",
		}, {"", "tags=free entry", "One, Three"}, {"", "tags={Kids},{Free Entry}", "One, Three"},
		{
			"",
			"tags=unused",
			"",
		}, {"", "tags=free-entry&categories=music", "One"}, {"", "tags=music", "rest_invalid_param tags"},

		{
			"",
			"venue={Hall}",
			"One",
		}, {"", "venue={Hall},{Bärn}", "One, Two"}, {"", "venue[]={Hall}&venue[]={Bärn}", "One, Two"},
		{
			account.Contributor,
			"venue={Cellar}",
			"Three",
		}, {account.Editor, "venue={Cellar}", "Three"},
		{account.Author, "venue={Cellar}", "rest_invalid_param venue"},
		{
			"",
			"venue={Cellar}",
			"rest_invalid_param venue",
		}, {"", "venue={Hall},{Cellar}", "rest_invalid_param venue"},
		{"", "venue={Lone}", ""}, {"", "venue={Ann}", "rest_invalid_param venue"},
		{
			"",
			"organizer={Ann}",
			"One, Two",
		}, {"", "organizer={Ann}&venue={Hall}", "One"}, {"", "organizer={Bob}&venue={Hall}", ""},
		{"", "organizer={Hall}", "rest_invalid_param organizer"},
		{
			"",
			"featured=true",
			"Two, Locked",
		}, {"", "featured=1", "Two, Locked"}, {"", "featured=FALSE", "Past, One, Three, Child"},
		{"", "ticketed=1", "Three"}, {"", "ticketed=false", "Past, One, Two, Child, Locked"},
		{
			"",
			"post_parent={One}",
			"Child",
		}, {"", "post_parent={Hall}", "rest_invalid_param post_parent"},

		{
			"",
			"geoloc=true",
			"One",
		}, {"", "geoloc=0", "Past, Two, Three, Child, Locked"}, {"", "geoloc=1&geoloc_lat=&geoloc_lng=", "One"},
		{"", "geoloc_lat=40.1&geoloc_lng=-73.1", "One"}, {"", "geoloc_lat=41&geoloc_lng=-73", ""},
		{"", "geoloc_lat=41&geoloc_lng=-73&geoloc_radius=112", "One"},
		{
			"",
			"geoloc_lat=41",
			"rest_invalid_param geoloc_lng",
		}, {"", "geoloc_lng=41&geoloc_lat=", "rest_invalid_param geoloc_lat"},
		{
			"",
			"geoloc_lat=91&geoloc_lng=0",
			"rest_invalid_param geoloc_lat",
		}, {"", "geoloc_lat=1&geoloc_lng=x", "rest_invalid_param geoloc_lng"},

		{
			"",
			"search=one",
			"One",
		}, {"", "search=O  ,tw", "Two"}, {"", "search= ", all}, {"", "search=%25", ""},
		{"", "search=music", ""}, {"", "search=big", ""},

		// Statuses: a caller cannot ask for hidden records.
		{
			"",
			"status=publish",
			all,
		}, {"", "status[]=publish", all}, {"", "status=draft", "rest_invalid_param status"},
		{
			"",
			"status=",
			"rest_invalid_param status",
		}, {"", "status=any", "rest_invalid_param status"},
		{
			"",
			"status[]=&status[]=publish",
			all,
		}, {"", "status[]=", "rest_invalid_param status"}, {"", "status=publish,publish", all},
		// It is named among all wrong parameters.
		{"", "status=pending&per_page=0", "rest_invalid_param per_page status"},
		{"", "status=any&post_parent=x&search=", "rest_invalid_param post_parent search status"},
		{account.Editor, "venue=x&status=none", "rest_invalid_param status venue"},
		{
			"",
			"status=publish,draft",
			"rest_invalid_param status",
		}, {account.Subscriber, "status=private", "rest_invalid_param status"},
		{
			account.Editor,
			"",
			"Past, One, Two, Three, Child, Locked, Draft, Pending, Private, Future",
		},
		{
			account.Editor,
			"status=any&tags=free-entry",
			"One, Three",
		}, {account.Editor, "status=&featured=1", "Two, Locked"},
		{
			account.Editor,
			"status=draft",
			"Draft",
		}, {account.Editor, "status=pending, draft", "Draft, Pending"},
		{account.Editor, "status=trash", "Trash"}, {account.Editor, "status=any,trash&search=t",
			"Past, Two, Three, Locked, Draft, Private, Trash, Future"},
		{
			account.Editor,
			"status=auto-draft,inherit",
			"",
		}, {account.Editor, "status=PUBLISH", "rest_invalid_param status"},
		{account.Editor, "status=draft,none", "rest_invalid_param status"},
		{
			account.Author,
			"",
			all,
		}, {account.Contributor, "status=any", all + ", Pending"}, {account.Contributor, "status=draft", ""},

		// Protected texts are found by callers who may edit them, and by nobody else.
		{
			"",
			"search=secret",
			"",
		}, {"", "search=secret&password=pw", ""}, {account.Subscriber, "search=secret", ""},
		{
			account.Subscriber,
			"search=secret&password=pw",
			"Locked",
		}, {account.Editor, "search=secret", "Locked"},
	})
	for _, r := range [][]listing{
		refusals("page", "0", "-1", "1.5", "", "x"), refusals("per_page", "0", "-1", "", "ten"),
		refusals("categories", "", "0", "-1", "none"), refusals("tags", "", "0", ","), refusals("venue", "", "0", "hall", "9999"),
		refusals("organizer", "", "bob"), refusals("featured", "", "yes", "2"), refusals("ticketed", "", "on"), refusals("geoloc", "", "no"),
		refusals("post_parent", "", "0", "x", "9999"), refusals("search", "", "0"), refusals("strict_dates", "", "0"),
		refusals("include", "", "0", "-1", "1.5", "x", "1,x"), refusals("end_date", "", "bad", "2031-13-01", "2031-05-10 25:00"),
		{{"", "search[]=x", "rest_invalid_param search"}, {"", "page[]=1", "rest_invalid_param page"},
			{"", "ends_after[]=now", "rest_invalid_param ends_after"},
			{"", "page=0&categories=none&featured=2", "rest_invalid_param categories page"}},
	} {
		play(t, c, path, r)
	}
	// The order of include is that of publication, and no date counts.
	play(t, c, "/events?", []listing{
		{
			"",
			"include={Past}",
			"Past",
		}, {"", "include={Two},{Past},{One},{One}", "One, Two, Past"}, {"", "include={Two},9999,{Hall}", "Two"},
		{
			"",
			"include={One}, {Past}&start_date=2031-01-01&ends_before=2000-01-01",
			"One, Past",
		}, {"", "include={Hidden}", ""},
		{
			"",
			"include={Draft}",
			"",
		}, {account.Editor, "include={Draft}", "Draft"}, {"", "include={Past},{One}&search=past", "Past"},
		{
			"",
			"include={Past},{One}&per_page=1&page=2",
			"Past",
		}, {"", "include={Past}&page=2", "event-archive-page-not-found"},
		{"", "include={Past},{Two}&orderby=start_date", "Past, Two"},
	})
}

func TestVenueAndOrganizerFilters(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	const all = "Ruin, Lone, Bärn, Hall"
	play(t, c, "/venues?", []listing{
		{
			"",
			"",
			all,
		}, {"", "status=publish", all}, {"", "status=draft", "rest_invalid_param status"},
		{"", "status=", "rest_invalid_param status"},
		{"", "status=draft&page=0&event=x", "rest_invalid_param event page status"},
		{account.Author, "event=x&status=none", "rest_invalid_param event status"},
		{
			account.Editor,
			"",
			"Ruin, Cellar, Lone, Bärn, Hall",
		}, {account.Editor, "status=draft", "Cellar"},
		{account.Editor, "status=none", "rest_invalid_param status"},
		{
			account.Author,
			"",
			all,
		}, {account.Contributor, "", "Ruin, Cellar, Lone, Bärn, Hall"}, {account.Contributor, "status=draft", "Cellar"},
		{
			"",
			"search=ELM",
			"Hall",
		}, {"", "search=5 elm", "Hall"}, {"", "search=elm albany", ""}, {"", "search=barn", "Bärn"},
		{"", "search=room-big", "Hall"},
		{
			"",
			"search=1234",
			"Hall",
		}, {"", "search=ny", "Lone, Hall"}, {"", "search=hall.example", ""}, {"", "search=cellar", ""},
		{
			"",
			"search=%25",
			"",
		}, {"", "search=%20", ""}, {"", "search=-", ""}, {account.Editor, "search=%26%26", ""},
		{
			"",
			"search=",
			"rest_invalid_param search",
		}, {"", "search=none&page=2", "venue-archive-page-not-found"},
		{
			"",
			"event={One}",
			"Hall",
		}, {"", "event={Child}", ""}, {"", "event={Hall}", "rest_invalid_param event"},
		{"", "event=0", "rest_invalid_param event"},
		{
			"",
			"event={Draft}",
			"rest_invalid_param event",
		}, {account.Author, "event={Draft}", "rest_invalid_param event"},
		{account.Editor, "event={Draft}", "Lone"},
		// Events count that the caller may see.
		{
			"",
			"has_events=true",
			"Ruin, Bärn, Hall",
		}, {"", "has_events=YES", "Ruin, Bärn, Hall"}, {"", "has_events=false", "Lone"},
		{
			"",
			"has_events=",
			"Lone",
		}, {"", "has_events=x", "Lone"}, {account.Editor, "has_events=false", ""},
		{
			"",
			"only_with_upcoming=1",
			"Bärn, Hall",
		}, {"", "only_with_upcoming=false", all}, {"", "only_with_upcoming=", all},
		{account.Editor, "only_with_upcoming=on", "Cellar, Lone, Bärn, Hall"},
		{
			"",
			"include={Hall},{Ann},{Lone}",
			"Lone, Hall",
		}, {"", "exclude={Hall}", "Ruin, Lone, Bärn"},
		{
			"",
			"order=asc",
			"Hall, Bärn, Lone, Ruin",
		}, {"", "orderby=title", "Bärn, Hall, Lone, Ruin"}, {"", "orderby=id&order=desc", all},
		{
			"",
			"order=&orderby=",
			all,
		}, {"", "per_page=3&page=2", "Hall"}, {"", "page=2", "venue-archive-page-not-found"},
		{"", "page=0", "rest_invalid_param page"},
	})
	play(t, c, "/organizers?", []listing{
		{
			"",
			"",
			"Bob, Ann",
		}, {"", "search=ann example org", "Ann"}, {"", "search=77", "Ann"}, {"", "search=bob", "Bob"},
		{"", "search=!!", ""}, {"", "search=_", ""},
		{
			"",
			"event={Two}",
			"Bob, Ann",
		}, {"", "event={One}", "Ann"}, {"", "has_events=0", ""}, {"", "page=2", "organizer-archive-page-not-found"},
	})
}

func TestTermFilters(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	const used, all = "Bebop &amp; Bop, Café, Jazz, Music, The Year", "Bebop &amp; Bop, Café, Jazz, Music, The Year, Unseen"
	play(t, c, "/categories?", []listing{
		{
			"",
			"",
			used,
		}, {account.Editor, "", used}, {"", "hide_empty=false", all}, {"", "hide_empty=0&search=CAFE", "Café"},
		{"", "search=20", "The Year"},
		{
			"",
			"include={Music},{Café}",
			"Café, Music",
		}, {"", "include={Unseen}", ""}, {"", "include={Unseen}&hide_empty=0", "Unseen"},
		{
			"",
			"include=music",
			"",
		}, {"", "include=music,{Jazz}", "Jazz"}, {"", "exclude=music", used},
		{"", "exclude={Music},{Jazz}", "Bebop &amp; Bop, Café, The Year"},
		{
			"",
			"order=ASC",
			used,
		}, {"", "order=desc", "The Year, Music, Jazz, Café, Bebop &amp; Bop"},
		{"", "order=bad", "The Year, Music, Jazz, Café, Bebop &amp; Bop"},
		{
			"",
			"orderby=bad",
			used,
		}, {"", "orderby=slug", "The Year, Bebop &amp; Bop, Café, Jazz, Music"},
		{"", "orderby=ID", "Music, Jazz, Bebop &amp; Bop, Café, The Year"},
		{"", "orderby=term_order&order=desc", "The Year, Café, Bebop &amp; Bop, Jazz, Music"},
		{"", "orderby=count", "Jazz, Bebop &amp; Bop, Café, Music, The Year"},
		{"", "orderby=parent", "Café, Music, The Year, Jazz, Bebop &amp; Bop"},
		{"", "orderby=description&order=desc", "The Year, Bebop &amp; Bop, Café, Jazz, Music"},
		{"", "orderby=include&include={Jazz},{Café},{Music}", "Jazz, Café, Music"},
		{"", "orderby=include&order=desc&include={Jazz},{Café},{Music}", "Music, Café, Jazz"},
		{
			"",
			"parent={Music}",
			"Jazz",
		}, {"", "parent={Café}", ""}, {"", "parent={Kids}", "rest_invalid_param parent"},
		{
			"",
			"post={Draft}",
			"rest_invalid_param post",
		}, {"", "post={Draft}&event={One}", "rest_invalid_param post"},
		{
			account.Editor,
			"post={Draft}",
			"Unseen",
		}, {account.Editor, "post={Draft}&event={One}", "Music"},
		{
			"",
			"event={Locked}",
			"",
		}, {"", "event={Locked}&password=pw", "Café"}, {account.Editor, "event={Locked}", ""},
		{
			account.Editor,
			"event={Locked}&context=edit",
			"Café",
		}, {"", "event={Child}", ""}, {"", "event={Hall}", "rest_invalid_param event"},
		{
			"",
			"slug=jazz",
			"Jazz",
		}, {"", "slug=JAZZ", "Jazz"}, {"", "slug=Jazz!", "Jazz"}, {"", "slug=!", ""},
		{
			"",
			"slug=jazz,music",
			"",
		}, {"", "slug=unseen", ""}, {"", "slug[]=jazz", "rest_invalid_param slug"},
		{"", "per_page=2&page=3", "The Year"}, {"", "per_page=2&page=4", ""}, {"", "page=99", ""},
	})
	for _, r := range [][]listing{
		refusals("include", "", "9999", "none"), refusals("exclude", "", "9999"), refusals("search", "", "0"), refusals("order", ""),
		refusals("orderby", ""),
		refusals("hide_empty", "", "x"), refusals("parent", "", "0", "9999"), refusals("post", "0", ""), refusals("slug", ""),
		refusals("page", "0"),
	} {
		play(t, c, "/categories?", r)
	}
	play(t, c, "/tags?", []listing{
		{
			"",
			"",
			"Free Entry, Kids",
		}, {"", "hide_empty=0", "Free Entry, Kids, Unused"}, {"", "parent=0", "Free Entry, Kids"},
		{"", "event={Three}", "Free Entry, Kids"},
		{"", "include={Music}", "rest_invalid_param include"},
	})
}
