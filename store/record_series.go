// The records of events that come again.

package store

// A Series is a recurrence set (RFC 5545, section 3.8.5): what makes events. These
// are records of their own, and are found like every other event.
//
// A series whose Event is in the trash has ended. Its record stays, since events in
// the trash may be of it.
type Series struct {
	Meta
	Event   Event  `json:"event"`             // what its events are made of: the first instance, without an id; its slug need not be unique
	Rule    string `json:"rule,omitempty"`    // value of an RRULE in its canonical form; "" when there are dates alone
	RDates  []Wall `json:"rdates,omitempty"`  // in the zone of Event, ascending
	EXDates []Wall `json:"exdates,omitempty"` // in the zone of Event, ascending
	Horizon Wall   `json:"horizon,omitempty"` // the instances before it have been made; 0: all that there will ever be
}

// Kind returns AllSeries.
func (*Series) Kind() Kind { return AllSeries }

// A Recurrence says which instance of which series an event is.
type Recurrence struct {
	Series  int64    `json:"series"`
	Start   Wall     `json:"start"`             // the recurrence id: the start that it was made for, in the zone of the series
	Changed []string `json:"changed,omitempty"` // members, by their names in the API, that were changed on this event alone; ascending
}
