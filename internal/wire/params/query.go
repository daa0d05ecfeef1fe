// Query strings and forms, with the bracket notation that clients of the
// original send: a[]=1, a[0]=1, a[k]=v, a[0][k]=v.

package params

import (
	"net/url"
	"strconv"
	"strings"
)

// maxItems bounds the lists and maps that brackets can make of one request: three bytes of a body
// make a map. Further ones are not read. It is more than all lists of an operation may hold.
const maxItems = 10_000

// parseQuery reads an encoded query or form. Undecodable parts are taken as they stand; of equal
// names the last wins.
func parseQuery(query string) map[string]any {
	var n nest
	for query != "" {
		var part string
		part, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(part, "=")
		n.add(unescape(name), unescape(value))
	}
	return n.done()
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

// A nest builds the values of names with brackets; most names have none.
type nest struct {
	values map[string]any // a *branch where there were brackets
	items  int            // brackets so far
}

// add takes one name with its value. A name of nothing is no name.
func (n *nest) add(name, value string) {
	name, keys := splitName(name)
	if n.items += len(keys); name == "" || n.items > maxItems {
		return
	}
	if n.values == nil {
		n.values = map[string]any{}
	}
	if keys == nil {
		n.values[name] = value
		return
	}
	at, ok := n.values[name].(*branch)
	if !ok {
		at = &branch{values: map[string]any{}}
		n.values[name] = at
	}
	for i, key := range keys {
		if key == "" {
			key = strconv.Itoa(at.next)
		}
		if i == len(keys)-1 {
			at.set(key, value)
			return
		}
		below, ok := at.values[key].(*branch)
		if !ok {
			below = &branch{values: map[string]any{}}
			at.set(key, below)
		}
		at = below
	}
}

// done returns the values, nil for none.
func (n *nest) done() map[string]any {
	if n.items > 0 {
		for name, value := range n.values {
			n.values[name] = settle(value)
		}
	}
	return n.values
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
	base := name[:open]
	rest := name[open:]
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
