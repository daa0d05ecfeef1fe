package account

// Sessions of people who are signed in to the desk, and links that sign in once.

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"almanac/internal/smallfile"
)

// Lifetimes, and the sessions of one account: one more ends the oldest.
const (
	SessionTime  = 30 * 24 * time.Hour
	linkTime     = 15 * time.Minute
	inviteTime   = 7 * 24 * time.Hour
	sessionsMost = 50
)

// ErrNoLink is the error for a link that was used, has expired, or never was.
var ErrNoLink = errors.New("there is no such link, or it was used, or it has expired")

// A Session is one browser in which an account is signed in.
type Session struct {
	ID       string    `json:"id"`
	Account  int64     `json:"account"`
	Role     Role      `json:"role"`   // at the sign-in; another role ends the session
	SHA256   string    `json:"sha256"` // of the secret in the cookie, in hex
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
	Account int64     `json:"account"`
	Role    Role      `json:"role"`   // when it was made
	Email   string    `json:"email"`  // when it was made
	SHA256  string    `json:"sha256"` // of the secret in the address, in hex
	Expires time.Time `json:"expires"`

	// Invites is of a link that waits for somebody who does not expect it. A program that does
	// not know the member takes the link for one of a clock that was set back, and refuses it.
	Invites bool `json:"invites,omitempty"`
}

// Sessions has the sessions and links of a data directory. It is safe for concurrent use, and
// processes take turns with the lock of its file: a link that a command adds works at once in a
// running server.
type Sessions struct {
	path string // "" in memory
	now  func() time.Time
	log  *slog.Logger

	mu    sync.Mutex  // guards the following
	file  os.FileInfo // version that was read
	known sessionsFile
}

type sessionsFile struct {
	Sessions []Session `json:"sessions"`
	Links    []Link    `json:"links"`
}

// OpenSessions opens a file of sessions, which is made with the first session or link; path "" is
// memory. A file that is no file of sessions is set aside, which is logged, and everybody signs in
// anew.
func OpenSessions(path string, now func() time.Time, log *slog.Logger) (*Sessions, error) {
	s := &Sessions{path: path, now: now, log: log}
	_, err := s.current()
	return s, err
}

// errNoSessions is the error of a file that is no file of sessions.
var errNoSessions = errors.New("it is no file of sessions")

// setAside renames the file if it is no file of sessions. The caller has the mutex and the lock of
// the file.
func (s *Sessions) setAside() error {
	err := s.refresh()
	if !errors.Is(err, errNoSessions) {
		return err // another process has done it
	}
	first := s.path + ".broken"
	aside := first
	for n := 1; ; n++ {
		if _, err := os.Lstat(aside); err != nil {
			break // no file has the name
		}
		aside = first + "." + s.now().UTC().Format("20060102T150405Z")
		if n > 1 {
			aside += fmt.Sprint("-", n)
		}
	}
	if failed := os.Rename(s.path, aside); failed != nil {
		return errors.Join(err, failed)
	}
	s.log.Error(
		"the sessions of the desk could not be read: everybody signs in anew",
		"err",
		err,
		"aside",
		aside,
	)
	s.file = nil
	s.known = sessionsFile{}
	return nil
}

// refresh reads the file again if it has changed. The caller has the mutex.
func (s *Sessions) refresh() error {
	if s.path == "" {
		return nil
	}
	file, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		s.file = nil
		s.known = sessionsFile{}
		return nil
	}
	if errors.Is(err, syscall.ELOOP) { // symbolic links that lead to each other
		return fmt.Errorf("%w: %w", errNoSessions, err)
	}
	if err != nil {
		return fmt.Errorf("sessions: %w", err)
	}
	if isVersion(file, s.file) {
		return nil
	}
	data, err := smallfile.Read(s.path)
	if errors.Is(err, smallfile.ErrIrregular) || errors.Is(err, smallfile.ErrLarge) {
		return fmt.Errorf("%w: %w", errNoSessions, err)
	}
	if err != nil {
		return fmt.Errorf("sessions: %w", err)
	}
	var read sessionsFile
	if err := json.Unmarshal(data, &read); err != nil {
		return fmt.Errorf("%s: %w: %w", s.path, errNoSessions, err)
	}
	s.file = file
	s.known = read
	return nil
}

// current returns the content as it is now, which no change touches.
func (s *Sessions) current() (sessionsFile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.refresh()
	if errors.Is(err, errNoSessions) {
		err = Alone(context.Background(), s.path, s.setAside)
	}
	return s.known, err
}

// change applies f to the content, without what has expired, and writes it. After an error nothing
// changed.
func (s *Sessions) change(f func(*sessionsFile) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	apply := func() error {
		err := s.refresh()
		if errors.Is(err, errNoSessions) {
			err = s.setAside()
		}
		if err != nil {
			return err
		}
		now := s.now()
		next := sessionsFile{
			Sessions: slices.DeleteFunc(
				slices.Clone(s.known.Sessions),
				func(one Session) bool { return one.isOver(now) },
			),
			Links: slices.DeleteFunc(
				slices.Clone(s.known.Links),
				func(l Link) bool { return l.isOver(now) },
			),
		}
		if err := f(&next); err != nil {
			return err
		}
		if s.path != "" {
			data, err := indented(next)
			if err == nil {
				err = replaceFile(s.path, data)
			}
			if err == nil {
				err = syncDir(filepath.Dir(s.path))
			}
			if err != nil {
				return fmt.Errorf("sessions: %w", err)
			}
			s.file, _ = os.Stat(s.path) // if it fails the file is read again
		}
		s.known = next
		return nil
	}
	if s.path == "" {
		return apply()
	}
	return Alone(context.Background(), s.path, apply)
}

// aheadMost is how far in the future a session or link may have been made: clocks are put right by
// seconds. A clock that was wrong by more and was set back would make what began meanwhile live
// for that much longer.
const aheadMost = time.Hour

// isOver reports whether something that lives for some time ends by now, or is of a clock that was
// set back.
func isOver(now, ends time.Time, lives time.Duration) bool {
	left := ends.Sub(now)
	return left <= 0 || left > lives+aheadMost
}

func (one *Session) isOver(now time.Time) bool {
	return isOver(now, one.Created.Add(SessionTime), SessionTime)
}

func (l *Link) isOver(now time.Time) bool { return isOver(now, l.Expires, linkLives(l.Invites)) }

// linkLives returns how long a link signs in.
func linkLives(invites bool) time.Duration {
	if invites {
		return inviteTime
	}
	return linkTime
}

// newSecret returns a random secret with its hash.
func newSecret() (secret, sum string) {
	var bits [32]byte
	rand.Read(bits[:]) // never fails, see crypto/rand
	secret = hex.EncodeToString(bits[:])
	return secret, sumOf(secret)
}

func sumOf(secret string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(secret))) }

func isSumOf(sum, secret string) bool {
	return subtle.ConstantTimeCompare([]byte(sum), []byte(sumOf(secret))) == 1
}

// AddLink makes a link for an account, and returns its secret, which is stored nowhere. It works
// for 15 minutes, or for 7 days if it invites.
func (s *Sessions) AddLink(
	of Account,
	invites bool,
) (secret string, expires time.Time, err error) {
	secret, sum := newSecret()
	expires = s.now().UTC().Add(linkLives(invites)).Truncate(time.Second)
	err = s.change(func(all *sessionsFile) error {
		all.Links = append(all.Links, Link{
			Account: of.ID,
			Role:    of.Role,
			Email:   of.Email,
			SHA256:  sum,
			Expires: expires,
			Invites: invites,
		})
		return nil
	})
	return secret, expires, err
}

// isFor reports whether a link signs in an account as it is now.
func (l Link) isFor(a Account) bool {
	return l.Account == a.ID && l.Role == a.Role && l.Email == a.Email
}

// Linked returns the account of a link without using it: programs that scan mail open links too.
// The error is ErrNoLink if it signs in nobody any more.
func (s *Sessions) Linked(secret string, in *Directory) (Account, error) {
	all, err := s.current()
	if err != nil {
		return Account{}, err
	}
	i := slices.IndexFunc(
		all.Links,
		func(l Link) bool { return isSumOf(l.SHA256, secret) && !l.isOver(s.now()) },
	)
	if i < 0 {
		return Account{}, ErrNoLink
	}
	l := all.Links[i]
	a, enabled := in.Enabled(l.Account)
	if enabled && l.isFor(a) {
		return a, nil
	}
	if err := s.End(l.Account, l.SHA256); err != nil {
		return Account{}, err
	}
	return Account{}, ErrNoLink
}

// Begin makes a session of an account with a language, a browser and an address, and returns the
// value of its cookie. A link that is given is used up by it.
func (s *Sessions) Begin(of Account, linked string, one Session) (cookie string, err error) {
	var id [12]byte
	rand.Read(id[:]) // never fails, see crypto/rand
	secret, sum := newSecret()
	one.ID = hex.EncodeToString(id[:])
	one.Account = of.ID
	one.Role = of.Role
	one.SHA256 = sum
	one.Created = s.now().UTC().Truncate(time.Second)
	err = s.change(func(all *sessionsFile) error {
		if linked != "" {
			i := slices.IndexFunc(
				all.Links,
				func(l Link) bool { return isSumOf(l.SHA256, linked) && l.isFor(of) },
			)
			if i < 0 {
				return ErrNoLink
			}
			all.Links = slices.Delete(all.Links, i, i+1)
		}
		n := 0
		first := -1
		for i, other := range all.Sessions {
			if other.Account == of.ID {
				if n++; first < 0 {
					first = i
				}
			}
		}
		if n >= sessionsMost {
			all.Sessions = slices.Delete(all.Sessions, first, first+1)
		}
		all.Sessions = append(all.Sessions, one)
		return nil
	})
	return one.ID + "." + secret, err
}

// Find returns the session of a cookie with the account, as it is now. A session ends when its
// account was removed or disabled, or has another role; the zero Session is none.
func (s *Sessions) Find(cookie string, in *Directory) (Session, Account, error) {
	id, secret, ok := strings.Cut(cookie, ".")
	if !ok {
		return Session{}, Account{}, nil
	}
	all, err := s.current()
	i := slices.IndexFunc(
		all.Sessions,
		func(one Session) bool { return one.ID == id && isSumOf(one.SHA256, secret) },
	)
	if err != nil || i < 0 || all.Sessions[i].isOver(s.now()) {
		return Session{}, Account{}, err
	}
	one := all.Sessions[i]
	a, enabled := in.Enabled(one.Account)
	if !enabled || a.Role != one.Role {
		return Session{}, Account{}, s.End(one.Account, one.ID)
	}
	return one, a, nil
}

// Of returns the sessions and the links of an account, the newest first.
func (s *Sessions) Of(account int64) (own []Session, links []Link, err error) {
	all, err := s.current()
	for _, one := range slices.Backward(all.Sessions) {
		if one.Account == account && !one.isOver(s.now()) {
			own = append(own, one)
		}
	}
	for _, l := range slices.Backward(all.Links) {
		if l.Account == account && !l.isOver(s.now()) {
			links = append(links, l)
		}
	}
	return own, links, err
}

// End ends a session of an account by its id, or a link by its hash. One that is over already is
// no error.
func (s *Sessions) End(account int64, id string) error {
	return s.change(func(all *sessionsFile) error {
		all.Sessions = slices.DeleteFunc(
			all.Sessions,
			func(one Session) bool { return one.Account == account && one.ID == id },
		)
		all.Links = slices.DeleteFunc(
			all.Links,
			func(l Link) bool { return l.Account == account && l.SHA256 == id },
		)
		return nil
	})
}

// EndAll ends the sessions and the links of an account but one session, and returns their numbers.
// The account 0 is every account.
func (s *Sessions) EndAll(account int64, but string) (sessions, links int, err error) {
	err = s.change(func(all *sessionsFile) error {
		sessions = len(all.Sessions)
		links = len(all.Links)
		all.Sessions = slices.DeleteFunc(all.Sessions, func(one Session) bool {
			return (account == 0 || one.Account == account) && one.ID != but
		})
		all.Links = slices.DeleteFunc(all.Links, func(l Link) bool {
			return account == 0 || l.Account == account
		})
		sessions -= len(all.Sessions)
		links -= len(all.Links)
		return nil
	})
	return sessions, links, err
}

// EndChanged ends the sessions and links of accounts that were removed or disabled, or have
// another role. An account with another e-mail address keeps its sessions and loses its links.
func (s *Sessions) EndChanged(now Roll) error {
	enabled := map[int64]Account{}
	for _, u := range now.Users {
		if !u.Disabled {
			enabled[u.ID] = u.Account
		}
	}
	isChanged := func(one Session) bool { return enabled[one.Account].Role != one.Role }
	isDead := func(l Link) bool { return !l.isFor(enabled[l.Account]) }
	all, err := s.current()
	if err != nil ||
		!slices.ContainsFunc(all.Sessions, isChanged) && !slices.ContainsFunc(all.Links, isDead) {
		return err
	}
	return s.change(func(all *sessionsFile) error {
		all.Sessions = slices.DeleteFunc(all.Sessions, isChanged)
		all.Links = slices.DeleteFunc(all.Links, isDead)
		return nil
	})
}

// SetLanguage keeps a language with a session.
func (s *Sessions) SetLanguage(id, tag string) error {
	return s.change(func(all *sessionsFile) error {
		for i := range all.Sessions {
			if all.Sessions[i].ID == id {
				all.Sessions[i].Language = tag
			}
		}
		return nil
	})
}
