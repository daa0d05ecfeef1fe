// Reading the fields of the records, by their tables.

package store

import (
	"strconv"
	"time"
)

// A scan of a field reads it, if it is next.
type fieldScan[T any] struct {
	lead       string // text before the value
	must, word bool
	at         func(*T) any
}

// scansOf prepares a table. The first field of an object begins with the bracket, all others with a comma.
func scansOf[T any](before string, fields []Field[T]) []fieldScan[T] {
	scans := make([]fieldScan[T], len(fields))
	for i, f := range fields {
		scans[i] = fieldScan[T]{before + `"` + f.Name + `":`, f.Use&Must != 0, f.Use&Word != 0, f.At}
		before = ","
	}
	return scans
}

var (
	metaScans       = scansOf("{", metaFields)
	postScans       = scansOf(",", PostFields)
	eventScans      = scansOf(",", EventFields)
	venueScans      = scansOf(",", VenueFields)
	organizerScans  = scansOf(",", OrganizerFields)
	termScans       = scansOf(",", termFields)
	imageScans      = scansOf(",", imageFields)
	seriesScans     = scansOf(",", seriesFields)
	accountScans    = scansOf(",", accountFields)
	geoScans        = scansOf("{", geoFields)
	sizeScans       = scansOf("{", sizeFields)
	recurrenceScans = scansOf("{", recurrenceFields)
	tokenScans      = scansOf("{", tokenFields)
)

// fields reads the fields of a table.
func scanFields[T any](s *scanner, scans []fieldScan[T], r *T) {
	for i := range scans {
		f := &scans[i]
		if rest := s.text[s.at:]; len(rest) > len(f.lead) && rest[2] == f.lead[2] && string(rest[:len(f.lead)]) == f.lead {
			s.at += len(f.lead)
			s.value(f.at(r), f.word)
		} else if f.must {
			s.fail()
		}
	}
}

// object reads an object that has the fields of a table and no others.
func scanObject[T any](s *scanner, scans []fieldScan[T], r *T) {
	scanFields(s, scans, r)
	s.must("}")
}

// post reads the members that events, venues and organizers have in common.
func (s *scanner) post(p *Post) {
	scanFields(s, metaScans, &p.Meta)
	scanFields(s, postScans, p)
}

// event reads an event, which a series has too.
func (s *scanner) event(e *Event) {
	s.post(&e.Post)
	scanObject(s, eventScans, e)
}

// record reads a record into an empty one.
func (s *scanner) record(r Record) {
	switch r := r.(type) {
	case *Event:
		s.event(r)
	case *Venue:
		s.post(&r.Post)
		scanObject(s, venueScans, r)
	case *Organizer:
		s.post(&r.Post)
		scanObject(s, organizerScans, r)
	case *Term:
		scanFields(s, metaScans, &r.Meta)
		scanObject(s, termScans, r)
	case *Image:
		scanFields(s, metaScans, &r.Meta)
		scanObject(s, imageScans, r)
	case *Series:
		scanFields(s, metaScans, &r.Meta)
		scanObject(s, seriesScans, r)
	case *Account:
		scanFields(s, metaScans, &r.Meta)
		scanObject(s, accountScans, r)
	}
	s.settle()
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
		*to = s.uint()
	case *int:
		*to = s.smallInt()
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
		scanObject(s, recurrenceScans, *to)
	case *float64:
		*to = s.float()
	case **Geo:
		*to = new(Geo)
		scanObject(s, geoScans, *to)
	case *[]ImageSize:
		*to = scanList(s, func(size *ImageSize) { scanObject(s, sizeScans, size) })
	case **bool:
		yes := s.has("true")
		if !yes {
			s.must("false")
		}
		*to = &yes
	case *Event:
		s.event(to)
	case *[]AccountToken:
		*to = scanList(s, func(t *AccountToken) { scanObject(s, tokenScans, t) })
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
