// Categories and tags.

package importer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/jsonin"
	"almanac/internal/markup"
	"almanac/store"
)

// namedTerm returns the id of a term of an event: an object, which comes along,
// or, as hand-written files have it, a name, which is made when it is new, or
// the id of a term of the seed.
func (im *importer) namedTerm(_ *record, k store.Kind, v *jsonin.Value) (int64, error) {
	if r, err := parse(v); err == nil {
		r.embedded = true
		return im.put(k, r)
	}
	if name, ok := v.Text(); ok {
		if known := im.tx.BySlug(k, name); known != nil {
			return known.Key(), nil
		}
		r := wrap("name", v)
		r.embedded = true
		return im.term(k, r)
	}
	if im.seed && v.IsNumber() {
		if id := v.Integer(); im.tx.Term(k, id) != nil {
			return id, nil
		}
		return 0, fmt.Errorf("there is no %s among them", v.Raw)
	}
	return 0, fmt.Errorf("must be a list of objects, not of %.40s", v.Raw)
}

// term takes a category or tag.
func (im *importer) term(k store.Kind, r *record) (int64, error) {
	name := r.text("name")
	if !im.exact {
		name = markup.CleanTermName(name)
	}
	if name == "" && !im.exact {
		return 0, errors.New("has no name")
	}
	t := &store.Term{Taxonomy: k, Name: name}
	slug := wantedSlug(r)
	if found := im.findTerm(k, r, name, slug); found != nil {
		*t = *found
	} else if im.exact && r.has("slug") {
		t.Slug = r.text("slug")
	} else {
		if slug == "" {
			slug = markup.Slug(name)
		}
		if slug == "" {
			slug = strconv.FormatInt(im.tx.NextID(k), 10)
		}
		t.Slug = im.slug(k, 0, "", slug)
	}
	im.former(r, &t.Former)
	if t.Description == "" {
		t.Description = r.text("description")
	}
	parent := r.integer("parent")
	key, above := im.address(r, r.integer("id")), im.address(r, parent)
	up, known := im.state.Categories[above]
	if k == store.Categories && parent != 0 && t.Parent == 0 && known && im.mayBeBelow(t.ID, up) {
		t.Parent = up
	}
	id, err := im.commit(r, t, &t.Meta, nil)
	if err != nil || k != store.Categories {
		return id, err
	}
	if above != "" && !known && !slices.Contains(im.state.Children[above], id) {
		set(im, im.state.Children, above, append(slices.Clip(im.state.Children[above]), id))
	}
	return id, im.learn(key, id)
}

// findTerm returns the term that is stored already, or nil: that with the same
// slug or, for want of one, the same name. What a seed lists is a term of its
// own, unless a site has shown it, in a list of which there may be another copy.
func (im *importer) findTerm(k store.Kind, r *record, name, slug string) *store.Term {
	if im.seed && !r.embedded && !r.has("taxonomy") {
		return nil
	}
	if id := r.integer("id"); im.seed && r.embedded && id != 0 {
		if t := im.tx.Term(k, id); t != nil {
			return t
		}
	}
	if slug != "" {
		t, _ := im.tx.BySlug(k, slug).(*store.Term)
		return t
	}
	for _, found := range im.tx.ByName(k, name) {
		return found.(*store.Term)
	}
	return nil
}

// address returns the address that a term with an id has where r comes from. It
// is "", which is nobody's, for the id 0 and for terms that do not say. In a
// seed no two terms have one id.
func (im *importer) address(r *record, id int64) string {
	if im.seed && id != 0 {
		return "/" + strconv.FormatInt(id, 10)
	}
	urls := r.object("urls")
	collection := urls.text("collection")
	if self := urls.text("self"); self != "" {
		collection = self[:strings.LastIndexByte(self, '/')+1]
	}
	if id == 0 || collection == "" {
		return ""
	}
	return strings.TrimSuffix(collection, "/") + "/" + strconv.FormatInt(id, 10)
}

// learn remembers where a category comes from, and puts those that wait for it
// below it.
func (im *importer) learn(key string, id int64) error {
	if key == "" {
		return nil
	}
	if im.state.Categories[key] != id {
		set(im, im.state.Categories, key, id)
	}
	for _, child := range unset(im, im.state.Children, key) {
		old := im.tx.Term(store.Categories, child)
		if old == nil || old.Parent != 0 || !im.mayBeBelow(child, id) {
			continue
		}
		next := *old
		next.Parent = id
		if err := im.tx.Put(&next); err != nil {
			return err
		}
		im.note(store.Categories, child, Updated)
	}
	return nil
}

// mayBeBelow reports whether a category may have another above it: one that is
// there, and is neither itself nor below it.
func (im *importer) mayBeBelow(id, parent int64) bool {
	return im.tx.Term(store.Categories, parent) != nil && !im.tx.IsBelow(store.Categories, parent, id)
}
