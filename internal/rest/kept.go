// What is kept of answers: records as a site shows them, and lists that are
// asked for again and again.

package rest

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"sync/atomic"

	"almanac/internal/account"
	"almanac/internal/cache"
	"almanac/internal/render"
	"almanac/store"
)

// keptDefault is how many bytes are kept, and keptLists is the part of it that
// whole lists may take.
const (
	keptDefault = 256 << 20
	keptLists   = 4
)

// kept is the caches of a server.
type kept struct {
	pieces *cache.Cache[pieceKey, *piece]
	lists  *cache.Cache[listKey, *keptList]
}

// newKept makes caches of so many bytes: 0 is the default, and less is none.
func newKept(budget int64) *kept {
	switch {
	case budget < 0:
		return nil
	case budget == 0:
		budget = keptDefault
	}
	return &kept{cache.New[pieceKey, *piece](budget - budget/keptLists), cache.New[listKey, *keptList](budget / keptLists)}
}

// A piece is the JSON of a record as everybody sees it who may see the record.
// It is current as long as the record and all that it shows of others are the
// same. Only state and deflated change.
type piece struct {
	record   store.Record
	links    *render.Links
	json     []byte // nil of a record that is too long to be kept
	size     int64  // of the JSON
	tag      string // entity tag of the record, for single reads
	deflated atomic.Pointer[[]byte]
	state    atomic.Pointer[store.State] // the latest in which it was found to be current
}

// A pieceKey names a piece: single reads show more than lists.
type pieceKey struct {
	id     int64
	site   uint64
	kind   store.Kind
	single bool
}

// pieceCost is what a piece takes beside its JSON and its links, about.
const pieceCost = 256

// piece returns the piece of a record if it is there and current.
func (k *kept) piece(v *store.View, key pieceKey, record store.Record) *piece {
	p := k.pieces.Get(key)
	if p == nil || p.record != record {
		return nil
	}
	if state := v.State(); p.state.Load() != state {
		if !p.links.Current(v) {
			return nil
		}
		p.state.Store(state)
	}
	return p
}

// A listKey names a list by how it is asked for, and by whom.
type listKey struct {
	op      *Op
	site    uint64
	query   string
	account int64
	role    account.Role // an account may get another
}

// A keptList is a list that was asked for lately. Its tag names the state that it
// is of; who asks in another one finds another tag. A list is kept whole when it
// is asked for the second time in one state.
type keptList struct {
	state  [sha256.Size]byte // see request.seen; for it and the second of the clock the tag is known to hold
	second uint64
	tag    string
	answer *response // nil: only the tag is known
	zipped []byte    // the body compressed; nil if nobody asked for that
}

// listKey names the list that is asked for, if it may be kept.
func (r *request) listKey() (key listKey, ok bool) {
	return listKey{r.op, r.site.number, r.http.URL.RawQuery, r.caller.ID, r.caller.Role},
		r.kept != nil && r.op.list && r.site.number != 0 && r.reads() && !r.explain && r.http.ContentLength == 0
}

// seen stands for all that the caller may see in a state, and perhaps more: it is
// known without a look at the store.
func (r *request) seen(state *store.State) [sha256.Size]byte {
	if r.caller.IsStranger() {
		return state.Public()
	}
	return state.Head()
}

// again answers a list that was asked for before in the same state and the same
// second: everything in the answer depends on nothing else.
func (r *request) again() *response {
	key, ok := r.listKey()
	if !ok {
		return nil
	}
	l := r.kept.lists.Get(key)
	if l == nil || l.state != r.seen(r.store.State()) || l.second != uint64(r.now.Unix()) {
		return nil
	}
	return r.keptAnswer(l)
}

// same answers a list whose tag was made again in another second or state and
// has turned out to be what it was.
func (r *request) same(tag string, state [sha256.Size]byte) *response {
	key, ok := r.listKey()
	if !ok || r.dressed() || r.in.Sent("password") {
		return nil
	}
	l := r.kept.lists.Get(key)
	if l == nil || l.tag != tag {
		return nil
	}
	again := *l
	again.state, again.second = state, uint64(r.now.Unix())
	r.keepList(key, &again)
	return r.keptAnswer(&again)
}

// keptAnswer returns the answer of a list, if it is there in the form that is
// asked for.
func (r *request) keptAnswer(l *keptList) *response {
	switch {
	case r.unchanged(l.tag):
		return &response{status: 304, tag: l.tag}
	case l.answer == nil, l.zipped == nil && acceptsGzip(r.http.Header["Accept-Encoding"]), !r.holds(len(l.answer.json.text)):
		return nil
	}
	return l.answer
}

// keep notes that a list was asked for, and keeps it whole when that was not the
// first time.
func (r *request) keep(a *response, state [sha256.Size]byte) {
	key, ok := r.listKey()
	if !ok || a.tag == "" || a.long != nil || r.dressed() || r.in.Sent("password") {
		return // who may not guess any more must not learn from what others were shown
	}
	next := &keptList{state: state, second: uint64(r.now.Unix()), tag: a.tag}
	if old := r.kept.lists.Get(key); old != nil && old.tag == a.tag {
		whole := *a
		whole.json = body{text: bytes.Clone(a.json.text)}
		whole.kept, next.answer, next.zipped = next, &whole, old.zipped
		if next.zipped == nil && acceptsGzip(r.http.Header["Accept-Encoding"]) {
			next.zipped = a.json.gzip(r.kept)
			a.kept = next
		}
	}
	r.keepList(key, next)
}

// keepList puts a list into the cache, under a key of its own memory.
func (r *request) keepList(key listKey, l *keptList) {
	key.query = strings.Clone(key.query)
	bytes := len(key.query) + len(l.zipped)
	if l.answer != nil {
		const links = 2048 // what the addresses of a list take, about
		bytes += len(l.answer.json.text) + links
	}
	r.kept.lists.Put(key, l, int64(bytes))
}
