// Pages whose templates were executed before, for others of the same shape.

package pages

import (
	"bytes"
	"crypto/rand"
	"hash/maphash"
	"regexp"
	"strconv"
	"strings"

	"almanac/internal/markup"
)

// A shell is a page with its texts left open. Templates that only show texts, and look
// whether there are any, make of all models of one shape the same page but for the texts: so
// they are executed once for each shape, with marks in the place of texts. What becomes of a
// mark shows how the text is escaped there.
type shell struct {
	shape  string   // of the models
	before []string // what stands before each text
	texts  []int    // which one of the model that is
	escape []int    // number of the escaper
	after  string
}

// shellBytes is the budget of the shells of a theme, which are known by a hash of their shapes.
const shellBytes = 16 << 20

var shapes = maphash.MakeSeed()

// computes finds templates that may do more with texts. It finds some others too.
var computes = regexp.MustCompile(`{{([^}"]|"[^"]*")*\b(eq|ne|lt|le|gt|ge|len|slice|index|printf?|println|html|js|urlquery|call)\b`)

// An escaper appends a text as html/template does in one place, and reports whether it can.
type escaper func(b []byte, t text) ([]byte, bool)

// A text is a string of a model.
type text struct {
	string
	address bool // it is one that was made here
	made    bool // it is without what DropUnshown takes out

	// Where the page has it already, as the escaper with this number shows it.
	from, to int
	as       int
}

// A mark is markStart, which nobody knows who writes texts, the number of a text, and markEnd, of
// which escapers make something else each. What html/template has no form for in a place, it
// replaces by refused.
var markStart = "z" + rand.Text()

const (
	markEnd = "& '\"<>+=`é;"
	refused = "ZgotmplZ"
)

var escapers = []struct {
	end    string
	escape escaper
	ascii  bool // it appends nothing that DropUnshown takes out
}{
	{markEnd, func(b []byte, t text) ([]byte, bool) { return append(b, t.string...), true }, false},
	{"&amp; &#39;&#34;&lt;&gt;&#43;=`é;", func(b []byte, t text) ([]byte, bool) { return appendText(b, t.string), true }, false},
	{"&amp;%20%27%22%3c%3e&#43;=%60%c3%a9;", appendAddress, true},
}

// special are the bytes that stand for something else in text and in attributes.
var special = [256]string{0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", '>': "&gt;"}

func appendText(b []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		if other := special[s[i]]; other != "" {
			b = append(append(b, s[from:i]...), other...)
			from = i + 1
		}
	}
	return append(b, s[from:]...)
}

// appendAddress appends an address in an attribute: what none may have is written in hex.
// Of texts of others only those are sure to be addresses that lead to pages.
func appendAddress(b []byte, t text) ([]byte, bool) {
	s := t.string
	if scheme, _, ok := strings.Cut(s, ":"); ok && !t.address && scheme != "http" && scheme != "https" {
		return b, false
	}
	const hex = "0123456789abcdef"
	from := 0
	for i := range len(s) {
		c := s[i]
		if plain[c] || c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			continue
		}
		if c == '%' && i+2 >= len(s) {
			return b, false // what follows in the address counts
		}
		b = append(b, s[from:i]...)
		if from = i + 1; c == '&' || c == '+' {
			b = append(b, special[c]...)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return append(b, s[from:]...), true
}

// plain are the bytes that addresses in attributes have as they are.
var plain = func() (plain [256]bool) {
	for _, c := range []byte("-._~!#$*,/:;=?@[]0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		plain[c] = true
	}
	return plain
}()

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }

// newShell makes a shell of a page with marks; nil if a text stands where it is not known
// what becomes of others.
func newShell(page string) *shell {
	if strings.Contains(page, refused) {
		return nil
	}
	s := &shell{}
	for {
		before, rest, found := strings.Cut(page, markStart)
		if !found {
			s.after = page
			return s
		}
		end := strings.IndexAny(rest, "& ")
		n, err := strconv.Atoi(rest[:max(0, end)])
		if err != nil {
			return nil
		}
		known := false
		for i, e := range escapers {
			if page, known = strings.CutPrefix(rest[end:], e.end); known {
				s.before, s.texts, s.escape = append(s.before, before), append(s.texts, n), append(s.escape, i)
				break
			}
		}
		if !known {
			return nil
		}
	}
}

// size returns how many bytes it takes, about.
func (s *shell) size() int64 {
	n := int64(len(s.shape) + len(s.after))
	for _, before := range s.before {
		n += int64(len(before)) + 32
	}
	return n
}

// fill appends the page with texts, and reports whether all of them can be shown so.
func (s *shell) fill(b []byte, texts []text) (_ []byte, ok bool) {
	for i, before := range s.before {
		b = append(b, before...)
		from, t := len(b), &texts[s.texts[i]]
		if t.from < t.to && t.as == s.escape[i] { // addresses of a page have the same parts
			b = append(b, b[t.from:t.to]...)
			continue
		}
		if b, ok = escapers[s.escape[i]].escape(b, *t); !ok {
			return b, false
		}
		if !t.made && !escapers[s.escape[i]].ascii {
			b = append(b[:from], markup.DropUnshown(b[from:])...)
		}
		t.from, t.to, t.as = from, len(b), s.escape[i]
	}
	return append(b, s.after...), true
}

// Page appends a page: what is a *List, a *Month, an *Event or a *Place. The words of the frame
// are those of its language. Nothing that people wrote, nor a template, brings controls into it,
// which could turn the direction of the rest.
func (t *Theme) Page(b []byte, f Frame, what any) ([]byte, error) {
	v := visitors.Get().(*visitor)
	defer v.release()
	var err error
	s := &v.shown
	if *s, err = show(f, what); err != nil {
		return b, err
	}
	if t.shells == nil {
		return t.execute(b, s)
	}
	v.show(s)
	key := maphash.Bytes(shapes, v.shape)
	open, known := t.shells.Lookup(key)
	if !known || open.shape != string(v.shape) {
		marked := *s
		(&visitor{marks: true}).show(&marked)
		page, err := t.execute(nil, &marked)
		if err != nil {
			return b, err
		}
		if open = newShell(string(page)); open == nil {
			open = &shell{after: refused}
		}
		open.shape = string(v.shape)
		t.shells.Put(key, open, open.size())
	}
	if open.after != refused {
		if page, ok := open.fill(b, v.texts); ok {
			return page, nil
		}
	}
	return t.execute(b, s)
}

// execute appends what the templates make of a model, without what DropUnshown takes out.
func (t *Theme) execute(b []byte, s *shown) ([]byte, error) {
	w := bytes.NewBuffer(b)
	err := t.templates.ExecuteTemplate(w, "frame.html", s)
	return append(b, markup.DropUnshown(w.Bytes()[len(b):])...), err
}
