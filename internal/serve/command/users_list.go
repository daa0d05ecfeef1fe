// The command users list: accounts and tokens as a table or as JSON.

package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
)

// listUsers prints the accounts.
func listUsers(ctx context.Context, s *usersSettings, _ []string, p cli.Process) error {
	var answer bytes.Buffer
	d := &directory{path: s.data, log: warnings(p)}
	if err := d.do(ctx, "GET /users", nil, &answer); err != nil {
		return err
	}
	var all []account.Listed
	if err := json.Unmarshal(answer.Bytes(), &all); err != nil {
		return err
	}
	return cli.PrintReport(p.Stdout, s.json, map[string]any{"users": all}, tokenRows(all).Print)
}

// listed writes the accounts as JSON: those of the server, which may be in a file of -users. In
// another process it opens no store, so that an import may run.
func (d *directory) listed(
	_ context.Context,
	_ url.Values,
	_ io.Reader,
	out io.Writer,
) error {
	if d.accounts != nil {
		return json.NewEncoder(out).Encode(d.accounts.List())
	}
	known, err := account.Read(d.path)
	if len(known) == 0 && err == nil || errors.Is(err, fs.ErrNotExist) {
		return cli.Usage(fmt.Errorf(
			"-data: there are no accounts in %q; almanac serve makes one, or almanac users add "+
				"-role administrator LOGIN (those in a file of -users are listed while the server runs)",
			d.path,
		))
	}
	if err != nil {
		return err
	}
	uses, err := account.ReadUses(filepath.Join(d.path, usesName))
	if err != nil {
		d.log.Warn("when tokens were used is not known", "err", err)
	}
	return json.NewEncoder(out).Encode(account.List(known, uses, caltime.System().Now()))
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
