package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file has pictures for tests, and tests of the files that Read returns.

var middle = Focus{50, 50}

// drawn returns a picture whose pixels are colors of their places.
func drawn(w, h int, at func(x, y int) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.SetNRGBA(i%w, i/w, at(i%w, i/w))
	}
	return img
}

// even returns a picture of one color, which encodes small.
func even(w, h int) *image.NRGBA {
	return drawn(w, h, func(x, y int) color.NRGBA { return color.NRGBA{90, 120, 200, 255} })
}

// smooth returns a picture whose colors tell the place.
func smooth(w, h int) *image.NRGBA {
	return drawn(w, h, func(x, y int) color.NRGBA {
		return color.NRGBA{
			uint8(255 * x / w),
			uint8(255 * y / h),
			uint8(128 + 100*math.Sin(float64(x-2*y)/70)),
			255,
		}
	})
}

func asJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, plainImage(img), &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// plainImage makes the encoder fast.
func plainImage(img image.Image) image.Image {
	if n, ok := img.(*image.NRGBA); ok {
		return &image.RGBA{Pix: n.Pix, Stride: n.Stride, Rect: n.Rect}
	}
	return img
}

func asPNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asGIF(t testing.TB, g *gif.GIF) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withSegment inserts a segment into a JPEG.
func withSegment(data []byte, marker byte, body string) []byte {
	segment := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(2+len(body)))
	return slices.Concat(data[:2], segment, []byte(body), data[2:])
}

// withChunk inserts a chunk into a PNG, after IHDR.
func withChunk(data []byte, name, body string) []byte {
	const place = 8 + 25
	return slices.Concat(data[:place], chunk(name, body), data[place:])
}

// chunk returns a chunk of a PNG.
func chunk(name, body string) []byte {
	b := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), name+body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// riff returns a WebP of chunks: name and body in turn.
func riff(chunks ...string) []byte {
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	for i := 0; i < len(chunks); i += 2 {
		out = binary.LittleEndian.AppendUint32(append(out, chunks[i]...), uint32(len(chunks[i+1])))
		out = append(out, chunks[i+1]...)
		out = append(out, make([]byte, len(chunks[i+1])%2)...)
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// exif returns EXIF data with an orientation and a text.
func exif(order binary.AppendByteOrder, o int) string {
	b := []byte("II*\x00")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		b = []byte("MM\x00*")
	}
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	for _, entry := range []struct {
		tag, kind uint16
		count     uint32
		value     uint16
	}{{0x010f, 2, 12, 40}, {0x0112, 3, 1, uint16(o)}} {
		b = order.AppendUint32(
			order.AppendUint16(order.AppendUint16(b, entry.tag), entry.kind),
			entry.count,
		)
		b = append(order.AppendUint16(b, entry.value), 0, 0)
	}
	return string(append(b, "\x00\x00\x00\x00private text"...))
}

// profile returns a profile of a color space.
func profile(space string, size int) string {
	b := bytes.Repeat([]byte("profile "), size/8)
	binary.BigEndian.PutUint32(b, uint32(len(b)))
	copy(b[16:], space)
	copy(b[36:], "acsp")
	return string(b)
}

const profileHead = "ICC_PROFILE\x00"

const vp8 = "\x10\x00\x00\x9d\x01\x2a\x21\x00\x15\x00data" // 33 x 21

// cmyk is a JPEG of 16 x 8 pixels, red to blue.
const cmyk = "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBKUVJP/9sA" +
	"QwEODg4TERMmFRUmTzUtNU9PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P/8AAFAgACAAQBAEiAAIRAQMRAQQiAP/E" +
	"ABUAAQEAAAAAAAAAAAAAAAAAAAAG/8QAGhABAAEFAAAAAAAAAAAAAAAAAAQRFCVh8P/EABUBAQEAAAAAAAAAAAAAAAAAAAUG/8QAGhEAAgIDAAAAAAAAAAAA" +
	"AAAAAAEEFVFSkf/aAA4EAQACEQMRBAAAPwCjsZeixl6BGXM3dh1HEw+lbnuqZ7qg/9k="

// read reads a picture that is served, and decodes each file: it has the dimensions and the type
// that it should have.
func read(t testing.TB, sent []byte, focus Focus) (*Served, []image.Image) {
	t.Helper()
	served, err := Read(sent, focus, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return served, decoded(t, served)
}

func decoded(t testing.TB, served *Served) (all []image.Image) {
	t.Helper()
	for _, f := range served.Files {
		img, kind, err := image.Decode(bytes.NewReader(f.Data))
		if err != nil {
			t.Fatalf("%q: %v", f.Name, err)
		}
		if kind != f.Type[len("image/"):] || img.Bounds() != image.Rect(0, 0, f.Width, f.Height) {
			t.Fatalf(
				"%q is a %s of %v, and has type %s and %d x %d",
				f.Name,
				kind,
				img.Bounds(),
				f.Type,
				f.Width,
				f.Height,
			)
		}
		all = append(all, img)
	}
	return all
}

// near returns whether two colors differ by at most n of 255.
func near(a, b color.Color, n int) bool {
	x := color.NRGBAModel.Convert(a).(color.NRGBA)
	y := color.NRGBAModel.Convert(b).(color.NRGBA)
	for _, d := range []int{int(x.R) - int(y.R), int(x.G) - int(y.G), int(x.B) - int(y.B), int(x.A) - int(y.A)} {
		if d < -n || d > n {
			return false
		}
	}
	return true
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{40, 40, "40x40"},
		{150, 150, "150x150"},
		{151, 149, "151x149"},
		{151, 150, "151x150 thumbnail:150x150"},
		{300, 300, "300x300 thumbnail:150x150"},
		{200, 301, "200x301 medium:199x300 thumbnail:150x150"},
		{300, 1000, "300x1000 medium:90x300 thumbnail:150x150"},
		{480, 90, "480x90 medium:300x56"},
		{481, 1, "481x1 medium:300x1 w480:480x1"},
		{900, 1200, "900x1200 medium:225x300 large:768x1024 thumbnail:150x150 medium_large:768x1024 w480:480x640"},
		{961, 721, "961x721 medium:300x225 thumbnail:150x150 medium_large:768x576 w480:480x360"},
		{1700, 1275, "1700x1275 medium:300x225 large:1024x768 thumbnail:150x150 medium_large:768x576 w480:480x360 w1600:1600x1200"},
		{65535, 1, "65535x1 medium:300x1 large:1024x1 medium_large:768x1 w480:480x1 w1600:1600x1"},
	} {
		for _, sent := range [][]byte{asJPEG(t, even(c.w, c.h)), asPNG(t, even(c.w, c.h))} {
			served, _ := read(t, sent, middle)
			var names []string
			for _, f := range served.Files {
				names = append(
					names,
					strings.TrimPrefix(fmt.Sprintf("%s:%dx%d", f.Name, f.Width, f.Height), ":"),
				)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		}
	}
}

// Sizes of the same dimensions are one file.
func TestTwins(t *testing.T) {
	served, _ := read(t, asPNG(t, smooth(900, 1200)), middle)
	var all []string
	for _, f := range served.Files {
		if f.Width == 768 {
			all = append(all, fmt.Sprintf("%s %s %p", f.Name, f.Type, f.Data))
		}
	}
	large := served.Files[2]
	want := []string{
		fmt.Sprintf("large %s %p", large.Type, large.Data),
		fmt.Sprintf("medium_large %s %p", large.Type, large.Data),
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
}

// Sizes of a PNG are JPEG if that is much shorter.
func TestTypes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := drawn(
		500,
		200,
		func(x, y int) color.NRGBA { return color.NRGBA{uint8(random.Uint32()), uint8(x), uint8(y), 255} },
	)
	for want, img := range map[string]image.Image{
		"image/png":  even(500, 200),
		"image/jpeg": noise,
	} {
		served, _ := read(t, asPNG(t, img), middle)
		if full, medium := served.Files[0].Type, served.Files[1].Type; full != "image/png" ||
			medium != want ||
			served.Extension != "png" {
			t.Errorf("got %s, medium %s, want %s", full, medium, want)
		}
	}
}

// Each orientation leads to the same picture, in all sizes, in color and gray. Neither side is a
// number of whole blocks.
func TestOrientation(t *testing.T) {
	const w, h = 517, 411
	want := smooth(w, h)
	for o := 1; o <= 8; o++ {
		storedW := w
		storedH := h
		if o > 4 {
			storedW = h
			storedH = w
		}
		// EXIF 2.3, 4.6.4: the sides of the picture that the first row and the first column are.
		row := []string{"", "top", "top", "bottom", "bottom", "left", "right", "right", "left"}[o]
		column := []string{"", "left", "right", "right", "left", "top", "top", "bottom", "bottom"}[o]
		stored := drawn(storedW, storedH, func(x, y int) color.NRGBA {
			place := map[string]int{row: y, column: x}
			at := image.Pt(place["left"], place["top"])
			if n, ok := place["right"]; ok {
				at.X = w - 1 - n
			}
			if n, ok := place["bottom"]; ok {
				at.Y = h - 1 - n
			}
			return want.NRGBAAt(at.X, at.Y)
		})
		gray := image.NewGray(stored.Rect)
		draw.Draw(gray, gray.Rect, stored, image.Point{}, draw.Src)
		big := exif(binary.BigEndian, o)
		little := exif(binary.LittleEndian, o)
		for name, sent := range map[string][]byte{
			"JPEG":      withSegment(asJPEG(t, stored), 0xe1, "Exif\x00\x00"+big),
			"gray JPEG": withSegment(asJPEG(t, gray), 0xe1, "Exif\x00\x00"+little),
			"PNG":       withChunk(asPNG(t, stored), "eXIf", little),
			"gray PNG":  withChunk(asPNG(t, gray), "eXIf", big),
			"two EXIF segments": withSegment(withSegment(asJPEG(t, stored), 0xe1, "Exif\x00\x00"+exif(binary.BigEndian, 1)),
				0xe1, "Exif\x00\x00"+big),
			"two segments": withSegment(withSegment(asJPEG(t, stored), 0xe1, "Exif\x00\x00"+big), 0xe1, "http://ns.adobe.com/"),
		} {
			served, images := read(t, sent, middle)
			if len(images) != 4 || images[0].Bounds() != want.Rect {
				t.Fatalf(
					"%d: %s has %d files, the first of %v",
					o,
					name,
					len(images),
					images[0].Bounds(),
				)
			}
			isGray := strings.HasPrefix(name, "gray")
			for i, img := range images {
				b := img.Bounds()
				part := want.Rect
				if served.Files[i].Name == "thumbnail" {
					part = image.Rect((w-h)/2, 0, (w+h)/2, h)
				}
				bad := 0
				most := 9
				if i > 0 {
					most = 25 // chroma of steep hues
				}
				for n := range b.Dx() * b.Dy() {
					x := n % b.Dx()
					y := n / b.Dx()
					var wanted color.Color = want.At(part.Min.X+(2*x+1)*part.Dx()/b.Dx()/2, part.Min.Y+(2*y+1)*part.Dy()/b.Dy()/2)
					if isGray {
						wanted = color.GrayModel.Convert(wanted)
					}
					if !near(img.At(x, y), wanted, most) {
						bad++
					}
				}
				if bad > 0 {
					t.Errorf(
						"%d: %s: file %d has %d wrong pixels of %d",
						o,
						name,
						i,
						bad,
						b.Dx()*b.Dy(),
					)
				}
			}
			if _, ok := images[0].(*image.Gray); ok != (isGray && o == 1) {
				t.Errorf("%d: %s is %T", o, name, images[0])
			}
		}
	}
}

// The thumbnail is cut around the focus, as far as the picture reaches.
func TestFocus(t *testing.T) {
	const w, h = 900, 300
	for _, o := range []int{1, 8} {
		img := smooth(w, h)
		stored := smooth(w, h)
		if o == 8 {
			stored = drawn(h, w, func(x, y int) color.NRGBA { return img.NRGBAAt(y, h-1-x) })
		}
		for _, c := range []struct{ x, y, left int }{{0, 0, 0}, {50, 50, 300}, {40, 90, 210}, {100, 0, 600}, {-7, 300, 0}, {1 << 40, 0, 600}} {
			served, images := read(
				t,
				withSegment(asJPEG(t, stored), 0xe1, "Exif\x00\x00"+exif(binary.BigEndian, o)),
				Focus{c.x, c.y},
			)
			if got, want := images[2].At(75, 75), img.At(c.left+151, 151); served.Files[2].Name != "thumbnail" ||
				!near(got, want, 9) {
				t.Errorf(
					"orientation %d, focus %d, %d: %s has %v in the middle, want %v",
					o,
					c.x,
					c.y,
					served.Files[2].Name,
					got,
					want,
				)
			}
		}
	}
}

// Files have no metadata but a profile for their colors, in all sizes.
func TestMetadata(t *testing.T) {
	const private = "private text"
	rgb := profile("RGB ", 150_000)
	gray := profile("GRAY", 3000)
	inSegments := func(data []byte, profile string) []byte {
		const most = 65000
		for i := (len(profile) - 1) / most; i >= 0; i-- {
			part := profile[i*most : min(len(profile), (i+1)*most)]
			data = withSegment(
				data,
				0xe2,
				profileHead+string(
					[]byte{byte(i + 1), byte((len(profile) + most - 1) / most)},
				)+part,
			)
		}
		return data
	}
	inChunk := func(data []byte, profile string) []byte {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		w.Write([]byte(profile))
		w.Close()
		return withChunk(data, "iCCP", private+"\x00\x00"+b.String())
	}
	still := image.NewGray(image.Rect(0, 0, 500, 200))
	deep := image.NewNRGBA64(still.Rect)
	draw.Draw(deep, deep.Rect, smooth(500, 200), image.Point{}, draw.Src)
	ink, _ := base64.StdEncoding.DecodeString(cmyk)
	meta := func(data []byte) []byte {
		data = withSegment(data, 0xe1, "http://ns.adobe.com/xap/1.0/\x00"+private)
		data = withSegment(data, 0xe1, "Exif\x00\x00"+exif(binary.BigEndian, 1))
		return withSegment(withSegment(data, 0xed, private), 0xfe, private)
	}
	chunks := func(data []byte) []byte {
		for _, name := range []string{"tEXt", "zTXt", "iTXt", "eXIf", "tIME", "prVt"} {
			data = withChunk(data, name, private)
		}
		return data
	}
	for name, c := range map[string]struct {
		sent []byte
		want string // profile
	}{
		"JPEG":                 {meta(inSegments(asJPEG(t, smooth(500, 200)), rgb)), rgb},
		"gray JPEG":            {meta(inSegments(asJPEG(t, still), gray)), gray},
		"JPEG, other colors":   {meta(inSegments(asJPEG(t, smooth(500, 200)), gray)), ""},
		"JPEG, CMYK":           {meta(inSegments(ink, profile("CMYK", 3000))), ""},
		"JPEG, cut profile":    {meta(inSegments(asJPEG(t, smooth(500, 200)), rgb[:149_000])), ""},
		"JPEG, broken profile": {meta(inSegments(asJPEG(t, smooth(500, 200)), strings.Replace(rgb, "acsp", "ACSP", 1))), ""},
		"JPEG, long profile":   {meta(inSegments(asJPEG(t, smooth(500, 200)), profile("RGB ", 1<<20+8))), ""},
		"PNG":                  {chunks(inChunk(asPNG(t, smooth(500, 200)), rgb)), rgb},
		"gray PNG":             {chunks(inChunk(asPNG(t, still), gray)), gray},
		"16 bits":              {chunks(inChunk(asPNG(t, deep), rgb)), rgb},
		"PNG, long profile":    {chunks(inChunk(asPNG(t, smooth(500, 200)), profile("RGB ", 1<<20+8))), ""},
		"PNG, profile of lies": {chunks(inChunk(asPNG(t, smooth(500, 200)), profile("RGB ", 1<<20)+private)), ""},
		"GIF": {bytes.Replace(asGIF(t, &gif.GIF{
			Image: []*image.Paletted{image.NewPaletted(still.Rect, palette.Plan9)},
			Delay: []int{0},
		}),
			[]byte(","), []byte("!\xfe\x0c"+private+"\x00,"), 1), ""},
		"WebP": {riff("VP8X", "\x2c\x00\x00\x00\x20\x00\x00\x14\x00\x00", "ICCP", rgb, "VP8 ", vp8, "EXIF", exif(binary.BigEndian, 1),
			"XMP ", private, "OTHR", private), rgb},
	} {
		served, err := Read(c.sent, middle, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, f := range served.Files {
			if got := profileIn(f); got != c.want &&
				(c.want != gray || f.Name == "") { // sizes have colors
				t.Errorf(
					"%s: %q has a profile of %d bytes, want %d",
					name,
					f.Name,
					len(got),
					len(c.want),
				)
			}
			if bytes.Contains(f.Data, []byte(private)) {
				t.Errorf("%s: %q has metadata", name, f.Name)
			}
		}
		if name != "WebP" {
			decoded(t, served)
		}
	}
	_, images := read(t, ink, middle)
	if got := images[0].At(8, 0); !near(got, color.NRGBA{255, 0, 0, 255}, 40) {
		t.Errorf("CMYK red is served as %v", got)
	}
	deep.Set(7, 9, color.NRGBA64{0x1234, 0x5678, 0x9abc, 0xffff})
	if _, images = read(t, asPNG(t, deep), middle); color.NRGBA64Model.Convert(
		images[0].At(7, 9),
	) != deep.At(
		7,
		9,
	) {
		t.Errorf("a color of 16 bits is served as %v", images[0].At(7, 9))
	}
}

// profileIn returns the profile of a file, as plainly as possible.
func profileIn(f File) (profile string) {
	switch f.Type {
	case "image/jpeg":
		for _, part := range strings.Split(string(f.Data), profileHead)[1:] {
			profile += part[2:]
			if i := strings.Index(profile, "\xff\xe2"); i >= 0 {
				profile = profile[:i]
			}
		}
		profile, _, _ = strings.Cut(profile, "\xff\xdb")
	case "image/png":
		if _, packed, ok := strings.Cut(string(f.Data), "iCCPICC\x00\x00"); ok {
			if r, err := zlib.NewReader(strings.NewReader(packed)); err == nil {
				b, _ := io.ReadAll(r)
				profile = string(b)
			}
		}
	default:
		if _, after, ok := strings.Cut(string(f.Data), "ICCP"); ok {
			profile = after[4 : 4+binary.LittleEndian.Uint32([]byte(after))]
		}
	}
	return profile
}

// The first picture of a GIF is served on its screen, with its transparency.
func TestFirstPicture(t *testing.T) {
	frame := image.NewPaletted(
		image.Rect(100, 50, 400, 350),
		color.Palette{color.NRGBA{}, color.NRGBA{255, 0, 0, 255}},
	)
	for x := 100; x < 250; x++ {
		for y := 50; y < 350; y++ {
			frame.SetColorIndex(x, y, 1)
		}
	}
	second := image.NewPaletted(image.Rect(0, 0, 600, 400), palette.Plan9)
	sent := asGIF(t, &gif.GIF{
		Image: []*image.Paletted{frame, second},
		Delay: []int{0, 0},
		Config: image.Config{
			Width:  600,
			Height: 400,
		},
	})
	served, images := read(t, sent, middle)
	if served.Extension != "png" || len(images) != 4 || served.Files[2].Type != "image/png" {
		t.Fatalf("got %s, %d files", served.Extension, len(images))
	}
	red := color.NRGBA{255, 0, 0, 255}
	for at, want := range map[image.Point]color.Color{
		{90, 60}:   color.NRGBA{},
		{110, 60}:  red,
		{249, 349}: red,
		{250, 60}:  color.NRGBA{},
	} {
		if got := images[0].At(at.X, at.Y); !near(got, want, 0) {
			t.Errorf("%v: got %v, want %v", at, got, want)
		}
		if got := images[1].At(at.X*300/600, at.Y*300/600); (at.X != 249 && at.X != 250) &&
			!near(got, want, 0) {
			t.Errorf("medium, %v: got %v, want %v", at, got, want)
		}
	}
}

// Each pixel of a size is the mean in linear light of the area below it, weighted by alpha: within
// 2 of a plain model, and nearly all within 1.
func TestMean(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ w, h int }{{1923, 77}, {960, 320}, {483, 1001}} {
		img := drawn(c.w, c.h, func(x, y int) color.NRGBA {
			return color.NRGBA{
				uint8(random.Uint32()),
				uint8(random.Uint32()),
				uint8(random.Uint32()),
				uint8(150 + random.IntN(106)),
			}
		})
		served, images := read(t, asPNG(t, img), Focus{0, 0})
		for i, small := range images[1:] {
			part := img.Rect
			if served.Files[i+1].Name == "thumbnail" {
				part = image.Rect(0, 0, min(c.w, c.h), min(c.w, c.h))
			}
			rough := 0
			bad := 0
			all := small.Bounds().Dx() * small.Bounds().Dy()
			for n := range all {
				x := n % small.Bounds().Dx()
				y := n / small.Bounds().Dx()
				want := mean(img, part, small.Bounds(), x, y)
				if !near(small.At(x, y), want, 1) {
					rough++
				}
				if !near(small.At(x, y), want, 2) {
					bad++
				}
			}
			if bad > 0 || rough > all/1000 {
				t.Errorf(
					"%d x %d: %s has %d wrong pixels and %d rough ones of %d",
					c.w,
					c.h,
					served.Files[i+1].Name,
					bad,
					rough,
					all,
				)
			}
		}
	}
}

// mean returns the pixel of a part of the picture that is scaled to a size: the model of TestMean.
func mean(img *image.NRGBA, part, to image.Rectangle, x, y int) color.Color {
	light := func(tone uint8) float64 {
		if v := float64(tone) / 255; v > 0.04045 {
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return float64(tone) / 255 / 12.92
	}
	tone := func(light float64) uint8 {
		if light > 0.0031308 {
			return uint8(255*(1.055*math.Pow(light, 1/2.4)-0.055) + 0.5)
		}
		return uint8(255*12.92*light + 0.5)
	}
	across := float64(part.Dx()) / float64(to.Dx())
	down := float64(part.Dy()) / float64(to.Dy())
	left := float64(x) * across
	top := float64(y) * down
	var r, g, b, a float64
	for j := int(top); j < part.Dy() && float64(j) < top+down; j++ {
		for i := int(left); i < part.Dx() && float64(i) < left+across; i++ {
			area := max(
				0,
				min(float64(i+1), left+across)-max(float64(i), left),
			) * max(
				0,
				min(float64(j+1), top+down)-max(float64(j), top),
			)
			c := img.NRGBAAt(part.Min.X+i, part.Min.Y+j)
			alpha := area * float64(c.A) / 255
			r, g, b, a = r+alpha*light(c.R), g+alpha*light(c.G), b+alpha*light(c.B), a+alpha
		}
	}
	return color.NRGBA{tone(r / a), tone(g / a), tone(b / a), uint8(255*a/across/down + 0.5)}
}
