// Pictures of records.

package pages

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/text/markup"
	"almanac/store"
)

// An Image is a picture of the site's own, or of a host that the site shows pictures of.
type Image struct {
	Source        string
	Width, Height int             // 0 for an image whose size is not known
	Srcset        template.Srcset // copies of several widths; "" for one
	Alt           string
	Caption       string // on the page of the record
}

// String returns the address. Templates of a site may have {{.Image}} for that of a page.
func (i *Image) String() string { return i.Source }

// Widths of the widest copies that pages load: two pixels or three for each one of the style
// sheet.
const (
	entryWidth = 480  // in lists
	ownWidth   = 1600 // on the page of the record
)

// Pictured returns the picture of a record for its own page, or a link to a picture on another
// host; nil is none.
func (m *Maker) Pictured(id int64) (*Image, *Link) {
	i := m.Renderer.Image(id)
	if i == nil {
		return nil, nil
	}
	switch source, host, shown := m.Picture(i.URL); {
	case source == "":
		return nil, nil
	case shown:
		own := m.copies(i, ownWidth)
		own.Caption = markup.Plain(markup.Content(i.Caption))
		return own, nil
	default:
		return nil, &Link{
			Text: m.Words.Text("site.picture", "{host}", host),
			Href: template.URL(source),
		}
	}
}

// thumbnail returns the picture of an event for its entry in a list, or nil.
func (m *Maker) thumbnail(inside *store.Event) *Image {
	i := m.Renderer.Image(inside.Image)
	if i == nil {
		return nil
	}
	if _, _, shown := m.Picture(i.URL); !shown {
		return nil
	}
	return m.copies(i, entryWidth)
}

// copies returns an image with its copies up to a width. Browsers choose one of them by the room
// that it has. Lists cut pictures, so that the square thumbnail is a copy there.
func (m *Maker) copies(i *store.Image, most int) *Image {
	shown := &Image{Source: i.URL, Width: i.Width, Height: i.Height, Alt: i.Alt}
	widest := 0
	all := []string(nil)
	for _, c := range append([]store.ImageSize{{
		URL:    i.URL,
		Width:  i.Width,
		Height: i.Height,
	}}, i.Sizes...) {
		isWhole := max(
			c.Width*i.Height-c.Height*i.Width,
			c.Height*i.Width-c.Width*i.Height,
		) <= max(
			i.Width,
			i.Height,
		) // one pixel off
		// In lists a copy wider than 3:2 would be enlarged: it loses its sides.
		isLow := most == entryWidth && c.Width < min(most, i.Width) && 2*c.Width > 3*c.Height
		isThumbnail := most == entryWidth && c.Name == store.Thumbnail
		width := " " + strconv.Itoa(c.Width) + "w"
		isTwin := slices.ContainsFunc(all, func(other string) bool {
			return strings.HasSuffix(other, width)
		})
		if c.Width < 1 || c.Width > most || isTwin || !isThumbnail && (!isWhole || isLow) ||
			strings.ContainsAny(c.URL, " ,") {
			continue
		}
		if _, _, ok := m.Picture(c.URL); !ok {
			continue
		}
		all = append(all, c.URL+width)
		if isWhole && c.Width > widest {
			widest = c.Width
			shown.Source = c.URL
			shown.Width = c.Width
			shown.Height = c.Height
		}
	}
	if len(all) > 1 {
		shown.Srcset = template.Srcset(strings.Join(all, ", "))
	}
	return shown
}
