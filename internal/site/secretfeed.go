// Secret addresses of feeds, for calendars and feed readers that cannot log in. A secret stands for
// an account and a filter, which package account knows by its hash. The operations are those of the
// public feeds: the account is their caller, as it is at the moment of the request, and the filter
// is their query, so that the address opens nothing more. Package api leaves the address
// out of answers and shared caches, and package front out of logs.

package site

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"
)

// The operations, by format.
var (
	SecretCalendar = api.NewSecret("feeds.calendar", api.Feeds.Calendar, enterSecret)
	SecretCSV      = api.NewSecret("feeds.csv", api.Feeds.CSV, enterSecret)
	SecretRSS      = api.NewSecret("feeds.rss", api.Feeds.RSS, enterSecret)
	SecretAtom     = api.NewSecret("feeds.atom", api.Feeds.Atom, enterSecret)
	SecretJSON     = api.NewSecret("feeds.json", api.Feeds.JSON, enterSecret)
)

// enterSecret finds the caller of a request, and puts the filter of the feed in the place of all
// parameters that were sent.
func enterSecret(r *api.Call) error {
	caller, filter, ok := r.Accounts.Feed(r.HTTP.PathValue("secret"))
	if !ok {
		return api.ErrNoRoute
	}
	hr := *r.HTTP
	address := *r.HTTP.URL
	address.RawQuery = filter
	hr.URL = &address
	hr.Body = http.NoBody
	hr.ContentLength = 0
	r.Caller = caller
	r.HTTP = &hr
	return nil
}

// SecretAddress returns the address of a feed as a calendar, by the secret and the address of the
// site. The other formats differ in the extension.
func SecretAddress(site, secret string) string {
	return strings.TrimSuffix(site, "/") + "/feeds/" + secret + "/events.ics"
}

// secretFilterMost is how many bytes a filter may have.
const secretFilterMost = 2000

// CheckSecretFilter checks the query that a feed of an account keeps, and returns it without its
// question mark. Records that it names are looked up at each request, when they may be others.
func CheckSecretFilter(of account.Account, query string, now time.Time) (string, error) {
	query = strings.TrimPrefix(query, "?")
	if len(query) > secretFilterMost {
		return "", fmt.Errorf(
			"the filter has %d bytes, at most %d are kept",
			len(query),
			secretFilterMost,
		)
	}
	if _, err := url.ParseQuery(query); err != nil || strings.ContainsAny(query, " #") {
		return "", fmt.Errorf(
			"the filter %q must be a query as it stands in an address, such as categories=music&months=12",
			query,
		)
	}
	in, err := params.Read(params.Source{Method: http.MethodGet, Query: query})
	if err != nil {
		return "", err
	}
	if unknown := params.EventFilter.Unknown(in); len(unknown) > 0 {
		return "", fmt.Errorf(
			"the filter has %q, which is no parameter that a feed keeps; docs/feeds.md names them",
			unknown,
		)
	}
	_, err = params.EventFilter.Check(in, params.Env{
		Now:      now,
		Site:     caltime.UTC(),
		Known:    anything{},
		Statuses: func(asked []string) string { return api.BadStatuses(of, asked) },
	})
	var invalid *params.Invalid
	if errors.As(err, &invalid) {
		var reasons []string
		for _, c := range invalid.Complaints {
			reasons = append(reasons, c.Reason)
		}
		err = errors.New("the filter: " + strings.Join(reasons, " "))
	}
	return query, err
}

// anything is the records that a filter may name: all.
type anything struct{}

func (anything) Has(params.Entity, int64, bool) bool            { return true }
func (anything) Find(params.Entity, string, bool) (int64, bool) { return 0, true }
