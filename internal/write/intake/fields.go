// Custom fields of events, venues and organizers.

package intake

import (
	"cmp"
	"fmt"
	"strings"

	"almanac/internal/text/jsonio"
	"almanac/store"
)

// fields returns the custom fields in a record by their keys: an object with a label and a value
// for each key, or a list of such objects with an id.
func (r *record) fields() []*jsonio.Member {
	sent := r.Member("custom_fields")
	if sent.Kind() == '{' {
		return sent.Members()
	}
	var named []*jsonio.Member
	for _, v := range sent.Items() {
		id, _ := textOf(v.Member("id"))
		named = append(named, &jsonio.Member{Name: id, Value: *v})
	}
	return named
}

var fieldLines = strings.NewReplacer("\r\n", "\n", "\x00", "")

// readFields reads the custom fields.
func (rd *reader) readFields(d *draft) {
	for _, m := range d.fields() {
		f, err := rd.customField(m.Name, &m.Value)
		if err != nil {
			d.fail(d.inField("custom_fields", "custom_fields: ", err))
			return
		}
		d.file.CustomFields = append(d.file.CustomFields, f)
	}
}

// customField returns the field with a key. A value that is no object has the key for a label.
func (rd *reader) customField(key string, v *jsonio.Value) (f store.CustomField, err error) {
	label := &jsonio.Value{}
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
	}); !rd.exact {
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
