// Checking a request against a table, each value by the kind of its row: every
// complaint at once.

package params

import (
	"fmt"
	"strings"
)

// Missing says that required parameters were not sent.
type Missing struct {
	Names  []string
	Unread string // as Unread of the Input: they may be in an unread body
}

func (e *Missing) Error() string {
	text := "missing parameter(s): " + strings.Join(e.Names, ", ")
	if e.Unread != "" {
		text += ". " + strings.TrimSuffix(e.Unread, ".")
	}
	return text
}

// Invalid says which parameters cannot be taken, and why.
type Invalid struct{ Complaints []Complaint }

// A Complaint is about one parameter.
type Complaint struct {
	Name   string
	Reason string // the correct form, as a sentence
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
// *Invalid about forms and unknown entities, or, when there is nothing of these,
// an *Invalid about JSON types; each names all parameters it is about, in the
// order of the table.
func (t Table) Check(in *Input, env Env) (Values, error) {
	v := &checked{table: t, sent: make([]any, len(t)), env: env}
	v.gather(in)
	var missing []string
	var bad, typed []Complaint
	c := checker{env: &v.env}
	for i, sent := range v.sent {
		row := &t[i]
		if sent == nil || isNull(sent) {
			if row.Required {
				missing = append(missing, row.Name)
			}
			continue
		}
		c.row = row
		c.sent = sent
		c.reason = ""
		c.typed = false
		v.sent[i] = c.check()
		switch {
		case c.reason == "":
		case c.typed:
			typed = append(typed, Complaint{row.Name, c.reason, true})
		default:
			bad = append(bad, Complaint{row.Name, c.reason, false})
		}
	}
	switch {
	case missing != nil:
		return Values{}, &Missing{missing, in.unread}
	case bad != nil:
		return Values{}, &Invalid{bad}
	case typed != nil:
		return Values{}, &Invalid{typed}
	}
	return Values{v}, nil
}

// gather puts the values of the request in the order of the rows. The path overrides other
// sources.
func (v *checked) gather(in *Input) {
	for name, sent := range in.values {
		i := v.table.place(name)
		if i < 0 || v.table[i].Path {
			continue
		}
		if sent == nil || v.table[i].empties(sent) {
			sent = Null
		}
		v.sent[i] = sent
	}
	for name, text := range in.path {
		if i := v.table.place(name); i >= 0 && v.table[i].Path {
			v.sent[i] = text
		}
	}
}

// empties reports whether a value that is not null counts as null in a row.
func (r *Row) empties(sent any) bool {
	if !r.Empty {
		return false
	}
	return r.Kind == Date && sent == never ||
		(r.Kind == Latitude || r.Kind == Longitude) && sent == ""
}

// maxText is how many bytes one text may have.
const maxText = 200_000

// A checker checks one value against its row.
type checker struct {
	row    *Row
	sent   any // not null
	env    *Env
	reason string // why it is refused; "" when it is not
	typed  bool   // only its JSON type is wrong
}

// refuse notes why the value cannot be taken. The first reason stands.
func (c *checker) refuse(format string, args ...any) {
	if c.reason == "" {
		c.reason = fmt.Sprintf(format, args...)
	}
}

// wrongType notes that the value has the wrong JSON type.
func (c *checker) wrongType(want string) {
	if c.reason == "" {
		c.reason = fmt.Sprintf("%s is not of type %s.", c.row.Name, want)
		c.typed = true
	}
}

// check returns the value of the row for the input.
func (c *checker) check() any {
	switch c.row.Kind {
	case Page:
		return c.page()
	case Months:
		return c.months()
	case ID:
		return c.id()
	case Digits:
		return c.digits()
	case Bool:
		return c.boolean()
	case Truthy:
		return c.word()
	case LenientBool:
		return c.loose()
	case Text:
		c.text(c.row.Empty)
	case Optional, Password:
		c.text(true)
	case Choice:
		c.choice()
	case Choices:
		return c.choices()
	case Slug:
		c.slug()
	case Date:
		c.date()
	case Status:
		c.status()
	case URL:
		return c.url()
	case Statuses:
		return c.statuses()
	case Zone:
		return c.zone()
	case Image:
		return c.image()
	case Number:
		return c.number()
	case Latitude:
		return c.degrees(90)
	case Longitude:
		return c.degrees(180)
	case Include:
		return c.include()
	case IDs:
		return c.ids()
	case IDsOrNone:
		return c.idsOrNone()
	case TermIDs:
		return c.termIDs()
	case Terms:
		return c.terms()
	case TermRefs:
		return c.termRefs()
	case Links:
		return c.links()
	case Recurring:
		return c.recurrence()
	}
	return c.sent // a text; Any; Cost, which is read where it is understood
}
