// Bodies: the bytes of an answer, as they are and compressed.

package respond

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"sync"
)

// gzipFrom is how many bytes a text has that is worth compressing: a smaller one is one packet as
// it is.
const gzipFrom = 1400

// LongFrom is how many bytes a long text has: it is in memory compressed, for all who ask for it.
const LongFrom = 1 << 20

// A Body is the bytes of an answer. Nothing changes it, so that many answers may share it at the
// same time.
type Body struct {
	text   []byte        // nil: only the stream is in memory
	size   int           // bytes of the text
	stream func() []byte // of gzip; it is made once
}

// packers are the gzip writers of texts, which have a megabyte each: as many are compressed at once
// as there are processors, however many clients ask for it.
var packers = make(chan *gzip.Writer, runtime.GOMAXPROCS(0))

// spare are gzip writers that documents have done with.
var spare = sync.Pool{New: func() any { return newPacker(gzip.BestSpeed) }}

// unpackers are the places of requests that unpack a part of a body.
var unpackers = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

func init() {
	for range cap(packers) {
		packers <- newPacker(gzip.BestSpeed)
	}
}

// newPacker returns a gzip writer of a level, which is a valid one.
func newPacker(level int) *gzip.Writer {
	z, _ := gzip.NewWriterLevel(nil, level)
	return z
}

// Text returns the body of a text, which is compressed when a client first asks for that.
func Text(text []byte) *Body {
	return &Body{
		text:   text,
		size:   len(text),
		stream: sync.OnceValue(func() []byte { return compress(text) }),
	}
}

// Asset returns the body of a file that browsers keep, which is compressed as far as gzip can: a
// fourth smaller than another text, in four times the time.
func Asset(text []byte) *Body {
	return &Body{
		text: text,
		size: len(text),
		stream: sync.OnceValue(func() []byte {
			place := <-packers
			defer func() { packers <- place }()
			return streamOf(newPacker(gzip.BestCompression), text)
		}),
	}
}

// compress returns the stream of a text.
func compress(text []byte) []byte {
	z := <-packers
	defer func() { packers <- z }()
	return streamOf(z, text)
}

// streamOf returns the stream that a gzip writer makes of a text.
func streamOf(z *gzip.Writer, text []byte) []byte {
	var stream bytes.Buffer
	z.Reset(&stream)
	_, _ = z.Write(text) // a bytes.Buffer does not fail
	_ = z.Close()
	return bytes.Clone(stream.Bytes())
}

// Pack returns the body that write writes. Only its compressed form is in memory, about a tenth of
// the text. The error is that of write.
func Pack(write func(w io.Writer) error) (*Body, error) {
	var stream bytes.Buffer
	z := spare.Get().(*gzip.Writer)
	defer spare.Put(z)
	z.Reset(&stream)
	counted := &counter{to: z}
	if err := write(counted); err != nil {
		return nil, err
	}
	_ = z.Close() // a bytes.Buffer does not fail
	return packed(bytes.Clone(stream.Bytes()), counted.n), nil
}

// packed returns the body of a stream, whose text has a size.
func packed(stream []byte, size int) *Body {
	return &Body{size: size, stream: func() []byte { return stream }}
}

// A counter counts the bytes that pass through it.
type counter struct {
	to io.Writer
	n  int
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	return c.to.Write(p)
}

// Size returns how many bytes the text has.
func (b *Body) Size() int { return b.size }

// Memory returns how many bytes the body takes in memory, at most about: a text with its
// compressed form.
func (b *Body) Memory() int64 {
	if b.text == nil {
		return int64(len(b.stream()))
	}
	return int64(b.size) * 3 / 2
}

// Reader reads the text. Few unpack a part at a time, so that very many do not delay others.
func (b *Body) Reader() io.Reader {
	if b.text != nil || b.size == 0 {
		return bytes.NewReader(b.text)
	}
	z, err := gzip.NewReader(bytes.NewReader(b.stream()))
	if err != nil {
		panic(err) // Pack made the stream
	}
	return unpacking{z}
}

// Unpacking is a reader that takes a place for each part.
type unpacking struct{ *gzip.Reader }

func (u unpacking) Read(p []byte) (int, error) {
	unpackers <- struct{}{}
	defer func() { <-unpackers }()
	return u.Reader.Read(p)
}

// Bytes returns the text, which the caller must not change.
func (b *Body) Bytes() []byte {
	if b.text != nil || b.size == 0 {
		return b.text
	}
	text := make([]byte, b.size)
	if _, err := io.ReadFull(b.Reader(), text); err != nil {
		panic(err) // Pack made the stream
	}
	return text
}

// isWorthPacking reports whether the body is sent compressed to clients that accept it.
func (b *Body) isWorthPacking() bool { return b.size >= gzipFrom || b.text == nil && b.size > 0 }
