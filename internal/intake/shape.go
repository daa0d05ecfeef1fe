// The shape of records: the text that a record may have, and its kind.

package intake

import (
	"strings"

	"almanac/internal/jsonin"
	"almanac/store"
)

// RecordKeys are members of records that listings lack. They distinguish an event, which has categories and tags,
// from a listing of categories or tags.
var RecordKeys = Words(`id global_id title start_date venue organizer name slug`)

// Unfit returns the reason why no record can have this text, or "".
func Unfit(record []byte) string {
	switch flaw, _ := jsonin.Check(record, jsonin.MaxDepth); flaw {
	case jsonin.BadEncoding:
		return "is not UTF-8"
	case jsonin.LoneSurrogate:
		return "holds half a surrogate pair"
	}
	return ""
}

// KindByShape derives the kind of a record from its members.
func KindByShape(v *jsonin.Value) (k store.Kind, ok bool) {
	has := func(name string) bool { return !v.Member(name).IsNull() }
	taxonomy, _ := v.Member("taxonomy").Text()
	switch {
	case has("title") || has("start_date"):
		return store.Events, true
	case has("venue"):
		return store.Venues, true
	case has("organizer"):
		return store.Organizers, true
	case has("name") && strings.HasSuffix(taxonomy, "_cat"):
		return store.Categories, true
	case has("name") && strings.HasSuffix(taxonomy, "_tag"):
		return store.Tags, true
	}
	return 0, false
}
