// Ending with the program that started this one.

package command

import (
	"context"
	"io"
)

// withParent returns a context that ends when standard input does. A pipe ends when every process with its other end
// has closed it or died. Input is read and dropped. The goroutine ends with stdin, which may be at the end of the
// process.
func withParent(ctx context.Context, stdin io.Reader) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if stdin == nil {
		cancel()
		return ctx, cancel
	}
	go func() {
		_, _ = io.Copy(io.Discard, stdin) // an error is an end, too
		cancel()
	}()
	return ctx, cancel
}
