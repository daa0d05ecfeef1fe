package picture

import (
	"bytes"
	"encoding/binary"
	"image"
)

// An orientation is a value of the EXIF tag, 1 to 8: the way from the pixels as stored to the
// picture as seen.
type orientation int

// orientationOf reads the tag from the first directory of EXIF data, which is a TIFF file. Broken
// data has orientation 1.
func orientationOf(exif []byte) orientation {
	const tag, short, length = 0x0112, 3, 12 // length of an entry
	var order binary.ByteOrder = binary.LittleEndian
	if bytes.HasPrefix(exif, []byte("MM\x00*")) {
		order = binary.BigEndian
	} else if !bytes.HasPrefix(exif, []byte("II*\x00")) {
		return 1
	}
	if len(exif) < 8 || uint64(order.Uint32(exif[4:]))+2 > uint64(len(exif)) {
		return 1
	}
	directory := exif[order.Uint32(exif[4:]):]
	for i := range int(order.Uint16(directory)) {
		if len(directory) < 2+length*(i+1) {
			break
		}
		entry := directory[2+length*i:]
		if o := order.Uint16(entry[8:]); order.Uint16(entry) == tag &&
			order.Uint16(entry[2:]) == short &&
			1 <= o &&
			o <= 8 {
			return orientation(o)
		}
	}
	return 1
}

// swap returns the width and height of the picture as seen for those as stored, and the other way
// round.
func (o orientation) swap(w, h int) (int, int) {
	if o > 4 {
		return h, w
	}
	return w, h
}

// seen returns the place in the picture as seen of a pixel of the picture as stored, which is w
// wide and h high.
func (o orientation) seen(x, y, w, h int) (int, int) {
	if o == 2 || o == 3 || o == 7 || o == 8 {
		x = w - 1 - x
	}
	if o == 3 || o == 4 || o == 6 || o == 7 {
		y = h - 1 - y
	}
	return o.swap(x, y)
}

// inverse returns the orientation that undoes this one: the quarter turns undo each other.
func (o orientation) inverse() orientation {
	if o == 6 || o == 8 {
		return 14 - o
	}
	return o
}

// apply returns the picture as seen.
func (o orientation) apply(img image.Image) image.Image {
	if o == 1 {
		return img
	}
	w, h := o.swap(img.Bounds().Dx(), img.Bounds().Dy())
	seen := image.Rect(0, 0, w, h)
	back := o.inverse()
	switch img := img.(type) {
	case *image.YCbCr:
		out := image.NewYCbCr(seen, image.YCbCrSubsampleRatio444)
		i := 0
		for y := range h {
			for x := range w {
				storedX, storedY := back.seen(x, y, w, h)
				color := img.COffset(storedX, storedY)
				out.Y[i] = img.Y[img.YOffset(storedX, storedY)]
				out.Cb[i] = img.Cb[color]
				out.Cr[i] = img.Cr[color]
				i++
			}
		}
		return out
	default:
		out := image.NewNRGBA(seen)
		for y := range h {
			for x := range w {
				out.Set(x, y, img.At(back.seen(x, y, w, h)))
			}
		}
		return plain(out)
	}
}

// plain returns a picture without transparency as RGBA, which has the same bytes, and which the
// encoder of JPEG takes faster.
func plain(img *image.NRGBA) image.Image {
	if img.Opaque() {
		return &image.RGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}
	}
	return img
}
