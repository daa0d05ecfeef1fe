// Images, identified by address and described by the records that show them.

package intake

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/text/jsonio"
	"almanac/internal/text/markup"
	"almanac/internal/write"
	"almanac/store"
)

// image returns the id of the image of a record, 0 for none. It adds new facts to a known image;
// facts of a newer record replace older ones.
func (im *importer) image(of *record, newer bool) (int64, error) {
	v := of.Member("image")
	if v.IsEmpty() {
		return 0, nil
	}
	r, err := parse(v)
	if err != nil {
		address, _ := v.Text()
		switch known := im.local(store.Images, v.Integer()); {
		case address != "":
			r = wrap("url", v)
		case im.isNative() && known != nil:
			return known.Key(), nil
		default:
			return 0, inField(
				v.At,
				"",
				"image ",
				errors.New("must be an object, an address or false"),
			)
		}
	}
	im.look(store.Images, r)
	next := im.picture(r)
	if next.URL = of.onSite(next.URL); next.URL == "" {
		return 0, r.wrong
	}
	for j := range next.Sizes {
		next.Sizes[j].URL = of.onSite(next.Sizes[j].URL)
	}
	if err := checkLinks(next); err != nil {
		return 0, err
	}
	if im.isLimited() && !isWeb(next.URL) {
		return 0, errors.New("image is no address of the web")
	}
	i := &store.Image{URL: next.URL}
	if found := im.tx.ByURL(i.URL); found != nil {
		if im.isLimited() {
			return found.ID, nil
		}
		*i = *found
	}
	fill(&i.Title, next.Title, newer)
	fill(&i.Alt, next.Alt, newer && im.isNative()) // people write better ones here
	fill(&i.Caption, next.Caption, newer)
	i.Origins = append(slices.Clip(i.Origins), next.Origins...)
	if i.Directory == "" { // an upload is described by its files
		describe(i, next, newer)
	}
	return im.commit(r, i, &i.Meta)
}

// describe adds the facts of the file of an image elsewhere.
func describe(i, next *store.Image, newer bool) {
	fill(&i.Extension, next.Extension, newer)
	fill(&i.Width, next.Width, newer)
	fill(&i.Height, next.Height, newer)
	fill(&i.Filesize, next.Filesize, newer)
	fill(&i.Original, next.Original, newer)
	fill(&i.Sent, next.Sent, newer)
	fill(&i.FocusX, next.FocusX, newer)
	fill(&i.FocusY, next.FocusY, newer)
	fill(&i.Extension, write.Extension(i.URL), false)
	if len(next.Sizes) > 0 && newer {
		i.Sizes = nil
	}
	for _, size := range next.Sizes {
		if !slices.ContainsFunc(
			i.Sizes,
			func(has store.ImageSize) bool { return has.Name == size.Name },
		) {
			i.Sizes = append(slices.Clip(i.Sizes), size)
		}
	}
}

// picture returns the image in a record, without an id.
func (im *importer) picture(r *record) *store.Image {
	i := &store.Image{Sizes: im.sizes(r)}
	r.take(
		slices.DeleteFunc(
			imageMembers(i)[1:],
			func(m Member) bool { return !im.takes(m) },
		),
		true,
	)
	if im.isNative() {
		for _, address := range r.texts("origins") {
			if im.tx.ByURL(address) == nil {
				i.Origins = append(i.Origins, address)
			}
		}
	}
	return i
}

// Sites returns addresses on the site of a record, "" for unknown ones.
func Sites(record *jsonio.Value) (own, host string) {
	own, _ = textOf(record.Member("url")) // a wrong address is reported elsewhere
	id, _ := textOf(record.Member("global_id"))
	if site, _, isSite := strings.Cut(id, "?id="); isSite {
		host = "https://" + site
	}
	return own, host
}

// onSite resolves an address that may be a path on the site of the record.
func (r *record) onSite(address string) string {
	own, host := Sites(r.Value)
	return Resolve(address, own, host)
}

// Resolve resolves an address against the first address of the site that has a host.
func Resolve(address string, site ...string) string {
	for _, known := range site {
		if u, err := url.Parse(known); err == nil && u.Host != "" &&
			strings.HasPrefix(address, "/") {
			if u, err = u.Parse(address); err == nil {
				return u.String()
			}
		}
	}
	return address
}

func (im *importer) planted(r *record) (int64, error) {
	if !im.seed {
		return im.image(wrap("image", r.Value), false)
	}
	i := im.picture(r)
	if i.URL == "" {
		return 0, errors.New("has no url")
	}
	if err := checkLinks(i); err != nil {
		return 0, r.inField("url", "", err)
	}
	if other := im.tx.ByURL(i.URL); other != nil {
		return 0, r.inField("url", "url ", fmt.Errorf("is that of the image %d, too", other.ID))
	}
	if !im.exact {
		fill(&i.Extension, write.Extension(i.URL), false)
	}
	return im.commit(r, i, &i.Meta)
}

// fill sets a field to a value that is not empty, if the field is empty or the value is newer.
func fill[T comparable](field *T, value T, newer bool) {
	var empty T
	if value != empty && (newer || *field == empty) {
		*field = value
	}
}

// sizes returns the scaled copies of an image, in the order of the file.
func (im *importer) sizes(r *record) []store.ImageSize {
	var sizes []store.ImageSize
	list := r.Member("sizes")
	for _, m := range list.Members() {
		if slices.ContainsFunc(
			sizes,
			func(has store.ImageSize) bool { return has.Name == m.Name },
		) {
			continue
		}
		s := &record{Value: list.Member(m.Name)} // the last of this name
		size := store.ImageSize{Name: m.Name}
		members := SizeMembers(&size)
		s.take(members, true)
		for _, name := range s.names(func(name string) bool { _, ok := among(members, name); return !ok }) {
			im.report.unknown(UnknownKey{Kind: store.Images, Key: "sizes." + name, File: im.item.File})
		}
		if s.wrong != nil {
			r.wrong = cmp.Or(
				r.wrong,
				r.inField("sizes", fmt.Sprintf("image size %q: ", m.Name), s.wrong),
			)
		}
		sizes = append(sizes, size)
	}
	return sizes
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
