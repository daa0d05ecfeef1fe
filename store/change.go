// Changes of transactions: the unit of the log and of recovery.

package store

// A Change holds the records that a transaction wrote and the ids it removed.
// A line of the log has one, a snapshot is their sum, and commits and recovery apply it to the indexes in the same way.
type Change struct {
	Events     []*Event     `json:"events,omitempty"`
	Venues     []*Venue     `json:"venues,omitempty"`
	Organizers []*Organizer `json:"organizers,omitempty"`
	Categories []*Term      `json:"categories,omitempty"`
	Tags       []*Term      `json:"tags,omitempty"`
	Images     []*Image     `json:"images,omitempty"`
	Series     []*Series    `json:"series,omitempty"`
	Accounts   []*Account   `json:"accounts,omitempty"` // then there is nothing else
	Identity   string       `json:"identity,omitempty"` // that the calendar gets; then there is nothing else
	Removed    []Removal    `json:"removed,omitempty"`
}

// A Removal names a record that is gone for good.
type Removal struct {
	Kind Kind  `json:"kind"`
	ID   int64 `json:"id"`
}

// Empty reports whether the change holds nothing.
func (c *Change) Empty() bool {
	records := len(c.Events) + len(c.Venues) + len(c.Organizers) + len(c.Categories) + len(c.Tags) + len(c.Images)
	return records+len(c.Series)+len(c.Accounts)+len(c.Removed)+len(c.Identity) == 0
}

// add appends a record to its list.
func (c *Change) add(r Record) {
	switch r := r.(type) {
	case *Event:
		c.Events = append(c.Events, r)
	case *Venue:
		c.Venues = append(c.Venues, r)
	case *Organizer:
		c.Organizers = append(c.Organizers, r)
	case *Term:
		if r.Taxonomy == Categories {
			c.Categories = append(c.Categories, r)
		} else {
			c.Tags = append(c.Tags, r)
		}
	case *Image:
		c.Images = append(c.Images, r)
	case *Series:
		c.Series = append(c.Series, r)
	case *Account:
		c.Accounts = append(c.Accounts, r)
	}
}

// each calls f with every record of the change, links first: accounts, images, terms,
// venues, organizers, series, events. It also tells terms their taxonomy, which the
// files say by place only.
func (c *Change) each(f func(Record)) {
	for _, r := range c.Accounts {
		f(r)
	}
	for _, r := range c.Images {
		f(r)
	}
	for _, r := range c.Categories {
		r.Taxonomy = Categories
		f(r)
	}
	for _, r := range c.Tags {
		r.Taxonomy = Tags
		f(r)
	}
	for _, r := range c.Venues {
		f(r)
	}
	for _, r := range c.Organizers {
		f(r)
	}
	for _, r := range c.Series {
		f(r)
	}
	for _, r := range c.Events {
		f(r)
	}
}
