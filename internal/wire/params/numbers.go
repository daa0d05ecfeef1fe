// Numbers and truth values.

package params

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// numeral returns the text of a value that may be a number: of a JSON number or a string; "" for
// others.
func numeral(v any) string {
	switch v := v.(type) {
	case json.Number:
		return v.String()
	case string:
		return v
	}
	return ""
}

// integer reads a whole number from a JSON number or from text, which may have
// an exponent and trailing spaces.
func integer(v any) (int64, bool) {
	text := strings.TrimRight(numeral(v), " ")
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, ok := decimal(text)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// decimal reads a number that is written in decimal digits, which may have a sign, a
// point and an exponent: not 0x1p3, 1_0 and inf, which are numbers to Go alone.
func decimal(text string) (float64, bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, false
	}
	return f, true
}

// digitsOf reads text of digits or a whole JSON number; numbers too large for
// us name nothing, so they are as good as the largest.
func digitsOf(v any) (int64, bool) {
	text := strings.TrimSpace(numeral(v))
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, _ := strconv.ParseInt(text, 10, 64) // which returns the largest
	return n, true
}

func (c *checker) page() int64 {
	n, ok := integer(c.sent)
	if !ok || n < 1 {
		c.refuse("%s must be a whole number from 1.", c.row.Name)
	}
	return n
}

// monthsMost is how many months a window may have.
const monthsMost = 1200

func (c *checker) months() int64 {
	n, ok := integer(c.sent)
	if !ok || n < 1 || n > monthsMost {
		c.refuse("%s must be a whole number from 1 to %d.", c.row.Name, monthsMost)
	}
	return n
}

func (c *checker) id() int64 {
	n, ok := digitsOf(c.sent)
	if !ok {
		c.named()
	}
	if !ok || n < 1 || !c.env.Known.Has(c.row.Of, n, c.row.Path) {
		c.refuse("%s must be the id of an existing %s.", c.row.Name, c.row.Of)
	}
	return n
}

// named refuses what is named by its slug where an id is asked for: it has the wrong
// type, and nothing else is wrong with it. Clients know that of records above others.
func (c *checker) named() {
	text, ok := c.sent.(string)
	if !ok || c.row.Path || c.row.Kind == ID && c.row.Of != Category {
		return
	}
	if _, found := c.env.Known.Find(c.row.Of, text, c.row.Path); found {
		c.wrongType("integer")
	}
}

// digits takes an id: in a path whatever it names, elsewhere 0 or that of
// something.
func (c *checker) digits() int64 {
	n, ok := digitsOf(c.sent)
	if !ok {
		c.named()
		c.refuse("%s must be the id of a record, in digits.", c.row.Name)
	}
	if !c.row.Path && n != 0 && c.reason == "" && !c.env.Known.Has(c.row.Of, n, c.row.Path) {
		c.refuse("%s must be the id of an existing %s, or 0 for none.", c.row.Name, c.row.Of)
	}
	return n
}

func (c *checker) boolean() bool {
	if v, ok := c.sent.(bool); ok {
		return v
	}
	switch strings.ToLower(numeral(c.sent)) {
	case "true", "1":
		return true
	case "false", "0":
		return false
	}
	c.wrongType("boolean")
	return false
}

// word takes words; where the row says that it is a string, JSON numbers and
// lists are refused. JSON booleans pass, since records show them.
func (c *checker) word() bool {
	switch v := c.sent.(type) {
	case bool:
		return v
	case string:
		return slices.Contains([]string{"1", "true", "yes", "y", "on", "enable", "enabled"}, strings.ToLower(v))
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
	switch v := c.sent.(type) {
	case bool:
		return v
	case string:
		if v != "" && v != "0" {
			return slices.Contains([]string{"1", "true", "on", "yes"}, strings.ToLower(v))
		}
	}
	c.refuse("%s must be true or false.", c.row.Name)
	return false
}

func (c *checker) number() float64 {
	f, ok := decimal(strings.TrimSpace(numeral(c.sent)))
	if !ok {
		c.refuse("%s must be a number in decimal digits.", c.row.Name)
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
