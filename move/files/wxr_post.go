// The members of a record that are made of a post in an export of WordPress.

package files

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/i18n/cldr"
	"almanac/internal/text/cost"
	"almanac/internal/text/markup"
	"almanac/internal/write/intake"
	"almanac/store"
)

// exportMembers are the members of records by the keys of metadata that have their values.
var exportMembers = map[store.Kind]map[string]string{
	store.Events: {
		"_EventStartDate": "start_date", "_EventEndDate": "end_date", "_EventTimezone": "timezone", "_EventAllDay": "all_day",
		"_EventURL": "website", "_EventShowMap": "show_map", "_EventShowMapLink": "show_map_link",
		"_EventHideFromUpcoming": "hide_from_listings", "_tribe_featured": "featured",
		"_EventVenueID": "venue", "_EventOrganizerID": "organizer", "_thumbnail_id": "image",
		"_EventCost": "cost", "_EventCurrencySymbol": "currency_symbol", "_EventCurrencyCode": "currency_code",
		"_EventCurrencyPosition": "currency_position",
		"_tribe_events_status":   "event_status", "_tribe_events_status_reason": "event_status_reason",
		"_tribe_events_virtual_url": "virtual_url", "_tribe_events_is_virtual": "is_virtual",
		"_tribe_events_virtual_video_source": "virtual_video_source",
	},
	store.Venues: {
		"_VenueAddress": "address", "_VenueCity": "city", "_VenueCountry": "country", "_VenueProvince": "province",
		"_VenueState": "state", "_VenueZip": "zip", "_VenuePhone": "phone", "_VenueURL": "website",
		"_VenueStateProvince": "stateprovince", "_VenueLat": "geo_lat", "_VenueLng": "geo_lng",
		"_VenueShowMap": "show_map", "_VenueShowMapLink": "show_map_link", "_thumbnail_id": "image",
	},
	store.Organizers: {
		"_OrganizerPhone":   "phone",
		"_OrganizerWebsite": "website",
		"_OrganizerEmail":   "email",
		"_thumbnail_id":     "image",
	},
}

// derivedKeys are keys of metadata that follow from others, or say who edits a post.
var derivedKeys = intake.Words(
	`_EventOrigin _VenueOrigin _OrganizerOrigin _EventStartDateUTC _EventEndDateUTC _EventDuration
	_EventTimezoneAbbr _EventShowMap _EventShowMapLink _VenueShowMap _VenueShowMapLink _OrganizerOrganizerID _VenueVenueID
	_tribe_modified_fields _edit_last _edit_lock _wp_trash_meta_status _wp_trash_meta_time _wp_desired_post_slug
	_wp_old_date _VenueOverwriteCoords _tribe_ignored_event_previous_status`,
)

var (
	customKey  = regexp.MustCompile(`^([^_].*|_ecp_custom_\d+)$`)
	copiedKey  = regexp.MustCompile(`^_(Event|Venue|Organizer)post_`) // of the post itself
	serialized = regexp.MustCompile(`^[aOC]:\d+:`)                    // by PHP
)

// author returns the account here of the author of a post, "" for the account that imports.
func (x *exportReader) author(e *element) string {
	login := e.get("creator")
	if login != "" && x.Authors[login] == "" {
		x.left.count(fmt.Sprintf("times the author %.60q (see -author)", login))
	}
	return x.Authors[login]
}

// globalID returns the id of a post across sites.
func (x *exportReader) globalID(id string) string { return x.host + "?id=" + id }

// post yields an event, a venue or an organizer.
func (x *exportReader) post(e *element, k store.Kind) error {
	d := Draft{
		intake.Table[k][1].Name: markup.Title(e.get("title")),
		"global_id":             x.globalID(e.get("post_id")),
		"url":                   e.get("link"),
		"slug":                  e.get("post_name"),
		"status":                e.get("status"),
		"image":                 false,
		"description":           markup.Content(x.withGalleries(e.get("content"))),
		"excerpt":               markup.Excerpt(e.get("excerpt")),
	}
	for name, from := range map[string]string{
		"date":         "post_date",
		"date_utc":     "post_date_gmt",
		"modified":     "post_modified",
		"modified_utc": "post_modified_gmt",
	} {
		d.Set(name, e.get(from)) // old exports do not have the time of the change
	}
	for _, name := range exportMembers[k] {
		if m, ok := intake.MemberOf(k, name); ok && m.Is(intake.Truth) {
			d[name] = k == store.Venues // if it was never stored
		}
	}
	if k == store.Events {
		d["website"] = d["url"] // lists say so if it was never stored
		d["virtual_url"] = ""   // a newer export without it has removed it
		d["sticky"] = e.get("menu_order") == "-1"
		d["password"] = e.get("post_password")
		d["venue"], d["organizer"] = []Draft{}, []Draft{}
		d["categories"], d["tags"] = x.terms(e, "tribe_events_cat"), x.terms(e, "post_tag")
		if parent := e.number("post_parent"); parent != 0 {
			d["post_parent"] = parent
		}
	} else if e.get("post_password") != "" {
		x.left.count("passwords of " + k.String() + ", which are private here")
		d["status"] = store.Private
	}
	x.meta(e, k, d)
	if k == store.Events && isRecurring(e) {
		page := withDate(d.Text("url"), d.Text("start_date"))
		if d["website"] == d["url"] {
			d["website"] = page
		}
		d["url"] = page
	}
	var err error
	if e.number("post_id") <= 0 {
		err = fmt.Errorf("has no number in wp:post_id, but %.40q", e.get("post_id"))
	}
	return x.give(e, k, d, err)
}

// terms returns the terms of an event.
func (x *exportReader) terms(e *element, taxonomy string) []Draft {
	terms := []Draft{}
	for _, term := range e.Elements {
		if term.Taxonomy == taxonomy {
			terms = append(terms, Draft{"name": term.Text, "slug": term.Nicename})
		}
	}
	return terms
}

// meta sets the members that are metadata of a post, and counts everything else in it.
func (x *exportReader) meta(e *element, k store.Kind, d Draft) {
	var price cost.Cost
	var fields store.CustomFields
	var former []string
	currency := map[string]*string{
		"currency_symbol":   &price.Symbol,
		"currency_code":     &price.Code,
		"currency_position": &price.Position,
	}
	for _, part := range e.Elements {
		key := part.get("meta_key")
		value := part.get("meta_value")
		name := exportMembers[k][key]
		taxonomy := part.Taxonomy
		m, _ := intake.MemberOf(k, name)
		switch {
		case part.name() == "comment":
			x.left.count("comments")
		case taxonomy != "" && (k != store.Events || taxonomy != "tribe_events_cat" && taxonomy != "post_tag"):
			x.left.count(fmt.Sprintf("terms of %.40q", taxonomy))
		case part.name() != "postmeta":
		case name == "image":
			x.setImage(d, value)
		case name == "cost" && value != "":
			price.Entries = append(price.Entries, entriesOf(value)...)
		case key == "_wp_old_slug" && value != "":
			former = append(former, value)
		case currency[name] != nil:
			*currency[name] = value
		case name == "event_status" && value != "scheduled" && value != store.Canceled && value != store.Postponed:
			if value != "" {
				x.left.count(fmt.Sprintf("times the state %.40q", value))
			}
		case m.Is(intake.Truth) && name != "":
			d[name], _ = truth(value)
		case m.Is(intake.Reference):
			if id, err := strconv.ParseInt(value, 10, 64); err == nil && id > 0 {
				d[name] = append(d[name].([]Draft), Draft{
					"global_id": x.globalID(value),
				})
			}
		case name != "":
			d[name] = value
		case value == "" || derivedKeys[key] || copiedKey.MatchString(key):
		default:
			i := slices.IndexFunc(fields, func(f store.CustomField) bool { return f.Key == key })
			field := store.CustomField{Key: key, Label: key, Value: value}
			if i >= 0 {
				field.Value = fields[i].Value + ", " + value
			}
			if customKey.MatchString(key) && !serialized.MatchString(value) {
				if next, err := fields.Add(field); err == nil {
					fields = next
					break
				}
			}
			x.left.count(fmt.Sprintf("values of %.60q", key))
		}
	}
	if len(fields) > 0 {
		d["custom_fields"] = fields
	}
	if len(former) > 0 {
		d["former_slugs"] = former
	}
	if k == store.Events {
		d["cost"] = price.Text(cldr.Currency{})
		d["cost_details"] = Draft{
			"values":            price.Values(),
			"currency_symbol":   price.Symbol,
			"currency_code":     price.Code,
			"currency_position": price.Position,
		}
	}
}

// entriesOf returns the amounts and texts of one value of a cost: a range is two.
func entriesOf(value string) []string {
	c, err := cost.Parse(value)
	if err != nil {
		return []string{value}
	}
	return c.Entries
}

// isRecurring reports whether a post has a rule by which the paid edition repeats it.
func isRecurring(e *element) bool {
	return slices.ContainsFunc(e.Elements, func(part element) bool {
		return part.get("meta_key") == "_EventRecurrence" && part.get("meta_value") != ""
	})
}

// withDate returns the address of the first date of a series, by that of its post.
func withDate(address, start string) string {
	day, _, _ := strings.Cut(start, " ")
	if day == "" || strings.Contains(address, "?") || datedPage.MatchString(address) {
		return address
	}
	return strings.TrimSuffix(address, "/") + "/" + day + "/"
}

// datedPage is the address of a date of a series.
var datedPage = regexp.MustCompile(`/\d{4}-\d\d-\d\d(?:/\d+)?/?$`)
