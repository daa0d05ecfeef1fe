// Accounts, with what lets people in.

package record

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// An Account is somebody who may do something. Its number is never given again: one that was
// removed stays, with its login, by which the log is read. An account of a file that somebody else
// manages has nothing here but its number, its sign-ins and its links.
type Account struct {
	Meta
	Login    string   `json:"login,omitempty"`
	Role     string   `json:"role,omitempty"`
	Email    string   `json:"email,omitempty"`
	Disabled bool     `json:"disabled,omitempty"` // nothing lets it in
	Tokens   []Secret `json:"tokens,omitempty"`
	Feeds    []Secret `json:"feeds,omitempty"` // secrets in the addresses of feeds
	SignIns  []SignIn `json:"sign_ins,omitempty"`
	Links    []Link   `json:"links,omitempty"`
	Removed  bool     `json:"removed,omitempty"` // then nothing else is left but the login
	By       string   `json:"by,omitempty"`      // ByTaken, or how an older program came to know
}

// A Secret is a token or a secret feed of an account.
type Secret struct {
	Name    string `json:"name"`
	Created string `json:"created,omitempty"`
	Expires string `json:"expires,omitempty"` // RFC 3339; valid before, not at it
	Plain   bool   `json:"plain,omitempty"`   // in the text of a file of accounts as it is
	Mark    string `json:"mark,omitempty"`    // of an older program, which kept the hash elsewhere
	SHA256  string `json:"sha256,omitempty"`  // in hexadecimal digits; "" lets nobody in
	Filter  string `json:"filter,omitempty"`  // of a feed: query of a list
}

// A SignIn is one browser in which an account is signed in.
type SignIn struct {
	SHA256   string    `json:"sha256"` // of the secret in the cookie, in hexadecimal digits
	Role     string    `json:"role"`   // at the sign-in; another role ends it
	Created  time.Time `json:"created"`
	Language string    `json:"language,omitempty"` // tag of the chosen language

	// Browser and Address tell the account where it is signed in: the kind of the browser in words,
	// and the address of the client at the sign-in. Both are "" where they are not known.
	Browser string `json:"browser,omitempty"`
	Address string `json:"address,omitempty"`
}

// A Link signs in once. It ends with another role or e-mail address of its account: who could
// receive it then may be somebody else.
type Link struct {
	SHA256  string    `json:"sha256"`          // of the secret in the address, in hexadecimal digits
	Role    string    `json:"role"`            // when it was made
	Email   string    `json:"email,omitempty"` // when it was made
	Expires time.Time `json:"expires"`
	Invites bool      `json:"invites,omitempty"` // it waits for somebody who does not expect it
}

// ByTaken is in the line that takes the accounts of an older directory into the store.
const ByTaken = "taken"

// ways are the values of By. All but the first are in lines of older programs.
var ways = [...]string{ByTaken, "command", "reload", "found"}

// Kind returns Accounts.
func (*Account) Kind() Kind { return Accounts }

// ErrAccountStays is of the removal of an account.
var ErrAccountStays = errors.New("store: an account is never forgotten: put one that is removed")

// IsMember reports whether the account may be let in by the store: it was not removed, and no file
// of somebody else has it.
func (a *Account) IsMember() bool { return a.Login != "" && !a.Removed }

func (a *Account) checkForm() error {
	nothing := a.Role == "" && a.Email == "" && !a.Disabled && len(a.Tokens)+len(a.Feeds) == 0
	switch {
	case a.ID < 1:
		return errors.New("an account needs its number")
	case a.By != "" && !slices.Contains(ways[:], a.By):
		return fmt.Errorf("nobody tells of accounts by %q", a.By)
	case a.Removed && !(nothing && len(a.SignIns)+len(a.Links) == 0):
		return errors.New("something is left of an account that was removed")
	case !a.Removed && (a.Login == "") != nothing || a.Login != "" && !a.Removed && a.Role == "":
		return errors.New("an account without a login or a role")
	}
	for _, one := range a.SignIns {
		if !hasForm(one.Created) {
			return errors.New("a sign-in is not in the years 0 to 9999")
		}
	}
	for _, l := range a.Links {
		if !hasForm(l.Expires) {
			return errors.New("a link is not in the years 0 to 9999")
		}
	}
	return nil
}
