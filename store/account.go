// Accounts: their history in the log. The file of the accounts alone gives rights.

package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// An Account is an account as the file of the accounts had it when that was compared with
// the log. Its id is its number there. One that was removed stays, so that its number is
// never given again, and with its login, by which the log is read.
type Account struct {
	Meta
	Login    string         `json:"login,omitempty"`
	Role     string         `json:"role,omitempty"`
	Email    string         `json:"email,omitempty"`
	Disabled bool           `json:"disabled,omitempty"`
	Tokens   []AccountToken `json:"tokens,omitempty"`
	Removed  bool           `json:"removed,omitempty"` // then nothing else is known but the login
	By       string         `json:"by"`                // how the log came to know: one of the three below
}

// An AccountToken is a token of an account, without anything that helps to find it.
type AccountToken struct {
	Name        string `json:"name"`
	Created     string `json:"created,omitempty"`
	Expires     string `json:"expires,omitempty"`
	Plain       bool   `json:"plain,omitempty"` // it stands in the file as it is
	Fingerprint string `json:"mark,omitempty"`  // fingerprint of the token in the file; "" without a key there
}

// How the log came to know of an account.
const (
	ByCommand = "command" // almanac users changed the file and wrote the line
	ByReload  = "reload"  // a server that ran read the file again
	ByFound   = "found"   // a server that started, or almanac users before its change, found the file so
)

// Kind returns Accounts.
func (*Account) Kind() Kind { return Accounts }

// errAccountStays is of the removal of an account.
var errAccountStays = errors.New("store: an account is never forgotten: put one that is removed")

func (a *Account) checkForm() error {
	switch {
	case a.ID < 1:
		return errors.New("an account needs its number")
	case a.By != ByCommand && a.By != ByReload && a.By != ByFound:
		return fmt.Errorf("nobody tells of accounts by %q", a.By)
	case a.Removed && (a.Role != "" || a.Email != "" || a.Disabled || a.Tokens != nil):
		return errors.New("something is known of an account that was removed")
	case !a.Removed && (a.Login == "" || a.Role == ""):
		return errors.New("an account without a login or a role")
	}
	return nil
}

// A Roll is the accounts that a file has at one moment.
type Roll struct {
	Accounts []*Account // with what the file has
	Last     int64      // highest number that the file ever gave to an account
}

// tells reports whether two say the same of an account.
func (a *Account) tells(b *Account) bool {
	return a.Login == b.Login && a.Role == b.Role && a.Email == b.Email && a.Disabled == b.Disabled && a.Removed == b.Removed &&
		slices.Equal(a.Tokens, b.Tokens)
}

// changes returns what is to be put so that the log tells of a roll.
func (r Roll) changes(known accountSet, by string) (changed []*Account) {
	here, last := map[int64]bool{}, int64(0)
	for _, a := range r.Accounts {
		here[a.ID] = true
		a := *a
		a.By = by
		if was := known[a.ID]; was == nil || !was.tells(&a) {
			changed = append(changed, &a)
		}
	}
	for id, was := range known {
		last = max(last, id)
		if !here[id] && !was.Removed {
			changed = append(changed, &Account{Meta: Meta{ID: id}, Login: was.Login, Removed: true, By: by})
		}
	}
	if r.Last > last && !here[r.Last] {
		changed = append(changed, &Account{Meta: Meta{ID: r.Last}, Removed: true, By: by})
	}
	for _, a := range changed {
		if was := known[a.ID]; was != nil {
			a.More = was.More
		}
	}
	slices.SortFunc(changed, byNumber)
	return changed
}

// Differences returns what a file has otherwise than the log, as what happened to accounts
// since the log told of them last.
func (r Roll) Differences(known []*Account) []Effect {
	were := accountSet{}
	for _, a := range known {
		were[a.ID] = a
	}
	return r.differences(were, ByFound)
}

func (r Roll) differences(known accountSet, by string) (effects []Effect) {
	for _, a := range r.changes(known, by) {
		effects = append(effects, accountEffect(known[a.ID], a))
	}
	return effects
}

// accountEffect tells what became of an account; was is nil for a new account.
func accountEffect(was, is *Account) Effect {
	e := Effect{Kind: Accounts, ID: is.ID, Verb: "changed", Name: is.Login}
	if was == nil {
		was, e.Verb = new(Account), "created"
	}
	switch {
	case is.Removed:
		e.Verb, e.Name = "removed", cmp.Or(was.Login, is.Login)
		return e
	case was.Removed:
		e.Verb = "restored"
	case was.Login == "":
	case is.Disabled && !was.Disabled:
		e.Verb = "disabled"
	case was.Disabled && !is.Disabled:
		e.Verb = "enabled"
	}
	for _, m := range []struct{ name, was, is string }{
		{"email", was.Email, is.Email}, {"login", was.Login, is.Login}, {"role", was.Role, is.Role},
	} {
		switch {
		case m.was == m.is || m.name == "login" && m.was == "":
		case m.name == "role" && m.was == "":
			e.Members = append(e.Members, "role "+m.is)
		case m.name == "role":
			e.Members = append(e.Members, "role "+m.was+" to "+m.is)
		default:
			e.Members = append(e.Members, m.name)
		}
	}
	e.Members = append(e.Members, tokenChanges(was.Tokens, is.Tokens)...)
	return e
}

// tokenChanges tells what became of the tokens of an account. Two may have one name.
func tokenChanges(were, are []AccountToken) (changes []string) {
	were = slices.Clone(were)
	tell := func(t AccountToken, what string) {
		name := "token " + strconv.Quote(t.Name)
		if t.Plain {
			name = "token in plain text"
		}
		changes = append(changes, name+" "+what)
	}
	for pass, same := range []func(a, b AccountToken) bool{
		func(a, b AccountToken) bool { return a == b },
		func(a, b AccountToken) bool { a.Fingerprint = ""; b.Fingerprint = ""; return a == b },
		func(a, b AccountToken) bool { return a.Name == b.Name && a.Plain == b.Plain },
	} {
		are = slices.DeleteFunc(slices.Clone(are), func(t AccountToken) bool {
			i := slices.IndexFunc(were, func(w AccountToken) bool { return same(w, t) })
			if i < 0 {
				return false
			}
			switch {
			case pass == 1 && were[i].Fingerprint == "":
				tell(t, "can be told from others")
			case pass > 0:
				tell(t, "replaced")
			}
			were = slices.Delete(were, i, i+1)
			return true
		})
	}
	for _, t := range are {
		tell(t, "made")
	}
	for _, t := range were {
		tell(t, "revoked")
	}
	return changes
}
