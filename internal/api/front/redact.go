// Addresses of requests as logs may have them.

package front

import (
	"net/url"
	"regexp"
	"strings"
)

// RedactURL returns path and query of an address, as logs may have them: without secrets that
// open something.
func RedactURL(u *url.URL) string {
	target := u.EscapedPath()
	if strings.Contains(u.Path, "?") || secret.MatchString(u.Path) {
		target = RedactPath(u.Path)
	}
	if u.RawQuery != "" {
		target += "?" + RedactQuery(u.RawQuery)
	}
	return target
}

// secretNames are the parameters whose values are in no log.
var secretNames = map[string]bool{
	"password":      true,
	"_wpnonce":      true,
	"token":         true,
	"access_token":  true,
	"authorization": true,
	"api_key":       true,
}

// RedactQuery returns a query without the values of parameters that open something,
// however their names are written, and without values that name one of them, as
// that of rest_route may.
func RedactQuery(query string) string {
	if query == "" {
		return ""
	}
	parts := strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' })
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		if secretNames[bareName(name)] || holdsSecret(value) {
			parts[i] = name + "=***"
		}
	}
	return strings.Join(parts, "&")
}

// secret is the beginning of the path of a feed or of a proposal, up to the secret in it.
var secret = regexp.MustCompile(`(?i)(/feeds/+|/suggest/+[0-9]+/+)[^/?]+`)

// RedactPath returns a decoded path without the secret of a feed or a proposal, and without the
// query that rest_route may have put into it.
func RedactPath(path string) string {
	path, query, ok := strings.Cut(secret.ReplaceAllString(path, "$1***"), "?")
	if !ok {
		return path
	}
	return path + "?" + RedactQuery(query)
}

// bareName returns the name of a parameter as the server understands it, in lower
// case and without brackets.
func bareName(name string) string {
	if decoded, err := url.QueryUnescape(name); err == nil {
		name = decoded
	}
	name, _, _ = strings.Cut(name, "[")
	return strings.ToLower(strings.TrimSpace(name))
}

// holdsSecret reports whether a value names one of the parameters itself, or the path of a feed or
// a proposal.
func holdsSecret(value string) bool {
	if decoded, err := url.QueryUnescape(value); err == nil {
		value = decoded
	}
	if path, err := url.PathUnescape(value); err == nil && secret.MatchString("/"+path) {
		return true
	}
	value = strings.ToLower(value)
	for name := range secretNames {
		if strings.Contains(value, name+"=") || strings.Contains(value, name+"[") ||
			strings.Contains(value, name+"%") {
			return true
		}
	}
	return false
}
