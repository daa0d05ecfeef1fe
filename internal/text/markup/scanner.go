package markup

// This file cuts HTML into text, tags and comments, the one tokenizer all of the package reads
// with.

import (
	"iter"
	"strings"
)

type kind uint8

const (
	text     kind = iota
	startTag      // raw from < to >
	endTag        // raw from </ to >
	comment       // also <!doctype> and <?processing?>
)

// A scanner reads the tokens of HTML. The values of raw, joined, are the input.
//
// It agrees with browsers wherever markup is complete. Incomplete markup (a "<" before a digit or
// a space, a tag or a comment that never ends, a tag with another "<" before its ">") is text, so
// that text typed by hand is not lost. Callers that must keep such text from becoming markup later
// have to escape every "<" in it.
type scanner struct {
	kind kind
	raw  string
	name string // of a tag, in lower case

	src    string
	pos    int            // end of raw in src
	absent map[string]int // texts not in src[value:], so that no search is repeated
}

func newScanner(s string) *scanner { return &scanner{src: s} }

// next moves to the next token and reports whether there is one.
func (z *scanner) next() bool {
	start := z.pos
	z.kind = text
	z.name = ""
	for z.pos < len(z.src) {
		i := strings.IndexByte(z.src[z.pos:], '<')
		if i < 0 {
			z.pos = len(z.src)
			break
		}
		k, end, ok := z.markup(z.pos + i)
		if !ok {
			z.pos = end
			continue
		}
		if z.pos += i; z.pos == start {
			z.kind = k
			z.pos = end
		}
		break
	}
	z.raw = z.src[start:z.pos]
	switch z.kind {
	case startTag:
		z.name = strings.ToLower(z.raw[1:nameEnd(z.raw, 1)])
	case endTag:
		z.name = strings.ToLower(z.raw[2:nameEnd(z.raw, 2)])
	}
	return z.raw != ""
}

// markup reads the tag or comment that begins at the "<" at i. If there is none, end is where to
// go on.
func (z *scanner) markup(i int) (k kind, end int, ok bool) {
	rest := z.src[i+1:]
	switch {
	case rest == "":
	case isLetter(rest[0]):
		end, ok = z.tagEnd(i + 1)
		return startTag, end, ok
	case rest[0] == '/' && len(rest) > 1 && isLetter(rest[1]):
		end, ok = z.tagEnd(i + 2)
		return endTag, end, ok
	case strings.HasPrefix(rest, "!--"):
		end, ok = z.find(i+2, "-->")
		return comment, end, ok
	case rest[0] == '!' || rest[0] == '?':
		end, ok = z.find(i+2, ">")
		return comment, end, ok
	}
	return text, i + 1, false
}

// tagEnd returns the place after the ">" of the tag whose name begins at i, reading over quoted
// values.
func (z *scanner) tagEnd(i int) (end int, ok bool) {
	value := false // a quote here begins a value
	for i < len(z.src) {
		c := z.src[i]
		switch {
		case c == '>':
			return i + 1, true
		case c == '<':
			return i, false
		case value && (c == '"' || c == '\''):
			if end, ok := z.find(i+1, z.src[i:i+1]); ok {
				i = end - 1
			}
			value = false
		case c == '=':
			value = true
		case !isSpace(c):
			value = false
		}
		i++
	}
	return i, false
}

// find returns the place after the next occurrence of a text at or after i, or i if there is none.
func (z *scanner) find(i int, what string) (end int, ok bool) {
	if z.isAbsent(what, i) {
		return i, false
	}
	n := strings.Index(z.src[i:], what)
	if n < 0 {
		z.setAbsent(what, i)
		return i, false
	}
	return i + n + len(what), true
}

func (z *scanner) isAbsent(what string, i int) bool {
	from, ok := z.absent[what]
	return ok && i >= from
}

func (z *scanner) setAbsent(what string, i int) {
	if z.absent == nil {
		z.absent = map[string]int{}
	}
	z.absent[what] = i
}

// skipContent, called at a start tag, takes all up to and including the matching end tag into raw.
// Elements of the same name do not nest. Without an end tag it does nothing and reports false.
func (z *scanner) skipContent() bool {
	what := "</" + z.name
	if z.isAbsent(what, z.pos) {
		return false
	}
	start := z.pos - len(z.raw)
	for i := z.pos; ; {
		n := strings.Index(z.src[i:], "</")
		if n < 0 {
			break
		}
		i += n + 2
		end := i + len(z.name)
		if end > len(z.src) || !strings.EqualFold(z.src[i:end], z.name) ||
			nameEnd(z.src, i) != end {
			continue
		}
		var ok bool
		if i, ok = z.tagEnd(i); ok {
			z.raw = z.src[start:i]
			z.pos = i
			return true
		}
	}
	z.setAbsent(what, z.pos)
	return false
}

// An attribute of a start tag.
type attribute struct {
	name  string // in lower case
	value string // as written, entities and all, without quotes
	end   int    // where value ends in the tag
}

// attributes yields the attributes of a start tag in order.
func attributes(tag string) iter.Seq[attribute] {
	return func(yield func(attribute) bool) {
		i := nameEnd(tag, 1)
		last := len(tag) - 1 // tag[last] is ">"
		for {
			for i < last && (isSpace(tag[i]) || tag[i] == '/') {
				i++
			}
			if i >= last {
				return
			}
			start := i
			for i++; i < last && !isSpace(tag[i]) && tag[i] != '/' && tag[i] != '='; i++ {
			}
			a := attribute{name: strings.ToLower(tag[start:i]), end: i}
			after := i
			for after < last && isSpace(tag[after]) {
				after++
			}
			if after < last && tag[after] == '=' {
				for after++; after < last && isSpace(tag[after]); after++ {
				}
				a.value, i = attributeValue(tag[:last], after)
				a.end = after + len(a.value)
				if a.end < i { // quoted
					a.end++
				}
			}
			if !yield(a) {
				return
			}
		}
	}
}

// attributeValue reads the value that begins at i and returns it and the place after it and its
// quotes.
func attributeValue(tag string, i int) (value string, end int) {
	if i < len(tag) && (tag[i] == '"' || tag[i] == '\'') {
		if n := strings.IndexByte(tag[i+1:], tag[i]); n >= 0 {
			return tag[i+1 : i+1+n], i + n + 2
		}
	}
	end = i
	for end < len(tag) && !isSpace(tag[end]) {
		end++
	}
	return tag[i:end], end
}

// nameEnd returns the end of the tag name that begins at i.
func nameEnd(s string, i int) int {
	for i < len(s) && !isSpace(s[i]) && s[i] != '/' && s[i] != '>' {
		i++
	}
	return i
}

// entityEnd returns the place after the entity that begins at the "&" at i, or i if there is none.
// It goes by the form alone and wants the semicolon.
func entityEnd(s string, i int) int {
	const longest = 33 // "&CounterClockwiseContourIntegral;" is the longest name there is
	digits := isLetterOrDigit
	j := i + 1
	switch {
	case strings.HasPrefix(s[j:], "#x"), strings.HasPrefix(s[j:], "#X"):
		j = j + 2
		digits = isHex
	case strings.HasPrefix(s[j:], "#"):
		j = j + 1
		digits = isDigit
	case j < len(s) && !isLetter(s[j]):
		return i
	}
	first := j
	for j < len(s) && j-i < longest && digits(s[j]) {
		j++
	}
	if j == first || j == len(s) || s[j] != ';' {
		return i
	}
	return j + 1
}

// opensMarkup reports whether a "<" before c begins a tag or a comment, if only that has an end.
func opensMarkup(c byte) bool { return isLetter(c) || c == '/' || c == '!' || c == '?' }

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}
func isLetter(c byte) bool        { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool         { return c >= '0' && c <= '9' }
func isLetterOrDigit(c byte) bool { return isLetter(c) || isDigit(c) }
func isHex(c byte) bool           { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
