// One record as it was read: its members by name and type.

package intake

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/store"
)

// A record is a JSON object of a file. Its accessors are lenient, because PHP is: false and empty
// lists mean an empty text, and numbers may be texts. An accessor that fails returns the zero
// value and sets wrong.
type record struct {
	*jsonio.Value
	embedded bool            // inside an event
	partial  bool            // missing members leave the stored values unchanged
	start    time.Time       // of an event of a seed
	only     map[string]bool // visible members; nil shows all
	origins  *[]string       // if not nil, instead of the record's own
	wrong    error           // first error of an accessor
}

// knownBy replaces the origins of the record.
func (r *record) knownBy(names ...string) { r.origins = &names }

func parse(v *jsonio.Value) (*record, error) {
	if v.Kind() != '{' {
		return nil, errors.New("is not an object")
	}
	return &record{Value: v}, nil
}

func wrap(name string, v *jsonio.Value) *record {
	lead := `{"` + name + `":`
	text := slices.Concat([]byte(lead), v.Raw, []byte("}"))
	return &record{Value: &jsonio.Value{Raw: text, At: v.At - len(lead)}}
}

// Member returns a visible member.
func (r *record) Member(name string) *jsonio.Value {
	if r.only != nil && !r.only[name] {
		return &jsonio.Value{}
	}
	return r.Value.Member(name)
}

// inField wraps an error about a member. lead is its prefix in a report without paths.
func (r *record) inField(name, lead string, err error) error {
	at := r.At
	if m := r.Member(name); m.Kind() != 0 {
		at = m.At
	}
	return inField(at, name, lead, err)
}

// fail records the first error.
func (r *record) fail(err error) {
	if r.wrong == nil {
		r.wrong = err
	}
}

// complain records the first error about a member.
func (r *record) complain(name, format string, args ...any) {
	r.fail(r.inField(name, name+" ", fmt.Errorf(format, args...)))
}

// has reports whether the record has a member that is not null.
func (r *record) has(name string) bool { return !r.Member(name).IsNull() }

// text returns a text; "" if missing.
func (r *record) text(name string) string {
	v := r.Member(name)
	text, ok := textOf(v)
	if !ok {
		r.complain(name, "must be a text, not %.40s", v.Raw)
	}
	return text
}

// textOf returns a value as a text.
func textOf(v *jsonio.Value) (text string, ok bool) {
	if v.IsNumber() {
		return string(v.Raw), true
	}
	text, ok = v.Text()
	return text, ok || v.IsEmpty()
}

// flag returns a boolean; false if missing.
func (r *record) flag(name string) bool {
	v := r.Member(name)
	if v.IsEmpty() {
		return false
	}
	if name == "ticketed" && v.Kind() == '[' {
		return true // a list of ticket shops
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

// setFlag sets a flag if the record has the member.
func (r *record) setFlag(flag *bool, name string) {
	if r.has(name) {
		*flag = r.flag(name)
	}
}

// integer returns a whole number; 0 if missing.
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

// degrees returns a number between -limit and limit; 0 if missing.
func (r *record) degrees(name string, limit float64) float64 {
	text := r.text(name)
	if text == "" {
		return 0
	}
	f, ok := Degrees(text, limit)
	if !ok {
		r.complain(
			name,
			"must be a number of degrees from -%v to %v, not %.40q",
			limit,
			limit,
			text,
		)
	}
	return f
}

// Degrees parses a number between -limit and limit in decimal digits. ParseFloat accepts other
// forms too.
func Degrees(text string, limit float64) (f float64, ok bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "+-.0123456789eE") != "" || !(-limit <= f && f <= limit) {
		return 0, false
	}
	return f, true
}

func (r *record) texts(name string) []string {
	var all []string
	for _, item := range r.Member(name).Items() {
		text, _ := textOf(item)
		all = append(all, text)
	}
	return all
}

// object returns a member that is an object, else an empty record.
func (r *record) object(name string) *record { return &record{Value: r.Member(name)} }

// localTime returns a local date and time. Sites whose days end late, such as at 05:59, list an
// event of whole days as 06:00:00 to 05:59:59; it is moved to the days that it lasts.
func (r *record) localTime(name string) time.Time {
	if name == "start_date" || name == "end_date" {
		if start, end, late := r.lateDays(); late && name == "start_date" {
			return start
		} else if late {
			return end
		}
	}
	t, err := time.Parse(caltime.Layout, r.text(name))
	if err != nil || t.Year() < 1 {
		r.complain(
			name,
			"must be a date, not %.40q; write it as YYYY-MM-DD HH:MM:SS",
			r.text(name),
		)
	}
	return t
}

// lateDays returns the start and end of an event of whole days that end at the minute before a full
// hour, other than midnight.
func (r *record) lateDays() (start, end time.Time, late bool) {
	if !r.flag("all_day") {
		return start, end, false
	}
	start, wrong := time.Parse(caltime.Layout, r.text("start_date"))
	end, err := time.Parse(caltime.Layout, r.text("end_date"))
	if wrong != nil || err != nil || start.Hour() == 0 || start.Minute() != 0 || start.Second() != 0 {
		return start, end, false
	}
	first := caltime.StartOfDay(start)
	hour := start.Sub(first)
	last := caltime.EndOfDay(end.Add(-hour))
	if rest := last.Sub(end.Add(-hour)); !end.After(start) || rest != 0 && rest != 59*time.Second {
		return start, end, false
	}
	return first, last, true
}

// name returns the identity of the record in reports.
func (r *record) name() string {
	for _, key := range []string{"global_id", "slug", "id", "name"} {
		if text, _ := textOf(r.Member(key)); text != "" { // a report about an error must not add another
			return text
		}
	}
	return ""
}

// blanked reports whether the record hides its content behind a password: its flags are null, and
// all members except title, slug, status, dates and zone are empty.
func (r *record) blanked(flag string) bool { return r.Member(flag).Kind() == 'n' }

func Words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// Bounds of a record, so that no record takes long while other writers wait.
const (
	mostMembers = 1000
	mostLinked  = 500 // items of a list; of a request it is the default of -max-items too
)

// checkSize refuses a record with more parts than one may have.
func (r *record) checkSize() error {
	if n := len(r.Members()); n > mostMembers {
		return fmt.Errorf("has %d members; there may be %d", n, mostMembers)
	}
	if n := len(r.fields()); n > mostMembers { // some may be empty, or one again
		return r.inField(
			"custom_fields",
			"custom_fields ",
			fmt.Errorf("has %d items; there may be %d", n, mostMembers),
		)
	}
	for _, name := range []string{"categories", "tags", "venue", "organizer", "global_id_lineage", "former_slugs"} {
		if n := len(r.Member(name).Items()); n > mostLinked {
			return r.inField(
				name,
				name+" ",
				fmt.Errorf("has %d items; there may be %d", n, mostLinked),
			)
		}
	}
	return nil
}

// parts returns how many members and custom fields the record has.
func (r *record) parts() int { return len(r.Members()) + len(r.fields()) }

// names returns the names of some members, sorted.
func (r *record) names(some func(name string) bool) (names []string) {
	for _, m := range r.Members() {
		if some(m.Name) {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

type fieldError struct {
	field string // path in the record, as venue[1].geo_lat; "" is the record itself
	at    int    // position of the member or of its parent, as jsonio.Value.At
	lead  string // prefix of the reason in reports without paths
	err   error
}

func (e *fieldError) Error() string { return e.lead + e.err.Error() }

func (e *fieldError) Unwrap() error { return e.err }

// inField wraps an error about a member. If the error already has a path, the member becomes its
// prefix.
func inField(at int, field, lead string, err error) error {
	var inner *fieldError
	if !errors.As(err, &inner) {
		return &fieldError{field, at, lead, err}
	}
	if inner.field != "" {
		field = strings.TrimPrefix(field+"."+inner.field, ".")
		at = inner.at
	}
	return &fieldError{field, at, lead + inner.lead, inner.err}
}

// PathOf returns the path of an item of a member that may be a list.
func PathOf(member string, list *jsonio.Value, item int) string {
	if list.Kind() != '[' {
		return member
	}
	return fmt.Sprintf("%s[%d]", member, item)
}

// RecordKeys are members of records that listings lack. They distinguish an event, which has
// categories and tags, from a listing of categories or tags.
var RecordKeys = Words(`id global_id title start_date venue organizer name slug`)

// maxDepth is how deep the lists and objects of a record nest. A server takes 64 levels, and a
// batch has some around a record.
const maxDepth = 60

// Unfit returns the reason why no record can have this text, or "".
func Unfit(record []byte) string {
	switch flaw, _ := jsonio.Check(record, maxDepth); flaw {
	case jsonio.TooDeep:
		return fmt.Sprintf("nests lists and objects more than %d deep", maxDepth)
	case jsonio.BadEncoding:
		return "is not UTF-8"
	case jsonio.LoneSurrogate:
		return "holds half a surrogate pair"
	}
	if jsonio.HasMany(record) {
		return fmt.Sprintf("has more than %d values", jsonio.MaxValues)
	}
	return ""
}

// KindByShape derives the kind of a record from its members.
func KindByShape(v *jsonio.Value) (k store.Kind, ok bool) {
	has := func(name string) bool { return !v.Member(name).IsNull() }
	taxonomy, _ := v.Member("taxonomy").Text()
	switch {
	case has("title") || has("start_date"):
		return store.Events, true
	case has("venue"):
		return store.Venues, true
	case has("organizer"):
		return store.Organizers, true
	case has("name") && strings.HasSuffix(taxonomy, "_cat"):
		return store.Categories, true
	case has("name") && strings.HasSuffix(taxonomy, "_tag"):
		return store.Tags, true
	}
	return 0, false
}
