// Checked values.

package params

import "almanac/caltime"

// Values is the checked parameters of a request. An accessor gives what was
// sent, else the default, else the zero value. A name that is in no row of the
// table, and one that was sent and is of another kind, is a mistake of ours and
// panics.
type Values struct {
	table Table
	sent  []any // as table; nil where nothing was sent
	env   *Env
}

// sentNull stands for a value that was sent as null.
type sentNull struct{}

// Has reports whether a parameter was sent, and not as null.
func (v Values) Has(name string) bool {
	sent := v.sent[v.row(name)]
	return sent != nil && sent != any(sentNull{})
}

// Null reports whether a parameter was sent as null.
func (v Values) Null(name string) bool { return v.sent[v.row(name)] == any(sentNull{}) }

// row gives the place of a name in the table, and panics when there is none.
func (v Values) row(name string) int {
	for i := range v.table {
		if v.table[i].Name == name {
			return i
		}
	}
	panic("params: no row " + name)
}

// value gives what was sent, else the default, as a T.
func value[T any](v Values, name string) T {
	var zero T
	i := v.row(name)
	switch sent := v.sent[i]; sent.(type) {
	case nil, sentNull:
	default:
		return sent.(T)
	}
	if standard, ok := v.table[i].Value(*v.env).(T); ok {
		return standard
	}
	return zero
}

// Int gives an integer: a page number or an id. Defaults are of type int.
func (v Values) Int(name string) int64 {
	if !v.Has(name) {
		return int64(value[int](v, name))
	}
	return value[int64](v, name)
}

// Float gives a number. Defaults are of type int.
func (v Values) Float(name string) float64 {
	if !v.Has(name) {
		return float64(value[int](v, name))
	}
	return value[float64](v, name)
}

// Point gives a point on the globe, of two parameters that come together or not
// at all. The error is an *Invalid that names the one that is missing.
func (v Values) Point(latName, lngName string) (lat, lng float64, ok bool, err error) {
	switch hasLat, hasLng := v.Has(latName), v.Has(lngName); {
	case hasLat && !hasLng:
		err = &Invalid{[]Complaint{{Name: lngName, Reason: lngName + " must be given together with " + latName + "."}}}
	case hasLng && !hasLat:
		err = &Invalid{[]Complaint{{Name: latName, Reason: latName + " must be given together with " + lngName + "."}}}
	case hasLat:
		return v.Float(latName), v.Float(lngName), true, nil
	}
	return 0, 0, false, err
}

// Bool gives a truth value.
func (v Values) Bool(name string) bool { return value[bool](v, name) }

// Text gives a text.
func (v Values) Text(name string) string { return value[string](v, name) }

// Date gives a date, which is read again because only now its zone is known:
// that of words such as "tomorrow", and of what names none.
func (v Values) Date(name string, zone *caltime.Zone) caltime.Moment {
	m, _ := caltime.Parse(value[string](v, name), v.env.Now, zone)
	return m
}

// Zone gives a zone, nil for the site's.
func (v Values) Zone(name string) *caltime.Zone { return value[*caltime.Zone](v, name) }

// Image gives an image.
func (v Values) Image(name string) ImageRef { return value[ImageRef](v, name) }

// Any gives a value of kind Cost as it was sent.
func (v Values) Any(name string) any {
	if !v.Has(name) {
		return nil
	}
	return v.sent[v.row(name)]
}

// IDs gives a list of ids; nil does not ask for any.
func (v Values) IDs(name string) []int64 { return value[[]int64](v, name) }

// Statuses gives a list of statuses.
func (v Values) Statuses(name string) []string { return value[[]string](v, name) }

// Terms gives a list of terms, some of which may have to be made.
func (v Values) Terms(name string) []TermRef { return value[[]TermRef](v, name) }

// Links gives a list of venues or organizers, some of which may have to be
// made.
func (v Values) Links(name string) []Link { return value[[]Link](v, name) }

// An ImageRef names an image by id or by address; neither is no image.
type ImageRef struct {
	ID  int64
	URL string
}

// A TermRef names a term by id, or by a slug or name that may be new.
type TermRef struct {
	ID   int64
	Name string
}

// A Link is a venue or an organizer: an existing one by id, or the fields of
// one to find or make. The zero Link stood for null in a list.
type Link struct {
	ID     int64
	Fields Values
}

// Zero reports whether the link leads to nothing.
func (l Link) Zero() bool { return l.ID == 0 && l.Fields.table == nil }
