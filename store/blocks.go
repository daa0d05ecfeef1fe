// Reading large files: several goroutines work on blocks of whole lines, and
// what they make of them comes back in order.

package store

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

// eachBlock reads blocks of whole lines to the end, of which the last may have
// no newline. It calls work with each of them, on several goroutines, and take
// with what work made of it, in order, until take says that it is enough. The
// memory of a block is good until take returns. An error is of reading.
func eachBlock[T any](in io.Reader, work func(text []byte) T, take func(T) bool) error {
	workers := min(runtime.GOMAXPROCS(0), maxReaders)
	queue, order, enough := make(chan job[T], workers), make(chan job[T], 2*workers), make(chan struct{})
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for j := range queue {
				j.made <- work(*j.text)
			}
		})
	}
	var failed error
	all.Go(func() {
		defer close(order)
		defer close(queue)
		failed = cutBlocks(in, func(text *[]byte) bool {
			j := job[T]{text, make(chan T, 1)}
			select {
			case order <- j:
				queue <- j
				return true
			case <-enough:
				return false
			}
		})
	})
	more := true
	for j := range order {
		made := <-j.made
		if more && !take(made) {
			more = false
			close(enough)
		}
		if cap(*j.text) <= blockKept {
			blocks.Put(j.text)
		}
	}
	all.Wait()
	return failed
}

// cutBlocks reads to the end and passes on what it reads, cut behind a newline,
// until it is told to stop.
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
			if len(b) > 0 {
				pass(block)
			}
			return nil
		case err != nil:
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
