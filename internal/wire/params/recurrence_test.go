// How a recurrence is read.

package params_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/rrule"
	"almanac/internal/wire/params"
)

// shown returns a recurrence in one line: rule; rdates; exdates, with "-" for what was
// not said.
func shown(r *params.Recurrence) string {
	switch {
	case r == nil:
		return "not sent"
	case r.Null:
		return "null"
	}
	rule := "-"
	if r.Rule != nil {
		rule = r.Rule.String()
	} else if r.NoRule {
		rule = "none"
	}
	dates := func(list []rrule.DateTime) string {
		if list == nil {
			return "-"
		}
		var all []string
		for _, d := range list {
			all = append(all, d.String())
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return rule + "; " + dates(r.RDates) + "; " + dates(r.ExDates)
}

func TestRecurrence(t *testing.T) {
	t.Parallel()
	table := params.Table{{Name: "recurrence", Kind: params.Recurring}}
	for _, tt := range []struct{ sent, want string }{
		{`{"rule":"FREQ=WEEKLY;BYDAY=TU"}`, "FREQ=WEEKLY;BYDAY=TU; -; -"},
		{`{"rule":"RRULE:freq=weekly"}`, "FREQ=WEEKLY; -; -"},
		{`{"rule":"FREQ=DAILY","exdates":["2026-12-29","2026-12-30 19:00","2026-12-31T19:00:00"]}`,
			"FREQ=DAILY; -; [20261229 20261230T190000 20261231T190000]"},
		{`{"rdates":["2027-01-02 18:00:00","2027-01-03T17:00:00Z","2027-01-03T17:00:00+01:00","20270104"]}`,
			"-; [20270102T180000 20270103T170000Z 20270103T160000Z 20270104]; -"},
		{`{"rdates":"2027-01-02, 2027-01-03","exdates":""}`, "-; [20270102 20270103]; []"},
		{`{"rule":null,"rdates":["20270104T190000"]}`, "none; [20270104T190000]; -"},
		{`{"exdates":[]}`, "-; -; []"},
		{`{"exdates":null}`, "-; -; []"},
		{`null`, "null"},
		{`{"series":12,"rule":"FREQ=DAILY","start":"2026-11-24 19:00:00","changed":false,"made":[1]}`, "FREQ=DAILY; -; -"},
		{`"RRULE:FREQ=WEEKLY\nEXDATE:20261229T190000"`, "FREQ=WEEKLY; -; [20261229T190000]"},
		{`"RRULE:FREQ=WEEKLY;\r\n BYDAY=TU\r\nRDATE;VALUE=DATE:20261230\r\n"`, "FREQ=WEEKLY;BYDAY=TU; [20261230]; -"},
		{`"freq=weekly;BYDAY=TU"`, "FREQ=WEEKLY;BYDAY=TU; -; -"},
		{`"FREQ=OFTEN"`, `FREQ: "OFTEN" is no frequency`},
		{`"EXDATE;TZID=Europe/Berlin:20261229T190000"`, "-; -; [20261229T180000Z]"},

		{`{}`, "must have a member rule, rdates or exdates."},
		{`{"series":12}`, "must have a member rule, rdates or exdates."},
		{`{"rule":"FREQ=WEEKLY","exdate":"2026-12-29"}`, `has no member "exdate"; there are rule, rdates and exdates.`},
		{`{"rule":5}`, `the rule must be a text such as "FREQ=WEEKLY;BYDAY=TU", or null.`},
		{`{"rule":"FREQ=SOMETIMES"}`, `FREQ: "SOMETIMES" is no frequency`},
		{`{"rule":"FREQ=WEEKLY;BYMONTHDAY=3"}`, "BYMONTHDAY: it does not go with FREQ=WEEKLY"},
		{`{"exdates":["2026-12-29","soon"]}`, "exdates of recurrence: soon is no date: write 2026-12-29, or 2026-12-29 19:00:00"},
		{`{"exdates":["2026-02-30"]}`, "2026-02-30 is no date"},
		{`{"rdates":[5]}`, "rdates of recurrence: 5 is no date"},
		{`{"rdates":["2027-01-02 18:00:00.5"]}`, "is no date"},
		{`"BYDAY=TU"`, "is no line of a set"},
		{`"RRULE:FREQ=WEEKLY\nDTSTART:20261124T190000"`, "must not hold DTSTART: start_date says when the first event is."},
		{`"RRULE:FREQ=WEEKLY\nRDATE;TZID=Europe/Nowhere:20261229T190000"`, "TZID Europe/Nowhere"},
		{`"RRULE:FREQ=WEEKLY\nRRULE:FREQ=DAILY"`, "RRULE: there are two"},
		{`"\n"`, "must have a line such as RRULE:FREQ=WEEKLY."},
		{`""`, "must be a text that is not empty"},
		{`"RRULE:FREQ=WEEKLY\u0000"`, "NUL"},
		{`["FREQ=WEEKLY"]`, "must be an object such as"},
		{`5`, "must be an object such as"},
		{`{"exdates":[` + strings.TrimSuffix(strings.Repeat(`"2026-12-29",`, 501), ",") + `]}`, "must not have more than 500 items"},
		{`"EXDATE:` + strings.TrimSuffix(strings.Repeat("20261229T190000,", 501), ",") + `"`, "must not have more than 500 dates"},
	} {
		values, err := table.Check(read(t, ofJSON(`{"recurrence":`+tt.sent+`}`)), env(t))
		if err != nil {
			invalid, ok := err.(*params.Invalid)
			if !ok || len(invalid.Complaints) != 1 ||
				!strings.Contains(invalid.Complaints[0].Reason, tt.want) ||
				!strings.HasPrefix(invalid.Complaints[0].Reason, "recurrence") && !strings.Contains(invalid.Complaints[0].Reason, "of recurrence") {
				t.Errorf("%.80s: %+v, want %s", tt.sent, err, tt.want)
				if ok {
					t.Log(invalid.Complaints)
				}
			}
			continue
		}
		if diff := cmp.Diff(tt.want, shown(values.Recurrence("recurrence"))); diff != "" {
			t.Errorf("%.80s (-want +got):\n%s", tt.sent, diff)
		}
	}
	values, err := table.Check(read(t, ofJSON(`{}`)), env(t))
	if err != nil || values.Recurrence("recurrence") != nil {
		t.Errorf("what was not sent is %v, %v", values.Recurrence("recurrence"), err)
	}
	form, err := table.Check(
		read(t, ofForm("recurrence[rule]=FREQ%3DDAILY&recurrence[exdates][]=2026-12-29")),
		env(t),
	)
	if err != nil || shown(form.Recurrence("recurrence")) != "FREQ=DAILY; -; [20261229]" {
		t.Errorf("a form is %v", err)
	}
}
