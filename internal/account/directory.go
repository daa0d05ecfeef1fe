package account

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Errors of Authenticate; each is a 401.
var (
	ErrWrongToken = errors.New(
		"no account has this login or e-mail address with this token, or it has expired; send login:token",
	)
	ErrUnknownToken = errors.New(
		"no account has this token, or it has expired; send a token of the users file",
	)
)

// A Directory holds the accounts. It is safe for concurrent use.
type Directory struct {
	path    string // "" in memory
	now     func() time.Time
	log     *slog.Logger
	changes bool // see AllowChanges

	current atomic.Pointer[state]
	mu      sync.Mutex // locked during reading; guards writes of current
	uses    *uses      // nil records no uses

	changer atomic.Int64           // account that changes the file at the moment; 0 is unknown
	tell    func(Roll) error       // see Announce; may be nil
	telling sync.Mutex             // locked during tell
	told    atomic.Pointer[roster] // last roster that tell accepted
}

// A state is a version of the file. It is immutable.
type state struct {
	*roster               // last valid one
	file      os.FileInfo // version that was read, nil if unreadable
	complaint string      // error of the file, logged once
}

// Open reads the users file, which must be a regular file without any error; errors name the file
// and the user. now decides which tokens have expired. The logger, which may be nil, receives
// errors of later versions.
func Open(path string, now func() time.Time, log *slog.Logger) (*Directory, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	d := &Directory{path: path, now: now, log: log}
	file, users, _, err := load(path)
	if err != nil {
		return nil, err
	}
	d.current.Store(&state{roster: users, file: file})
	return d, nil
}

// A User is an account with its token, for Memory. A user without a token cannot call, but may be
// an author.
type User struct {
	Account
	Token string
}

// Memory returns a directory without a file. Its users obey the rules of the file: unique ids and
// logins, existing roles.
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

// Authenticate finds the caller by the value of an Authorization header: "Bearer TOKEN", or
// "Basic" with base64 of LOGIN:TOKEN or EMAIL:TOKEN. It ignores spaces in the token, and letter
// case in login and address. The caller is anonymous if the header is empty, has another scheme or
// cannot be decoded. An unknown account or token is an error above, even for public resources, so
// that clients notice an expired token. A disabled account has no valid token.
func (d *Directory) Authenticate(header string) (Account, error) {
	scheme, credentials, _ := strings.Cut(strings.TrimSpace(header), " ")
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		if m, _ := d.match(d.announced().members, memberTokens, credentials); m != nil {
			return m.Account, nil
		}
		return Account{}, ErrUnknownToken

	case strings.EqualFold(scheme, "Basic"):
		user, token, ok := decodeBasic(credentials)
		if !ok {
			return Account{}, nil
		}
		var named []*member
		if m := d.announced().names[strings.ToLower(user)]; m != nil {
			named = []*member{m}
		}
		m, _ := d.match(named, memberTokens, token)
		if m == nil { // the same for an unknown login: it tells nobody which logins there are
			return Account{}, ErrWrongToken
		}
		return m.Account, nil
	}
	return Account{}, nil
}

// decodeBasic decodes the credentials of RFC 7617. Padding is optional.
func decodeBasic(credentials string) (user, password string, ok bool) {
	credentials = strings.TrimRight(strings.TrimSpace(credentials), "=")
	data, err := base64.RawStdEncoding.DecodeString(credentials)
	if err != nil {
		return "", "", false
	}
	return strings.Cut(string(data), ":")
}

// Feed returns the account of a secret feed, and the filter, by the secret in its address. A
// secret that is unknown, has expired, or was revoked, and the secret of a disabled account, are
// nobody's: it takes the same work to say so.
func (d *Directory) Feed(secret string) (owner Account, filter string, ok bool) {
	m, by := d.match(d.announced().members, func(m *member) []token { return m.feeds }, secret)
	if m == nil {
		return Account{}, "", false
	}
	return m.Account, by.filter, true
}

func memberTokens(m *member) []token { return m.tokens }

// match finds the owner of a token among those that a function returns. It compares every token of
// every member, so that its duration reveals nothing. An empty token never matches, even if the
// file has its hash.
func (d *Directory) match(
	members []*member,
	tokens func(*member) []token,
	sent string,
) (found *member, by token) {
	if strings.TrimSpace(sent) == "" {
		return nil, by
	}
	sum := hash(sent)
	for _, m := range members {
		for _, t := range tokens(m) {
			equal := subtle.ConstantTimeCompare(sum[:], t.hash[:]) == 1
			if equal && (t.expires.IsZero() || d.now().Before(t.expires)) {
				found = m
				by = t
			}
		}
	}
	if found != nil && d.uses != nil {
		d.uses.note(by, d.now())
	}
	return found, by
}

// hash returns the stored hash of a token, without its spaces.
func hash(token string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(strings.Fields(token), "")))
}

// Account returns the account with an id, if it exists. Disabled accounts are included, because
// they are still authors.
func (d *Directory) Account(id int64) (Account, bool) {
	if m := d.refresh().ids[id]; m != nil {
		return m.Account, true
	}
	return Account{}, false
}

// Enabled returns the account with an id, if it exists and is not disabled.
func (d *Directory) Enabled(id int64) (Account, bool) {
	if m := d.announced().ids[id]; m != nil && !m.disabled {
		return m.Account, true
	}
	return Account{}, false
}

// Named returns the account with a login or an e-mail address, if it exists and is not disabled.
func (d *Directory) Named(name string) (Account, bool) {
	if m := d.announced().names[strings.ToLower(name)]; m != nil && !m.disabled {
		return m.Account, true
	}
	return Account{}, false
}

// AllowChanges lets Change write the file. Call it before using the directory.
func (d *Directory) AllowChanges() { d.changes = true }

// InMemory reports whether the directory has no file.
func (d *Directory) InMemory() bool { return d.path == "" }

// MayChange reports whether Change can write the file.
func (d *Directory) MayChange() bool { return d.changes }

// Change changes the file as function Change does, for an account that needs a right. Each change
// is announced before the next one.
func (d *Directory) Change(
	ctx context.Context,
	by Account,
	needs Right,
	f func(*Users) error,
) error {
	if !d.changes {
		return ErrFixed
	}
	err := Change(ctx, d.path, d.now(), func(u *Users) error {
		d.announced() // an earlier change has its own announcement
		if now, err := u.Account(by.Login); err != nil || now.ID != by.ID || !now.May(needs) {
			return ErrNoRight
		}
		d.changer.Store(by.ID)
		u.Written(func(Roll) { d.announced(); d.changer.Store(0) })
		return f(u)
	})
	if err != nil {
		d.changer.Store(0)
	}
	return err
}

// List returns all accounts in the order of the file, with the last uses of their tokens.
func (d *Directory) List() ([]Listed, error) {
	if d.path == "" {
		var all []Listed
		for _, m := range d.current.Load().members {
			all = append(all, Listed{Account: m.Account})
		}
		return all, nil
	}
	u, err := Read(d.path, d.now())
	if err != nil || d.uses == nil {
		return u.List(nil), err
	}
	d.uses.mu.Lock()
	defer d.uses.mu.Unlock()
	return u.List(d.uses.last), nil
}

// refresh returns the current state. Every call compares the file's size and times, which takes a
// microsecond and does not depend on a clock, because the server's clock may stand still. Callers
// wait only while a changed file is read.
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
	if last.isOf(d.path) { // another goroutine has read it
		return last
	}

	file, users, _, err := load(d.path)
	next := &state{roster: users, file: file}
	if err == nil {
		d.log.Info("users file read again", "file", d.path, "users", len(users.members))
	} else {
		next.roster = last.roster
		next.complaint = err.Error()
		if next.complaint != last.complaint {
			d.log.Error("users file not usable, accounts stay as they were", "error", err)
		}
	}
	d.current.Store(next)
	return next
}

// Announce calls tell with the content of the file: now, before each later version authenticates a
// caller, and on each call of again. After an error, the next call gets the same version.
func (d *Directory) Announce(tell func(Roll) error) (again func()) {
	d.tell = tell
	d.announced()
	return func() { d.announced() }
}

// announced returns the current state after its announcement.
func (d *Directory) announced() *state {
	if s := d.refresh(); d.tell == nil || d.told.Load() == s.roster {
		return s
	}
	d.telling.Lock()
	defer d.telling.Unlock()
	s := d.refresh()
	roll := s.roll
	roll.By = d.changer.Load()
	if d.told.Load() != s.roster && d.tell(roll) == nil {
		d.told.Store(s.roster)
	}
	return s
}

// isOf reports whether the state comes from the current file.
func (s *state) isOf(path string) bool {
	file, err := os.Stat(path)
	return err == nil && isVersion(file, s.file)
}

// isVersion reports whether a file is the same as when it was read; read is nil if it never was.
func isVersion(file, read os.FileInfo) bool {
	return read != nil && os.SameFile(file, read) && file.Size() == read.Size() &&
		file.ModTime().Equal(read.ModTime())
}
