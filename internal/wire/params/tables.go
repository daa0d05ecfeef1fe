// The rows of the specification, section by section. Rows that are marked Own
// are additions, always behind those of the specification.

package params

import (
	"slices"
	"time"

	"almanac/store/record"
)

// Index is the parameters of the index (section 4.1).
var Index = Table{
	{Name: "namespace", Kind: Any, Dynamic: namespace, Doc: "index.namespace"},
	{Name: "context", Kind: Any, Default: "view", Doc: "index.context"},
}

// Doc is the parameters of GET /doc.
var Doc = Table{{
	Name:     "version",
	Kind:     Optional,
	Default:  "3.0",
	Type:     "string",
	Enum:     []string{"3.0", "3.1"},
	Own:      true,
	Unlisted: true,
	Doc:      "doc.version",
}}

func namespace(env Env) any { return env.Namespace }

// None is the parameters of operations that have none.
var None = Table{}

// Import is the members of the body of an import, which package intake reads.
var Import = Table{
	{Name: "items", Unlisted: true},
	{Name: "state", Unlisted: true},
	{Name: "strict", Unlisted: true},
}

// paging is the first two parameters of every list.
func paging(of string) Table {
	return Table{
		{Name: "page", Kind: Page, Default: int64(1), Type: "integer", Doc: of + ".list.page"},
		{
			Name:    "per_page",
			Kind:    Page,
			Dynamic: perPage,
			Type:    "integer",
			Echo:    made(1),
			Doc:     of + ".list.per_page",
		},
	}
}

func perPage(env Env) any { return int64(env.PerPage) }

// EventList is the parameters of GET /events (section 4.2).
var EventList = join(paging("event"), Table{
	{
		Name:    "start_date",
		Kind:    Date,
		Dynamic: windowStart,
		Echo:    made(2),
		Doc:     "event.list.start_date",
	},
	{Name: "end_date", Kind: Date, Dynamic: windowEnd, Echo: made(3), Doc: "event.list.end_date"},
	{Name: "starts_before", Kind: Date, Echo: made(11), Doc: "event.list.starts_before"},
	{Name: "starts_after", Kind: Date, Echo: made(12), Doc: "event.list.starts_after"},
	{Name: "ends_before", Kind: Date, Echo: made(13), Doc: "event.list.ends_before"},
	{Name: "ends_after", Kind: Date, Echo: made(14), Doc: "event.list.ends_after"},
	{
		Name:    "strict_dates",
		Kind:    LenientBool,
		Default: false,
		Echo:    sent(21),
		Doc:     "event.list.strict_dates",
	},
	{Name: "search", Kind: Text, Type: "string", Echo: sent(4), Doc: "event.list.search"},
	{
		Name:  "categories",
		Kind:  Terms,
		Of:    Category,
		Items: "integer",
		Echo:  sent(19),
		Doc:   "event.list.categories",
	},
	{Name: "tags", Kind: Terms, Of: Tag, Items: "integer", Echo: sent(20), Doc: "event.list.tags"},
	{
		Name:  "venue",
		Kind:  IDs,
		Of:    Venue,
		Items: "integer",
		Echo:  read(16),
		Doc:   "event.list.venue",
	},
	{
		Name:  "organizer",
		Kind:  IDs,
		Of:    Organizer,
		Items: "integer",
		Echo:  read(17),
		Doc:   "event.list.organizer",
	},
	{Name: "featured", Kind: Bool, Type: "boolean", Echo: read(18), Doc: "event.list.featured"},
	{Name: "status", Kind: Statuses, Format: "string", Echo: made(8), Doc: "event.list.status"},
	{Name: "geoloc", Kind: Bool, Type: "boolean", Echo: read(5), Doc: "event.list.geoloc"},
	{
		Name:   "geoloc_lat",
		Kind:   Latitude,
		Empty:  true,
		Format: "double",
		Echo:   made(6),
		Doc:    "event.list.geoloc_lat",
	},
	{
		Name:   "geoloc_lng",
		Kind:   Longitude,
		Empty:  true,
		Format: "double",
		Echo:   made(7),
		Doc:    "event.list.geoloc_lng",
	},
	{Name: "include", Kind: Include, Items: "integer", Echo: read(10), Doc: "event.list.include"},
	{
		Name: "post_parent",
		Kind: ID,
		Of:   Event,
		Type: "integer",
		Echo: sent(9),
		Doc:  "event.list.post_parent",
	},
	{Name: "ticketed", Kind: Bool, Type: "boolean", Echo: read(15), Doc: "event.list.ticketed"},
	{
		Name:    "geoloc_radius",
		Kind:    Number,
		Default: 40.0,
		Type:    "number",
		Format:  "double",
		Own:     true,
		Echo:    sent(22),
		Doc:     "event.list.geoloc_radius",
	},
	{
		Name: "order",
		Kind: Optional,
		Type: "string",
		Enum: []string{"asc", "desc"},
		Own:  true,
		Echo: sent(23),
		Doc:  "list.order",
	},
	{
		Name: "orderby",
		Kind: Optional,
		Type: "string",
		Enum: []string{"start_date", "end_date", "date", "modified", "title", "id"},
		Own:  true,
		Echo: sent(24),
		Doc:  "list.orderby",
	},
	{
		Name: "modified_after",
		Kind: Date,
		Type: "string",
		Own:  true,
		Echo: sent(25),
		Doc:  "event.list.modified_after",
	},
	{
		Name: "modified_before",
		Kind: Date,
		Type: "string",
		Own:  true,
		Echo: sent(26),
		Doc:  "event.list.modified_before",
	},
	{Name: "slug", Kind: Optional, Type: "string", Own: true, Echo: sent(27), Doc: "list.slug"},
	{
		Name: "password",
		Kind: Optional,
		Type: "string",
		Own:  true,
		Echo: sent(28),
		Doc:  "event.password",
	},
	{
		Name: "series",
		Kind: IDsOrNone,
		Of:   Series,
		Type: "string",
		Own:  true,
		Echo: sent(29),
		Doc:  "event.list.series",
	},
	{
		Name: "first_of_series",
		Kind: Bool,
		Type: "boolean",
		Own:  true,
		Echo: read(30),
		Doc:  "event.list.first_of_series",
	},
	{
		Name: "when",
		Kind: Choice,
		Type: "string",
		Enum: []string{"today", "tomorrow", "weekend", "week", "month"},
		Own:  true,
		Echo: sent(32),
		Doc:  "event.list.when",
	},
	{Name: "free", Kind: Bool, Type: "boolean", Own: true, Echo: read(33), Doc: "event.list.free"},
	{
		Name: "event_status",
		Kind: Choices,
		Type: "string",
		Enum: states,
		Own:  true,
		Echo: sent(34),
		Doc:  "event.list.event_status",
	},
	{
		Name: "months",
		Kind: Months,
		Type: "integer",
		Own:  true,
		Echo: sent(36),
		Doc:  "event.list.months",
	},
	{
		Name: "search_names",
		Kind: Bool,
		Type: "boolean",
		Own:  true,
		Echo: read(37),
		Doc:  "event.list.search_names",
	},
})

// EventTable is the parameters of all events of a list in one document, which has no pages,
// EventCalendar those of a calendar to subscribe to, and EventFeed those of a list for readers of
// feeds.
var (
	EventTable = own(join(Table{{
		Name:    "start_date",
		Kind:    Date,
		Dynamic: yearBack,
		Echo:    made(2),
		Doc:     "event.document.start_date",
	}},
		EventList.without("page").without("per_page").without("start_date")))
	EventCalendar = join(EventTable, Table{{
		Name:    "expand",
		Kind:    Bool,
		Default: false,
		Type:    "boolean",
		Own:     true,
		Echo:    read(31),
		Doc:     "event.expand",
	}}, statusPrefix)
	EventFeed    = join(EventList, statusPrefix)
	statusPrefix = Table{{
		Name:    "status_prefix",
		Kind:    Bool,
		Default: true,
		Type:    "boolean",
		Own:     true,
		Echo:    read(35),
		Doc:     "event.status_prefix",
	}}

	// EventFilter is the parameters that a secret feed may keep, for each of its formats.
	EventFilter = join(EventCalendar.without("password"), Table{{
		Name: "per_page",
		Kind: Page,
		Type: "integer",
		Doc:  "event.list.per_page",
	}})
)

// yearBack is a year ago: subscribers keep the events of the past months.
func yearBack(env Env) any { return env.Site.Wall(env.Now).AddDate(-1, 0, 0) }

// windowStart is the start of the default window: yesterday's 23:59 UTC, in
// the site's zone.
func windowStart(env Env) any {
	y, m, d := env.Now.UTC().Date()
	return env.Site.Wall(time.Date(y, m, d-1, 23, 59, 0, 0, time.UTC))
}

// windowEnd is the end of the default window: in 24 months, UTC.
func windowEnd(env Env) any { return env.Now.UTC().AddDate(0, 24, 0) }

// eventFields is the body of an event (section 2.1).
var eventFields = withPlain("event", record.EventFields, Table{
	{Name: "author", Kind: ID, Of: Account, Type: "integer", Doc: "event.author"},
	{Name: "date", Kind: Date, Type: "string", Doc: "event.date"},
	{Name: "date_utc", Kind: Date, Type: "string", Doc: "event.date_utc"},
	{Name: "title", Kind: Text, Required: true, Type: "string", Doc: "event.title"},
	{Name: "description", Kind: Text, Type: "string", Doc: "event.description"},
	{Name: "slug", Kind: Text, Type: "string", Doc: "event.slug"},
	{Name: "excerpt", Kind: Text, Type: "string", Doc: "event.excerpt"},
	{Name: "status", Kind: Status, Type: "string", Doc: "event.status"},
	{Name: "timezone", Kind: Zone, Type: "string", Doc: "event.timezone"},
	{Name: "all_day", Kind: Bool, Default: false, Type: "boolean", Doc: "event.all_day"},
	{Name: "start_date", Kind: Date, Required: true, Type: "string", Doc: "event.start_date"},
	{Name: "end_date", Kind: Date, Required: true, Type: "string", Doc: "event.end_date"},
	{Name: "image", Kind: Image, Type: "string", Doc: "event.image"},
	{Name: "cost", Kind: Cost, Doc: "event.cost"},
	{Name: "website", Kind: URL, Default: Null, Doc: "event.website"},
	{Name: "show_map", Kind: Bool, Type: "boolean", Doc: "event.show_map"},
	{Name: "show_map_link", Kind: Bool, Type: "boolean", Doc: "event.show_map_link"},
	{Name: "hide_from_listings", Kind: Bool, Type: "boolean", Doc: "event.hide_from_listings"},
	{Name: "sticky", Kind: Bool, Type: "boolean", Doc: "event.sticky"},
	{Name: "featured", Kind: Bool, Type: "boolean", Doc: "event.featured"},
	{
		Name:    "categories",
		Kind:    TermRefs,
		Of:      Category,
		Default: Null,
		Items:   "integer",
		Doc:     "event.categories",
	},
	{Name: "tags", Kind: TermRefs, Of: Tag, Default: Null, Items: "integer", Doc: "event.tags"},
	{Name: "venue", Kind: Links, Of: Venue, Default: Null, Items: "integer", Doc: "event.venue"},
	{
		Name:    "organizer",
		Kind:    Links,
		Of:      Organizer,
		Default: Null,
		Items:   "integer",
		Doc:     "event.organizer",
	},
	{Name: "virtual_url", Kind: URL, Web: true, Type: "string", Own: true, Doc: "event.virtual_url"},
})

// states are the states of an event, the default first.
var states = []string{"scheduled", record.Canceled, record.Postponed}

// eventOwn are the members of an event beyond the specification.
var eventOwn = Table{
	{
		Name: "post_parent",
		Kind: Digits,
		Of:   Event,
		Type: "integer",
		Own:  true,
		Doc:  "event.post_parent",
	},
	{
		Name: "event_status",
		Kind: Choice,
		Type: "string",
		Enum: states,
		Own:  true,
		Doc:  "event.event_status",
	},
	{
		Name: "event_status_reason",
		Kind: Optional,
		Type: "string",
		Own:  true,
		Doc:  "event.event_status_reason",
	},
	{Name: "rescheduled", Kind: Bool, Type: "boolean", Own: true, Doc: "event.rescheduled"},
	{Name: "recurrence", Kind: Recurring, Own: true, Doc: "event.recurrence"},
}

// withPlain appends the rows of the plain fields of a record that the specification does not have.
func withPlain[T any](of string, fields []record.Field[T], rows Table) Table {
	for _, f := range record.PlainFields(fields, "", "") {
		name := f.Member()
		if _, is := rows.Row(name); is {
			continue
		}
		row := Row{Name: name, Kind: Optional, Type: "string", Own: true, Doc: of + "." + name}
		if f.IsFlag() {
			row.Kind = Bool
			row.Type = "boolean"
		}
		rows = append(rows, row)
	}
	return rows
}

// eventScope says which events of a series are meant.
var eventScope = Table{{
	Name:    "scope",
	Kind:    Choice,
	Default: "this",
	Type:    "string",
	Enum:    []string{"this", "following", "all"},
	Own:     true,
	Doc:     "event.scope",
}}

// eventPassword is the password of an event, sent to unlock it.
var eventPassword = Table{{Name: "password", Kind: Text, Type: "string", Doc: "event.password"}}

// newPassword is the password of an event, sent to set it.
var newPassword = Table{{
	Name: "password",
	Kind: Password,
	Type: "string",
	Doc:  "event.new_password",
}}

// eventID and eventSlug are the addresses of an event.
var (
	eventID = Table{{
		Name:     "id",
		Kind:     Digits,
		Path:     true,
		Required: true,
		Type:     "integer",
		Doc:      "event.id",
	}}
	eventSlug = Table{{
		Name:     "slug",
		Kind:     Slug,
		Of:       Event,
		Path:     true,
		Required: true,
		Type:     "string",
		Doc:      "event.by_slug",
	}}
)

// Tables of the event operations (section 4.2).
var (
	EventCreate             = join(eventFields, eventOwn, own(newPassword))
	EventRead               = join(eventID, eventPassword)
	EventReadCalendar       = join(EventRead, statusPrefix)
	EventReadCalendarBySlug = join(EventReadBySlug, statusPrefix)
	EventUpdate             = join(
		eventID,
		newPassword,
		eventFields.optional("description", "excerpt", "slug", "date", "date_utc"),
		eventOwn,
		eventScope,
	)
	EventDelete       = join(EventRead, eventScope)
	EventReadBySlug   = join(eventSlug, own(eventPassword))
	EventUpdateBySlug = join(
		Table{{Name: "slug", Kind: Text, Empty: true, Type: "string", Doc: "event.slug"}},
		eventFields.without("slug").
			optional("description", "excerpt", "date", "date_utc"),
		eventOwn,
		own(newPassword),
		eventScope,
	)
	EventDeleteBySlug = join(EventReadBySlug, eventScope)
)

// Tables of the series operations, which the specification does not have: series are
// changed through their events.
var (
	SeriesList = own(join(paging("series"), Table{
		{
			Name:  "include",
			Kind:  Include,
			Type:  "array",
			Items: "integer",
			Echo:  sent(2),
			Doc:   "list.include",
		},
		{Name: "password", Kind: Optional, Type: "string", Echo: sent(3), Doc: "event.password"},
	}))
	SeriesRead = own(join(
		Table{{
			Name:     "id",
			Kind:     Digits,
			Of:       Series,
			Path:     true,
			Required: true,
			Type:     "integer",
			Doc:      "series.id",
		}}, eventPassword))
)

// revisionNumber is the number of a revision in a path.
var revisionNumber = Table{{
	Name:     "number",
	Kind:     Digits,
	Path:     true,
	Required: true,
	Type:     "integer",
	Doc:      "revision.number",
}}

// RevisionList, RevisionRestore and Merge are the parameters of the operations on the revisions of
// a record and of merges, by the table of a read of the record.
func RevisionList(
	read Table,
) Table {
	return own(join(read.without("password"), paging("revision")))
}

func RevisionRestore(
	read Table,
) Table {
	return own(join(read.without("password"), revisionNumber))
}

func Merge(read Table) Table {
	return own(join(read, Table{{
		Name:     "into",
		Kind:     ID,
		Of:       read[0].Of,
		Required: true,
		Type:     "integer",
		Doc:      "merge.into",
	}}))
}

// own marks rows as additions where the specification does not list them.
func own(t Table) Table {
	rows := slices.Clone(t)
	for i := range rows {
		rows[i].Own = true
	}
	return rows
}

// linkedList is the parameters of GET /venues and GET /organizers (sections
// 4.3 and 4.4).
func linkedList(of string) Table {
	return join(paging(of), Table{
		{Name: "search", Kind: Text, Type: "string", Echo: sent(5), Doc: of + ".list.search"},
		{
			Name: "event",
			Kind: ID,
			Of:   Event,
			Type: "integer",
			Echo: sent(2),
			Doc:  of + ".list.event",
		},
		{Name: "has_events", Kind: Truthy, Echo: sent(3), Doc: of + ".list.has_events"},
		{
			Name:    "only_with_upcoming",
			Kind:    Truthy,
			Default: false,
			Echo:    sent(6),
			Doc:     of + ".list.only_with_upcoming",
		},
		{
			Name:   "status",
			Kind:   Statuses,
			Format: "string",
			Echo:   made(4),
			Doc:    of + ".list.status",
		},
		{
			Name:  "include",
			Kind:  Include,
			Type:  "array",
			Items: "integer",
			Own:   true,
			Echo:  sent(7),
			Doc:   "list.include",
		},
		{
			Name:  "exclude",
			Kind:  Include,
			Type:  "array",
			Items: "integer",
			Own:   true,
			Echo:  sent(8),
			Doc:   "list.exclude",
		},
		{
			Name: "order",
			Kind: Optional,
			Type: "string",
			Enum: []string{"asc", "desc"},
			Own:  true,
			Echo: sent(9),
			Doc:  "list.order",
		},
		{
			Name: "orderby",
			Kind: Optional,
			Type: "string",
			Enum: []string{"date", "modified", "title", "id", "slug"},
			Own:  true,
			Echo: sent(10),
			Doc:  "list.orderby",
		},
	})
}

// address is the id and the slug of a venue or an organizer in a path.
func address(of string, entity Entity) (id, slug Table) {
	return Table{{
			Name:     "id",
			Kind:     ID,
			Of:       entity,
			Path:     true,
			Required: true,
			Type:     "integer",
			Doc:      of + ".id",
		}},
		Table{{
			Name:     "slug",
			Kind:     Slug,
			Of:       entity,
			Path:     true,
			Required: true,
			Type:     "string",
			Doc:      of + ".by_slug",
		}}
}

// venueFields is the body of a venue (section 2.2).
var venueFields = withPlain("venue", record.VenueFields, Table{
	{Name: "author", Kind: ID, Of: Account, Type: "integer", Doc: "venue.author"},
	{Name: "date", Kind: Date, Type: "string", Doc: "venue.date"},
	{Name: "date_utc", Kind: Date, Type: "string", Doc: "venue.date_utc"},
	{Name: "venue", Kind: Text, Required: true, Type: "string", Doc: "venue.venue"},
	{Name: "description", Kind: Optional, Default: Null, Type: "string", Doc: "venue.description"},
	{Name: "status", Kind: Status, Type: "string", Doc: "venue.status"},
	{Name: "show_map", Kind: Truthy, Default: Null, Type: "string", Doc: "venue.show_map"},
	{
		Name:    "show_map_link",
		Kind:    Truthy,
		Default: Null,
		Type:    "string",
		Doc:     "venue.show_map_link",
	},
	{Name: "address", Kind: Optional, Default: Null, Type: "string", Doc: "venue.address"},
	{Name: "city", Kind: Optional, Default: Null, Type: "string", Doc: "venue.city"},
	{Name: "country", Kind: Optional, Default: Null, Type: "string", Doc: "venue.country"},
	{Name: "province", Kind: Optional, Default: Null, Type: "string", Doc: "venue.province"},
	{Name: "state", Kind: Optional, Default: Null, Type: "string", Doc: "venue.state"},
	{Name: "zip", Kind: Optional, Default: Null, Type: "string", Doc: "venue.zip"},
	{Name: "phone", Kind: Optional, Default: Null, Type: "string", Doc: "venue.phone"},
	{
		Name:    "stateprovince",
		Kind:    Optional,
		Default: Null,
		Type:    "string",
		Doc:     "venue.stateprovince",
	},
	{Name: "website", Kind: URL, Default: Null, Type: "string", Doc: "venue.website"},
	{Name: "image", Kind: Image, Empty: true, Default: Null, Type: "string", Doc: "venue.image"},
	{
		Name:   "geo_lat",
		Kind:   Latitude,
		Type:   "number",
		Format: "double",
		Own:    true,
		Doc:    "venue.geo_lat",
	},
	{
		Name:   "geo_lng",
		Kind:   Longitude,
		Type:   "number",
		Format: "double",
		Own:    true,
		Doc:    "venue.geo_lng",
	},
})

// organizerFields is the body of an organizer (section 2.3).
var organizerFields = withPlain("organizer", record.OrganizerFields, Table{
	{
		Name:    "author",
		Kind:    ID,
		Of:      Account,
		Default: Null,
		Type:    "integer",
		Doc:     "organizer.author",
	},
	{Name: "date", Kind: Date, Default: Null, Type: "string", Doc: "organizer.date"},
	{Name: "date_utc", Kind: Date, Default: Null, Type: "string", Doc: "organizer.date_utc"},
	{
		Name:     "organizer",
		Kind:     Text,
		Required: true,
		Default:  Null,
		Type:     "string",
		Doc:      "organizer.organizer",
	},
	{
		Name:    "description",
		Kind:    Optional,
		Default: Null,
		Type:    "string",
		Doc:     "organizer.description",
	},
	{Name: "status", Kind: Status, Default: Null, Type: "string", Doc: "organizer.status"},
	{Name: "phone", Kind: Optional, Default: Null, Type: "string", Doc: "organizer.phone"},
	{Name: "website", Kind: URL, Default: Null, Type: "string", Doc: "organizer.website"},
	{Name: "email", Kind: Optional, Default: Null, Type: "string", Doc: "organizer.email"},
	{
		Name:    "image",
		Kind:    Image,
		Empty:   true,
		Default: Null,
		Type:    "string",
		Doc:     "organizer.image",
	},
})

var (
	venueID, venueSlug         = address("venue", Venue)
	organizerID, organizerSlug = address("organizer", Organizer)
)

// Tables of the venue operations (section 4.3).
var (
	VenueList         = linkedList("venue")
	VenueCreate       = venueFields
	VenueRead         = venueID
	VenueUpdate       = join(venueID, venueFields.optional("date", "date_utc"))
	VenueReadBySlug   = venueSlug
	VenueUpdateBySlug = join(venueSlug, venueFields.optional("date", "date_utc"))
)

// Tables of the organizer operations (section 4.4).
var (
	OrganizerList         = linkedList("organizer")
	OrganizerCreate       = organizerFields
	OrganizerRead         = organizerID
	OrganizerUpdate       = join(organizerID, organizerFields.optional("date", "date_utc"))
	OrganizerReadBySlug   = organizerSlug
	OrganizerUpdateBySlug = join(organizerSlug, organizerFields.optional("date", "date_utc"))
)

// termList is the parameters of GET /categories (section 4.5).
func termList(of string, entity Entity) Table {
	return join(paging(of), Table{
		{Name: "search", Kind: Text, Type: "string", Echo: sent(2), Doc: of + ".list.search"},
		{
			Name:  "exclude",
			Kind:  TermIDs,
			Of:    entity,
			Items: "integer",
			Echo:  sent(3),
			Doc:   of + ".list.exclude",
		},
		{
			Name:  "include",
			Kind:  TermIDs,
			Of:    entity,
			Items: "integer",
			Echo:  sent(4),
			Doc:   of + ".list.include",
		},
		{Name: "order", Kind: Text, Type: "string", Echo: sent(5), Doc: of + ".list.order"},
		{Name: "orderby", Kind: Text, Type: "string", Echo: sent(6), Doc: of + ".list.orderby"},
		{
			Name:    "hide_empty",
			Kind:    Bool,
			Default: true,
			Type:    "boolean",
			Echo:    sent(7),
			Doc:     of + ".list.hide_empty",
		},
		{
			Name: "parent",
			Kind: ID,
			Of:   entity,
			Type: "integer",
			Echo: sent(8),
			Doc:  of + ".list.parent",
		},
		{
			Name: "post",
			Kind: ID,
			Of:   Event,
			Type: "integer",
			Echo: sent(9),
			Doc:  of + ".list.post",
		},
		{
			Name: "event",
			Kind: ID,
			Of:   Event,
			Type: "integer",
			Echo: sent(10),
			Doc:  of + ".list.event",
		},
		{Name: "slug", Kind: Text, Type: "string", Echo: sent(11), Doc: of + ".list.slug"},
	})
}

// termFields is the body of a category (section 2.4).
func termFields(of string) Table {
	return Table{
		{Name: "name", Kind: Text, Required: true, Type: "string", Doc: of + ".name"},
		{Name: "description", Kind: Text, Type: "string", Doc: of + ".description"},
		{Name: "slug", Kind: Text, Type: "string", Doc: of + ".slug"},
		{Name: "parent", Kind: Digits, Of: Category, Type: "integer", Doc: of + ".parent"},
	}
}

// termID is the address of a term.
func termID(of string, entity Entity) Table {
	return Table{{
		Name:     "id",
		Kind:     ID,
		Of:       entity,
		Path:     true,
		Required: true,
		Type:     "integer",
		Doc:      of + ".id",
	}}
}

// Tables of the category operations (section 4.5).
var (
	CategoryList   = termList("category", Category)
	CategoryCreate = termFields("category")
	CategoryRead   = termID("category", Category)
	CategoryUpdate = join(CategoryRead, termFields("category").optional("description"))
)

// Tables of the tag operations (section 4.6): like categories, without a parent.
var (
	TagList   = termList("tag", Tag).without("parent")
	TagCreate = termFields("tag").without("parent")
	TagRead   = termID("tag", Tag)
	TagUpdate = join(TagRead, termFields("tag").without("parent").optional("description"))
)

// mediaFields is the body of an upload beside its file.
var mediaFields = Table{
	{Name: "title", Kind: Optional, Type: "string", Own: true, Doc: "media.title"},
	{Name: "alt", Kind: Optional, Type: "string", Own: true, Doc: "media.alt"},
	{Name: "caption", Kind: Optional, Type: "string", Own: true, Doc: "media.caption"},
	{
		Name:    "focus_x",
		Kind:    Number,
		Default: 50.0,
		Type:    "number",
		Own:     true,
		Doc:     "media.focus_x",
	},
	{
		Name:    "focus_y",
		Kind:    Number,
		Default: 50.0,
		Type:    "number",
		Own:     true,
		Doc:     "media.focus_y",
	},
}

// Tables of the operations on uploads, all of them our own.
var (
	MediaList = own(join(paging("media"), Table{{
		Name: "search",
		Kind: Text,
		Type: "string",
		Echo: sent(2),
		Doc:  "media.list.search",
	}}))
	MediaCreate = mediaFields
	MediaRead   = own(Table{{
		Name:     "id",
		Kind:     Digits,
		Of:       Picture,
		Path:     true,
		Required: true,
		Type:     "integer",
		Doc:      "media.id",
	}})
	MediaUpdate = join(MediaRead, mediaFields)
)

// Tables of the same operations as clients of the original know them, under wp/v2/media.
var (
	AttachmentList = join(MediaList, legacyFilter(3), own(Table{
		{Name: "parent", Kind: Number, Type: "integer", Echo: sent(10), Doc: "media.list.parent"},
		{
			Name: "mime_type",
			Kind: Optional,
			Type: "string",
			Echo: sent(11),
			Doc:  "media.list.mime_type",
		},
		{
			Name: "media_type",
			Kind: Choice,
			Type: "string",
			Enum: []string{"image", "video", "text", "application", "audio"},
			Echo: sent(12),
			Doc:  "media.list.media_type",
		},
	}), legacyOrder(13, "author", "include", "parent", "slug"))
	AttachmentRead   = join(MediaRead, legacyContext(1))
	attachmentFields = join(Table{{
		Name: "alt_text",
		Kind: Optional,
		Type: "string",
		Own:  true,
		Doc:  "media.alt",
	}}, mediaFields.without("alt"))
	AttachmentCreate = attachmentFields
	AttachmentUpdate = join(MediaRead, attachmentFields)
	AttachmentDelete = join(MediaRead, Table{{
		Name:    "force",
		Kind:    Bool,
		Default: false,
		Type:    "boolean",
		Own:     true,
		Doc:     "media.force",
	}})
)

// legacyFilter is the conditions of all lists there, from a place in links on. An offset is
// refused: a client that counts on with it would miss what a page is too short for.
func legacyFilter(place int) Table {
	return own(Table{
		{
			Name:  "include",
			Kind:  Include,
			Items: "integer",
			Echo:  sent(place),
			Doc:   "list.include",
		},
		{
			Name:  "exclude",
			Kind:  Include,
			Items: "integer",
			Echo:  sent(place + 1),
			Doc:   "list.exclude",
		},
		{Name: "slug", Kind: Optional, Type: "string", Echo: sent(place + 2), Doc: "list.slug"},
		{
			Name:  "author",
			Kind:  Include,
			Items: "integer",
			Echo:  sent(place + 3),
			Doc:   "list.author",
		},
		{Name: "after", Kind: Date, Type: "string", Echo: sent(place + 4), Doc: "list.after"},
		{Name: "before", Kind: Date, Type: "string", Echo: sent(place + 5), Doc: "list.before"},
		{
			Name: "offset",
			Kind: Choice,
			Type: "string",
			Enum: []string{"0"},
			Echo: sent(place + 6),
			Doc:  "list.offset",
		},
	})
}

// legacyOrder returns the parameters orderby, order and context of lists of wp/v2. by are further
// values of orderby; place is the place of the first parameter in links.
func legacyOrder(place int, by ...string) Table {
	return join(own(Table{
		{
			Name:    "orderby",
			Kind:    Choice,
			Default: "date",
			Type:    "string",
			Enum:    append(by, "date", "id", "modified", "title"),
			Echo:    sent(place),
			Doc:     "list.orderby",
		},
		{
			Name:    "order",
			Kind:    Choice,
			Default: "desc",
			Type:    "string",
			Enum:    []string{"asc", "desc"},
			Echo:    sent(place + 1),
			Doc:     "list.order",
		},
	}), legacyContext(place+2))
}

// legacyContext is the parameter that says for whom a record is shown there.
func legacyContext(place int) Table {
	return Table{{
		Name:    "context",
		Kind:    Choice,
		Default: "view",
		Type:    "string",
		Enum:    []string{"view", "embed", "edit"},
		Own:     true,
		Echo:    sent(place),
		Doc:     "index.context",
	}}
}

// Tables of events, of the caller and of settings there.
var (
	PostList = join(own(join(paging("event"), Table{
		{Name: "search", Kind: Text, Type: "string", Echo: sent(2), Doc: "event.list.search"},
	}, legacyFilter(3), Table{
		{
			Name:    "status",
			Kind:    Statuses,
			Default: []string{"publish"},
			Items:   "string",
			Echo:    sent(10),
			Doc:     "event.list.status",
		},
		{
			Name:  "tribe_events_cat",
			Kind:  Include,
			Items: "integer",
			Echo:  sent(11),
			Doc:   "event.list.categories",
		},
		{Name: "tags", Kind: Include, Items: "integer", Echo: sent(12), Doc: "event.list.tags"},
		{Name: "password", Kind: Optional, Type: "string", Echo: sent(13), Doc: "event.password"},
	})), legacyOrder(14))
	PostRead = join(own(Table{{
		Name:     "id",
		Kind:     Digits,
		Of:       Event,
		Path:     true,
		Required: true,
		Type:     "integer",
		Doc:      "event.id",
	}}), own(eventPassword), legacyContext(1))
	Me = legacyContext(1)
)

// ImportPicture is the parameters of a picture that almanac-move import -to sends.
var ImportPicture = own(join(Table{
	{Name: "address", Kind: Text, Required: true, Type: "string", Doc: "media.address"},
}, mediaFields.without("title").without("alt").without("caption")))
