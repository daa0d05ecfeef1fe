// Events in the form of wp/v2/tribe_events, as far as there is something to say of them.

package feed

import (
	"strconv"
	"time"

	"almanac/internal/text/jsonio"
	"almanac/internal/text/markup"
	"almanac/internal/wire/render"
	"almanac/store"
)

// Posts is the form of events for clients of the original. Lists of them are arrays, as others are.
var Posts = Format{
	Media:   "application/json; charset=UTF-8",
	Between: ",",
	Event:   appendPost,
}

// postDate is the form of dates of posts, in the zone of the site or in UTC.
const postDate = "2006-01-02T15:04:05"

// appendPost appends an event. Content behind a password is blank, also in its fields.
func appendPost(b []byte, r *render.Renderer, e *store.Event) []byte {
	inside, open := r.Inside(e)
	modified := modified(e)
	page := r.EventPage(&e.Post)
	text := func(html string) jsonio.Object {
		return jsonio.Members("rendered", html, "protected", e.Password != "")
	}
	categories := r.AppendTerms(nil, store.Categories, inside.Categories)
	image := int64(0)
	if i := r.Image(inside.Image); i != nil && i.Directory != "" {
		image = i.ID
	}
	post, _ := jsonio.Marshal(jsonio.Members( // texts, numbers and lists of them
		"id", e.ID,
		"date", r.Site.Wall(e.Date).Format(postDate),
		"date_gmt", e.Date.UTC().Format(postDate),
		"guid", rendered(page),
		"modified", r.Site.Wall(modified).Format(postDate),
		"modified_gmt", modified.UTC().Format(postDate),
		"slug", e.Slug,
		"status", e.Status,
		"type", "tribe_events",
		"link", page,
		"title", rendered(markup.Title(e.Title)),
		"content", text(markup.Content(r.Located(inside.Description))),
		"excerpt", text(markup.Excerpt(r.Located(inside.Excerpt))),
		"author", e.Author,
		"featured_media", image,
		"template", "",
		"meta", metaOf(r, e, inside, open),
		"tags", idsOf(r.AppendTerms(nil, store.Tags, inside.Tags)),
		"tribe_events_cat", idsOf(categories),
		"class_list", classesOf(e, categories),
	))
	return append(b, post...)
}

// rendered returns a text as posts have it.
func rendered(html string) jsonio.Object { return jsonio.Members("rendered", html) }

// metaOf returns the fields of an event by the names that the original stores them by.
func metaOf(r *render.Renderer, e, inside *store.Event, open bool) jsonio.Object {
	zone := r.Zone(e)
	cost, _ := inside.Cost.AppendShown(nil, r.Currency)
	if inside.Cost.Wording != "" {
		cost = []byte(inside.Cost.Wording)
	}
	utc := func(at store.Wall) string {
		return zone.Instant(at.Time()).UTC().Format(time.DateTime)
	}
	return jsonio.Members(
		"_EventAllDay", open && e.AllDay,
		"_EventTimezone", e.Timezone,
		"_EventStartDate", e.Start.String(),
		"_EventEndDate", e.End.String(),
		"_EventStartDateUTC", utc(e.Start),
		"_EventEndDateUTC", utc(e.End),
		"_EventShowMap", inside.ShowMap,
		"_EventShowMapLink", inside.ShowMapLink,
		"_EventURL", inside.Website,
		"_EventCost", string(cost),
		"_EventCurrencySymbol", inside.Cost.Symbol,
		"_EventCurrencyCode", inside.Cost.Code,
		"_EventCurrencyPosition", inside.Cost.Position,
		"_EventOrganizerID", idsOf(r.AppendOrganizers(nil, inside)),
		"_EventVenueID", idsOf(r.AppendVenues(nil, inside)),
		"_tribe_events_status", e.State,
		"_tribe_events_status_reason", inside.StateReason,
	)
}

// idsOf returns the ids of some records.
func idsOf[T store.Record](records []T) []int64 {
	ids := []int64{}
	for _, record := range records {
		ids = append(ids, record.Key())
	}
	return ids
}

// classesOf returns the classes by which style sheets of the original tell events apart.
func classesOf(e *store.Event, categories []*store.Term) []string {
	classes := []string{
		"post-" + strconv.FormatInt(e.ID, 10),
		"tribe_events",
		"type-tribe_events",
		"status-" + string(e.Status),
	}
	for _, t := range categories {
		classes = append(classes, "tribe_events_cat-"+t.Slug, "cat_"+t.Slug)
	}
	if e.State != "" {
		classes = append(classes, "tribe-events-status__list-event-"+e.State)
	}
	return classes
}
