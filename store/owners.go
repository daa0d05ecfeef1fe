// What accounts see beside what is published: indexes of what is their own, so
// that lists and checks look at nothing that is somebody else's.

package store

import "almanac/order"

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
	if x.pictured[key] += by; x.pictured[key] == 0 {
		delete(x.pictured, key)
	}
}

// enterOwn adds a venue or an organizer that is not published to the list of its
// author.
func (x *index) enterOwn(r Record) {
	p, own := postOf(r), x.own[r.Kind()]
	if p.Status == Publish {
		return
	}
	if own[p.Author] == nil {
		own[p.Author] = order.NewList(byNewest)
	}
	own[p.Author].Insert(r)
}

// leaveOwn undoes enterOwn.
func (x *index) leaveOwn(r Record) {
	p, own := postOf(r), x.own[r.Kind()]
	if p.Status == Publish {
		return
	}
	if own[p.Author].Remove(r); own[p.Author].Len() == 0 {
		delete(own, p.Author)
	}
}

// Own gives the venues or organizers of an account that are not published,
// newest first.
func (v *View) Own(k Kind, account int64) *order.List[Record] { return v.base.own[k][account] }

// Pictured reports whether an image is shown to an account: in a published
// record, or in one of its own. What was staged in the meantime may be missing,
// or still count.
func (r *Reader) Pictured(image, account int64) bool {
	for _, x := range []*index{r.base, r.over} {
		if x != nil && (x.pictured[picture{image, 0}] > 0 || x.pictured[picture{image, account}] > 0) {
			return true
		}
	}
	return false
}
