package intake_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/store"
)

// Custom fields come in the form of the API, as a list, and as values with their keys for labels.
// A file changes the fields that it names; an empty value removes one, and the same file changes
// nothing.
func TestCustomFields(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	load := func(fields, venue string, want store.CustomFields) {
		t.Helper()
		page := list(
			event(
				1,
				`,"custom_fields":`+fields+`,"venue":{"global_id":"a.example?id=90","venue":"V"`+venue+`}`,
			),
		)
		report := c.mustLoad(page)
		for range 2 {
			if diff := cmp.Diff(want, all[*store.Event](c, store.Events)["e1"].CustomFields); diff != "" {
				t.Errorf("%s (-want, +got):\n%s", fields, diff)
			}
			if len(report.Unknown) > 0 {
				t.Errorf("%s: %v", fields, report.Unknown)
			}
			if report = c.mustLoad(page); counts(report)["events unchanged"] != 1 ||
				counts(report)["venues unchanged"] != 1 {
				t.Errorf("%s again: %v", fields, report.Records)
			}
		}
	}
	z := store.CustomField{Key: "_ecp_custom_2", Label: "Dress <b>", Value: "black\ntie"}
	a := store.CustomField{Key: "age", Label: "age", Value: "18"}
	load(
		`{"_ecp_custom_2":{"label":" Dress\n<b>","value":" black\r\ntie\u0000"},"age":18,"none":{"label":"None","value":""},"no":[]}`,
		`,"custom_fields":{"a":"1"}`,
		store.CustomFields{z, a},
	)
	load(`[]`, ``, store.CustomFields{z, a})
	a.Value = "16, 18"
	load(`[{"id":"age","value":["16",18]},{"id":"b","label":"B","value":"b"}]`, ``,
		store.CustomFields{z, a, {Key: "b", Label: "B", Value: "b"}})
	load(
		`{"_ecp_custom_2":{"label":"_ecp_custom_2","value":"black\ntie"}}`,
		``,
		store.CustomFields{z, a, {
			Key:   "b",
			Label: "B",
			Value: "b",
		}},
	)
	z.Label = "Clothes"
	load(
		`{"_ecp_custom_2":{"label":"Clothes","value":"black\ntie"}}`,
		``,
		store.CustomFields{z, a, {
			Key:   "b",
			Label: "B",
			Value: "b",
		}},
	)
	load(`{"_ecp_custom_2":{"label":"Dress","value":null},"b":""}`, ``, store.CustomFields{a})
	v := all[*store.Venue](c, store.Venues)["v"]
	if diff := cmp.Diff(store.CustomFields{{
		Key:   "a",
		Label: "a",
		Value: "1",
	}}, v.CustomFields); diff != "" {
		t.Error(diff)
	}
}

// A record with a field that cannot be kept is refused, and the reason names the field.
func TestCustomFieldsRefused(t *testing.T) {
	t.Parallel()
	many := func(n int) string {
		var fields []string
		for i := range n {
			fields = append(fields, fmt.Sprintf(`"k%d":"v"`, i))
		}
		return "{" + strings.Join(fields, ",") + "}"
	}
	c := newCalendar(t)
	c.mustLoad(list(event(1, `,"custom_fields":`+many(100))))
	long := strings.Repeat("x", 20_001)
	for _, tt := range []struct{ fields, want string }{
		{many(101), `there are more than 100 of them, with those that the record has already`},
		{`{"more":"v"}`, `there are more than 100 of them, with those that the record has already`},
		{`{" ":{"label":"L","value":"v"}}`, `one has no key, which is the name of its member or its id: {"label":"L","value":"v"}`},
		{`[{"label":"L","value":"v"}]`, `one has no key, which is the name of its member or its id: {"label":"L","value":"v"}`},
		{`[{"id":{},"value":"v"}]`, `one has no key, which is the name of its member or its id: {"id":{},"value":"v"}`},
		{`{"a":{"value":{"b":1}}}`, `the value of "a" must be a text or a list of texts, not {"b":1}`},
		{`{"` + long[:256] + `":"v"}`, `the key of "` + long[:40] + `" has 256 bytes; there may be 255`},
		{`{"a":{"label":"` + long[:1001] + `","value":"v"}}`, `the label of "a" has 1001 bytes; there may be 1000`},
		{`{"a":"` + long + `"}`, `the value of "a" has 20001 bytes; there may be 20000`},
		{`7`, `one has no key, which is the name of its member or its id: 7`},
	} {
		report := c.load(list(event(1, `,"custom_fields":`+tt.fields)))
		if len(report.Refusals) != 1 || report.Refusals[0].Reason != "custom_fields: "+tt.want {
			t.Errorf("%.60s: %v, want %s", tt.fields, report.Refusals, tt.want)
		}
	}
}
