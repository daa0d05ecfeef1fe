// Package account knows who may call the server and what each caller may do.
//
// Accounts live in a JSON file that its owner edits:
//
//	{"users":[{"id":1,"login":"admin","role":"administrator","email":"",
//	  "tokens":[{"name":"first","sha256":"…","created":"…","expires":"…"}]}]}
//
// A Directory is such a file, read and watched:
//
//	dir, err := account.Open("users.json", now, logger)
//	caller, err := dir.Authenticate(r.Header.Get("Authorization"))
//	if !caller.May(account.Publish) { … }
//
// Guarantees: the file is read again when it changes. A change that cannot be
// read is reported and leaves the accounts as they were. A Directory never writes
// the file. Create makes the first one and Change another in its place, whole or
// not at all, one writer at a time; whatever a file holds that is unknown here
// stays. Tokens are compared in constant time, and of those that are made here
// only the SHA-256 is on disk. When tokens were used is in a file of its own.
package account

// This file holds the caller and the decisions about a single record.

import (
	"fmt"
	"strings"
)

// A Role says what an account may do; see May.
type Role string

// The roles. Each may do all that those after it may.
const (
	Administrator Role = "administrator"
	Editor        Role = "editor"
	Author        Role = "author"
	Contributor   Role = "contributor"
	Subscriber    Role = "subscriber"
)

// Roles are all roles, from the one that may do most. The slice belongs to the
// caller.
func Roles() []Role { return []Role{Administrator, Editor, Author, Contributor, Subscriber} }

// ParseRole reads the name of a role. The error says which there are.
func ParseRole(name string) (Role, error) {
	if r := Role(strings.ToLower(name)); r.rank() > 0 {
		return r, nil
	}
	return "", fmt.Errorf("there is no role %q; there are %s", name, roleNames("and"))
}

// roleNames enumerates the roles.
func roleNames(last string) string {
	var names []string
	for _, r := range Roles() {
		names = append(names, string(r))
	}
	end := len(names) - 1
	return strings.Join(names[:end], ", ") + " " + last + " " + names[end]
}

// rank orders the roles; 0 is no role at all.
func (r Role) rank() int {
	switch r {
	case Administrator:
		return 5
	case Editor:
		return 4
	case Author:
		return 3
	case Contributor:
		return 2
	case Subscriber:
		return 1
	}
	return 0
}

// An Account is a known caller or author. The zero value is the stranger, who may
// read what is published and nothing else.
type Account struct {
	ID    int64 // 1 or more; 0 for the stranger
	Login string
	Role  Role
	Email string // may be empty
}

// IsStranger reports whether the caller did not say who they are. Refusing a
// stranger is a 401, refusing an account a 403.
func (a Account) IsStranger() bool { return a.ID == 0 }

// owns reports whether the account is the author of a record.
func (a Account) owns(author int64) bool { return a.ID != 0 && a.ID == author }

// MayEdit reports whether the account may change a record of an author.
// Published is true for records that are public or have a date to become so.
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

// MayRead reports whether the account may read a single record of an author with
// a status: published ones anybody, all others the author and those who may read
// what others have not published. Trashed records have rules of their own, which
// the caller must ask first.
func (a Account) MayRead(author int64, status string) bool {
	return status == "publish" || a.owns(author) || a.May(ReadOthers)
}

// A Scope is which records of a kind an account finds in lists.
type Scope uint8

const (
	Published       Scope = iota // what is published
	PublishedAndOwn              // that, and the account's own in every status
	Everything                   // all records of all authors
)

// Scope is what the account finds in lists. It is narrower than what it may read
// one by one only for subscribers, who write nothing.
func (a Account) Scope() Scope {
	switch {
	case a.May(ReadOthers):
		return Everything
	case a.May(CreateOwn):
		return PublishedAndOwn
	default:
		return Published
	}
}
