// Compressed bodies. A body that is sent again and again is compressed once.

package respond

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sync"
)

// gzipHeader begins a gzip stream without name and time (RFC 1952, section 2.3), and
// gzipTrailer is how many bytes end it: an empty block, the checksum and the size.
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

const gzipTrailer = 2 + 4 + 4

// A gzipper joins blocks to a gzip stream, whose checksum has to see every byte.
type gzipper struct{ sum, size uint32 }

// count adds to the checksum and the size of the stream.
func (z *gzipper) count(text []byte) {
	z.sum = crc32.Update(z.sum, crc32.IEEETable, text)
	z.size += uint32(len(text))
}

// deflaters holds *flate.Writer: they are large.
var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is a valid one
	return w
}}

// append appends a text as blocks that others may follow: the last of them is empty, so that they
// end with a byte.
func (z *gzipper) append(out, text []byte) []byte {
	z.count(text)
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	b := bytes.NewBuffer(out)
	w.Reset(b)
	_, _ = w.Write(text) // a bytes.Buffer does not fail
	_ = w.Flush()
	return b.Bytes()
}

// end appends the end of the stream.
func (z *gzipper) end(out []byte) []byte {
	out = append(out, 0x03, 0x00) // an empty block that is the last one
	out = binary.LittleEndian.AppendUint32(out, z.sum)
	return binary.LittleEndian.AppendUint32(out, z.size)
}

// compress returns a text as the gzip stream that a body has that is made in parts.
func compress(text []byte) []byte {
	var z gzipper
	out := append(make([]byte, 0, len(text)/4+len(gzipHeader)), gzipHeader...)
	for part := range slices.Chunk(text, PartSize) {
		out = z.append(out, part)
	}
	return z.end(out)
}

// Packed returns the fragment of a text that never changes, compressed as small as it can be.
func Packed(text []byte) *Fragment {
	var z gzipper
	z.count(text)
	b := bytes.NewBuffer(slices.Clone(gzipHeader))
	w, _ := flate.NewWriter(b, flate.BestCompression) // the level is a valid one
	_, _ = w.Write(text)                              // a bytes.Buffer does not fail
	_ = w.Flush()
	f := &Fragment{Text: text}
	f.gzipped.Store(new(z.end(b.Bytes())))
	return f
}

// Gzip returns the piece as a gzip stream, which stays with it.
func (p *Fragment) Gzip() []byte {
	if stream := p.gzipped.Load(); stream != nil {
		return *stream
	}
	stream := bytes.Clone(compress(p.Text))
	if p.gzipped.CompareAndSwap(nil, &stream) && p.Grown != nil {
		p.Grown(len(stream))
	}
	return stream
}

// deflate returns the blocks of the piece's stream.
func (p *Fragment) deflate() []byte {
	stream := p.Gzip()
	return stream[len(gzipHeader) : len(stream)-gzipTrailer]
}

// IsCompressed reports whether the piece has its compressed form.
func (p *Fragment) IsCompressed() bool { return p.gzipped.Load() != nil }

// Size returns how many bytes the piece takes, with its compressed form.
func (p *Fragment) Size() int {
	if stream := p.gzipped.Load(); stream != nil {
		return len(p.Text) + len(*stream)
	}
	return len(p.Text)
}
