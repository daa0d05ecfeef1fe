// Former slugs: the addresses of pages that a record had before.

package store

import (
	"slices"
	"strings"
)

// formerMost is how many earlier slugs of a record are kept.
const formerMost = 10

// formerField returns where the earlier slugs of a record are, nil for what has none.
func formerField(r Record) *[]string {
	switch r := r.(type) {
	case *Event, *Venue, *Organizer, *Series:
		return &postOf(r).Former
	case *Term:
		return &r.Former
	}
	return nil
}

// formerOf returns the earlier slugs of a record.
func formerOf(r Record) []string {
	if field := formerField(r); field != nil {
		return *field
	}
	return nil
}

// trashedMark stands in the slug of a record in the trash behind the slug that it had.
const trashedMark = "__trashed"

// WasPublic reports whether a record in the trash was published before: then its slug of that
// time is a former slug.
func (p *Post) WasPublic() bool {
	had := strings.LastIndex(p.Slug, trashedMark)
	return p.Status == Trash && had >= 0 && slices.Contains(p.Former, p.Slug[:had])
}

// keepSlug notes with a record that is put the slug that it gives up, if everybody could
// find it by that: also when it goes to the trash, which WasPublic reads from it. A series has
// no page, and its event no earlier slugs.
func (tx *Tx) keepSlug(r Record) {
	field := formerField(r)
	if field == nil {
		return
	}
	given := *field
	var slugs []string
	if old := tx.Get(r.Kind(), r.Key()); old != nil {
		if was := postOf(old); was == nil || was.Status == Publish {
			slugs = append(slugs, SlugOf(old))
		}
		slugs = append(slugs, formerOf(old)...)
	}
	slugs = append(slugs, given...)
	var kept []string
	for _, slug := range slugs {
		if r.Kind() != AllSeries && slug != "" && slug != SlugOf(r) && !slices.Contains(kept, slug) && len(kept) < formerMost {
			kept = append(kept, slug)
		}
	}
	if !slices.Equal(kept, given) {
		tx.undo = append(tx.undo, func() { *field = given })
		*field = kept
	}
}
