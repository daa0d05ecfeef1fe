package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color/palette"
	"image/gif"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// This file has files that were made to do harm, and fuzz targets.

// lie returns a PNG whose header has other values than its pixels.
func lie(data []byte, w, h uint32, depth, colors byte) []byte {
	data = bytes.Clone(data)
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	data[24], data[25] = depth, colors
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// lieJPEG returns a JPEG whose frame has other dimensions, and another marker.
func lieJPEG(data []byte, marker byte, w, h uint16) []byte {
	data = bytes.Clone(data)
	i := bytes.Index(data, []byte("\xff\xc0"))
	data[i+1] = marker
	binary.BigEndian.PutUint16(data[i+5:], h)
	binary.BigEndian.PutUint16(data[i+7:], w)
	return data
}

func lieGIF(data []byte, w, h uint16) []byte {
	data = bytes.Clone(data)
	binary.LittleEndian.PutUint16(data[6:], w)
	binary.LittleEndian.PutUint16(data[8:], h)
	return data
}

// bomb returns n MiB of zeros, packed.
func bomb(n int) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	for range n {
		w.Write(make([]byte, 1<<20))
	}
	w.Close()
	return b.String()
}

// tiff returns EXIF data with 65,535 entries in its directory, and less room.
func tiff(offset uint32, entries string) string {
	b := binary.LittleEndian.AppendUint32([]byte("II*\x00"), offset)
	return string(b) + "\xff\xff" + entries
}

// Hostile files are refused, or served without the harm: within 64 MiB of all memory ever
// allocated, the picture included.
func TestHostile(t *testing.T) {
	const html, zip = "<script>alert('harm')</script>", "PK\x03\x04harm"
	jpg := asJPEG(t, even(640, 480))
	pic := asPNG(t, even(640, 480))
	still := image.NewPaletted(image.Rect(0, 0, 640, 480), palette.Plan9)
	frames := &gif.GIF{Image: []*image.Paletted{still}, Delay: []int{0}}
	for range 10_000 {
		frames.Image = append(
			frames.Image,
			image.NewPaletted(image.Rect(0, 0, 64, 48), still.Palette[:2]),
		)
		frames.Delay = append(frames.Delay, 1)
	}
	one := asGIF(t, &gif.GIF{Image: []*image.Paletted{still}, Delay: []int{0}})
	withExif := func(exif string) []byte { return withSegment(jpg, 0xe1, "Exif\x00\x00"+exif) }
	scan := jpg[bytes.Index(jpg, []byte("\xff\xda")) : len(jpg)-2]
	scans := bytes.Repeat(scan, 40)
	canvas := "\x20\x00\x00\x14\x00\x00"
	packed := bomb(100)
	bombs := bytes.Repeat(chunk("iCCP", "x\x00\x00"+packed), 100)
	open := slices.Clip(jpg[:len(jpg)-2]) // without its end
	late := func(segment string) []byte { // with a segment after the frame
		return slices.Concat(jpg[:len(jpg)-len(scan)-2], []byte(segment), scan, jpg[len(jpg)-2:])
	}
	profiles := bytes.Repeat(
		withSegment(jpg[:2], 0xe2, profileMarker+string(make([]byte, 65000)))[2:],
		600,
	)
	beyond := riff("VP8 ", vp8, "XMP ", "ab")
	beyond[len(beyond)-6] = 4
	for name, c := range map[string]struct {
		sent []byte
		want string // part of the refusal, "" if it is served
	}{
		"PNG of 30,000 px": {
			lie(pic, 30000, 30000, 8, 2),
			"30000 x 30000 pixels: make it smaller, because a file like it may have 16000000"},
		"PNG of 2 billion px":            {lie(pic, 1<<31-1, 1<<31-1, 8, 6), "damaged"},
		"PNG of one long row":            {lie(pic, 15_000_000, 1, 8, 6), "65535 on a side"},
		"PNG of 65,536 px":               {lie(pic, 65536, 1, 8, 6), "65535 on a side"},
		"PNG of no width":                {lie(pic, 0, 10, 8, 2), "damaged"},
		"PNG with more pixels than said": {lie(pic, 640, 10, 8, 2), "damaged"},
		"PNG with bad CRC":               {bytes.Replace(pic, []byte("IDAT"), []byte("IDAT\x01"), 1), "damaged"},
		"PNG, cut":                       {pic[:len(pic)-20], "damaged"},
		"PNG with bombs in texts":        {withChunk(withChunk(pic, "zTXt", "x\x00\x00"+packed), "iTXt", "x\x00\x01\x00\x00\x00"+packed), ""},
		"PNG with bombs as profiles":     {slices.Concat(pic[:33], bombs, pic[33:]), ""},
		"PNG with a chunk that is cut":   {append(bytes.Clone(pic), "\x00\x00\x00\x01tEXtabcd"...), ""},
		"PNG with a chunk of 4 GB": {
			bytes.Replace(pic, []byte("\x00\x00\x00\x0dIHDR"), []byte("\xff\xff\xff\xffharm\x00\x00\x00\x0dIHDR"), 1),
			"damaged"},
		"JPEG of 65,535 px": {
			lieJPEG(jpg, 0xc0, 65535, 65535),
			"65535 x 65535 pixels: make it smaller, because a file like it may have 24000000"},
		"progressive JPEG of 20 MP": {lieJPEG(jpg, 0xc2, 5000, 4000), "may have 16000000 pixels"},
		"RGB JPEG of 20 MP": {
			withSegment(lieJPEG(jpg, 0xc0, 5000, 4000), 0xee, "Adobe\x00\x64\x00\x00\x00\x00\x00"),
			"may have 16000000 pixels"},
		"JPEG of no height":                {lieJPEG(jpg, 0xc0, 640, 0), "damaged"},
		"JPEG, cut":                        {jpg[:len(jpg)/2], "damaged"},
		"JPEG without end":                 {jpg[:len(jpg)-2], "damaged"},
		"JPEG of 40 scans":                 {bytes.Replace(jpg, scan, scans, 1), "too many scans"},
		"progressive JPEG of 40 scans":     {lieJPEG(bytes.Replace(jpg, scan, scans, 1), 0xc2, 640, 480), "too many scans"},
		"JPEG, cut in a marker":            {jpg[:len(jpg)-1], "damaged"},
		"JPEG, cut in a length":            {slices.Concat(open, []byte("\xff\xe1\x00")), "damaged"},
		"JPEG, cut in a segment":           {slices.Clip(slices.Concat(open, []byte("\xff\xe1\x00\x05ab"))), "damaged"},
		"JPEG with a segment of no length": {slices.Concat(open, []byte("\xff\xe1\x00\x01ab")), "damaged"},
		"JPEG with a short frame":          {late("\xff\xc0\x00\x08\x08\x01\xe0\x02\x80\x03"), "damaged"},
		"JPEG of 4 scans":                  {bytes.Replace(jpg, scan, bytes.Repeat(scan, 4), 1), "too many scans"},
		"JPEG with a short profile":        {withSegment(jpg, 0xe2, profileMarker), ""},
		"JPEG with a short mark of Adobe":  {withSegment(jpg, 0xee, "Adobe\x00\x64\x00\x00\x00\x00"), ""},
		"JPEG with 40 MB of profiles":      {slices.Concat(jpg[:2], profiles, jpg[2:]), ""},
		"JPEG with a long segment":         {withSegment(jpg, 0xe1, "Exif")[:40], "damaged"},
		"JPEG and ZIP":                     {append(bytes.Clone(jpg), zip...), ""},
		"JPEG and HTML":                    {append(withSegment(jpg, 0xfe, html), html...), ""},
		"JPEG with HTML between segments":  {bytes.Replace(jpg, []byte("\xff\xc0"), []byte(html+"\xff\xc0"), 1), ""},
		"EXIF in a loop":                   {withExif(tiff(8, strings.Repeat("\x69\x87\x04\x00\x01\x00\x00\x00\x08\x00\x00\x00", 100))), ""},
		"EXIF beyond the end":              {withExif(tiff(1<<32-1, "")), ""},
		"EXIF with a huge count":           {withExif(tiff(8, "\x12\x01\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff")), ""},
		"EXIF of a byte":                   {withExif("II*\x00\x08\x00\x00\x00\x00"), ""},
		"EXIF, cut":                        {withExif("MM\x00*\x00"), ""},
		"GIF of 65,535 px":                 {lieGIF(one, 65535, 65535), "may have 16000000 pixels"},
		"GIF with a frame off the screen":  {lieGIF(one, 64, 48), "damaged"},
		"GIF of 10,000 pictures":           {asGIF(t, frames), ""},
		"GIF, cut":                         {one[:len(one)/2], "damaged"},
		"GIF and HTML":                     {append(bytes.Replace(one, []byte(","), []byte("!\xfe\x1e"+html+"\x00,"), 1), html...), ""},
		"SVG": {
			[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>harm</script></svg>`),
			"send a JPEG, PNG, GIF or WebP"},
		"HTML that begins as GIF":   {[]byte("GIF89a=1/*<script>harm</script>"), "12605 x 10799 pixels"},
		"BMP":                       {[]byte("BM\x1e\x00\x00\x00harm"), "send a JPEG"},
		"nothing":                   {nil, "send a JPEG"},
		"a few bytes":               {[]byte("RIFF\x04\x00\x00\x00WEBP"), "damaged"},
		"WebP, cut":                 {riff("VP8 ", vp8)[:30], "damaged"},
		"WebP of no length":         {[]byte("RIFF\x00\x00\x00\x00WEBP"), "damaged"},
		"WebP, cut in a chunk":      {slices.Clip(beyond), "damaged"},
		"WebP of 9 bytes":           {riff("VP8 ", vp8[:9]), "damaged"},
		"WebP of 4 bytes":           {riff("VP8L", "\x2f\x20\x00\x05"), "damaged"},
		"WebP of two canvases":      {riff("VP8X", "\x00\x00\x00\x00"+canvas, "VP8X", "\x00\x00\x00\x00"+canvas, "VP8 ", vp8), "damaged"},
		"WebP of other dimensions":  {riff("VP8X", "\x00\x00\x00\x00\xff\xff\x00\xff\xff\x00", "VP8 ", vp8), "damaged"},
		"WebP with a chunk of 4 GB": {bytes.Replace(riff("VP8 ", vp8), []byte("VP8 \x0e"), []byte("VP8 \xfe"), 1), "damaged"},
		"WebP of two pictures":      {riff("VP8 ", vp8, "VP8 ", vp8), "damaged"},
		"WebP of a later frame":     {riff("VP8 ", "\x11"+vp8[1:]), "damaged"},
		"WebP without a picture":    {riff("VP8X", "\x00\x00\x00\x00"+canvas), "damaged"},
		"WebP of 268 MP":            {riff("VP8L", "\x2f\xff\xff\xff\x0f"), "may have 24000000 pixels"},
		"WebP, animated":            {riff("VP8X", "\x02\x00\x00\x00"+canvas, "ANIM", "harm12", "ANMF", "harm"), "animated"},
		"WebP, turned": {
			riff("VP8X", "\x08\x00\x00\x00"+canvas, "VP8 ", vp8, "EXIF", exif(binary.LittleEndian, 6)),
			"save it as JPEG"},
		"WebP and HTML": {
			append(riff("VP8X", "\x0c\x00\x00\x00"+canvas, "XMP ", html, "VP8 ", vp8, "HTML", html, "EXIF", tiff(9, html)), html...),
			""},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			served, err := Read(c.sent, middle, Limits{})
			runtime.ReadMemStats(&after)
			if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 64 {
				t.Errorf("%d MiB were allocated", n)
			}
			if err != nil || c.want != "" {
				if known := new(Error); !errors.As(err, &known) || c.want == "" ||
					!strings.Contains(err.Error(), c.want) {
					t.Errorf("got error %v, want %q", err, c.want)
				}
				return
			}
			for _, f := range served.Files {
				for _, harm := range []string{"harm", "PK\x03\x04", "script"} {
					if bytes.Contains(f.Data, []byte(harm)) {
						t.Errorf("%q has %s", f.Name, harm)
					}
				}
			}
			if served.Extension != "webp" {
				decoded(t, served)
			}
		})
	}
}

// WebP is served as it was sent, without metadata.
func TestWebP(t *testing.T) {
	const canvas = "\x20\x00\x00\x14\x00\x00"
	unpadded := func(data []byte) []byte { // without the last byte of an odd chunk
		data = bytes.Clone(data[:len(data)-1])
		binary.LittleEndian.PutUint32(data[4:], uint32(len(data)-8))
		return slices.Clip(data)
	}
	lossless := "\x2f" + string(binary.LittleEndian.AppendUint32(nil, 32|20<<14|1<<28)) + "da"
	colors := profile("RGB ", 800)
	for name, c := range map[string]struct{ sent, want []byte }{
		"simple":     {riff("VP8 ", vp8), riff("VP8 ", vp8)},
		"lossless":   {riff("VP8L", lossless), riff("VP8L", lossless)},
		"odd length": {riff("VP8L", lossless+"x"), riff("VP8L", lossless+"x")},
		"unpadded":   {unpadded(riff("VP8L", lossless)), riff("VP8L", lossless)},
		"everything": {
			riff("VP8X", "\x3c\x00\x00\x00"+canvas, "ICCP", colors, "ALPH", "alpha", "VP8 ", vp8, "EXIF", "x", "XMP ", "x"),
			riff("VP8X", "\x30\x00\x00\x00"+canvas, "ICCP", colors, "ALPH", "alpha", "VP8 ", vp8)},
		"stray transparency": {riff("ALPH", "alpha", "VP8 ", vp8), riff("VP8 ", vp8)},
		"a profile of gray": {
			riff("VP8X", "\x20\x00\x00\x00"+canvas, "ICCP", profile("GRAY", 800), "VP8 ", vp8),
			riff("VP8X", "\x00\x00\x00\x00"+canvas, "VP8 ", vp8)},
	} {
		served, err := Read(c.sent, middle, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if f := served.Files[0]; !bytes.Equal(f.Data, c.want) || f.Width != 33 || f.Height != 21 || len(served.Files) != 1 {
			t.Errorf("%s: got %d x %d, %d files, %q, want %q", name, f.Width, f.Height, len(served.Files), f.Data, c.want)
		}
	}
}

// A picture may have as many pixels as the limit: two thirds of it, if its decoder takes more
// memory.
func TestPixels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sent []byte
		most int
	}{"JPEG": {asJPEG(t, even(20, 10)), 200}, "PNG": {asPNG(t, even(20, 10)), 300}} {
		if _, err := Read(c.sent, middle, Limits{c.most}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Read(c.sent, middle, Limits{c.most - 1}); err == nil {
			t.Errorf("%s: more pixels than the limit are taken", name)
		}
	}
}

func FuzzOrientation(f *testing.F) {
	f.Add([]byte(exif(binary.BigEndian, 6)))
	f.Add([]byte(exif(binary.LittleEndian, 3)))
	f.Add([]byte(tiff(8, "\x12\x01\x03\x00\x01\x00\x00\x00\x05\x00\x00\x00")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if o := orientationOf(data); o < 1 || o > 8 ||
			o != 1 && !bytes.Contains(data, []byte("\x01\x12\x00\x03")) &&
				!bytes.Contains(data, []byte("\x12\x01\x03\x00")) {
			t.Errorf("orientation %d", o)
		}
	})
}

// A WebP that is served has a fixed form, and is served the same again.
func FuzzWebP(f *testing.F) {
	f.Add(
		riff(
			"VP8X",
			"\x2c\x00\x00\x00\x20\x00\x00\x14\x00\x00",
			"ICCP",
			profile("RGB ", 200),
			"ALPH",
			"a",
			"VP8 ",
			vp8,
			"EXIF",
			exif(binary.BigEndian, 1),
			"XMP ",
			"x",
		),
	)
	f.Add(riff("VP8L", "\x2f\x20\x00\x05\x00data"))
	f.Fuzz(func(t *testing.T, data []byte) {
		copy(data, "RIFF")
		if len(data) > 12 {
			copy(data[8:], "WEBP")
		}
		served, err := Read(data, middle, Limits{})
		if err != nil || served.Extension != "webp" {
			return
		}
		out := served.Files[0].Data
		for rest, known := out[12:], "VP8X ICCP ALPH VP8  VP8L"; len(rest) > 0; {
			name := string(rest[:4])
			size := int(binary.LittleEndian.Uint32(rest[4:]))
			if !strings.Contains(known, name) {
				t.Fatalf("chunk %q", name)
			}
			_, known, _ = strings.Cut(known, name)
			rest = rest[8+size+size%2:]
		}
		again, err := Read(out, middle, Limits{})
		if err != nil || !bytes.Equal(again.Files[0].Data, out) ||
			int(binary.LittleEndian.Uint32(out[4:])) != len(out)-8 {
			t.Fatalf("%v: %q is not served the same again", err, out)
		}
	})
}

// Files that are served decode again, with the dimensions that are said, and are as small as they
// should be.
func FuzzRead(f *testing.F) {
	small := smooth(33, 21)
	f.Add(withSegment(asJPEG(f, small), 0xe1, "Exif\x00\x00"+exif(binary.BigEndian, 6)), 50, 50)
	f.Add(withChunk(asPNG(f, small), "eXIf", exif(binary.LittleEndian, 5)), 0, 100)
	f.Add(asJPEG(f, even(500, 160)), -1, 1000)
	f.Add(asGIF(f, &gif.GIF{
		Image: []*image.Paletted{image.NewPaletted(image.Rect(0, 0, 9, 9), palette.Plan9)},
		Delay: []int{0},
	}), 1, 1)
	f.Fuzz(func(t *testing.T, data []byte, x, y int) {
		served, err := Read(data, Focus{x, y}, Limits{Pixels: 300_000})
		if known := new(Error); err != nil {
			if !errors.As(err, &known) || known.Error() == "" {
				t.Fatalf("an error of another type: %v", err)
			}
			return
		}
		if served.Extension != "webp" {
			decoded(t, served)
		}
		for _, file := range served.Files {
			if file.Width*file.Height > 300_000 {
				t.Fatalf("%d x %d pixels", file.Width, file.Height)
			}
			for _, marker := range []string{"Exif\x00\x00", "http://ns.adobe.com/", "eXIf", "EXIFI"} {
				if strings.Contains(string(file.Data), marker) && served.Extension != "webp" {
					t.Fatalf("%q has %q", file.Name, marker)
				}
			}
		}
	})
}
