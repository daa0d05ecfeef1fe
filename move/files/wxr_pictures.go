// Pictures in an export of WordPress: images of records, and galleries in texts.

package files

import (
	"html"
	"regexp"
	"strconv"
	"strings"
)

// gallery finds the shortcode for the pictures of a post, and those that it names.
var gallery = regexp.MustCompile(`\[gallery(\s[^\]\[]*)?\]`)

var galleryIDs = regexp.MustCompile(`\bids=["']?([0-9,\s]+)`)

// sizeMost bounds the sizes of a picture.
const sizeMost = 100

// want notes the pictures that a record shows.
func (x *exportReader) want(e *element) {
	for _, part := range e.Elements {
		if part.get("meta_key") == "_thumbnail_id" {
			id, _ := strconv.ParseInt(part.get("meta_value"), 10, 64)
			x.images[id] = nil
		}
	}
	for _, found := range gallery.FindAllString(e.get("content"), -1) {
		for _, id := range idsOf(found) {
			x.images[id] = nil
		}
	}
}

// idsOf returns the numbers of the pictures of a gallery, or nil.
func idsOf(gallery string) (ids []int64) {
	found := galleryIDs.FindStringSubmatch(gallery)
	if found == nil {
		return nil
	}
	for text := range strings.SplitSeq(found[1], ",") {
		if id, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// describe keeps the facts of the pictures that records show.
func (x *exportReader) describe(e *element) error {
	id := e.number("post_id")
	_, isWanted := x.images[id]
	if e.get("post_type") != "attachment" || !isWanted || x.pictures[id] == "" {
		return nil
	}
	image := Draft{"url": x.pictures[id]}
	x.images[id] = image
	for _, part := range e.Elements {
		value := part.get("meta_value")
		switch part.get("meta_key") {
		case "_wp_attachment_image_alt":
			image.Set("alt", value)
		case "_wp_attachment_metadata":
			facts, ok := unserialize(value)
			if !ok {
				x.left.count("sizes of pictures that cannot be read")
			}
			setSizes(image, facts)
		}
	}
	return nil
}

// setSizes sets the members of an image that its metadata has, in the form of lists.
func setSizes(image Draft, facts any) {
	all, _ := facts.(phpArray)
	setNumbers(image, all)
	sizes := Draft{}
	listed, _ := all["sizes"].(phpArray)
	address := image.Text("url")
	directory := address[:strings.LastIndexByte(address, '/')+1]
	for name, value := range listed {
		facts, _ := value.(phpArray)
		file, _ := facts["file"].(string)
		if file == "" || strings.ContainsAny(file, "/\\?#") || len(sizes) == sizeMost {
			continue
		}
		size := Draft{"url": directory + file}
		setNumbers(size, facts)
		mime, _ := facts["mime-type"].(string)
		size.Set("mime-type", mime)
		sizes[name] = size
	}
	if len(sizes) > 0 {
		image["sizes"] = sizes
	}
}

// setNumbers sets the numbers of a picture, or of one of its sizes.
func setNumbers(d Draft, facts phpArray) {
	for _, name := range []string{"width", "height", "filesize"} {
		if n, ok := facts[name].(int64); ok && n > 0 {
			d[name] = n
		}
	}
}

// setImage sets the image of a record.
func (x *exportReader) setImage(d Draft, number string) {
	id, _ := strconv.ParseInt(number, 10, 64)
	if image := x.images[id]; image != nil {
		d["image"] = image
		x.shown[id] = true
	} else if id > 0 {
		x.left.count("images whose pictures the export lacks")
	}
}

// withGalleries returns a text in which galleries are the pictures that they name. A gallery that
// names none has the pictures that were uploaded for the post, which only its page tells.
func (x *exportReader) withGalleries(text string) string {
	return gallery.ReplaceAllStringFunc(text, func(found string) string {
		ids := idsOf(found)
		if len(ids) == 0 {
			x.left.count("galleries that do not name their pictures")
		}
		var pictures []string
		for _, id := range ids {
			image := x.images[id]
			if image == nil {
				x.left.count("pictures of galleries that the export lacks")
				continue
			}
			x.shown[id] = true
			pictures = append(pictures, `<img src="`+html.EscapeString(image.Text("url"))+
				`" alt="`+html.EscapeString(image.Text("alt"))+`" />`)
		}
		return strings.Join(pictures, "\n")
	})
}
