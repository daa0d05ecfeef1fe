// Checking a request against a table: every complaint at once.

package params

import "strings"

// Missing says that required parameters were not sent.
type Missing struct{ Names []string }

func (e *Missing) Error() string { return "missing parameter(s): " + strings.Join(e.Names, ", ") }

// Invalid says which parameters cannot be taken, and why.
type Invalid struct{ Complaints []Complaint }

// A Complaint is about one parameter.
type Complaint struct {
	Name   string
	Reason string // what would be right, as a sentence
	Type   bool   // the JSON type is wrong, and nothing else
}

func (e *Invalid) Error() string {
	names := make([]string, len(e.Complaints))
	for i, c := range e.Complaints {
		names[i] = c.Name
	}
	return "invalid parameter(s): " + strings.Join(names, ", ")
}

// never is how records show a date that there is not. In a record that is sent
// back it counts as not sent.
const never = "0000-00-00 00:00:00"

// Check checks a request against the table. The error is a *Missing, an
// *Invalid about forms and unknown things, or, when there is nothing of these,
// an *Invalid about JSON types; each names all parameters it is about, in the
// order of the table.
func (t Table) Check(in *Input, env Env) (Values, error) {
	v := Values{table: t, sent: make([]any, len(t)), env: &env}
	c := checker{env: &env}
	var missing []string
	var bad, typed []Complaint
	for i := range t {
		row := &t[i]
		sent, ok := in.values.get(row.Name)
		if row.Path {
			sent, ok = nil, false
			if text, named := in.path[row.Name]; named {
				sent, ok = text, true
			}
		}
		if row.Empty && (row.Kind == Date && sent == never || (row.Kind == Latitude || row.Kind == Longitude) && sent == "") {
			sent = nil
		}
		if sent == nil {
			if ok {
				v.sent[i] = sentNull{}
			}
			if row.Required {
				missing = append(missing, row.Name)
			}
			continue
		}
		c.row, c.sent, c.reason, c.typed = row, sent, "", false
		value := c.check()
		switch {
		case c.reason == "":
			v.sent[i] = value
		case c.typed:
			typed = append(typed, Complaint{row.Name, c.reason, true})
		default:
			bad = append(bad, Complaint{row.Name, c.reason, false})
		}
	}
	switch {
	case missing != nil:
		return Values{}, &Missing{missing}
	case bad != nil:
		return Values{}, &Invalid{bad}
	case typed != nil:
		return Values{}, &Invalid{typed}
	}
	return v, nil
}
