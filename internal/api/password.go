// Passwords of events: the password of a request, and passwords to store.

package api

import (
	"fmt"

	"almanac/internal/people/password"
	"almanac/internal/wire/params"
	"almanac/store"
)

// An unlocker tries the password of a request on events.
type unlocker struct {
	attempt password.Attempt
	pending []*store.Event // asked for before it was tried on them
}

// unlocked reports whether the caller may see inside an event: it has no
// password, the request has it, or the caller edits it and says so. An event
// that the password has not been tried on stays closed, and is noted.
func (r *Call) unlocked(e *store.Event) bool {
	if e.Password == "" || r.editing() && r.mayEdit(&e.Post) {
		return true
	}
	open, tried := r.attempt.Opens(e.Password)
	if !tried && r.In.Text("password") != "" {
		r.pending = append(r.pending, e)
	}
	return open
}

// untilTried runs f. It runs it again when f has asked for protected events that the password of
// the request has to be tried on, which takes too long to be done inside: f begins anew each time.
func (r *Call) untilTried(f func() error) error {
	searched := r.searched
	for {
		r.searched = searched // by other operations of the request
		err := f()
		if len(r.pending) == 0 {
			return err
		}
		if err := r.try(r.pending); err != nil {
			return err
		}
	}
}

// try tries the password of the request on events. It works passwords out, which
// takes a while, so that it must not be called inside a View.
//
// Unlike a login, a right password is refused too while the client has no token: people
// choose passwords, and the answer would tell. If the right one were let in without
// a token, a client would learn the result of every guess that it sends.
// Strangers use up no tokens of a caller with an account, and a password that is
// known to be wrong is answered without a token.
func (r *Call) try(events []*store.Event) error {
	if len(events) == 0 {
		return nil
	}
	key := r.Key()
	take := func() error {
		if wait, ok := r.bounds.Guesses.Take(key); !ok {
			return tooMany(
				"wrong-passwords",
				wait,
				fmt.Sprintf("No more than %v wrong passwords are compared.", r.bounds.Passwords),
			)
		}
		return nil
	}
	for _, e := range events {
		err := r.passwords.Try(
			r.HTTP.Context(),
			key,
			&r.attempt,
			e.Password,
			r.In.Text("password"),
			take,
			func(tokens int) {
				r.bounds.Guesses.Return(key, tokens)
			},
		)
		if err != nil {
			return err
		}
	}
	r.pending = nil
	return nil
}

// tryClosed tries the password of the request on those events of a list that are
// closed without it.
func (r *Call) tryClosed(events []*store.Event) error {
	for _, e := range events {
		r.unlocked(e)
	}
	return r.try(r.pending)
}

// sealPassword makes what is stored for the password that is sent, if one is, before the
// transaction, which others wait for.
func (r *Call) sealPassword(values params.Values) error {
	row, ok := r.Op.Params.Row("password")
	if !ok || row.Kind != params.Password || !values.Has("password") ||
		values.Text("password") == "" {
		return nil
	}
	var err error
	r.sealed, err = r.Seal("", values.Text("password"))
	return err
}

// Seal returns what to store for the password of an event: stored, which the event has, if it is
// the stored form of the text, else that of the text. It works passwords out, in turns of clients,
// so that it must not be called inside a View or an Update.
func (r *Call) Seal(stored, text string) (string, error) {
	if stored != "" {
		if right, err := r.passwords.Compare(r.HTTP.Context(), r.Key(), stored, text); right ||
			err != nil {
			return stored, err
		}
	}
	return r.passwords.Hash(r.HTTP.Context(), r.Key(), text)
}
