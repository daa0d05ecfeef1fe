// The members of the records, in the order in which they are written.

package store

import "strconv"

// meta reads the members of every record, from the number of its id on.
func (s *scanner) meta(m *Meta) {
	m.ID = s.int()
	s.must(`,"rev":`)
	m.Rev = s.uint()
}

// post reads the members that events, venues and organizers have in common.
func (s *scanner) post(p *Post) {
	s.meta(&p.Meta)
	s.must(`,"author":`)
	p.Author = s.int()
	s.must(`,"status":`)
	s.word((*string)(&p.Status))
	s.must(`,"date":`)
	p.Date = s.time()
	p.Undated = s.has(`,"undated":true`)
	p.LocalDate = s.has(`,"local_date":true`)
	p.WasDraft = s.has(`,"was_draft":true`)
	if s.has(`,"modified":`) {
		p.Modified = s.time()
	}
	s.optional(`,"slug":`, &p.Slug)
	s.former(&p.Former)
	s.optional(`,"description":`, &p.Description)
	s.optional(`,"excerpt":`, &p.Excerpt)
	if s.has(`,"image":`) {
		p.Image = s.int()
	}
	if s.has(`,"origins":`) {
		p.Origins = s.strings((*scanner).string)
	}
}

// former reads earlier slugs, which may be missing.
func (s *scanner) former(into *[]string) {
	if s.has(`,"former":`) {
		*into = s.strings((*scanner).string)
	}
}

// optional reads a text that may be missing.
func (s *scanner) optional(literal string, into *string) {
	if s.has(literal) {
		s.string(into)
	}
}

// optionalWord reads a word that may be missing.
func (s *scanner) optionalWord(literal string, into *string) {
	if s.has(literal) {
		s.word(into)
	}
}

// strings reads a list that is not empty.
func (s *scanner) strings(read func(*scanner, *string)) []string {
	s.must("[")
	var text string
	list := make([]string, s.count(func() { s.string(&text) }))
	for i := range list {
		read(s, &list[i])
		s.at++ // the comma or bracket
	}
	return list
}

// count counts the items up to the end of a list, which it only looks at: they
// have to stay where they are from the first on. Of a bad list it finds none.
func (s *scanner) count(item func()) (n int) {
	at, short, texts := s.at, len(s.short), len(s.texts)
	for more := true; more; more = s.has(",") {
		item()
		n++
	}
	s.must("]")
	if s.bad {
		return 0
	}
	s.at, s.short, s.texts = at, s.short[:short], s.texts[:texts]
	return n
}

func (s *scanner) event(e *Event) {
	s.post(&e.Post)
	s.must(`,"title":`)
	s.string(&e.Title)
	e.AllDay = s.has(`,"all_day":true`)
	s.must(`,"start":`)
	e.Start = s.localTime()
	s.must(`,"end":`)
	e.End = s.localTime()
	s.must(`,"timezone":`)
	s.word(&e.Timezone)
	if s.has(`,"cost":`) {
		e.Entries = s.strings((*scanner).word)
	}
	s.optionalWord(`,"currency_symbol":`, &e.Symbol)
	s.optionalWord(`,"currency_code":`, &e.Code)
	s.optionalWord(`,"currency_position":`, &e.Position)
	s.optional(`,"website":`, &e.Website)
	e.NoWebsite = s.has(`,"no_website":true`)
	e.ShowMap = s.has(`,"show_map":true`)
	e.ShowMapLink = s.has(`,"show_map_link":true`)
	e.HideFromListings = s.has(`,"hide_from_listings":true`)
	e.Sticky = s.has(`,"sticky":true`)
	e.Featured = s.has(`,"featured":true`)
	e.Ticketed = s.has(`,"ticketed":true`)
	for _, list := range [...]struct {
		literal string
		into    *[]int64
	}{
		{`,"categories":`, &e.Categories}, {`,"tags":`, &e.Tags}, {`,"venues":`, &e.Venues}, {`,"organizers":`, &e.Organizers},
	} {
		if s.has(list.literal) {
			s.ids(list.into)
		}
	}
	if s.has(`,"post_parent":`) {
		e.Parent = s.int()
	}
	s.optional(`,"password":`, &e.Password)
	if s.has(`,"recurrence":{"series":`) {
		r := new(Recurrence)
		e.Recurrence = r
		r.Series = s.int()
		s.must(`,"start":`)
		r.Start = s.localTime()
		if s.has(`,"changed":`) {
			r.Changed = s.strings((*scanner).word)
		}
		s.must("}")
	}
}

func (s *scanner) series(r *Series) {
	s.meta(&r.Meta)
	s.must(`,"event":{"id":`)
	s.event(&r.Event)
	s.must("}")
	s.optional(`,"rule":`, &r.Rule)
	r.RDates = s.walls(`,"rdates":[`)
	r.EXDates = s.walls(`,"exdates":[`)
	if s.has(`,"horizon":`) {
		r.Horizon = s.localTime()
	}
}

// walls reads a list of wall clocks that may be missing.
func (s *scanner) walls(literal string) (list []Wall) {
	if !s.has(literal) {
		return nil
	}
	for more := true; more; more = s.has(",") {
		list = append(list, s.localTime())
	}
	s.must("]")
	return list
}

func (s *scanner) venue(v *Venue) {
	s.post(&v.Post)
	s.must(`,"venue":`)
	s.string(&v.Name)
	s.optional(`,"address":`, &v.Address)
	s.optionalWord(`,"city":`, &v.City)
	s.optionalWord(`,"country":`, &v.Country)
	s.optionalWord(`,"province":`, &v.Province)
	s.optionalWord(`,"state":`, &v.State)
	s.optional(`,"zip":`, &v.Zip)
	s.optional(`,"phone":`, &v.Phone)
	s.optional(`,"website":`, &v.Website)
	s.optionalWord(`,"stateprovince":`, &v.StateProvince)
	v.ShowMap = s.has(`,"show_map":true`)
	v.ShowMapLink = s.has(`,"show_map_link":true`)
	if s.has(`,"geo":{"lat":`) {
		v.Geo = new(Geo)
		v.Geo.Lat = s.float()
		s.must(`,"lng":`)
		v.Geo.Lng = s.float()
		s.must("}")
	}
}

// float reads a number without an exponent.
func (s *scanner) float() float64 {
	from := s.at
	if !s.has("-0") && !s.has("0") { // int takes no "-0"
		s.int()
	}
	if s.has(".") {
		digits := s.at
		for s.at < len(s.text) && s.text[s.at]-'0' < 10 {
			s.at++
		}
		if s.at == digits {
			s.fail()
		}
	}
	if s.bad {
		return 0
	}
	f, err := strconv.ParseFloat(string(s.text[from:s.at]), 64)
	if err != nil {
		s.fail()
	}
	return f
}

func (s *scanner) organizer(o *Organizer) {
	s.post(&o.Post)
	s.must(`,"organizer":`)
	s.string(&o.Name)
	s.optional(`,"phone":`, &o.Phone)
	s.optional(`,"website":`, &o.Website)
	s.optional(`,"email":`, &o.Email)
}

func (s *scanner) term(t *Term) {
	s.meta(&t.Meta)
	s.must(`,"name":`)
	s.string(&t.Name)
	s.must(`,"slug":`)
	s.string(&t.Slug)
	s.former(&t.Former)
	s.optional(`,"description":`, &t.Description)
	if s.has(`,"parent":`) {
		t.Parent = s.int()
	}
}

func (s *scanner) image(i *Image) {
	s.meta(&i.Meta)
	s.must(`,"url":`)
	s.string(&i.URL)
	s.optionalWord(`,"extension":`, &i.Extension)
	if s.has(`,"width":`) {
		i.Width = s.smallInt()
	}
	if s.has(`,"height":`) {
		i.Height = s.smallInt()
	}
	if s.has(`,"filesize":`) {
		i.Filesize = s.int()
	}
	if s.has(`,"sizes":[`) {
		var size ImageSize
		i.Sizes = make([]ImageSize, s.count(func() { s.size(&size) }))
		for n := range i.Sizes {
			s.size(&i.Sizes[n])
			s.at++ // the comma or bracket
		}
	}
	s.optional(`,"original_image":`, &i.Original)
}

// size reads a scaled copy.
func (s *scanner) size(size *ImageSize) {
	s.must(`{"name":`)
	s.word(&size.Name)
	s.must(`,"width":`)
	size.Width = s.smallInt()
	s.must(`,"height":`)
	size.Height = s.smallInt()
	if s.has(`,"mime-type":`) {
		s.word(&size.MIMEType)
	}
	if s.has(`,"filesize":`) {
		size.Filesize = s.int()
	}
	if yes := s.has(`,"uncropped":true`); yes || s.has(`,"uncropped":false`) {
		size.Uncropped = &yes
	}
	s.must(`,"url":`)
	s.string(&size.URL)
	s.must("}")
}

func (s *scanner) account(a *Account) {
	s.meta(&a.Meta)
	s.optional(`,"login":`, &a.Login)
	s.optionalWord(`,"role":`, &a.Role)
	s.optional(`,"email":`, &a.Email)
	a.Disabled = s.has(`,"disabled":true`)
	if s.has(`,"tokens":[`) {
		var t AccountToken
		a.Tokens = make([]AccountToken, s.count(func() { s.token(&t) }))
		for n := range a.Tokens {
			s.token(&a.Tokens[n])
			s.at++ // the comma or bracket
		}
	}
	a.Removed = s.has(`,"removed":true`)
	s.must(`,"by":`)
	s.word(&a.By)
}

// token reads a token of an account.
func (s *scanner) token(t *AccountToken) {
	s.must(`{"name":`)
	s.string(&t.Name)
	s.optional(`,"created":`, &t.Created)
	s.optional(`,"expires":`, &t.Expires)
	t.Plain = s.has(`,"plain":true`)
	s.optional(`,"mark":`, &t.Fingerprint)
	s.must("}")
}
