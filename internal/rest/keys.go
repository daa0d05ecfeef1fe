// Keys of answers, by which caches in front of the server purge what they hold.

package rest

import (
	"strconv"
	"strings"

	"almanac/internal/render"
	"almanac/store"
)

// keysMost is how many keys an answer has: some kilobyte of header.
const keysMost = 64

// everyKind is the keys of an answer that shows more records than have a key each.
var everyKind = headerKeys([]string{"events", "venues", "organizers", "categories", "tags", "series"})

// headerKeys returns some keys as the values of Surrogate-Key and Cache-Tag.
func headerKeys(keys []string) []string {
	return []string{strings.Join(keys, " "), strings.Join(keys, ",")}
}

// keys returns the keys of an answer that is made of some records, in which it shows others:
// of each record its kind and id, as events-12, and of a list its kind, since any record of
// that may come into it. Nil if no cache is told of them, or if not everybody is shown the
// answer. Who purges KIND and KIND-ID of every change has nothing that is older than that.
func (r *request) keys(kind string, items []item) []string {
	if r.shared == nil || !r.caller.IsStranger() || !r.asked.Reads() {
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
			add("events") // of which it shows the next
		}
		of(record)
		if e, ok := record.(*store.Event); ok && e.Password != "" {
			continue // what is inside is shown to nobody
		}
		if items[i].shown != nil {
			items[i].shown.Published(of)
		}
	}
	if len(keys) > keysMost {
		return everyKind
	}
	return headerKeys(keys)
}
