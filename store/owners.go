// What accounts see beside what is published: indexes of what is their own, so
// that lists and checks look at nothing that is somebody else's.

package store

import (
	"cmp"
	"slices"

	"almanac/store/eventindex"
	"almanac/store/sharing"
)

// A showing is how often an image is shown to a viewer: to everybody, 0, in
// records that are published and have no password, else to the account whose
// records they are.
type showing struct {
	viewer int64
	times  int
}

// picture counts a post for its image. What is behind a password is not shown to
// everybody.
func (x *index) picture(r Record, by int) {
	p := postOf(r)
	if _, isSeries := r.(*Series); isSeries || p.Image == 0 {
		return // series are shown by their events
	}
	viewer := p.Author
	if e, ok := r.(*Event); p.Status == Publish && !(ok && e.Password != "") {
		viewer = 0
	}
	shown := slices.Clone(x.pictured.Get(p.Image)) // what is there may be shared
	i, found := slices.BinarySearchFunc(shown, viewer, func(s showing, viewer int64) int { return cmp.Compare(s.viewer, viewer) })
	if !found {
		shown = slices.Insert(shown, i, showing{viewer: viewer})
	}
	if shown[i].times += by; shown[i].times == 0 {
		shown = slices.Delete(shown, i, i+1)
	}
	if len(shown) == 0 {
		x.pictured.Delete(x.by, p.Image)
	} else {
		x.pictured.Put(x.by, p.Image, shown)
	}
}

// showsImage reports whether an image is shown to an account in records of the index.
func (x *index) showsImage(image, account int64) bool {
	return slices.ContainsFunc(x.pictured.Get(image), func(s showing) bool {
		return s.times > 0 && (s.viewer == 0 || s.viewer == account)
	})
}

// An authored is the venues or organizers of one account that are not published,
// newest first.
type authored struct {
	mark *sharing.Mark
	list eventindex.List[Record]
}

// ownOf returns the records of an author, to be changed.
func (x *index) ownOf(k Kind, author int64) *authored {
	own := x.own[k].Get(author)
	if own == nil {
		own = &authored{mark: x.by}
		x.own[k].Put(x.by, author, own)
	} else if own.mark != x.by {
		own = &authored{x.by, own.list}
		x.own[k].Put(x.by, author, own)
	}
	return own
}

// enterOwn adds a venue or an organizer that is not published to the list of its
// author.
func (x *index) enterOwn(r Record) {
	if p := postOf(r); p.Status != Publish {
		x.ownOf(r.Kind(), p.Author).list.Insert(x.by, r, byNewest)
	}
}

// leaveOwn undoes enterOwn.
func (x *index) leaveOwn(r Record) {
	p := postOf(r)
	if p.Status == Publish {
		return
	}
	own := x.ownOf(r.Kind(), p.Author)
	if own.list.Remove(x.by, r, byNewest); own.list.Len() == 0 {
		x.own[r.Kind()].Delete(x.by, p.Author)
	}
}

// Own returns the venues or organizers of an account that are not published.
func (v *View) Own(k Kind, account int64) Posts { return v.base.ownList(k, account) }

func (x *index) ownList(k Kind, account int64) *eventindex.List[Record] {
	if own := x.own[k].Get(account); own != nil {
		return &own.list
	}
	return nil
}

// Pictured reports whether an image is shown to an account: in a published
// record, or in one of its own. What was staged in the meantime may be missing,
// or still count.
func (r *Reader) Pictured(image, account int64) bool {
	for _, x := range []*index{r.base, r.over} {
		if x != nil && x.showsImage(image, account) {
			return true
		}
	}
	return false
}
