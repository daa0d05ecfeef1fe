// Values that PHP serialized, as metadata of WordPress has them.

package files

import (
	"strconv"
	"strings"
)

// A phpArray is an array of PHP by its keys.
type phpArray map[string]any

// Bounds of a value: metadata of pictures has some hundred parts, three deep.
const (
	phpDeepest = 8
	phpParts   = 10_000
)

// A phpReader reads a value: nil, a bool, an int64, a float64, a string or a phpArray.
type phpReader struct {
	rest  string
	parts int
}

// unserialize returns a value, or false for a text that is none. It makes no objects.
func unserialize(text string) (any, bool) {
	r := &phpReader{rest: text}
	value, ok := r.value(0)
	return value, ok && r.rest == ""
}

func (r *phpReader) value(depth int) (any, bool) {
	kind, rest, _ := strings.Cut(r.rest, ":")
	if r.parts++; r.parts > phpParts {
		return nil, false
	}
	if after, isNull := strings.CutPrefix(r.rest, "N;"); isNull {
		r.rest = after
		return nil, true
	}
	r.rest = rest
	switch kind {
	case "s":
		return r.text()
	case "a":
		return r.array(depth)
	}
	word, rest, ok := strings.Cut(r.rest, ";")
	r.rest = rest
	var value any
	var err error
	switch kind {
	case "i":
		value, err = strconv.ParseInt(word, 10, 64)
	case "d":
		value, err = strconv.ParseFloat(word, 64)
	case "b":
		value, err = strconv.ParseBool(word)
	default:
		return nil, false
	}
	return value, ok && err == nil
}

// length returns the number before the next colon.
func (r *phpReader) length() (n int, ok bool) {
	word, rest, ok := strings.Cut(r.rest, ":")
	n, err := strconv.Atoi(word)
	r.rest = rest
	return n, ok && err == nil && 0 <= n && n <= len(rest)
}

func (r *phpReader) text() (any, bool) {
	n, ok := r.length()
	if !ok || n+3 > len(r.rest) || r.rest[0] != '"' || r.rest[n+1:n+3] != `";` {
		return nil, false
	}
	text := r.rest[1 : n+1]
	r.rest = r.rest[n+3:]
	return text, true
}

func (r *phpReader) array(depth int) (any, bool) {
	n, ok := r.length()
	if !ok || depth == phpDeepest || !r.skip("{") {
		return nil, false
	}
	all := phpArray{}
	for range n {
		key, ok := r.value(phpDeepest)
		if !ok {
			return nil, false
		}
		value, ok := r.value(depth + 1)
		if !ok {
			return nil, false
		}
		switch key := key.(type) {
		case string:
			all[key] = value
		case int64:
			all[strconv.FormatInt(key, 10)] = value
		default:
			return nil, false
		}
	}
	return all, r.skip("}")
}

func (r *phpReader) skip(mark string) bool {
	rest, ok := strings.CutPrefix(r.rest, mark)
	r.rest = rest
	return ok
}
