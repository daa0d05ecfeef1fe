// The one form of a request that routes are written in.

package front

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// indexFile begins the addresses of sites whose web server rewrites none.
const indexFile = "/index.php"

// normalize brings a request into the one form that routes are written in: the method and path
// that are meant, lower case, no slash at the end, none beside another in addresses of pages, no
// index.php before it. A redirect would turn a POST into a GET, so there is none, and a path that
// the mux would clean has no route.
func (f *Front) normalize(hr *http.Request) *http.Request {
	if isNormal(hr) {
		return hr
	}
	normal := *hr.WithContext(context.WithValue(hr.Context(), sentRequest{}, hr))
	p := hr.URL.EscapedPath()
	if override := hr.Header.Get("X-HTTP-Method-Override"); override != "" {
		normal.Method = strings.ToUpper(override)
	}
	query := hr.URL.Query()
	if override := query.Get("_method"); override != "" && hr.Method == http.MethodPost {
		normal.Method = strings.ToUpper(override)
	}
	if to := query.Get("rest_route"); to != "" {
		p = f.restRoute(hr, p, to)
	}
	p = strings.ToLower(p)
	doubled := strings.Contains(p, "//")
	for strings.Contains(p, "//") {
		p = strings.ReplaceAll(p, "//", "/")
	}
	if hasSegments(p, indexFile) {
		p = cmp.Or(p[len(indexFile):], "/")
	}
	if doubled && hasSegments(p, f.baseOf(hr, p).Root) {
		p = "" // clients of the API know it as no route
	}
	if len(p) > 1 {
		p = strings.TrimSuffix(p, "/")
	}
	u := *hr.URL
	var err error
	if u.Path, err = url.PathUnescape(p); err != nil || !strings.HasPrefix(p, "/") ||
		path.Clean(p) != p {
		p = "/-"
		u.Path = "/-"
	}
	u.RawPath = p
	normal.URL = &u
	normal.RequestURI = u.RequestURI() // the mux answers * by itself
	return &normal
}

// sentRequest is the key of a request as it was sent, where another may be meant.
type sentRequest struct{}

// Sent returns a normalized request as it was sent.
func Sent(hr *http.Request) *http.Request {
	if sent, ok := hr.Context().Value(sentRequest{}).(*http.Request); ok {
		return sent
	}
	return hr
}

// restRoute turns ?rest_route=, the way in of sites without pretty addresses,
// into the path of a base address: of that which was asked, if it has such
// routes, so that its links stay inside it.
func (f *Front) restRoute(hr *http.Request, at, to string) string {
	if to == "/" && f.also != nil {
		return f.also.Prefix + to // the root that names the API which such clients know
	}
	if b := f.baseOf(hr, at); hasSegments(to, "/"+b.Namespace) {
		return b.Prefix + to
	}
	for _, b := range f.bases {
		if b.Namespace != Namespace && hasSegments(to, "/"+b.Namespace) {
			return b.Prefix + to
		}
	}
	return to
}

// isNormal reports whether a request has that form already, as nearly all
// have. When in doubt it says no.
func isNormal(hr *http.Request) bool {
	p := hr.URL.Path
	if hr.URL.RawPath != "" || hr.Header["X-Http-Method-Override"] != nil || len(p) < 2 ||
		p[0] != '/' ||
		p[len(p)-1] == '/' ||
		hasSegments(p, indexFile) {
		return false
	}
	for i := range len(p) {
		switch c := p[i]; {
		case c == '/' && (p[i+1] == '/' || p[i+1] == '.'):
			return false // the path may not be clean
		case !(c == '/' || c == '-' || c == '_' || c == '.' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9'):
			return false // upper case, or what may be encoded in another way
		}
	}
	query := hr.URL.RawQuery
	from := 0
	inName := true
	for i := range len(query) {
		switch c := query[i]; {
		case c == '&':
			from = i + 1
			inName = true
		case !inName:
		case c == '%' || c == '+' || c == ';':
			return false
		case c == '=':
			if name := query[from:i]; name == "rest_route" || name == "_method" {
				return false
			}
			inName = false
		}
	}
	return true
}
