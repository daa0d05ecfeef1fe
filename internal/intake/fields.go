// Custom fields of events, venues and organizers.

package intake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/jsonin"
	"almanac/store"
)

// mostFields limits the custom fields of a record.
const mostFields = 100

// fields returns the custom fields in a record by their keys: an object with a label and a value
// for each key, or a list of such objects with an id.
func (r *record) fields() []*jsonin.Member {
	sent := r.Member("custom_fields")
	if sent.Kind() == '{' {
		return sent.Members()
	}
	var named []*jsonin.Member
	for _, v := range sent.Items() {
		id, _ := textOf(v.Member("id"))
		named = append(named, &jsonin.Member{Name: id, Value: *v})
	}
	return named
}

var fieldLines = strings.NewReplacer("\r\n", "\n", "\x00", "")

// customFields sets the custom fields in a record. A field that the record lacks stays as it is,
// because a site shows only a part of its fields; an export has all.
func (im *importer) customFields(r *record, fields *store.CustomFields) error {
	var next store.CustomFields
	if !im.exact {
		next = slices.Clone(*fields)
	}
	for _, m := range r.fields() {
		f, err := im.customField(m.Name, &m.Value)
		for _, known := range next {
			if known.Key == f.Key && f.Label == f.Key && !im.exact {
				f.Label = known.Label // an export of WordPress has keys alone
			}
		}
		if err == nil {
			next, err = WithField(next, f)
		}
		if err != nil {
			return r.inField("custom_fields", "custom_fields: ", err)
		}
	}
	*fields = next
	return nil
}

// customField returns the field with a key. A value that is no object has the key for a label.
func (im *importer) customField(key string, v *jsonin.Value) (f store.CustomField, err error) {
	label := &jsonin.Value{}
	value := v
	if v.Kind() == '{' {
		label = v.Member("label")
		value = v.Member("value")
	}
	var values []string
	for _, item := range value.Items() {
		text, isText := textOf(item)
		if values = append(values, text); !isText {
			return f, fmt.Errorf(
				"the value of %.40q must be a text or a list of texts, not %.40s",
				key,
				item.Raw,
			)
		}
	}
	text, _ := textOf(label)
	if f = (store.CustomField{
		Key:   key,
		Label: text,
		Value: strings.Join(values, ", "),
	}); !im.exact {
		f.Key = strings.Join(strings.Fields(key), " ")
		f.Label = strings.Join(strings.Fields(cmp.Or(text, key)), " ")
		f.Value = strings.TrimSpace(fieldLines.Replace(f.Value))
	}
	if f.Key == "" {
		return f, fmt.Errorf(
			"one has no key, which is the name of its member or its id: %.60s",
			v.Raw,
		)
	}
	return f, nil
}

// WithField returns custom fields with another one, or an error if a record may not have it. Like
// append it may change fields.
func WithField(fields store.CustomFields, f store.CustomField) (store.CustomFields, error) {
	for _, part := range []struct {
		name, text string
		most       int
	}{{"key", f.Key, 255}, {"label", f.Label, 1000}, {"value", f.Value, 20_000}} {
		if len(part.text) > part.most {
			return nil, fmt.Errorf(
				"the %s of %.40q has %d bytes; there may be %d",
				part.name,
				f.Key,
				len(part.text),
				part.most,
			)
		}
	}
	if fields = fields.With(f); len(fields) > mostFields {
		return nil, fmt.Errorf(
			"there are more than %d of them, with those that the record has already",
			mostFields,
		)
	}
	return fields, nil
}
