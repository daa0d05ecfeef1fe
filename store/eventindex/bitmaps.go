// Bitmaps of rows by place: those that a search makes, and those that are
// registered and follow their rows.

package eventindex

import (
	"slices"

	"almanac/store/bitmap"
	"almanac/store/sharing"
)

// A Place is where the bit of a row is: a slot of a block. A row keeps its place
// for as long as it stays in its block.
type Place uint32

func (p Place) block() int   { return int(p / slots) }
func (p Place) slot() uint32 { return uint32(p % slots) }

// A Bitmap is rows of a timeline by place. It is good until the timeline changes.
type Bitmap = bitmap.Bitmap[Place]

// Place returns the place of a row of the timeline.
func (t *Timeline) Place(r Row) Place { return t.places.At(r) }

// NewBitmap returns an empty bitmap with room for all rows.
func (t *Timeline) NewBitmap() Bitmap { return bitmap.New[Place](len(t.blocks) * slots) }

// ByPlace returns a bitmap of some rows of the timeline, given by their numbers.
func (t *Timeline) ByPlace(rows bitmap.Bitmap[Row]) Bitmap {
	found, places := t.NewBitmap(), t.places.Values()
	for b := range rows.Blocks() {
		if b < len(t.identity) && t.identity[b] {
			found.Block(b).Or(rows.Block(b))
			continue
		}
		for r := range bitmap.Bitmap[Row](rows.Block(b)[:]).All() {
			found.Set(places.At(r + Row(b*slots)))
		}
	}
	return found
}

// A BitmapID is the number of a bitmap that is registered: it follows its rows when
// they move from block to block. 0 is that of none. It names the same bitmap in a
// timeline and in its forks, until they change it.
type BitmapID int

// A registered bitmap has no mark when it is not registered any more.
type registered struct {
	mark *sharing.Mark
	rows Bitmap
}

// Register makes an empty bitmap that follows the timeline until Unregister. Rows
// have to be taken out of it before they are removed from the timeline.
func (t *Timeline) Register() BitmapID {
	t.own()
	i := slices.IndexFunc(t.bitmaps, func(b registered) bool { return b.mark == nil })
	if i < 0 {
		i, t.bitmaps = len(t.bitmaps), append(t.bitmaps, registered{})
	}
	t.bitmaps[i].mark = t.by
	return BitmapID(i + 1)
}

// Unregister ends a bitmap that was registered.
func (t *Timeline) Unregister(id BitmapID) {
	t.own()
	t.bitmaps[id-1] = registered{}
}

// Bitmap returns what a registered bitmap holds now. It must not be changed.
func (t *Timeline) Bitmap(id BitmapID) Bitmap { return t.bitmaps[id-1].rows }

// Enter adds a row of the timeline to a registered bitmap.
func (t *Timeline) Enter(id BitmapID, r Row) {
	t.own()
	t.bitmaps[id-1].add(t.by, t.places.At(r))
}

// Leave takes a row of the timeline out of a registered bitmap.
func (t *Timeline) Leave(id BitmapID, r Row) {
	t.own()
	t.bitmaps[id-1].remove(t.by, t.places.At(r))
}

func (b *registered) add(by *sharing.Mark, p Place) {
	b.own(by)
	b.rows = b.rows.Grow(int(p) + 1)
	b.rows.Set(p)
}

// remove reports whether there was something to remove.
func (b *registered) remove(by *sharing.Mark, p Place) bool {
	if !b.rows.Has(p) {
		return false
	}
	b.own(by)
	b.rows.Clear(p)
	return true
}

func (b *registered) own(by *sharing.Mark) {
	if b.mark != by {
		b.rows, b.mark = slices.Clone(b.rows), by
	}
}
