// States by viewer, which a change that an account may not see leaves as they are.

package store

import (
	"crypto/sha256"
	"maps"

	"almanac/store/record"
	"almanac/store/wal"
)

// seen is hashes that stand for what may be seen, by whom: everybody sees what is
// published, and accounts what is theirs beside it. They begin with the head of
// the chain when the store is opened, and each transaction adds the head of its
// line to those whose users may see something of it. So equal hashes mean that the
// same is seen; after a store was opened again they are others.
type seen struct {
	public [sha256.Size]byte
	own    map[int64][sha256.Size]byte // by account; only what changed since the store was opened
}

func (s seen) clone() seen { return seen{s.public, maps.Clone(s.own)} }

// note adds a transaction that is about to be applied.
func (x *index) note(e *wal.Entry) {
	public, owners := x.shows(record.ChangeOf(e))
	if public {
		x.seen.public = chainHash(x.seen.public, e.Head)
	}
	for account := range owners {
		x.seen.own[account] = chainHash(x.seen.own[account], e.Head)
	}
}

// shows says who may see something of a change before or after it: everybody, or the authors of
// unpublished records. Terms are for everybody. A change of an existing image is seen; a new image
// is shown only after another record links to it. An upload is seen by its author, and by
// everybody who sees a record with it.
func (x *index) shows(c *Change) (public bool, owners map[int64]struct{}) {
	owner := func(id int64) {
		if owners == nil {
			owners = map[int64]struct{}{}
		}
		owners[id] = struct{}{}
	}
	see := func(r Record) {
		p := PostOf(r)
		i, _ := r.(*Image)
		switch {
		case r.Kind() == Accounts:
		case i != nil && i.Directory != "":
			owner(i.Author)
			for viewer := range x.pictured[i.ID] {
				if public = public || viewer == 0; viewer != 0 {
					owner(viewer)
				}
			}
		case p == nil || p.Status == Publish:
			public = true
		default:
			owner(p.Author)
		}
	}
	public = c.Identity != ""
	c.Each(func(r Record) {
		if r.Kind() == AllSeries { // its events show its rule
			for _, e := range (&Reader{base: x}).EventsOf(AllSeries, r.Key()) {
				see(e)
			}
		}
		old := x.records[r.Kind()][r.Key()]
		if i, isImage := r.(*Image); !isImage || old != nil || i.Directory != "" {
			see(r)
		}
		if old != nil {
			see(old)
		}
	})
	for _, gone := range c.Removed {
		if old := x.records[gone.Kind][gone.ID]; old != nil {
			see(old)
		}
	}
	return public, owners
}

// chainHash adds a hash to another.
func chainHash(a, b [sha256.Size]byte) [sha256.Size]byte {
	return sha256.Sum256(append(a[:], b[:]...))
}

// HeadFor returns the hash of the state for an account that sees published records and its
// own; 0 is anonymous. Callers that see everything use Head.
func (v *View) HeadFor(account int64) [sha256.Size]byte {
	public := v.base.seen.public
	own := v.base.seen.own[account]
	if account == 0 || own == [sha256.Size]byte{} {
		return public
	}
	return chainHash(public, own)
}
