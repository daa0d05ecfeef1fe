// The members of records, and the order of lists.

package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/move/oldsite"
)

// shapes are patterns of values in JSON.
var shapes = map[string]string{
	"number":  `^-?\d+$`,
	"text":    `^"`,
	"flag":    `^(true|false)$`,
	"date":    `^"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$`,
	"list":    `^\[`,
	"object":  `^\{`,
	"objects": `^[\[{]`,
	"image":   `^(false$|\{)`,
	"cost":    `^\{.*"currency_position":".*"currency_symbol":".*"values":\[("|\])`,
	"details": `^\{"day":"\d\d","hour":"\d\d","minutes":"\d\d","month":"\d\d","seconds":"\d\d",` +
		`"year":"\d{4}"\}$`,
}

// members are the members that each record of a kind has: in a line, those with a shape.
var members = map[string]string{
	"events": `number id
		text global_id author status url rest_url title description excerpt slug timezone timezone_abbr
		text cost website
		date date date_utc modified modified_utc start_date end_date utc_start_date utc_end_date
		details start_date_details end_date_details utc_start_date_details utc_end_date_details
		flag all_day show_map show_map_link hide_from_listings sticky featured
		list global_id_lineage categories tags organizer
		objects venue custom_fields
		image image
		cost cost_details`,
	"venues": `number id
		text global_id status url venue
		date date date_utc modified modified_utc
		flag show_map show_map_link
		list global_id_lineage`,
	"organizers": `number id
		text global_id status url organizer
		date date date_utc modified modified_utc
		list global_id_lineage`,
	"categories": "number id count parent\ntext name slug taxonomy description url\nobject urls",
	"tags":       "number id count\ntext name slug taxonomy description url\nobject urls",
}

// inForm compares the members of a record with the specification.
func inForm(kind string, record object) error {
	for line := range strings.Lines(members[kind]) {
		fields := strings.Fields(line)
		for _, name := range fields[1:] {
			text, _ := json.Marshal(record[name]) // it was JSON
			isInShape, _ := regexp.Match(shapes[fields[0]], text)
			if !isInShape {
				return fmt.Errorf("%s of %d is missing, or %.80s", name, oldsite.ID(record), text)
			}
		}
	}
	return nil
}

// inZones compares the starts of events in UTC with those in their zones. The Events Calendar
// leaves UTC behind when a zone changes, so that a few may be wrong.
func inZones(events []object) error {
	right := 0
	var wrong []string
	for _, event := range events {
		name := oldsite.Text(event["timezone"])
		local := oldsite.Text(event["start_date"])
		at, err := time.Parse(time.DateTime, local)
		zone, unknown := caltime.LoadZone(name)
		if err != nil || unknown != nil || oldsite.HasOffset.MatchString(name) {
			continue
		}
		utc := zone.Instant(at).UTC().Format(time.DateTime)
		if shown := oldsite.Text(event["utc_start_date"]); shown != utc {
			wrong = append(wrong, fmt.Sprintf(
				"utc_start_date of %d is %.80s, not %s", oldsite.ID(event), shown, utc))
		} else if utc != local {
			right++
		}
	}
	if len(wrong) > right {
		return errors.New(wrong[0])
	}
	return nil
}

// inOrder compares the order of a list with the specification: events by their starts and dates,
// venues and organizers by their dates, the newest first, and terms by their names, whose order
// depends on the language.
func inOrder(kind string, list []object) error {
	key := func(record object) string {
		return oldsite.Text(record["start_date"]) + oldsite.Text(record["date"]) +
			strings.ToLower(oldsite.Text(record["name"]))
	}
	var steps [3]int // down, level, up
	for i := range len(list) - 1 {
		steps[1+strings.Compare(key(list[i+1]), key(list[i]))]++
	}
	isWrong := steps[0] > steps[2]
	switch kind {
	case "events":
		isWrong = steps[0] > 0
	case "venues", "organizers":
		isWrong = steps[2] > 0
	}
	if isWrong {
		return errors.New("the list has another order")
	}
	return nil
}
