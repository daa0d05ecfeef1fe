package picture

import (
	"image"
	"image/png"
	"slices"
)

// sizes are the smaller sizes with their bounds, in the order of answers: those of the original, by
// whose names its clients ask, and then those of our pages, named by their widths.
var sizes = []struct {
	name          string
	width, height int
}{
	{"medium", 300, 300},
	{"large", 1024, 1024},
	{"thumbnail", thumbnail, thumbnail},
	{"medium_large", 768, longest},
	{"w480", 480, longest},
	{"w1600", 1600, longest},
}

const thumbnail = 150 // width and height

// Qualities of JPEG: the full picture is seen large, sizes are loaded by the dozen. A full PNG is
// packed at the best speed: a better size takes up to six times as long and saves a tenth.
const fullQuality, sizeQuality = 88, 82

// A source is a decoded picture with the facts to serve it.
type source struct {
	img     image.Image // from 0, 0
	turn    orientation
	profile []byte
	jpeg    bool // sent as JPEG
	length  int  // bytes as sent
}

// serve returns the full picture and its sizes.
func (p source) serve(focus Focus) (*Served, error) {
	w, h := p.turn.swap(p.img.Bounds().Dx(), p.img.Bounds().Dy())
	var all []*scaling // of each size; nil for one that has the file of a size before it
	files := []File{{Width: w, Height: h}}
	c := newCurve()
	for _, size := range sizes {
		part := image.Rect(0, 0, w, h)
		toW := size.width
		toH := max(1, (h*toW+w/2)/w)
		exists := w > size.width || h > size.height
		if toH > size.height {
			toH = size.height
			toW = max(1, (w*toH+h/2)/h)
		}
		if side := min(w, h); size.width == thumbnail {
			x := min(max(focus.X*w/100-side/2, 0), w-side)
			y := min(max(focus.Y*h/100-side/2, 0), h-side)
			part = image.Rect(x, y, x+side, y+side)
			toW = thumbnail
			toH = thumbnail
			exists = side >= thumbnail && max(w, h) > thumbnail
		}
		if !exists {
			continue
		}
		f := File{Name: size.name, Width: toW, Height: toH}
		var s *scaling
		if f.twin(files) < 0 {
			s = newScaling(c, p.turn, part, w, h, toW, toH)
		}
		files = append(files, f)
		all = append(all, s)
	}
	if len(all) > 0 {
		c.scale(p.img, all)
	}
	for i, s := range all {
		f := &files[i+1]
		if s == nil {
			first := files[f.twin(files)]
			f.Type = first.Type
			f.Data = first.Data
			continue
		}
		if err := p.encode(f, plain(s.dst)); err != nil {
			return nil, err
		}
		all[i] = nil // frees memory for the full picture
	}
	extension := "png"
	if p.jpeg {
		extension = "jpg"
	}
	return &Served{extension, files}, p.encode(&files[0], p.turn.apply(p.img))
}

// twin returns the index of the first file that has the same dimensions, and so the same data.
func (f File) twin(files []File) int {
	return slices.IndexFunc(files, func(other File) bool {
		return f.Width == other.Width && f.Height == other.Height
	})
}

// encode sets the type and the data of a file. A size of a PNG is a JPEG if it has no transparency
// and is less than half as long.
func (p source) encode(f *File, img image.Image) (err error) {
	quality := sizeQuality
	level := png.DefaultCompression
	length := 0
	if f.Name == "" {
		quality = fullQuality
		level = png.BestSpeed
		length = p.length
	}
	if !p.jpeg {
		f.Type = "image/png"
		f.Data, err = encodePNG(img, level, p.profile, length)
		if _, transparent := img.(*image.NRGBA); transparent || f.Name == "" || err != nil {
			return err
		}
	}
	data, err := encodeJPEG(img, quality, p.profile, length)
	if err == nil && (p.jpeg || 2*len(data) < len(f.Data)) {
		f.Type = "image/jpeg"
		f.Data = data
	}
	return err
}
