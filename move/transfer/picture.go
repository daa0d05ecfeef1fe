// Pictures that records show.

package transfer

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"almanac/internal/text/jsonio"
	"almanac/internal/text/markup"
	"almanac/internal/write/intake"
	"almanac/store"
)

// picturesMost is how many pictures of a record are looked at.
const picturesMost = 1000

// A picture is one that a record shows, or an image in its texts.
type picture struct {
	address string // as the import knows the image
	site    string // address of the record, or of its site; "" if unknown
	file    string // its name beside the export
	focus   [2]int // point of the thumbnail, in percent
}

// names returns the names that the file of the picture may have below a directory: that of an
// export, the relative path that the record has in the place of an address, and the path below
// uploads/ in an address. They may lead out of the directory.
func (p picture) names() []string {
	names := []string{p.file}
	u, err := url.Parse(p.address)
	if err != nil { // such as 100%.jpg
		return append(names, p.address)
	}
	if _, below, isUpload := strings.Cut(u.Path, "/uploads/"); isUpload {
		names = append(names, below)
	}
	if !u.IsAbs() && u.Host == "" {
		names = append(names, p.address, u.Path)
	}
	return names
}

// pictureName returns the last part of the path of an address.
func pictureName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

// pictures returns the pictures of a record and of the records inside it, up to picturesMost.
func pictures(item intake.Item) []picture {
	record := &jsonio.Value{Raw: item.Record}
	if item.Kind == store.Images.String() {
		return appendPicture(nil, record, record)
	}
	return appendPictures(nil, record)
}

func appendPictures(all []picture, record *jsonio.Value) []picture {
	all = appendPicture(all, record, record.Member("image"))
	for _, name := range []string{"description", "excerpt"} {
		text, _ := record.Member(name).Text()
		markup.ReplacePictures(text, func(src string) string {
			all = appendAddress(all, record, picture{address: src, focus: [2]int{50, 50}})
			return ""
		})
	}
	for _, name := range []string{"venue", "organizer"} {
		for _, inner := range record.Member(name).Items() {
			all = appendPictures(all, inner)
		}
	}
	return all
}

// appendPicture appends an image of a record, which is an object or an address.
func appendPicture(all []picture, record, image *jsonio.Value) []picture {
	p := picture{focus: [2]int{50, 50}}
	var isText bool
	if p.address, isText = image.Text(); !isText {
		p.address, _ = image.Member("url").Text()
	}
	p.file, _ = image.Member("file").Text()
	for n, name := range []string{"focus_x", "focus_y"} {
		if at := image.Member(name); !at.IsNull() {
			p.focus[n] = int(min(max(at.Integer(), 0), 100))
		}
	}
	return appendAddress(all, record, p)
}

// appendAddress appends a picture whose address may be a path on the site of the record.
func appendAddress(all []picture, record *jsonio.Value, p picture) []picture {
	own, host := intake.Sites(record)
	p.address = intake.Resolve(p.address, own, host)
	p.site = cmp.Or(own, host)
	if p.address == "" || len(all) == picturesMost {
		return all
	}
	return append(all, p)
}
