// Keys of answers, by which caches in front of the server purge what they hold.

package api

import (
	"strconv"
	"strings"

	"almanac/internal/render"
	"almanac/store"
)

// keysMost is how many keys an answer has: some kilobyte of header.
const keysMost = 64

// EveryKind is the keys of an answer that shows more records than have a key each.
var EveryKind = headerKeys([]string{"events", "venues", "organizers", "categories", "tags", "series"})

// headerKeys returns some keys as the values of Surrogate-Key and Cache-Tag.
func headerKeys(keys []string) []string {
	return []string{strings.Join(keys, " "), strings.Join(keys, ",")}
}

// keys returns the cache keys of an answer with some records and their linked records: the kind and id of each,
// as events-12, and the kind for a list, since any record of the kind may come into it. It returns nil if no
// cache keys are sent, or if the answer is not public. A cache that purges KIND and KIND-ID after every change
// has no stale answer.
func (r *Call) keys(kind string, items []item) []string {
	if r.shared == nil || !r.Caller.IsStranger() || !r.Asked.Reads() {
		return nil
	}
	keys, seen := make([]string, 0, keysMost), map[string]bool{}
	add := func(key string) {
		if !seen[key] && len(keys) <= keysMost {
			seen[key], keys = true, append(keys, key)
		}
	}
	of := func(record store.Record) { add(record.Kind().String() + "-" + strconv.FormatInt(record.Key(), 10)) }
	if kind != "" {
		add(kind)
	}
	for i := range items {
		record := items[i].record
		if series, ok := record.(render.Series); ok {
			record = series.Series
			add("events") // the next event is shown
		}
		of(record)
		if e, ok := record.(*store.Event); ok && e.Password != "" {
			continue // hidden content
		}
		if items[i].shown != nil {
			items[i].shown.Published(of)
		}
	}
	if len(keys) > keysMost {
		return EveryKind
	}
	return headerKeys(keys)
}
