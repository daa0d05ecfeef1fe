// Events and series, and the tables of their fields.

package record

import (
	"slices"

	"almanac/internal/text/cost"
)

// An Event is something that happens (section 2.1 of the specification).
type Event struct {
	Post
	Title    string `json:"title"`
	AllDay   bool   `json:"all_day,omitempty"`
	Start    Wall   `json:"start"`    // in Timezone
	End      Wall   `json:"end"`      // in Timezone, not before Start as a wall clock
	Timezone string `json:"timezone"` // canonical name; the UTC times are derived

	Cost // on disk four members of the event

	Website   string `json:"website,omitempty"`
	NoWebsite bool   `json:"no_website,omitempty"` // emptied: shown as "", not as the event's own page

	ShowMap          bool `json:"show_map,omitempty"`
	ShowMapLink      bool `json:"show_map_link,omitempty"`
	HideFromListings bool `json:"hide_from_listings,omitempty"`
	Sticky           bool `json:"sticky,omitempty"`
	Featured         bool `json:"featured,omitempty"`
	Ticketed         bool `json:"ticketed,omitempty"`

	Categories []int64 `json:"categories,omitempty"`
	Tags       []int64 `json:"tags,omitempty"`
	Venues     []int64 `json:"venues,omitempty"`     // in linked order
	Organizers []int64 `json:"organizers,omitempty"` // in linked order
	Parent     int64   `json:"post_parent,omitempty"`

	Password string `json:"password,omitempty"` // result of Options.HashPassword for the password; "" for none

	// Optional members, which are in More on disk.
	State         string `json:"-"` // Canceled, Postponed or "", which is as scheduled
	StateReason   string `json:"-"` // for everybody who may read the description
	PreviousStart Wall   `json:"-"` // in Timezone; 0 unless the event has a new date
	VirtualURL    string `json:"-"` // where people take part online; "" for none

	Proposal Proposal `json:"-"` // the zero value: an account made the event

	Recurrence *Recurrence `json:"recurrence,omitempty"` // nil for an event of no series

	Parts Parts `json:"-"` // of the template of a series; optional, in More on disk
}

// Parts are the ids of the series before and after one that was split from them; 0 for none, and
// in events.
type Parts struct{ Earlier, Later int64 }

// TakesWeeks reports whether an event takes longer than a week.
func (e *Event) TakesWeeks() bool { return e.End-e.Start > 7*86_400 }

// EventFields are the fields of an Event on disk, after those of its Post.
var EventFields = []Field[Event]{
	{"title", "", 0, func(e *Event) any { return &e.Title }},
	{"all_day", "", 0, func(e *Event) any { return &e.AllDay }},
	{"start", "start_date", 0, func(e *Event) any { return &e.Start }},
	{"end", "end_date", 0, func(e *Event) any { return &e.End }},
	{"timezone", "", word, func(e *Event) any { return &e.Timezone }},
	{"cost", "", word, func(e *Event) any { return &e.Entries }},
	{"currency_symbol", "cost", word, func(e *Event) any { return &e.Symbol }},
	{"currency_code", "cost", word, func(e *Event) any { return &e.Code }},
	{"currency_position", "cost", word, func(e *Event) any { return &e.Position }},
	{"website", "", 0, func(e *Event) any { return &e.Website }},
	{"no_website", "website", 0, func(e *Event) any { return &e.NoWebsite }},
	{"show_map", "", Plain, func(e *Event) any { return &e.ShowMap }},
	{"show_map_link", "", Plain, func(e *Event) any { return &e.ShowMapLink }},
	{"hide_from_listings", "", Plain, func(e *Event) any { return &e.HideFromListings }},
	{"sticky", "", Plain, func(e *Event) any { return &e.Sticky }},
	{"featured", "", Plain, func(e *Event) any { return &e.Featured }},
	{"ticketed", "", Plain, func(e *Event) any { return &e.Ticketed }},
	{"categories", "", 0, func(e *Event) any { return &e.Categories }},
	{"tags", "", 0, func(e *Event) any { return &e.Tags }},
	{"venues", "venue", 0, func(e *Event) any { return &e.Venues }},
	{"organizers", "organizer", 0, func(e *Event) any { return &e.Organizers }},
	{"post_parent", "", 0, func(e *Event) any { return &e.Parent }},
	{"password", "", 0, func(e *Event) any { return &e.Password }},
	{"recurrence", "-", 0, func(e *Event) any { return &e.Recurrence }},
	{"cost_text", "cost", Optional, func(e *Event) any { return &e.Wording }},
	{"event_status", "", Optional, func(e *Event) any { return &e.State }},
	{"event_status_reason", "", Optional, func(e *Event) any { return &e.StateReason }},
	{"previous_start", "rescheduled", Optional, func(e *Event) any { return &e.PreviousStart }},
	{"virtual_url", "", Plain | Optional, func(e *Event) any { return &e.VirtualURL }},
	{"proposal", "-", Optional, func(e *Event) any { return &e.Proposal.Key }},
	{"proposal_name", "-", Optional, func(e *Event) any { return &e.Proposal.Name }},
	{"proposal_email", "-", Optional, func(e *Event) any { return &e.Proposal.Email }},
	{"proposal_declined", "-", Optional, func(e *Event) any { return &e.Proposal.Declined }},
	{"proposal_venues", "-", Optional, func(e *Event) any { return &e.Proposal.Venues }},
	{"proposal_organizers", "-", Optional, func(e *Event) any { return &e.Proposal.Organizers }},
	{"earlier_part", "-", Optional, func(e *Event) any { return &e.Parts.Earlier }},
	{"later_part", "-", Optional, func(e *Event) any { return &e.Parts.Later }},
}

// A Proposal is about an event that somebody without an account proposed. Only the desk shows it,
// to accounts that may edit the event.
type Proposal struct {
	Key         string // hash of the secret in its address; "" is none
	Name, Email string // of the person; both are empty after a withdrawal
	Declined    string // reason

	// The records that were made with it: it sees them beside what everybody sees, and they become
	// public with the event.
	Venues, Organizers []int64
}

// Made returns where the ids of the venues or organizers are that were made with a proposal, nil
// for another kind.
func (p *Proposal) Made(k Kind) *[]int64 {
	return map[Kind]*[]int64{Venues: &p.Venues, Organizers: &p.Organizers}[k]
}

// IsMade reports whether a venue or an organizer was made with the proposal.
func (p *Proposal) IsMade(k Kind, id int64) bool {
	ids := p.Made(k)
	return ids != nil && slices.Contains(*ids, id)
}

// Cost is the cost of an event.
type Cost = cost.Cost

// Kind returns Events.
func (*Event) Kind() Kind { return Events }

// A Series is a recurrence set (RFC 5545, section 3.8.5), from which events are made. These
// are records of their own, and are found like every other event.
//
// A series whose Event is in the trash has ended. Its record stays, since trashed events may link
// to it.
type Series struct {
	Meta
	Event   Event  `json:"event"`             // first instance, template of the events; without id; slug may repeat
	Rule    string `json:"rule,omitempty"`    // canonical RRULE value; "" if only RDates make events
	RDates  []Wall `json:"rdates,omitempty"`  // in the zone of Event, ascending
	EXDates []Wall `json:"exdates,omitempty"` // in the zone of Event, ascending
	Horizon Wall   `json:"horizon,omitempty"` // exclusive end of the instances that were made; 0 if all were
}

// Kind returns AllSeries.
func (*Series) Kind() Kind { return AllSeries }

// A Recurrence says which instance of a series an event is.
type Recurrence struct {
	Series  int64    `json:"series"`
	Start   Wall     `json:"start"`             // recurrence id: original start, in the zone of the series
	Changed []string `json:"changed,omitempty"` // API names of members that this event overrides, ascending
}
