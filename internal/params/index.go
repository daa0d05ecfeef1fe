// Finding rows by name: a list asks for some fifty of them in each request.

package params

import "fmt"

// An index finds the rows of one table by name.
type index struct {
	rows     int
	required bool // some row is
	// places holds rows, counted from 1, where the hash of their names says or
	// behind that; 0 ends a search.
	places [places]uint8
}

// places leaves half of the index free with the largest table that there is.
const places = 64

// newIndex makes the index of a table. It panics when the table is too large.
func newIndex(t Table) *index {
	if len(t) > places*3/4 {
		panic(fmt.Sprintf("params: a table of %d rows is too large to find them fast", len(t)))
	}
	x := &index{rows: len(t)}
	for i := range t {
		at := placeOf(t[i].Name)
		for x.places[at%places] != 0 {
			at++
		}
		x.places[at%places] = uint8(i + 1)
		x.required = x.required || t[i].Required
	}
	return x
}

// find returns the place of a name in the table of the index, or -1.
func (x *index) find(t Table, name string) int {
	for at := placeOf(name); ; at++ {
		i := int(x.places[at%places]) - 1
		if i < 0 || t[i].Name == name {
			return i
		}
	}
}

// placeOf hashes a name. The numbers are those by which most names of our
// tables have a place of their own.
func placeOf(name string) uint {
	n := len(name)
	if n == 0 {
		return 0
	}
	return uint(n) + 31*uint(name[0]) + 23*uint(name[n-1])
}

// indexAll makes the indexes of tables, by their first rows.
func indexAll(tables ...Table) map[*Row]*index {
	all := map[*Row]*index{}
	for _, t := range tables {
		all[&t[0]] = newIndex(t)
	}
	return all
}

// index returns the index of a table. The tables of operations have one; for what
// tests make of them it is made.
func (t Table) index() *index {
	if len(t) > 0 {
		if x := indexes[&t[0]]; x != nil && x.rows == len(t) {
			return x
		}
	}
	return newIndex(t)
}
