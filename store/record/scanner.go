// Reading JSON in the one form in which the store writes it.

package record

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
	"time"
	"unicode/utf8"
)

// A scanner reads canonical JSON: the exact bytes that AppendJSON writes, without space
// and with members in the order of the struct. Any other text makes it bad, also valid
// JSON, and is left to decodeStrict, which reports errors. Both read canonical JSON alike.
//
// settle sets the texts and lists at the end of a record: its short texts share one
// allocation, and so do its lists of ids. Long texts have one each, so that a record
// that is changed keeps little of the old one alive.
type scanner struct {
	text []byte
	at   int
	bad  bool

	unescaped []byte // the last text that had escapes
	short     []byte // of the record
	texts     []sharedText
	numbers   []int64 // of the record
	lists     []sharedList
	known     map[string]string // texts that many records have
	before    likeReader        // of the list that the text is of
}

// A sharedText is a text that waits for settle.
type sharedText struct {
	into     *string
	from, to int // in short
}

// A sharedList is a list that waits for settle.
type sharedList struct {
	into     *[]int64
	from, to int // in numbers
}

const (
	// longText is the length from which on a text has an allocation of its own.
	longText = 128
	// knownTexts bounds what is kept of texts that many records have, and
	// knownLength the length of each.
	knownTexts  = 4096
	knownLength = 64
)

var scanners = sync.Pool{New: func() any { return &scanner{known: map[string]string{}} }}

// scan reads a text with read, and reports whether all of it was canonical. Events are the next ones of a list.
func scan(text []byte, before likeReader, read func(*scanner)) bool {
	s := scanners.Get().(*scanner)
	s.text, s.at, s.bad, s.before = text, 0, false, before
	read(s)
	ok := !s.bad && s.at == len(text)
	s.text, s.before = nil, nil
	s.forget()
	scanners.Put(s)
	return ok
}

// fail makes the scanner bad. Results are invalid from then on.
func (s *scanner) fail() { s.bad, s.at = true, len(s.text) }

// has reads a literal, if it is next.
func (s *scanner) has(literal string) bool {
	end := s.at + len(literal)
	if end > len(s.text) || string(s.text[s.at:end]) != literal {
		return false
	}
	s.at = end
	return true
}

// must reads a literal.
func (s *scanner) must(literal string) {
	if !s.has(literal) {
		s.fail()
	}
}

// maxDigits is how many digits any number may have that fits in an int64.
const maxDigits = 18

// int reads a whole number.
func (s *scanner) int() int64 {
	negative := s.has("-")
	from, n := s.at, int64(0)
	for s.at < len(s.text) && s.text[s.at]-'0' < 10 {
		n = n*10 + int64(s.text[s.at]-'0')
		s.at++
	}
	digits := s.at - from
	if digits == 0 || digits > maxDigits || s.text[from] == '0' && (digits > 1 || negative) {
		s.fail()
		return 0
	}
	if negative {
		return -n
	}
	return n
}

// ids reads a list that is not empty.
func (s *scanner) ids(into *[]int64) {
	from := len(s.numbers)
	s.must("[")
	for {
		s.numbers = append(s.numbers, s.int())
		if !s.has(",") {
			break
		}
	}
	s.must("]")
	s.lists = append(s.lists, sharedList{into, from, len(s.numbers)})
}

// time reads a moment, as encoding/json does.
func (s *scanner) time() (t time.Time) {
	end := bytes.IndexByte(s.text[min(s.at+1, len(s.text)):], '"') + s.at + 2
	if end < s.at+2 || t.UnmarshalJSON(s.text[s.at:end]) != nil {
		s.fail()
		return t
	}
	s.at = end
	return t
}

// localTime reads a wall clock.
func (s *scanner) localTime() Wall {
	end := s.at + len(`"`+wallLayout+`"`)
	if end > len(s.text) {
		s.fail()
		return 0
	}
	b := s.text[s.at:end]
	year := two(b[1:])*100 + two(b[3:])
	month, day, hour, minute, second := two(b[6:]), two(b[9:]), two(b[12:]), two(b[15:]), two(b[18:])
	form := b[0] == '"' && b[5] == '-' && b[8] == '-' && b[11] == ' ' && b[14] == ':' && b[17] == ':' && b[20] == '"'
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	// Date turns a day after the end of the month into a day of the next one.
	if !form || min(year, month, day, hour, minute, second) < 0 || month < 1 || month > 12 || day < 1 || t.Day() != day ||
		hour > 23 || minute > 59 || second > 59 {
		s.fail()
		return 0
	}
	s.at = end
	return Wall(t.Unix())
}

// two returns the number that two digits stand for, or a number far below 0.
func two(b []byte) int {
	tens, ones := b[0]-'0', b[1]-'0'
	if tens > 9 || ones > 9 {
		return -1 << 16
	}
	return int(tens)*10 + int(ones)
}

// string reads a text that many records may not have in common.
func (s *scanner) string(into *string) {
	b := s.bytes()
	switch {
	case len(b) == 0:
	case len(b) >= longText:
		*into = string(b)
	default:
		from := len(s.short)
		s.short = append(s.short, b...)
		s.texts = append(s.texts, sharedText{into, from, len(s.short)})
	}
}

// word reads a text that many records have: a time zone, a country.
func (s *scanner) word(into *string) {
	at := s.at
	b := s.bytes()
	text, found := s.known[string(b)]
	if !found && (len(b) > knownLength || len(s.known) == knownTexts) {
		s.at = at
		s.string(into)
		return
	}
	if !found {
		text = string(b)
		s.known[text] = text
	}
	*into = text
}

// settle returns the record what it waits for.
func (s *scanner) settle() {
	if s.bad {
		return
	}
	short := string(s.short)
	for _, t := range s.texts {
		*t.into = short[t.from:t.to]
	}
	if len(s.numbers) > 0 {
		numbers := append(make([]int64, 0, len(s.numbers)), s.numbers...)
		for _, l := range s.lists {
			*l.into = numbers[l.from:l.to:l.to]
		}
	}
	s.forget()
}

// forget drops what waits for settle.
func (s *scanner) forget() {
	clear(s.texts)
	clear(s.lists)
	s.short, s.texts, s.numbers, s.lists = s.short[:0], s.texts[:0], s.numbers[:0], s.lists[:0]
}

// bytes reads a text. It is valid until the next one is read.
func (s *scanner) bytes() []byte {
	s.must(`"`)
	from := s.at
	n, ascii := plain(s.text[s.at:])
	s.at += n
	text := s.text[from:s.at]
	if s.at < len(s.text) && s.text[s.at] == '\\' {
		text = append(s.unescaped[:0], text...)
		for s.at < len(s.text) && s.text[s.at] == '\\' {
			text = utf8.AppendRune(text, s.escape())
			n, more := plain(s.text[s.at:])
			text, ascii = append(text, s.text[s.at:s.at+n]...), ascii && more
			s.at += n
		}
		s.unescaped = text
	}
	s.must(`"`)
	// Others are replaced by encoding/json.
	if !s.bad && !ascii && !utf8.Valid(text) {
		s.fail()
	}
	return text
}

// escape reads an escape of the forms that are written.
func (s *scanner) escape() rune {
	rest := s.text[s.at:]
	if len(rest) < 2 {
		s.fail()
		return 0
	}
	s.at += 2
	if i := bytes.IndexByte([]byte(`"\nrtbf`), rest[1]); i >= 0 {
		return rune("\"\\\n\r\t\b\f"[i])
	}
	var r rune
	for i := 2; i < 6; i++ {
		digit := -1
		if rest[1] == 'u' && i < len(rest) {
			digit = bytes.IndexByte([]byte("0123456789abcdef"), rest[i])
		}
		if digit < 0 {
			s.fail()
			return 0
		}
		r = r<<4 | rune(digit)
	}
	if s.at += 4; !utf8.ValidRune(r) {
		s.fail() // half of a pair
	}
	return r
}

// plain returns how many bytes a text goes on for without quotation mark, escape
// or control character, and whether it is certain that all of them are ASCII. It
// looks at eight of them at a time: of the bytes that seem to be one of these
// the first is.
func plain(text []byte) (n int, ascii bool) {
	const each, top = 0x0101_0101_0101_0101, 0x8080_8080_8080_8080
	at, all := 0, uint64(0)
	for ; at+8 <= len(text); at += 8 {
		x := binary.LittleEndian.Uint64(text[at:])
		quote, escape := x^each*'"', x^each*'\\'
		if found := ((quote-each)&^quote | (escape-each)&^escape | (x-each*' ')&^x) & top; found != 0 {
			n := bits.TrailingZeros64(found) / 8
			return at + n, (all|x&(1<<(8*n)-1))&top == 0
		}
		all |= x
	}
	for ; at < len(text); at++ {
		c := text[at]
		if c == '"' || c == '\\' || c < ' ' {
			break
		}
		all |= uint64(c)
	}
	return at, all&top == 0
}
