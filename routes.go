package main

import (
	"almanac/internal/fixture"
	"almanac/internal/rest"
)

// routes is every route of the service, in the order of the index. rest turns
// a line into net/http patterns below each base address.
func routes(on func(pattern string, op *rest.Op)) {
	on("GET /{$}", rest.Home)
	on("GET /docs", rest.Page)
	on("GET /docs/{name}", rest.GroupPage)

	on("GET /cal/events/v1", rest.Index)
	on("GET /cal/events/v1/doc", rest.Doc)

	on("GET /cal/events/v1/events", rest.Events.List)
	on("POST /cal/events/v1/events", rest.Events.Create)
	on("GET /cal/events/v1/events/{id}", rest.Events.Read)
	on("DELETE /cal/events/v1/events/{id}", rest.Events.Delete)
	on("POST,PUT,PATCH /cal/events/v1/events/{id}", rest.Events.Update)
	on("GET /cal/events/v1/events/by-slug/{slug}", rest.Events.ReadBySlug)
	on("DELETE /cal/events/v1/events/by-slug/{slug}", rest.Events.DeleteBySlug)
	on("POST,PUT,PATCH /cal/events/v1/events/by-slug/{slug}", rest.Events.UpdateBySlug)

	on("GET /cal/events/v1/events.ics", rest.Feeds.Calendar)
	on("GET /cal/events/v1/events.csv", rest.Feeds.CSV)
	on("GET /cal/events/v1/events.rss", rest.Feeds.RSS)
	on("GET /cal/events/v1/events.atom", rest.Feeds.Atom)
	on("GET /cal/events/v1/events.feed.json", rest.Feeds.JSON)
	on("GET /cal/events/v1/events/{id}.ics", rest.Feeds.Event)
	on("GET /cal/events/v1/events/by-slug/{slug}.ics", rest.Feeds.EventBySlug)

	on("GET /cal/events/v1/series", rest.Series.List)
	on("GET /cal/events/v1/series/{id}", rest.Series.Read)

	on("GET /robots.txt", rest.Robots)
	on("GET /sitemap.xml", rest.Sitemap)
	on("GET /wp-sitemap.xml", rest.Sitemap)
	on("GET /assets/{name}", rest.Asset)
	on("GET /favicon.ico", rest.Icon)
	on("GET /embed", rest.Embedded)
	on("GET /embed/{path...}", rest.Embedded)

	// Pages. Each also answers with a calendar or a feed, if the query or the end of the path asks for it. A query chooses
	// another view, or an event, as links to sites of the original do.
	on("GET /events", rest.List)
	on("GET /events/list", rest.List)
	on("GET /events/past", rest.List)
	on("GET /events/today", rest.List)
	on("GET /events/featured", rest.List)
	on("GET /events/month", rest.Month)
	on("GET /events/month/{day}", rest.Month)
	on("GET /events/week", rest.Month)
	on("GET /events/week/{day}", rest.Month)
	on("GET /events/{path...}", rest.View)
	on("GET /events/category", rest.View)
	on("GET /events/category/{path...}", rest.View)
	on("GET /events/tag", rest.View)
	on("GET /events/tag/{slug}", rest.List)
	on("GET /events/tag/{slug}/{path...}", rest.View)
	on("GET /tag", rest.View)
	on("GET /tag/{slug}", rest.List)
	on("GET /tag/{slug}/{path...}", rest.View)
	on("GET /venue", rest.View)
	on("GET /venue/{slug}", rest.List)
	on("GET /venue/{slug}/{path...}", rest.View)
	on("GET /organizer", rest.View)
	on("GET /organizer/{slug}", rest.List)
	on("GET /organizer/{slug}/{path...}", rest.View)
	on("GET /event/{slug}", rest.Event)
	on("POST /event/{slug}", rest.Password)
	on("GET /event/{slug}/{day}", rest.Event)
	on("GET /event/{slug}/all", rest.List)
	on("GET /event/{slug}/{path...}", rest.View)

	on("GET /cal/events/v1/changes", rest.Changes)

	on("GET /cal/events/v1/venues", rest.Venues.List)
	on("POST /cal/events/v1/venues", rest.Venues.Create)
	on("GET /cal/events/v1/venues/{id}", rest.Venues.Read)
	on("DELETE /cal/events/v1/venues/{id}", rest.Venues.Delete)
	on("POST,PUT,PATCH /cal/events/v1/venues/{id}", rest.Venues.Update)
	on("GET /cal/events/v1/venues/by-slug/{slug}", rest.Venues.ReadBySlug)
	on("DELETE /cal/events/v1/venues/by-slug/{slug}", rest.Venues.DeleteBySlug)
	on("POST,PUT,PATCH /cal/events/v1/venues/by-slug/{slug}", rest.Venues.UpdateBySlug)

	on("GET /cal/events/v1/organizers", rest.Organizers.List)
	on("POST /cal/events/v1/organizers", rest.Organizers.Create)
	on("GET /cal/events/v1/organizers/{id}", rest.Organizers.Read)
	on("DELETE /cal/events/v1/organizers/{id}", rest.Organizers.Delete)
	on("POST,PUT,PATCH /cal/events/v1/organizers/{id}", rest.Organizers.Update)
	on("GET /cal/events/v1/organizers/by-slug/{slug}", rest.Organizers.ReadBySlug)
	on("DELETE /cal/events/v1/organizers/by-slug/{slug}", rest.Organizers.DeleteBySlug)
	on("POST,PUT,PATCH /cal/events/v1/organizers/by-slug/{slug}", rest.Organizers.UpdateBySlug)

	on("GET /cal/events/v1/categories", rest.Categories.List)
	on("POST /cal/events/v1/categories", rest.Categories.Create)
	on("GET /cal/events/v1/categories/{id}", rest.Categories.Read)
	on("POST,PUT,PATCH /cal/events/v1/categories/{id}", rest.Categories.Update)
	on("DELETE /cal/events/v1/categories/{id}", rest.Categories.Delete)

	on("GET /cal/events/v1/tags", rest.Tags.List)
	on("POST /cal/events/v1/tags", rest.Tags.Create)
	on("GET /cal/events/v1/tags/{id}", rest.Tags.Read)
	on("POST,PUT,PATCH /cal/events/v1/tags/{id}", rest.Tags.Update)
	on("DELETE /cal/events/v1/tags/{id}", rest.Tags.Delete)

	on("POST /_almanac/import", rest.Import)

	on("GET /_almanac/health", rest.Health)
	on("GET /_almanac/health/{name}", rest.HealthOf)

	on("GET /_almanac/worlds", fixture.Worlds.List)
	on("DELETE /_almanac/worlds/{name}", fixture.Worlds.Delete)
	on("GET /_almanac/clock", fixture.Clock.Read)
	on("POST,PUT,PATCH /_almanac/clock", fixture.Clock.Update)
	on("GET /_almanac/faults", fixture.Faults.List)
	on("POST /_almanac/faults", fixture.Faults.Create)
	on("DELETE /_almanac/faults", fixture.ClearFaults)
	on("DELETE /_almanac/faults/{id}", fixture.Faults.Delete)
	on("GET /_almanac/requests", fixture.Requests.List)
	on("DELETE /_almanac/requests", fixture.ClearRequests)
	on("GET /_almanac/snapshots", fixture.Snapshots.List)
	on("POST /_almanac/snapshots", fixture.Snapshots.Create)
	on("DELETE /_almanac/snapshots/{name}", fixture.Snapshots.Delete)
	on("POST /_almanac/restore", fixture.Restore)
	on("POST /_almanac/reset", fixture.Reset)
	on("POST /_almanac/seed", fixture.Seed)
}
