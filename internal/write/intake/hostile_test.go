package intake_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/write/intake"
)

// stepsOf imports a file twice, each time in steps of bounded work, and returns how many steps that
// took. The second time changes nothing.
func stepsOf(t *testing.T, file string) (steps int) {
	t.Helper()
	c := newCalendar(t)
	items, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	seq := c.Seq()
	for again := range 2 {
		run := intake.Batch{Items: items}.Run(c.options)
		for ; !run.Done(); steps++ {
			if err := c.Update(7, run.Step); err != nil {
				t.Fatal(err)
			}
		}
		report := run.Result().Report
		if len(report.Refusals) > 0 {
			t.Fatal(report.Refusals[0])
		}
		if again == 1 && c.Seq() != seq {
			t.Errorf("the second time changed something: %v", counts(report))
		}
		seq = c.Seq()
	}
	return steps
}

// Twice as many records take twice as much work, also if all share their names and starts. Steps
// count records, writes, and records of one name that are looked at.
func TestWorkIsLinear(t *testing.T) {
	repeated := func(head, row, end string) func(int) string {
		return func(n int) string {
			var b strings.Builder
			b.WriteString(head)
			for i := range n {
				b.WriteString(strings.ReplaceAll(row, "#", fmt.Sprint(i+1)))
			}
			b.WriteString(end)
			return b.String()
		}
	}
	const rows = "EVENT NAME,EVENT START DATE,EVENT START TIME"
	const calendar = "BEGIN:VEVENT\nUID:u#\nSUMMARY:E\nDTSTART:20310510T200000Z\n"
	const dated = `"title":"E","start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 21:00:00"`
	for name, file := range map[string]func(int) string{
		"places of one name in a table": repeated("VENUE NAME,GLOBAL ID\n", "Hall,a.example?id=#\n", ""),
		"places of one name in a list":  repeated(`{"venues":[{"venue":"Hall"}`, `,{"venue":"Hall","address":"#"}`, "]}"),
		"places of one name in a calendar": repeated(
			"BEGIN:VCALENDAR\n", calendar+"LOCATION:Hall\\, # Street\nEND:VEVENT\n", "END:VCALENDAR\n"),
		"rows of one start":            repeated(rows+"\n", "E#,2031-05-10,20:00\n", ""),
		"rows that are equal":          repeated(rows+"\n", "E,2031-05-10,20:00\n", ""),
		"rows in many rooms":           repeated(rows+",VENUE NAME\n", "E,2031-05-10,20:00,Room #\n", ""),
		"rows with a UID":              repeated(rows+",UID\n", "E,2031-05-10,20:00,u#\n", ""),
		"rows in many rooms with UIDs": repeated(rows+",VENUE NAME,UID\n", "E,2031-05-10,20:00,Room #,u#\n", ""),
		"rows of series": repeated(
			rows+",VENUE NAME,EVENT SERIES RULE\n", "E,2031-05-10,20:00,Room #,FREQ=DAILY;COUNT=2\n", ""),
		"events of a list":    repeated(`{"events":[{`+dated+`}`, `,{`+dated+`}`, "]}"),
		"events in the trash": repeated(`{"events":[{"status":"trash",`+dated+`}`, `,{"status":"trash",`+dated+`}`, "]}"),
		"categories below another": repeated(
			`{"categories":[{"id":1,"name":"C","slug":"c"}`,
			`,{"id":#,"name":"C","slug":"c#","parent":1,"urls":{"self":"https://a.example/c/#"}}`, "]}"),
		"series of a calendar": repeated(
			"BEGIN:VCALENDAR\n", calendar+"RRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\n", "END:VCALENDAR\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const n = 600
			once := stepsOf(t, file(n))
			twice := stepsOf(t, file(2*n))
			if twice > 2*once+once/8+2 {
				t.Errorf("%d records take %d steps, and %d take %d", n, once, 2*n, twice)
			}
		})
	}
}
