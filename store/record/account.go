// Accounts, as the log tells of them.

package record

import (
	"errors"
	"fmt"
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
	Feeds    []AccountToken `json:"feeds,omitempty"`   // secrets in the addresses of feeds
	Removed  bool           `json:"removed,omitempty"` // then nothing else is known but the login
	By       string         `json:"by"`                // how the log came to know: one of the three below
}

// An AccountToken is a token or a secret feed of an account, without anything that helps to find
// the secret.
type AccountToken struct {
	Name        string `json:"name"`
	Created     string `json:"created,omitempty"`
	Expires     string `json:"expires,omitempty"`
	Plain       bool   `json:"plain,omitempty"`  // it stands in the file as it is
	Fingerprint string `json:"mark,omitempty"`   // fingerprint of the token in the file; "" without a key there
	Filter      string `json:"filter,omitempty"` // of a feed: query of a list
}

// How the log came to know of an account.
const (
	ByCommand = "command" // almanac users changed the file and wrote the line
	ByReload  = "reload"  // a server that ran read the file again
	ByFound   = "found"   // a server that started, or almanac users before its change, found the file so
)

// Kind returns Accounts.
func (*Account) Kind() Kind { return Accounts }

// ErrAccountStays is of the removal of an account.
var ErrAccountStays = errors.New("store: an account is never forgotten: put one that is removed")

func (a *Account) checkForm() error {
	switch {
	case a.ID < 1:
		return errors.New("an account needs its number")
	case a.By != ByCommand && a.By != ByReload && a.By != ByFound:
		return fmt.Errorf("nobody tells of accounts by %q", a.By)
	case a.Removed && (a.Role != "" || a.Email != "" || a.Disabled || a.Tokens != nil || a.Feeds != nil):
		return errors.New("something is known of an account that was removed")
	case !a.Removed && (a.Login == "" || a.Role == ""):
		return errors.New("an account without a login or a role")
	}
	return nil
}
