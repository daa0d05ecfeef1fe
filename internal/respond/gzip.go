// Compressed bodies. What is sent again and again is compressed once.

package respond

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"sync"
)

// gzipHeader begins a gzip stream without name and time (RFC 1952, section 2.3), and
// gzipTrailer is how many bytes end it: an empty block, the checksum and the size.
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

const gzipTrailer = 2 + 4 + 4

// A gzipper joins blocks to a gzip stream. It is used again for one stream after the other.
type gzipper struct {
	out       []byte
	sum, size uint32
}

// gzippers are those that nobody uses.
var gzippers = sync.Pool{New: func() any { return new(gzipper) }}

// release gives a gzipper back, whose stream nobody needs any more. One of more memory
// than an answer takes mostly is not used again.
func (z *gzipper) release() {
	if cap(z.out) <= PartSize {
		gzippers.Put(z)
	}
}

// compress returns a text as a gzip stream, which the caller must not change: that of a
// piece stays with it, and any other is there until the gzipper is released.
func (z *gzipper) compress(text []byte, items []Item) []byte {
	if len(items) == 1 && items[0].From == 0 && items[0].To == len(text) {
		return items[0].gzip()
	}
	*z = gzipper{out: append(z.out[:0], gzipHeader...)}
	z.join(text, items)
	return z.end()
}

// join adds a text. Items bring their own blocks; they end at the boundary of a
// byte, so that blocks can follow each other as they are (RFC 1951, section 3.2.4).
// Only the checksum has to see every byte.
func (z *gzipper) join(text []byte, items []Item) {
	at := 0
	for i := range items {
		item := &items[i]
		z.text(text[at:item.From])
		z.count(item.Text)
		z.out = append(z.out, item.deflate()...)
		at = item.To
	}
	z.text(text[at:])
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

// deflaters holds *flate.Writer: they are large.
var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is a valid one
	return w
}}

// deflate returns a text as blocks that others may follow: the last of them is
// empty, so that they end with a byte.
func deflate(text []byte) []byte {
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	var b bytes.Buffer
	w.Reset(&b)
	_, _ = w.Write(text) // a bytes.Buffer does not fail
	_ = w.Flush()
	return b.Bytes()
}

// gzip returns the piece as a gzip stream, which stays with it.
func (p *Piece) gzip() []byte {
	if stream := p.gzipped.Load(); stream != nil {
		return *stream
	}
	z := gzipper{out: bytes.Clone(gzipHeader)}
	z.count(p.Text)
	z.out = append(z.out, deflate(p.Text)...)
	stream := bytes.Clone(z.end())
	if p.gzipped.CompareAndSwap(nil, &stream) && p.Grown != nil {
		p.Grown(len(stream))
	}
	return stream
}

// deflate returns the blocks of the piece's stream.
func (p *Piece) deflate() []byte {
	stream := p.gzip()
	return stream[len(gzipHeader) : len(stream)-gzipTrailer]
}

// Copy makes a new piece one of a body, with memory of its own. It is the same bytes in
// its compressed form too, which it has already if that is wanted now.
func (p *Piece) Copy(b *Body, compressed bool) {
	p.Text = bytes.Clone(b.Text)
	if compressed {
		z := gzippers.Get().(*gzipper)
		defer z.release()
		stream := bytes.Clone(z.compress(b.Text, b.Items))
		p.gzipped.Store(&stream)
	}
}

// IsCompressed reports whether the piece has its compressed form.
func (p *Piece) IsCompressed() bool { return p.gzipped.Load() != nil }

// Size returns how many bytes the piece takes, with its compressed form.
func (p *Piece) Size() int {
	if stream := p.gzipped.Load(); stream != nil {
		return len(p.Text) + len(*stream)
	}
	return len(p.Text)
}
