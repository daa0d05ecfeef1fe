// Sites: a base address as one host sees it.

package front

import (
	"net/http"
	"strings"
)

// A Site is a base address with the scheme and host that it was asked by: the
// texts of an answer that depend on both.
type Site struct {
	Origin string // https://host, no slash at the end
	API    string // of the namespace, no slash at the end
	Index  string // value of the Link header that leads to the root
	Number uint64 // names it in what is remembered; 0: nothing is
}

// A siteKey is what tells a site from the others.
type siteKey struct {
	base   *Base
	host   string
	secure bool
}

// sitesBytes is the budget of the sites that are remembered, some two thousand.
// Those go that were not asked lately: so many hosts would have to be made up
// between two requests for another that it is forgotten.
const sitesBytes = 1 << 20

// Site returns the site that a request asks. Of what it is answered nothing is
// kept when the site was not asked lately: a host that is made up for one request
// takes no room of others.
func (f *Front) Site(b *Base, hr *http.Request) *Site {
	if b.site != nil {
		return b.site
	}
	host, secure := f.askedAs(hr)
	key := siteKey{b, host, secure}
	if known := f.sites.Get(key); known != nil {
		return known
	}
	key.host = strings.Clone(host) // of a request that will be gone
	origin := "http://" + key.host
	if secure {
		origin = "https://" + key.host
	}
	first := b.siteAt(origin)
	numbered := *first
	numbered.Number = f.numbers.Add(1)
	f.sites.Put(key, &numbered, int64(len(key.host)+len(first.API)+len(first.Index)+len(first.Origin)))
	return first
}

// siteAt returns the site of an origin.
func (b *Base) siteAt(origin string) *Site {
	return &Site{Origin: origin, API: origin + b.Prefix + "/" + b.Namespace, Index: "<" + origin + b.Prefix + `/>; rel="https://api.w.org/"`}
}
