// Optional members of events: a program that does not know them keeps them. They are in the object More on disk.

package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// optionalFields are the optional rows of EventFields, in their order behind the members that this version does not know.
var optionalFields = slices.DeleteFunc(slices.Clone(EventFields), func(f Field[Event]) bool { return f.Use&Optional == 0 })

// States of an event beside "".
const (
	Canceled  = "canceled"
	Postponed = "postponed"
)

// Announced returns the state that people are told first of an event: Canceled, Postponed, "rescheduled" for one with a new
// date, or "", also in states of a later version.
func (e *Event) Announced() string {
	switch {
	case e.State == Canceled || e.State == Postponed:
		return e.State
	case e.PreviousStart != 0:
		return "rescheduled"
	}
	return ""
}

// readMore sets the optional fields.
func (e *Event) readMore() error {
	return e.More.each(func(name string, value json.RawMessage) error {
		for _, f := range optionalFields {
			if f.Name == name {
				if err := json.Unmarshal(value, f.At(e)); err != nil {
					return fmt.Errorf("more: %s: %w", name, err)
				}
			}
		}
		return nil
	})
}

// WriteMore writes the optional fields of an event into its More, and keeps the members that this version does not know.
func WriteMore(e *Event) error {
	var text []byte
	add := func(name string, value any) (err error) {
		text = append(text, `,"`+name+`":`...)
		text, err = AppendJSON(text, value)
		return err
	}
	err := e.More.each(func(name string, value json.RawMessage) error {
		if slices.ContainsFunc(optionalFields, func(f Field[Event]) bool { return f.Name == name }) {
			return nil
		}
		return add(name, value)
	})
	for _, f := range optionalFields {
		if err == nil && !f.Same(e, &Event{}) {
			err = add(f.Name, f.At(e))
		}
	}
	if e.More = ""; len(text) > 0 {
		e.More = more("{" + string(text[1:]) + "}")
	}
	return err
}

// each calls f with the members of the object, in their order.
func (m more) each(f func(name string, value json.RawMessage) error) error {
	if m == "" {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(string(m)))
	_, err := dec.Token()
	for err == nil && dec.More() {
		var name json.Token
		var value json.RawMessage
		if name, err = dec.Token(); err != nil {
			return err
		}
		if err = dec.Decode(&value); err == nil {
			err = f(name.(string), value)
		}
	}
	return err
}
