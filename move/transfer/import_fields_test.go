package transfer_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/store"
)

// Custom fields come back from the lists, tables and exports of a server, and no file changes
// anything the second time. Tables have those of events, and calendars none.
func TestImportFields(t *testing.T) {
	t.Parallel()
	const times = `"start_date":"2031-05-12 20:00:00","end_date":"2031-05-12 22:00:00"`
	page := tempFile(t, "page.json", `{"events":[
		{"global_id":"a.example?id=1","title":"E","slug":"e",`+times+`,"custom_fields":{
			"z":{"label":"Zed: <b>, \"[z]\"","value":"=1,2;\n\\n \\, x"},"_ecp_custom_2":{"label":"Dress","value":"é"},"a":"1"},
			"venue":{"global_id":"a.example?id=5","venue":"V","slug":"v","custom_fields":{"seats":{"label":"Seats","value":"300"}}},
			"organizer":[{"global_id":"a.example?id=6","organizer":"O","slug":"o","custom_fields":{"o":"1"}}]},
		{"global_id":"a.example?id=2","title":"F","slug":"f",`+times+`,"custom_fields":[{"id":"a","label":"A","value":["1","2"]}]},
		{"global_id":"a.example?id=3","title":"S","slug":"s-1",`+times+`,"custom_fields":{"s":"t"},
			"recurrence":{"series":9,"rule":"FREQ=DAILY;COUNT=2","start":"2031-05-12 20:00:00"}},
		{"global_id":"a.example?id=4","title":"S","slug":"s-2","start_date":"2031-05-13 20:00:00","end_date":"2031-05-13 22:00:00",
			"custom_fields":{"s":"own"},"recurrence":{"series":9,"rule":"FREQ=DAILY;COUNT=2","start":"2031-05-13 20:00:00","changed":true}}]}`)
	own := t.TempDir()
	mustImport(t, "-data", own, page)
	wantSums(t, own, "the same page", 0, 0, page)
	fieldsIn := func(dir string) (lines []string) {
		s, err := store.Open(store.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		_ = s.View(func(v *store.View) error {
			for _, k := range []store.Kind{store.Events, store.Venues, store.Organizers} {
				for r := range v.Each(k) {
					lines = append(
						lines,
						fmt.Sprintf("%s %q", store.PostOf(r).Slug, store.PostOf(r).CustomFields),
					)
				}
			}
			return nil
		})
		return lines
	}
	want := []string{
		`e [{"z" "Zed: <b>, \"[z]\"" "=1,2;\n\\n \\, x"} {"_ecp_custom_2" "Dress" "é"} {"a" "a" "1"}]`, `f [{"a" "A" "1, 2"}]`,
		`s-1 [{"s" "s" "t"}]`, `s-2 [{"s" "s" "own"}]`, `v [{"seats" "Seats" "300"}]`, `o [{"o" "o" "1"}]`,
	}
	sorted := cmp.Transformer("sorted", func(lines []string) map[string]bool {
		set := map[string]bool{}
		for _, line := range lines {
			set[line] = true
		}
		return set
	})
	if diff := cmp.Diff(want, fieldsIn(own), sorted); diff != "" {
		t.Fatalf("the page (-want, +got):\n%s", diff)
	}
	for form, files := range sources(t, own) {
		dir := t.TempDir()
		mustImport(t, append([]string{"-data", dir}, files...)...)
		expect := want
		isCalendar := form == "ics" || form == "ical"
		switch {
		case isCalendar:
			expect = []string{`e []`, `f []`, `s-1 []`, `s-1-2031-05-13 []`, `v []`, `o []`}
		case form == "csv":
			expect = append(want[:4:4], `v []`, `o []`)
		}
		if diff := cmp.Diff(expect, fieldsIn(dir), sorted); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", form, diff)
		}
		wantSums(t, dir, form+" again", 0, 0, files...)
		if !isCalendar { // the changed date gets a name of calendars too
			wantSums(t, own, form+" into its own calendar", 0, 0, files...)
		}
	}
}
