package main

import (
	"almanac/internal/api"
	"almanac/internal/fixture"
	"almanac/internal/media"
	"almanac/internal/site"
)

// routes is every route of the service, in the order of the index. The server turns
// a line into net/http patterns below each base address.
func routes(on func(pattern string, op *api.Op)) {
	on("GET /{$}", site.Home)
	on("GET /docs", api.Docs)
	on("GET /docs/embed", site.EmbedGuide)
	on("GET /docs/{name}", api.DocsGroup)

	on("GET /cal/events/v1", api.Index)
	on("GET /cal/events/v1/doc", api.Doc)

	on("GET /cal/events/v1/events", api.Events.List)
	on("POST /cal/events/v1/events", api.Events.Create)
	on("GET /cal/events/v1/events/{id}", api.Events.Read)
	on("DELETE /cal/events/v1/events/{id}", api.Events.Delete)
	on("POST,PUT,PATCH /cal/events/v1/events/{id}", api.Events.Update)
	on("GET /cal/events/v1/events/by-slug/{slug}", api.Events.ReadBySlug)
	on("DELETE /cal/events/v1/events/by-slug/{slug}", api.Events.DeleteBySlug)
	on("POST,PUT,PATCH /cal/events/v1/events/by-slug/{slug}", api.Events.UpdateBySlug)

	on("GET /cal/events/v1/events.ics", api.Feeds.Calendar)
	on("GET /cal/events/v1/events.csv", api.Feeds.CSV)
	on("GET /cal/events/v1/events.rss", api.Feeds.RSS)
	on("GET /cal/events/v1/events.atom", api.Feeds.Atom)
	on("GET /cal/events/v1/events.feed.json", api.Feeds.JSON)
	on("GET /cal/events/v1/events/{id}.ics", api.Feeds.Event)
	on("GET /cal/events/v1/events/by-slug/{slug}.ics", api.Feeds.EventBySlug)

	on("GET /cal/events/v1/series", api.Series.List)
	on("GET /cal/events/v1/series/{id}", api.Series.Read)

	on("GET /robots.txt", site.Robots)
	on("GET /sitemap.xml", site.Sitemap)
	on("GET /wp-sitemap.xml", site.Sitemap)
	on("GET /assets/{name}", api.Asset)
	on("GET /favicon.ico", site.Icon)
	on("GET /embed", site.Embedded)
	on("GET /embed/{path...}", site.Embedded)

	// Pages. Each also answers with a calendar or a feed, if the query or the end of the path asks for it. A query chooses
	// another view, or an event, as links to sites of the original do.
	on("GET /events", site.List)
	on("GET /events/list", site.List)
	on("GET /events/past", site.List)
	on("GET /events/today", site.List)
	on("GET /events/tomorrow", site.List)
	on("GET /events/this-weekend", site.List)
	on("GET /events/this-week", site.List)
	on("GET /events/featured", site.List)
	on("GET /events/free", site.List)
	on("GET /events/month", site.Month)
	on("GET /events/month/{day}", site.Month)
	on("GET /events/week", site.Month)
	on("GET /events/week/{day}", site.Month)
	on("GET /events/{path...}", site.View)
	on("GET /events/category", site.View)
	on("GET /events/category/{path...}", site.View)
	on("GET /events/tag", site.View)
	on("GET /events/tag/{slug}", site.List)
	on("GET /events/tag/{slug}/{path...}", site.View)
	on("GET /tag", site.View)
	on("GET /tag/{slug}", site.List)
	on("GET /tag/{slug}/{path...}", site.View)
	on("GET /venue", site.View)
	on("GET /venue/{slug}", site.List)
	on("GET /venue/{slug}/{path...}", site.View)
	on("GET /organizer", site.View)
	on("GET /organizer/{slug}", site.List)
	on("GET /organizer/{slug}/{path...}", site.View)
	on("GET /event/{slug}", site.Event)
	on("POST /event/{slug}", site.Password)
	on("GET /event/{slug}/{day}", site.Event)
	on("GET /event/{slug}/all", site.List)
	on("GET /event/{slug}/{path...}", site.View)

	on("GET /cal/events/v1/changes", api.Changes)

	on("GET /cal/events/v1/venues", api.Venues.List)
	on("POST /cal/events/v1/venues", api.Venues.Create)
	on("GET /cal/events/v1/venues/{id}", api.Venues.Read)
	on("DELETE /cal/events/v1/venues/{id}", api.Venues.Delete)
	on("POST,PUT,PATCH /cal/events/v1/venues/{id}", api.Venues.Update)
	on("GET /cal/events/v1/venues/by-slug/{slug}", api.Venues.ReadBySlug)
	on("DELETE /cal/events/v1/venues/by-slug/{slug}", api.Venues.DeleteBySlug)
	on("POST,PUT,PATCH /cal/events/v1/venues/by-slug/{slug}", api.Venues.UpdateBySlug)

	on("GET /cal/events/v1/organizers", api.Organizers.List)
	on("POST /cal/events/v1/organizers", api.Organizers.Create)
	on("GET /cal/events/v1/organizers/{id}", api.Organizers.Read)
	on("DELETE /cal/events/v1/organizers/{id}", api.Organizers.Delete)
	on("POST,PUT,PATCH /cal/events/v1/organizers/{id}", api.Organizers.Update)
	on("GET /cal/events/v1/organizers/by-slug/{slug}", api.Organizers.ReadBySlug)
	on("DELETE /cal/events/v1/organizers/by-slug/{slug}", api.Organizers.DeleteBySlug)
	on("POST,PUT,PATCH /cal/events/v1/organizers/by-slug/{slug}", api.Organizers.UpdateBySlug)

	on("GET /cal/events/v1/categories", api.Categories.List)
	on("POST /cal/events/v1/categories", api.Categories.Create)
	on("GET /cal/events/v1/categories/{id}", api.Categories.Read)
	on("POST,PUT,PATCH /cal/events/v1/categories/{id}", api.Categories.Update)
	on("DELETE /cal/events/v1/categories/{id}", api.Categories.Delete)

	on("GET /cal/events/v1/tags", api.Tags.List)
	on("POST /cal/events/v1/tags", api.Tags.Create)
	on("GET /cal/events/v1/tags/{id}", api.Tags.Read)
	on("POST,PUT,PATCH /cal/events/v1/tags/{id}", api.Tags.Update)
	on("DELETE /cal/events/v1/tags/{id}", api.Tags.Delete)

	on("GET /cal/events/v1/media", media.Media.List)
	on("POST /cal/events/v1/media", media.Media.Create)
	on("GET /cal/events/v1/media/{id}", media.Media.Read)
	on("POST,PUT,PATCH /cal/events/v1/media/{id}", media.Media.Update)
	on("DELETE /cal/events/v1/media/{id}", media.Media.Delete)
	on("GET /media/{directory}/{name}", media.File)

	on("GET /wp/v2/media", media.Attachments.List)
	on("POST /wp/v2/media", media.Attachments.Create)
	on("GET /wp/v2/media/{id}", media.Attachments.Read)
	on("POST,PUT,PATCH /wp/v2/media/{id}", media.Attachments.Update)
	on("DELETE /wp/v2/media/{id}", media.Attachments.Delete)

	on("POST /_almanac/import", api.Import)
	on("POST /_almanac/import/picture", media.Import)

	on("GET /_almanac/health", api.Health)
	on("GET /_almanac/health/{name}", api.HealthOf)

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
