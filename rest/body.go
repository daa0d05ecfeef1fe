// Bodies that are joined of parts.

package rest

import (
	"encoding/binary"
	"hash/crc32"
	"sync"
)

// A body is JSON in parts: items with commas between them, and what stands before
// and behind. Its parts are written as they are.
type body struct {
	before []byte
	items  []bodyItem
	behind []byte
}

type bodyItem struct {
	json  []byte
	piece *piece // whose JSON it is, if it is kept
	key   pieceKey
}

// bodyOf makes a body of one text.
func bodyOf(json []byte) body { return body{before: json} }

// isZero reports whether there is nothing.
func (b *body) isZero() bool { return b.before == nil && b.items == nil }

// size gives the number of bytes.
func (b *body) size() int {
	n := len(b.before) + len(b.behind) + max(0, len(b.items)-1)
	for i := range b.items {
		n += len(b.items[i].json)
	}
	return n
}

// appendTo appends all parts.
func (b *body) appendTo(dst []byte) []byte {
	dst = append(dst, b.before...)
	for i := range b.items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, b.items[i].json...)
	}
	return append(dst, b.behind...)
}

// buffers holds *[]byte: a page has some tens of kilobytes.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// bufferKept is the size up to which a buffer is used again.
const bufferKept = 1 << 20

// joined calls f with the bytes, which are gone when it returns. A single part
// is not copied.
func (b *body) joined(f func([]byte)) {
	switch {
	case len(b.items) == 0 && len(b.behind) == 0:
		f(b.before)
		return
	case len(b.items) == 1 && len(b.before) == 0 && len(b.behind) == 0:
		f(b.items[0].json)
		return
	}
	buffer := buffers.Get().(*[]byte)
	*buffer = b.appendTo((*buffer)[:0])
	f(*buffer)
	if cap(*buffer) <= bufferKept {
		buffers.Put(buffer)
	}
}

// gzipHeader begins a gzip stream without name and time (RFC 1952, section 2.3).
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

// gzip gives the body compressed. Pieces that are kept bring their own blocks;
// they end at the boundary of a byte, so that blocks can follow each other as
// they are (RFC 1951, section 3.2.4). Only the checksum has to see every byte.
func (b *body) gzip(k *kept) []byte {
	z := gzipper{out: append(make([]byte, 0, 1024+b.size()/2), gzipHeader...)}
	z.text(b.before)
	for i := range b.items {
		if i > 0 {
			z.text(comma)
		}
		item := &b.items[i]
		if item.piece == nil {
			z.text(item.json)
			continue
		}
		z.count(item.json)
		z.out = append(z.out, item.piece.deflate(k, item.key)...)
	}
	z.text(b.behind)
	return z.end()
}

var comma = []byte{','}

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

// end gives the stream.
func (z *gzipper) end() []byte {
	z.out = append(z.out, 0x03, 0x00) // an empty block that is the last one
	z.out = binary.LittleEndian.AppendUint32(z.out, z.sum)
	return binary.LittleEndian.AppendUint32(z.out, z.size)
}

// storedMost is how long a part may be that is not worth compressing.
const storedMost = 64

// appendStored appends a block that is not compressed (RFC 1951, section 3.2.4).
func appendStored(out, text []byte) []byte {
	out = append(out, 0x00)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(text)))
	out = binary.LittleEndian.AppendUint16(out, ^uint16(len(text)))
	return append(out, text...)
}
