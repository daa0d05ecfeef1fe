// Trees of categories, whose depth is bounded: a walk up one, or an address with all slugs on the
// way, costs little whoever made the tree.

package store

import (
	"fmt"
	"iter"
	"slices"
)

// LevelsMost is how many levels a tree of categories has at most. A category without a parent is
// on the first. Older versions stored deeper trees, which stay, and of which nothing sees more
// than this many levels.
const LevelsMost = 20

// ErrLevels is in the error of Put for a category that moves below another, if its tree gets too
// many levels.
var ErrLevels = fmt.Errorf("a tree of categories has at most %d levels", LevelsMost)

// Above yields the terms above a term, nearest first, fewer than LevelsMost. get returns a record
// or nil.
func Above(t *Term, get func(Kind, int64) Record) iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		for range LevelsMost - 1 {
			if t.Parent == 0 {
				return
			}
			up, ok := get(t.Taxonomy, t.Parent).(*Term)
			if !ok || !yield(up) {
				return
			}
			t = up
		}
	}
}

// IsBelow reports whether a term is another or lies below it. One that is not there
// does neither. It ends also where terms that nobody checked go round in a
// circle.
func (r *Reader) IsBelow(taxonomy Kind, id, top int64) bool {
	steps := len(r.base.records[taxonomy])
	if r.over != nil {
		steps += len(r.over.records[taxonomy])
	}
	for t := r.Term(taxonomy, id); t != nil && steps > 0; t = r.Term(taxonomy, t.Parent) {
		if t.ID == top {
			return true
		}
		steps--
	}
	return false
}

// FitsBelow reports whether a term, with all terms below it, has room below another one: their
// tree has then at most LevelsMost levels. The id 0 is a new term. A parent that is not there has
// room.
func (r *Reader) FitsBelow(taxonomy Kind, id, parent int64) bool {
	room := LevelsMost
	if up := r.Term(taxonomy, parent); up != nil {
		room--
		for range Above(up, r.Get) {
			room--
		}
	}
	return r.fits(taxonomy, id, room)
}

// fits reports whether a term and the terms below it are on as many levels at most.
func (r *Reader) fits(taxonomy Kind, id int64, levels int) bool {
	return levels > 0 && !slices.ContainsFunc(r.Children(taxonomy, id), func(child Record) bool {
		return !r.fits(taxonomy, child.Key(), levels-1)
	})
}

// Children returns the terms directly below a term, oldest id first; none for the id 0.
func (r *Reader) Children(taxonomy Kind, id int64) []Record {
	return slices.Collect(r.all(taxonomy, 0, func(x *index) []int64 { return x.children[id] }))
}

// checkLevels refuses a term that moves below another one if there is no room. A tree that is too
// deep already stays, and its terms may move up.
func (tx *Tx) checkLevels(rec Record) error {
	t, ok := rec.(*Term)
	if !ok || t.Parent == 0 {
		return nil
	}
	if old := tx.Term(t.Taxonomy, t.ID); old != nil &&
		tx.IsBelow(t.Taxonomy, old.Parent, t.Parent) {
		return nil
	}
	if !tx.FitsBelow(t.Taxonomy, t.ID, t.Parent) {
		return ErrLevels
	}
	return nil
}
