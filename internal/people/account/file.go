package account

// Files of accounts: those that somebody else manages, and those of older programs.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"almanac/store"
	"almanac/store/disk"
)

// A userEntry is an account in a file. It has its token in plain text, or tokens.
type userEntry struct {
	store.Account
	Token string `json:"token"`
}

var errNoUsers = errors.New(`no list of users, want {"users":[…]}`)

// load reads a file of accounts. It returns the version before reading, so that a change during the
// read is noticed later. It returns the version also with errors of the content, which last until
// the file changes.
func load(path string) (file os.FileInfo, users *roster, err error) {
	if file, err = os.Stat(path); err != nil {
		return nil, nil, fmt.Errorf("users file: %w", err)
	}
	all, err := ReadFile(path)
	if err != nil {
		return file, nil, err
	}
	users, err = newRoster(all)
	return file, users, err
}

// ReadFile returns the accounts of a file, ordered by their ids.
func ReadFile(path string) ([]*store.Account, error) {
	all, _, err := readFile(path)
	return all, err
}

// readFile reads a file, which must keep the rules of a roster. It also returns the highest id that
// the file ever gave to an account.
func readFile(path string) (all []*store.Account, last int64, err error) {
	data, err := disk.Read(path)
	if err != nil {
		return nil, 0, fmt.Errorf("users file: %w", err)
	}
	if all, last, err = parse(data); err == nil {
		_, err = newRoster(all)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("users file %s: %w", path, err)
	}
	return all, last, nil
}

// parse reads the text of a file: the accounts, ordered by their ids, and the highest id that it
// ever gave to one.
func parse(data []byte) (all []*store.Account, last int64, err error) {
	var doc struct {
		Users []*userEntry    `json:"users"`
		Last  json.RawMessage `json:"last_id"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, 0, located(data, err)
	}
	if doc.Users == nil {
		return nil, 0, errNoUsers
	}
	for _, u := range doc.Users {
		if u == nil {
			return nil, 0, errNoUsers
		}
		if err := u.takeToken(); err != nil {
			return nil, 0, fmt.Errorf("user %d: %w", u.ID, err)
		}
		for _, secrets := range [][]store.Secret{u.Tokens, u.Feeds} {
			for i := range secrets {
				secrets[i].SHA256 = strings.ToLower(secrets[i].SHA256)
			}
		}
		a := &u.Account
		a.Meta = store.Meta{ID: a.ID}
		a.By = ""
		a.Removed = false
		a.SignIns = nil
		a.Links = nil
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b *store.Account) int { return cmp.Compare(a.ID, b.ID) })
	_ = json.Unmarshal(doc.Last, &last) // 0: unknown
	return all, last, nil
}

// takeToken puts a token in plain text among the others, by its hash.
func (u *userEntry) takeToken() error {
	switch {
	case u.Token == "":
		return nil
	case len(u.Tokens) > 0:
		return errors.New("both token and tokens are given, want one of them")
	case strings.TrimSpace(u.Token) == "":
		return errors.New("token is nothing but spaces")
	}
	u.Tokens = []store.Secret{{Plain: true, SHA256: hexOf(u.Token)}}
	return nil
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
			strings.NewReplacer("Account.", "", "Meta.", "").Replace(kind.Field),
			kind.Value,
		)
	case errors.As(err, &kind):
		return errNoUsers
	}
	return err
}
