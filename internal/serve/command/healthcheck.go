// The command healthcheck: is the server live, ready and writable?

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/cli/socket"
)

// Healthcheck asks a server whether it answers.
var Healthcheck = cli.New(
	"healthcheck",
	"",
	"say by the exit status how a server is",
	"almanac healthcheck [flags]: exit status 0 if the server that has the data directory open is live, ready and writable, 1 if "+
		"not. For containers, with the variables of serve.",
	(*healthSettings).flags,
	healthcheck,
)

// healthSettings are the flags of healthcheck.
type healthSettings struct {
	data, need string
	timeout    time.Duration
}

func (s *healthSettings) flags(f *cli.FlagSet) {
	f.StringVar(&s.data, "data", "almanac-data", "data `directory` of the server")
	f.StringVar(
		&s.need,
		"need",
		"writable",
		"what is `needed` for exit status 0: live, that the server answers; ready, that it would work on a request too; or "+
			"writable, that whoever may write can, too",
	).NoVariable()
	f.DurationVar(&s.timeout, "timeout", 5*time.Second, "`time` that the server may take").
		NoVariable()
}

// healthcheck asks the server how it is.
func healthcheck(ctx context.Context, s *healthSettings, _ []string, p cli.Process) error {
	if !slices.Contains([]string{"live", "ready", "writable"}, s.need) {
		return cli.Usage(fmt.Errorf("-need %q: must be live, ready or writable", s.need))
	}
	if s.timeout > 0 {
		late := fmt.Errorf("not live: it does not answer within %v", s.timeout)
		in, cancel := context.WithTimeoutCause(ctx, s.timeout, late)
		defer cancel()
		ctx = in
	}
	var health strings.Builder
	asked := url.Values{"need": {s.need}}
	err := socket.Ask(ctx, s.data, "GET /health", asked, nil, &health)
	var absent *socket.AbsentError
	switch {
	case errors.As(err, &absent) && errors.Is(absent.Reason, fs.ErrPermission):
		err = fmt.Errorf("not known: %w; ask as the user of the server, or as root", absent.Reason)
	case errors.As(err, &absent):
		err = errors.New("not live: no server answers there")
	}
	if err != nil {
		return fmt.Errorf("the server of %s is %w", s.data, err)
	}
	_, err = fmt.Fprintf(p.Stdout, "the server of %s is %s\n", s.data, health.String())
	return err
}

// health writes how the server is: "live, ready, not writable: The disk …". That is the error if
// it is less than what is needed.
func (d *directory) health(
	_ context.Context,
	asked url.Values,
	_ io.Reader,
	out io.Writer,
) error {
	h := d.measure()
	is := func(yes bool, word string) string {
		if yes {
			return word
		}
		return "not " + word
	}
	text := "live, " + is(h.Ready, "ready") + ", " + is(h.Writable, "writable")
	if h.Reason != "" {
		text += ": " + h.Reason
	}
	need := asked.Get("need")
	if need != "live" && !h.Ready || need == "writable" && !h.Writable {
		return errors.New(text)
	}
	_, err := io.WriteString(out, text)
	return err
}
