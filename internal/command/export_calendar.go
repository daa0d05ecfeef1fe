// Export as iCalendar: the answer of a server to an anonymous caller.

package command

import (
	"fmt"
	"io"
	"net/http"
	"net/url"

	"almanac/internal/account"
	"almanac/internal/api"
	"almanac/internal/caltime"
	"almanac/store"
)

// calendarWriter returns a function that writes the events as a calendar. It asks a server, so that rules of
// visibility and the format exist once.
func (s *exportSettings) calendarWriter() (func(io.Writer, *store.Store) error, error) {
	site, err := url.Parse(s.url)
	if err != nil || !isSite(site) {
		return nil, fmt.Errorf("-url %q: must be the address of the site, such as https://calendar.example.org", s.url)
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
		server, err := api.New(api.Options{Store: st, Accounts: accounts, Site: zone, URL: site, EventBase: s.event, EventsBase: lists,
			CacheBytes: -1, NoLimits: true},
			func(on func(pattern string, op *api.Op)) { on("GET "+path, api.Feeds.Calendar) })
		if err != nil {
			return usageError{err}
		}
		address := *site
		address.Path, address.RawQuery = path, "start_date=0001-01-01&end_date=9999-12-31"
		request := &http.Request{Method: http.MethodGet, URL: &address, Host: site.Host, Header: http.Header{}} // it goes nowhere
		answer := &bodyWriter{Writer: w, header: http.Header{}}
		server.ServeHTTP(answer, request)
		if answer.err == nil && answer.status != http.StatusOK {
			answer.err = fmt.Errorf("the events could not be written: the server answers %d", answer.status)
		}
		return answer.err
	}, nil
}

// hideProtected makes drafts of records with a password, in a copy of the store: an import of their titles would
// create events without a password.
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
