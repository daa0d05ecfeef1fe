// The names that members of records have in files.

package files

import (
	"almanac/store"
)

// calendarNames are the properties of iCalendar by the members of records.
var calendarNames = map[string]string{
	"title": "SUMMARY", "description": "DESCRIPTION", "start_date": "DTSTART", "end_date": "DTEND",
	"timezone": "TZID", "website": "URL", "venue": "LOCATION", "organizer": "ORGANIZER",
	"categories": "CATEGORIES", "image": "IMAGE", "date_utc": "CREATED", "modified_utc": "LAST-MODIFIED",
	"event_status": "STATUS", "virtual_url": "CONFERENCE",
}

// exportNames are the elements and the keys of metadata of posts by the members of records.
var exportNames = namesInExports()

func namesInExports() map[store.Kind]map[string]string {
	all := map[store.Kind]map[string]string{}
	for k, members := range exportMembers {
		all[k] = map[string]string{
			"title": "title", "venue": "title", "organizer": "title", "slug": "wp:post_name",
			"status": "wp:status", "date": "wp:post_date", "date_utc": "wp:post_date_gmt",
			"modified": "wp:post_modified", "modified_utc": "wp:post_modified_gmt", "url": "link",
			"description": "content:encoded", "excerpt": "excerpt:encoded",
		}
		for key, member := range members {
			all[k][member] = key
		}
	}

	return all
}
