// The tables of the fields of records.

package store

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Field is a field of a record, or of a part of a record.
type Field[T any] struct {
	Name string // on disk, as its tag in the struct says too
	API  string // member in the API; "" is Name, "-" is no member
	Use  Use
	At   func(*T) any // returns a pointer to the value
}

// Use has properties of a field.
type Use uint8

const (
	Must  Use = 1 << iota // written even if it is empty
	Word                  // a text that many records share
	Plain                 // stored and shown as it is sent: it has no rule of its own
)

// Member returns the name of the member that has the field in requests and answers, "-" without one.
func (f *Field[T]) Member() string { return cmp.Or(f.API, f.Name) }

// Upper returns the name in capital letters, with a text between its words: as a column, or a line of a calendar.
func (f *Field[T]) Upper(between string) string {
	return strings.ToUpper(strings.ReplaceAll(f.Name, "_", between))
}

// IsFlag reports whether the values are true and false.
func (f *Field[T]) IsFlag() bool {
	_, is := f.At(new(T)).(*bool)
	return is
}

// PlainFields returns the plain fields of a table from a member up to another, which is excluded; "" is the end.
func PlainFields[T any](fields []Field[T], from, to string) (plain []Field[T]) {
	for _, f := range fields {
		if f.Member() == to {
			break
		}
		if f.Use&Plain != 0 && (len(plain) > 0 || f.Member() == from || from == "") {
			plain = append(plain, f)
		}
	}
	return plain
}

// Same reports whether two records have the same value.
func (f *Field[T]) Same(a, b *T) bool { return f.take(a, b, false) }

// Copy sets a field to the value of another record. Records share slices, which are replaced and never changed.
func (f *Field[T]) Copy(to, from *T) { f.take(to, from, true) }

// take reports whether two records have the same value, and may copy it.
func (f *Field[T]) take(to, from *T, set bool) (same bool) {
	value := f.At(from)
	switch p := f.At(to).(type) {
	case *string:
		return take(p, value, set)
	case *bool:
		return take(p, value, set)
	case *int64:
		return take(p, value, set)
	case *Status:
		return take(p, value, set)
	case *Wall:
		return take(p, value, set)
	case *time.Time:
		same = p.Equal(*value.(*time.Time))
		return take(p, value, set) || same
	case *[]int64:
		return takeList(p, value, set)
	case *[]string:
		return takeList(p, value, set)
	}
	panic("store: values of the field " + f.Name + " cannot be compared")
}

func take[V comparable](to *V, value any, set bool) (same bool) {
	from := *value.(*V)
	if same = *to == from; set {
		*to = from
	}
	return same
}

func takeList[V comparable](to *[]V, value any, set bool) (same bool) {
	from := *value.(*[]V)
	if same = slices.Equal(*to, from); set {
		*to = from
	}
	return same
}
