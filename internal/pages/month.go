// Months and weeks.

package pages

import "html/template"

// A Month is the weeks of a month; a week is one with a single week.
type Month struct {
	Outline
	Weekdays []Weekday
	Weeks    []template.HTML // made by Theme.Part
}

// A Weekday is the head of a column.
type Weekday struct{ Short, Full string }

// A Cell is a day of a month.
type Cell struct {
	Day     Time // its text is the date with its weekday
	Number  string
	Href    string // "" of a day without events
	Today   bool
	Outside bool // of the month beside
	Entries []Entry
	More    *Link // "+12 more"
}
