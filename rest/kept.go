// Renderings that are kept: the bytes of a record as a site shows it.

package rest

import (
	"sync"
	"sync/atomic"

	"almanac/store"
	"almanac/wire"
)

// A piece is the JSON of a record as everybody sees it who may see the record.
// It is current as long as the record and all that it shows of others are the
// same. Only seq, used and deflated change.
type piece struct {
	record   store.Record
	links    *wire.Links
	json     []byte
	tag      string // entity tag of the JSON alone
	deflated atomic.Pointer[[]byte]
	seq      atomic.Uint64 // of the latest state that it was found to be current in
	used     atomic.Bool   // since the hand passed
}

// A pieceKey names a piece: single reads show more than lists.
type pieceKey struct {
	id     int64
	site   uint32
	kind   store.Kind
	single bool
}

// pieceCost is what a piece takes beside its bytes, about: links, key, table.
const pieceCost = 512

func (p *piece) size() int64 { return int64(len(p.json)) + pieceCost }

// keptDefault is how many bytes of renderings are kept.
const keptDefault = 256 << 20

// keptShards is how many parts what is kept has, so that requests seldom wait
// for each other; a power of two.
const keptShards = 16

// kept holds pieces in a budget of bytes. When it is full those go that were not
// asked for since the hand of a clock last passed them. There is no
// invalidation: whoever takes a piece out looks whether it is current.
type kept struct {
	shards [keptShards]keptShard
}

type keptShard struct {
	mu     sync.RWMutex // guards all below
	budget int64
	pieces map[pieceKey]*piece
	ring   []pieceKey // of all pieces, in no order
	hand   int        // position in ring
	bytes  int64
}

// newKept makes a cache of so many bytes: 0 is the default, and less is none.
func newKept(budget int64) *kept {
	switch {
	case budget < 0:
		return nil
	case budget == 0:
		budget = keptDefault
	}
	k := &kept{}
	for i := range k.shards {
		k.shards[i].budget, k.shards[i].pieces = budget/keptShards, map[pieceKey]*piece{}
	}
	return k
}

func (k *kept) shard(key pieceKey) *keptShard { return &k.shards[uint64(key.id)%keptShards] }

// take gives the piece of a record if it is there and current.
func (k *kept) take(v *store.View, key pieceKey, record store.Record) *piece {
	shard := k.shard(key)
	shard.mu.RLock()
	p := shard.pieces[key]
	shard.mu.RUnlock()
	if p == nil || p.record != record {
		return nil
	}
	if seq := v.Seq(); p.seq.Load() != seq {
		if !p.links.Current(v) {
			return nil
		}
		p.seq.Store(seq)
	}
	if !p.used.Load() {
		p.used.Store(true)
	}
	return p
}

// put keeps a piece, in the place of an older one.
func (k *kept) put(key pieceKey, p *piece) {
	shard := k.shard(key)
	if p.size() > shard.budget {
		return
	}
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if old := shard.pieces[key]; old != nil {
		shard.bytes -= old.total()
	} else {
		shard.ring = append(shard.ring, key)
	}
	shard.pieces[key] = p
	shard.bytes += p.size()
	shard.evict()
}

// grow counts bytes that a piece has taken on, if it is still there.
func (k *kept) grow(key pieceKey, p *piece, bytes int) {
	shard := k.shard(key)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if shard.pieces[key] == p {
		shard.bytes += int64(bytes)
		shard.evict()
	}
}

// total is the size of a piece with what it has taken on.
func (p *piece) total() int64 {
	if deflated := p.deflated.Load(); deflated != nil {
		return p.size() + int64(len(*deflated))
	}
	return p.size()
}

// evict makes room, with the lock held.
func (s *keptShard) evict() {
	for s.bytes > s.budget && len(s.ring) > 0 {
		if s.hand >= len(s.ring) {
			s.hand = 0
		}
		p := s.pieces[s.ring[s.hand]]
		if p.used.Swap(false) {
			s.hand++
			continue
		}
		s.bytes -= p.total()
		delete(s.pieces, s.ring[s.hand])
		last := len(s.ring) - 1
		s.ring[s.hand] = s.ring[last]
		s.ring = s.ring[:last]
	}
}
