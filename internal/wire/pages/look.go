// Choices of an owner: texts, style, logo, picture and templates.

package pages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"html/template"
	"image"
	_ "image/jpeg" // for the size of logos
	_ "image/png"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A Look is the choices of the owner of a site for its pages. The zero Look is ours.
type Look struct {
	About        string   // a line below the name
	Links        []Link   // in the footer; one without a text has the word for contact in the language of the page
	Accent       *Asset   // style sheet of a colour, loaded after ours; nil is none
	Style        *Asset   // loaded after both; nil is none
	Logo         *Asset   // nil is none
	Picture      *Asset   // picture for links to pages without one; nil is none
	Theme        *Theme   // nil is ours
	PictureHosts []string // whose pictures are shown besides the site's, in lower case
	FrameHosts   []string // of whom frames in stored HTML are shown
	Ancestors    []string // sources of a frame-ancestors policy, for pages below /embed/
}

// ContactAt returns what a link of the owner leads to: an e-mail address, or an address with
// https://, http:// or mailto:. It is "" for anything else.
func ContactAt(text string) template.URL {
	u, err := url.Parse(text)
	switch {
	case strings.ContainsAny(text, " <>\"\\"):
	case Mailbox.MatchString(text):
		return template.URL("mailto:" + url.PathEscape(text))
	case err == nil && ((u.Scheme == "http" || u.Scheme == "https") && u.Host != "" || u.Scheme == "mailto" && u.Opaque != ""):
		return template.URL(u.String())
	}
	return ""
}

// Mailbox is the form of an e-mail address, as far as it keeps other texts out.
var Mailbox = regexp.MustCompile(`^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+\.[^\s@<>(),;:"\\.]+$`)

// An Asset is a file that pages load. Its name changes with it, so that browsers may keep
// it for ever.
type Asset struct {
	Name, Media string
	Text        []byte
	Image       *Image // size of a shown picture; the server sets its address
}

// Sizes of files that an owner chooses. Every visitor loads them.
const (
	StyleMost = 256 << 10
	LogoMost  = 1 << 20

	PictureMost = 2 << 20
)

// logoHeight is how high a logo is shown, in pixels.
const logoHeight = 40

// NewStyle makes an asset of a style sheet.
func NewStyle(text []byte) (*Asset, error) {
	switch i := firstInvalid(text); {
	case len(text) > StyleMost:
		return nil, fmt.Errorf("it has more than %d KB, and every visitor loads it", StyleMost>>10)
	case i >= 0:
		return nil, fmt.Errorf("line %d is not UTF-8 text", 1+bytes.Count(text[:i], []byte("\n")))
	}
	return &Asset{
		Name:  HashedName("style", text, ".css"),
		Media: "text/css; charset=utf-8",
		Text:  text,
	}, nil
}

// firstInvalid returns where a text has a byte that UTF-8 text has not, or -1.
func firstInvalid(
	text []byte,
) int {
	return bytes.IndexByte(bytes.ToValidUTF8(text, []byte{0}), 0)
}

// NewLogo makes an asset of a picture, whose kind and size are found in its content.
func NewLogo(text []byte) (*Asset, error) {
	if len(text) > LogoMost {
		return nil, fmt.Errorf("it has more than %d KB, and every visitor loads it", LogoMost>>10)
	}
	kind, width, height := logoKind(text)
	switch {
	case kind == "":
		return nil, errors.New("it is no picture of the kinds PNG, JPEG, WebP and SVG")
	case !(0 < width && width < 1e6 && 0 < height && height < 1e6):
		return nil, errors.New(
			"its size is not known: an SVG needs a viewBox, or a width and a height in pixels",
		)
	}
	shown := &Image{Width: max(1, int(width/height*logoHeight+0.5)), Height: logoHeight}
	extension, _, _ := strings.Cut(kind, "+")
	return &Asset{
		Name:  HashedName("logo", text, "."+extension),
		Media: "image/" + kind,
		Text:  text,
		Image: shown,
	}, nil
}

// NewPicture makes an asset of a picture that programs show with links to pages.
func NewPicture(text []byte) (*Asset, error) {
	kind, width, height := logoKind(text)
	switch {
	case len(text) > PictureMost:
		return nil, fmt.Errorf(
			"it has more than %d KB, which many programs do not load",
			PictureMost>>10,
		)
	case kind != "png" && kind != "jpeg":
		return nil, errors.New(
			"it is no picture of the kinds PNG and JPEG, which all programs show",
		)
	}
	return &Asset{
		Name:  HashedName("picture", text, "."+kind),
		Media: "image/" + kind,
		Text:  text,
		Image: &Image{Width: int(width), Height: int(height)},
	}, nil
}

// logoKind returns the subtype of a picture and its size, 0 where that is not known.
func logoKind(text []byte) (kind string, width, height float64) {
	if config, format, err := image.DecodeConfig(bytes.NewReader(text)); err == nil &&
		format != "gif" { // package picture reads these
		return format, float64(config.Width), float64(config.Height)
	}
	if len(text) >= 30 && string(text[:4]) == "RIFF" && string(text[8:12]) == "WEBP" {
		number := func(at int) uint32 { return binary.LittleEndian.Uint32(text[at:]) }
		switch string(text[12:16]) { // RFC 9649, section 2
		case "VP8 ":
			return "webp", float64(number(26) & 0x3fff), float64(number(26) >> 16 & 0x3fff)
		case "VP8L":
			return "webp", float64(number(21)&0x3fff + 1), float64(number(21)>>14&0x3fff + 1)
		case "VP8X":
			return "webp", float64(number(24)&0xffffff + 1), float64(number(26)>>8 + 1)
		}
	}
	if svg := svgStart().FindSubmatch(text); svg != nil {
		width, height = sizeOfSVG(svg[1])
		return "svg+xml", width, height
	}
	return "", 0, 0
}

// svgStart is an SVG up to the start tag of its root: text, instructions, comments and the type of
// the document stand before. It finds the attributes.
var svgStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(?:[^<]|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>)*` +
		`<(?:[\w.-]+:)?svg((?:\s+[^\s=<>]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*/?>`)
})

// sizeAttributes are the attributes of an SVG that give its size.
var sizeAttributes = regexp.MustCompile(`\s(width|height|viewBox)\s*=\s*["']([^"']*)`)

var spacesOrCommas = regexp.MustCompile(`[\s,]+`)

// sizeOfSVG returns the size from the attributes of an SVG. Only the proportion counts.
func sizeOfSVG(attributes []byte) (width, height float64) {
	var box [4]float64
	for _, a := range sizeAttributes.FindAllStringSubmatch(string(attributes), -1) {
		value := strings.TrimSpace(a[2])
		number, _ := strconv.ParseFloat(
			strings.TrimSuffix(value, "px"),
			64,
		) // 0 of percents and other units
		switch a[1] {
		case "width":
			width = number
		case "height":
			height = number
		case "viewBox":
			for i, text := range spacesOrCommas.Split(value, len(box)) {
				box[i], _ = strconv.ParseFloat(text, 64)
			}
		}
	}
	if width == 0 || height == 0 {
		return box[2], box[3]
	}
	return width, height
}
