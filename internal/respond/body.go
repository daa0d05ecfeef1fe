// Bodies: the bytes of an answer, as they are and compressed.

package respond

import (
	"bytes"
	"compress/gzip"
	"io"
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

// Text returns the body of a text, which is compressed when a client first asks for that.
func Text(text []byte) *Body {
	return &Body{
		text: text,
		size: len(text),
		stream: sync.OnceValue(func() []byte {
			packed, _ := Pack(func(w io.Writer) error { // a bytes.Buffer does not fail
				_, err := w.Write(text)
				return err
			})
			return packed.stream()
		}),
	}
}

// packers holds *gzip.Writer: each has a megabyte, which takes longer to make than an answer.
var packers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a valid one
	return z
}}

// Pack returns the body that write writes. Only its compressed form is in memory, about a tenth of
// the text. The error is that of write.
func Pack(write func(w io.Writer) error) (*Body, error) {
	var stream bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&stream)
	counted := &counter{to: z}
	if err := write(counted); err != nil {
		return nil, err
	}
	_ = z.Close() // a bytes.Buffer does not fail
	packed := bytes.Clone(stream.Bytes())
	return &Body{size: counted.n, stream: func() []byte { return packed }}, nil
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

// Reader reads the text.
func (b *Body) Reader() io.Reader {
	if b.text != nil || b.size == 0 {
		return bytes.NewReader(b.text)
	}
	z, err := gzip.NewReader(bytes.NewReader(b.stream()))
	if err != nil {
		panic(err) // Pack made the stream
	}
	return z
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
