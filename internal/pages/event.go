// One event.

package pages

import "html/template"

// An Event is the page of an event.
type Event struct {
	Entry
	Reason      string // for its State
	Previous    string // start before a new date; "" without one
	Over        string // "This event is over."; "" while it is not
	Again       *Link  // the next of its series, where it is over
	Date        string // whole date; with times and the range sign unless one evening
	End         Time   // the time after that sign; the zero Time for one evening
	Here        string // Date in the site's zone; "" if it is the same
	Categories  []Link
	Tags        []Link
	Website     *Link
	Picture     *Link // link to a picture on another host
	Venues      []Place
	Organizers  []Place
	Add         []Link // to calendars
	Description template.HTML
	Series      string  // the recurrence in words; "" for a single event
	Next        []Entry // others of the series
	All         *Link   // to all dates of the series
	Related     []Entry // at the same place
	QR          *QR     // where a poster is asked for
	Form        *Unlock // where a password is asked for; then nothing inside is shown
}

// An Unlock is the form that asks for the password of an event.
type Unlock struct {
	Action string
	Wrong  bool // one was sent
}
