// Texts, and what is written as a text: slugs, dates, addresses, statuses and
// zones.

package params

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/text/caltime"
)

func (c *checker) text(empty bool) {
	s, ok := c.sent.(string)
	switch {
	case !ok:
		c.refuse("%s must be a text.", c.row.Name)
	case !empty && (s == "" || s == "0"),
		s == "0" && c.row.Name == "slug" && c.row.Kind == Text: // no path could name it
		c.refuse("%s must be a text that is not empty.", c.row.Name)
	case strings.ContainsRune(s, 0):
		c.refuse("%s must not hold NUL characters.", c.row.Name)
	case !utf8.ValidString(s):
		c.refuse("%s must be a text in UTF-8.", c.row.Name)
	case len(s) > maxText:
		c.refuse("%s must not be longer than %d bytes.", c.row.Name, maxText)
	}
}

func (c *checker) choice() {
	if s, ok := c.sent.(string); !ok || !slices.Contains(c.row.Enum, s) {
		c.refuse("%s must be one of %s.", c.row.Name, strings.Join(c.row.Enum, ", "))
	}
}

// choices takes a list of texts of Enum.
func (c *checker) choices() (list []string) {
	for _, item := range c.items() {
		s, _ := item.(string)
		if s = strings.TrimSpace(s); !slices.Contains(c.row.Enum, s) {
			c.refuse("%s must be a list of %s.", c.row.Name, strings.Join(c.row.Enum, ", "))
		}
		list = append(list, s)
	}
	return list
}

func (c *checker) slug() {
	c.text(false)
	if s, ok := c.sent.(string); ok && c.reason == "" {
		if _, ok := c.env.Known.Find(c.row.Of, s, c.row.Path); !ok {
			c.refuse("%s must be the slug of an existing %s.", c.row.Name, c.row.Of)
		}
	}
}

// date leaves the text as it is: in which zone it is meant is known only when the zone
// of the same request is.
func (c *checker) date() {
	switch s := c.sent.(type) {
	case string:
		if _, err := caltime.Parse(s, c.env.Now, c.env.Site); err != nil {
			c.refuse("%s: %v.", c.row.Name, err)
		}
	case json.Number:
		c.wrongType("string")
	default:
		c.refuse("%s must be a text with a date.", c.row.Name)
	}
}

func (c *checker) url() string {
	switch v := c.sent.(type) {
	case bool:
		if !v {
			return ""
		}
	case json.Number:
		if v.String() == "0" {
			return ""
		}
	case string:
		if v == "" || v == "0" {
			return ""
		}
		isWeb := len(v) > 4 && strings.EqualFold(v[:4], "http")
		if len(v) <= maxText && isURL(v) && (isWeb || !c.row.Web) {
			return v
		}
	}
	schemes := "http, https, ftp or mailto"
	if c.row.Web {
		schemes = "http or https"
	}
	c.refuse(
		"%s must be an address in ASCII with the scheme %s, such as https://example.org/.",
		c.row.Name,
		schemes,
	)
	return ""
}

// isURL reports whether a text is an address with a scheme that may be linked
// to: ASCII, with a host, or mailto with an account.
func isURL(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https", "ftp":
		return u.Hostname() != ""
	case "mailto":
		return strings.Contains(u.Opaque, "@")
	}
	return false
}

// writable are the statuses that can be set.
var writable = []string{"publish", "future", "draft", "pending", "private", "trash"}

func (c *checker) status() {
	s, _ := c.sent.(string)
	if !slices.Contains(writable, s) {
		c.refuse("%s must be one of %s.", c.row.Name, strings.Join(writable, ", "))
	}
}

// statuses takes what a filter by status may name, if the caller may ask for it.
func (c *checker) statuses() []string {
	var list []string
	for _, item := range c.items() {
		s, ok := item.(string)
		if !ok {
			c.refuse("%s must be a list of statuses.", c.row.Name)
			return nil
		}
		list = append(list, strings.TrimSpace(s))
	}
	if may := c.env.Statuses; may != nil && c.reason == "" {
		if reason := may(list); reason != "" {
			c.refuse("%s", reason)
		}
	}
	return list
}

func (c *checker) zone() *caltime.Zone {
	s, ok := c.sent.(string)
	if !ok {
		c.refuse("%s must be a text with a time zone.", c.row.Name)
		return nil
	}
	if s == "" {
		return nil
	}
	z, err := c.env.Zones.Load(s)
	if err != nil {
		c.refuse("%s: %v.", c.row.Name, err)
	}
	return z
}
