// Printing records and changes: their members, in the order of the structs.

package store

// printed appends a record, or a change, if it is one that is not odd.
func printed(dst []byte, value any) ([]byte, bool) {
	p := printer{text: dst}
	switch v := value.(type) {
	case *Change:
		p.change(v)
	case Record:
		p.record(v)
	default:
		return dst, false
	}
	return p.text, !p.odd
}

// change writes a change.
func (p *printer) change(c *Change) {
	p.put("{")
	start := len(p.text)
	printRecords(p, start, `"events":[`, c.Events)
	printRecords(p, start, `"venues":[`, c.Venues)
	printRecords(p, start, `"organizers":[`, c.Organizers)
	printRecords(p, start, `"categories":[`, c.Categories)
	printRecords(p, start, `"tags":[`, c.Tags)
	printRecords(p, start, `"images":[`, c.Images)
	for i, gone := range c.Removed {
		if i > 0 {
			p.put(",")
		} else {
			p.member(start, `"removed":[`)
		}
		p.odd = p.odd || gone.Kind >= kinds
		p.string(`{"kind":`, gone.Kind.String())
		p.int(`,"id":`, gone.ID)
		p.put("}")
	}
	p.flag("]}", len(c.Removed) > 0)
	p.flag("}", len(c.Removed) == 0)
}

// member begins a member of an object that starts at a place.
func (p *printer) member(start int, literal string) {
	p.flag(",", len(p.text) > start)
	p.put(literal)
}

// printRecords writes a list that is not empty.
func printRecords[T any, R interface {
	*T
	Record
}](p *printer, start int, literal string, list []R) {
	for i, r := range list {
		if i > 0 {
			p.put(",")
		} else {
			p.member(start, literal)
		}
		if p.odd = p.odd || r == nil; p.odd {
			return
		}
		p.record(r)
	}
	p.flag("]", len(list) > 0)
}

func (p *printer) record(r Record) {
	switch r := r.(type) {
	case *Event:
		p.event(r)
	case *Venue:
		p.venue(r)
	case *Organizer:
		p.organizer(r)
	case *Term:
		p.term(r)
	case *Image:
		p.image(r)
	}
	p.put("}")
}

// meta writes what every record has.
func (p *printer) meta(m *Meta) {
	p.int(`{"id":`, m.ID)
	p.uint(`,"rev":`, m.Rev)
}

// post writes what events, venues and organizers have in common.
func (p *printer) post(t *Post) {
	p.meta(&t.Meta)
	p.int(`,"author":`, t.Author)
	p.string(`,"status":`, string(t.Status))
	p.time(`,"date":`, t.Date)
	p.flag(`,"undated":true`, t.Undated)
	p.flag(`,"local_date":true`, t.LocalDate)
	p.flag(`,"was_draft":true`, t.WasDraft)
	if !t.Modified.IsZero() {
		p.time(`,"modified":`, t.Modified)
	}
	p.optional(`,"slug":`, t.Slug)
	p.optional(`,"description":`, t.Description)
	p.optional(`,"excerpt":`, t.Excerpt)
	p.optionalInt(`,"image":`, t.Image)
	p.strings(`,"origins":[`, t.Origins)
}

func (p *printer) event(e *Event) {
	p.post(&e.Post)
	p.string(`,"title":`, e.Title)
	p.flag(`,"all_day":true`, e.AllDay)
	p.wall(`,"start":`, e.Start)
	p.wall(`,"end":`, e.End)
	p.string(`,"timezone":`, e.Timezone)
	p.strings(`,"cost":[`, e.Cost)
	p.optional(`,"currency_symbol":`, e.CurrencySymbol)
	p.optional(`,"currency_code":`, e.CurrencyCode)
	p.optional(`,"currency_position":`, e.CurrencyPosition)
	p.optional(`,"website":`, e.Website)
	p.flag(`,"no_website":true`, e.NoWebsite)
	p.flag(`,"show_map":true`, e.ShowMap)
	p.flag(`,"show_map_link":true`, e.ShowMapLink)
	p.flag(`,"hide_from_listings":true`, e.HideFromListings)
	p.flag(`,"sticky":true`, e.Sticky)
	p.flag(`,"featured":true`, e.Featured)
	p.flag(`,"ticketed":true`, e.Ticketed)
	p.ids(`,"categories":[`, e.Categories)
	p.ids(`,"tags":[`, e.Tags)
	p.ids(`,"venues":[`, e.Venues)
	p.ids(`,"organizers":[`, e.Organizers)
	p.optionalInt(`,"post_parent":`, e.Parent)
	p.optional(`,"password":`, e.Password)
}

func (p *printer) venue(v *Venue) {
	p.post(&v.Post)
	p.string(`,"venue":`, v.Name)
	p.optional(`,"address":`, v.Address)
	p.optional(`,"city":`, v.City)
	p.optional(`,"country":`, v.Country)
	p.optional(`,"province":`, v.Province)
	p.optional(`,"state":`, v.State)
	p.optional(`,"zip":`, v.Zip)
	p.optional(`,"phone":`, v.Phone)
	p.optional(`,"website":`, v.Website)
	p.optional(`,"stateprovince":`, v.StateProvince)
	p.flag(`,"show_map":true`, v.ShowMap)
	p.flag(`,"show_map_link":true`, v.ShowMapLink)
	if v.Geo != nil {
		p.float(`,"geo":{"lat":`, v.Geo.Lat)
		p.float(`,"lng":`, v.Geo.Lng)
		p.put("}")
	}
}

func (p *printer) organizer(o *Organizer) {
	p.post(&o.Post)
	p.string(`,"organizer":`, o.Name)
	p.optional(`,"phone":`, o.Phone)
	p.optional(`,"website":`, o.Website)
	p.optional(`,"email":`, o.Email)
}

func (p *printer) term(t *Term) {
	p.meta(&t.Meta)
	p.string(`,"name":`, t.Name)
	p.string(`,"slug":`, t.Slug)
	p.optional(`,"description":`, t.Description)
	p.optionalInt(`,"parent":`, t.Parent)
}

func (p *printer) image(i *Image) {
	p.meta(&i.Meta)
	p.string(`,"url":`, i.URL)
	p.optional(`,"extension":`, i.Extension)
	p.optionalInt(`,"width":`, int64(i.Width))
	p.optionalInt(`,"height":`, int64(i.Height))
	p.optionalInt(`,"filesize":`, i.Filesize)
	for n, size := range i.Sizes {
		if n > 0 {
			p.put(",")
		} else {
			p.put(`,"sizes":[`)
		}
		p.string(`{"name":`, size.Name)
		p.int(`,"width":`, int64(size.Width))
		p.int(`,"height":`, int64(size.Height))
		p.optional(`,"mime-type":`, size.MIMEType)
		p.optionalInt(`,"filesize":`, size.Filesize)
		if size.Uncropped != nil {
			p.flag(`,"uncropped":true`, *size.Uncropped)
			p.flag(`,"uncropped":false`, !*size.Uncropped)
		}
		p.string(`,"url":`, size.URL)
		p.put("}")
	}
	p.flag("]", len(i.Sizes) > 0)
	p.optional(`,"original_image":`, i.Original)
}
