// Checked values.

package params

import (
	"time"

	"almanac/internal/text/caltime"
)

// Values is the checked parameters of a request. An accessor returns the sent value, else the
// default, else the zero value. It panics if the table has no such row, or if the value is of
// another kind.
type Values struct{ of *checked }

// checked is the state that the copies of one Values share.
type checked struct {
	table Table
	sent  []any // by row: nil when not sent, Null when null
	env   Env
}

// find returns the row of a name and what was sent for it, nil when it was not,
// Null when it was null. It panics when there is no such row.
func (v Values) find(name string) (*Row, any) {
	if v.of != nil {
		if i := v.of.table.place(name); i >= 0 {
			if v.of.env.Read != nil {
				v.of.env.Read(&v.of.table[i])
			}
			return &v.of.table[i], v.of.sent[i]
		}
	}
	panic("params: no row " + name)
}

// Values returns values that no request sent, by the names of rows: each is as the check of its row
// returns it. It panics if the table has no such row.
func (t Table) Values(members map[string]any, env Env) Values {
	v := &checked{table: t, sent: make([]any, len(t)), env: env}
	for name, value := range members {
		v.sent[t.place(name)] = value
	}
	return Values{v}
}

// LinksTo returns the value of a row of venues or organizers that names records, and publishes none
// of them.
func LinksTo(ids []int64) any {
	links := make([]link, len(ids))
	for i, id := range ids {
		links[i] = link{ID: id, Unpublished: true}
	}
	return links
}

// TermsOf returns the value of a row of terms that names them by their ids.
func TermsOf(ids []int64) any {
	refs := make([]TermRef, len(ids))
	for i, id := range ids {
		refs[i] = TermRef{ID: id}
	}
	return refs
}

// isNull reports whether what was sent is null.
func isNull(sent any) bool { _, ok := sent.(null); return ok }

// Has reports whether a parameter was sent, and not as null.
func (v Values) Has(name string) bool {
	_, sent := v.find(name)
	return sent != nil && !isNull(sent)
}

// Null reports whether a parameter was sent as null.
func (v Values) Null(name string) bool {
	_, sent := v.find(name)
	return isNull(sent)
}

// value returns what was sent, else the default, as a T.
func value[T any](v Values, name string) T {
	row, sent := v.find(name)
	if sent == nil || isNull(sent) {
		standard, _ := row.Value(v.of.env).(T)
		return standard
	}
	return sent.(T)
}

// Int returns an integer: a page number or an id.
func (v Values) Int(name string) int64 { return value[int64](v, name) }

// Float returns a number.
func (v Values) Float(name string) float64 { return value[float64](v, name) }

// Point returns a point on the globe, of two parameters that come together or not at all. The
// error is an
// *Invalid with the name of the missing one.
func (v Values) Point(latName, lngName string) (lat, lng float64, ok bool, err error) {
	switch hasLat, hasLng := v.Has(latName), v.Has(lngName); {
	case hasLat && !hasLng:
		err = &Invalid{[]Complaint{{
			Name:   lngName,
			Reason: lngName + " must be given together with " + latName + ".",
		}}}
	case hasLng && !hasLat:
		err = &Invalid{[]Complaint{{
			Name:   latName,
			Reason: latName + " must be given together with " + lngName + ".",
		}}}
	case hasLat:
		return v.Float(latName), v.Float(lngName), true, nil
	}
	return 0, 0, false, err
}

// Bool returns a truth value.
func (v Values) Bool(name string) bool { return value[bool](v, name) }

// Text returns a text.
func (v Values) Text(name string) string { return value[string](v, name) }

// Date returns a date, which is read again because only now its zone is known: the zone of words
// such as "tomorrow", and of dates without a zone.
func (v Values) Date(name string, zone *caltime.Zone) caltime.Moment {
	row, sent := v.find(name)
	if sent == nil || isNull(sent) {
		reading, ok := row.standard(&v.of.env).(time.Time)
		if !ok {
			return caltime.Moment{}
		}
		return caltime.At(reading, zone)
	}
	m, _ := caltime.Parse(sent.(string), v.of.env.Now, zone)
	return m
}

// Zone returns a zone, nil for the site's.
func (v Values) Zone(name string) *caltime.Zone { return value[*caltime.Zone](v, name) }

// Image returns an image.
func (v Values) Image(name string) ImageRef { return value[ImageRef](v, name) }

// Any returns a value of kind Cost as it was sent.
func (v Values) Any(name string) any {
	_, sent := v.find(name)
	if isNull(sent) {
		return nil
	}
	return sent
}

// IDs returns a list of ids; nil does not ask for any.
func (v Values) IDs(name string) []int64 { return value[[]int64](v, name) }

// Statuses returns a list of statuses, or of other choices; nil does not ask for any.
func (v Values) Statuses(name string) []string { return value[[]string](v, name) }

// Terms returns a list of terms, also of terms that have to be made.
func (v Values) Terms(name string) []TermRef { return value[[]TermRef](v, name) }

// Links returns a list of venues or organizers, also of records that have to be made.
func (v Values) Links(name string) []link { return value[[]link](v, name) }

// Recurrence returns how events come again, nil when it was not sent.
func (v Values) Recurrence(name string) *Recurrence {
	if v.Null(name) {
		return &Recurrence{Null: true}
	}
	return value[*Recurrence](v, name)
}

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

// A link is a venue or an organizer: an existing one by id, or the fields of
// one to find or make. The zero link stood for null in a list.
type link struct {
	ID          int64
	Fields      Values
	Unpublished bool // it was an object that names another status than publish
}

// Zero reports whether the link leads to nothing.
func (l link) Zero() bool { return l.ID == 0 && l.Fields == Values{} }
