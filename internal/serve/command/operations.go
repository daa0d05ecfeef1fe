// Operations on a data directory, which commands ask for: by the socket of the server that has the
// directory open, or in their own process.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
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
	handler  http.Handler
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

		"POST /_almanac/import":         d.request("/_almanac/import"),
		"POST /_almanac/import/picture": d.request("/_almanac/import/picture"),
	}
}

// request returns the operation that has a POST of the API answered for an administrator, with a
// body of JSON or a file that asked names. It writes a line with the status, and the body.
func (d *directory) request(path string) socket.Operation {
	return func(ctx context.Context, asked url.Values, in io.Reader, out io.Writer) error {
		owner, err := d.owner()
		if err != nil {
			return err
		}
		r := &http.Request{
			Method: http.MethodPost,
			Proto:  "HTTP/1.1",
			Header: http.Header{"Content-Type": {"application/json"}},
			Body:   io.NopCloser(in),
		}
		if in != http.NoBody {
			r.ContentLength = -1
		}
		if file := asked.Get("file"); file != "" {
			about := mime.FormatMediaType("attachment", map[string]string{"filename": file})
			r.Header = http.Header{
				"Content-Type":        {"application/octet-stream"},
				"Content-Disposition": {about},
			}
			asked.Del("file")
		}
		r.URL = &url.URL{Path: path, RawQuery: asked.Encode()}
		d.handler.ServeHTTP(
			&statusWriter{http.Header{}, out},
			r.WithContext(api.As(ctx, owner)),
		)
		return nil
	}
}

// owner returns the account for which commands write: the first administrator.
func (d *directory) owner() (account.Account, error) {
	for _, a := range d.accounts.List() {
		if a.Role == account.Administrator && !a.Disabled {
			return a.Account, nil
		}
	}
	return account.Account{}, errors.New("there is no administrator; almanac users add makes one")
}

// A statusWriter writes an answer as a line with its status, and its body.
type statusWriter struct {
	header http.Header
	io.Writer
}

func (w *statusWriter) Header() http.Header { return w.header }

func (w *statusWriter) WriteHeader(status int) {
	fmt.Fprintln(w, status, http.StatusText(status))
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
