// The command users list: accounts and tokens as a table or as JSON.

package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
)

// listUsers prints the accounts. It opens no store, so that a server or an import may run.
func listUsers(_ context.Context, s *usersSettings, _ []string, p cli.Process) error {
	known, err := account.Read(s.data)
	if len(known) == 0 && err == nil || errors.Is(err, fs.ErrNotExist) {
		return cli.Usage(fmt.Errorf(
			"-data: there are no accounts in %q; almanac serve makes one, or almanac users add "+
				"-role administrator LOGIN",
			s.data,
		))
	}
	if err != nil {
		return err
	}
	uses, err := account.ReadUses(filepath.Join(s.data, usesName))
	if err != nil {
		fmt.Fprintln(p.Stderr, "when tokens were used is not known:", err)
	}
	all := account.List(known, uses, caltime.System().Now())
	return cli.PrintReport(p.Stdout, s.json, map[string]any{"users": all}, tokenRows(all).Print)
}

// tokenRows returns a heading, a row for each token, and one for an account that has none.
func tokenRows(all []account.Listed) cli.Rows {
	table := cli.Rows{
		{"ID", "LOGIN", "ROLE", "E-MAIL", "STATE", "TOKEN", "CREATED", "EXPIRES", "USED"},
	}
	for _, l := range all {
		state := "active"
		if l.Disabled {
			state = "disabled"
		}
		owner := []string{
			strconv.FormatInt(l.ID, 10),
			cmp.Or(l.Login, "-"),
			string(l.Role),
			cmp.Or(l.Email, "-"),
			state,
		}
		if len(l.Tokens)+len(l.Feeds) == 0 {
			table = append(table, slices.Concat(owner, []string{"-", "-", "-", "-"}))
		}
		for i, t := range slices.Concat(l.Tokens, l.Feeds) {
			name := cmp.Or(t.Name, "-")
			created := cmp.Or(t.Created, "-")
			expires := "never"
			used := "-"
			switch {
			case t.Plain:
				name = "(plain text)"
			case i >= len(l.Tokens):
				name = strings.TrimSuffix("(feed) "+name+"?"+cmp.Or(t.Filter, "-"), "?-")
			}
			if at, err := time.Parse(time.RFC3339, t.Created); err == nil {
				created = at.UTC().Format(time.DateOnly)
			}
			if !t.Expires.IsZero() {
				expires = t.Expires.UTC().Format("2006-01-02 15:04")
			}
			if t.Expired {
				expires += " (expired)"
			}
			if !t.Used.IsZero() {
				used = t.Used.UTC().Format("2006-01-02 15h")
			}
			table = append(table, slices.Concat(owner, []string{name, created, expires, used}))
		}
	}
	return table
}
