// Lists of events, and days.

package pages

import "html/template"

// An Outline describes a part of a calendar: its filters, and links to the parts beside it.
type Outline struct {
	Heading string
	Path    []Link // categories above it
	Said    []Said // filters
	Count   string // how many events these are, "" where nothing is said
	Lift    *Link  // leads to all events
	Empty   string // advice if there are no events, else ""
	Offers  []Link // ways out of there
	Earlier *Link
	Later   *Link
}

// Said is a filter of a list, in words.
type Said struct{ Label, Text string } // "Category", "Music"; the label is "" where the text says it all

// A List is events by their days.
type List struct {
	Outline
	Now  []template.HTML // made by Theme.Part of OnNow
	Days []template.HTML // made by Theme.Part
}

// A Day is a day with its events.
type Day struct {
	Date    Time // "Tuesday, 24 November 2026"
	Number  string
	Weekday string
	Word    string // "Today", "Tomorrow", or ""
	Month   string // with the year where it is not this one
	Href    string
	Today   bool
	Entries []Entry
}
