// Bodies of answers, and how those that are joined of kept pieces are compressed.

package rest

import (
	"encoding/binary"
	"hash/crc32"
)

// A body is JSON, with what is known of its parts.
type body struct {
	text  []byte
	items []bodyItem // in order
}

// A bodyItem is a part of a body that is the JSON of a kept piece.
type bodyItem struct {
	from, to int
	piece    *piece
	key      pieceKey
}

// gzipHeader begins a gzip stream without name and time (RFC 1952, section 2.3).
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

// gzip returns the body compressed. Pieces that are kept bring their own blocks;
// they end at the boundary of a byte, so that blocks can follow each other as
// they are (RFC 1951, section 3.2.4). Only the checksum has to see every byte.
func (b *body) gzip(k *kept) []byte {
	z := gzipper{out: append(make([]byte, 0, 1024+len(b.text)/2), gzipHeader...)}
	at := 0
	for i := range b.items {
		item := &b.items[i]
		z.text(b.text[at:item.from])
		z.count(item.piece.json)
		z.out = append(z.out, item.piece.deflate(k, item.key)...)
		at = item.to
	}
	z.text(b.text[at:])
	return z.end()
}

// A gzipper joins blocks to a gzip stream.
type gzipper struct {
	out       []byte
	sum, size uint32
}

// count adds to the checksum and the size of what is compressed.
func (z *gzipper) count(text []byte) {
	z.sum = crc32.Update(z.sum, crc32.IEEETable, text)
	z.size += uint32(len(text))
}

// text adds a text that has no blocks yet.
func (z *gzipper) text(text []byte) {
	z.count(text)
	switch {
	case len(text) == 0:
	case len(text) <= storedMost:
		z.out = appendStored(z.out, text)
	default:
		z.out = append(z.out, deflate(text)...)
	}
}

// end returns the stream.
func (z *gzipper) end() []byte {
	z.out = append(z.out, 0x03, 0x00) // an empty block that is the last one
	z.out = binary.LittleEndian.AppendUint32(z.out, z.sum)
	return binary.LittleEndian.AppendUint32(z.out, z.size)
}

// storedMost is how long a part may be that is not worth compressing: the links
// and totals of a list are a few hundred bytes beside ten thousand of its pieces,
// and would take as much time as all else.
const storedMost = 512

// appendStored appends a block that is not compressed (RFC 1951, section 3.2.4).
func appendStored(out, text []byte) []byte {
	out = append(out, 0x00)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(text)))
	out = binary.LittleEndian.AppendUint16(out, ^uint16(len(text)))
	return append(out, text...)
}
