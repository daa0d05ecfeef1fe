// Entity tags (RFC 9110, section 8.8.3) and the conditions that name them.

package respond

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

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
	// What there is at all, which * asks for, only the answer itself can tell.
	return condition != "" && condition != "*" && tag != "" && r.Form == nil && r.Reads() && Matches(condition, tag)
}

// condition returns the entity tags that the caller has, "" for none.
func (r *Request) condition() string {
	if list := r.Header["If-None-Match"]; len(list) > 0 {
		return list[0]
	}
	return ""
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
