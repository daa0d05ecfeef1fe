// Complaints: all at once, each kind apart, in the order of the table.

package params_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/wire/params"
)

func TestMissing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		table params.Table
		body  string
		want  []string
	}{
		{"nothing sent", params.EventCreate, ``, []string{"title", "start_date", "end_date"}},
		{"null is missing", params.EventCreate, `{"title":null,"start_date":"2031-05-10"}`, []string{"title", "end_date"}},
		{"what is wrong waits", params.EventCreate, `{"title":5,"start_date":"bad"}`, []string{"end_date"}},
		{"venue", params.VenueCreate, `{"city":"Paris"}`, []string{"venue"}},
		{"organizer", params.OrganizerCreate, `{}`, []string{"organizer"}},
		{"category", params.CategoryCreate, `{}`, []string{"name"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.table.Check(read(t, ofJSON(tt.body)), env(t))
			if diff := cmp.Diff(&params.Missing{Names: tt.want}, err); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			if want := "missing parameter(s): " + strings.Join(tt.want, ", "); err.Error() != want {
				t.Errorf("says %q, want %q", err, want)
			}
		})
	}
	for name, table := range map[string]params.Table{
		"event": params.EventUpdateBySlug,
		"list":  params.EventList,
	} {
		if _, err := table.Check(read(t, ofJSON(`{}`)), env(t)); err != nil {
			t.Errorf("%s: nothing is required, and %v", name, err)
		}
	}
}

func TestComplaints(t *testing.T) {
	t.Parallel()
	const rest = `"title":"x","start_date":"2031-05-10","end_date":"2031-05-10",`
	for _, tt := range []struct {
		name string
		body string
		want []string // names; a * behind those of the wrong type
	}{
		{"all, in the order of the table",
			`{"venue":99,"end_date":"bad","title":"","author":7,"tags":[true],"start_date":"x","image":41,"website":"x",
				"timezone":"Mars/Phobos","status":"any","post_parent":9}`,
			[]string{"author", "title", "status", "timezone", "start_date", "end_date", "image", "website", "tags", "venue", "post_parent"}},
		{"types when there is nothing else", `{` + rest + `"featured":"yes","all_day":2,"date":5}`, []string{"date*", "all_day*", "featured*"}},
		{"types wait for the others", `{` + rest + `"featured":"yes","author":"me"}`, []string{"author"}},
		{"of a venue inside", `{` + rest + `"venue":{"venue":"","zip":5}}`, []string{"venue"}},
		{"one for each parameter", `{` + rest + `"organizer":[99,98,"x"]}`, []string{"organizer"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := params.EventCreate.Check(read(t, ofJSON(tt.body)), env(t))
			var bad *params.Invalid
			if !errors.As(err, &bad) {
				t.Fatalf("error %v", err)
			}
			var got []string
			for _, c := range bad.Complaints {
				name := c.Name
				if c.Type {
					name += "*"
				}
				got = append(got, name)
				if !strings.Contains(c.Reason, c.Name) || !strings.HasSuffix(c.Reason, ".") {
					t.Errorf("reason %q", c.Reason)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if want := "invalid parameter(s): " + strings.ReplaceAll(strings.Join(tt.want, ", "), "*", ""); err.Error() != want {
				t.Errorf("says %q, want %q", err, want)
			}
		})
	}
}

// A record sent back as it was read is accepted: read-only members are ignored.
func TestRecordsAreTakenBack(t *testing.T) {
	t.Parallel()
	const event = `{"id":10,"global_id":"x","author":"1","status":"publish","date":"2026-11-20 18:48:12","date_utc":"2026-11-20 23:48:12",
		"modified":"2026-11-20 18:48:12","url":"https://x/","rest_url":"https://x/","title":"Concert","description":"","excerpt":"",
			"slug":"concert",
		"image":{"url":"https://x/a.png","id":40,"extension":"png","sizes":{}},"all_day":false,"start_date":"2031-05-10 10:00:00",
		"start_date_details":{"year":"2031"},"timezone":"America/New_York","timezone_abbr":"EDT","cost":"","cost_details":{"values":[]},
			"website":"",
		"show_map":true,"show_map_link":true,"hide_from_listings":false,"sticky":false,"featured":false,
		"categories":[{"name":"Live Music","slug":"music","id":1,"taxonomy":"tribe_events_cat"}],"tags":[],
		"venue":{"id":20,"venue":"Hall","show_map":true},"organizer":[{"id":30,"organizer":"Ann"}],"ticketed":false,"post_parent":0}`
	s := ofJSON(event)
	s.Path = map[string]string{"id": "10"}
	v, err := params.EventUpdate.Check(read(t, s), env(t))
	if err != nil {
		t.Fatalf("%+v", err)
	}
	if v.Image("image").ID != 40 || v.Links("venue")[0].ID != 20 ||
		v.Terms("categories")[0].ID != 1 ||
		v.Int("id") != 10 {
		t.Error("something that was linked is lost")
	}
	const venue = `{"id":20,"author":"1","venue":"Hall","slug":"hall","show_map":true,"show_map_link":false,"image":false,
		"geo_lat":48.5,"geo_lng":2.5,"website":"https://x/"}`
	s = ofJSON(venue)
	s.Path = map[string]string{"id": "20"}
	if _, err = params.VenueUpdate.Check(read(t, s), env(t)); err != nil {
		t.Errorf("%+v", err)
	}
}
