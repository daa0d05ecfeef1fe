// Sites: a base address as one host sees it.

package rest

import (
	"net/http"
	"strings"
)

// A site is a base address with the scheme and host that it was asked by: the
// texts of an answer that depend on both.
type site struct {
	origin string // https://host, no slash at the end
	api    string // of the namespace, no slash at the end
	index  string // value of the Link header that leads to the root
	number uint64 // names it in what is kept; 0: nothing is kept
}

// A siteKey is what tells a site from the others.
type siteKey struct {
	base   *base
	host   string
	secure bool
}

// sitesBytes is the budget of the sites that are remembered, some two thousand.
// Those go that were not asked lately: so many hosts would have to be made up
// between two requests for another that it is forgotten.
const sitesBytes = 1 << 20

// siteOf returns the site that a request asks. Of what it is answered nothing is
// kept when the site was not asked lately: a host that is made up for one request
// takes no room of others.
func (s *Server) siteOf(b *base, hr *http.Request) *site {
	if b.site != nil {
		return b.site
	}
	host, secure := s.askedAs(hr)
	key := siteKey{b, host, secure}
	if known := s.sites.Get(key); known != nil {
		return known
	}
	key.host = strings.Clone(host) // of a request that will be gone
	origin := "http://" + key.host
	if secure {
		origin = "https://" + key.host
	}
	first := b.siteAt(origin)
	numbered := *first
	numbered.number = s.siteCount.Add(1)
	s.sites.Put(key, &numbered, int64(len(key.host)+len(first.api)+len(first.index)+len(first.origin)))
	return first
}

// siteAt returns the site of an origin.
func (b *base) siteAt(origin string) *site {
	return &site{origin: origin, api: origin + b.prefix + "/" + b.namespace, index: "<" + origin + b.prefix + `/>; rel="https://api.w.org/"`}
}
