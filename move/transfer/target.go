// Where records go: a data directory or a running server.

package transfer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/api/media"
	"almanac/internal/cli"
	"almanac/internal/cli/socket"
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
	picture(p picture, name string, sent []byte) (media.Taken, error)
	Close() error
}

// open opens the target of checked settings.
func (s *Settings) open(ctx context.Context, log *slog.Logger) (target, error) {
	if s.To != "" {
		site := strings.TrimSuffix(strings.TrimSuffix(s.To, "/"), "/"+api.Namespace)
		way := &client.Client{Site: site, Token: s.Token, Timeout: requestTime}
		return &server{way, site, ctx}, nil
	}
	if err := store.CheckDir(s.Data); err != nil {
		return nil, cli.Usage(fmt.Errorf("-data: %w", err))
	}
	var to target = &server{local(s.Data), filepath.Join(s.Data, socket.Name), ctx}
	err := socket.Do(ctx, s.Data, "GET /identity", nil, nil, io.Discard,
		func(context.Context, url.Values, io.Reader, io.Writer) error {
			d, err := s.openDirectory(log)
			if err == nil {
				to = d
			}
			return err
		})
	if errors.Is(err, store.ErrInUse) {
		err = cli.Usage(
			fmt.Errorf("%w; if it is an import, wait for its end", err),
		)
	}
	return to, err
}

// openDirectory opens a data directory that no server has open.
func (s *Settings) openDirectory(log *slog.Logger) (*directory, error) {
	clock := caltime.System()
	hash := password.NewKeeper(password.Iterations).HashNow
	st, err := store.Open(store.Options{
		Dir:          s.Data,
		Now:          clock.Now,
		Logger:       log,
		HashPassword: hash,
	})
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

func (d *directory) picture(p picture, name string, sent []byte) (media.Taken, error) {
	room := func(int64) error { return d.Refusing() }
	taken, err := media.Taker{
		Store:   d.Store,
		Account: d.options.Account,
		Now:     d.clock.Now(),
		Limits:  d.limits,
		Room:    room,
	}.Take(p.address, p.focus, name, sent)
	var refused *api.Error
	if errors.As(err, &refused) {
		err = fmt.Errorf("%w: %s", errNotTaken, refused.Message)
	}
	return taken, err
}

// A server is a target in another process.
type server struct {
	way
	name string // in errors
	ctx  context.Context
}

// A way leads to a server: a client.Client, or local.
type way interface {
	Do(
		ctx context.Context,
		method, path string,
		body []byte,
		file string,
	) (client.Page, error)
}

// A local leads to the server that has a data directory open.
type local string

// Do sends what a client.Client sends, and gets the status in the first line of the answer.
func (dir local) Do(
	ctx context.Context,
	method, path string,
	body []byte,
	file string,
) (page client.Page, err error) {
	path, query, _ := strings.Cut(path, "?")
	asked, err := url.ParseQuery(query)
	if err != nil {
		return page, err
	}
	if file != "" {
		asked.Set("file", file)
	}
	var in io.Reader
	if body != nil {
		in = bytes.NewReader(body)
	}
	var out bytes.Buffer
	err = socket.Do(ctx, string(dir), method+" "+path, asked, in, &out,
		func(context.Context, url.Values, io.Reader, io.Writer) error {
			return errors.New("it has ended")
		})
	if err != nil {
		return page, err
	}
	page.Status, err = out.ReadString('\n')
	page.Status = strings.TrimSuffix(page.Status, "\n")
	page.Body = out.Bytes()
	if code, _, _ := strings.Cut(page.Status, " "); err == nil {
		page.Code, err = strconv.Atoi(code)
	}
	return page, err
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
		var answer struct {
			*intake.Result
			Report *intake.Report `json:"report"`
		}
		answer.Result = &result
		_, err = s.send("/_almanac/import", body.Bytes(), "", &answer)
		switch {
		case err != nil:
		case answer.Report == nil:
			err = unconfirmed{fmt.Errorf(
				"%s answers without a report: is there an almanac at this address?",
				s.name,
			)}
		default:
			result.Report = *answer.Report
		}
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
		_, isLocal := s.way.(local)
		isFulfilled := errors.Is(err, socket.ErrEnded)
		if !isLocal {
			isFulfilled = client.IsSent(err)
		}
		if isFulfilled { // perhaps
			err = unconfirmed{err}
		}
		return "", fmt.Errorf("%s does not answer: %w", s.name, err)
	}
	path, _, _ = strings.Cut(path, "?")
	if answer.Code == http.StatusOK {
		if err := json.Unmarshal(answer.Body, result); err != nil {
			return "", fmt.Errorf("%s answers what is no report: %w", s.name+path, err)
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
		s.name+path,
		answer.Status,
		cli.Line(refusal.Message),
	)
}

// An unconfirmed error ends a request that the server may have fulfilled.
type unconfirmed struct{ error }

func (err unconfirmed) Unwrap() error { return err.error }

// pictureRefusals are the statuses of answers that concern one picture alone.
var pictureRefusals = []int{
	http.StatusBadRequest,
	http.StatusRequestEntityTooLarge,
	http.StatusRequestURITooLong,
	http.StatusUnsupportedMediaType,
	http.StatusInsufficientStorage,
}

func (s *server) picture(
	p picture,
	name string,
	sent []byte,
) (taken media.Taken, err error) {
	query := url.Values{
		"address": {p.address},
		"focus_x": {strconv.Itoa(p.focus[0])},
		"focus_y": {strconv.Itoa(p.focus[1])},
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
