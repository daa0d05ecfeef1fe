// One record as it was read: its members by name and type.

package importer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/jsonin"
	"almanac/store"
)

// A record is an object of the wire. Its accessors are lenient where the
// language that the form comes from is: false and empty lists stand for empty
// texts, and numbers may be texts. What they cannot read is remembered as wrong.
type record struct {
	*jsonin.Value
	embedded bool            // inside an event
	partial  bool            // what it does not say stays as it is
	start    time.Time       // when an event of a seed begins
	only     map[string]bool // the members that count; nil is all
	names    *[]string       // what it is known by, in place of what it says; nil for that
	wrong    error           // the first
}

// knownBy makes some names what the record is known by, in place of those that it says.
func (r *record) knownBy(names ...string) { r.names = &names }

// parse reads an object.
func parse(v *jsonin.Value) (*record, error) {
	if v.Kind() != '{' {
		return nil, errors.New("is not an object")
	}
	return &record{Value: v}, nil
}

// wrap returns a record with one member.
func wrap(name string, v *jsonin.Value) *record {
	lead := `{"` + name + `":`
	text := slices.Concat([]byte(lead), v.Raw, []byte("}"))
	return &record{Value: &jsonin.Value{Raw: text, At: v.At - len(lead)}}
}

// Member returns a member that counts.
func (r *record) Member(name string) *jsonin.Value {
	if r.only != nil && !r.only[name] {
		return &jsonin.Value{}
	}
	return r.Value.Member(name)
}

// inField says that an error is about a member, with the words that stand before
// it where nobody tells the path.
func (r *record) inField(name, lead string, err error) error {
	at := r.At
	if m := r.Member(name); m.Kind() != 0 {
		at = m.At
	}
	return inField(at, name, lead, err)
}

// complain remembers what is wrong with a member.
func (r *record) complain(name, format string, args ...any) {
	if r.wrong == nil {
		r.wrong = r.inField(name, name+" ", fmt.Errorf(format, args...))
	}
}

// has reports whether the record has a member that is not null.
func (r *record) has(name string) bool { return !r.Member(name).IsNull() }

// text returns a text; "" when there is none.
func (r *record) text(name string) string {
	v := r.Member(name)
	text, ok := v.Text()
	switch {
	case ok || v.IsEmpty():
		return text
	case v.IsNumber():
		return string(v.Raw)
	}
	r.complain(name, "must be a text, not %.40s", v.Raw)
	return ""
}

// flag returns a truth; false when there is none.
func (r *record) flag(name string) bool {
	v := r.Member(name)
	if v.IsEmpty() {
		return false
	}
	if name == "ticketed" && v.Kind() == '[' {
		return true // a list of who sells them
	}
	switch strings.ToLower(strings.Trim(string(v.Raw), `"`)) {
	case "true", "1", "yes":
		return true
	case "false", "0", "no", "":
		return false
	}
	r.complain(name, "must be true or false, not %.40s", v.Raw)
	return false
}

// setFlag sets a flag to what the record says about it, if it does.
func (r *record) setFlag(flag *bool, name string) {
	if r.has(name) {
		*flag = r.flag(name)
	}
}

// integer returns a whole number; 0 when there is none.
func (r *record) integer(name string) int64 {
	text := r.text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		r.complain(name, "must be a whole number that is not negative, not %.40q", text)
		return 0
	}
	return n
}

// degrees returns a number between -limit and limit; 0 when there is none.
func (r *record) degrees(name string, limit float64) float64 {
	text := r.text(name)
	if text == "" {
		return 0
	}
	f, err := strconv.ParseFloat(text, 64)
	// In decimal digits, as requests have them: Go knows other numbers.
	if err != nil || strings.Trim(text, "+-.0123456789eE") != "" || !(-limit <= f && f <= limit) {
		r.complain(name, "must be a number of degrees from -%v to %v, not %.40q", limit, limit, text)
		return 0
	}
	return f
}

// texts returns the texts of a list.
func (r *record) texts(name string) []string {
	var all []string
	for _, item := range r.Member(name).Items() {
		all = append(all, wrap(name, item).text(name))
	}
	return all
}

// object returns a member that is an object, else an empty record.
func (r *record) object(name string) *record { return &record{Value: r.Member(name)} }

// wall returns a date and time as a clock on the wall shows it.
func (r *record) wall(name string) time.Time {
	t, err := time.Parse(caltime.Layout, r.text(name))
	if err != nil || t.Year() < 1 {
		r.complain(name, "must be a date, not %.40q; write it as %s HH:MM:SS", r.text(name), suggested(r.text(name)))
	}
	return t
}

// name returns what people know the record by, for reports.
func (r *record) name() string {
	quiet := *r // a report about what is wrong is not to add to it
	for _, key := range []string{"global_id", "slug", "id", "name"} {
		if text := quiet.text(key); text != "" {
			return text
		}
	}
	return ""
}

// A blanked record is shown to those who do not know its password: its flags
// are null, and all but title, slug, status, dates and zone is empty.
func (r *record) blanked(flag string) bool { return r.Member(flag).Kind() == 'n' }

func words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// known are the members that lists of sites have.
var known = func() map[store.Kind]map[string]bool {
	all := map[store.Kind]map[string]bool{}
	for k, members := range Table {
		all[k] = map[string]bool{}
		for _, m := range members {
			all[k][m.Name] = m.Class&SeedOnly == 0
		}
	}
	return all
}()

// unknown returns the members that have no place in a record of a kind. Objects
// of extensions, which a plain site shows empty, are among them.
func (r *record) unknown(k store.Kind) []string {
	names := r.without(known[k])
	for _, name := range []string{"custom_fields", "meta"} {
		if known[k][name] && !r.Member(name).IsEmpty() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// without returns the names of the members beside some, sorted.
func (r *record) without(some map[string]bool) (names []string) {
	for _, m := range r.Members() {
		if !some[m.Name] {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
