// Categories and tags.

package intake

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"almanac/internal/text/jsonio"
	"almanac/internal/text/markup"
	"almanac/internal/write"
	"almanac/store"
)

// namedTerm returns the id of a term of an event: of an object, which is imported too, of a name
// in a file written by hand, which is created if it is new, or of a term of the seed by id.
func (im *importer) namedTerm(_ *record, k store.Kind, v *jsonio.Value) (int64, error) {
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
	if im.isNative() && v.IsNumber() {
		if found := im.local(k, v.Integer()); found != nil {
			return found.Key(), nil
		}
		return 0, fmt.Errorf("there is no %s among them", v.Raw)
	}
	return 0, fmt.Errorf("must be a list of objects, not of %.40s", v.Raw)
}

func (im *importer) term(k store.Kind, r *record) (int64, error) {
	name := r.text("name")
	if !im.exact {
		name = markup.CleanTermName(name)
	}
	if name == "" && !im.exact {
		return 0, errors.New("has no name")
	}
	t := &store.Term{Taxonomy: k, Name: name}
	slug := im.wantedSlug(r)
	if found := im.findTerm(k, r, name, slug); found != nil && !im.mayManage(k) {
		return im.leaveAlone(found)
	} else if found != nil {
		*t = *found
	} else if im.exact && r.has("slug") {
		t.Slug = r.text("slug")
	} else {
		wanted := cmp.Or(slug, im.editor().NameSlug(im.tx, k, name, 0))
		t.Slug = write.FreeSlug(im.tx, k, wanted, 0)
	}
	if im.isNative() {
		write.AddFormer(&t.Former, r.texts("former_slugs"))
	}
	if t.Description == "" && im.mayManage(k) {
		if t.Description = r.text("description"); im.isLimited() {
			t.Description = markup.TermDescription(t.Description)
		}
	}
	parent := r.integer("parent")
	key := im.address(r, r.integer("id"))
	above := im.address(r, parent)
	up, known := im.state.Categories[above]
	if k == store.Categories && parent != 0 && t.Parent == 0 && known && im.mayBeBelow(t.ID, up) {
		if !im.tx.FitsBelow(k, t.ID, up) {
			return 0, store.ErrLevels
		}
		t.Parent = up
	}
	id, err := im.commit(r, t, &t.Meta)
	if err != nil || k != store.Categories {
		return id, err
	}
	if above != "" && !known {
		im.wait(&im.state.Children, above, id)
	}
	return id, im.learn(key, id)
}

// findTerm returns the stored term with the same slug or else the same name, or nil. A term that
// was written for a seed is always new; a term of a site in a seed may be a copy from another
// list.
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
	for found := range im.tx.ByName(k, name) {
		return found.(*store.Term)
	}
	return nil
}

// address returns the address of a term by its id at the source of r. It is "", which no term has,
// for the id 0 and for terms without address. Ids are unique in a seed.
func (rd *reader) address(r *record, id int64) string {
	if rd.isNative() && id != 0 {
		return rd.exportKey(store.Categories, id)
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

// learn records the address of a category, and sets it as parent of the categories that wait for
// it.
func (im *importer) learn(key string, id int64) error {
	if key == "" {
		return nil
	}
	if im.state.Categories[key] != id {
		set(im, &im.state.Categories, key, id)
	}
	for _, child := range unset(im, im.state.Children, key) {
		old := im.tx.Term(store.Categories, child)
		if old == nil || old.Parent != 0 || !im.mayBeBelow(child, id) {
			continue
		}
		if !im.tx.FitsBelow(store.Categories, child, id) {
			im.refuse(
				store.Categories.String(),
				nil,
				fmt.Errorf("the category %q cannot be below it: %w", old.Name, store.ErrLevels),
			)
			continue
		}
		if err := im.editor().SetTermParent(im.tx, child, id); err != nil {
			return err
		}
		im.note(store.Categories, child, write.Updated)
	}
	return nil
}

// mayBeBelow reports whether a category may get a parent: it exists, and is neither the category
// nor a descendant.
func (im *importer) mayBeBelow(id, parent int64) bool {
	return im.tx.Term(store.Categories, parent) != nil &&
		!im.tx.IsBelow(store.Categories, parent, id)
}
