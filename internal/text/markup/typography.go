package markup

// This file sets type: it turns the quotes, dashes and dots a keyboard has into those of print, as
// numeric entities, in the text between tags.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	openDouble  = "&#8220;"
	closeDouble = "&#8221;"
	openSingle  = "&#8216;"
	closeSingle = "&#8217;" // the apostrophe too
	prime       = "&#8242;"
	doublePrime = "&#8243;"
	enDash      = "&#8211;"
	emDash      = "&#8212;"
	ellipsis    = "&#8230;"
	times       = "&#215;"
	tradeMark   = "&#8482;"
	ampersand   = "&#038;"
)

// verbatim names the elements whose text is not typeset.
var verbatim = map[string]bool{
	"pre":    true,
	"code":   true,
	"kbd":    true,
	"style":  true,
	"script": true,
	"tt":     true,
}

// typeset renders all text of s that is outside tags, comments and verbatim elements. Doing it
// again changes nothing.
func typeset(s string) string {
	if isUntagged(s) {
		t := typesetter{src: s}
		t.run()
		if t.done == 0 {
			return s
		}
		return string(t.rest())
	}
	b := make([]byte, 0, len(s)+len(s)/8)
	within := ""
	depth := 0 // the outermost verbatim element that is open, and how often it is
	for z := newScanner(s); z.next(); {
		switch {
		case z.kind == startTag && (z.name == within || within == "" && verbatim[z.name]):
			within = z.name
			depth = depth + 1
		case z.kind == endTag && within != "" && z.name == within:
			if depth--; depth == 0 {
				within = ""
			}
		}
		switch {
		case within != "" && !(z.kind == startTag && depth == 1 && z.name == within),
			z.kind == comment:
			b = append(b, z.raw...)
		case z.kind == text:
			t := typesetter{src: z.raw, out: b}
			t.run()
			b = t.rest()
		default:
			b = append(b, withAmpersands(z.raw, ampersand)...)
		}
	}
	return string(b)
}

// A typesetter works on the text between two tags. Quotes are matched within it alone: behind a
// tag a quote opens, since it cannot be told what the tag is to the sentence.
type typesetter struct {
	src  string
	out  []byte
	pos  int
	done int  // src[:done] is rendered in out, src[done:pos] needs no change
	wrap bool // line ends are marked as in paragraphs

	prev     rune // the character before src[told], a space at the start
	told     int  // src[told:pos] is ordinary
	inDouble bool // a double quote is open
	inSingle bool
}

func (t *typesetter) run() {
	t.prev = ' '
	for {
		t.pos += ordinary(t.src[t.pos:])
		if t.pos == len(t.src) {
			return
		}
		switch c := t.src[t.pos]; {
		case c == '&':
			t.ampersand()
		case c == '<' && t.pos+1 < len(t.src) && opensMarkup(t.src[t.pos+1]):
			t.put(
				"&lt;",
				1,
				'<',
			) // no tag, as it has no end, and must not find one in what follows
		case c == '"':
			t.doubleQuote()
		case c == '\'' && t.ahead("''"):
			t.put(closeDouble, 2, '"')
			t.inDouble = false
		case c == '\'':
			t.singleQuote()
		case c == '`' && t.ahead("``"):
			t.put(openDouble, 2, '"')
			t.inDouble = true
		case c == '-':
			t.dashes()
		case c == '.' && t.ahead("..."):
			t.put(ellipsis, 3, '.')
		case c == '(' && t.ahead("(tm)") && t.pos > 0 && t.src[t.pos-1] == ' ' && !startsWithLetter(t.src[t.pos+4:]):
			t.put(tradeMark, 4, ')')
		case c == 'x' && t.betweenNumbers():
			t.put(times, 1, 'x')
		case t.wrap && (c == '\n' || c == '\r'):
			t.lineEnd()
		default:
			t.pos++
		}
	}
}

// special has the bytes that the typesetter examines. It copies all other bytes.
var special = [256]bool{
	'&':  true,
	'<':  true,
	'"':  true,
	'\'': true,
	'`':  true,
	'-':  true,
	'.':  true,
	'(':  true,
	'x':  true,
	'\n': true,
	'\r': true,
}

// ordinary counts the bytes at the start of s that are not special.
func ordinary(s string) (n int) {
	for n < len(s) && !special[s[n]] {
		n++
	}
	return n
}

// put writes out in the place of the next n bytes, which leave prev as the last character.
func (t *typesetter) put(out string, n int, prev rune) {
	t.out = append(t.rest(), out...)
	t.keep(n, prev)
	t.done = t.pos
}

// keep goes over the next n bytes, which are shown as they are.
func (t *typesetter) keep(n int, prev rune) {
	t.pos += n
	t.prev = prev
	t.told = t.pos
}

// last returns the character before pos, as quotes and dashes see it.
func (t *typesetter) last() rune {
	if t.told == t.pos {
		return t.prev
	}
	r, _ := utf8.DecodeLastRuneInString(t.src[t.told:t.pos])
	return r
}

// rest returns out with all that is before pos.
func (t *typesetter) rest() []byte { return append(t.out, t.src[t.done:t.pos]...) }

func (t *typesetter) ahead(prefix string) bool { return strings.HasPrefix(t.src[t.pos:], prefix) }

func (t *typesetter) ampersand() {
	end := entityEnd(t.src, t.pos)
	if end == t.pos {
		t.put(ampersand, 1, '&')
		return
	}
	entity := t.src[t.pos:end]
	prev := ';'
	switch entity {
	case "&nbsp;", "&#160;", "&#xA0;", "&#xa0;":
		prev = ' '
	case "&lt;":
		prev = '<'
	}
	t.keep(len(entity), prev)
}

func (t *typesetter) doubleQuote() {
	next := t.src[t.pos+1:]
	switch {
	case t.opens() && !startsWithSpace(next):
		t.put(openDouble, 1, '"')
		t.inDouble = true
	case isDigitRune(t.last()) && (!t.inDouble || strings.HasPrefix(next, `"`)): // of two, the second closes
		t.put(doublePrime, 1, '"')
	default:
		t.put(closeDouble, 1, '"')
		t.inDouble = false
	}
}

func (t *typesetter) singleQuote() {
	next := t.src[t.pos+1:]
	switch {
	case isYear(next):
		// The second quote of '99' and '99" closes, though the first does not open; it is no
		// prime.
		t.inSingle = t.inSingle || strings.HasPrefix(next[2:], "'") && endsWord(next[3:])
		t.inDouble = t.inDouble || strings.HasPrefix(next[2:], `"`) && endsWord(next[3:])
		t.put(closeSingle, 1, '\'')
	case (t.opens() || t.last() == '"') && !isClipped(next):
		t.put(openSingle, 1, '‘') // behind which a double quote does not open
		t.inSingle = true
	case isDigitRune(t.last()) && (!t.inSingle || startsWithDouble(next)) && !startsWithLetter(next):
		t.put(prime, 1, '\'')
	case startsWithDouble(next):
		t.inSingle = false
		t.keep(1, '\'') // as in the original
	default:
		if endsWord(next) {
			t.inSingle = false
		}
		t.put(closeSingle, 1, '\'')
	}
}

// opens reports whether a quote at pos can be an opening one.
func (t *typesetter) opens() bool {
	switch last := t.last(); last {
	case ' ', '(', '[', '{', '-', '<', '>':
		return true
	default:
		return unicode.IsSpace(last)
	}
}

// dashes renders the dashes at pos: three are an em dash, two an en dash or, between spaces, an em
// dash, and one between spaces is an en dash. The "xn--" of an internationalized host name stays.
func (t *typesetter) dashes() {
	n := 0
	for t.pos+n < len(t.src) && t.src[t.pos+n] == '-' {
		n++
	}
	next := t.src[t.pos+n:]
	apart := unicode.IsSpace(t.last()) && (next == "" || startsWithSpace(next))
	for ; n >= 3; n -= 3 {
		t.put(emDash, 3, '-')
		apart = false
	}
	switch {
	case n == 2 && apart:
		t.put(emDash, 2, '-')
	case n == 2 && !strings.HasSuffix(t.src[:t.pos], "xn"):
		t.put(enDash, 2, '-')
	case n == 1 && apart:
		t.put(enDash, 1, '-')
	case n > 0:
		t.keep(n, '-')
	}
}

// betweenNumbers reports whether the x at pos is a multiplication sign: 3x4 and 2.5x10, not 0xff,
// a3x4 or 3x4x5.
func (t *typesetter) betweenNumbers() bool {
	i := t.pos
	for i > 0 && isNumeric(t.src[i-1]) {
		i--
	}
	bounded := i == 0 || !isWord(t.src[i-1])
	for i < t.pos && !isDigit(t.src[i]) {
		i = i + 1
		bounded = true
	}
	left := t.src[i:t.pos]
	if !bounded || left == "" || left == "0" {
		return false
	}
	j := t.pos + 1
	if j == len(t.src) || !isDigit(t.src[j]) {
		return false
	}
	for j < len(t.src) && isNumeric(t.src[j]) {
		j++
	}
	return j == len(t.src) || !isWord(t.src[j])
}
