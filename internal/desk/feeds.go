// The secret feeds of one's own account: with the changes of `almanac users feed`, by the same
// functions.

package desk

import (
	"bufio"
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/site"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/params"
	"almanac/store"
)

// The operations on the secret feeds of an account.
var (
	Feeds       = operation("desk.feeds", serveFeeds)
	ChangeFeeds = operation("desk.change-feeds", serveChangeFeeds)
)

// A feedsPage is the list of feeds, with the form of a new one.
type feedsPage struct {
	Fixed      bool // the server may not change accounts
	Form       form
	Categories []option
	Rows       []feedRow
	Made, Link string // of a new feed: name and address, shown alone and once
}

// A feedRow is a feed in the list, as it is at the moment.
type feedRow struct {
	Name, Query string
	Facts       []string // categories, size and times
	Large       string   // warning that readers refuse it; "" is none
	Broken      bool     // its filter is refused
}

const (
	// Sizes above which readers refuse a feed, so it is said (docs/members.md), and the size up to
	// which feeds are measured.
	readerEvents = 1111
	readerBytes  = 1 << 20
	measuredMost = 2 << 20
	// feedKilobytes is how much log a change may take: its line has all feeds of the account.
	feedKilobytes = 64
)

// serveFeeds answers GET /desk/account/feeds.
func serveFeeds(
	p *page,
) (*respond.Response, error) {
	return p.showFeeds(http.StatusOK, feedsPage{})
}

func (p *page) showFeeds(status int, body feedsPage) (*respond.Response, error) {
	p.view(func(v *store.View) {
		body.Categories = categories(v, body.Form["categories"])
	})
	for _, one := range p.Call.Accounts.List() {
		for _, f := range one.Feeds {
			if one.ID == p.Caller.ID {
				body.Rows = append(body.Rows, p.feedRow(f))
			}
		}
	}
	body.Fixed = !p.Call.Accounts.MayChange()
	return p.show(status, "feeds.html", p.T("desk.feeds"), body)
}

// feedRow describes a feed.
func (p *page) feedRow(f account.ListedToken) feedRow {
	row := feedRow{Name: f.Name, Query: f.Filter}
	query, _ := url.ParseQuery(f.Filter)
	p.view(func(v *store.View) {
		for _, id := range items(query.Get("categories"), ",") {
			if t := v.Term(store.Categories, api.ParseID(id)); t != nil {
				row.Facts = append(row.Facts, pages.NameOf(t))
			}
		}
	})
	p.measure(&row)
	for i, at := range []time.Time{f.Expires, f.Used} {
		if !at.IsZero() {
			row.Facts = append(
				row.Facts,
				p.T("site.titled", "{state}", p.T([]string{"desk.until", "desk.feed-read"}[i]),
					"{name}", p.locale().FullTime(p.Zone.Wall(at))),
			)
		}
	}
	return row
}

// measure reads a feed as its readers do, and notes its size: the events in the calendar, a series
// as one. A busy server notes none.
func (p *page) measure(row *feedRow) {
	events := 0
	size := 0
	measure := func() error {
		r := p.Call
		r.DocumentMost = measuredMost
		answer, err := site.SecretCalendar.Serve(r)
		if errors.Is(err, api.ErrLongDocument) {
			size = measuredMost + 1
			return nil
		}
		if err != nil || answer.Body == nil { // nil: the request had a condition
			return err
		}
		size = answer.Body.Size()
		lines := bufio.NewScanner(answer.Body.Reader())
		for lines.Scan() {
			if lines.Text() == "BEGIN:VEVENT" {
				events++
			}
		}
		return nil
	}
	in, err := params.Read(params.Source{Method: http.MethodGet, Query: row.Query})
	if err == nil {
		err = p.As(site.SecretCalendar, nil, in, measure)
	}
	var refused *api.Error
	row.Broken = err != nil &&
		!(errors.As(err, &refused) && refused.Status >= http.StatusTooManyRequests)
	count := func(events int) string {
		return p.Language.Count("site.events", events)
	}
	switch {
	case size > measuredMost:
		row.Facts = append(row.Facts, "> "+p.megabytes(measuredMost))
	case size > 0:
		row.Facts = append(
			row.Facts,
			count(events),
			p.T("desk.kilobytes", "{count}", p.locale().Number((size+1<<10-1)>>10)),
		)
	}
	if events > readerEvents || size > readerBytes {
		row.Large = p.T(
			"desk.feed-large",
			"{size}",
			p.megabytes(readerBytes),
			"{count}",
			count(readerEvents),
		)
	}
}

// serveChangeFeeds answers POST /desk/account/feeds: its buttons make a feed, and remove one.
func serveChangeFeeds(p *page) (*respond.Response, error) {
	body := feedsPage{Form: form{}}
	filter := ""
	for _, name := range []string{"name", "categories", "months", "query"} {
		body.Form[name] = strings.TrimSpace(p.input(name))
	}
	remove := p.input("do") == "remove"
	if !remove {
		filter = p.feedFilter(body.Form)
	}
	if len(p.Problems) > 0 {
		return p.showFeeds(http.StatusUnprocessableEntity, body)
	}
	if !p.Caller.May(account.EditOthers) {
		if wait, ok := p.Bounds().Written.TakeN(p.Key(), feedKilobytes); !ok {
			return nil, api.Over(
				http.StatusTooManyRequests,
				"rest_too_many_requests",
				"max-log-mb",
				"The account changes its feeds too often.",
				wait,
			)
		}
	}
	var secret, name string
	var refused error
	err := p.Call.Accounts.Change(
		p.Caller,
		account.KeepFeeds,
		func(u *account.Users) error {
			if remove {
				return u.RevokeFeed(p.Caller.Login, body.Form["name"])
			}
			secret, name, refused = u.AddFeed(
				p.Caller.Login,
				body.Form["name"],
				filter,
				time.Time{},
			)
			return refused
		},
	)
	switch {
	case errors.Is(err, account.ErrFixed), errors.Is(err, account.ErrNoRight):
		return nil, api.ErrForbidden
	case errors.Is(err, account.ErrNoFeed):
		return nil, api.ErrNoRoute
	case errors.Is(refused, account.ErrFeeds):
		p.Problems = []problem{
			{"", p.T("desk.feeds-full", "{count}", p.locale().Number(account.FeedsMost))},
		}
	case refused != nil:
		p.reject("name", "desk.bad-feed-name")
	case err != nil:
		return nil, err
	case remove:
		return p.redirect(p.Desk("account/feeds?done=removed")), nil
	default:
		made := feedsPage{Made: name, Link: site.SecretAddress(p.Site.Origin, secret)}
		return p.show(http.StatusOK, "feeds.html", p.T("desk.feeds"), made)
	}
	return p.showFeeds(http.StatusUnprocessableEntity, body)
}

// feedFilter returns the query of a form, and notes the problems of its fields.
func (p *page) feedFilter(f form) string {
	query := strings.TrimPrefix(f["query"], "?")
	for _, name := range []string{"categories", "months"} {
		if f[name] != "" {
			value := strings.ReplaceAll(url.QueryEscape(f[name]), "%2C", ",")
			query = strings.TrimPrefix(query+"&"+name+"="+value, "&")
		}
	}
	months := "months=" + url.QueryEscape(cmp.Or(f["months"], "1"))
	if _, err := site.CheckSecretFilter(p.Caller, months, p.Now); err != nil {
		p.complain("months")
	}
	filter, err := site.CheckSecretFilter(p.Caller, query, p.Now)
	if err != nil && p.Problems == nil {
		p.reject("query", "desk.bad-query", "{reason}", err.Error())
	}
	return filter
}
