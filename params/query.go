// Query strings and forms, with the bracket notation that clients of the
// original send: a[]=1, a[0]=1, a[k]=v, a[0][k]=v.

package params

import (
	"net/url"
	"strconv"
	"strings"
)

// maxItems bounds the lists and maps that brackets can make of one request:
// three bytes of a body make a map. What goes beyond is not read. It is more
// than all lists of an operation may hold.
const maxItems = 10_000

// parse adds the parameters of an encoded query or form. What cannot be decoded
// is taken as it stands; of equal names the last wins, and brackets of different
// names add up.
func (b *bag) parse(query string) {
	start := len(b.list)
	for rest := query; rest != ""; {
		var part string
		if part, rest, _ = strings.Cut(rest, "&"); part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		if name = unescape(name); strings.IndexByte(name, '[') >= 0 {
			b.truncate(start)
			b.setAll(parseBrackets(query))
			return
		}
		if name != "" {
			b.set(name, unescape(value))
		}
	}
}

// parseBrackets reads a query or form that has names with brackets.
func parseBrackets(query string) map[string]any {
	var pairs [][2]string
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		pairs = append(pairs, [2]string{unescape(name), unescape(value)})
	}
	return nest(pairs)
}

func unescape(s string) string {
	if text, err := url.QueryUnescape(s); err == nil {
		return text
	}
	return s
}

// A branch is a list or a map while it is being built: keys in order.
type branch struct {
	keys   []string
	values map[string]any
	next   int // the key that [] gets
}

// nest builds the values of names with brackets.
func nest(pairs [][2]string) map[string]any {
	root := &branch{values: map[string]any{}}
	items := 0
	for _, pair := range pairs {
		name, keys := splitName(pair[0])
		if items += len(keys); name == "" || items > maxItems {
			continue
		}
		at, key := root, name
		for _, k := range keys {
			below, ok := at.values[key].(*branch)
			if !ok {
				below = &branch{values: map[string]any{}}
				at.set(key, below)
			}
			at, key = below, k
			if key == "" {
				key = strconv.Itoa(at.next)
			}
		}
		at.set(key, pair[1])
	}
	values := map[string]any{}
	for key, v := range root.values {
		values[key] = settle(v)
	}
	return values
}

func (b *branch) set(key string, value any) {
	if _, ok := b.values[key]; !ok {
		b.keys = append(b.keys, key)
	}
	b.values[key] = value
	if n, err := strconv.Atoi(key); err == nil && n >= b.next && n < maxItems {
		b.next = n + 1
	}
}

// splitName takes a name apart at its brackets: a[b][] is a, with b and "".
func splitName(name string) (string, []string) {
	open := strings.IndexByte(name, '[')
	if open <= 0 || !strings.Contains(name[open:], "]") {
		return name, nil
	}
	base, rest := name[:open], name[open:]
	var keys []string
	for strings.HasPrefix(rest, "[") {
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			break
		}
		keys = append(keys, rest[1:end])
		rest = rest[end+1:]
	}
	return base, keys
}

// settle turns branches into lists, where the keys count from 0, and maps.
func settle(v any) any {
	b, ok := v.(*branch)
	if !ok {
		return v
	}
	list := make([]any, 0, len(b.keys))
	for i, key := range b.keys {
		if key != strconv.Itoa(i) {
			list = nil
			break
		}
		list = append(list, settle(b.values[key]))
	}
	if list != nil {
		return list
	}
	m := make(map[string]any, len(b.keys))
	for _, key := range b.keys {
		m[key] = settle(b.values[key])
	}
	return m
}
