// Package ical reads and writes the syntax of iCalendar (RFC 5545): content lines and their
// values, components, and time zones. Its callers map components to events.
//
// Reading accepts the deviations of real calendars, in memory bounded by the largest component.
// Writing is strict: lines are folded at 75 octets and end in CRLF, and no text can end a
// value or begin another property.
package ical
