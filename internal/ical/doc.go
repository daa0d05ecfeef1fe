// Package ical reads and writes the form of iCalendar (RFC 5545): content lines and the
// values in them, components, and time zones. It knows no records: what an event says is
// up to those who write and read events.
//
// Reading takes what calendars really send, in memory bounded by the largest component.
// Writing is strict: lines are folded at 75 octets and end in CRLF, and no text can end a
// value or begin another property.
package ical
