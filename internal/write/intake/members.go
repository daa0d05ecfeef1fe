// The members of records: one table for imports, seeds and exports.

package intake

import (
	"slices"
	"strings"

	"almanac/store"
	stored "almanac/store/record"
)

// A Class is the type of the values of a member, with flags for its use in the dialects.
type Class int

const (
	Text        Class = iota // a text, or a number in the form it was written in
	Truth                    // true or false
	WholeNumber              // or its digits as a text
	Decimal                  // or its digits as a text
	EventDate                // a date in the zone of the event
	SiteDate                 // a date in the zone of the site, or in UTC
	Reference                // a record of a kind, or a list of them
	TextList                 // a list of texts
	Recurring                // recurrence of an event, or its place in a series
	freeForm                 // depends on the member
	Derived                  // anything: it follows from other members and is ignored

	Always   Class = 1 << 4 // exported even if empty
	seedOnly Class = 1 << 5 // of seeds and exports; lists of sites have no such member
	ofWhole  Class = 1 << 6 // of Item.Whole too
)

type Member struct {
	Name  string
	Class Class
	Field any // pointer into the record; nil if the member has no plain field
}

// Base returns the class without its flags.
func (m Member) Base() Class { return m.Class & (Always - 1) }

// takes reports whether records of the item have the member.
func (rd *reader) takes(m Member) bool {
	return m.Class&seedOnly == 0 || rd.isNative() || rd.item.Whole && m.Class&ofWhole != 0
}

// Is reports whether the member is of a class.
func (m Member) Is(c Class) bool { return m.Base() == c }

// Refers returns the kind of the records of a Reference.
func (m Member) Refers() store.Kind {
	return map[string]store.Kind{
		"image":       store.Images,
		"categories":  store.Categories,
		"parent":      store.Categories,
		"tags":        store.Tags,
		"venue":       store.Venues,
		"organizer":   store.Organizers,
		"post_parent": store.Events,
	}[m.Name]
}

// Kinds are the kinds of records, referenced kinds first.
var Kinds = []store.Kind{
	store.Images,
	store.Categories,
	store.Tags,
	store.Venues,
	store.Organizers,
	store.AllSeries,
	store.Events,
}

// KindOf returns a kind by its name in lists.
func KindOf(name string) (store.Kind, bool) {
	for _, k := range Kinds {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// Table has the members of each kind. Its Fields show the type of a member; they point to unused
// records.
var Table = map[store.Kind][]Member{
	store.Events:     Members(&store.Event{}),
	store.Venues:     Members(&store.Venue{Geo: &store.Geo{}}),
	store.Organizers: Members(&store.Organizer{}),
	store.Categories: Members(&store.Term{Taxonomy: store.Categories}),
	store.Tags:       Members(&store.Term{Taxonomy: store.Tags}),
	store.Images:     Members(&store.Image{}),
	store.AllSeries:  Members(&store.Series{}),
}

// MemberOf returns a member of a kind in Table by its name.
func MemberOf(k store.Kind, name string) (Member, bool) { return among(Table[k], name) }

func among(members []Member, name string) (m Member, ok bool) {
	for _, m := range members {
		if m.Name == name {
			return m, true
		}
	}
	return m, false
}

// Members returns the members of a record in the order of exports. Field points into r.
func Members(r store.Record) []Member {
	switch r := r.(type) {
	case *store.Event:
		return slices.Concat(postMembers("title", &r.Title, &r.Post), eventMembers(r), []Member{{"recurrence", Recurring, &r.Recurrence}})
	case *store.Series:
		members := slices.Concat(postMembers("title", &r.Event.Title, &r.Event.Post), eventMembers(&r.Event), []Member{
			{"rule", Text, &r.Rule}, {"rdates", TextList, &r.RDates}, {"exdates", TextList, &r.EXDates}, {"horizon", EventDate, &r.Horizon},
			{"earlier_part", WholeNumber, &r.Event.Parts.Earlier}, {"later_part", WholeNumber, &r.Event.Parts.Later},
		})
		members[0].Field = &r.ID // the event of a series has no id
		return members
	case *store.Venue:
		return slices.Concat(postMembers("venue", &r.Name, &r.Post), venueMembers(r))
	case *store.Organizer:
		return slices.Concat(postMembers("organizer", &r.Name, &r.Post), plainMembers(stored.OrganizerFields, r, Truth))
	case *store.Term:
		return termMembers(r)
	case *store.Image:
		return imageMembers(r)
	}
	return nil
}

func postMembers(name string, title *string, p *store.Post) []Member {
	return append([]Member{
		{"id", WholeNumber | Always, &p.ID}, {name, Text | Always, title},
		{
			"slug",
			Text | Always,
			&p.Slug,
		}, {"status", Text | Always, &p.Status}, {"author", WholeNumber | Always, &p.Author},
		{"date", SiteDate, nil}, {"date_utc", SiteDate | Always, &p.Date},
		{
			"undated",
			Truth | seedOnly,
			&p.Undated,
		}, {"local_date", Truth | seedOnly, &p.LocalDate}, {"was_draft", Truth | seedOnly, &p.WasDraft},
		{"modified", SiteDate, nil}, {"modified_utc", SiteDate | Always, &p.Modified},
		{
			"description",
			Text,
			&p.Description,
		}, {"excerpt", Text, &p.Excerpt}, {"image", Reference, &p.Image},
		{
			"global_id_lineage",
			TextList,
			&p.Origins,
		}, {"former_slugs", TextList | seedOnly | ofWhole, &p.Former},
		{"custom_fields", freeForm, &p.CustomFields},
	}, derived(`global_id url json_ld`)...)
}

func eventMembers(e *store.Event) []Member {
	currency := Text | seedOnly
	website := Text
	if !e.Cost.IsZero() {
		currency |= Always // exports the cost in its stored form
	}
	if e.NoWebsite {
		website |= Always
	}
	return slices.Concat([]Member{
		{
			"start_date",
			EventDate | Always,
			&e.Start,
		}, {"end_date", EventDate | Always, &e.End}, {"timezone", Text | Always, &e.Timezone},
		{
			"all_day",
			Truth,
			&e.AllDay,
		}, {"cost", freeForm, &e.Entries}, {"cost_details", freeForm, nil},
		{"currency_symbol", currency, &e.Symbol}, {"currency_code", Text | seedOnly, &e.Code},
		{
			"currency_position",
			Text | seedOnly,
			&e.Position,
		}, {"cost_text", Text, &e.Wording}, {"website", website, &e.Website},
	}, plainMembers(stored.EventFields, e, Truth), []Member{
		{"categories", Reference, &e.Categories}, {"tags", Reference, &e.Tags},
		{
			"venue",
			Reference,
			&e.Venues,
		}, {"organizer", Reference, &e.Organizers}, {"post_parent", Reference, &e.Parent},
		{"password", Text, nil}, {"stored_password", Text | seedOnly, &e.Password},
		{
			"event_status",
			Text,
			&e.State,
		}, {"event_status_reason", Text, &e.StateReason}, {"previous_start_date", EventDate, &e.PreviousStart},
	}, derived(`protected rescheduled is_virtual virtual_video_source
		rest_url timezone_abbr start_date_details end_date_details utc_start_date utc_start_date_details utc_end_date
		utc_end_date_details`))
}

func venueMembers(v *store.Venue) []Member {
	var lat, lng any
	if v.Geo != nil {
		lat = &v.Geo.Lat
		lng = &v.Geo.Lng
	}
	return append(plainMembers(stored.VenueFields, v, Truth|Always),
		Member{"geo_lat", Decimal | Always, lat}, Member{"geo_lng", Decimal | Always, lng})
}

// plainMembers returns the members of the plain fields of a record; flags are of a class.
func plainMembers[T any](fields []stored.Field[T], r *T, flag Class) (all []Member) {
	for _, f := range stored.PlainFields(fields, "", "") {
		m := Member{f.Name, Text, f.At(r)}
		if f.IsFlag() {
			m.Class = flag
		}
		all = append(all, m)
	}
	return all
}

func termMembers(t *store.Term) []Member {
	parent := Member{"parent", Reference, &t.Parent}
	if t.Taxonomy == store.Tags {
		parent = Member{"parent", Derived, nil}
	}
	return append([]Member{
		{
			"id",
			WholeNumber | Always,
			&t.ID,
		}, {"name", Text | Always, &t.Name}, {"slug", Text | Always, &t.Slug},
		{
			"former_slugs",
			TextList | seedOnly,
			&t.Former,
		}, {"description", Text, &t.Description}, parent,
	}, derived(`term_group term_taxonomy_id taxonomy count filter url urls meta _links`)...)
}

func imageMembers(i *store.Image) []Member {
	focus := WholeNumber | seedOnly
	if i.Sent != "" {
		focus |= Always // 0 is an edge, and requests have 50
	}
	return []Member{
		{
			"id",
			WholeNumber | Always,
			&i.ID,
		}, {"url", Text | Always, &i.URL}, {"extension", Text, &i.Extension},
		{
			"width",
			WholeNumber,
			&i.Width,
		}, {"height", WholeNumber, &i.Height}, {"filesize", WholeNumber, &i.Filesize},
		{"sizes", freeForm, &i.Sizes}, {"original_image", Text, &i.Original},
		{
			"title",
			Text | seedOnly,
			&i.Title,
		}, {"alt", Text | seedOnly | ofWhole, &i.Alt}, {"caption", Text | seedOnly, &i.Caption},
		{
			"focus_x",
			focus,
			&i.FocusX,
		}, {"focus_y", focus, &i.FocusY}, {"sent", Text | seedOnly, &i.Sent},
		{"origins", TextList | seedOnly, &i.Origins}, {"file", Derived, nil},
	}
}

// SizeMembers returns the members of a scaled copy of an image in the order of exports.
func SizeMembers(s *store.ImageSize) []Member {
	return []Member{
		{
			"width",
			WholeNumber | Always,
			&s.Width,
		}, {"height", WholeNumber | Always, &s.Height}, {"mime-type", Text, &s.MIMEType},
		{
			"filesize",
			WholeNumber,
			&s.Filesize,
		}, {"uncropped", Truth, &s.Uncropped}, {"url", Text | Always, &s.URL},
	}
}

// derived returns a Derived member for each name.
func derived(names string) (all []Member) {
	for name := range strings.FieldsSeq(names) {
		all = append(all, Member{Name: name, Class: Derived})
	}
	return all
}

// take sets the texts, numbers and flags of some members that the record has. If the record is
// whole, a missing text is empty, and a missing number 0.
func (r *record) take(members []Member, whole bool) {
	for _, m := range members {
		if !whole && !r.has(m.Name) {
			continue
		}
		switch field := m.Field.(type) {
		case *string:
			*field = r.text(m.Name)
		case *bool:
			r.setFlag(field, m.Name)
		case **bool:
			if r.has(m.Name) {
				*field = new(r.flag(m.Name))
			}
		case *int:
			*field = int(r.integer(m.Name))
		case *int64:
			*field = r.integer(m.Name)
		}
	}
}
