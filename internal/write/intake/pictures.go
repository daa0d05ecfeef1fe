// Pictures whose files an import takes along.

package intake

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"almanac/internal/text/jsonio"
	"almanac/internal/text/markup"
	"almanac/store"
)

// picturesMost is how many pictures of a record are looked at.
const picturesMost = 1000

// A Picture is a picture that a record shows, or an image in its texts.
type Picture struct {
	Address string // as the import knows the image
	Site    string // address of the record, or of its site; "" if unknown
	File    string // its name beside the export
	Focus   [2]int // point of the thumbnail, in percent
}

// Names returns the names that the file of the picture may have below a directory: that of an
// export, the relative path that the record has in the place of an address, and the path below
// uploads/ in an address. They may lead out of the directory.
func (p Picture) Names() []string {
	names := []string{p.File}
	u, err := url.Parse(p.Address)
	if err != nil { // such as 100%.jpg
		return append(names, p.Address)
	}
	if _, below, isUpload := strings.Cut(u.Path, "/uploads/"); isUpload {
		names = append(names, below)
	}
	if !u.IsAbs() && u.Host == "" {
		names = append(names, p.Address, u.Path)
	}
	return names
}

// PictureName returns the last part of the path of an address.
func PictureName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

// Pictures returns the pictures of a record and of the records inside it, up to 1,000.
func (i Item) Pictures() (all []Picture) {
	v := i.Value
	if v == nil {
		v = &jsonio.Value{Raw: i.Record}
	}
	r, err := parse(v)
	switch {
	case err != nil:
	case i.Kind == store.Images.String():
		all = r.appendPicture(nil, r)
	default:
		all = r.appendPictures(nil)
	}
	return all
}

func (r *record) appendPictures(all []Picture) []Picture {
	v := r.Member("image")
	image, err := parse(v)
	if address, ok := v.Text(); ok && address != "" {
		image = wrap("url", v)
		err = nil
	}
	if err == nil {
		all = r.appendPicture(all, image)
	}
	for _, name := range []string{"description", "excerpt"} {
		text, _ := r.Member(name).Text()
		markup.ReplacePictures(text, func(src string) string {
			if address := r.onSite(src); address != "" && len(all) < picturesMost {
				all = append(all, Picture{
					Address: address,
					Site:    cmp.Or(r.sites()),
					Focus:   [2]int{50, 50},
				})
			}
			return ""
		})
	}
	for _, name := range []string{"venue", "organizer"} {
		for _, v := range r.Member(name).Items() {
			if inner, err := parse(v); err == nil {
				all = inner.appendPictures(all)
			}
		}
	}
	return all
}

// appendPicture appends the picture of an image in the record.
func (r *record) appendPicture(all []Picture, image *record) []Picture {
	p := Picture{
		Address: r.onSite(image.text("url")),
		Site:    cmp.Or(r.sites()),
		File:    image.text("file"),
		Focus:   [2]int{50, 50},
	}
	for n, name := range []string{"focus_x", "focus_y"} {
		if image.has(name) {
			p.Focus[n] = int(min(image.integer(name), 100))
		}
	}
	if p.Address == "" || len(all) == picturesMost {
		return all
	}
	return append(all, p)
}

// textWidth is the width of the widest file of an upload that texts show.
const textWidth = 1600

// withUploads returns HTML in which uploads have their addresses here. They are stored without a
// host.
func (im *importer) withUploads(r *record, html string) string {
	return markup.ReplacePictures(html, func(src string) string {
		i := im.tx.ByURL(r.onSite(src))
		if i == nil || i.Directory == "" {
			return ""
		}
		if _, own, ok := strings.Cut(src, store.MediaPath+i.Directory); ok {
			return store.MediaPath + i.Directory + own
		}
		return i.Within(textWidth).URL
	})
}
