// Operations on a data directory, which commands ask for: by the socket of the server that has the
// directory open, or in their own process.

package command

import (
	"context"
	"io"
	"log/slog"
	"net/url"
	"time"

	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/cli/socket"
	"almanac/internal/people/account"
	"almanac/store"
)

// A directory is a data directory, as operations have it.
type directory struct {
	path string
	log  *slog.Logger

	// Of the server that has the directory open; nil in another process.
	store    *store.Store
	accounts *account.Directory
	now      func() time.Time
	site     string // its address
	measure  func() api.Measures
	readOnly bool
}

// operations returns all that commands ask for.
func (d *directory) operations() socket.Operations {
	return socket.Operations{
		"GET /backup":   d.backup,
		"GET /health":   d.health,
		"GET /identity": d.identity,
		"PUT /identity": d.setIdentity,
		"GET /log":      d.history,
		"GET /users":    d.listed,
		"POST /users":   d.users,
	}
}

// do has an operation done, by the server or here.
func (d *directory) do(ctx context.Context, name string, asked url.Values, out io.Writer) error {
	return socket.Do(ctx, d.path, name, asked, nil, out, d.operations()[name])
}

// settingsOf returns the settings of a command from flags that are asked for.
func settingsOf[S any](asked url.Values, flags func(*S, *cli.FlagSet)) (*S, error) {
	f, s := cli.Declare("", "", flags)
	for name, values := range asked {
		for _, value := range values {
			if err := f.Set(name, value); err != nil {
				return nil, cli.Usage(err)
			}
		}
	}
	return s, nil
}
