// The command healthcheck: is the server live, ready and writable?

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/cli"
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
	ctx, cancel := context.WithTimeoutCause(
		ctx,
		s.timeout,
		fmt.Errorf("not live: it does not answer within %v", s.timeout),
	)
	defer cancel()
	d := &directory{path: s.data}
	var health strings.Builder
	if err := d.do(ctx, "GET /health", url.Values{"need": {s.need}}, &health); err != nil {
		return fmt.Errorf("the server of %s is %w", s.data, err)
	}
	_, err := fmt.Fprintf(p.Stdout, "the server of %s is %s\n", s.data, health.String())
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
	if d.store == nil {
		return errors.New("not live: no server answers there")
	}
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
