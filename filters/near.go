// Near a point: venues by their coordinates, and events by their venues.

package filters

import (
	"math"
	"slices"

	"almanac/store"
)

// Near is the surroundings of a point: a radius in kilometres.
type Near struct {
	store.Geo
	Kilometres float64
}

// located reports whether a venue of the event has coordinates. Only published
// venues count, for everybody: with those that a caller may not read, asking for
// places would find out where they are.
func located(v *store.View, e *store.Event) bool {
	return slices.ContainsFunc(e.Venues, func(id int64) bool { return isLocated(v.Venue(id)) })
}

func isLocated(venue *store.Venue) bool {
	return venue != nil && venue.Geo != nil && venue.Status == store.Publish
}

// holds reports whether a venue of the event lies in the surroundings.
func (n *Near) holds(v *store.View, e *store.Event) bool {
	return slices.ContainsFunc(e.Venues, func(id int64) bool { return n.has(v.Venue(id)) })
}

// has reports whether a published venue lies in the surroundings.
func (n *Near) has(venue *store.Venue) bool {
	return isLocated(venue) && distance(n.Geo, *venue.Geo) <= n.Kilometres
}

// venues returns the ids of the venues in the surroundings; none is not nil.
func (n *Near) venues(v *store.View) []int64 {
	ids := []int64{}
	for _, r := range v.Posts(store.Venues, true) {
		if n.has(r.(*store.Venue)) {
			ids = append(ids, r.Key())
		}
	}
	return ids
}

// distance returns the kilometres between two points, on a sphere of the earth's
// mean radius.
func distance(a, b store.Geo) float64 {
	const radius, degree = 6371.0088, math.Pi / 180
	lat := math.Sin((b.Lat - a.Lat) * degree / 2)
	lng := math.Sin((b.Lng - a.Lng) * degree / 2)
	h := lat*lat + math.Cos(a.Lat*degree)*math.Cos(b.Lat*degree)*lng*lng
	return 2 * radius * math.Asin(math.Sqrt(min(1, h)))
}
