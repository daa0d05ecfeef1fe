// Sites: a base address as one host sees it.

package rest

import (
	"cmp"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

// A site is a base address with the scheme and host that it was asked by: the
// texts of an answer that depend on both.
type site struct {
	origin string // https://host, no slash at the end
	api    string // of the namespace, no slash at the end
	index  string // value of the Link header that leads to the root
	number uint32 // names it in what is kept; 0: nothing is kept
	key    siteKey
	steady sync.Map // of steadyKey to *steadyAnswer
}

// maxSites is how many hosts of a base address are remembered: more than a
// server is known by, and few enough that made-up ones fill no memory.
const maxSites = 8

// sites remembers the sites of one base address.
type sites struct {
	latest atomic.Pointer[site] // that was asked; most servers have one
	known  sync.Map             // of siteKey to *site
	mu     sync.Mutex
	count  int // guarded by mu
}

type siteKey struct {
	host   string
	secure bool
}

// siteOf gives the site that a request asks.
func (s *Server) siteOf(b *base, hr *http.Request) *site {
	host, secure := s.askedAs(hr)
	key := siteKey{host, secure}
	fixed := cmp.Or(b.origin, s.home)
	if fixed != "" {
		key = siteKey{}
	}
	if latest := b.sites.latest.Load(); latest != nil && latest.key == key {
		return latest
	}
	if known, ok := b.sites.known.Load(key); ok {
		b.sites.latest.Store(known.(*site))
		return known.(*site)
	}
	key.host = strings.Clone(key.host) // of a request that will be gone
	made := &site{origin: fixed, key: key}
	if made.origin == "" {
		made.origin = "http://" + key.host
		if key.secure {
			made.origin = "https://" + key.host
		}
	}
	made.api = made.origin + b.prefix + "/" + b.namespace
	made.index = "<" + made.origin + b.prefix + `/>; rel="https://api.w.org/"`
	b.sites.mu.Lock()
	defer b.sites.mu.Unlock()
	if b.sites.count < maxSites {
		b.sites.count++
		made.number = s.siteCount.Add(1)
		known, _ := b.sites.known.LoadOrStore(key, made)
		return known.(*site)
	}
	return made
}
