// The members of records, and the order of lists.

package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/oldsite"
)

// shapes are patterns of values in JSON.
var shapes = map[string]*regexp.Regexp{
	"number":  regexp.MustCompile(`^-?\d+$`),
	"text":    regexp.MustCompile(`^"`),
	"flag":    regexp.MustCompile(`^(true|false)$`),
	"date":    regexp.MustCompile(`^"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$`),
	"list":    regexp.MustCompile(`^\[`),
	"object":  regexp.MustCompile(`^\{`),
	"objects": regexp.MustCompile(`^[\[{]`),
	"image":   regexp.MustCompile(`^(false$|\{)`),
	"cost":    regexp.MustCompile(`^\{.*"currency_position":".*"currency_symbol":".*"values":\[("|\])`),
	"details": regexp.MustCompile(`^\{"day":"\d\d","hour":"\d\d","minutes":"\d\d","month":"\d\d","seconds":"\d\d","year":"\d{4}"\}$`),
}

// hasOffset matches zones whose events The Events Calendar gives the summer time of a city.
var hasOffset = regexp.MustCompile(`^UTC[+-]`)

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
			text, err := json.Marshal(record[name])
			if _, has := record[name]; !has {
				text = []byte("missing")
			}
			if err != nil || !shapes[fields[0]].Match(text) {
				return fmt.Errorf("%s of %d is %.80s", name, oldsite.ID(record), text)
			}
		}
	}
	return nil
}

// inZones compares the times of events in UTC with those of their zones. A few wrong ones fail
// nothing: The Events Calendar leaves them behind when a zone changes.
func inZones(events []object) error {
	right := 0
	var wrong []string
	for _, event := range events {
		name := oldsite.Text(event["timezone"])
		local := oldsite.Text(event["start_date"])
		at, err := time.Parse(time.DateTime, local)
		zone, unknown := caltime.LoadZone(name)
		if err != nil || unknown != nil || hasOffset.MatchString(name) {
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
	switch {
	case len(wrong) == 0:
		return nil
	case len(wrong) < right:
		return skip(wrong[0] + ", as after a change of its zone")
	}
	return errors.New(wrong[0])
}

// inOrder compares the order of a list with the specification: events by their starts, venues and
// organizers by their dates, the newest first, and terms by their names, whose order depends on the
// language.
func inOrder(kind string, list []object) error {
	rises := 0
	falls := 0
	for i := range list[:max(len(list)-1, 0)] {
		key := func(record object) string {
			for _, member := range []string{"start_date", "date"} {
				if date, is := record[member].(string); is {
					return date
				}
			}
			return strings.ToLower(oldsite.Text(record["name"]))
		}
		switch strings.Compare(key(list[i]), key(list[i+1])) {
		case -1:
			rises++
		case 1:
			falls++
		}
	}
	wrong := map[string]bool{
		"events":     falls > 0,
		"venues":     rises > 0,
		"organizers": rises > 0,
		"categories": falls > rises,
		"tags":       falls > rises,
	}
	if wrong[kind] {
		return errors.New("the list has another order")
	}
	return nil
}
