package account

// This file answers who is calling, from the accounts as they are right now.

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What Authenticate refuses, all of it with 401.
var (
	ErrUnknownUser  = errors.New("no account has this login; use the login or the e-mail address of one")
	ErrUnknownEmail = errors.New("no account has this e-mail address; use the login or the e-mail address of one")
	ErrWrongToken   = errors.New("the account has no such token, or it has expired; send login:token")
	ErrUnknownToken = errors.New("no account has this token, or it has expired; send a token of the users file")
)

// A Directory holds the accounts. It is safe for concurrent use.
type Directory struct {
	path string // empty when the accounts are in memory only
	now  func() time.Time
	log  *slog.Logger

	current atomic.Pointer[state]
	mu      sync.Mutex // held while the file is read; guards the storing of current
	uses    *uses      // nil notes nothing

	tell    func(Roll) error       // see Announce; nil tells nobody
	telling sync.Mutex             // held while tell is called
	told    atomic.Pointer[roster] // the last one that tell took
}

// A state is what was found at one look at the file. It is never changed.
type state struct {
	*roster               // the last good one
	file      os.FileInfo // the version that was read, nil if it could not be
	complaint string      // what is wrong with it, said to the log once
}

// Open reads the users file. It must be a regular file and correct as a whole;
// errors name the file and the user. The clock decides which tokens have
// expired, and the logger, which may be nil, hears of later changes of the file.
func Open(path string, now func() time.Time, log *slog.Logger) (*Directory, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	d := &Directory{path: path, now: now, log: log}
	file, users, err := load(path)
	if err != nil {
		return nil, err
	}
	d.current.Store(&state{roster: users, file: file})
	return d, nil
}

// A User is an account with its token, for Memory. Without a token nobody can
// call as this user, who may still be an author.
type User struct {
	Account
	Token string
}

// Memory is a directory without a file. The users are held to the rules of the
// file: ids and logins are unique, roles exist.
func Memory(users ...User) (*Directory, error) {
	r := newRoster()
	for _, u := range users {
		m := &member{Account: u.Account}
		if u.Token != "" {
			m.tokens = []token{newToken(hash(u.Token))}
		}
		if err := r.add(m); err != nil {
			return nil, fmt.Errorf("accounts: %w", err)
		}
	}
	r.sort()
	d := &Directory{}
	d.current.Store(&state{roster: r})
	return d, nil
}

// Authenticate finds the caller by the value of an Authorization header: "Bearer
// TOKEN", or "Basic" with base64 of LOGIN:TOKEN or EMAIL:TOKEN. Spaces in the
// token and case in login and address do not count. The caller is the stranger
// when the header is empty, of another scheme or cannot be decoded. Who names an
// account or a token that does not exist is refused with one of the errors above,
// whatever is asked for: a token that has expired must not go unnoticed in
// reading. Disabled accounts have no valid token.
func (d *Directory) Authenticate(header string) (Account, error) {
	scheme, credentials, _ := strings.Cut(strings.TrimSpace(header), " ")
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		if m := d.match(d.announced().members, credentials); m != nil {
			return m.Account, nil
		}
		return Account{}, ErrUnknownToken

	case strings.EqualFold(scheme, "Basic"):
		user, token, ok := decodeBasic(credentials)
		if !ok {
			return Account{}, nil
		}
		m := d.announced().names[strings.ToLower(user)]
		switch {
		case m == nil && strings.Contains(user, "@"):
			return Account{}, ErrUnknownEmail
		case m == nil:
			return Account{}, ErrUnknownUser
		case d.match([]*member{m}, token) == nil:
			return Account{}, ErrWrongToken
		}
		return m.Account, nil
	}
	return Account{}, nil
}

// decodeBasic takes user and password out of the credentials of RFC 7617.
// Missing padding is forgiven.
func decodeBasic(credentials string) (user, password string, ok bool) {
	credentials = strings.TrimRight(strings.TrimSpace(credentials), "=")
	data, err := base64.RawStdEncoding.DecodeString(credentials)
	if err != nil {
		return "", "", false
	}
	return strings.Cut(string(data), ":")
}

// match finds the member that a token belongs to. It looks at every token of
// every member, so that the time it takes says nothing about any of them. No
// token is never right, even if a file holds its hash.
func (d *Directory) match(members []*member, sent string) *member {
	if strings.TrimSpace(sent) == "" {
		return nil
	}
	sum := hash(sent)
	var found *member
	var by token
	for _, m := range members {
		for _, t := range m.tokens {
			equal := subtle.ConstantTimeCompare(sum[:], t.hash[:]) == 1
			if equal && (t.expires.IsZero() || d.now().Before(t.expires)) {
				found, by = m, t
			}
		}
	}
	if found != nil && d.uses != nil {
		d.uses.note(by, d.now())
	}
	return found
}

// hash is what is known of a token. Spaces are for the eye only.
func hash(token string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(strings.Fields(token), "")))
}

// Account is the account with an id, and whether there is one. Disabled accounts
// are known too: they are still authors.
func (d *Directory) Account(id int64) (Account, bool) {
	if m := d.refresh().ids[id]; m != nil {
		return m.Account, true
	}
	return Account{}, false
}

// All are the accounts by id. The slice belongs to the caller.
func (d *Directory) All() []Account {
	var all []Account
	for _, m := range d.refresh().members {
		all = append(all, m.Account)
	}
	return all
}

// Text is the users file as it is now. In memory there is none: fs.ErrNotExist.
func (d *Directory) Text() ([]byte, error) {
	if d.path == "" {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(d.path)
}

// Path is the users file, "" in memory.
func (d *Directory) Path() string { return d.path }

// refresh is the state of now. Every call looks at the file's size and times,
// which takes a microsecond and depends on no clock; the server's own may stand
// still. Only a change makes anybody wait for reading.
func (d *Directory) refresh() *state {
	if d.path == "" {
		return d.current.Load()
	}
	if s := d.current.Load(); s.isOf(d.path) {
		return s
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	last := d.current.Load()
	if last.isOf(d.path) { // somebody else was faster
		return last
	}

	next := &state{roster: last.roster}
	file, users, err := load(d.path)
	next.file = file
	switch {
	case err == nil:
		next.roster = users
		d.log.Info("users file read again", "file", d.path, "users", len(users.members))
	default:
		next.complaint = err.Error()
		if next.complaint != last.complaint {
			d.log.Error("users file not usable, accounts stay as they were", "error", err)
		}
	}
	d.current.Store(next)
	return next
}

// Announce calls tell with the content of the file: now, and with each later version before anybody is let
// in by it, or again is called. After an error, tell is called with the same version again.
func (d *Directory) Announce(tell func(Roll) error) (again func()) {
	d.tell = tell
	d.announced()
	return func() { d.announced() }
}

// announced is refresh, of a version that was announced.
func (d *Directory) announced() *state {
	if s := d.refresh(); d.tell == nil || d.told.Load() == s.roster {
		return s
	}
	d.telling.Lock()
	defer d.telling.Unlock()
	s := d.refresh()
	if d.told.Load() != s.roster && d.tell(s.roll) == nil {
		d.told.Store(s.roster)
	}
	return s
}

// isOf reports whether the state comes from the file as it is now.
func (s *state) isOf(path string) bool {
	file, err := os.Stat(path)
	return err == nil && s.file != nil && os.SameFile(file, s.file) &&
		file.Size() == s.file.Size() && file.ModTime().Equal(s.file.ModTime())
}
