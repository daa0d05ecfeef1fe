// Lists of events, and days.

package pages

import "html/template"

// A List is events by their days.
type List struct {
	Heading string
	Said    string        // what it is narrowed by, in words; "" for nothing
	Lift    *Link         // leads to the list that is not narrowed
	Days    template.HTML // made by Theme.Part, one below the other
	Empty   string        // what to do where there is none
	Earlier *Link
	Later   *Link
}

// A Day is a day with its events.
type Day struct {
	Date    Time // "Tuesday, 24 November 2026"
	Number  string
	Weekday string // short
	Month   string // short, with the year where it is not that of the day before
	Href    string
	Today   bool
	Entries []Entry
}
