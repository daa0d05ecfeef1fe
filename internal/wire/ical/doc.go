// Package ical writes the syntax of iCalendar (RFC 5545): content lines and their values,
// components, and time zones. Its callers map events to components.
//
// Lines are folded at 75 octets and end in CRLF, and no text can end a value or begin another
// property. Package move/files/ical reads.
package ical
