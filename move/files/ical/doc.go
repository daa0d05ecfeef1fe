// Package ical reads the syntax of iCalendar (RFC 5545): content lines and their values,
// components, and time zones. Its callers map components to events.
//
// It accepts the deviations of real calendars, in memory bounded by the largest component. Package
// internal/wire/ical writes.
package ical
