// Package account authenticates callers and decides what they may do.
//
// Accounts are records of a store, which the desk and `almanac users` change:
//
//	accounts := account.Of(st, now, logger)
//	caller, err := accounts.Authenticate(r.Header.Get("Authorization"))
//	if !caller.May(account.Publish) { … }
//	err = accounts.Change(caller, account.Administer, func(u *account.Users) error {
//		_, err := u.Disable("ann", false)
//		return err
//	})
//
// Or they are in a file that somebody else manages, and are only read, anew when it changes:
//
//	{"users":[{"id":1,"login":"admin","role":"administrator","email":"",
//	  "tokens":[{"name":"first","sha256":"…","created":"…","expires":"…"}],
//	  "feeds":[{"name":"choir","sha256":"…","created":"…","filter":"…"}]}]}
//
// Sessions are those of people who are signed in to the desk. Store and file have only the SHA-256
// of secrets, which are compared in constant time. The hours of their use are in a separate file.
package account

import (
	"fmt"
	"slices"
	"strings"
)

// A Role has rights; see May.
type Role string

// The roles. Each has all rights of the later ones.
const (
	Administrator Role = "administrator"
	Editor        Role = "editor"
	Author        Role = "author"
	Contributor   Role = "contributor"
	Subscriber    Role = "subscriber"
)

var roles = [...]Role{Administrator, Editor, Author, Contributor, Subscriber}

// Roles returns all roles, from most rights to fewest. The caller owns the slice.
func Roles() []Role { return slices.Clone(roles[:]) }

// ParseRole parses the name of a role. The error lists the valid names.
func ParseRole(name string) (Role, error) {
	if r := Role(strings.ToLower(name)); r.rank() > 0 {
		return r, nil
	}
	return "", fmt.Errorf("there is no role %q; there are %s", name, roleNames("and"))
}

func roleNames(last string) string {
	var names []string
	for _, r := range roles {
		names = append(names, string(r))
	}
	end := len(names) - 1
	return strings.Join(names[:end], ", ") + " " + last + " " + names[end]
}

// rank orders the roles; 0 is an unknown role.
func (r Role) rank() int {
	i := slices.Index(roles[:], r)
	if i < 0 {
		return 0
	}
	return len(roles) - i
}

// An Account is a caller or author. The zero value is the anonymous caller, who may read published
// records only.
type Account struct {
	ID    int64  `json:"id"` // from 1; 0 for the anonymous caller
	Login string `json:"login"`
	Role  Role   `json:"role"`
	Email string `json:"email"` // may be empty
}

// First is the id of the administrator whom serve makes: the author of the seed of an empty store.
// Owner says to whom records belong that a command brings.
const First = 1

// IsStranger reports whether the caller is anonymous. The refusal of an anonymous caller is a 401,
// that of an account a 403.
func (a Account) IsStranger() bool { return a.ID == 0 }

func (a Account) owns(author int64) bool { return a.ID != 0 && a.ID == author }

// MayEdit reports whether the account may change a record of an author. published is true for
// public and scheduled records.
func (a Account) MayEdit(author int64, published bool) bool {
	return a.mayChange(author, published, EditOwn, EditOwnPublished, EditOthers)
}

// MayDelete is MayEdit for moving a record to the trash.
func (a Account) MayDelete(author int64, published bool) bool {
	return a.mayChange(author, published, DeleteOwn, DeleteOwnPublished, DeleteOthers)
}

func (a Account) mayChange(author int64, published bool, own, ownPublished, others Right) bool {
	switch {
	case !a.owns(author):
		return a.May(others)
	case published:
		return a.May(ownPublished)
	default:
		return a.May(own)
	}
}

// MayRead reports whether the account may read a record of an author with a status: everyone may
// read published records; the author and accounts with ReadOthers may read the rest. The caller
// must handle trashed records first.
func (a Account) MayRead(author int64, status string) bool {
	return status == "publish" || a.owns(author) || a.May(ReadOthers)
}
