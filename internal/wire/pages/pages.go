// Package pages shows the calendar to people: lists, months and days of events, and the
// pages of events, venues and organizers, in HTML that needs no script.
//
//	theme, err := pages.NewTheme(nil)
//	b, err := theme.Page(pages.Frame{…}, &pages.List{…})
//
// Content is settled when it comes here: the package knows no store, no rights and no
// requests. Texts that people wrote come in as plain text, or as HTML that package
// markup has made harmless (template.HTML); html/template escapes all else for the place
// where it stands. Parts that stand hundreds of times in a page are escaped in lines.go. Dates
// come in as text in the language of the page, beside the form that programs read.
//
// Files: frame.go (the frame of every page), list.go, month.go, event.go and place.go (the content
// of each), picture.go, theme.go (templates and style, and the replacements of a site), lines.go
// (lines without templates).
package pages

import "html/template"

// A Link leads somewhere.
type Link struct {
	Text string
	Href template.URL // made here or checked; may have schemes unknown to html/template
	Here bool         // the page itself
	Lang string       // of the text, where it is not that of the page
	Dir  string
	Rel  string
	Type string // media type of the target, "" for a page
}

// TypeAttr returns the type as an attribute. Feed readers look for types as they are written:
// html/template writes +, which is in most, as a reference.
func (l Link) TypeAttr() template.HTMLAttr { return template.HTMLAttr(`type="` + l.Type + `"`) }

// A Time is a date, or a date and a time, for people and for programs.
type Time struct {
	Text string
	ISO  string // value of a datetime attribute
}

// An Entry is an event in a list.
type Entry struct {
	Title    string
	State    string // "Cancelled", "Postponed", "New date"; "" for most events
	Struck   bool   // it does not take place then: the title is struck
	Href     string
	When     string // "20:00–22:30", in the page's language; "" if Note has it
	Start    Time
	Zone     string // name of the zone, where it is not that of the site
	Note     string // "until Sunday", "day 2 of 3"; "" for none
	Where    string
	Cost     string
	Summary  template.HTML // excerpt
	Image    *Image
	AllDay   bool
	Long     bool // it takes more than a day
	Goes     bool // it began on an earlier day
	Bar      int  // days of its bar from this cell on
	Lane     bool // the cell shows no more than the place of a bar
	Stays    bool // its bar goes on in another row
	Middle   bool // neither the first nor the last day of weeks
	Featured bool
	Locked   bool // it has a password that is not known
	Dates    *Dates
}

// Dates are the dates of a series that one entry stands for.
type Dates struct {
	Rule string // the recurrence in words
	Then *Link  // see Event
	All  Link   // to all dates: "12 more dates"
}
