// Checking a request against a table: every complaint at once.

package params

import "strings"

// Missing says that required parameters were not sent.
type Missing struct{ Names []string }

func (e *Missing) Error() string { return "missing parameter(s): " + strings.Join(e.Names, ", ") }

// Invalid says which parameters cannot be taken, and why.
type Invalid struct {
	Complaints []Complaint
}

// A Complaint is about one parameter.
type Complaint struct {
	Name   string
	Reason string // what is wrong and what would be right
	Type   bool   // the JSON type is wrong, and nothing else
}

func (e *Invalid) Error() string {
	names := make([]string, len(e.Complaints))
	for i, c := range e.Complaints {
		names[i] = c.Name
	}
	return "invalid parameter(s): " + strings.Join(names, ", ")
}

// Check checks a request against the table. The error is a *Missing, an
// *Invalid about forms and unknown things, or, when there is nothing of these,
// an *Invalid about JSON types; each names all parameters it is about, in the
// order of the table.
func (t Table) Check(in *Input, env Env) (Values, error) {
	v := Values{table: t, sent: map[string]any{}, nulls: map[string]bool{}, env: env}
	var missing, bad, typed []Complaint
	for i := range t {
		row := &t[i]
		sent, ok := in.values[row.Name]
		if row.Path {
			var text string
			text, ok = in.path[row.Name]
			sent = raw{value: text}
		}
		if ok && sent.value == nil {
			v.nulls[row.Name], ok = true, false
		}
		if !ok {
			if row.Required {
				missing = append(missing, Complaint{Name: row.Name})
			}
			continue
		}
		c := checker{row: row, raw: sent, env: &env}
		value := c.check()
		switch {
		case c.reason == "":
			v.sent[row.Name] = value
		case c.typed:
			typed = append(typed, Complaint{row.Name, c.reason, true})
		default:
			bad = append(bad, Complaint{row.Name, c.reason, false})
		}
	}
	switch {
	case missing != nil:
		e := &Missing{}
		for _, c := range missing {
			e.Names = append(e.Names, c.Name)
		}
		return Values{}, e
	case bad != nil:
		return Values{}, &Invalid{bad}
	case typed != nil:
		return Values{}, &Invalid{typed}
	}
	return v, nil
}
