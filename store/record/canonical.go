// Reading the fields of the records, by their tables.

package record

import (
	"strconv"
	"time"
)

// scanFields reads the fields of a table that are not optional. Before the first is a comma, or the bracket of the object.
func scanFields[T any](s *scanner, before byte, fields []Field[T], r *T) {
	scanSome(s, before, fields, 0, r)
}

// scanSome reads the optional fields of a table, or all others, and returns the byte before the next field.
func scanSome[T any](s *scanner, before byte, fields []Field[T], optional use, r *T) byte {
	for i := range fields {
		f, rest := &fields[i], s.text[s.at:]
		if f.Use&Optional != optional {
			continue
		}
		n := len(f.Name) + 2 // with quotes
		if n+1 < len(rest) && rest[2] == f.Name[0] && rest[0] == before && rest[1] == '"' && string(rest[2:n]) == f.Name &&
			rest[n] == '"' && rest[n+1] == ':' {
			s.at += n + 2
			s.value(f.At(r), f.Use&word != 0)
			before = ','
		} else if f.Use&required != 0 {
			s.fail()
		}
	}
	return before
}

// scanObject reads an object that has the fields of a table and no others.
func scanObject[T any](s *scanner, fields []Field[T], r *T) {
	scanFields(s, '{', fields, r)
	s.must("}")
}

// post reads the members that events, venues and organizers have in common, with the optional ones; e is nil for other records.
// Before the first is a byte.
func (s *scanner) post(first byte, p *Post, e *Event) {
	scanFields(s, first, metaFields, &p.Meta)
	if s.has(`,"more":`) {
		from, before := s.at, byte('{')
		if e != nil {
			before = scanSome(s, before, EventFields, Optional, e)
		}
		scanSome(s, before, PostFields, Optional, p)
		s.must("}")
		p.More = more(s.text[from:s.at])
	}
	scanFields(s, ',', PostFields, p)
}

// record reads a record into an empty one.
func (s *scanner) record(r Record) {
	e, _ := r.(*Event)
	var like map[string]int64
	switch r := r.(type) {
	case *Event:
		first := byte('{')
		if s.has(`{"like":{`) {
			like, first = s.like(), ','
		}
		s.post(first, &r.Post, r)
		scanFields(s, ',', EventFields, r)
	case *Venue:
		s.post('{', &r.Post, nil)
		scanFields(s, ',', VenueFields, r)
	case *Organizer:
		s.post('{', &r.Post, nil)
		scanFields(s, ',', OrganizerFields, r)
	case *Term:
		scanFields(s, '{', metaFields, &r.Meta)
		scanFields(s, ',', termFields, r)
	case *Image:
		scanFields(s, '{', metaFields, &r.Meta)
		scanFields(s, ',', imageFields, r)
	case *Series:
		scanFields(s, '{', metaFields, &r.Meta)
		scanFields(s, ',', seriesFields, r)
	default: // an account: there are few
		s.fail()
	}
	s.must("}")
	s.settle()
	if e != nil && !s.bad && s.before.add(e, like) != nil {
		s.fail()
	}
}

// like reads in which members an event is like others.
func (s *scanner) like() map[string]int64 {
	like := map[string]int64{}
	for more := true; more; more = s.has(",") {
		member := string(s.bytes())
		s.must(":")
		like[member] = s.int()
	}
	s.must("}")
	return like
}

// value reads the value of a field to where a pointer leads. Many records have the same word.
func (s *scanner) value(to any, word bool) {
	switch to := to.(type) {
	case *string:
		if word {
			s.word(to)
		} else {
			s.string(to)
		}
	case *Status:
		s.word((*string)(to))
	case *bool:
		s.must("true")
		*to = true
	case *int64:
		*to = s.int()
	case *uint64:
		n := s.int()
		if *to = uint64(n); n < 0 {
			s.fail()
		}
	case *int:
		n := s.int()
		if *to = int(n); int64(*to) != n {
			s.fail()
		}
	case *Wall:
		*to = s.localTime()
	case *time.Time:
		*to = s.time()
	case *[]int64:
		s.ids(to)
	case *[]string:
		*to = scanList(s, func(text *string) { s.value(text, word) })
	case *[]Wall:
		*to = scanList(s, func(w *Wall) { *w = s.localTime() })
	case **Recurrence:
		*to = new(Recurrence)
		scanObject(s, recurrenceFields, *to)
	case *float64:
		*to = s.float()
	case **Geo:
		*to = new(Geo)
		scanObject(s, geoFields, *to)
	case *CustomFields:
		*to = scanList(s, func(f *CustomField) { scanObject(s, customFields, f) })
	case *[]ImageSize:
		*to = scanList(s, func(size *ImageSize) { scanObject(s, sizeFields, size) })
	case **bool:
		yes := s.has("true")
		if !yes {
			s.must("false")
		}
		*to = &yes
	case *Event:
		s.post('{', &to.Post, to)
		scanFields(s, ',', EventFields, to)
		s.must("}")
	}
}

// scanList reads a list that is not empty.
func scanList[T any](s *scanner, read func(*T)) []T {
	s.must("[")
	var item T
	list := make([]T, s.count(func() { read(&item) }))
	for i := range list {
		read(&list[i])
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

// decodeRecord reads a record of a kind from a JSON object and nothing else: the next one of a list.
func decodeRecord(k Kind, data []byte, before likeReader) (Record, error) {
	r := newRecord(k)
	if scan(data, before, func(s *scanner) { s.record(r) }) {
		return r, nil
	}
	if k == Events && before != nil {
		return decodeListed(data, before)
	}
	r = newRecord(k) // without what was read of it
	if err := decodeStrict(data, r); err != nil {
		return r, err
	}
	return r, readMore(r)
}

// change reads a change.
func (s *scanner) change(c *Change) {
	s.must("{")
	start := s.at
	scanRecords(s, start, `"events":[`, &c.Events)
	scanRecords(s, start, `"venues":[`, &c.Venues)
	scanRecords(s, start, `"organizers":[`, &c.Organizers)
	scanRecords(s, start, `"categories":[`, &c.Categories)
	scanRecords(s, start, `"tags":[`, &c.Tags)
	scanRecords(s, start, `"images":[`, &c.Images)
	scanRecords(s, start, `"series":[`, &c.Series)
	if s.member(start, `"removed":[`) {
		for {
			s.must(`{"kind":`)
			var gone Removal
			if gone.Kind.UnmarshalText(s.bytes()) != nil {
				s.fail()
			}
			s.must(`,"id":`)
			gone.ID = s.int()
			s.must("}")
			c.Removed = append(c.Removed, gone)
			if !s.has(",") {
				break
			}
		}
		s.must("]")
	}
	s.must("}")
}

// member reads the beginning of a member, if it is next in an object that
// starts at a place.
func (s *scanner) member(start int, literal string) bool {
	at := s.at
	if (at == start || s.has(",")) && s.has(literal) {
		return true
	}
	s.at = at
	return false
}

// scanRecords reads a list of records that is not empty, if it is next.
func scanRecords[T any, R interface {
	*T
	Record
}](s *scanner, start int, literal string, into *[]R) {
	if !s.member(start, literal) {
		return
	}
	for more := true; more; more = s.has(",") {
		r := R(new(T))
		s.record(r)
		*into = append(*into, r)
	}
	s.must("]")
}
