// Passwords of events: the password of a request, and passwords to store.

package api

import (
	"almanac/internal/params"
	"almanac/store"
)

// An unlocker remembers the events that the password of a request was tried on.
type unlocker struct {
	tried   map[string]bool // whether the password matches, by stored hash
	pending []*store.Event  // asked for before it was tried on them
	worked  int             // how many had to be worked out
	tries   int             // how many were compared that were not known to be wrong
	taken   int             // tokens of the client
	opened  bool            // something
}

// maxTries is how many passwords are worked out for one request: a page of the
// largest size that servers have unless they are told otherwise, and some.
const maxTries = 64

// triesPerGuess is the number of events that a password is tried on for one token: a page of a list. More would
// let one client keep a processor busy.
const triesPerGuess = 10

// unlocked reports whether the caller may see inside an event: it has no
// password, the request has it, or the caller edits it and says so. An event
// that the password has not been tried on stays closed, and is noted.
func (r *Call) unlocked(e *store.Event) bool {
	if e.Password == "" || r.editing() && r.mayEdit(&e.Post) {
		return true
	}
	open, tried := r.unlocker.tried[e.Password]
	if !tried && r.In.Text("password") != "" {
		r.unlocker.pending = append(r.unlocker.pending, e)
	}
	return open
}

// unlocking runs f. It runs it again when f has asked for protected events that the password of the request has to be tried
// on, which takes too long to be done inside: f begins anew each time.
func (r *Call) unlocking(f func() error) error {
	for {
		err := f()
		if len(r.unlocker.pending) == 0 {
			return err
		}
		if err := r.try(r.unlocker.pending); err != nil {
			return err
		}
	}
}

// try tries the password of the request on events. It works passwords out, which
// takes a while, so that it must not be called inside a View.
//
// Events that it does not open take tokens of the client. They are given back
// when it opens one: in a list of events with several passwords each is wrong
// for most.
func (r *Call) try(events []*store.Event) error {
	if len(events) == 0 {
		return nil
	}
	if r.reserved.EndTurn(); r.unlocker.tried == nil { // to work out passwords has turns of its own
		r.unlocker.tried = map[string]bool{}
	}
	for _, e := range events {
		if _, tried := r.unlocker.tried[e.Password]; tried {
			continue
		}
		right, err := r.unlocker.matches(r, e.Password)
		if err != nil {
			return err
		}
		r.unlocker.tried[e.Password] = right
	}
	r.unlocker.pending = nil
	return nil
}

// matches compares the password of the request with a stored one.
func (u *unlocker) matches(r *Call, stored string) (bool, error) {
	text := r.In.Text("password")
	if r.passwords.WasWrong(stored, text) {
		return false, nil
	}
	if !u.opened && u.tries%triesPerGuess == 0 {
		if err := u.guess(r); err != nil {
			return false, err
		}
	}
	u.tries++
	if !r.passwords.Known(stored, text) {
		if u.worked++; u.worked > maxTries {
			return false, errManyPasswords
		}
	}
	right, err := r.passwords.Compare(r.HTTP.Context(), stored, text)
	if right {
		u.opened = true
		r.bounds.Guesses.Return(r.rateKey(), u.taken)
		u.taken = 0
	}
	return right, err
}

// open tries the password of the request on those events of a list that are
// closed without it.
func (r *Call) open(events []*store.Event) error {
	for _, e := range events {
		r.unlocked(e)
	}
	return r.try(r.unlocker.pending)
}

// hash hashes the password that is sent to be stored, if there is one, before
// others have to wait for the transaction.
func (r *Call) hash(values params.Values) error {
	row, ok := r.Op.Params.Row("password")
	if !ok || row.Kind != params.Password || !values.Has("password") || values.Text("password") == "" {
		return nil
	}
	var err error
	r.hashed, err = r.passwords.Hash(r.HTTP.Context(), values.Text("password"))
	return err
}
