// Where an import goes: a data directory or a running server.

package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/caltime"
	"almanac/internal/client"
	"almanac/internal/intake"
	"almanac/internal/password"
	"almanac/store"
)

// Bounds of a request.
const (
	requestSize = 1 << 20 // bytes that a server takes
	requestTime = time.Minute
)

// A target is where records go.
type target interface {
	// apply stores the records of a batch, or none when it is strict and
	// one of them is refused.
	apply(intake.Batch) (intake.Result, error)
	Close() error
}

// open opens what the flags name. A mistake in them is a usageError.
func (s *importSettings) open(ctx context.Context, log *slog.Logger) (target, error) {
	zone, err := caltime.LoadZone(s.timezone)
	if err != nil {
		return nil, usageError{fmt.Errorf("-timezone: %w", err)}
	}
	if s.to != "" {
		return s.connect(ctx)
	}
	if s.data == "" {
		return nil, usageError{errors.New("-data: give a directory, or -to URL for a running server")}
	}
	clock := caltime.System()
	hash := password.NewKeeper(password.Iterations).HashNow
	st, err := store.Open(store.Options{Dir: s.data, Now: clock.Now, Logger: log, HashPassword: hash})
	if errors.Is(err, store.ErrInUse) {
		return nil, usageError{fmt.Errorf("%w; to import into a running server use -to URL -token T", err)}
	}
	if err != nil {
		return nil, err
	}
	return &directory{st, intake.Options{Site: zone, Zones: &caltime.Zones{}, Account: firstAccount, Home: st.Identity()}, clock}, nil
}

// firstAccount is the author of seeds of an empty store, where it is the administrator whom
// serve makes, and of imports into a directory.
const firstAccount = 1

// A directory is a target on disk.
type directory struct {
	*store.Store
	options intake.Options
	clock   *caltime.Clock
}

func (d *directory) apply(b intake.Batch) (result intake.Result, err error) {
	d.options.Now = d.clock.Now()
	err = d.Update(firstAccount, func(tx *store.Tx) error {
		result, err = b.Apply(tx, d.options)
		return err
	})
	if errors.Is(err, intake.ErrRefused) {
		err = nil
	}
	return result, err
}

// A server is a target elsewhere.
type server struct {
	*client.Client
	ctx context.Context
}

// connect prepares to speak to the server that the flags name.
func (s *importSettings) connect(ctx context.Context) (target, error) {
	u, err := url.Parse(s.to)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, usageError{fmt.Errorf("-to %q: must be the address of a server, such as https://calendar.example.org", s.to)}
	}
	if s.token == "" {
		return nil, usageError{errors.New("-token: give a token of an administrator of the server")}
	}
	site := strings.TrimSuffix(strings.TrimSuffix(s.to, "/"), "/"+api.Namespace)
	return &server{&client.Client{Site: site, Token: s.token, Timeout: requestTime}, ctx}, nil
}

func (s *server) Close() error { return nil }

// apply sends a batch. A record that no request can hold is refused.
func (s *server) apply(b intake.Batch) (intake.Result, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // which would make records longer
	if err := enc.Encode(b); err != nil {
		return intake.Result{}, err
	}
	if body.Len() <= requestSize {
		return s.post(body.Bytes())
	}
	if len(b.Items) > 1 || b.Items[0].Record == nil {
		return intake.Result{}, errors.New("there are more categories, or records of an export, than fit into a request; " +
			"import into a data directory")
	}
	b.Items[0].Record, b.Items[0].Reject = nil, "is larger than the 1 MiB that a server takes at once; import it into a data directory"
	return s.apply(b)
}

// post sends the body of a request and reads the answer.
func (s *server) post(body []byte) (result intake.Result, err error) {
	const path = "/_almanac/import"
	answer, err := s.Do(s.ctx, http.MethodPost, path, body)
	if err != nil {
		return result, fmt.Errorf("%s does not answer: %w", s.Site, err)
	}
	if answer.Code == http.StatusOK {
		if err := json.Unmarshal(answer.Body, &result); err != nil {
			return result, fmt.Errorf("%s answers what is no report: %w", s.Site+path, err)
		}
		return result, nil
	}
	var refusal struct{ Message string }
	if json.Unmarshal(answer.Body, &refusal) != nil || refusal.Message == "" {
		refusal.Message = "is there an almanac at this address?"
	}
	return result, fmt.Errorf("%s answers %s: %s", s.Site+path, answer.Status, refusal.Message)
}
