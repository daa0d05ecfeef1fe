// Package picture turns an uploaded picture into the files that the server shows: the picture without metadata, and
// smaller sizes of it.
//
// The type is told by the content. A JPEG is decoded and encoded anew as JPEG, a PNG as PNG, and the first picture of a
// GIF as PNG, so no byte of the sent file is served, except the color profile. The orientation of the EXIF data is applied
// to the pixels. The standard library cannot decode a WebP: its image data is served as sent, without its other chunks and
// without sizes.
//
// Before anything is decoded, the dimensions are compared with Limits. A decoder needs up to 3 bytes for a pixel of a
// sequential JPEG, 15 for a pixel of a progressive one, 4 for a pixel of a PNG and 1 for a pixel of a GIF.
package picture

import "fmt"

// Limits bound the pixels that are decoded.
type Limits struct {
	// Pixels is the limit for WebP and for sequential JPEG in gray or YCbCr, DefaultPixels if it is 0. Other JPEG, PNG and
	// GIF may have a third of it, and PNG of 16 bits a sixth.
	Pixels int
}

// DefaultPixels is the limit of pixels if there is no other.
const DefaultPixels = 48_000_000

// A Focus is the point of a picture that a thumbnail keeps, in percent of width and height as the picture is seen:
// {50, 50} is the middle.
type Focus struct{ X, Y int }

// A File is one file to serve.
type File struct {
	Name          string // size: "" for full, "medium", "large", "thumbnail", "medium_large"
	Width, Height int
	Type          string // image/jpeg, image/png or image/webp
	Data          []byte
}

// Served are the files made of a sent picture.
type Served struct {
	// Extension of the full file: jpg, png or webp. A size of a PNG without transparency may have the type image/jpeg.
	Extension string
	// Files are the full one, then the sizes in the order medium, large, thumbnail, medium_large. A size exists if the
	// picture is wider than it, the square thumbnail if no side is shorter than 150 pixels, and one is longer.
	Files []File
}

// A Reason tells the kinds of refusals apart.
type Reason int

const (
	Unknown  Reason = iota // content of another type than JPEG, PNG, GIF, WebP
	Broken                 // damaged or cut off, or a form that decoders here lack
	TooLarge               // more pixels than the limit, or a side that is too long
	Turned                 // WebP with an orientation other than 1
	Animated               // WebP of more than one picture
)

// longest is the limit of each side. JPEG and GIF cannot exceed it; PNG could, with rows of many megabytes.
const longest = 65535

// An Error says why a picture is refused.
type Error struct {
	Reason        Reason
	Kind          string // JPEG, PNG, GIF, WebP; "" if Unknown
	Width, Height int    // dimensions of the picture, if TooLarge
	Limit         int    // pixels that a picture of this kind may have, if TooLarge
	Cause         error  // error of the decoder, if Broken; may be nil
}

// Error returns a sentence that names the mistake and its remedy.
func (e *Error) Error() string {
	switch e.Reason {
	case Broken:
		return fmt.Sprintf("the %s file is damaged or cut off: open it and save it again (%v)", e.Kind, e.Cause)
	case TooLarge:
		return fmt.Sprintf("the picture has %d x %d pixels: a %s file like this one may have %d in all and %d on a side, so make it smaller",
			e.Width, e.Height, e.Kind, e.Limit, longest)
	case Turned:
		return "the WebP file has an orientation in its EXIF data, which cannot be applied: save it as JPEG"
	case Animated:
		return "the WebP file is animated: save one of its pictures, or save it as GIF, whose first picture is shown"
	}
	return "the file is no picture that can be shown: send a JPEG, PNG, GIF or WebP file"
}

func (e *Error) Unwrap() error { return e.Cause }

// Read returns the files to serve for a picture as it was sent, or an *Error. The files share no memory with sent.
func Read(sent []byte, focus Focus, limits Limits) (*Served, error) {
	return nil, &Error{Reason: Unknown}
}
