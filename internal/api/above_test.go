package api_test

import (
	"almanac/internal/api"
	"almanac/internal/api/history"
	"almanac/internal/site"
)

// Operations of packages above, which the tests of package api ask, too.
func init() {
	all := []*api.Op{site.Asset}
	for _, of := range []history.Operations{history.Events, history.Venues, history.Organizers, history.Categories, history.Tags} {
		if all = append(all, of.Revisions, of.Restore); of.Merge != nil {
			all = append(all, of.Merge)
		}
	}
	for _, op := range all {
		api.Above[op.Name] = op
	}
}
