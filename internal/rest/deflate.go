// Compressing one part of a body.

package rest

import (
	"bytes"
	"compress/flate"
	"sync"
)

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

// deflate returns the blocks of a piece, which are kept with it.
func (p *piece) deflate(k *kept, key pieceKey) []byte {
	if kept := p.deflated.Load(); kept != nil {
		return *kept
	}
	blocks := bytes.Clone(deflate(p.json))
	if k != nil && p.deflated.CompareAndSwap(nil, &blocks) {
		k.pieces.Grow(key, len(blocks))
	}
	return blocks
}
