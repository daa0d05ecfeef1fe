// Optional members of records: a program that does not know them keeps them. They are in the
// object More on disk.

package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// States of an event beside "".
const (
	Canceled  = "canceled"
	Postponed = "postponed"
)

// Announced returns the state that people are told first of an event: Canceled, Postponed,
// "rescheduled" for one with a new date, or "", also in states of a later version.
func (e *Event) Announced() string {
	switch {
	case e.State == Canceled || e.State == Postponed:
		return e.State
	case e.PreviousStart != 0:
		return "rescheduled"
	}
	return ""
}

// An optional is an optional field of a record.
type optional struct {
	name    string
	value   any // pointer to it
	isEmpty bool
}

// optionalsOf returns where a record has its More, and its optional fields in their order behind
// the members that this version does not know. A series has them in its event.
func optionalsOf(r Record) (m *more, all []optional) {
	m = &MetaOf(r).More
	if e := EventOf(r); e != nil {
		m = &e.More
		all = appendOptionals(all, EventFields, e)
	}
	if p := PostOf(r); p != nil {
		all = appendOptionals(all, PostFields, p)
	}
	return m, all
}

func appendOptionals[T any](all []optional, fields []Field[T], r *T) []optional {
	var empty T
	for _, f := range fields {
		if f.Use&Optional != 0 {
			all = append(all, optional{f.Name, f.At(r), f.Same(r, &empty)})
		}
	}
	return all
}

// readMore sets the optional fields of a record.
func readMore(r Record) error {
	m, fields := optionalsOf(r)
	return m.each(func(name string, value json.RawMessage) error {
		for _, f := range fields {
			if f.name == name {
				if err := json.Unmarshal(value, f.value); err != nil {
					return fmt.Errorf("more: %s: %w", name, err)
				}
			}
		}
		return nil
	})
}

// WriteMore writes the optional fields of a record into its More, and keeps the members that this
// version does not know.
func WriteMore(r Record) error {
	m, fields := optionalsOf(r)
	var text []byte
	add := func(name string, value any) (err error) {
		text = append(text, `,"`+name+`":`...)
		text, err = AppendJSON(text, value)
		return err
	}
	err := m.each(func(name string, value json.RawMessage) error {
		if slices.ContainsFunc(fields, func(f optional) bool { return f.name == name }) {
			return nil
		}
		return add(name, value)
	})
	for _, f := range fields {
		if err == nil && !f.isEmpty {
			err = add(f.name, f.value)
		}
	}
	if *m = ""; len(text) > 0 {
		*m = more("{" + string(text[1:]) + "}")
	}
	return err
}

// A MoreWriter does that for the records of a transaction. Events in a row that have the same
// optional members, as those of a series, share one text. The zero value is ready.
type MoreWriter struct {
	before more  // of the last event, before it was written
	last   Event // as it was written
}

// Write writes the optional fields of a record into its More, as WriteMore does.
func (w *MoreWriter) Write(r Record) error {
	e, ok := r.(*Event)
	if !ok {
		return WriteMore(r)
	}
	before := e.More
	if before == w.before && sameOptional(EventFields, e, &w.last) &&
		sameOptional(PostFields, &e.Post, &w.last.Post) {
		e.More = w.last.More
		return nil
	}
	err := WriteMore(r)
	if err == nil {
		w.before, w.last = before, *e
	}
	return err
}

func sameOptional[T any](fields []Field[T], a, b *T) bool {
	return !slices.ContainsFunc(
		fields,
		func(f Field[T]) bool { return f.Use&Optional != 0 && !f.Same(a, b) },
	)
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
