package limit

import (
	"context"
	"errors"
)

// ErrBusy says that too many wait already.
var ErrBusy = errors.New("limit: too many wait for their turn")

// Turns let few do at the same time what takes long, so that it leaves processors
// to others. They are safe for concurrent use.
type Turns struct {
	running chan struct{} // full when nobody may begin
	waiting chan struct{} // full when nobody may wait
}

// NewTurns lets so many run and so many more wait.
func NewTurns(running, waiting int) *Turns {
	return &Turns{make(chan struct{}, running), make(chan struct{}, waiting)}
}

// Do runs f when it is its turn. The error is ErrBusy when too many wait, or that
// of the context; then f was not run.
func (t *Turns) Do(ctx context.Context, f func()) error {
	select {
	case t.running <- struct{}{}:
	default:
		select {
		case t.waiting <- struct{}{}:
		default:
			return ErrBusy
		}
		defer func() { <-t.waiting }()
		select {
		case t.running <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer func() { <-t.running }()
	f()
	return nil
}
