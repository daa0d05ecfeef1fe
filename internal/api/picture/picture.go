// Package picture turns an uploaded picture into the files that the server shows: the picture
// without metadata, and smaller sizes.
//
// The type is told by the content. A JPEG is decoded and encoded anew as JPEG, a PNG and the first
// picture of a GIF as PNG, so no byte of the sent file is served, except the color profile. The
// orientation in EXIF data is applied to the pixels. The standard library cannot decode a WebP:
// its image data is served as sent, without sizes and without all other chunks; an animated one is
// refused.
//
// Dimensions are compared with Limits before pixels are decoded. A decoder takes 1.5 to 3 bytes
// for a pixel of a sequential JPEG, up to 15 of a progressive one, 4 or 8 of a PNG and 1 of a GIF.
// The rest takes the bytes of the files that are made and some 20 megabytes.
package picture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif"
	"strings"
)

// Limits bound the pixels that are decoded. Progressive JPEG, JPEG in RGB or CMYK, PNG and GIF may
// have two thirds of Pixels.
type Limits struct{ Pixels int } // 0 is defaultPixels

// defaultPixels is the limit of pixels if Limits has no other.
const defaultPixels = 24_000_000

// longest bounds each side. JPEG, GIF and WebP cannot exceed it; rows of a PNG could have many
// megabytes.
const longest = 65535

// A Focus is the point of a picture that a thumbnail keeps, in percent of width and height as the
// picture is seen: {50, 50} is the middle.
type Focus struct{ X, Y int }

// A File is one file to serve.
type File struct {
	Name          string // size: "" for full, or a name such as "medium"
	Width, Height int
	Type          string // image/jpeg, image/png or image/webp
	Data          []byte
}

// Served are the files made of a sent picture. The full one is first, then sizes in the order of
// their table. A size exists if the picture exceeds its bounds; the square thumbnail if no side is
// shorter than 150 pixels, and one is longer. Sizes of the same dimensions share Data. A size of a
// PNG or GIF may be a JPEG.
type Served struct {
	Extension string // jpg, png or webp: type of the full file
	Files     []File
}

// A Reason tells refusals apart.
type Reason int

const (
	Unshown  Reason = iota // content of another type than JPEG, PNG, GIF, WebP, or a WebP that is turned or animated
	Broken                 // damaged, cut off, or of a form that decoders lack
	TooLarge               // more pixels than the limit, or too long a side
)

// An Error says why a picture is refused, in a sentence that names the mistake and its remedy.
type Error struct {
	Reason Reason
	error
}

func refuse(reason Reason, format string, args ...any) error {
	return &Error{reason, fmt.Errorf(format, args...)}
}

func broken(kind string, cause error) error {
	return refuse(
		Broken,
		"the %s file is damaged or cut off (%w): open it, save it again, and send the new file",
		kind,
		cause,
	)
}

// Read returns the files to serve for a picture as it was sent, or an *Error. The files share no
// memory with sent.
func Read(sent []byte, focus Focus, limits Limits) (*Served, error) {
	limit := cmp.Or(limits.Pixels, defaultPixels)
	if len(sent) >= 12 && string(sent[:4]) == "RIFF" && string(sent[8:12]) == "WEBP" {
		return readWebP(sent, limit)
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(sent))
	if errors.Is(err, image.ErrFormat) {
		return nil, refuse(
			Unshown,
			"the file is not a picture that can be shown: send a JPEG, PNG, GIF or WebP file",
		)
	}
	kind := strings.ToUpper(format)
	p := source{turn: 1, jpeg: format == "jpeg", length: len(sent)}
	heavy := true
	if p.jpeg && err == nil {
		p.turn, p.profile, heavy, err = readSegments(sent)
	} else if format == "png" && err == nil {
		p.turn, p.profile = readChunks(sent)
	}
	if err != nil {
		return nil, broken(kind, err)
	}
	if heavy {
		limit = limit * 2 / 3
	}
	if err := check(kind, config.Width, config.Height, limit); err != nil {
		return nil, err
	}
	if p.img, _, err = image.Decode(bytes.NewReader(sent)); err != nil {
		return nil, broken(kind, err)
	}
	if screen := image.Rect(0, 0, config.Width, config.Height); p.img.Bounds() != screen { // first picture of a GIF
		whole := image.NewNRGBA(screen)
		draw.Draw(whole, p.img.Bounds(), p.img, p.img.Bounds().Min, draw.Src)
		p.img = whole
	}
	return p.serve(focus)
}

// check compares the dimensions of a picture with the limits.
func check(kind string, w, h, limit int) error {
	if w < 1 || h < 1 {
		return broken(kind, errors.New("it has no pixels"))
	}
	if max(w, h) > longest || w*h > limit {
		return refuse(
			TooLarge,
			"the %s file has %d x %d pixels: make it smaller, because a file like it may have "+
				"%d pixels in all and %d on a side",
			kind,
			w,
			h,
			limit,
			longest,
		)
	}
	return nil
}
