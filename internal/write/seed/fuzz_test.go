package seed_test

import (
	"regexp"
	"strings"
	"testing"

	"almanac/internal/write/seed"
	"almanac/store"
)

// told is the form of an error.
var told = regexp.MustCompile(`^(seed\.json:[1-9][0-9]*: |and [1-9][0-9]* more$)`)

// Every file is either refused with a position, and nothing is stored, or the store is sound and
// its export gives the same store.
func FuzzPlant(f *testing.F) {
	for _, name := range seed.ProfileNames() {
		text, err := seed.Profile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text[:min(len(text), 4000)]), "@today") // truncated, too
	}
	c := newCalendar(f)
	c.mustPlant(
		`{"images":[{"url":"u","sizes":{"a":{"width":1,"height":1,"url":"v"}}}],"venues":[{"id":8,"venue":"V","geo_lat":1,
		"geo_lng":2}],"categories":[{"name":"C"}],
		"events":[{"title":"E","start_date":"@today","end_date":"@start","venue":8,"cost":"$5","password":"p","categories":[1],"image":"u"}]}`,
	)
	f.Add(exported(f, c.Store), "@today")
	for _, text := range []string{
		`[{"title":"E","start_date":"DATE","end_date":"@start+2h","venue":{"id":7,"venue":"V","image":{"id":9,"url":"u"}}}]`,
		`{"$name":"a","venue":"V","date":"DATE"}`,
		`{"events":[{"title":"E","global_id":"a?id=1","start_date":"2031-05-12 10:00:00","end_date":"2031-05-12 ` +
			`10:00:00","venue":[{"show_map":null}],"categories":["x",{"name":"y","parent":3}]}]}{"tags":[]}`,
		`{"exact":true,"events":[{"id":1,"title":"","slug":"É","post_parent":1,"start_date":"0000-01-01 ` +
			`00:00:00","end_date":"9999-12-31 23:59:59","timezone":"x","currency_code":"E","date_utc":"0001-01-01 ` +
			`00:00:00.5","modified_utc":"0000-00-00 00:00:00","undated":true,"categories":[1,1]}],"categories":[{"id":1,"name":"","parent":1}]}`,
		`{"categories":[{"$name":"a","name":"A","parent":"$b"},{"$name":"b","name":"B","parent":"$a"}]}`,
		`{"events":[{"title":"E","start_date":"DATE","end_date":"@start+2h","recurrence":{"rule":"FREQ=DAILY;COUNT=9;UNTIL=@start+1w",` +
			`"exdates":["DATE","@start+1d"],"rdates":["2031-05-12"]}},` +
			`{"title":"F","start_date":"DATE","end_date":"DATE","recurrence":"RDATE:20310512"}]}`,
		`{"exact":true,"series":[{"$name":"s","start_date":"DATE","end_date":"@start","rule":"FREQ=DAILY","rdates":["DATE"],"horizon":"@now",` +
			`"post_parent":1}],"events":[{"id":1,"start_date":"DATE","end_date":"DATE",` +
			`"recurrence":{"series":"$s","start":"@start","changed":["slug"]}}]}`,
		`[{"title":"E","global_id":"a?id=1","start_date":"2031-05-12 10:00:00","end_date":"2031-05-12 10:00:00","recurrence":{"series":7,` +
			`"rule":"FREQ=DAILY","start":"2031-05-12 10:00:00","changed":true}}]`,
		`{"exact":true,"venues":[{"venue":"V","custom_fields":{"a":{"label":"","value":" \r\n"},"a":"b","":1}}]}`,
		`{"venues":[{"venue":"V","custom_fields":[{"id":" a","value":["b",1]},{"id":"a","value":""},{"id":2,"label":"L","value":{}}]}]}`,
		`{"tags":[{"id":9007199254740991,"name":"A"},{"name":"B"}]}`, "\ufeff{\"events\":[]}", `{"a\u0062":1}`, `"`, `[[[`, "{\"\xff\":1}",
	} {
		f.Add(text, "@next-dst-gap 02:30 Europe/Paris")
	}
	f.Fuzz(func(t *testing.T, text, date string) {
		text = strings.ReplaceAll(text, "DATE", date)
		c := newCalendar(t)
		if err := c.plant(text); err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !told.MatchString(line) {
					t.Errorf("%q does not say where", line)
				}
			}
			for k := range store.AllSeries + 1 {
				if n := c.count(k); n > 0 {
					t.Errorf("%d %v were planted", n, k)
				}
			}
			return
		}
		document := exported(t, c.Store)
		again := newCalendarAt(t, noon.AddDate(1, 0, 0), "UTC")
		again.mustPlant(document)
		if got := exported(t, again.Store); got != document {
			t.Errorf("exported\n%s\nagain\n%s", document, got)
		}
	})
}
