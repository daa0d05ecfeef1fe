// Sites: a base address as one host sees it.

package rest

import (
	"net/http"
	"strings"
	"sync"
)

// A site is a base address with the scheme and host that it was asked by: the
// texts of an answer that depend on both.
type site struct {
	origin string // https://host, no slash at the end
	api    string // of the namespace, no slash at the end
	index  string // value of the Link header that leads to the root
	number uint32 // names it in what is kept; 0: nothing is kept
}

// maxSites is how many hosts of a base address are remembered: more than a
// server is known by, and few enough that made-up ones fill no memory.
const maxSites = 8

// sites remembers the sites of one base address.
type sites struct {
	known sync.Map // of siteKey to *site
	mu    sync.Mutex
	count int // guarded by mu
}

type siteKey struct {
	host   string
	secure bool
}

// siteOf gives the site that a request asks.
func (s *Server) siteOf(b *base, hr *http.Request) *site {
	key := siteKey{hr.Host, hr.TLS != nil}
	if s.home != "" {
		key = siteKey{}
	}
	if known, ok := b.sites.known.Load(key); ok {
		return known.(*site)
	}
	made := &site{origin: s.home}
	if made.origin == "" {
		made.origin = "http://" + strings.Clone(hr.Host)
		if key.secure {
			made.origin = "https://" + strings.Clone(hr.Host)
		}
	}
	made.api = made.origin + b.prefix + "/" + b.namespace
	made.index = "<" + made.origin + b.prefix + `/>; rel="https://api.w.org/"`
	b.sites.mu.Lock()
	defer b.sites.mu.Unlock()
	if b.sites.count < maxSites {
		b.sites.count++
		made.number = s.siteCount.Add(1)
		known, _ := b.sites.known.LoadOrStore(siteKey{strings.Clone(key.host), key.secure}, made)
		return known.(*site)
	}
	return made
}
