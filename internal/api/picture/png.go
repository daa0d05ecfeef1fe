package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"slices"
)

const pngHeader = "\x89PNG\r\n\x1a\n"

// maxProfile bounds the bytes of an ICC profile. Profiles of cameras and screens have 500 to
// 4,000.
const maxProfile = 1 << 20

// profileFor returns the profile if it begins as a profile does (ICC.1, 7.2: size, color space,
// signature) and suits the picture, or nil.
func profileFor(img image.Image, profile []byte) []byte {
	space := "RGB "
	switch img.(type) {
	case *image.Gray, *image.Gray16:
		space = "GRAY"
	}
	if len(profile) < 128 || len(profile) > maxProfile || binary.BigEndian.Uint32(profile) != uint32(len(profile)) ||
		string(profile[16:20]) != space ||
		string(profile[36:40]) != "acsp" {
		return nil
	}
	return profile
}

// readChunks returns the orientation and the profile of a PNG.
func readChunks(sent []byte) (turn orientation, profile []byte) {
	turn = 1
	for rest := sent[len(pngHeader):]; len(rest) >= 12; {
		size := uint64(binary.BigEndian.Uint32(rest))
		if size > uint64(len(rest)-12) {
			break
		}
		switch body := rest[8 : 8+size]; string(rest[4:8]) {
		case "eXIf":
			turn = orientationOf(body)
		case "iCCP":
			if profile != nil {
				break // one is allowed, and each could be a bomb
			}
			_, packed, _ := bytes.Cut(
				body,
				[]byte{0, 0},
			) // after the name and the method of compression
			if r, err := zlib.NewReader(bytes.NewReader(packed)); err == nil {
				profile, _ = io.ReadAll(io.LimitReader(r, maxProfile+1))
			}
		}
		rest = rest[12+size:]
	}
	return turn, profile
}

// encodePNG returns a picture, with a profile if there is one.
func encodePNG(
	img image.Image,
	level png.CompressionLevel,
	profile []byte,
	length int,
) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, length))
	if err := (&png.Encoder{CompressionLevel: level}).Encode(out, img); err != nil {
		return nil, err
	}
	if profile = profileFor(img, profile); profile == nil {
		return out.Bytes(), nil
	}
	chunk := bytes.NewBufferString("\x00\x00\x00\x00iCCPICC\x00\x00")
	w := zlib.NewWriter(chunk)
	w.Write(profile)
	w.Close()
	data := binary.BigEndian.AppendUint32(chunk.Bytes(), crc32.ChecksumIEEE(chunk.Bytes()[4:]))
	binary.BigEndian.PutUint32(data, uint32(len(data)-12))
	return slices.Insert(out.Bytes(), len(pngHeader)+25, data...), nil // after IHDR
}
