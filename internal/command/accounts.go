// Accounts in the command log: its lines about changes of the users file.

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"almanac/internal/account"
	"almanac/internal/api"
	"almanac/internal/caltime"
	"almanac/internal/cli"
	"almanac/store"
)

const (
	noteEvery = time.Second / 5  // that a server looks whether the file of the accounts has changed
	notedTime = 10 * time.Second // that a command waits for the line of the change before
)

// rollOf returns what the log tells of a file of accounts.
func rollOf(r account.Roll) store.Roll {
	roll := store.Roll{By: r.By, Last: r.Last}
	for _, u := range r.Users {
		a := &store.Account{
			Meta: store.Meta{
				ID: u.ID,
			},
			Login:    u.Login,
			Role:     string(u.Role),
			Email:    u.Email,
			Disabled: u.Disabled,
		}
		a.Tokens = tokensOf(u.Tokens)
		a.Feeds = tokensOf(u.Feeds)
		roll.Accounts = append(roll.Accounts, a)
	}
	return roll
}

func tokensOf(listed []account.ListedToken) (tokens []store.AccountToken) {
	for _, t := range listed {
		told := store.AccountToken{
			Name:        t.Name,
			Created:     t.Created,
			Plain:       t.Plain,
			Fingerprint: t.Fingerprint,
			Filter:      t.Filter,
		}
		if !t.Expires.IsZero() {
			told.Expires = t.Expires.UTC().Format(time.RFC3339)
		}
		tokens = append(tokens, told)
	}
	return tokens
}

// noteAccounts writes into the log what the file of the accounts has otherwise than the log, now
// and whenever it changes until end is called: before anybody is let in by the change. It is no
// error when a line cannot be written: it is tried again, and the file holds meanwhile.
func (s *settings) noteAccounts(o api.Options) (end func()) {
	if s.memory {
		return func() {}
	}
	by := store.ByFound
	failed := false
	again := o.Accounts.Announce(func(r account.Roll) error {
		noted, err := o.Store.NoteAccounts(by, rollOf(r))
		if o.Sessions != nil {
			if failed := o.Sessions.EndChanged(r); failed != nil {
				o.Logger.Error("sessions of changed accounts were not ended", "err", failed)
			}
		}
		switch {
		case err != nil && !failed:
			o.Logger.Error(
				"the log does not tell yet of what changed in the users file",
				"err",
				err,
			)
		case err == nil:
			for _, e := range noted {
				o.Logger.Info("users file changed", "what", describeAccount(e), "by", by)
			}
		}
		by = store.ByReload
		failed = err != nil
		return err
	})
	quit := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		tick := time.NewTicker(noteEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				again()
			case <-quit:
				again()
				return
			}
		}
	})
	return sync.OnceFunc(func() { close(quit); running.Wait() })
}

// noted wraps a change of the users file so that the log records it. If a server has the directory
// open, the server records it. An error of the log does not prevent the change: the next process
// that opens the log records it.
func (s *usersSettings) noted(
	ctx context.Context,
	p cli.Process,
	now time.Time,
	f func(*account.Users) error,
) func(*account.Users) error {
	return func(u *account.Users) error {
		before, err := u.Roll()
		if err != nil {
			return err
		}
		var log *store.Store
		if !s.elsewhere {
			log, err = s.openLog(ctx, p, now, rollOf(before))
		} else if info, err := os.Stat(s.file()); err == nil { // a server that reads it sees each version
			time.Sleep(min(2*noteEvery, 2*noteEvery-now.Sub(info.ModTime())))
		}
		note := func(by string, r account.Roll) {
			if err == nil && log != nil {
				_, err = log.NoteAccounts(by, rollOf(r))
			}
		}
		end := func() {
			if log != nil {
				err = errors.Join(err, log.Close())
			}
			if err != nil && !errors.Is(err, store.ErrInUse) {
				fmt.Fprintf(
					p.Stderr,
					"the log does not tell of this yet, and will when a server is started: %v\n",
					err,
				)
			}
		}
		note(store.ByFound, before)
		if err := f(u); err != nil {
			end()
			return err
		}
		u.Written(func(after account.Roll) {
			note(store.ByCommand, after)
			if failed := s.endSessions(p, after); failed != nil {
				fmt.Fprintf(p.Stderr, "sessions of the account were not ended: %v\n", failed)
			}
			end()
		})
		return nil
	}
}

// openLog opens the log to write to it, or waits until the server that has it open has written the
// change before: it would take two changes for one, and an account made and taken back for none.
func (s *usersSettings) openLog(
	ctx context.Context,
	p cli.Process,
	now time.Time,
	before store.Roll,
) (*store.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, notedTime)
	defer cancel()
	for {
		log, err := store.OpenAccountLog(s.data, func() time.Time { return now }, warnings(p))
		if !errors.Is(err, store.ErrInUse) {
			return log, err
		}
		told, unknown := store.ReadAccounts(s.data)
		if unknown != nil || len(before.Differences(told)) == 0 {
			return nil, err
		}
		select {
		case <-ctx.Done():
			fmt.Fprintf(
				p.Stderr,
				"nobody writes the change before into the log of %s, which may tell of both changes as one\n",
				s.data,
			)
			return nil, err
		case <-time.After(noteEvery / 2):
		}
	}
}

// compareAccounts compares the file of the accounts of a directory, "" for the one in it, with
// what the log tells of them. It returns what is in the file, what the log does not explain of it,
// a text for each account, and what the log tells, those that were removed included. It changes
// nothing, and a server may run, which writes within a second or so what was changed.
func compareAccounts(
	data, users string,
) (now []account.Listed, unexplained []string, told []*store.Account, err error) {
	if told, err = store.ReadAccounts(data); err != nil {
		return nil, nil, nil, err
	}
	u, err := account.Read(accountsFile(data, users), caltime.System().Now())
	if err != nil {
		return nil, nil, told, err
	}
	roll, err := u.Roll()
	if err != nil {
		return nil, nil, told, err
	}
	for _, e := range rollOf(roll).Differences(told) {
		unexplained = append(unexplained, describeAccount(e))
	}
	return roll.Users, unexplained, told, nil
}

// describeAccount says what happened to an account.
func describeAccount(e store.Effect) string {
	text := fmt.Sprintf("account %d %q: %s", e.ID, e.Name, e.Verb)
	if len(e.Members) > 0 {
		text += ": " + strings.Join(e.Members, ", ")
	}
	return text
}
