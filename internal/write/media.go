// Uploads: their texts, and their removal.

package write

import (
	"path"
	"regexp"
	"strings"

	"almanac/internal/markup"
	"almanac/internal/params"
	"almanac/store"
)

// Media applies the parameters to an upload. The alternative text has two names. It reports whether the point changed that the
// thumbnail is cut around.
func (ed Editor) Media(values params.Values, alt string, i *store.Image) (refocused bool, err error) {
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
	for name, at := range map[string]*int{"focus_x": &i.FocusX, "focus_y": &i.FocusY} {
		if !values.Has(name) {
			continue
		}
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

// MediaName returns the name of the served file of an upload, without its extension: the title, or the name of the file as it
// was sent.
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

// RemoveMedia forgets an upload for good. The records that show it lose their picture, as the site its logo, and stay as they were
// otherwise.
func RemoveMedia(tx *store.Tx, i *store.Image) error {
	if site := tx.Settings(); site.Logo == i.ID {
		site.Logo = 0
		if err := tx.SetSettings(site); err != nil {
			return err
		}
	}
	for _, r := range tx.Showing(i.ID) {
		next, p := CopyOf(r)
		p.Image = 0
		if err := tx.Put(next); err != nil {
			return err
		}
	}
	return tx.Remove(store.Images, i.ID)
}
