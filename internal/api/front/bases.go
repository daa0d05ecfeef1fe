// Base addresses: a path prefix or a host, with a language (section 9 of the
// specification). All have the same routes. A site is a base address as one host sees it.

package front

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

// A Base is one base address.
type Base struct {
	Prefix    string // "", "/fr", "/wp-json"
	Namespace string // "cal/events/v1", "tribe/events/v1"
	Root      string // "/fr/cal/events/v1"
	Language  i18n.Language
	Tag       []string              // of the language, as a header has it
	Mux       func() *http.ServeMux // of its routes; made when it is first needed: most never are
	Host      string                // of a language that has one of its own

	origin string // "https://termine.example.org" for a language with a host, else ""
	site   *Site  // if its origin does not depend on the host that is asked
}

// addBases makes all base addresses.
func (f *Front) addBases(o Options) error {
	if o.Language.Tag == "" {
		o.Language = i18n.English()
	}
	if o.Also != "" {
		prefix, namespace, err := splitAlso(o.Also)
		if err != nil {
			return err
		}
		f.also = &Base{Prefix: prefix, Namespace: namespace, Language: o.Language}
		f.addBase(f.also)
	}
	for _, l := range o.Languages {
		if l.Tag == o.Language.Tag {
			l = o.Language // with the site's region
		}
		b := &Base{Prefix: "/" + l.Tag, Namespace: Namespace, Language: l}
		if u := o.Hosts[l.Tag]; u != nil {
			if f.home == "" || strings.EqualFold(u.Host, o.URL.Host) {
				return fmt.Errorf(
					"the language %s has the host %s of its own: the site needs an address at another",
					l.Tag,
					u.Host,
				)
			}
			b.Prefix = ""
			b.Host = u.Host
			b.origin = u.Scheme + "://" + u.Host
			f.hosts = append(f.hosts, b)
		}
		f.byTag[strings.ToLower(l.Tag)] = b
		f.addBase(b)
	}
	if len(f.hosts) < len(o.Hosts) {
		return errors.New("a language that is not served has a host")
	}
	f.addBase(&Base{Namespace: Namespace, Language: o.Language})
	return nil
}

// splitAlso takes a further path of the API apart: the last three segments are
// its namespace, what is before them the prefix of its links.
func splitAlso(also string) (prefix, namespace string, err error) {
	also = strings.TrimSuffix(also, "/")
	segments := strings.Split(strings.TrimPrefix(also, "/"), "/")
	if !strings.HasPrefix(also, "/") || path.Clean(also) != also || len(segments) < 3 ||
		strings.ContainsAny(also, "{}?#% ") {
		return "", "", fmt.Errorf(
			"-also: %q is no path of an API: it must be like /wp-json/tribe/events/v1",
			also,
		)
	}
	namespace = strings.Join(segments[len(segments)-3:], "/")
	return strings.TrimSuffix(also, "/"+namespace), namespace, nil
}

// addBase adds a base address.
func (f *Front) addBase(b *Base) {
	b.Root = b.Prefix + "/" + b.Namespace
	b.Tag = []string{b.Language.Tag}
	if origin := cmp.Or(b.origin, f.home); origin != "" {
		b.site = f.siteAt(b, origin)
	}
	b.Mux = sync.OnceValue(func() *http.ServeMux { return f.mux(b) })
	f.bases = append(f.bases, b)
}

// Path returns the path of a pattern below the base address, in lower case, as
// requests are compared.
func (b *Base) Path(pattern string) string {
	if below, ok := strings.CutPrefix(pattern, "/"+Namespace); ok {
		return strings.ToLower(b.Root + below)
	}
	if pattern == "/{$}" && b.Prefix != "" {
		return strings.ToLower(b.Prefix)
	}
	return strings.ToLower(b.Prefix) + pattern
}

// Locate returns the base address of a request, and the request in the one form that
// routes are written in. The base address is that whose namespace it is in, else that
// whose prefix it has. A prefix that is no tag of a base address
// but means one ("/pt", "/no", or that of a language with a host) leads there:
// the request that comes back is as if it had been asked there.
func (f *Front) Locate(hr *http.Request) (*Base, *http.Request) {
	hr = f.normalize(hr)
	p := hr.URL.Path
	b := f.baseOf(hr, p)
	if b.Prefix != "" || b.Namespace != Namespace || hasSegments(p, b.Root) {
		return b, hr
	}
	first, below := cutSegment(p)
	meant := f.byTag[first]
	if meant == nil {
		if l, ok := i18n.Match(first); ok {
			meant = f.byTag[strings.ToLower(l.Tag)]
		}
	}
	if meant == nil {
		return b, hr
	}
	located := *hr
	u := *hr.URL
	u.Path = strings.ToLower(meant.Prefix) + below
	u.RawPath = ""
	if u.Path == "" {
		u.Path = "/"
	}
	located.URL = &u
	return meant, &located
}

// baseOf returns the base address that a path is below, of the host that a request asks.
func (f *Front) baseOf(hr *http.Request, p string) *Base {
	if f.also != nil && hasSegments(p, f.also.Root) {
		return f.also
	}
	first, _ := cutSegment(p)
	if b := f.byTag[first]; b != nil && b.Host == "" {
		return b
	}
	for _, b := range f.hosts {
		if host, _ := f.AskedAs(hr); strings.EqualFold(b.Host, host) {
			return b
		}
	}
	if f.also != nil && f.also.Prefix != "" && hasSegments(p, f.also.Prefix) {
		return f.also
	}
	return f.Neutral()
}

// cutSegment returns the first segment of a path and what comes behind it.
func cutSegment(p string) (first, below string) {
	p = strings.TrimPrefix(p, "/")
	first, _, _ = strings.Cut(p, "/")
	return first, p[len(first):]
}

// hasSegments reports whether a path is another or lies below it, whatever the
// letter case.
func hasSegments(p, above string) bool {
	return len(p) >= len(above) && strings.EqualFold(p[:len(above)], above) &&
		(len(p) == len(above) || p[len(above)] == '/')
}

// Neutral returns the path below the neutral base address for one below this; "" outside the
// namespace.
func (b *Base) Neutral(p string) string {
	if !hasSegments(p, b.Root) {
		return ""
	}
	return "/" + Namespace + p[len(b.Root):]
}

// TagIn returns the segment of a path in the place of a language's tag that is no tag of a served
// language. It reports whether there is one.
func (b *Base) TagIn(p string) (tag string, ok bool) {
	tag, below := cutSegment(p)
	return tag, (hasSegments(below, "/"+Namespace) || hasSegments(below, "/docs")) &&
		!hasSegments(p, b.Root)
}

// Bases returns all base addresses: that of Options.Also first, the neutral one last.
func (f *Front) Bases() []*Base { return f.bases }

// Neutral returns the base address without a language.
func (f *Front) Neutral() *Base { return f.bases[len(f.bases)-1] }

// OfLanguage returns the base address of a language, or nil.
func (f *Front) OfLanguage(tag string) *Base { return f.byTag[strings.ToLower(tag)] }

// Origin returns the origin of a base address as a site sees it whose own is another.
func (f *Front) Origin(b *Base, other string) string { return cmp.Or(b.origin, f.home, other) }

// Language returns the language that texts have at a base address for the reader, and
// whether that depends on what the reader wants.
func (f *Front) Language(b *Base, hr *http.Request) (l i18n.Language, chosen bool) {
	if !f.negotiates || b != f.Neutral() {
		return b.Language, false
	}
	if l, ok := i18n.Negotiate(strings.Join(hr.Header["Accept-Language"], ","), f.Offered()); ok {
		return l, true
	}
	return b.Language, true
}

// Offered returns the languages that have base addresses.
func (f *Front) Offered() []i18n.Language {
	var all []i18n.Language
	for _, b := range f.bases {
		if f.OfLanguage(b.Language.Tag) == b {
			all = append(all, b.Language)
		}
	}
	return all
}

// A Site is a base address with the scheme and host that it was asked by: the
// texts of an answer that depend on both.
type Site struct {
	Origin string   // https://host, no slash at the end
	Host   string   // host of it; "" if the client sent an invalid one
	API    string   // of the namespace, no slash at the end
	Index  []string // value of the Link header that leads to the root
	Pages  []string // the same for pages, which link to the legacy root if any
}

// Site returns the site of a request. That of an invalid host has none.
func (f *Front) Site(b *Base, hr *http.Request) *Site {
	if b.site != nil {
		return b.site
	}
	host, secure := f.AskedAs(hr)
	if !IsHost(host) {
		host = ""
	}
	if secure {
		return f.siteAt(b, "https://"+host)
	}
	return f.siteAt(b, "http://"+host)
}

// siteAt returns the site of an origin.
func (f *Front) siteAt(b *Base, origin string) *Site {
	_, host, _ := strings.Cut(origin, "://")
	link := func(root string) []string { return []string{"<" + root + `/>; rel="https://api.w.org/"`} }
	site := &Site{
		Origin: origin,
		Host:   host,
		API:    origin + b.Prefix + "/" + b.Namespace,
		Index:  link(origin + b.Prefix),
	}
	if site.Pages = site.Index; f.also != nil {
		site.Pages = link(cmp.Or(f.home, origin) + f.also.Prefix)
	}
	return site
}
