// Ending with the program that started this one.

package command

import (
	"context"
	"io"
)

// withParent returns a context that ends when standard input does: the end of a
// pipe comes when the last of those who could write to it has closed it or has
// died, however it died. What comes before is read and dropped. The goroutine
// that waits ends with stdin, which may be with the process.
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
