// Pictures whose files an import takes along.

package intake

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"almanac/internal/jsonin"
	"almanac/internal/markup"
	"almanac/store"
)

// A Picture is a picture that a record shows, or an image in its texts.
type Picture struct {
	Address string   // as the import knows the image
	Wider   []string // addresses of the same picture, widest first
	Site    string   // address of the record, or of its site; "" if unknown
	File    string   // its name beside the export
	Focus   [2]int   // point of the thumbnail, in percent
}

// Addresses returns the addresses of the picture, widest first.
func (p Picture) Addresses() []string { return append(slices.Clone(p.Wider), p.Address) }

// Names returns the names that the file of the picture may have: that of an export, the paths below uploads/ in its addresses, and
// their last parts.
func (p Picture) Names() []string {
	names := []string{p.File}
	for _, address := range p.Addresses() {
		if u, err := url.Parse(address); err == nil {
			if _, below, ok := strings.Cut(u.Path, "/uploads/"); ok {
				names = append(names, below)
			}
			names = append(names, PictureName(address))
		}
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

// Pictures returns the pictures of a record and of the records inside it.
func (i Item) Pictures() (all []Picture) {
	v := i.Value
	if v == nil {
		v = &jsonin.Value{Raw: i.Record}
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
		image, err = wrap("url", v), nil
	}
	if err == nil {
		all = r.appendPicture(all, image)
	}
	for _, name := range []string{"description", "excerpt"} {
		text, _ := r.Member(name).Text()
		markup.ReplacePictures(text, func(p markup.Picture) (string, string) {
			if address := r.onSite(p.Src); address != "" {
				for n := range p.Wider {
					p.Wider[n] = r.onSite(p.Wider[n])
				}
				all = append(all, Picture{Address: address, Wider: p.Wider, Site: r.site(), Focus: [2]int{50, 50}})
			}
			return "", ""
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
	p := Picture{Address: r.onSite(image.text("url")), Site: r.site(), File: image.text("file"), Focus: [2]int{50, 50}}
	for n, name := range []string{"focus_x", "focus_y"} {
		if image.has(name) {
			p.Focus[n] = int(min(image.integer(name), 100))
		}
	}
	if p.Address == "" {
		return all
	}
	return append(all, p)
}

// site returns an address on the site of the record, or "".
func (r *record) site() string {
	quiet := *r
	host, _, ok := strings.Cut(quiet.text("global_id"), "?id=")
	if ok {
		host = "https://" + host
	}
	return cmp.Or(quiet.text("url"), host)
}

// withUploads returns HTML in which uploads have their addresses here. They are stored without a host.
func (im *importer) withUploads(r *record, html string) string {
	return markup.ReplacePictures(html, func(p markup.Picture) (src, srcset string) {
		i := im.tx.ByURL(r.onSite(p.Src))
		if i == nil || i.Directory == "" {
			return "", ""
		}
		src = i.URL
		for _, size := range i.Sizes {
			if size.Name == "large" {
				src = size.URL
			}
			if size.Name != "thumbnail" { // shows a part
				srcset += fmt.Sprintf("%s %dw, ", size.URL, size.Width)
			}
		}
		if _, own, ok := strings.Cut(p.Src, store.MediaPath+i.Directory); ok {
			src = store.MediaPath + i.Directory + own
		}
		return src, srcset + fmt.Sprintf("%s %dw", i.URL, i.Width)
	})
}
