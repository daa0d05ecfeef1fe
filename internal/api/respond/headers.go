// The header fields that go with every answer; entity tags (RFC 9110, section 8.8.3) and
// the conditions that name them.

package respond

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Values of fields that never change. They are shared by all answers.
var (
	jsonType = []string{"application/json; charset=UTF-8"}
	noIndex  = []string{"noindex"}
	noSniff  = []string{"nosniff"}
	exposed  = []string{
		"X-WP-Total, X-WP-TotalPages, X-TEC-Total, X-TEC-TotalPages, Link, Location, Content-Location, ETag",
	}
	allowedFields = []string{
		"Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-Match, If-None-Match",
	}
	varies           = []string{"Origin, Authorization, Accept-Encoding"}
	variesByLanguage = []string{varies[0] + ", Accept-Language"}
	variesByFormat   = []string{varies[0] + ", Accept"}
	variesByBoth     = []string{varies[0] + ", Accept, Accept-Language"}
	crossMethods     = []string{"OPTIONS, GET, POST, PUT, PATCH, DELETE"}
	notStored        = []string{"no-cache, must-revalidate, max-age=0, no-store, private"}
	expired          = []string{"Wed, 11 Jan 1984 05:00:00 GMT"}
	revalidated      = []string{"public, no-cache"}
	keptByOne        = []string{"private, no-cache"}
	noReferrer       = []string{"no-referrer"}
	gzipped          = []string{"gzip"}
)

// setHeaders sets what goes with every answer. Keys are in canonical form, but
// for those that clients know in another.
func (r *Request) setHeaders(h http.Header, a *Response) {
	h["Link"] = append(r.Root[:1:1], a.Links...)
	h["Content-Language"] = r.Language
	h["X-Robots-Tag"] = noIndex
	h["X-Content-Type-Options"] = noSniff
	h["Access-Control-Expose-Headers"] = exposed
	h["Access-Control-Allow-Headers"] = allowedFields
	h["Vary"] = varies
	switch {
	case r.Chosen && r.Negotiated:
		h["Vary"] = variesByBoth
	case r.Chosen:
		h["Vary"] = variesByLanguage
	case r.Negotiated:
		h["Vary"] = variesByFormat
	}
	if r.Fields != nil && r.Header["Access-Control-Request-Headers"] != nil {
		h["Access-Control-Allow-Headers"] = r.Fields
	}
	if origin := r.Header["Origin"]; !r.Own && len(origin) > 0 && origin[0] != "" {
		h["Access-Control-Allow-Origin"] = origin[:1:1]
		h["Access-Control-Allow-Methods"] = crossMethods
	}
	if r.Secret {
		h["Referrer-Policy"] = noReferrer
	}
	switch public := r.isPublic(a); {
	case public && r.Secret:
		h["Cache-Control"] = keptByOne
	case public && r.Shared != nil:
		h["Cache-Control"] = r.Shared
	case public:
		h["Cache-Control"] = revalidated
	default:
		h["Cache-Control"] = notStored
		h["Expires"] = expired
	}
	if r.Allow != nil {
		h["Allow"] = r.Allow
	}
	if r.Ignored != "" {
		h["X-Almanac-Ignored"] = []string{r.Ignored}
	}
	if r.Adjusted != "" && a.Status < http.StatusBadRequest {
		h["X-Almanac-Adjusted"] = []string{r.Adjusted}
	}
	for name, value := range a.Header {
		h[name] = []string{value} // spelled as clients know it
	}
	if a.Total != nil {
		totals := []string{strconv.Itoa(a.Total.Items), strconv.Itoa(a.Total.Pages)}
		h["X-TEC-Total"], h["X-TEC-TotalPages"] = totals[:1:1], totals[1:]
		h["X-WP-Total"], h["X-WP-TotalPages"] = totals[:1:1], totals[1:]
	}
}

// staleIfError is how long caches show what they have while the server does not answer.
const staleIfError = 24 * time.Hour

// SharedFor returns the value of Cache-Control that lets caches show an answer for a time
// without asking, and for as long again while they ask (RFC 9111, RFC 5861). Browsers ask
// each time.
func SharedFor(long time.Duration) []string {
	seconds := strconv.Itoa(int(long / time.Second))
	return []string{
		"public, max-age=0, s-maxage=" + seconds + ", stale-while-revalidate=" + seconds +
			", stale-if-error=" + strconv.Itoa(int(staleIfError/time.Second)),
	}
}

// isPublic reports whether caches may show the answer to every client that asks for the same
// address, for as long as Shared says or after revalidation. They must not when it depends on more
// than the address and the headers in Vary, when it is about one caller, or when it shows content
// that a password opens.
func (r *Request) isPublic(a *Response) bool {
	switch {
	case !r.Reads() || a.Status != http.StatusOK && a.Status != http.StatusNotModified:
		return false
	case r.Header["Authorization"] != nil || r.Header["X-Http-Method-Override"] != nil:
		return false
	case r.ContentLength != 0: // a body says what is asked for, and caches do not read it
		return false
	}
	return !r.Private
}

// MoreFields returns the value of a header that lets pages of other sites send some
// fields beside those that every server allows.
func MoreFields(names []string) []string {
	return []string{strings.Join(append(allowedFields[:1:1], names...), ", ")}
}

// Tag returns an entity tag that names the state of an answer by its bytes.
func Tag(body []byte) string {
	sum := sha256.Sum256(body)
	return TagOf(sum[:])
}

// TagOf returns the beginning of a hash as an entity tag.
func TagOf(sum []byte) string {
	var array [34]byte
	return string(append(hex.AppendEncode(append(array[:0], '"'), sum[:16]), '"'))
}

// Matches reports whether a list of entity tags holds one. Tags of compressed
// answers count as those of the same answer uncompressed.
func Matches(list, tag string) bool {
	if list == tag {
		return true // nearly always
	}
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
		item = strings.Replace(item, `-gzip"`, `"`, 1)
		if item == "*" || item == tag {
			return true
		}
	}
	return false
}

// NotModified reports whether the caller has the answer with a tag already.
func (r *Request) NotModified(tag string) bool {
	condition := r.condition()
	// Only the answer itself can tell whether anything exists, which is the condition *.
	return condition != "" && condition != "*" && tag != "" && r.Form == nil && r.Reads() &&
		Matches(condition, tag)
}

// condition returns the entity tags that the caller has, "" for none.
func (r *Request) condition() string {
	return strings.Join(r.Header["If-None-Match"], ", ")
}

// Reads reports whether the method asks for a representation.
func (r *Request) Reads() bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// gzipTag returns the entity tag of a compressed answer, "" for none.
func gzipTag(tag string) string {
	if tag == "" {
		return ""
	}
	return strings.TrimSuffix(tag, `"`) + `-gzip"`
}
