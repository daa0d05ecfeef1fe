// Uploads: their texts, and their removal.

package write

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
)

// Media applies the parameters to an upload. The alternative text has two names. It reports
// whether the point changed that the thumbnail is cut around.
func (ed Editor) Media(
	values params.Values,
	alt string,
	i *store.Image,
) (refocused bool, err error) {
	i.Modified = ed.Now
	if values.Has("title") {
		i.Title = ed.title(values.Text("title"))
	}
	if values.Has(alt) {
		i.Alt = strings.TrimSpace(markup.StripTags(values.Text(alt)))
	}
	if values.Has("caption") {
		i.Caption = ed.html(values.Text("caption"))
	}
	for n, name := range []string{"focus_x", "focus_y"} {
		if !values.Has(name) {
			continue
		}
		at := []*int{&i.FocusX, &i.FocusY}[n]
		percent := values.Float(name)
		if !(0 <= percent && percent <= 100) {
			return false, invalid(name, name+" must be from 0 to 100, in percent.")
		}
		refocused = refocused || *at != int(percent)
		*at = int(percent)
	}
	return refocused, nil
}

// FileTitle returns the title of an upload that has the name of its file, of which no check of
// parameters has removed anything.
func (ed Editor) FileTitle(name string) string {
	text := strings.TrimSuffix(path.Base(name), path.Ext(name))
	return ed.title(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, text))
}

// noName matches what the name of a served file does not have.
var noName = regexp.MustCompile(`(%[0-9a-f]{2}|[^a-z0-9])+`)

// MediaName returns the name of the served file of an upload, without its extension: the title, or
// the name of the file as it was sent.
func MediaName(title, file string) string {
	const most = 60
	for _, text := range []string{title, strings.TrimSuffix(path.Base(file), path.Ext(file))} {
		name := strings.Trim(noName.ReplaceAllString(markup.Slug(text), "-"), "-")
		if name = strings.Trim(name[:min(len(name), most)], "-"); name != "" {
			return name
		}
	}
	return "picture"
}

// Uses finds the records that show an upload, or have it in their texts, for the transactions of
// one change. The zero Uses has found nothing yet.
type Uses struct {
	from  uint64 // first transaction whose records were not looked at
	found []store.Record
}

// look finds those among the records that were written since the last look, in the order of their
// ids.
func (u *Uses) look(tx *store.Tx, i *store.Image) {
	u.found = nil
	for _, k := range []store.Kind{store.Events, store.Venues, store.Organizers, store.AllSeries} {
		for r := range tx.Each(k) {
			p := store.PostOf(r)
			if p.Rev >= u.from && (p.Image == i.ID ||
				strings.Contains(p.Description, i.Directory) ||
				strings.Contains(p.Excerpt, i.Directory)) {
				u.found = append(u.found, r)
			}
		}
	}
	u.from = tx.Seq() + 1
	slices.SortFunc(u.found, func(a, b store.Record) int { return cmp.Compare(a.Key(), b.Key()) })
}

// RemoveMedia forgets an upload for good. The records that show it lose their picture, as the site
// its logo, and stay as they were otherwise. The error is an *InUse if the caller may not edit one
// of them, or the settings with the logo, and it may be store.ErrHeld and ErrMore.
func (ed Editor) RemoveMedia(tx *store.Tx, uses *Uses, i *store.Image) error {
	if err := tx.Hold(ed.Hold, i); err != nil {
		return err
	}
	_, err := ed.replaceMedia(tx, uses, i, &store.Image{})
	return err
}

// MergeMedia replaces an upload by another one: in the records of every status that show it, in
// texts, and as the logo of the site. The upload is forgotten for good, and the addresses
// elsewhere that it was taken from lead to the other one. MergeMedia returns the number of events,
// venues and organizers with another picture than before. The error may be store.ErrHeld, and
// ErrMore with that number of the part.
func (ed Editor) MergeMedia(
	tx *store.Tx,
	uses *Uses,
	from, into *store.Image,
) (kept *store.Image, records int, err error) {
	if err := tx.Hold(ed.Hold, from, into); err != nil {
		return nil, 0, err
	}
	if records, err = ed.replaceMedia(tx, uses, from, into); err != nil {
		return nil, records, err
	}
	next := *into
	next.Modified = ed.Now
	next.Origins = slices.Concat(into.Origins, from.Origins)
	return &next, records, tx.Put(&next)
}

// withPicture returns HTML with the files of another upload: that of the nearest smaller size, or
// the whole picture. A thumbnail becomes one, if there is one.
func withPicture(html string, from, into *store.Image) string {
	return markup.ReplacePictures(html, func(src string) string {
		if store.MediaDirectory(src) != from.Directory {
			return ""
		}
		shown := into.Full()
		for _, size := range from.Sizes {
			if path.Base(size.URL) != path.Base(src) {
				continue
			}
			shown = into.Within(size.Width)
			for _, own := range into.Sizes {
				if own.Name == store.Thumbnail && size.Name == store.Thumbnail {
					shown = own
				}
			}
		}
		return shown.URL
	})
}

// replaceMedia puts an upload in the place of another one, which it removes. The zero Image is
// none: then texts stay.
func (ed Editor) replaceMedia(
	tx *store.Tx,
	uses *Uses,
	from, into *store.Image,
) (records int, err error) {
	var work part
	for {
		if len(uses.found) == 0 {
			uses.look(tx, from)
			if into.ID == 0 {
				showing := slices.DeleteFunc(
					slices.Clone(uses.found),
					func(r store.Record) bool { return store.PostOf(r).Image != from.ID },
				)
				if err := ed.checkUse(tx.Settings().Logo == from.ID, showing); err != nil {
					return 0, err
				}
			}
			if len(uses.found) == 0 {
				break
			}
		}
		r := tx.Get(uses.found[0].Kind(), uses.found[0].Key())
		if next, p := replaced(r, from, into); next != nil {
			if err := work.put(tx, next); err != nil {
				return records, err
			}
			if p.Image != store.PostOf(r).Image && r.Kind() != store.AllSeries {
				records++
			}
		}
		uses.found = uses.found[1:]
	}
	if site := tx.Settings(); site.Logo == from.ID {
		site.Logo = into.ID
		if err := tx.SetSettings(site); err != nil {
			return records, err
		}
	}
	return records, tx.Remove(store.Images, from.ID)
}

// replaced returns a copy of a record with another upload, and its common part; nil if nothing
// changes, as where a text has the directory elsewhere than in a picture.
func replaced(r store.Record, from, into *store.Image) (store.Record, *store.Post) {
	if r == nil { // it was removed meanwhile
		return nil, nil
	}
	next, p := CopyOf(r)
	was := store.PostOf(r)
	if was.Image == from.ID {
		p.Image = into.ID
	}
	if into.ID != 0 {
		p.Description = withPicture(p.Description, from, into)
		p.Excerpt = withPicture(p.Excerpt, from, into)
	}
	if p.Image == was.Image && p.Description == was.Description && p.Excerpt == was.Excerpt {
		return nil, nil
	}
	return next, p
}
