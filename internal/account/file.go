package account

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"almanac/internal/smallfile"
)

type document struct {
	Users []userEntry     `json:"users"`
	Last  json.RawMessage `json:"last_id"`  // see Users
	Key   string          `json:"mark_key"` // see Users
}

type userEntry struct {
	ID       int64        `json:"id"`
	Login    string       `json:"login"`
	Role     Role         `json:"role"`
	Email    string       `json:"email"`
	Disabled bool         `json:"disabled,omitempty"` // no token is valid
	Token    string       `json:"token,omitempty"`    // plain text, for fixtures, instead of Tokens
	Tokens   []tokenEntry `json:"tokens,omitempty"`
	Feeds    []tokenEntry `json:"feeds,omitempty"` // the secrets in the addresses of feeds
}

type tokenEntry struct {
	Name    string `json:"name"`
	SHA256  string `json:"sha256"`            // of the token without spaces, in hex
	Created string `json:"created"`           // for the reader of the file
	Expires string `json:"expires,omitempty"` // RFC 3339; valid before, not at it
	Filter  string `json:"filter,omitempty"`  // query of a list; of a feed alone
}

var errNoUsers = errors.New(`no list of users, want {"users":[…]}`)

// load reads the users file. It returns the version before reading, so that a change during the
// read is noticed later. It returns the version also with errors of the content, which last until
// the file changes.
func load(path string) (file os.FileInfo, users *roster, data []byte, err error) {
	if file, err = os.Stat(path); err != nil {
		return nil, nil, nil, fmt.Errorf("users file: %w", err)
	}
	if data, err = smallfile.Read(path); err != nil {
		return nil, nil, nil, fmt.Errorf("users file: %w", err)
	}
	if users, err = parse(data); err != nil {
		return file, nil, nil, fmt.Errorf("users file %s: %w", path, err)
	}
	return file, users, data, nil
}

// parse parses and checks a users file.
func parse(data []byte) (*roster, error) {
	var doc document
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, located(data, err)
	}
	if doc.Users == nil {
		return nil, errNoUsers
	}
	r := newRoster()
	for _, entry := range doc.Users {
		tokens, err := entry.tokens()
		var feeds []token
		if err == nil {
			feeds, err = readTokens("feed", entry.Feeds)
		}
		if err != nil {
			return nil, fmt.Errorf("user %d: %w", entry.ID, err)
		}
		for _, t := range slices.Concat(tokens, feeds) {
			r.hashes[t.hash] = true
		}
		if entry.Disabled {
			tokens = nil
			feeds = nil
		}
		if err := r.add(&member{entry.account(), tokens, feeds, entry.Disabled}); err != nil {
			return nil, err
		}
	}
	r.sort()
	if json.Unmarshal(doc.Last, &r.roll.Last) != nil {
		r.roll.Last = 0 // adding an account reports it
	}
	r.roll.Users = list(doc.Users, nil, doc.Key, time.Time{})
	return r, nil
}

func (u userEntry) account() Account { return Account{u.ID, u.Login, u.Role, u.Email} }

// tokens checks the tokens of a user.
func (u userEntry) tokens() ([]token, error) {
	if u.Token != "" && len(u.Tokens) > 0 {
		return nil, errors.New("both token and tokens are given, want one of them")
	}
	if u.Token != "" {
		if strings.TrimSpace(u.Token) == "" {
			return nil, errors.New("token is nothing but spaces")
		}
		return []token{newToken(hash(u.Token))}, nil
	}
	return readTokens("token", u.Tokens)
}

// readTokens checks the tokens or feeds of a user.
func readTokens(kind string, entries []tokenEntry) (tokens []token, err error) {
	for _, entry := range entries {
		t := newToken([sha256.Size]byte{})
		sum, err := hex.DecodeString(entry.SHA256)
		if err != nil || len(sum) != len(t.hash) {
			return nil, fmt.Errorf(
				"%s %q: sha256 is %q, want 64 hex digits",
				kind,
				entry.Name,
				entry.SHA256,
			)
		}
		copy(t.hash[:], sum)
		t.filter = entry.Filter
		if entry.Expires != "" {
			if t.expires, err = time.Parse(time.RFC3339, entry.Expires); err != nil {
				return nil, fmt.Errorf(
					"%s %q: expires is %q, want a time like 2031-05-10T12:00:00Z",
					kind,
					entry.Name,
					entry.Expires,
				)
			}
		}
		tokens = append(tokens, t)
	}
	return tokens, nil
}

// located adds the line to an error of the JSON decoder, for a file that was edited by hand.
func located(data []byte, err error) error {
	line := func(offset int64) int {
		return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", line(syntax.Offset), err)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf(
			"line %d: %s must not be a JSON %s",
			line(kind.Offset),
			kind.Field,
			kind.Value,
		)
	case errors.As(err, &kind):
		return errNoUsers
	}
	return err
}
