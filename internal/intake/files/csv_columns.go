// The columns of tables, and the records that are made of rows.

package files

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/intake"
	"almanac/internal/markup"
	"almanac/store"
	"almanac/store/record"
)

// A table is a form of CSV files.
type table struct {
	kind    store.Kind
	name    string            // a column that every such file has
	beside  string            // another one
	columns map[string]string // the member of the record for each column
	record  func(t *table, cells map[string]string, dates *dateOrder) (intake.Draft, error)
}

// tables are the known forms. A column maps to a member of the record, or to a part of a member,
// as venue.city. Columns that map to "" are ignored.
var tables = []table{
	{store.Events, "EVENT NAME", "EVENT START DATE", withPlain(map[string]string{
		"EVENT NAME": "title", "EVENT EXCERPT": "excerpt", "EVENT DESCRIPTION": "description", "EVENT SLUG": "slug", "EVENT STATUS": "status",
		"EVENT START DATE": "start.date", "EVENT START TIME": "start.time", "EVENT END DATE": "end.date", "EVENT END TIME": "end.time",
		"ALL DAY EVENT": "all_day", "TIMEZONE": "timezone", "EVENT TIMEZONE": "timezone", "TIME ZONE": "timezone",
		"HIDE FROM EVENT LISTINGS": "hide_from_listings", "HIDE EVENT FROM LISTINGS": "hide_from_listings", "STICKY IN MONTH VIEW": "sticky",
		"EVENT STICKY IN MONTH VIEW": "sticky", "FEATURE EVENT": "featured", "FEATURED EVENT": "featured",
		"EVENT CATEGORY": "categories", "EVENT CATEGORIES": "categories", "EVENT TAGS": "tags", "EVENT TAG": "tags",
		"EVENT COST": "cost", "EVENT CURRENCY SYMBOL": "cost_details.currency_symbol",
		"EVENT CURRENCY POSITION": "cost_details.currency_position", "EVENT ISO CURRENCY CODE": "cost_details.currency_code",
		"EVENT FEATURED IMAGE": "image", "EVENT WEBSITE": "website", "EVENT SHOW MAP LINK": "show_map_link", "EVENT SHOW MAP": "show_map",
		"ALLOW COMMENTS": "", "ALLOW TRACKBACKS AND PINGBACKS": "", "EVENT ALLOW COMMENTS": "", "EVENT ALLOW TRACKBACKS AND PINGBACKS": "",
		"EVENT ORGANIZER NAME": "organizer", "EVENT ORGANIZER NAME(S) OR ID(S)": "organizer",
		"EVENT VENUE NAME": "venue.venue", "EVENT VENUE GLOBAL ID": "venue.global_id", "EVENT VENUE ADDRESS": "venue.address",
		"EVENT VENUE CITY": "venue.city", "EVENT VENUE STATE/PROVINCE": "venue.stateprovince", "EVENT VENUE ZIP": "venue.zip",
		"EVENT VENUE COUNTRY": "venue.country", "EVENT VENUE LATITUDE": "venue.geo_lat", "EVENT VENUE LONGITUDE": "venue.geo_lng",
		"EVENT FURTHER VENUES": "venues", "GLOBAL ID": "global_id", "GLOBAL ID LINEAGE": "global_id_lineage",
		"EVENT PUBLISHED UTC": "date_utc", "EVENT MODIFIED UTC": "modified_utc", "EVENT PAGE": "url",
		"EVENT SERIES": "recurrence.series", "EVENT SERIES RULE": "recurrence.rule", "EVENT SERIES DATE": "recurrence.start",
		"EVENT STATE": "event_status", "EVENT STATE REASON": "event_status_reason",
		"EVENT SERIES CHANGED": "recurrence.changed", "UID": "uid", "EVENT UID": "uid", "ID": "id", "EVENT ID": "id",
	}), eventOf},
	{store.Events, "SUBJECT", "START DATE", map[string]string{
		"SUBJECT":       "title",
		"START DATE":    "start.date",
		"START TIME":    "start.time",
		"END DATE":      "end.date",
		"END TIME":      "end.time",
		"ALL DAY EVENT": "all_day",
		"DESCRIPTION":   "description",
		"LOCATION":      "venue.venue",
		"CATEGORIES":    "categories",
		"PRIVATE":       "secret.private",
		"SENSITIVITY":   "secret.sensitivity",
	}, appointmentOf},
	{store.Venues, "VENUE NAME", "VENUE NAME", map[string]string{
		"VENUE NAME": "venue", "VENUE DESCRIPTION": "description", "VENUE EXCERPT": "excerpt", "VENUE ADDRESS": "address",
		"VENUE ADDRESS 2": "address2", "VENUE CITY": "city", "VENUE STATE/PROVINCE": "stateprovince", "VENUE STATE": "stateprovince",
		"VENUE PROVINCE": "stateprovince", "VENUE ZIP": "zip", "VENUE COUNTRY": "country", "VENUE PHONE": "phone", "VENUE WEBSITE": "website",
		"VENUE FEATURED IMAGE": "image", "FEATURED IMAGE": "image", "VENUE LATITUDE": "geo_lat", "VENUE LONGITUDE": "geo_lng",
		"VENUE SHOW MAP": "show_map", "VENUE SHOW MAP LINK": "show_map_link", "SHOW MAP": "show_map", "SHOW MAP LINK": "show_map_link",
		"GLOBAL ID": "global_id",
	}, linkedOf},
	{store.Organizers, "ORGANIZER NAME", "ORGANIZER NAME", map[string]string{
		"ORGANIZER NAME":           "organizer",
		"ORGANIZER DESCRIPTION":    "description",
		"ORGANIZER EXCERPT":        "excerpt",
		"ORGANIZER EMAIL":          "email",
		"ORGANIZER WEBSITE":        "website",
		"ORGANIZER PHONE":          "phone",
		"ORGANIZER FEATURED IMAGE": "image",
		"FEATURED IMAGE":           "image",
		"GLOBAL ID":                "global_id",
	}, linkedOf},
}

// withPlain adds the columns of plain fields that other programs do not have.
func withPlain(columns map[string]string) map[string]string {
	for _, f := range record.PlainFields(record.EventFields, "ticketed", "")[1:] {
		columns["EVENT "+f.Upper(" ")] = f.Name
	}
	return columns
}

// quiet are the members that an empty cell leaves unchanged. It clears other members.
var quiet = intake.Words(
	`slug status event_status timezone date_utc modified_utc url global_id geo_lat geo_lng`,
)

// members returns the members of a record that depend on their own cells alone.
func (t *table) members(cells map[string]string) (intake.Draft, error) {
	draft := intake.Draft{}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		cell := cells[name]
		column, isUnknown := strings.CutPrefix(name, unknownColumn)
		whole, part, isPart := strings.Cut(name, ".")
		member, _ := intake.MemberOf(t.kind, name)
		isFlag := member.Is(intake.Truth)
		switch {
		case isUnknown && cell != "":
			draft[column] = cell // reported as unknown
		case isUnknown || name == "" || name == "uid" || name == "id" || cell == "" && (isPart || isFlag || quiet[name]):
		case isPart:
			if draft[whole] == nil {
				draft[whole] = intake.Draft{}
			}
			draft[whole].(intake.Draft)[part] = cell
		case isFlag:
			v, err := truth(cell)
			if err != nil {
				return nil, fmt.Errorf("%s %w", name, err)
			}
			draft[name] = v
		case name == "image" && cell == "":
			draft[name] = false
		case name == "image" && strings.Trim(cell, "0123456789") == "":
			draft["FEATURED IMAGE"] = cell // a number means nothing outside of its site
		case name == "categories" || name == "tags":
			draft[name] = named("name", listed(markup.EscapeName(cell)))
		case name == "organizer" && t.kind == store.Events:
			draft[name] = named("organizer", listed(cell))
		case member.Is(intake.TextList):
			draft[name] = listed(cell)
		default:
			draft[name] = cell
		}
	}
	return draft, nil
}

// truth parses the boolean forms of spreadsheets.
func truth(cell string) (bool, error) {
	switch strings.ToLower(cell) {
	case "true", "1", "yes", "y", "x", "on":
		return true, nil
	case "false", "0", "no", "n", "off":
		return false, nil
	}
	return false, fmt.Errorf("must be TRUE or FALSE, not %.40q", cell)
}

// named returns a list of records with a name and nothing else.
func named(member string, names []string) []intake.Draft {
	all := []intake.Draft{}
	for _, name := range names {
		all = append(all, intake.Draft{member: name})
	}
	return all
}

func eventOf(t *table, cells map[string]string, dates *dateOrder) (intake.Draft, error) {
	d, err := t.members(cells)
	if err != nil {
		return nil, err
	}
	_, clock := intake.DateAndTime(cells["start.date"])
	if _, said := d["all_day"]; !said {
		d["all_day"] = cmp.Or(cells["start.time"], cells["end.time"], clock) == ""
		if _, asked := cells["all_day"]; asked && cells["global_id"] != "" {
			d["all_day"] = nil // a table that was exported without permission to read the event
		}
	}
	end := cmp.Or(cells["start.time"], clock)
	if d["all_day"] == true {
		end = "23:59:59"
	}
	if d["start_date"], err = dates.moment(cells["start.date"], cells["start.time"], "00:00"); err != nil {
		return nil, fmt.Errorf("EVENT START: %w", err)
	}
	last := cmp.Or(cells["end.date"], cells["start.date"])
	if d["end_date"], err = dates.moment(last, cells["end.time"], cmp.Or(end, "00:00")); err != nil {
		return nil, fmt.Errorf("EVENT END: %w", err)
	}
	if name, ok := cells["venue.venue"]; ok {
		venues := named("venue", listed(cells["venues"]))
		if name != "" {
			venue := d["venue"].(intake.Draft)
			inRegion(venue)
			venues = append([]intake.Draft{venue}, venues...)
		}
		d["venue"] = venues
	}
	global, _ := siteID(cmp.Or(cells["global_id"], cells["uid"], cells["id"]))
	if global != "" && strings.Trim(global, "0123456789") == "" {
		global = intake.Numbered + global
	}
	if r, ok := d["recurrence"].(intake.Draft); ok {
		rule := cells["recurrence.rule"]
		series := cells["recurrence.series"]
		if r["series"] = series[strings.LastIndexByte(series, '=')+1:]; series == "" &&
			rule != "" {
			d["recurrence"], d["calendar"] = nil, intake.CalendarPart{Rule: rule}
			global = cmp.Or(global, noUID(cells["title"], d.Text("start_date")))
		}
	}
	if global != "" {
		d["global_id"] = global
	}
	for _, name := range []string{"start", "end", "venues", "secret"} {
		delete(d, name)
	}
	return d, nil
}

// appointmentOf makes an event of a row from Google or Outlook: in plain text, and whole days end
// at the start of the next day.
func appointmentOf(t *table, cells map[string]string, dates *dateOrder) (intake.Draft, error) {
	for name, change := range map[string]func(string) string{
		"title":       markup.EscapeName,
		"description": paragraphs,
		"categories":  strings.NewReplacer(";", ",").Replace,
	} {
		if cell, ok := cells[name]; ok {
			cells[name] = change(cell)
		}
	}
	if cell, ok := cells["venue.venue"]; ok {
		place := placed(cell)
		cells["venue.venue"] = place.Text("venue")
		cells["venue.address"] = place.Text("address")
		cells["venue.website"] = place.Text("website")
	}
	d, err := eventOf(t, cells, dates)
	if err != nil {
		return nil, err
	}
	if d["all_day"] == true {
		first := d.Text("start_date")
		last := d.Text("end_date")
		if end, err := time.Parse(time.DateTime, last); err == nil && last > first &&
			strings.HasSuffix(last, " 00:00:00") {
			last = end.AddDate(0, 0, -1).Format(time.DateOnly)
		}
		d["start_date"] = first[:len(time.DateOnly)] + " 00:00:00"
		d["end_date"] = last[:len(time.DateOnly)] + " 23:59:59"
	}
	if slices.ContainsFunc(
		[]string{cells["secret.private"], cells["secret.sensitivity"]},
		func(cell string) bool {
			return !slices.Contains([]string{"", "false", "normal"}, strings.ToLower(cell))
		},
	) {
		d["status"] = store.Private
	}
	return d, nil
}

func linkedOf(t *table, cells map[string]string, _ *dateOrder) (intake.Draft, error) {
	d, err := t.members(cells)
	if err != nil {
		return nil, err
	}
	if more := cells["address2"]; more != "" {
		d["address"] = strings.Trim(cells["address"]+", "+more, ", ")
	}
	delete(d, "address2")
	inRegion(d)
	return d, nil
}

// inRegion moves the state or province of a venue to state in the United States, and to province
// elsewhere, as lists do.
func inRegion(venue intake.Draft) {
	region, ok := venue["stateprovince"]
	if !ok {
		return
	}
	switch strings.ToLower(strings.ReplaceAll(venue.Text("country"), ".", "")) {
	case "", "us", "usa", "united states", "united states of america":
		venue["state"] = region
	default:
		venue["province"] = region
	}
}
