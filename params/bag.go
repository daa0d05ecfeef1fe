// What was sent, by name.

package params

// A bag holds the values of a request by name. Most requests send a handful, and
// looking through those is quicker than hashing; beyond few there is a map.
type bag struct {
	list []named
	at   map[string]int // positions in list; nil while they are few
}

type named struct {
	name  string
	value any
}

// few is how many names are looked through.
const few = 12

// get gives the value of a name, and whether there is one.
func (b *bag) get(name string) (any, bool) {
	if i := b.find(name); i >= 0 {
		return b.list[i].value, true
	}
	return nil, false
}

// set sets the value of a name, in the place of an earlier one.
func (b *bag) set(name string, value any) {
	if i := b.find(name); i >= 0 {
		b.list[i].value = value
		return
	}
	b.list = append(b.list, named{name, value})
	switch {
	case b.at != nil:
		b.at[name] = len(b.list) - 1
	case len(b.list) > few:
		b.at = make(map[string]int, 2*len(b.list))
		for i, n := range b.list {
			b.at[n.name] = i
		}
	}
}

// setAll sets every value of a map.
func (b *bag) setAll(values map[string]any) {
	for name, value := range values {
		b.set(name, value)
	}
}

// truncate forgets all but the first n names.
func (b *bag) truncate(n int) {
	b.list = b.list[:n]
	if b.at == nil {
		return
	}
	if n <= few {
		b.at = nil
		return
	}
	for name, i := range b.at {
		if i >= n {
			delete(b.at, name)
		}
	}
}

// find gives the position of a name, or -1.
func (b *bag) find(name string) int {
	if b.at != nil {
		if i, ok := b.at[name]; ok {
			return i
		}
		return -1
	}
	for i := range b.list {
		if b.list[i].name == name {
			return i
		}
	}
	return -1
}
