// The kinds of values: which forms each takes, and what it becomes.

package params

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/caltime"
)

// Limits of values.
const (
	maxText = 200_000 // bytes of one text
	maxList = 500     // items of one list
)

// A checker checks one value against its row.
type checker struct {
	row    *Row
	raw    raw
	env    *Env
	reason string // why it is refused; "" when it is not
	typed  bool   // only its JSON type is wrong
}

// refuse notes why the value cannot be taken. The first reason stands.
func (c *checker) refuse(format string, args ...any) {
	if c.reason == "" {
		c.reason = fmt.Sprintf(format, args...)
	}
}

// wrongType notes that the value has the wrong JSON type.
func (c *checker) wrongType(want string) {
	if c.reason == "" {
		c.reason, c.typed = fmt.Sprintf("%s is not of type %s.", c.row.Name, want), true
	}
}

// check gives the value that the row makes of what was sent.
func (c *checker) check() any {
	switch c.row.Kind {
	case Page:
		return c.page()
	case ID:
		return c.id()
	case Digits:
		return c.digits()
	case Bool:
		return c.boolean()
	case Word:
		return c.word()
	case Loose:
		return c.loose()
	case Text:
		return c.text(c.row.Empty)
	case Optional:
		return c.text(true)
	case Slug:
		return c.slug()
	case Date:
		return c.date()
	case URL:
		return c.url()
	case Status:
		return c.status()
	case Statuses:
		return c.statuses()
	case Zone:
		return c.zone()
	case Image:
		return c.image()
	case Cost:
		return c.raw.value
	case Number:
		return c.number()
	case Latitude:
		return c.degrees(90)
	case Longitude:
		return c.degrees(180)
	case Include:
		return c.include()
	case IDs:
		return c.ids()
	case TermIDs:
		return c.termIDs()
	case Terms:
		return c.terms()
	case TermRefs:
		return c.termRefs()
	case Links:
		return c.links()
	case Password:
		return c.text(true)
	}
	return c.raw.value
}

// integer reads a whole number from a JSON number or from text.
func integer(v any) (int64, bool) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimRight(v, " ")
	default:
		return 0, false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 || strings.ContainsAny(text, "xX_nN") {
		return 0, false
	}
	return int64(f), true
}

// digitsOf reads text of digits or a whole JSON number; numbers too large for
// us name nothing, so they are as good as the largest.
func digitsOf(v any) (int64, bool) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	default:
		return 0, false
	}
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		n = math.MaxInt64
	}
	return n, true
}

func (c *checker) page() int64 {
	n, ok := integer(c.raw.value)
	if !ok || n < 1 {
		c.refuse("%s must be a whole number from 1.", c.row.Name)
	}
	return n
}

func (c *checker) id() int64 {
	n, ok := digitsOf(c.raw.value)
	if !ok || n < 1 || !c.env.Known.Has(c.row.Of, n) {
		c.refuse("%s must be the id of an existing %s.", c.row.Name, c.row.Of)
	}
	return n
}

func (c *checker) digits() int64 {
	n, ok := digitsOf(c.raw.value)
	if !ok {
		if text, isText := c.raw.value.(string); isText && !c.row.Path {
			if _, found := c.env.Known.Find(c.row.Of, text); found {
				c.wrongType("integer") // the right one, by its slug
			}
		}
		c.refuse("%s must be the id of a record, in digits.", c.row.Name)
	}
	if !c.row.Path && n != 0 && c.reason == "" && !c.env.Known.Has(c.row.Of, n) {
		c.refuse("%s must be the id of an existing %s, or 0 for none.", c.row.Name, c.row.Of)
	}
	return n
}

func (c *checker) boolean() bool {
	switch v := c.raw.value.(type) {
	case bool:
		return v
	case string:
		switch strings.ToLower(v) {
		case "true", "1":
			return true
		case "false", "0":
			return false
		}
	case json.Number:
		switch v.String() {
		case "1":
			return true
		case "0":
			return false
		}
	}
	c.wrongType("boolean")
	return false
}

func (c *checker) word() bool {
	switch v := c.raw.value.(type) {
	case bool:
		return v
	case string:
		switch strings.ToLower(v) {
		case "1", "true", "yes", "y", "on", "enable", "enabled":
			return true
		}
		return false
	case json.Number:
		if c.row.Type == "" {
			return v.String() == "1"
		}
	}
	if c.row.Type != "" {
		c.wrongType(c.row.Type)
	}
	return false
}

func (c *checker) loose() bool {
	switch v := c.raw.value.(type) {
	case bool:
		return v
	case string:
		if v != "" && v != "0" {
			switch strings.ToLower(v) {
			case "1", "true", "on", "yes":
				return true
			}
			return false
		}
	}
	c.refuse("%s must be true or false.", c.row.Name)
	return false
}

func (c *checker) text(empty bool) string {
	s, ok := c.raw.value.(string)
	switch {
	case !ok:
		c.refuse("%s must be a text.", c.row.Name)
	case !empty && (s == "" || s == "0"):
		c.refuse("%s must be a text that is not empty.", c.row.Name)
	case strings.ContainsRune(s, 0):
		c.refuse("%s must not hold NUL characters.", c.row.Name)
	case !utf8.ValidString(s):
		c.refuse("%s must be valid UTF-8.", c.row.Name)
	case len(s) > maxText:
		c.refuse("%s must not be longer than %d bytes.", c.row.Name, maxText)
	}
	return s
}

func (c *checker) slug() string {
	s := c.text(false)
	if c.reason == "" {
		if _, ok := c.env.Known.Find(c.row.Of, s); !ok {
			c.refuse("%s must be the slug of an existing %s.", c.row.Name, c.row.Of)
		}
	}
	return s
}

// date keeps the text: in which zone it is meant is known only when the zone
// of the same request is.
func (c *checker) date() string {
	if _, ok := c.raw.value.(json.Number); ok {
		c.wrongType("string")
		return ""
	}
	s, ok := c.raw.value.(string)
	if !ok {
		c.refuse("%s must be a text with a date.", c.row.Name)
		return ""
	}
	if _, err := caltime.Parse(s, c.env.Now, c.env.Site); err != nil {
		c.refuse("%s: %v.", c.row.Name, err)
	}
	return s
}

func (c *checker) url() string {
	switch v := c.raw.value.(type) {
	case bool:
		if !v {
			return ""
		}
	case json.Number:
		if v.String() == "0" {
			return ""
		}
	case string:
		if v == "" || v == "0" || isURL(v) {
			return v
		}
	}
	c.refuse("%s must be an address with a scheme, such as https://example.org/.", c.row.Name)
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
		return u.Host != ""
	case "mailto":
		return strings.Contains(u.Opaque, "@")
	}
	return false
}

// writable are the statuses that can be set.
var writable = []string{"publish", "future", "draft", "pending", "private", "trash"}

func (c *checker) status() string {
	s, ok := c.raw.value.(string)
	for _, known := range writable {
		if ok && s == known {
			return s
		}
	}
	c.refuse("%s must be one of %s.", c.row.Name, strings.Join(writable, ", "))
	return ""
}

// statuses takes what a filter by status may name; whether the caller may see
// such records is decided elsewhere.
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
	return list
}

func (c *checker) zone() *caltime.Zone {
	s, ok := c.raw.value.(string)
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

func (c *checker) number() float64 {
	var text string
	switch v := c.raw.value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		c.refuse("%s must be a number.", c.row.Name)
	}
	return f
}

// degrees takes a number of degrees on the globe.
func (c *checker) degrees(limit float64) float64 {
	f := c.number()
	if math.Abs(f) > limit {
		c.refuse("%s must be a number of degrees from -%g to %g.", c.row.Name, limit, limit)
	}
	return f
}

// String names a thing for people.
func (t Thing) String() string {
	return [...]string{"record", "account", "event", "venue", "organizer", "category", "tag", "image"}[t]
}
