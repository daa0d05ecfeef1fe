package cldr

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// List returns a list of things that belong together: "A, B, and C".
func (l *Locale) List(items ...string) string {
	two := l.facts.List[0]
	start := l.facts.List[1]
	middle := l.facts.List[2]
	end := l.facts.List[3]
	switch n := len(items); n {
	case 0:
		return ""
	case 1:
		return items[0]
	case 2:
		return l.before(two, items[1]).join(items[0], items[1])
	default:
		text := l.before(end, items[n-1]).join(items[n-2], items[n-1])
		for i := n - 3; i > 0; i-- {
			text = middle.join(items[i], text)
		}
		return start.join(items[0], text)
	}
}

// before returns a joint as it is before a text, where the word in it depends on what
// follows: Spanish "y" is "e" before the sound of i, and Hebrew has a hyphen before
// what is not written in its letters. CLDR leaves both to programs.
func (l *Locale) before(j joint, text string) joint {
	switch first, _ := utf8.DecodeRuneInString(text); {
	case l.tag == "es" && j.between == " y " && soundsLikeI(strings.ToLower(text)):
		j.between = " e "
	case l.tag == "he" && strings.HasSuffix(j.between, "ו") && !unicode.Is(unicode.Hebrew, first):
		j.between += "-"
	}
	return j
}

// soundsLikeI reports whether a Spanish text begins with the vowel i, and not with a
// diphthong, as in "hielo".
func soundsLikeI(text string) bool {
	if rest, ok := strings.CutPrefix(text, "hi"); ok {
		return !strings.HasPrefix(rest, "a") && !strings.HasPrefix(rest, "e")
	}
	return strings.HasPrefix(text, "i")
}

// grouping is the separator of groups of three digits, and the minimum number of digits
// before the first separator.
type grouping struct {
	Separator string `json:"separator"`
	Least     int    `json:"least"`
}

// Number returns an integer with its digits in groups of three: "12,345". A negative
// one has a plain hyphen before them.
func (l *Locale) Number(n int) string {
	digits := strconv.FormatUint(magnitude(n), 10)
	if g := l.facts.Grouping; len(digits) >= 3+g.Least {
		for i := len(digits) - 3; i > 0; i -= 3 {
			digits = digits[:i] + g.Separator + digits[i:]
		}
	}
	if n < 0 {
		return "-" + digits
	}
	return digits
}
