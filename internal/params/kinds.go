// Checking one value: by the kind of its row.

package params

import "fmt"

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
		c.reason, c.typed = fmt.Sprintf("%s is not of type %s.", c.row.Name, want), true
	}
}

// check returns the value that the row makes of what was sent.
func (c *checker) check() any {
	switch c.row.Kind {
	case Page:
		return c.page()
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
