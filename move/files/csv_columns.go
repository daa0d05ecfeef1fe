// The columns of tables, and the records that are made of rows.

package files

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/markup"
	"almanac/internal/write/intake"
	"almanac/store"
	"almanac/store/record"
)

// A table is a form of CSV files.
type table struct {
	kind    store.Kind
	name    string            // a column that every such file has
	beside  string            // another one
	columns map[string]string // the member of the record for each column
	record  func(t *tableReader, cells map[string]string) (Draft, error)
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
func (t *tableReader) members(cells map[string]string) (Draft, error) {
	draft := Draft{}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		cell := cells[name]
		whole, part, isPart := strings.Cut(name, ".")
		member, _ := intake.MemberOf(t.kind, name)
		isFlag := member.Is(intake.Truth)
		switch {
		case name == "" || name == "uid" || name == "id" || cell == "" && (isPart || isFlag || quiet[name]):
		case isPart:
			if draft[whole] == nil {
				draft[whole] = Draft{}
			}
			draft[whole].(Draft)[part] = cell
		case isFlag:
			v, err := truth(cell)
			if err != nil {
				return nil, fmt.Errorf("%s %w", t.names[name], err)
			}
			draft[name] = v
		case name == "status" || name == "event_status":
			draft[name] = strings.ToLower(cell)
		case name == "image" && cell == "":
			draft[name] = false
		case name == "image" && strings.Trim(cell, "0123456789") == "":
			t.left.count(fmt.Sprintf("numbers of pictures of another site in the column %.100q", t.names[name]))
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

// truths are the words for TRUE and FALSE, and for yes and no, of spreadsheets and of people who
// write them, in the languages of this program.
var truths = map[bool]map[string]bool{
	true: intake.Words(`true 1 yes y x on ✓ ✔ ☑ ja wahr oui vrai sí si verdadero cierto sì vero sim verdadeiro waar
		sand sandt sann sant kyllä tosi tak prawda ano pravda igen igaz да истина כן אמת نعم صحيح はい 是 真`),
	false: intake.Words(`false 0 no n off nein falsch non faux falso não nao nee onwaar nej falsk falskt nei usann ei
		epätosi nie fałsz ne nepravda nem hamis нет ложь לא שקר لا خطأ いいえ 否 假`),
}

// truth parses the boolean forms of spreadsheets.
func truth(cell string) (bool, error) {
	word := strings.ToLower(cell)
	for v, words := range truths {
		if words[word] {
			return v, nil
		}
	}
	return false, fmt.Errorf("must be TRUE or FALSE, not %.40q", cell)
}

// named returns a list of records with a name and nothing else.
func named(member string, names []string) []Draft {
	all := []Draft{}
	for _, name := range names {
		all = append(all, Draft{member: name})
	}
	return all
}

func eventOf(t *tableReader, cells map[string]string) (Draft, error) {
	d, err := t.members(cells)
	if err != nil {
		return nil, err
	}
	hasTimes := t.names["start.time"] != "" || t.names["end.time"] != ""
	isPlain := hasTimes || d["all_day"] == true && t.name == "EVENT NAME"
	start, err := t.moment(cells, "start", isPlain)
	if err != nil {
		return nil, err
	}
	end, err := t.moment(cells, "end", isPlain)
	if err != nil {
		return nil, err
	}
	if _, said := d["all_day"]; !said {
		d["all_day"] = !start.hasClock && !end.hasClock
		if _, asked := cells["all_day"]; asked && cells["global_id"] != "" {
			d["all_day"] = nil // a table that was exported without permission to read the event
		}
	}
	if cells["end.date"] == "" {
		end.day = start.day
		if end.hasClock && end.clock < start.clock {
			end.day = start.day.AddDate(0, 0, 1) // it ends after midnight
		}
	}
	switch {
	case end.hasClock:
	case d["all_day"] == true:
		end.clock = 24*time.Hour - time.Second
	default:
		end.clock = start.clock
	}
	d["start_date"] = start.String()
	d["end_date"] = end.String()
	if name, ok := cells["venue.venue"]; ok {
		venues := named("venue", listed(cells["venues"]))
		if name != "" {
			venue := d["venue"].(Draft)
			inRegion(venue)
			venues = append([]Draft{venue}, venues...)
		}
		d["venue"] = venues
	}
	global, _ := siteID(cmp.Or(cells["global_id"], cells["uid"], cells["id"]))
	if global != "" && strings.Trim(global, "0123456789") == "" {
		global = intake.Numbered + global
	}
	isElsewhere := t.isElsewhere(d, cells)
	if r, ok := d["recurrence"].(Draft); ok {
		rule := cells["recurrence.rule"]
		series := cells["recurrence.series"]
		if r["series"] = series[strings.LastIndexByte(series, '=')+1:]; series == "" &&
			rule != "" {
			d["recurrence"], d["calendar"] = nil, intake.CalendarPart{Rule: rule}
			texts := []string{cells["title"], d.Text("start_date")}
			if isElsewhere {
				texts = append(texts, venueOf(cells))
			}
			global = cmp.Or(global, noUID(texts...))
		}
	}
	if global != "" {
		d["global_id"] = global
	}
	if isElsewhere {
		d[otherVenue] = true
	}
	for _, name := range []string{"start", "end", "venues", "secret"} {
		delete(d, name)
	}
	return d, nil
}

// otherVenue is what a draft has until it is the record of an item: its value of Item.OtherVenue.
const otherVenue = "other_venue"

// isElsewhere reports whether an earlier row has the name and the start of an event at another
// venue: then it is another event.
func (t *tableReader) isElsewhere(d Draft, cells map[string]string) bool {
	if t.names["venue.venue"] == "" {
		return false
	}
	event := maphash.String(t.seed, cells["title"]+"\n"+d.Text("start_date")+"\n"+d.Text("timezone"))
	venue := maphash.String(t.seed, venueOf(cells))
	first, known := t.rooms[event]
	if !known && len(t.rooms) < mostRooms {
		t.rooms[event] = venue
	}
	return known && first != venue
}

// mostRooms limits the events whose venues a reader of a table remembers.
const mostRooms = 1 << 20

// venueOf returns what a row knows its venue by.
func venueOf(cells map[string]string) string {
	return cmp.Or(cells["venue.global_id"], strings.ToLower(cells["venue.venue"]))
}

// appointmentOf makes an event of a row from Google or Outlook: in plain text, and whole days end
// at the start of the next day.
func appointmentOf(t *tableReader, cells map[string]string) (Draft, error) {
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
	d, err := eventOf(t, cells)
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
	isPrivate, err := truth(cmp.Or(cells["secret.private"], "false"))
	isNormal := slices.Contains([]string{"", "normal"}, strings.ToLower(cells["secret.sensitivity"]))
	if isPrivate || err != nil || !isNormal {
		d["status"] = store.Private
	}
	return d, nil
}

func linkedOf(t *tableReader, cells map[string]string) (Draft, error) {
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
func inRegion(venue Draft) {
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
