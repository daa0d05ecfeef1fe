// Rules for stored records, which Put enforces and Check verifies, and former slugs: the addresses
// of pages that a record had before.

package store

import (
	"errors"
	"fmt"
	"slices"

	"almanac/store/record"
)

// Errors of Put and Remove. They mean a mistake of the caller, who is expected
// to have looked first.
var (
	ErrNotFound  = errors.New("no such record")
	ErrSlugTaken = errors.New("the slug is another record's")
	ErrLink      = errors.New("a link leads to no record")
)

// checkUnique refuses a slug, an origin or an address that another record of
// the kind has.
func (r *Reader) checkUnique(rec Record) error {
	k := rec.Kind()
	if slug := SlugOf(rec); slug != "" {
		if other := r.BySlug(k, slug); other != nil && other.Key() != rec.Key() {
			return fmt.Errorf("%w: %q of %d", ErrSlugTaken, slug, other.Key())
		}
	}
	if p := PostOf(rec); p != nil {
		for _, global := range p.Origins {
			if other := r.ByOrigin(k, global); other != nil && other.Key() != rec.Key() {
				return fmt.Errorf("the origin %q is that of %d", global, other.Key())
			}
		}
	}
	switch rec := rec.(type) {
	case *Image:
		for _, address := range rec.Addresses() {
			if other := r.ByURL(address); other != nil && other.ID != rec.ID {
				return fmt.Errorf("the address %q is that of %d", address, other.ID)
			}
		}
	case *Event:
		if other := r.byInstance(instanceOf(rec)); other != nil && other.ID != rec.ID {
			return fmt.Errorf("%d is the instance %v of the series %d already", other.ID, rec.Recurrence.Start, rec.Recurrence.Series)
		}
	}
	return nil
}

// checkLinks refuses links that lead nowhere, and categories below themselves.
func (r *Reader) checkLinks(rec Record) error {
	var err error
	need := func(k Kind, id int64) {
		if err == nil && r.Get(k, id) == nil {
			err = fmt.Errorf("%w: %s %d", ErrLink, k, id)
		}
	}
	if p := PostOf(rec); p != nil && p.Image != 0 {
		need(Images, p.Image)
	}
	switch rec := rec.(type) {
	case *Event:
		record.LinksOf(rec, need)
	case *Series:
		record.LinksOf(&rec.Event, need)
	case *Term:
		if rec.Parent == 0 {
			break
		}
		need(rec.Taxonomy, rec.Parent)
		if rec.ID != 0 && r.IsBelow(rec.Taxonomy, rec.Parent, rec.ID) {
			return fmt.Errorf("below itself, by way of %d", rec.Parent)
		}
	}
	return err
}

// linkedFrom returns a record that a link leads from to another, or nil.
func (r *Reader) linkedFrom(k Kind, id int64) Record {
	if events := r.EventsOf(k, id); len(events) > 0 {
		return events[0]
	}
	if series := r.SeriesOf(k, id); len(series) > 0 {
		return series[0]
	}
	switch {
	case k.IsTerm():
		if children := r.Children(k, id); len(children) > 0 {
			return children[0]
		}
	case k == Images:
		if showing := r.Showing(id); len(showing) > 0 {
			return showing[0]
		}
	}
	return nil
}

// checkLogo refuses settings with a logo that is no upload.
func (r *Reader) checkLogo(s Settings) error {
	if i, ok := r.Get(Images, s.Logo).(*Image); s.Logo != 0 && (!ok || i.Directory == "") {
		return fmt.Errorf("the logo is image %d, which is no upload: %w", s.Logo, ErrLink)
	}
	return nil
}

// formerMost is how many earlier slugs of a record are kept.
const formerMost = 10

// keepSlug notes with a record that is put the slug that it gives up, if everybody could
// find it by that: also when it goes to the trash, which WasPublic reads from it. A series has
// no page, and its event no earlier slugs.
func (tx *Tx) keepSlug(r Record) {
	field := record.FormerField(r)
	if field == nil {
		return
	}
	given := *field
	var slugs []string
	if old := tx.Get(r.Kind(), r.Key()); old != nil {
		if was := PostOf(old); was == nil || was.Status == Publish {
			slugs = append(slugs, SlugOf(old))
		}
		given = append(slices.Clip(given), record.FormerOf(old)...)
	}
	slugs = append(slugs, given...)
	var kept []string
	for _, slug := range slugs {
		if r.Kind() != AllSeries && slug != "" && slug != SlugOf(r) &&
			!slices.Contains(kept, slug) &&
			len(kept) < formerMost {
			kept = append(kept, slug)
		}
	}
	if before := *field; !slices.Equal(kept, before) {
		tx.undo = append(tx.undo, func() { *field = before })
		*field = kept
	}
}
