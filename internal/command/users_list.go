// The command users list: accounts and tokens as a table or as JSON.

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"almanac/internal/account"
	"almanac/internal/caltime"
)

// shownUser and shownToken are what -json prints. Times that there are not are
// left out.
type shownUser struct {
	ID       int64       `json:"id"`
	Login    string      `json:"login"`
	Role     string      `json:"role"`
	Email    string      `json:"email"`
	Disabled bool        `json:"disabled"`
	Tokens   []listToken `json:"tokens"`
}

type listToken struct {
	Name    string    `json:"name"`
	Plain   bool      `json:"plain,omitempty"`
	Created string    `json:"created,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	Expired bool      `json:"expired"`
	Used    time.Time `json:"used,omitzero"`
	Mark    string    `json:"-"`
}

func listUsers(_ context.Context, s *usersSettings, _ []string, p Process) error {
	u, err := account.Read(s.file(), caltime.System().Now())
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no users file %s; almanac serve makes one, or almanac users add -role administrator LOGIN", s.file())
	}
	if err != nil {
		return err
	}
	uses, err := account.ReadUses(filepath.Join(s.data, usesName))
	if err != nil {
		fmt.Fprintln(p.Stderr, "when tokens were used is not known:", err)
	}
	all, err := u.List(uses)
	if err != nil {
		return err
	}
	if s.json {
		return writeJSON(p.Stdout, map[string]any{"users": shownUsers(all)})
	}
	return listTable(all, p.Stdout, true)
}

// shownUsers returns what -json prints.
func shownUsers(all []account.Listed) []shownUser {
	shown := []shownUser{}
	for _, l := range all {
		one := shownUser{l.ID, l.Login, string(l.Role), l.Email, l.Disabled, []listToken{}}
		for _, t := range l.Tokens {
			one.Tokens = append(one.Tokens, listToken(t))
		}
		shown = append(shown, one)
	}
	return shown
}

// writeJSON prints a value for programs and people.
func writeJSON(w io.Writer, value any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// listTable prints a line for each token, and one for who has none.
func listTable(all []account.Listed, out io.Writer, emails bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	email := func(text string) string {
		if !emails {
			return ""
		}
		return text + "\t"
	}
	fmt.Fprintln(w, "ID\tLOGIN\tROLE\t"+email("E-MAIL")+"STATE\tTOKEN\tCREATED\tEXPIRES\tUSED")
	for _, l := range all {
		state := "active"
		if l.Disabled {
			state = "disabled"
		}
		who := fmt.Sprintf("%d\t%s\t%s\t%s%s", l.ID, shownText(l.Login), l.Role, email(shownText(l.Email)), state)
		if len(l.Tokens) == 0 {
			fmt.Fprintf(w, "%s\t-\t-\t-\t-\n", who)
		}
		for _, t := range l.Tokens {
			name, created, expires, used := shownText(t.Name), shownText(t.Created), "never", "-"
			if t.Plain {
				name = "(plain text)"
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
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", who, name, created, expires, used)
		}
	}
	return w.Flush()
}

// shownText is a text of the file in a table: it may hold what moves the cursor.
func shownText(text string) string {
	switch {
	case text == "":
		return "-"
	case strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }):
		return strconv.Quote(text)
	}
	return text
}
