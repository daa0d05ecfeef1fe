// The records of events that come again.

package store

// A Series is a recurrence set (RFC 5545, section 3.8.5), from which events are made. These
// are records of their own, and are found like every other event.
//
// A series whose Event is in the trash has ended. Its record stays, since trashed events may link to it.
type Series struct {
	Meta
	Event   Event  `json:"event"`             // first instance, template of the events; without id; slug may repeat
	Rule    string `json:"rule,omitempty"`    // canonical RRULE value; "" if only RDates make events
	RDates  []Wall `json:"rdates,omitempty"`  // in the zone of Event, ascending
	EXDates []Wall `json:"exdates,omitempty"` // in the zone of Event, ascending
	Horizon Wall   `json:"horizon,omitempty"` // exclusive end of the instances that were made; 0 if all were
}

var seriesFields = []Field[Series]{
	{"event", "-", Must, func(s *Series) any { return &s.Event }},
	{"rule", "-", 0, func(s *Series) any { return &s.Rule }},
	{"rdates", "-", 0, func(s *Series) any { return &s.RDates }},
	{"exdates", "-", 0, func(s *Series) any { return &s.EXDates }},
	{"horizon", "-", 0, func(s *Series) any { return &s.Horizon }},
}

// Kind returns AllSeries.
func (*Series) Kind() Kind { return AllSeries }

// A Recurrence says which instance of a series an event is.
type Recurrence struct {
	Series  int64    `json:"series"`
	Start   Wall     `json:"start"`             // recurrence id: original start, in the zone of the series
	Changed []string `json:"changed,omitempty"` // API names of members that this event overrides, ascending
}

var recurrenceFields = []Field[Recurrence]{
	{"series", "-", Must, func(r *Recurrence) any { return &r.Series }},
	{"start", "-", Must, func(r *Recurrence) any { return &r.Start }},
	{"changed", "-", Word, func(r *Recurrence) any { return &r.Changed }},
}
