// Addresses of links.

package intake

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"almanac/store"
)

// hostFirst matches an address without a scheme, as people write it: www.example.org/page.
var hostFirst = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[\pL\pN-]+\.)+\pL{2,}\.?(?::\d+)?(?:[/?#]\S*)?$`)
})

// link returns a member that is the address of a link; "" if missing. A link that runs a script
// is an error. An address without a scheme gets one, as at the site that lists come from, unless
// the record is exact.
func (rd *reader) link(r *record, name string) string {
	text := r.text(name)
	if runsScript(text) {
		r.complain(name, "must be an address such as https://example.org/, not %.40q", text)
		return ""
	}
	if rd.isLimited() && !isWeb(text) {
		r.complain(name, "is no address of the web")
	}
	if rd.exact {
		return text
	}
	return WithScheme(text)
}

// online returns the address at which people take part in an event, "" if no page can link to it.
func (rd *reader) online(r *record) string {
	text := strings.TrimSpace(rd.link(r, "virtual_url"))
	at, err := url.Parse(text)
	if err != nil || at.Hostname() == "" || at.Scheme != "http" && at.Scheme != "https" {
		return ""
	}
	return text
}

// WithScheme returns an address with the scheme http if it has none, and other texts unchanged.
func WithScheme(text string) string {
	bare := strings.TrimSpace(text)
	switch {
	case hostFirst().MatchString(bare):
		return "http://" + bare
	case strings.HasPrefix(bare, "//"):
		return "http:" + bare
	}
	return text
}

// runsScript reports whether a browser would run an address, or show what is in it as a page. A
// browser skips spaces and control characters in a scheme.
func runsScript(address string) bool {
	plain := strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || unicode.IsControl(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, address)
	scheme, _, isAddress := strings.Cut(plain, ":")
	return isAddress && (scheme == "javascript" || scheme == "vbscript" || scheme == "data")
}

// isWeb reports whether an address, which may be a path, leads to the web.
func isWeb(address string) bool {
	at, err := url.Parse(address)
	return err == nil && (at.Scheme == "" || at.Scheme == "http" || at.Scheme == "https")
}

// checkLinks returns an error for an image with an address that runs a script.
func checkLinks(i *store.Image) error {
	addresses := []string{i.URL, i.Original}
	for _, size := range i.Sizes {
		addresses = append(addresses, size.URL)
	}
	for _, address := range addresses {
		if runsScript(address) && !strings.HasPrefix(address, "data:image/") {
			return fmt.Errorf(
				"image must be an address such as https://example.org/a.jpg, not %.40q",
				address,
			)
		}
	}
	return nil
}
