package markup

// This file makes slugs, the last part of a record's public address.

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const maxSlug = 200 // bytes

// Slug makes a slug of a title or of a slug as it was sent. It consists of lower-case ASCII
// letters and digits, "-", "_", and of percent-encoded UTF-8 in lower-case hexadecimal for what is
// not Latin. Tags vanish, entities and percent-encoded text count as what they stand for, accents
// are dropped, € is an "e"; spaces, dots, slashes and dashes of any kind become "-", never two in
// a row and none at the ends; other signs vanish.
//
// It is at most 200 bytes long and empty when nothing is left. A slug is its own slug.
func Slug(s string) string { return SlugIn("", s) }

// SlugIn is Slug for a site in a language, a tag of BCP 47: letters are spelled as addresses of
// WordPress in that language have them, such as ü as ue in German.
func SlugIn(language, s string) string {
	s = html.UnescapeString(withoutTags(decodePercent(s)))
	if spelling := spellings[language]; spelling != nil {
		s = spelling.Replace(strings.ToLower(s))
	}
	b := make([]byte, 0, min(len(s), maxSlug))
	for _, r := range s {
		r = unicode.ToLower(narrow(r))
		n := len(b)
		base, folded := spelled[r]
		if !folded {
			base, folded = latin[r]
		}
		switch {
		case r < utf8.RuneSelf && isLetterOrDigit(byte(r)), r == '_':
			b = append(b, byte(r))
		case folded:
			b = append(b, base...)
		case r == '×':
			b = append(b, 'x')
		case divides(r):
			if n > 0 && b[n-1] != '-' {
				b = append(b, '-')
			}
		case vanishes(r):
		default:
			for _, c := range []byte(string(r)) {
				b = fmt.Appendf(b, "%%%02x", c)
			}
		}
		if len(b) > maxSlug {
			b = b[:n]
			break
		}
	}
	return strings.TrimRight(string(b), "-")
}

// spelled holds what slugs spell otherwise than searches do. The letters are those of the
// addresses that clients of The Events Calendar know.
var spelled = map[rune]string{'ß': "s", '€': "e"}

// spellings holds what some languages spell otherwise than all others, also with accents as marks
// of their own (remove_accents in WordPress 7.0).
var spellings = map[string]*strings.Replacer{
	"da": strings.NewReplacer("ø", "oe", "å", "aa", "a\u030a", "aa"),
	"de": strings.NewReplacer(
		"ä",
		"ae",
		"ö",
		"oe",
		"ü",
		"ue",
		"a\u0308",
		"ae",
		"o\u0308",
		"oe",
		"u\u0308",
		"ue",
		"ß",
		"ss",
	),
}

// Suffix returns slug with "-n" at its end, truncated before that to stay within 200 bytes. It is
// for slugs that are taken; n counts from 2.
func Suffix(slug string, n int) string { return Join(slug, strconv.Itoa(n)) }

// Join returns two slugs with "-" between them, the first one cut to stay within 200 bytes.
func Join(slug, end string) string {
	suffix := "-" + end
	if most := max(0, maxSlug-len(suffix)); len(slug) > most {
		for _, at := range encoded().FindAllStringIndex(slug, -1) {
			if at[0] < most && most < at[1] {
				most = at[0]
			}
		}
		slug = slug[:most]
	}
	return strings.TrimRight(slug, "-") + suffix
}

// FreeSlug tries numbers to exactNumbers one by one, then in doubling steps to
// mostNumber. Twice mostNumber is just too large for an int of 32 bits.
const (
	exactNumbers = 64
	mostNumber   = 1 << 30
)

// FreeSlug returns wanted if it is free, else wanted with a free number from 2 behind
// it. Up to 64 it is the lowest free number. Above, it is a free number that follows a
// taken one, found with O(log n) calls of taken, since the caller blocks all writers.
func FreeSlug(wanted string, taken func(slug string) bool) string {
	if !taken(wanted) {
		return wanted
	}
	is := func(n int) bool { return taken(Suffix(wanted, n)) }
	for n := 2; n <= exactNumbers; n++ {
		if !is(n) {
			return Suffix(wanted, n)
		}
	}
	low := exactNumbers
	high := 2 * exactNumbers // low is taken, high free after the loop
	for is(high) {
		if low = high; high < mostNumber {
			high *= 2
			continue
		}
		// Somebody took the powers of two to slow others down.
		high = mostNumber + 1 + rand.IntN(mostNumber-1)
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; is(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return Suffix(wanted, high)
}

// withoutTags removes tags and comments only; the content of a script is text here.
func withoutTags(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	b := make([]byte, 0, len(s))
	for z := newScanner(s); z.next(); {
		if z.kind == text {
			b = append(b, z.raw...)
		}
	}
	return string(b)
}

// divides reports whether r separates words in a slug.
func divides(r rune) bool {
	switch r {
	case '-', '.', '/':
		return true
	}
	// Chinese and Japanese set no space beside their punctuation.
	return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r >= 0x3000 && unicode.IsPunct(r)
}

// vanishes reports whether r leaves no trace in a slug: signs of ASCII and of other scripts,
// invisible characters. Pictures, from U+2600 on, do not.
func vanishes(r rune) bool {
	return r < utf8.RuneSelf || r == utf8.RuneError || isCombining(r) || unicode.IsPunct(r) ||
		r < 0x2600 &&
			unicode.IsSymbol(r) || unicode.Is(unicode.Sc, r) || unicode.Is(unicode.C, r) ||
		unicode.Is(unicode.Variation_Selector, r)
}

// encoded finds a percent-encoded character beyond ASCII, by the form of UTF-8.
var encoded = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?i)%([cd][0-9a-f]|e[0-9a-f]%[89ab][0-9a-f]|f[0-7]%[89ab][0-9a-f]%[89ab][0-9a-f])%[89ab][0-9a-f]`,
	)
})

// decodePercent decodes percent-encoded UTF-8 of characters beyond ASCII and leaves any other "%"
// alone.
func decodePercent(s string) string {
	return encoded().ReplaceAllStringFunc(s, func(encoded string) string {
		text, _ := url.PathUnescape(encoded)
		if r, _ := utf8.DecodeRuneInString(text); r == utf8.RuneError {
			return encoded
		}
		return text
	})
}
