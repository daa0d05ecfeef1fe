package picture

import (
	"image"
	"image/draw"
	"math"
)

// A curve is the transfer function of sRGB as tables; light is linear, from 0 to 65,535. Pictures
// with another profile are scaled by it too, which is near enough: Display P3 has this curve, and
// with that of Adobe RGB the mean of two tones differs by at most 3 of 255.
type curve struct {
	light [256]float32
	tone  [65536]uint8
}

func newCurve() *curve {
	linear := func(tone float64) float64 {
		if tone /= 255; tone > 0.04045 {
			return 65535 * math.Pow((tone+0.055)/1.055, 2.4)
		}
		return 65535 * tone / 12.92
	}
	c := new(curve)
	next := 0
	for tone := range 256 {
		c.light[tone] = float32(linear(float64(tone)))
		for ; next < 65536 && float64(next) < linear(float64(tone)+0.5); next++ {
			c.tone[next] = uint8(tone)
		}
	}
	return c
}

// A scaling makes a smaller size: the light of each of its pixels is the mean on the area of that
// pixel. Rows and columns are counted as stored; the pixels of dst have their places as seen.
// Across, a pixel of the picture is w long and one of the result cut.Dx(), so lengths are whole
// numbers and both are equally long in all. Down, they are h and cut.Dy() long.
type scaling struct {
	*curve
	turn orientation
	cut  image.Rectangle // part of the picture
	w, h int             // stored width and height of the result
	dst  *image.NRGBA
	row  []float32 // row of the picture on columns of the result
	sum  []float32 // rows of the unfinished row of the result
}

// newScaling returns a scaling to toW x toH of a part of a picture of w x h, all as seen.
func newScaling(c *curve, turn orientation, part image.Rectangle, w, h, toW, toH int) *scaling {
	x0, y0 := turn.inverse().seen(part.Min.X, part.Min.Y, w, h)
	x1, y1 := turn.inverse().seen(part.Max.X-1, part.Max.Y-1, w, h)
	s := &scaling{
		curve: c,
		turn:  turn,
		dst:   image.NewNRGBA(image.Rect(0, 0, toW, toH)),
		cut:   image.Rect(min(x0, x1), min(y0, y1), max(x0, x1)+1, max(y0, y1)+1),
	}
	s.w, s.h = turn.swap(toW, toH)
	s.row = make([]float32, 4*s.w)
	s.sum = make([]float32, 4*s.w)
	return s
}

// add takes row y of the cut: for each pixel the light of red, green and blue multiplied by alpha,
// and alpha.
func (s *scaling) add(y int, row []float32) {
	n := s.cut.Dx()
	for x := range s.w {
		var r, g, b, a float32
		for i := x * n / s.w; i*s.w < (x+1)*n; i++ {
			p := (*[4]float32)(row[4*i:])
			length := float32(min((i+1)*s.w, (x+1)*n) - max(i*s.w, x*n))
			r = r + length*p[0]
			g = g + length*p[1]
			b = b + length*p[2]
			a = a + length*p[3]
		}
		*(*[4]float32)(s.row[4*x:]) = [4]float32{r, g, b, a}
	}
	n = s.cut.Dy()
	for to := y * s.h / n; to*n < (y+1)*s.h; to++ {
		length := float32(min((y+1)*s.h, (to+1)*n) - max(y*s.h, to*n))
		for i, v := range s.row {
			s.sum[i] += length * v
		}
		if (to+1)*n <= (y+1)*s.h {
			s.finish(to)
		}
	}
}

// finish sets row y of the result.
func (s *scaling) finish(y int) {
	tone := func(light float32) uint8 { return s.tone[min(int(light), 65535)] }
	area := float32(s.cut.Dx()) * float32(s.cut.Dy())
	for x := range s.w {
		i := s.dst.PixOffset(s.turn.seen(x, y, s.w, s.h))
		if p := s.sum[4*x:]; p[3] > 0 {
			*(*[4]uint8)(s.dst.Pix[i:]) = [4]uint8{
				tone(p[0] / p[3]),
				tone(p[1] / p[3]),
				tone(p[2] / p[3]),
				uint8(255*p[3]/area + 0.5),
			}
		}
	}
	clear(s.sum)
}

// scale passes the rows of the picture to all scalings, in one pass and with one row of RGBA.
func (c *curve) scale(img image.Image, all []*scaling) {
	b := img.Bounds()
	pixels := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	row := make([]float32, 4*b.Dx())
	for y := range b.Dy() {
		draw.Draw(pixels, pixels.Rect, img, image.Pt(0, y), draw.Src)
		for x := range b.Dx() {
			p := (*[4]uint8)(pixels.Pix[4*x:])
			light := (*[4]float32)(row[4*x:])
			if a := int(p[3]); a == 255 {
				*light = [4]float32{c.light[p[0]], c.light[p[1]], c.light[p[2]], 1}
			} else {
				light[3] = float32(a) / 255
				for i := range 3 {
					light[i] = light[3] * c.light[(int(p[i])*255+a/2)/max(a, 1)]
				}
			}
		}
		for _, s := range all {
			if s != nil && s.cut.Min.Y <= y && y < s.cut.Max.Y {
				s.add(y-s.cut.Min.Y, row[4*s.cut.Min.X:4*s.cut.Max.X])
			}
		}
	}
}
