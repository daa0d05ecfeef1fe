// Package rrule reads, prints, expands and describes the recurrence rules of iCalendar (RFC
// 5545). It imports the standard library only.
//
//	set, err := rrule.ParseSet("DTSTART;TZID=Europe/Berlin:20261124T193000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", time.LoadLocation)
//	for date := range set.From(time.Now()) { … } // lazy: break when you have enough
//
// A Rule is the value of an RRULE (section 3.3.10). ParseRule refuses what the RFC prohibits,
// with an error that names the part, what is wrong with it and what would be right; String
// prints the one canonical form of a rule. A Set is a rule with a first date and a zone, with
// dates added (RDATE) and taken away (EXDATE); ParseSet reads the lines of section 3.8.5.
//
// # Guarantees
//
// All parts and all frequencies of section 3.3.10 are supported. An expansion can begin at any
// moment: it computes the period of the moment by arithmetic, and holds one period in memory.
// The exception is COUNT, which is counted from the start, at a few operations for each period,
// unless every period has the same number of dates (a weekly rule with days, say). Every
// expansion ends: the calendar repeats after 400 years, so a rule without a date in 400 years
// has none. Some rules of hours, minutes and seconds repeat later; they are searched to the end
// of the year 9999. A single date costs 0.1 s at worst.
//
// # Cases that the RFC leaves open
//
//   - The start is the first date of a set, and counts for COUNT, whether the rule gives it or
//     not (section 3.8.5.3 leaves a start that does not fit the rule undefined).
//   - Rules work on local time at every frequency: an hourly rule gives every hour that a local
//     clock shows. A local time that is skipped when clocks go forward is read with the offset
//     before (2:30 becomes 3:30). A local time that happens twice is the first of the two
//     (section 3.3.5). Section 3.3.10 also says that nonexistent local times are ignored; here
//     only nonexistent days are ignored, such as 30 February.
//   - COUNT counts local times. If two local times become one moment, because clocks went
//     forward, they are one date that was counted twice.
//   - With BYWEEKNO too, a year has the days from 1 January to 31 December: 30 December 2024 is
//     in week 1 and in the period 2024.
//   - BYWEEKNO without a day means the weekday of the start, as every part that a rule lacks
//     comes from the start.
//   - Second 60 is read as 59 (section 3.3.12): the clocks of computers have no leap seconds.
//   - RDATE and EXDATE may be dates without a time although the start has a time: an RDATE then
//     has the time of the start, and an EXDATE removes the whole day.
//   - Three things are refused with the reason: a second RRULE ("SHOULD NOT", section 3.8.5.3);
//     RDATE with periods, whose dates would have their own lengths; and EXRULE, which RFC 5545
//     removed.
//
// Everything is safe for concurrent use as long as no value in use is changed.
package rrule
