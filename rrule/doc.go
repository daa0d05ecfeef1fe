// Package rrule reads, prints, expands and describes the recurrence rules of iCalendar (RFC
// 5545): what repeats, on which dates, from when to when. It imports the standard library
// alone, and nothing of the program around it.
//
//	set, err := rrule.ParseSet("DTSTART;TZID=Europe/Berlin:20261124T193000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", time.LoadLocation)
//	for date := range set.From(time.Now()) { … } // lazily: break when you have enough
//
// A Rule is the value of an RRULE (section 3.3.10). ParseRule refuses what the RFC prohibits,
// with an error that names the part, what is wrong with it and what would be right; String
// prints the one canonical form of a rule. A Set is a rule with a first date and a zone, with
// dates added (RDATE) and taken away (EXDATE); ParseSet and String read and print the lines of
// section 3.8.5.
//
// # What it promises
//
// All parts and all frequencies of section 3.3.10 are there. An expansion begins at any moment
// and costs what it yields: it jumps to the period of the moment by arithmetic, and never holds
// more than one period. The exception is COUNT, which has to be counted from the start, a few
// operations for each period before, unless every period has the same number of dates (a weekly
// rule with days, say), where it is a multiplication. It always ends: the calendar repeats
// every 400 years, and a rule that has no date in as many periods has none (some rules of
// hours, minutes and seconds repeat later and are searched to the end of the year 9999, the last
// that can be written). No date costs more than the look at the days of that time, some 0.1 s at
// worst.
//
// # What the RFC leaves open
//
//   - The start is the first date of a set, and counts for COUNT, whether the rule gives it or
//     not (section 3.8.5.3 leaves a start that does not fit the rule undefined).
//   - Rules run on the clock on the wall, at every frequency: an hourly rule gives every hour
//     that such a clock shows. A local time that is skipped when clocks go forward is read with
//     the offset before (2:30 becomes 3:30), and one that happens twice is the first of the two
//     (section 3.3.5). Section 3.3.10 says both this and that nonexistent local times are
//     ignored; ignored are dates that do not exist, such as 30 February.
//   - COUNT counts what the rule gives on the clock. Two of these that become one moment,
//     because clocks went forward, are one date that was counted twice.
//   - A year has the days from 1 January to 31 December also where BYWEEKNO is given: 30
//     December 2024 is of week 1, and a date of the period 2024.
//   - BYWEEKNO without a day means the weekday of the start, as every value that a rule does
//     not have comes from the start.
//   - Second 60 is read as 59 (section 3.3.12): the clocks of computers have no leap seconds.
//   - RDATE and EXDATE may be dates without a time beside a start with one: an RDATE then has
//     the time of the start, an EXDATE takes the whole day away.
//   - More than one RRULE ("SHOULD NOT", section 3.8.5.3), RDATE with periods, whose dates
//     would have lengths of their own, and EXRULE, which RFC 5545 took away, are refused with
//     the reason.
//
// # Which file holds what
//
// rule.go has the types and prints rules, parse.go reads them, check.go holds what is
// prohibited. datetime.go has dates and zones. set.go and lines.go are sets and their lines.
// days.go decides on days, clock.go on times of day; expand.go walks periods with both, and
// dates.go makes moments of what they give. describe.go says sets in words, with the phrases of
// a language that words.go reads from words/*.json.
//
// Everything is safe for concurrent use as long as nobody changes a value in use.
package rrule
