// Lists of events, and days.

package pages

import "html/template"

// An Outline is what a part of a calendar is of, what it is narrowed by, and where the parts
// beside it are.
type Outline struct {
	Heading string
	Path    []Link // what it is below: categories
	Said    []Said // what it is narrowed by
	Count   string // how many events these are, "" where nothing is said
	Lift    *Link  // leads to all events
	Empty   string // what to do where there is none; "" where there are some
	Offers  []Link // ways out of there
	Earlier *Link
	Later   *Link
}

// Said is a word of what a list is narrowed by.
type Said struct{ Label, Text string } // "Category", "Music"; the label is "" where the text says it all

// A List is events by their days.
type List struct {
	Outline
	Days []template.HTML // made by Theme.Part
}

// A Day is a day with its events.
type Day struct {
	Date    Time // "Tuesday, 24 November 2026"
	Number  string
	Weekday string
	Month   string // with the year where it is not this one
	Href    string
	Today   bool
	Entries []Entry
}
