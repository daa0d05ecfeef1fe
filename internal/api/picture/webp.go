package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

var errForm = errors.New("its chunks do not fit each other")

// readWebP returns a WebP with its dimensions, transparency, profile and image data alone: bytes
// after it and other chunks are cut.
func readWebP(sent []byte, limit int) (*Served, error) {
	end := 8 + uint64(binary.LittleEndian.Uint32(sent[4:]))
	if end > uint64(len(sent)) || end < 12 {
		return nil, broken("WebP", errCut)
	}
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	var extended []byte // dimensions of the chunk VP8X, less one
	var w, h int
	for rest := sent[12:end]; len(rest) >= 8; {
		size := uint64(binary.LittleEndian.Uint32(rest[4:]))
		if size > uint64(len(rest)-8) {
			return nil, broken("WebP", errCut)
		}
		name := string(rest[:4])
		body := rest[8 : 8+size]
		chunk := rest[:8+size]
		rest = rest[min(8+size+size%2, uint64(len(rest))):]
		switch {
		case name == "VP8X" && size == 10 && len(out) == 12:
			extended = body[4:]
			chunk = slices.Concat(
				chunk[:8],
				[]byte{body[0] & 0x10, 0, 0, 0},
				extended,
			) // flag of transparency
		case name == "ICCP" && extended != nil && w == 0 && profileFor(nil, body) != nil:
			out[20] |= 0x20 // flag of a profile
		case name == "ALPH" && extended != nil && w == 0:
		case name == "VP8 " && w == 0 && size >= 10 && body[0]&1 == 0 && string(body[3:6]) == "\x9d\x01\x2a":
			w = int(binary.LittleEndian.Uint16(body[6:]) & 0x3fff)
			h = int(binary.LittleEndian.Uint16(body[8:]) & 0x3fff)
		case name == "VP8L" && w == 0 && size >= 5 && body[0] == 0x2f:
			bits := int(binary.LittleEndian.Uint32(body[1:]))
			w = bits&0x3fff + 1
			h = bits>>14&0x3fff + 1
		case name == "VP8X", name == "VP8 ", name == "VP8L":
			return nil, broken("WebP", errForm)
		case name == "EXIF" && orientationOf(bytes.TrimPrefix(body, []byte("Exif\x00\x00"))) != 1:
			return nil, refuse(
				Unshown,
				"the WebP file has an orientation in its EXIF data, which cannot be applied: save it as JPEG",
			)
		case name == "ANIM", name == "ANMF":
			return nil, refuse(
				Unshown,
				"the WebP file is animated: save one of its pictures as a file",
			)
		default:
			continue
		}
		out = append(append(out, chunk...), make([]byte, size%2)...)
	}
	if extended != nil &&
		string(
			extended,
		) != string(
			[]byte{byte(w - 1), byte((w - 1) >> 8), 0, byte(h - 1), byte((h - 1) >> 8), 0},
		) {
		return nil, broken("WebP", errForm)
	}
	if err := check("WebP", w, h, limit); err != nil {
		return nil, err
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return &Served{"webp", []File{{"", w, h, "image/webp", out}}}, nil
}
