// Attempts: one password that a request tries on the events of a list.

package password

import (
	"context"
	"errors"
)

// ErrMany says that one request asks for too many comparisons. They are remembered.
var ErrMany = errors.New("password: too many comparisons for one request")

const (
	// maxTries is how many passwords are worked out for one request: a page of the
	// largest size that servers have unless they are told otherwise, and some.
	maxTries = 64
	// triesPerGuess is the number of events that a password is tried on for one token: a page of a
	// list. More would let one client keep a processor busy.
	triesPerGuess = 10
)

// An Attempt remembers the stored passwords that the password of a request was tried on.
type Attempt struct {
	tried  map[string]bool // whether the password matches, by stored hash
	worked int             // how many had to be worked out
	tries  int             // how many were compared that were not known to be wrong
	taken  int             // tokens of the client
	opened bool            // something
}

// Opens reports whether the password matches a stored one, and whether it was tried on that.
func (a *Attempt) Opens(stored string) (open, tried bool) {
	open, tried = a.tried[stored]
	return open, tried
}

// Try tries the password of an attempt of a client on a stored one. Wrong ones take tokens of the
// client, by take. They are given back when it opens one: in a list of events with several
// passwords each is wrong for most.
func (k *Keeper) Try(
	ctx context.Context,
	client any,
	a *Attempt,
	stored, text string,
	take func() error,
	giveBack func(tokens int),
) error {
	if _, tried := a.tried[stored]; tried {
		return nil
	}
	right := false
	if !k.wasWrong(stored, text) {
		if !a.opened && a.tries%triesPerGuess == 0 {
			if err := take(); err != nil {
				return err
			}
			a.taken++
		}
		a.tries++
		if !k.known(stored, text) {
			if a.worked++; a.worked > maxTries {
				return ErrMany
			}
		}
		var err error
		if right, err = k.Compare(ctx, client, stored, text); err != nil {
			return err
		}
		if right {
			a.opened = true
			giveBack(a.taken)
			a.taken = 0
		}
	}
	if a.tried == nil {
		a.tried = map[string]bool{}
	}
	a.tried[stored] = right
	return nil
}
