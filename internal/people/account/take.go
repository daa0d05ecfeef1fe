package account

// Directories of older programs, whose accounts were in files.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"almanac/store"
	"almanac/store/disk"
)

// The files of older programs in a data directory, and what is put behind the names of those that
// were taken.
const (
	usersName    = "users.json"
	sessionsName = "sessions.json"
	takenSuffix  = ".taken"
)

// Take takes the accounts of a directory that an older program made into its store, with all that
// lets them in, and puts the files aside. It does so once: files that come later are not read. A
// file with an error is refused, and nothing is changed.
func Take(st *store.Store, dir string, log *slog.Logger) error {
	users := filepath.Join(dir, usersName)
	all, last, err := readFile(users)
	if errors.Is(err, fs.ErrNotExist) {
		if !IsEmpty(st) && !isTaken(*st.Accounts()) {
			log.Warn(
				"the tokens of accounts were in a file that is not here: make others with almanac users token",
				"file",
				users,
			)
		}
		return nil
	}
	if isTaken(*st.Accounts()) { // a process ended before it put the files aside, or they are new
		if _, err := os.Lstat(users + takenSuffix); err == nil {
			log.Warn("the accounts are in the store, and this file is not read", "file", users)
			return nil
		}
		putAside(dir, log)
		return nil
	}
	if err != nil {
		return err
	}
	if err := addSessions(all, filepath.Join(dir, sessionsName)); err != nil {
		log.Warn("the sessions of the desk could not be read: everybody signs in anew", "err", err)
	}
	if err := st.Update(0, func(tx *store.Tx) error { return take(tx, all, last) }); err != nil {
		return fmt.Errorf("users file %s: %w", users, err)
	}
	log.Info("the accounts were taken into the store", "file", users, "accounts", len(all))
	putAside(dir, log)
	return nil
}

// IsEmpty reports whether a store never had an account.
func IsEmpty(st *store.Store) bool {
	isNamed := func(a *store.Account) bool { return a.Login != "" }
	return !slices.ContainsFunc(*st.Accounts(), isNamed)
}

// Owner returns the account to which records belong that a command brings into a store: the first
// administrator, or First if there is none yet.
func Owner(st *store.Store) int64 {
	for _, a := range *st.Accounts() {
		if a.Role == string(Administrator) && !a.Disabled && !a.Removed {
			return a.ID
		}
	}
	return First
}

// isTaken reports whether the accounts of a store are in it, and not in a file of which the log of
// an older program tells.
func isTaken(all []*store.Account) bool {
	return slices.ContainsFunc(all, func(a *store.Account) bool {
		return a.Login != "" && (a.By == "" || a.By == store.ByTaken)
	})
}

// addSessions gives the sessions and links of a file to their accounts.
func addSessions(all []*store.Account, path string) error {
	var file struct {
		Sessions []struct {
			Account int64 `json:"account"`
			store.SignIn
		} `json:"sessions"`
		Links []struct {
			Account int64 `json:"account"`
			store.Link
		} `json:"links"`
	}
	data, err := disk.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil {
		return err
	}
	for _, a := range all {
		for _, one := range file.Sessions {
			if one.Account == a.ID && !a.Disabled {
				a.SignIns = append(a.SignIns, one.SignIn)
			}
		}
		for _, l := range file.Links {
			if l.Account == a.ID && !a.Disabled {
				a.Links = append(a.Links, l.Link)
			}
		}
	}
	return nil
}

// take puts the accounts of a file in the place of those that the log tells of.
func take(tx *store.Tx, all []*store.Account, last int64) error {
	known := map[int64]bool{}
	for _, a := range all {
		known[a.ID] = true
		for i, s := range a.Tokens {
			a.Tokens[i].Plain = false
			a.Tokens[i].Name = cmp.Or(s.Name, "token-1")
		}
	}
	for _, a := range tx.Accounts() {
		if a.Login != "" && !a.Removed && !known[a.ID] {
			all = append(all, &store.Account{Meta: a.Meta, Login: a.Login, Removed: true})
		}
		known[a.ID] = true
	}
	if last > 0 && !known[last] {
		all = append(all, &store.Account{Meta: store.Meta{ID: last}, Removed: true})
	}
	slices.SortFunc(all, byID)
	for _, a := range all {
		a.By = store.ByTaken
		if err := tx.Put(a); err != nil {
			return err
		}
	}
	return nil
}

// putAside renames the files that were taken. One that stays is renamed by the next start.
func putAside(dir string, log *slog.Logger) {
	for _, name := range []string{usersName, sessionsName} {
		path := filepath.Join(dir, name)
		err := os.Rename(path, path+takenSuffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			log.Warn("a file that was taken into the store stays", "err", err)
		}
		_ = os.Remove(path + ".lock") // of older programs
	}
}

// Read returns the accounts of a data directory that a server may have open, and changes nothing.
func Read(dir string) ([]*store.Account, error) {
	all, err := store.ReadAccounts(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || isTaken(all) {
		return all, err
	}
	older, _, failed := readFile(filepath.Join(dir, usersName))
	if errors.Is(failed, fs.ErrNotExist) {
		return all, err
	}
	return older, failed
}
