package account

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/store"
)

// Errors of Authenticate; each is a 401.
var (
	ErrWrongToken = errors.New(
		"no account has this login or e-mail address with this token, or it has expired; send login:token",
	)
	ErrUnknownToken = errors.New(
		"no account has this token, or it has expired",
	)
)

// A Directory holds the accounts. It is safe for concurrent use, also within transactions.
type Directory struct {
	store *store.Store // whose accounts they are, or nil
	path  string       // of the file that has them, or ""
	now   func() time.Time
	log   *slog.Logger

	current atomic.Pointer[state]
	mu      sync.Mutex // locked during reading; guards writes of current
	uses    *uses      // nil records no uses
}

// A state is a version of the accounts. It is immutable.
type state struct {
	*roster                     // last valid one
	list      *[]*store.Account // of the store
	file      os.FileInfo       // version of the file that was read, nil if unreadable
	complaint string            // error of the file, logged once
}

// Of returns the accounts of a store. now decides which tokens have expired. The logger, which may
// be nil, receives errors.
func Of(st *store.Store, now func() time.Time, log *slog.Logger) *Directory {
	d := &Directory{store: st, now: now, log: cmp.Or(log, slog.New(slog.DiscardHandler))}
	d.current.Store(&state{roster: new(roster)})
	return d
}

// Open reads a file of accounts, which must be a regular file without any error; errors name the
// file and the user. now and log are as for Of: later versions may have errors.
func Open(path string, now func() time.Time, log *slog.Logger) (*Directory, error) {
	file, users, err := load(path)
	if err != nil {
		return nil, err
	}
	d := &Directory{path: path, now: now, log: cmp.Or(log, slog.New(slog.DiscardHandler))}
	d.current.Store(&state{roster: users, file: file})
	return d, nil
}

// A User is an account with its token, for Memory. A user without a token cannot call, but may be
// an author.
type User struct {
	Account
	Token string
}

// Memory returns a directory that never changes. Its users obey the rules of a file: unique ids and
// logins, existing roles.
func Memory(users ...User) (*Directory, error) {
	var all []*store.Account
	for _, u := range users {
		a := &store.Account{Login: u.Login, Role: string(u.Role), Email: u.Email}
		a.ID = u.ID
		if u.Token != "" {
			a.Tokens = []store.Secret{{Plain: true, SHA256: hexOf(u.Token)}}
		}
		all = append(all, a)
	}
	slices.SortFunc(all, byID)
	r, err := newRoster(all)
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	d := &Directory{now: func() time.Time { return time.Time{} }}
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
		if m, _ := d.match(d.refresh().members, memberTokens, credentials); m != nil {
			return m.Account, nil
		}
		return Account{}, ErrUnknownToken

	case strings.EqualFold(scheme, "Basic"):
		user, token, ok := decodeBasic(credentials)
		if !ok {
			return Account{}, nil
		}
		var named []*member
		if m := d.refresh().names[strings.ToLower(user)]; m != nil {
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
	m, by := d.match(d.refresh().members, func(m *member) []token { return m.feeds }, secret)
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

// hexOf returns the stored form of that hash.
func hexOf(token string) string {
	sum := hash(token)
	return hex.EncodeToString(sum[:])
}

func byID(a, b *store.Account) int { return cmp.Compare(a.ID, b.ID) }

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
	if m := d.refresh().ids[id]; m != nil && !m.record.Disabled {
		return m.Account, true
	}
	return Account{}, false
}

// Named returns the account with a login or an e-mail address, if it exists and is not disabled.
func (d *Directory) Named(name string) (Account, bool) {
	if m := d.refresh().names[strings.ToLower(name)]; m != nil && !m.record.Disabled {
		return m.Account, true
	}
	return Account{}, false
}

// InMemory reports whether the directory has neither a store nor a file.
func (d *Directory) InMemory() bool { return d.store == nil && d.path == "" }

// MayChange reports whether Change can change the accounts.
func (d *Directory) MayChange() bool { return d.store != nil }

// Change changes the accounts as function Change does, for an account that needs a right.
func (d *Directory) Change(by Account, needs Right, f func(*Users) error) error {
	if d.store == nil {
		return ErrFixed
	}
	return change(d.store, by.ID, d.now(), func(u *Users) error {
		if now, err := u.Account(by.Login); err != nil || now.ID != by.ID || !now.May(needs) {
			return ErrNoRight
		}
		return f(u)
	})
}

// List returns all accounts by their ids, with the last uses of their tokens.
func (d *Directory) List() []Listed {
	var used map[string]time.Time
	if d.uses != nil {
		d.uses.mu.Lock()
		defer d.uses.mu.Unlock()
		used = d.uses.last
	}
	var all []*store.Account
	for _, m := range d.refresh().members {
		all = append(all, m.record)
	}
	return List(all, used, d.now())
}

// refresh returns the current state. Callers wait only while a new one is made.
func (d *Directory) refresh() *state {
	if s := d.current.Load(); d.isCurrent(s) {
		return s
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	last := d.current.Load()
	if d.isCurrent(last) { // another goroutine has made it
		return last
	}
	next := d.read(last)
	d.current.Store(next)
	return next
}

// isCurrent reports whether a state is that of the store, or of the file. Every call compares size
// and times of the file, which takes a microsecond and does not depend on a clock, because the
// server's clock may stand still.
func (d *Directory) isCurrent(s *state) bool {
	switch {
	case d.store != nil:
		return s.list == d.store.Accounts()
	case d.path != "":
		file, err := os.Stat(d.path)
		return err == nil && isVersion(file, s.file)
	}
	return true
}

// read makes the state after another one.
func (d *Directory) read(last *state) *state {
	if d.store != nil {
		list := d.store.Accounts()
		r, err := newRoster(*list)
		if err != nil { // perhaps after damage was skipped
			d.log.Error("an account is left out", "error", err)
		}
		return &state{roster: r, list: list}
	}
	file, users, err := load(d.path)
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
	return next
}

// isVersion reports whether a file is the same as when it was read; read is nil if it never was.
func isVersion(file, read os.FileInfo) bool {
	return read != nil && os.SameFile(file, read) && file.Size() == read.Size() &&
		file.ModTime().Equal(read.ModTime())
}
