// Positions: how far the log and the ids have come.

package record

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"almanac/store/wal"
)

// A Position is a state of the store.
type Position struct {
	wal.Position
	NextPost, NextTerm int64  // ids that the next records get, from 1
	Identity           string // of the calendar; "" before it has one
}

// Count notes that an id was given.
func (p *Position) Count(k Kind, id int64) {
	next := p.Next(k)
	*next = max(*next, id+1)
}

// Next returns where the next id of a kind is. Accounts come with theirs.
func (p *Position) Next(k Kind) *int64 {
	switch {
	case k == Accounts:
		none := int64(math.MaxInt64)
		return &none
	case k.IsTerm():
		return &p.NextTerm
	}
	return &p.NextPost
}

// Note counts the ids of a change, and takes the identity that it sets.
func (p *Position) Note(c *Change) {
	p.Identity = cmp.Or(c.Identity, p.Identity)
	c.Each(func(r Record) { p.Count(r.Kind(), r.Key()) })
	for _, gone := range c.Removed {
		p.Count(gone.Kind, gone.ID)
	}
}

// Reserve keeps an id from new records that another one had at a site of the same identity: both
// would have one global id.
func (p *Position) Reserve(global string) {
	const most = 1 << 31 // a file may say anything, and ids come to an end
	text, ours := strings.CutPrefix(global, p.Identity+"?id=")
	if id, err := strconv.ParseInt(text, 10, 64); ours && err == nil && id < most {
		p.NextPost = max(p.NextPost, id+1)
	}
}
