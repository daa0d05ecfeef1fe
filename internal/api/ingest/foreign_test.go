package ingest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
)

// Records in the forms of other programs are refused, with the member that is wrong and what it
// must be, and nothing is stored of them.
func TestForeignRecords(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	const end = `"end_date":"2031-05-10 21:00:00"`
	const form = "; write it as YYYY-MM-DD HH:MM:SS"
	for _, tt := range []struct{ name, item, want string }{
		{
			"a post of WordPress",
			`"kind":"events","record":{"title":{"rendered":"A"},"start_date":"2031-05-10 20:00:00",` + end + `}`,
			`title must be a text, not {"rendered":"A"}`,
		},
		{
			"data for search engines",
			`"kind":"events","record":{"@type":"Event","name":"A","startDate":"2031-05-10T20:00:00Z"}`,
			`start_date must be a date, not ""` + form,
		},
		{
			"a date of RFC 3339",
			`"kind":"events","record":{"title":"A","start_date":"2031-05-10T20:00:00Z",` + end + `}`,
			`start_date must be a date, not "2031-05-10T20:00:00Z"` + form,
		},
		{
			"a relative date of a seed",
			`"kind":"events","record":{"title":"A","start_date":"@tomorrow 20:00",` + end + `}`,
			`start_date must be a date, not "@tomorrow 20:00"` + form,
		},
		{"iCalendar", `"kind":"events","record":"BEGIN:VEVENT"`, "is not an object"},
		{
			"an unknown form",
			`"kind":"events","form":"vevent","record":{"title":"A","start_date":"2031-05-10 20:00:00",` + end + `}`,
			`is in the form "vevent", which this server does not know; almanac-move makes drafts of files`,
		},
		{
			"an unknown kind",
			`"kind":"posts","record":{"title":"A"}`,
			`is of the kind "posts"; there are events, venues, organizers, categories and tags`,
		},
	} {
		status, answer := apitest.Do(
			t,
			c.As(account.Administrator),
			"POST",
			c.URL+"/_almanac/import",
			`{"items":[{"file":"f","position":1,`+tt.item+`}]}`,
		)
		report, _ := answer["report"].(map[string]any)
		refusals, _ := report["refusals"].([]any)
		var got []string
		for _, refusal := range refusals {
			got = append(got, fmt.Sprint(refusal.(map[string]any)["reason"]))
		}
		if diff := cmp.Diff([]string{tt.want}, got); diff != "" || status != http.StatusOK {
			t.Errorf("%s: status %d, reasons (-want +got):\n%s", tt.name, status, diff)
		}
	}
	if events, _ := c.events(t); len(events) > 0 {
		t.Errorf("%d events are stored", len(events))
	}
}
