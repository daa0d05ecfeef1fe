// One event.

package pages

import "html/template"

// An Event is the page of an event.
type Event struct {
	Entry
	Over        string // "This event is over."; "" while it is not
	Again       *Link  // the next of its series, where it is over
	Date        string // the whole date; with times and the sign of a range, where it is not of one evening
	End         Time   // what is behind that sign; the zero Time of an evening
	Here        string // the same in the zone of the site, where that is another; "" otherwise
	Categories  []Link
	Tags        []Link
	Website     *Link
	Picture     *Link // to one that is elsewhere
	Venues      []Place
	Organizers  []Place
	Add         []Link // to calendars
	Description template.HTML
	Series      string  // how it comes again, in words; "" for an event of none
	Next        []Entry // others of the series
	Related     []Entry // at the same place
	Form        *Unlock // where a password is asked for; then nothing inside is shown
}

// An Unlock is the form that asks for the password of an event.
type Unlock struct {
	Action string
	Wrong  bool // one was sent
}
