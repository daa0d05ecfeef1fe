// What accounts see beside what is published: indexes of what is their own, so
// that lists and checks look at nothing that is somebody else's.

package store

import (
	"almanac/cow"
	"almanac/order"
)

// A picture is an image and who is shown it: everybody, 0, in a record that is
// published and has no password, else the account whose record it is.
type picture struct{ image, viewer int64 }

// picture counts a post for its image. What is behind a password is not shown to
// everybody.
func (x *index) picture(r Record, by int) {
	p := postOf(r)
	if p.Image == 0 {
		return
	}
	key := picture{p.Image, p.Author}
	if e, ok := r.(*Event); p.Status == Publish && !(ok && e.Password != "") {
		key.viewer = 0
	}
	if n := x.pictured.Get(key) + by; n != 0 {
		x.pictured.Put(x.by, key, n)
	} else {
		x.pictured.Delete(x.by, key)
	}
}

// An authored is the venues or organizers of one account that are not published,
// newest first.
type authored struct {
	mark *cow.Mark
	list order.List[Record]
}

// ownOf gives the records of an author, to be changed.
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

// Own gives the venues or organizers of an account that are not published,
// newest first.
func (v *View) Own(k Kind, account int64) *order.List[Record] { return v.base.ownList(k, account) }

func (x *index) ownList(k Kind, account int64) *order.List[Record] {
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
		if x != nil && (x.pictured.Get(picture{image, 0}) > 0 || x.pictured.Get(picture{image, account}) > 0) {
			return true
		}
	}
	return false
}
