// Indexes of the records of each author, so that lists and checks of unpublished
// records do not look at records of other authors.

package store

import "slices"

// picture counts a post for its image, for everybody (viewer 0) if the post is
// published and has no password, else for the account of the post.
func (x *index) picture(r Record, by int) {
	p := postOf(r)
	if _, isSeries := r.(*Series); isSeries || p.Image == 0 {
		return // series are shown by their events
	}
	viewer := p.Author
	if e, ok := r.(*Event); p.Status == Publish && !(ok && e.Password != "") {
		viewer = 0
	}
	shown := x.pictured[p.Image]
	if shown == nil {
		shown = map[int64]int{}
		x.pictured[p.Image] = shown
	}
	if shown[viewer] += by; shown[viewer] == 0 {
		delete(shown, viewer)
	}
	if len(shown) == 0 {
		delete(x.pictured, p.Image)
	}
}

// enterOwn adds a venue or an organizer that is not published to the list of its
// author, and leaveOwn takes it out.
func (x *index) enterOwn(r Record) {
	if p := postOf(r); p.Status != Publish {
		own := x.own[r.Kind()][p.Author]
		enterRecord(&own, r, byNewest)
		x.own[r.Kind()][p.Author] = own
	}
}

func (x *index) leaveOwn(r Record) {
	p := postOf(r)
	if p.Status == Publish {
		return
	}
	own := x.own[r.Kind()][p.Author]
	leaveRecord(&own, r, byNewest)
	if x.own[r.Kind()][p.Author] = slices.Clip(own); len(own) == 0 {
		delete(x.own[r.Kind()], p.Author)
	}
}

// Own returns the venues or organizers of an account that are not published, newest
// first. The slice is the store's, and valid as long as the View.
func (v *View) Own(k Kind, account int64) []Record { return v.base.own[k][account] }

// Pictured reports whether an image is shown to an account: in a published
// record, or in one of its own. A link that a staged change removes still counts.
func (r *Reader) Pictured(image, account int64) bool {
	for _, x := range []*index{r.base, r.over} {
		if x != nil && (x.pictured[image][0] > 0 || x.pictured[image][account] > 0) {
			return true
		}
	}
	return false
}
