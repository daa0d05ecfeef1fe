// Reading records and changes that are in the form in which the store writes
// them, many times as fast as encoding/json.

package store

// decodeRecord reads a record of a kind from a JSON object and nothing else.
func decodeRecord(k Kind, data []byte) (Record, error) {
	r := newRecord(k)
	if scan(data, func(s *scanner) { s.record(r) }) {
		return r, nil
	}
	r = newRecord(k) // without what was read of it
	return r, decodeStrict(data, r)
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
