package oldsite

import (
	"context"
	"net/url"
	"regexp"
)

// Facts are what a site tells of itself; "" is unknown.
type Facts struct {
	Name     string `json:"name,omitempty"` // HTML
	Zone     string `json:"zone,omitempty"`
	Offset   string `json:"offset,omitempty"`   // hours, of a site without a zone
	Language string `json:"language,omitempty"` // tag
}

// Facts returns the facts of a site, from the index of its API and the page that was named. A site
// may tell none, which is no error.
func (s *Site) Facts(ctx context.Context) Facts {
	f := Facts{Language: s.language}
	root, err := url.Parse(namespaced.ReplaceAllString(s.Root.String(), "/"))
	if err != nil {
		return f
	}
	defer func(tries int) { s.crawler.Tries = tries }(s.crawler.Tries)
	s.crawler.Tries = 1
	page, err := s.crawler.Get(ctx, root.String())
	if judge(root.String(), page, err) != nil {
		return f
	}
	told := Decode(page.Body)
	f.Name = Text(told["name"])
	f.Zone = Text(told["timezone_string"])
	f.Offset = Text(told["gmt_offset"])
	return f
}

// PathOf returns the path of an API by its address, also by one with rest_route.
func PathOf(root string) string {
	u, err := url.Parse(root)
	if err != nil {
		return ""
	}
	if route := u.Query().Get("rest_route"); route != "" {
		return "/wp-json" + route
	}
	return u.Path
}

// languageTag finds the language at the beginning of a page.
var languageTag = regexp.MustCompile(`(?i)<html\b[^>]*?\blang\s*=\s*["']?([A-Za-z][\w-]*)`)

// languageOf returns the tag of the language of a page, or "".
func languageOf(page []byte) string {
	if found := languageTag.FindSubmatch(page[:min(len(page), 64<<10)]); found != nil {
		return string(found[1])
	}
	return ""
}
