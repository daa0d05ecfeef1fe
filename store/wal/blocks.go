// Reading large files: several goroutines work on blocks of whole lines, and
// what they make of them comes back in order.

package wal

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"sync"
)

const (
	// blockSize is how many bytes are read at a time: enough that passing them
	// on costs nothing, few enough that they stay near the processor.
	blockSize = 256 << 10
	// blockKept is the largest buffer that is kept for other blocks.
	blockKept = 4 << 20
	// maxReaders bounds the goroutines that work on blocks.
	maxReaders = 8
)

var blocks = sync.Pool{New: func() any { b := make([]byte, 0, blockSize); return &b }}

// A job is a block that is worked on.
type job[T any] struct {
	text *[]byte
	made chan T
}

// A blockReader reads blocks of whole lines (the very last may have no
// newline), and works on them on several goroutines.
type blockReader[T any] struct {
	order  chan job[T]   // of the blocks
	enough chan struct{} // closed when nobody asks for more
	all    sync.WaitGroup
	text   *[]byte // of the block that next returned last; nil for none
	failed error   // of reading
}

// readBlocks begins to read, and to call work with each block, on any goroutine. The
// reader has to be closed.
func readBlocks[T any](in io.Reader, work func(text []byte) T) *blockReader[T] {
	workers := min(runtime.GOMAXPROCS(0), maxReaders)
	b := &blockReader[T]{order: make(chan job[T], 2*workers), enough: make(chan struct{})}
	queue := make(chan job[T], workers)
	for range workers {
		b.all.Go(func() {
			for j := range queue {
				j.made <- work(*j.text)
			}
		})
	}
	b.all.Go(func() {
		defer close(b.order)
		defer close(queue)
		b.failed = cutBlocks(in, func(text *[]byte) bool {
			j := job[T]{text, make(chan T, 1)}
			select {
			case b.order <- j:
				queue <- j
				return true
			case <-b.enough:
				return false
			}
		})
	})
	return b
}

// next returns what work has made of the next block, and whether there is one. The
// memory of the block is good until the next call.
func (b *blockReader[T]) next() (made T, more bool) {
	b.release()
	j, more := <-b.order
	if !more {
		return made, false
	}
	b.text = j.text
	return <-j.made, true
}

// release lets another block have the memory of the last one.
func (b *blockReader[T]) release() {
	if b.text != nil && cap(*b.text) <= blockKept {
		blocks.Put(b.text)
	}
	b.text = nil
}

// close ends the reading, once, and returns why it could not go on, if it could not.
func (b *blockReader[T]) close() error {
	close(b.enough)
	for more := true; more; {
		_, more = b.next()
	}
	b.all.Wait()
	return b.failed
}

// cutBlocks reads to the end and passes on what it reads, cut behind a newline,
// until it is told to stop. An error is of reading; the lines before it are passed
// on.
func cutBlocks(in io.Reader, pass func(*[]byte) bool) error {
	block := blocks.Get().(*[]byte)
	*block = (*block)[:0]
	for {
		b := *block
		n, err := io.ReadFull(in, b[len(b):cap(b)])
		b = b[:len(b)+n]
		*block = b
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			if len(b) == 0 || !pass(block) {
				blocks.Put(block)
			}
			return nil
		case err != nil:
			if *block = b[:bytes.LastIndexByte(b, '\n')+1]; len(*block) > 0 {
				pass(block)
			}
			return err
		}
		cut := bytes.LastIndexByte(b, '\n') + 1
		if cut == 0 {
			*block = slices.Grow(b, len(b))
			continue
		}
		next := blocks.Get().(*[]byte)
		*next = append((*next)[:0], b[cut:]...)
		*block = b[:cut]
		if !pass(block) {
			return nil
		}
		block = next
	}
}
