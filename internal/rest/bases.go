// Base addresses: a path prefix or a host, with a language (section 9 of the
// specification). All have the same routes.

package rest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"

	"almanac/i18n"
)

// A base is one base address.
type base struct {
	origin    string // "https://termine.example.org", of a language with a host; "" is where the others are
	host      string // of the origin
	prefix    string // "", "/fr", "/wp-json"
	namespace string // "cal/events/v1", "tribe/events/v1"
	root      string // "/fr/cal/events/v1"
	language  i18n.Language
	mux       func() *http.ServeMux // made when it is first needed: most bases never are
	site      *site                 // if its origin does not depend on the host that is asked
	tag       []string              // of the language, as a header has it
	number    uint64                // names it in what is remembered, like that of a site
}

// addBases makes all base addresses.
func (s *Server) addBases(o Options) error {
	if o.Also != "" {
		prefix, namespace, err := splitAlso(o.Also)
		if err != nil {
			return err
		}
		s.also = &base{prefix: prefix, namespace: namespace, language: i18n.English()}
		s.addBase(s.also)
	}
	languages := o.Languages
	if languages == nil {
		languages = i18n.Languages()
	}
	s.byTag = map[string]*base{}
	for _, l := range languages {
		b := &base{prefix: "/" + l.Tag, namespace: Namespace, language: l}
		if u := o.Hosts[l.Tag]; u != nil {
			if s.home == "" || strings.EqualFold(u.Host, o.URL.Host) {
				return fmt.Errorf("the language %s has the host %s of its own: the site needs an address at another", l.Tag, u.Host)
			}
			b.prefix, b.host, b.origin = "", u.Host, u.Scheme+"://"+u.Host
			s.hosts = append(s.hosts, b)
		}
		s.byTag[strings.ToLower(l.Tag)] = b
		s.addBase(b)
	}
	if len(s.hosts) < len(o.Hosts) {
		return errors.New("a language that is not served has a host")
	}
	neutral := &base{namespace: Namespace, language: i18n.English()}
	s.addBase(neutral)
	neutral.mux() // panics if two routes are one, as they are the same everywhere
	s.negotiates = o.Negotiate
	return nil
}

// splitAlso takes a further path of the API apart: the last three segments are
// its namespace, what is before them the prefix of its links.
func splitAlso(also string) (prefix, namespace string, err error) {
	also = strings.TrimSuffix(also, "/")
	segments := strings.Split(strings.TrimPrefix(also, "/"), "/")
	if !strings.HasPrefix(also, "/") || path.Clean(also) != also || len(segments) < 3 || strings.ContainsAny(also, "{}?#% ") {
		return "", "", fmt.Errorf("%q is no path of an API: it must be like /wp-json/tribe/events/v1", also)
	}
	cut := len(segments) - 3
	if cut > 0 {
		prefix = "/" + strings.Join(segments[:cut], "/")
	}
	return prefix, strings.Join(segments[cut:], "/"), nil
}

// addBase adds a base address with the mux of its routes.
func (s *Server) addBase(b *base) {
	b.root = b.prefix + "/" + b.namespace
	b.tag = []string{b.language.Tag}
	b.number = s.siteCount.Add(1)
	if origin := cmp.Or(b.origin, s.home); origin != "" {
		b.site = b.siteAt(origin)
		b.site.number = s.siteCount.Add(1)
	}
	b.mux = sync.OnceValue(func() *http.ServeMux {
		mux := http.NewServeMux()
		for _, rt := range s.routes {
			for _, ro := range rt.ops {
				for _, method := range ro.methods {
					mux.Handle(method+" "+b.path(rt.pattern), &handler{s, b, rt, ro.op})
				}
			}
			mux.Handle("OPTIONS "+b.path(rt.pattern), &handler{s, b, rt, describeRoute})
		}
		mux.Handle("/", &handler{s, b, nil, noRoute})
		return mux
	})
	s.bases = append(s.bases, b)
}

// path returns the path of a pattern below the base address, in lower case, as
// requests are compared.
func (b *base) path(pattern string) string {
	if below, ok := strings.CutPrefix(pattern, "/"+Namespace); ok {
		return strings.ToLower(b.root + below)
	}
	if pattern == "/{$}" && b.prefix != "" {
		return strings.ToLower(b.prefix)
	}
	return strings.ToLower(b.prefix) + pattern
}

// locate returns the base address of a normalized request: that whose namespace it
// is in, else that whose prefix it has. A prefix that is no tag of a base address
// but means one ("/pt", "/no", or that of a language with a host) leads there:
// the request that comes back is as if it had been asked there.
func (s *Server) locate(hr *http.Request) (*base, *http.Request) {
	p := hr.URL.Path
	host, _ := s.askedAs(hr)
	b := s.baseOf(host, p)
	if b.prefix != "" || b.namespace != Namespace || hasSegments(p, b.root) {
		return b, hr
	}
	first, below := cutSegment(p)
	meant := s.byTag[first]
	if meant == nil {
		if l, ok := i18n.Match(first); ok {
			meant = s.byTag[strings.ToLower(l.Tag)]
		}
	}
	if meant == nil {
		return b, hr
	}
	moved, u := *hr, *hr.URL
	u.Path, u.RawPath = strings.ToLower(meant.prefix)+below, ""
	if u.Path == "" {
		u.Path = "/"
	}
	moved.URL = &u
	return meant, &moved
}

// baseOf returns the base address that a path of a host is below.
func (s *Server) baseOf(host, p string) *base {
	if s.also != nil && hasSegments(p, s.also.root) {
		return s.also
	}
	first, _ := cutSegment(p)
	if b := s.byTag[first]; b != nil && b.host == "" {
		return b
	}
	for _, b := range s.hosts {
		if strings.EqualFold(b.host, host) {
			return b
		}
	}
	if s.also != nil && s.also.prefix != "" && hasSegments(p, s.also.prefix) {
		return s.also
	}
	return s.bases[len(s.bases)-1]
}

// cutSegment returns the first segment of a path and what comes behind it.
func cutSegment(p string) (first, below string) {
	p = strings.TrimPrefix(p, "/")
	if i := strings.IndexByte(p, '/'); i >= 0 {
		return p[:i], p[i:]
	}
	return p, ""
}

// hasSegments reports whether a path is another or lies below it, whatever the
// letter case.
func hasSegments(p, above string) bool {
	return len(p) >= len(above) && strings.EqualFold(p[:len(above)], above) && (len(p) == len(above) || p[len(above)] == '/')
}

// originOr returns the origin of the base address, or another if it is where the
// others are.
func (b *base) originOr(other string) string { return cmp.Or(b.origin, other) }

// negotiable reports whether what an operation answers at a base address depends
// on the language that the reader wants.
func (s *Server) negotiable(b *base, op *Op) bool {
	return s.negotiates && op.texts && b == s.bases[len(s.bases)-1]
}

// languageOf returns the language of the texts in an answer.
func (s *Server) languageOf(b *base, op *Op, hr *http.Request) i18n.Language {
	if s.negotiable(b, op) {
		if l, ok := i18n.Negotiate(strings.Join(hr.Header["Accept-Language"], ","), s.offered()); ok {
			return l
		}
	}
	return b.language
}

// offered returns the languages that have base addresses.
func (s *Server) offered() []i18n.Language {
	var all []i18n.Language
	for _, b := range s.bases {
		if s.byTag[strings.ToLower(b.language.Tag)] == b {
			all = append(all, b.language)
		}
	}
	return all
}

// noLanguage answers a request below a segment that stands where the tag of a
// language would, and is none of those that are served.
func (r *request) noLanguage() error {
	first, below := cutSegment(r.http.URL.Path)
	if !hasSegments(below, "/"+Namespace) && below != "/docs" || hasSegments(r.http.URL.Path, r.base.root) {
		return errNoRoute
	}
	return unknownLanguage(http.StatusNotFound, first, r.offered())
}

// unknownLanguage says which languages there are.
func unknownLanguage(status int, tag string, offered []i18n.Language) *Error {
	var tags []string
	for _, l := range offered {
		tags = append(tags, l.Tag)
	}
	reason := "must be one of " + strings.Join(tags, ", ") + "."
	return &Error{Status: status, Code: "rest_no_route", Message: fmt.Sprintf("The language %q is not served: it %s", tag, reason),
		extra: errorData{Params: map[string]string{"language": reason}}}
}
