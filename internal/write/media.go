// Uploads: their texts, and their removal.

package write

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/markup"
	"almanac/internal/params"
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

// RemoveMedia forgets an upload for good. The records that show it lose their picture, as the site
// its logo, and stay as they were otherwise. The error is an *InUse if the caller may not edit one
// of them, or the settings with the logo, and it may be ErrMore.
func (ed Editor) RemoveMedia(tx *store.Tx, i *store.Image) error {
	if err := ed.checkUse(tx.Settings().Logo == i.ID, tx.Showing(i.ID)); err != nil {
		return err
	}
	_, err := replaceMedia(tx, new(part), i, 0)
	return err
}

// MergeMedia replaces an upload by another one: in the records of every status that show it, in
// texts, and as the logo of the site. The upload is forgotten for good, and the addresses
// elsewhere that it was taken from lead to the other one. MergeMedia returns the number of events,
// venues and organizers with another picture than before. The error may be ErrMore, with that
// number of the part.
func (ed Editor) MergeMedia(
	tx *store.Tx,
	from, into *store.Image,
) (kept *store.Image, records int, err error) {
	var within []store.Record
	for _, k := range []store.Kind{store.Events, store.Venues, store.Organizers, store.AllSeries} {
		for r := range tx.Each(k) {
			if p := store.PostOf(r); strings.Contains(p.Description, from.Directory) ||
				strings.Contains(p.Excerpt, from.Directory) {
				within = append(within, r)
			}
		}
	}
	var work part
	for _, r := range within {
		next, p := CopyOf(r)
		p.Description = withPicture(p.Description, from, into)
		p.Excerpt = withPicture(p.Excerpt, from, into)
		if was := store.PostOf(r); p.Description == was.Description && p.Excerpt == was.Excerpt {
			continue // it names the directory elsewhere than in a picture
		}
		if err := work.put(tx, next); err != nil {
			return nil, 0, err
		}
	}
	if records, err = replaceMedia(tx, &work, from, into.ID); err != nil {
		return nil, records, err
	}
	next := *into
	next.Modified = ed.Now
	next.Origins = slices.Concat(into.Origins, from.Origins)
	return &next, records, tx.Put(&next)
}

// withPicture returns HTML with the files of another upload: the file of the same size, or the
// whole picture.
func withPicture(html string, from, into *store.Image) string {
	return markup.ReplacePictures(html, func(src string) string {
		if store.MediaDirectory(src) != from.Directory {
			return ""
		}
		name := "full"
		for _, size := range from.Sizes {
			if path.Base(size.URL) == path.Base(src) {
				name = size.Name
			}
		}
		for _, size := range into.Sizes {
			if size.Name == name {
				return size.URL
			}
		}
		return into.URL
	})
}

// replaceMedia puts the image with an id, 0 for none, in the place of an upload, and removes the
// upload.
func replaceMedia(
	tx *store.Tx,
	work *part,
	from *store.Image,
	into int64,
) (records int, err error) {
	for _, r := range tx.Showing(from.ID) {
		next, p := CopyOf(r)
		p.Image = into
		if err := work.put(tx, next); err != nil {
			return records, err
		}
		if r.Kind() != store.AllSeries {
			records++
		}
	}
	if site := tx.Settings(); site.Logo == from.ID {
		site.Logo = into
		if err := tx.SetSettings(site); err != nil {
			return records, err
		}
	}
	return records, tx.Remove(store.Images, from.ID)
}
