// Package oldsite finds the API of a calendar at another site, asks it, and tells obstacles apart,
// each with a way around it.
//
//	address, err := oldsite.Parse("https://old.example.org")
//	site, err := oldsite.Find(ctx, crawler, address)
//	body, err := site.Get(ctx, "events", url.Values{"page": {"2"}})
//
// A Site never leaves the host that it was found for, apart from a www. before its name. An error
// of an answer is a *Problem.
package oldsite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/cli"
	"almanac/internal/text/jsonio"
	"almanac/move/client"
)

// namespaces are the paths of the API below the base address of a REST API.
var namespaces = []string{"/tribe/events/v1", "/cal/events/v1"}

// A Site is a calendar with an API.
type Site struct {
	Root     *url.URL // address of the API, sometimes with rest_route
	language string   // tag of the page that was named; "" is unknown
	crawler  *client.Crawler
}

// Parse reads the address of a site, as people type it. A mistake is a usage error.
func Parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || !cli.IsAddress(u) || u.User != nil {
		return nil, cli.Usage(
			fmt.Errorf(
				"%q is no address of a site; write it as https://calendar.example.org, without a login",
				address,
			),
		)
	}
	u.Fragment = ""
	return u, nil
}

// Find finds the API of a site by the address of any page of it, or of the API, as somebody named
// it. It makes the crawler stay on the site.
func Find(ctx context.Context, c *client.Crawler, named *url.URL) (*Site, error) {
	defer func(tries int) { c.Tries = tries }(c.Tries)
	c.Tries = 2 // a mistyped address is told soon
	c.Named = named.String()
	c.Stay = func(to *url.URL) error {
		if isSame(named, to) {
			return nil
		}
		return fmt.Errorf(
			"it leads to another site, %s://%s; if that is yours, name it in place of %s",
			to.Scheme,
			to.Host,
			named.Host,
		)
	}
	if root := rootIn(named); root != nil {
		s := &Site{Root: root, crawler: c}
		return s, s.try(ctx)
	}
	page, err := c.Get(ctx, named.String())
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, judge(named.String(), page, err)
	}
	if named, err = url.Parse(page.Address); err != nil { // after redirects
		return nil, err
	}
	found := judge(named.String(), page, nil)
	tried := map[string]bool{}
	for _, root := range append(announced(named, page), usual(named)...) {
		if tried[root.String()] {
			continue
		}
		tried[root.String()] = true
		if err = c.Stay(root); err != nil {
			err = &Problem{
				Address: root.String(),
				What:    err.Error(),
				Todo:    "no other site was asked",
				weight:  4,
			}
		} else {
			s := &Site{Root: root, language: languageOf(page.Body), crawler: c}
			if err = s.try(ctx); err == nil || ctx.Err() != nil {
				return s, err
			}
		}
		var problem *Problem
		if found = weightier(found, err); errors.As(err, &problem) && problem.isFinal() {
			break
		}
	}
	return nil, fmt.Errorf("found no API of a calendar: %w", found)
}

// try reports whether the API answers.
func (s *Site) try(ctx context.Context) error {
	body, err := s.Get(ctx, "events", url.Values{"per_page": {"1"}})
	if err == nil && (&jsonio.Value{Raw: body}).Member("events").Kind() != '[' {
		return &Problem{
			Address: s.Root.String(),
			What:    "it answers no list of events",
			Todo:    "name the address of the API",
			weight:  3,
		}
	}
	return err
}

// Address returns the address of a path below the API.
func (s *Site) Address(path string, query url.Values) string {
	u := *s.Root
	all := u.Query()
	for name, values := range query {
		all[name] = values
	}
	if route := all.Get("rest_route"); route != "" {
		all.Set("rest_route", route+"/"+path)
	} else {
		u.Path += "/" + path
	}
	u.RawQuery = all.Encode()
	return u.String()
}

// namespaced is the namespace at the end of the address of an API.
var namespaced = regexp.MustCompile(`(/|%2F)(tribe|cal)(/|%2F)events(/|%2F)v1$`)

// Posts returns the API of WordPress beside that of the calendar.
func (s *Site) Posts() (*Site, error) {
	root, err := url.Parse(namespaced.ReplaceAllString(s.Root.String(), "/wp/v2"))
	return &Site{Root: root, crawler: s.crawler}, err
}

// Get returns the JSON of an answer. An error of the site is a *Problem.
func (s *Site) Get(ctx context.Context, path string, query url.Values) ([]byte, error) {
	address := s.Address(path, query)
	page, err := s.crawler.Get(ctx, address)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err = judge(address, page, err); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(page.Body), nil
}

// isSame reports whether an address is of a site: its host and port, with or without www., and no
// http after https.
func isSame(site, to *url.URL) bool {
	host := func(u *url.URL) string {
		host := strings.TrimPrefix(strings.ToLower(u.Host), "www.")
		return strings.TrimSuffix(strings.TrimSuffix(host, ":80"), ":443")
	}
	return host(site) == host(to) && (to.Scheme == "https" || to.Scheme == site.Scheme)
}

// rooted is the part of a path up to the API.
var rooted = regexp.MustCompile(`^(.*/(?:tribe|cal)/events/v1)(?:/.*)?$`)

// rootIn returns the address of the API that is in an address, or nil.
func rootIn(u *url.URL) *url.URL {
	root := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if route := rooted.FindStringSubmatch(u.Query().Get("rest_route")); route != nil {
		root.RawQuery = url.Values{"rest_route": {route[1]}}.Encode()
		return root
	}
	path := rooted.FindStringSubmatch(u.Path)
	if path == nil {
		return nil
	}
	root.Path = path[1]
	return root
}

// below returns the addresses that the API may have below the base address of a REST API.
func below(base *url.URL) (roots []*url.URL) {
	for _, namespace := range namespaces {
		root := &url.URL{
			Scheme: base.Scheme,
			Host:   base.Host,
			Path:   strings.TrimSuffix(base.Path, "/") + namespace,
		}
		if base.Query().Has("rest_route") {
			root.Path = base.Path
			root.RawQuery = url.Values{"rest_route": {namespace}}.Encode()
		}
		roots = append(roots, root)
	}
	return roots
}

// usual returns the addresses of the API that no page has to name, beside a page and at the top of
// its host.
func usual(page *url.URL) (roots []*url.URL) {
	for _, home := range slices.Compact([]string{strings.TrimSuffix(page.EscapedPath(), "/"), ""}) {
		for _, rest := range []string{"/wp-json", "/?rest_route=/", "/"} {
			if base, err := page.Parse(home + rest); err == nil {
				roots = append(roots, below(base)...)
			}
		}
	}
	return roots
}

var (
	linkHeader = regexp.MustCompile(`<([^>]*)>\s*;[^,<]*\brel="?https://api\.w\.org/`)
	linkTag    = regexp.MustCompile(`(?i)<link\b[^>]*>`)
	attribute  = regexp.MustCompile(`(?i)\b(rel|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)
)

// announced returns the addresses of the API that a page names.
func announced(at *url.URL, page client.Page) (roots []*url.URL) {
	add := func(address string, isBase bool) {
		u, err := at.Parse(address)
		if err != nil {
			return
		}
		if at.Scheme == "https" && u.Scheme == "http" { // as behind a proxy that speaks TLS
			u.Scheme = at.Scheme
		}
		if isBase {
			roots = append(roots, below(u)...)
		} else if root := rootIn(u); root != nil {
			roots = append(roots, root)
		}
	}
	if root := page.Header.Get("X-TEC-API-ROOT"); root != "" {
		add(root, false)
	}
	for _, link := range page.Header.Values("Link") {
		for _, found := range linkHeader.FindAllStringSubmatch(link, -1) {
			add(found[1], true)
		}
	}
	for _, tag := range linkTag.FindAllString(string(page.Body), 100) {
		has := map[string]string{}
		for _, a := range attribute.FindAllStringSubmatch(tag, -1) {
			has[strings.ToLower(a[1])] = html.UnescapeString(a[2] + a[3] + a[4])
		}
		switch rel := has["rel"]; {
		case strings.Contains(rel, "https://api.w.org/"):
			add(has["href"], true)
		case rel == "alternate" || strings.Contains(rel, "theeventscalendar.com"):
			add(has["href"], false)
		}
	}
	// An almanac in the place of another site has the API of that site beside its own.
	slices.SortStableFunc(roots, func(a, b *url.URL) int {
		return -cmp.Compare(strings.Count(a.String(), "tribe"), strings.Count(b.String(), "tribe"))
	})
	return roots
}

// weightier returns the error that tells more about a site.
func weightier(a, b error) error {
	var x, y *Problem
	if errors.As(a, &x) && errors.As(b, &y) && x.weight >= y.weight {
		return a
	}
	return b
}
