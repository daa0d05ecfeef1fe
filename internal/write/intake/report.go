// The report of an import: counted, and merged over batches.

package intake

import (
	"fmt"
	"slices"

	"almanac/internal/write"
	"almanac/store"
)

// mostNamed limits the refusals and unknown keys that a report lists, and mostText shortens their
// texts.
const mostNamed, mostText = 1000, "%.1000s"

// A Report has the outcomes of an import. The zero Report is empty. Its size is bounded, except
// Records.
type Report struct {
	Records  map[store.Kind]map[int64]write.Outcome `json:"records"` // by kind and id here
	Refusals []Refusal                              `json:"refusals"`
	Further  map[string]int                         `json:"further_refusals,omitempty"` // number of refusals beyond Refusals, by Refusal.Kind
	Unknown  []UnknownKey                           `json:"unknown_keys"`
}

// A Refusal is a record that could not be taken.
type Refusal struct {
	Kind     string `json:"kind"` // as Item.Kind
	File     string `json:"file"`
	Position int    `json:"position"`       // of the record, or of the event it is embedded in
	Line     int    `json:"line,omitempty"` // as Item.Line
	ID       string `json:"id,omitempty"`   // its global id, or another identity
	Reason   string `json:"reason"`
	Embedded bool   `json:"embedded,omitempty"` // inside an event, which was imported without it

	Field string `json:"field,omitempty"` // path of the wrong member, as venue[1].geo_lat, or "" for the record
	At    int    `json:"-"`               // of a seed: position of that member, as jsonio.Value.At
}

// An UnknownKey is a member of records that the store does not keep.
type UnknownKey struct {
	Kind store.Kind `json:"kind"`
	Key  string     `json:"key"`
	File string     `json:"file"` // the first file that has it

	Reason string `json:"reason,omitempty"` // "": it has no place here
}

// aheadReason is the reason against a time of change.
const aheadReason = "is more than a day ahead of now, and was not taken: it would keep later versions out"

// Merge adds the report of a later batch of the same import.
func (r *Report) Merge(later Report) {
	for k, outcomes := range later.Records {
		for id, outcome := range outcomes {
			r.note(k, id, outcome)
		}
	}
	for _, refusal := range later.Refusals {
		r.refuse(refusal)
	}
	for kind, n := range later.Further {
		r.refuseMore(kind, n)
	}
	for _, u := range later.Unknown {
		r.unknown(u)
	}
}

// note sets the outcome of a record, unless it has a more important one. undo reverts that.
func (r *Report) note(k store.Kind, id int64, o write.Outcome) (undo func()) {
	before, had := r.Records[k][id]
	if had && before.Rank() <= o.Rank() {
		return func() {}
	}
	if r.Records == nil {
		r.Records = map[store.Kind]map[int64]write.Outcome{}
	}
	if r.Records[k] == nil {
		r.Records[k] = map[int64]write.Outcome{}
	}
	r.Records[k][id] = o
	return func() {
		if delete(r.Records[k], id); had {
			r.Records[k][id] = before
		}
	}
}

// refuse adds a refusal. A venue inside many events is refused once.
func (r *Report) refuse(refusal Refusal) (undo func()) {
	same := func(other Refusal) bool {
		return other.Embedded && other.Kind == refusal.Kind && other.ID == refusal.ID &&
			other.Reason == refusal.Reason
	}
	refusal.ID = fmt.Sprintf(mostText, refusal.ID)
	refusal.Reason = fmt.Sprintf(mostText, refusal.Reason)
	before := r.Refusals
	switch {
	case refusal.Embedded && slices.ContainsFunc(before, same):
	case len(before) == mostNamed:
		r.refuseMore(refusal.Kind, 1)
		return func() { r.refuseMore(refusal.Kind, -1) }
	default:
		r.Refusals = append(before, refusal)
	}
	return func() { r.Refusals = before }
}

func (r *Report) refuseMore(kind string, n int) {
	if r.Further == nil {
		r.Further = map[string]int{}
	}
	r.Further[kind] += n
}

// unknown adds an unknown key, once. After mostNamed keys, all further keys are one entry.
func (r *Report) unknown(u UnknownKey) {
	if u.Key = fmt.Sprintf(mostText, u.Key); len(r.Unknown) >= mostNamed {
		u.Key = "others"
	}
	same := func(other UnknownKey) bool { return other.Kind == u.Kind && other.Key == u.Key }
	if !slices.ContainsFunc(r.Unknown, same) {
		r.Unknown = append(r.Unknown, u)
	}
}
