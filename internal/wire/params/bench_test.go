// The cost of reading the parameters of a list.

package params_test

import (
	"testing"

	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"
)

// everything is a world in which whatever is named exists.
type everything struct{}

func (everything) Has(params.Entity, int64, bool) bool            { return true }
func (everything) Find(params.Entity, string, bool) (int64, bool) { return 1, true }

// listed reads all that a list of events reads, as the route does, and how its
// links repeat it.
func listed(in *params.Input, v params.Values, site *caltime.Zone) (n int) {
	count := func(on bool) {
		if on {
			n++
		}
	}
	count(v.Statuses("status") != nil)
	strict := v.Bool("strict_dates")
	for _, name := range []string{"starts_before", "starts_after", "ends_before", "ends_after", "modified_after", "modified_before"} {
		if v.Has(name) {
			count(v.Date(name, site).HasTime)
		}
	}
	for _, name := range []string{"start_date", "end_date"} {
		m := v.Date(name, caltime.UTC())
		count(m.HasTime && v.Has(name) && strict)
	}
	count(v.Has("starts_after") || v.Has("ends_before"))
	for _, name := range []string{"categories", "tags", "venue", "organizer", "include", "include"} {
		n += len(v.IDs(name))
	}
	for _, name := range []string{"featured", "ticketed", "geoloc"} {
		count(v.Has(name) && v.Bool(name))
	}
	for _, name := range []string{"search", "slug", "order", "orderby", "password"} {
		n += len(v.Text(name))
	}
	_, _, ok, _ := v.Point("geoloc_lat", "geoloc_lng")
	count(ok && v.Float("geoloc_radius") > 0)
	n += int(v.Int("post_parent") + v.Int("page") + v.Int("per_page"))
	for _, name := range []string{"search", "geoloc_lat", "geoloc_lng", "post_parent", "categories", "tags", "strict_dates",
		"geoloc_radius", "order", "orderby", "modified_after", "modified_before", "slug", "password"} {
		text, _ := in.Echo(name)
		n += len(text)
	}
	for _, name := range []string{"_envelope", "_pretty"} {
		count(in.Sent(name))
	}
	return n + len(in.Text("_fields")) + len(in.Text("_jsonp")) + len(in.Text("context"))
}

func BenchmarkEventList(b *testing.B) {
	env := env(b)
	env.Known = everything{}
	for _, bm := range []struct{ name, query string }{
		{"nothing", ""},
		{"window", "per_page=10&page=3&start_date=2031-05-01&end_date=2031-06-01&categories=12"},
		{"search", "search=open+air%20jazz&categories[]=12&categories[]=music&tags%5B0%5D=3&start_date=2031-05-01T10:00:00Z"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in, err := params.Read(params.Source{Method: "GET", Query: bm.query})
				if err != nil {
					b.Fatal(err)
				}
				v, err := params.EventList.Check(in, env)
				if err != nil {
					b.Fatal(err)
				}
				if listed(in, v, env.Site) == 0 {
					b.Fatal("nothing is read")
				}
			}
		})
	}
}
