// The address of the first page of the desk, which a first start makes.

package command

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/cli/systemd"
)

// link prints a link to the first page of the desk if this start has made the first administrator.
// It goes where the token went: below a service manager into the file of the token, as a second
// line. A file that -token-file names has the token alone, and no link is made.
func (s *settings) link(o api.Options, p cli.Process, first *firstToken, site string) error {
	if s.memory && first.id != 0 && o.Sessions != nil && s.tokenFile == "" {
		a, _ := o.Accounts.Enabled(first.id)
		var err error
		if first.secret, _, err = o.Sessions.AddLink(0, a, false); err != nil {
			return err
		}
	}
	if first.secret == "" {
		return nil
	}
	link := linkOf(cmp.Or(s.home, site), first.secret)
	if first.written == "" {
		if first.link = link; systemd.IsTerminal(p.Stderr) && !systemd.IsTerminal(p.Stdout) {
			fmt.Fprintf(
				p.Stderr,
				"Open %s to begin: it signs you in, once and within 15 minutes.\n",
				link,
			)
		}
		return nil
	}
	file, err := os.OpenFile(first.written, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(link + "\n")
	return errors.Join(err, file.Close())
}
