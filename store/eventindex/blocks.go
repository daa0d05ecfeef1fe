// The blocks of a timeline: what moves when rows come and go.

package eventindex

import (
	"slices"
	"sort"
)

// insert puts a row into its block.
func (t *Timeline) insert(r Row) {
	b := t.blockFor(r)
	if b == len(t.inOrder) {
		b = t.newBlock(b)
	}
	if len(t.blocks[t.inOrder[b]].rows) == slots {
		t.split(b)
		if b+1 < len(t.inOrder) && t.Compare(t.lastOf(b), r) < 0 {
			b++
		}
	}
	blk := t.block(int(t.inOrder[b]))
	at, _ := slices.BinarySearchFunc(blk.rows, r, t.Compare)
	blk.rows, blk.starts = slices.Insert(blk.rows, at, r), slices.Insert(blk.starts, at, t.starts.At(r))
	t.assignPlace(int(t.inOrder[b]), r)
	t.latest[b] = t.starts.At(t.lastOf(b))
	t.shift(b, +1)
}

// block returns a block whose rows may be changed.
func (t *Timeline) block(number int) *block {
	blk := &t.blocks[number]
	if blk.mark != t.by {
		blk.rows, blk.mark = append(make([]Row, 0, len(blk.rows)+1), blk.rows...), t.by
		blk.starts = append(make([]int64, 0, len(blk.starts)+1), blk.starts...)
	}
	return blk
}

// blockFor returns where the block of a new row stands: the first that ends
// behind it, or the last one, or a new one behind that when it is full.
func (t *Timeline) blockFor(r Row) int {
	start := t.starts.At(r)
	b := sort.Search(len(t.latest), func(i int) bool {
		return t.latest[i] > start || t.latest[i] == start && t.Compare(t.lastOf(i), r) >= 0
	})
	if last := len(t.inOrder) - 1; b > last && last >= 0 && len(t.blocks[t.inOrder[last]].rows) < slots {
		return last
	}
	return b
}

func (t *Timeline) lastOf(b int) Row {
	rows := t.blocks[t.inOrder[b]].rows
	return rows[len(rows)-1]
}

// newBlock makes an empty block that stands at b. It is numbered right when it is
// the last.
func (t *Timeline) newBlock(b int) int {
	number := int32(len(t.blocks))
	if n := len(t.unused); n > 0 {
		number, t.unused = t.unused[n-1], t.unused[:n-1]
	} else {
		t.blocks = append(t.blocks, block{})
	}
	t.inOrder = slices.Insert(t.inOrder, b, number)
	t.latest = slices.Insert(t.latest, b, 0)
	t.before = slices.Insert(t.before, b, t.count)
	t.blocks[number].at = b
	return b
}

// assignPlace gives a row a free slot of a block.
func (t *Timeline) assignPlace(number int, r Row) {
	used := &t.blocks[number].used
	s := used.FirstClear()
	used.Set(s)
	p := Place(number*slots) + Place(s)
	t.places.Set(t.by, r, p)
	if b := int(r / slots); b < len(t.identity) && p != Place(r) {
		t.identity[b] = false
	}
}

// split moves the later half of a full block into a new one behind it, with its
// bits in every registered bitmap.
func (t *Timeline) split(b int) {
	t.newBlock(b + 1)
	from, to := t.block(int(t.inOrder[b])), t.block(int(t.inOrder[b+1]))
	cut := slots / 2
	to.rows, to.starts = append(make([]Row, 0, slots), from.rows[cut:]...), append(make([]int64, 0, slots), from.starts[cut:]...)
	from.rows, from.starts = from.rows[:cut], from.starts[:cut]
	for _, r := range to.rows {
		old := t.places.At(r)
		from.used.Clear(old.slot())
		t.assignPlace(int(t.inOrder[b+1]), r)
		for i := range t.bitmaps {
			if t.bitmaps[i].remove(t.by, old) {
				t.bitmaps[i].add(t.by, t.places.At(r))
			}
		}
	}
	t.renumber(b)
}

// remove takes a row out of its block.
func (t *Timeline) remove(r Row) {
	p := t.places.At(r)
	number := p.block()
	blk := t.block(number)
	at, _ := slices.BinarySearchFunc(blk.rows, r, t.Compare)
	blk.rows, blk.starts = slices.Delete(blk.rows, at, at+1), slices.Delete(blk.starts, at, at+1)
	blk.used.Clear(p.slot())
	b := blk.at
	if len(blk.rows) == 0 {
		*blk = block{}
		t.unused = append(t.unused, int32(number))
		t.inOrder = slices.Delete(t.inOrder, b, b+1)
		t.latest = slices.Delete(t.latest, b, b+1)
		t.before = slices.Delete(t.before, b, b+1)
		t.renumber(b)
		return
	}
	t.latest[b] = t.starts.At(t.lastOf(b))
	t.shift(b, -1)
}

// shift counts one row more or less in the block at b.
func (t *Timeline) shift(b, more int) {
	for i := range t.before[b+1:] {
		t.before[b+1+i] += more
	}
	t.count += more
}

// renumber counts again from the block at b on, which may be new or gone.
func (t *Timeline) renumber(b int) {
	at := 0
	if b > 0 {
		at = t.before[b-1] + len(t.blocks[t.inOrder[b-1]].rows)
	}
	for i := b; i < len(t.inOrder); i++ {
		blk := &t.blocks[t.inOrder[i]]
		t.before[i], blk.at = at, i
		if n := len(blk.rows); n > 0 {
			t.latest[i] = t.starts.At(blk.rows[n-1])
			at += n
		}
	}
	t.count = at
}
