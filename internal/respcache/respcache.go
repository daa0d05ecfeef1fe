// Package respcache caches answers, and the records in them, in one budget of bytes.
//
//	cached := cache.Get(key)
//	if cached != nil && cached.Fresh(version) {
//		// it equals an answer that is made now
//	}
//
// There is one discipline of validity. An Entry is fresh in the Version in which it was made or
// validated last. In any other it is stale: its reader compares its source, a record with its
// links or an entity tag, and calls Validate if that is the same, or else puts a new entry in its
// place. Nothing is ever invalidated. Private content has its callers in the key.
package respcache

import (
	"strings"
	"sync/atomic"

	"almanac/internal/account"
	"almanac/internal/cache"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/store"
)

// A Cache is safe for concurrent use. Nil remembers nothing.
type Cache struct{ entries *cache.Cache[Key, *Entry] }

// New makes a cache with a budget in bytes. 0 is 256 MiB; less is nil.
func New(budget int64) *Cache {
	switch {
	case budget < 0:
		return nil
	case budget == 0:
		budget = 256 << 20
	}
	return &Cache{cache.New[Key, *Entry](budget)}
}

// Stats returns what the cache holds, and how often something was looked for.
func (c *Cache) Stats() cache.Stats {
	if c == nil {
		return cache.Stats{}
	}
	return c.entries.Stats()
}

// A Key names what is remembered. Of the zero Key nothing is. It is small, and has one
// string, so that its hash costs little: a list looks for each of its records.
type Key struct {
	site   uint64
	id     int64 // of a record, or of the account that asks
	part   int32 // of an answer that is remembered in parts, from 1 on
	kind   store.Kind
	single bool
	asked  string // how; of a record its form
}

// Part names a part of an answer, as one value can only be so long.
func (k Key) Part(number int) Key {
	k.part = int32(number)
	return k
}

// RecordKey names a record as a site shows it: alone it shows more than in a list. Site is its
// number; for 0 nothing is cached. Form is its format, "" for JSON.
func RecordKey(site uint64, r store.Record, single bool, form string) Key {
	return Key{site: site, id: r.Key(), kind: r.Kind(), single: single, asked: form}
}

// AnswerKey names an answer by how it is asked for and by whom, as that depends on
// what they may see. The zero Account is for what everybody may. No name of an
// operation or a role has a space in it.
func AnswerKey[Text string | []byte](
	site uint64,
	operation string,
	query Text,
	caller account.Account,
) Key {
	return Key{
		site:  site,
		id:    caller.ID,
		asked: operation + " " + string(caller.Role) + " " + string(query),
	}
}

// A Version names everything that answers depend on beside their keys. Answers that never change
// have the zero Version.
type Version struct {
	State  *store.State
	Second int64 // Unix time; 0 for records, which are independent of the clock
}

// An Entry is the JSON of a record as everybody sees it who may see the record, or an
// answer. Nothing of it changes but the Version and the compressed form.
type Entry struct {
	respond.Fragment // without a text, only the rest is known
	version          atomic.Pointer[Version]
	put              Version       // the first version; adjacent to the other fields that lists read
	Size             int64         // of the text; of a record, of its stored texts
	Record           store.Record  // that it shows
	Links            *render.Links // its linked records
	Tag              string        // entity tag, if there is one

	Events     []*store.Event // that a part of a page shows, in the place of Record
	HTML, Data string         // of these events, and their JSON for search engines

	Answer *respond.Response // its body is the fragment, or in Parts
	Parts  int
}

// Get returns what is remembered by a key, fresh or stale; nil if there is nothing.
func (c *Cache) Get(key Key) *Entry {
	if c == nil || key.site == 0 {
		return nil
	}
	return c.entries.Get(key)
}

// Put remembers a new entry that was made in a Version, in the place of an older one.
func (c *Cache) Put(key Key, e *Entry, v Version) {
	if c == nil || key.site == 0 {
		return
	}
	const one, answer = 256, 2048 // sizes of an entry, and of an answer, without texts, about
	bytes := one + len(key.asked) + 8*len(e.Events) + len(e.HTML) + len(e.Data)
	if e.Links != nil {
		bytes += e.Links.Size()
	}
	if e.Answer != nil {
		bytes += answer + len(strings.Join(e.Answer.Keys, ""))
		if e.Text == nil { // the body is that of a record, which may go before: its text, and that compressed
			bytes += 2 * len(e.Answer.Body.Text)
		}
	}
	if e.Text != nil {
		bytes += e.Fragment.Size()
		e.Grown = func(more int) { c.entries.Grow(key, more) }
	}
	e.put = v
	e.version.Store(&e.put)
	c.entries.Put(key, e, int64(bytes))
}

// Fresh reports whether the entry was made or validated in a Version.
func (e *Entry) Fresh(v Version) bool { return *e.version.Load() == v }

// Validate makes the entry fresh in a Version, in which it would be made the same.
func (e *Entry) Validate(v Version) { e.version.Store(&v) }
