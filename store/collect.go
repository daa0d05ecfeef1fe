// Collecting the records of one state, for a snapshot and for checking.

package store

import (
	"maps"
	"slices"
)

// all returns the records of every kind, in no order.
func (x *index) all() (all [kinds][]Record) {
	for k := range kinds {
		all[k] = slices.AppendSeq(make([]Record, 0, len(x.records[k])), maps.Values(x.records[k]))
	}
	return all
}
