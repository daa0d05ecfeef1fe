// Package front finds the base address and the client of a request, before its route is known.
//
//	f, err := front.New(front.Options{Languages: i18n.Languages(), Mux: muxOf})
//	base, request := f.Locate(request)
//	base.Mux().ServeHTTP(w, request)
//
// It promises that every route can be reached below every base address, in any letter case of the
// path and by every known alias; that headers of trusted proxies alone count; and that no text of
// an answer is made of an invalid host.
//
// The files: front.go (options), paths.go (the canonical form of a request), bases.go (base
// addresses with their languages, and as one host sees them), client.go (headers of proxies).
package front

import (
	"net/http"
	"net/url"
	"strings"

	"almanac/i18n"
)

// Namespace is the path of the service below a base address (section 9 of the
// specification).
const Namespace = "cal/events/v1"

// Options says which addresses there are.
type Options struct {
	URL       *url.URL                   // public address of the site; nil takes the host of each request
	Also      string                     // a further path of the API, as /wp-json/tribe/events/v1
	Language  i18n.Language              // of the neutral address, and of Also; the zero value is English
	Languages []i18n.Language            // base addresses beside the neutral one
	Hosts     map[string]*url.URL        // hosts of languages with their own, by tag; needs URL
	Negotiate bool                       // the neutral address describes itself in the language of Accept-Language
	Proxies   Proxies                    // that are believed
	Mux       func(*Base) *http.ServeMux // makes the mux of a base address
}

// A Front is safe for concurrent use.
type Front struct {
	Proxies
	home       string           // public address without a final slash; "": host of the request
	bases      []*Base          // that of Options.Also first, the neutral one last
	byTag      map[string]*Base // bases of languages, by tag in lower case
	hosts      []*Base          // bases with a host of their own
	also       *Base            // that of Options.Also, or nil
	negotiates bool
	mux        func(*Base) *http.ServeMux
}

// New makes a front. The mux of the neutral base address is made at once, others
// when they are first needed.
func New(o Options) (*Front, error) {
	f := &Front{
		Proxies:    o.Proxies,
		byTag:      map[string]*Base{},
		negotiates: o.Negotiate,
		mux:        o.Mux,
	}
	if o.URL != nil {
		f.home = strings.TrimSuffix(o.URL.String(), "/")
	}
	return f, f.addBases(o)
}
