// The command export: the records of a data directory as one document, or its events as an
// anonymous caller of a server gets them in iCalendar.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/store"
	"almanac/store/disk"
)

// Export writes all records of a data directory as a seed.
var Export = cli.New(
	"export",
	"[FILE]",
	"write all records as one JSON document, or the events as a calendar",
	"almanac export [flags] [FILE]: write all records as one JSON document, which serve -seed gives back; without FILE, or "+
		"with -, to standard output. A server may run. With -format ical, what strangers may see of the events in iCalendar.",
	(*exportSettings).flags,
	export,
)

// exportSettings are the flags of export.
type exportSettings struct{ data, format, url, timezone, event, pictures string }

func (s *exportSettings) flags(f *cli.FlagSet) {
	f.StringVar(&s.data, "data", "almanac-data", "data `directory`, in which nothing is changed")
	f.StringVar(
		&s.format,
		"format",
		"json",
		"json for all records, or ical for the events that a stranger may see in iCalendar",
	)
	f.StringVar(
		&s.url,
		"url",
		"",
		"the `address` of the site: with -format ical of the events, else of the pictures",
	)
	f.StringVar(
		&s.pictures,
		"pictures",
		"",
		"with -format json: `directory` for the files of pictures, created if it is missing",
	)
	f.StringVar(&s.timezone, "timezone", "UTC", "with -format ical: the time `zone` of the site")
	f.StringVar(
		&s.event,
		"event-base",
		"event",
		"with -format ical: the `word` that addresses of events begin with, as serve has it",
	)
}

// export writes the records of a directory. The accounts are not among them.
func export(ctx context.Context, s *exportSettings, args []string, p cli.Process) error {
	if len(args) > 1 {
		return cli.Usage(
			errors.New(
				"name one file to write, or - for standard output (see almanac help export)",
			),
		)
	}
	if err := checkData(s.data); err != nil {
		return err
	}
	var write func(io.Writer, *store.Store) error
	var err error
	switch s.format {
	case "json":
		if s.url != "" {
			_, err = s.site()
		}
		write = func(w io.Writer, st *store.Store) error { return s.writeSeed(w, st, p.Stderr) }
	case "ical":
		if s.pictures != "" {
			return cli.Usage(errors.New("-pictures: only -format json has pictures"))
		}
		write, err = s.calendarWriter()
	default:
		err = fmt.Errorf("-format %q: must be json or ical", s.format)
	}
	if err != nil {
		return cli.Usage(err)
	}
	progress := cli.NewProgress(p.Stderr, caltime.System().Now, 0, false)
	st, err := store.Peek(store.Options{
		Dir:      s.data,
		Logger:   warnings(p),
		Progress: progress.Reach,
	})
	progress.Clear()
	if err != nil {
		return err
	}
	defer st.Close()
	if len(args) == 1 && args[0] != "-" {
		return disk.Replace(args[0], func(w io.Writer) error { return write(w, st) })
	}
	if err = write(cli.Raw(p.Stdout), st); cli.Status(err) == 1 {
		return fmt.Errorf("standard output: %w", err)
	}
	return err
}

// site returns the address of the site.
func (s *exportSettings) site() (*url.URL, error) {
	site, err := url.Parse(s.url)
	if err != nil || !isSite(site) {
		return nil, fmt.Errorf(
			"-url %q: must be the address of the site, such as https://calendar.example.org",
			s.url,
		)
	}
	return site, nil
}

// calendarWriter returns a function that writes the events as a calendar. It asks a server, so
// that rules of visibility and the format exist once.
func (s *exportSettings) calendarWriter() (func(io.Writer, *store.Store) error, error) {
	site, err := s.site()
	if err != nil {
		return nil, err
	}
	zone, err := caltime.LoadZone(s.timezone)
	if err != nil {
		return nil, fmt.Errorf("-timezone: %w", err)
	}
	const path = "/" + api.Namespace + "/events.ics"
	return func(w io.Writer, st *store.Store) error {
		if err := st.Update(0, hideProtected); err != nil {
			return err
		}
		accounts, err := account.Memory()
		if err != nil {
			return err
		}
		lists := "events" // which are not in it
		if s.event == lists {
			lists = "event"
		}
		server, err := api.New(api.Options{
			Store:      st,
			Accounts:   accounts,
			Site:       zone,
			URL:        site,
			EventBase:  s.event,
			EventsBase: lists,
			CacheBytes: -1,
			NoLimits:   true,
		},
			func(on func(pattern string, op *api.Op)) { on("GET "+path, api.Feeds.Calendar) })
		if err != nil {
			return cli.Usage(err)
		}
		address := *site
		address.Path = path
		address.RawQuery = "start_date=0001-01-01&end_date=9999-12-31"
		request := &http.Request{
			Method: http.MethodGet,
			URL:    &address,
			Host:   site.Host,
			Header: http.Header{},
		} // it goes nowhere
		answer := &bodyWriter{Writer: w, header: http.Header{}}
		server.ServeHTTP(answer, request)
		if answer.err == nil && answer.status != http.StatusOK {
			answer.err = fmt.Errorf(
				"the events could not be written: the server answers %d",
				answer.status,
			)
		}
		return answer.err
	}, nil
}

// hideProtected makes drafts of records with a password, in a copy of the store: an import of
// their titles would create events without a password.
func hideProtected(tx *store.Tx) error {
	var hidden []store.Record
	for r := range tx.Each(store.Events) {
		if e := r.(*store.Event); e.Password != "" {
			next := *e
			next.Status = store.Draft
			hidden = append(hidden, &next)
		}
	}
	for r := range tx.Each(store.AllSeries) {
		if s := r.(*store.Series); s.Event.Password != "" {
			next := *s
			next.Event.Status = store.Draft
			hidden = append(hidden, &next)
		}
	}
	for _, r := range hidden {
		if err := tx.Put(r); err != nil {
			return err
		}
	}
	return nil
}

// A bodyWriter writes the body of an answer.
type bodyWriter struct {
	io.Writer
	header http.Header
	status int
	err    error
}

func (w *bodyWriter) Header() http.Header { return w.header }

func (w *bodyWriter) WriteHeader(status int) { w.status = status }

func (w *bodyWriter) Write(b []byte) (n int, err error) {
	if w.status != http.StatusOK {
		return len(b), nil
	}
	if w.err == nil {
		_, w.err = w.Writer.Write(b)
	}
	return len(b), w.err
}
