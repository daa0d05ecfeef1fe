// Tests of the table of members.

package write

import (
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/store"
)

// noMember has the fields of an event without a member, with the reason.
var noMember = map[string]string{
	"ID":         "says which event it is",
	"Rev":        "is set by the store",
	"Modified":   "is when a member changed",
	"Former":     "is kept by the store when the slug changes",
	"Origins":    "says which event elsewhere this one was, and no other",
	"Proposal":   "is set by the desk alone",
	"Recurrence": "says which of a series it is",
	"Parts":      "says which series are beside the one that it is the template of",
	"More":       "is kept by the store for a later version",
}

// Every field of an event is in one member, or has a reason.
func TestMembers(t *testing.T) {
	t.Parallel()
	filled := fill(t, reflect.ValueOf(new(store.Event)).Elem()).Interface().(store.Event)
	owners := map[string][]string{}
	names := differing(&filled, new(store.Event))
	for _, member := range names {
		var e store.Event
		copyMembers(&e, &filled, func(name string) bool { return name == member })
		if got := differing(&e, new(store.Event)); !slices.Equal(got, []string{member}) {
			t.Errorf("with %s copied, %q differ", member, got)
		}
		for name, is := range set(reflect.ValueOf(e), reflect.ValueOf(filled)) {
			if is {
				owners[name] = append(owners[name], member)
			}
		}
		if got := differing(&e, &filled); slices.Contains(got, member) ||
			len(got) != len(names)-1 {
			t.Errorf("with %s copied, %q differ from what it was copied from", member, got)
		}
	}
	for name := range set(reflect.ValueOf(filled), reflect.ValueOf(filled)) {
		if _, exempt := noMember[name]; (len(owners[name]) == 1) == exempt {
			t.Errorf(
				"the field %s is in the members %q, and is an exception: %v",
				name,
				owners[name],
				exempt,
			)
		}
		delete(owners, name)
	}
	if len(owners) > 0 {
		t.Errorf("members of no field: %v", owners)
	}
	if !slices.IsSorted(names) {
		t.Errorf("the members %q are not in order", names)
	}
}

// fill sets every field of a struct to a nonzero value.
func fill(t *testing.T, v reflect.Value) reflect.Value {
	t.Helper()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Interface().(type) {
		case time.Time:
			f.Set(reflect.ValueOf(time.Unix(1, 0).UTC()))
		default:
			switch f.Kind() {
			case reflect.Struct:
				fill(t, f)
			case reflect.Bool:
				f.SetBool(true)
			case reflect.Int64:
				f.SetInt(7)
			case reflect.Uint64:
				f.SetUint(7)
			case reflect.String:
				f.SetString("x")
			case reflect.Slice:
				f.Set(reflect.MakeSlice(f.Type(), 1, 1))
			case reflect.Pointer:
				f.Set(reflect.New(f.Type().Elem()))
			default:
				t.Fatalf("no value for %v", f.Type())
			}
		}
	}
	return v
}

// set reports for each field of a struct, nested ones too, whether it equals that of another
// struct.
func set(v, like reflect.Value) map[string]bool {
	all := map[string]bool{}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Anonymous {
			maps.Copy(all, set(v.Field(i), like.Field(i)))
		} else {
			all[f.Name] = cmp.Equal(v.Field(i).Interface(), like.Field(i).Interface())
		}
	}
	return all
}
