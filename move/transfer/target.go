// Where records go: a data directory or a running server.

package transfer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/api/media"
	"almanac/internal/cli"
	"almanac/internal/people/account"
	"almanac/internal/people/password"
	"almanac/internal/text/caltime"
	"almanac/internal/write/intake"
	"almanac/move/client"
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
	// picture takes a picture along, or without a file looks whether it is there. An errNotTaken
	// concerns it alone.
	picture(p intake.Picture, name string, sent []byte) (media.Taken, error)
	Close() error
}

// open opens the target of checked settings.
func (s *Settings) open(ctx context.Context, log *slog.Logger) (target, error) {
	if s.To != "" {
		site := strings.TrimSuffix(strings.TrimSuffix(s.To, "/"), "/"+api.Namespace)
		return &server{&client.Client{Site: site, Token: s.Token, Timeout: requestTime}, ctx}, nil
	}
	if err := store.CheckDir(s.Data); err != nil {
		return nil, cli.Usage(fmt.Errorf("-data: %w", err))
	}
	clock := caltime.System()
	hash := password.NewKeeper(password.Iterations).HashNow
	st, err := store.Open(store.Options{
		Dir:          s.Data,
		Now:          clock.Now,
		Logger:       log,
		HashPassword: hash,
	})
	if errors.Is(err, store.ErrInUse) {
		return nil, cli.Usage(
			fmt.Errorf("%w; to import into a running server use -to URL -token T", err),
		)
	}
	if err != nil {
		return nil, err
	}
	options := intake.Options{
		Site:    s.zone,
		Zones:   &caltime.Zones{},
		Account: account.Owner(st),
		Home:    st.Identity(),
	}
	if s.Authors != nil {
		err := account.Take(st, s.Data, log)
		options.Named = account.Of(st, clock.Now, log).Named
		for _, login := range s.Authors {
			if _, ok := options.Named(login); !ok && err == nil {
				err = fmt.Errorf("there is no user %q, or it is disabled", login)
			}
		}
		if err != nil {
			return nil, errors.Join(cli.Usage(fmt.Errorf("-author: %w", err)), st.Close())
		}
	}
	limits := admission.Limits{Picture: int64(s.PictureMB) << 20, Pixels: s.Pixels}
	return &directory{st, limits, options, clock}, nil
}

// A directory is a target on disk.
type directory struct {
	*store.Store
	limits  admission.Limits
	options intake.Options
	clock   *caltime.Clock
}

func (d *directory) apply(b intake.Batch) (result intake.Result, err error) {
	d.options.Now = d.clock.Now()
	err = d.Update(d.options.Account, func(tx *store.Tx) error {
		result, err = b.Apply(tx, d.options)
		return err
	})
	if errors.Is(err, intake.ErrRefused) {
		err = nil
	}
	return result, err
}

func (d *directory) picture(p intake.Picture, name string, sent []byte) (media.Taken, error) {
	room := func(int64) error { return d.Refusing() }
	taken, err := media.Taker{
		Store:   d.Store,
		Account: d.options.Account,
		Now:     d.clock.Now(),
		Limits:  d.limits,
		Room:    room,
	}.Take(p, name, sent)
	var refused *api.Error
	if errors.As(err, &refused) {
		err = fmt.Errorf("%w: %s", errNotTaken, refused.Message)
	}
	return taken, err
}

// A server is a target elsewhere.
type server struct {
	*client.Client
	ctx context.Context
}

func (s *server) Close() error { return nil }

// apply sends a batch. A record that no request can hold is refused.
func (s *server) apply(b intake.Batch) (result intake.Result, err error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // which would make records longer
	if err := enc.Encode(b); err != nil {
		return result, err
	}
	if body.Len() <= requestSize {
		_, err = s.send("/_almanac/import", body.Bytes(), "", &result)
		return result, err
	}
	if len(b.Items) > 1 || b.Items[0].Record == nil {
		return result, errors.New(
			"there are more categories, or records of an export, than fit into a request; " +
				"import into a data directory",
		)
	}
	b.Items[0].Record = nil
	b.Items[0].Reject = "is larger than the 1 MiB that a server takes at once; import it into a data directory"
	return s.apply(b)
}

// send sends a body, or a file, and reads the answer. refused is the reason of a server that goes
// on with others.
func (s *server) send(
	path string,
	body []byte,
	file string,
	result any,
) (refused string, err error) {
	answer, err := s.Do(s.ctx, http.MethodPost, path, body, file)
	if err != nil {
		return "", fmt.Errorf("%s does not answer: %w", s.Site, err)
	}
	path, _, _ = strings.Cut(path, "?")
	if answer.Code == http.StatusOK {
		if err := json.Unmarshal(answer.Body, result); err != nil {
			return "", fmt.Errorf("%s answers what is no report: %w", s.Site+path, err)
		}
		return "", nil
	}
	var refusal struct{ Message string }
	if json.Unmarshal(answer.Body, &refusal) != nil || refusal.Message == "" {
		refusal.Message = "is there an almanac at this address?"
	}
	if slices.Contains(pictureRefusals, answer.Code) {
		refused = refusal.Message
	}
	return refused, fmt.Errorf(
		"%s answers %s: %s",
		s.Site+path,
		answer.Status,
		cli.Line(refusal.Message),
	)
}

// pictureRefusals are the statuses of answers that concern one picture alone.
var pictureRefusals = []int{
	http.StatusBadRequest,
	http.StatusRequestEntityTooLarge,
	http.StatusRequestURITooLong,
	http.StatusUnsupportedMediaType,
	http.StatusInsufficientStorage,
}

func (s *server) picture(
	p intake.Picture,
	name string,
	sent []byte,
) (taken media.Taken, err error) {
	query := url.Values{
		"address": {p.Address},
		"focus_x": {strconv.Itoa(p.Focus[0])},
		"focus_y": {strconv.Itoa(p.Focus[1])},
	}
	if sent != nil {
		name = cmp.Or(name, "picture")
	}
	refused, err := s.send("/_almanac/import/picture?"+query.Encode(), sent, name, &taken)
	if refused != "" {
		err = fmt.Errorf("%w: %s", errNotTaken, refused)
	}
	return taken, err
}
