package markup

// This file folds text: it takes away what people leave out when they search or look through a
// list of names, letter case and accents.

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns s as searches and name comparisons see it: in lower case, without combining marks,
// Latin and Greek letters without accents, ligatures taken apart (ß as ss, æ as ae), full-width
// forms as their ASCII, Cyrillic ё as е, quotes, dashes, spaces, … and × as keyboards have them.
// Letters that are letters of their own in their alphabet stay, as й does, composed or not. Other
// scripts are put in lower case. Folding again changes nothing.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		r = unicode.ToLower(narrow(r))
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
		} else if base, ok := latin[r]; ok {
			b = append(b, base...)
		} else if base, ok := accented[r]; ok {
			b = append(b, base...)
		} else if sign, ok := signs[r]; ok {
			b = append(b, sign...)
		} else if isCombining(r) {
			b = compose(b, r)
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// Compare orders names as people look them up, by their folded text; names that fold alike are
// ordered by their bytes, so that the order is total. It returns -1, 0 or +1.
func Compare(a, b string) int {
	for i := 0; ; i++ {
		switch {
		case i == len(a) && i == len(b):
			return strings.Compare(a, b)
		case i < len(a) && a[i] >= utf8.RuneSelf || i < len(b) && b[i] >= utf8.RuneSelf:
			return cmp.Or(strings.Compare(Fold(a), Fold(b)), strings.Compare(a, b))
		case i == len(a):
			return -1
		case i == len(b):
			return +1
		}
		// Both are ASCII up to here, and ASCII characters fold one by one.
		if c := cmp.Compare(lower(a[i]), lower(b[i])); c != 0 {
			return c
		}
	}
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// narrow returns the ASCII character of a full-width form, and any other as it is.
func narrow(r rune) rune {
	if r >= 0xff01 && r <= 0xff5e {
		return r - 0xff01 + '!'
	}
	return r
}

// isCombining reports whether r is a combining mark for letters of any script. The vowel signs of
// Indic scripts are combining marks too, but no accents.
func isCombining(r rune) bool {
	return r >= 0x300 && (r <= 0x36f || r >= 0x1ab0 && r <= 0x1aff || r >= 0x1dc0 && r <= 0x1dff ||
		r >= 0x20d0 && r <= 0x20ff || r >= 0xfe20 && r <= 0xfe2f)
}

// compose puts an accent on the last letter of b if the two are a separate letter, and drops it
// otherwise.
func compose(b []byte, accent rune) []byte {
	last, size := utf8.DecodeLastRune(b)
	if letter, ok := composed[[2]rune{last, accent}]; ok {
		return utf8.AppendRune(b[:len(b)-size], letter)
	}
	return b
}

var composed = map[[2]rune]rune{
	{'и', 0x306}: 'й', {'у', 0x306}: 'ў', {'і', 0x308}: 'ї', {'г', 0x301}: 'ѓ', {'к', 0x301}: 'ќ',
}

// foldTable maps each letter to its folded text.
func foldTable(letters map[string]string) map[rune]string {
	table := map[rune]string{}
	for base, all := range letters {
		for _, letter := range all {
			table[letter] = base
		}
	}
	return table
}

// latin and accented map lower-case letters to their folded text. Slugs use latin only.
var latin = foldTable(map[string]string{
	"a":   "ªàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặẚ",
	"b":   "ƀƃḃḅḇ",
	"c":   "çćĉċčȼḉ",
	"d":   "ðďđƌḋḍḏḑḓ",
	"e":   "èéêëēĕėęěȅȇȩɇḕḗḙḛḝẹẻẽếềểễệ",
	"f":   "ƒḟ",
	"g":   "ĝğġģǥǧǵḡ",
	"h":   "ĥħȟḣḥḧḩḫẖ",
	"i":   "ìíîïĩīĭįıǐȉȋḭḯỉị",
	"j":   "ĵǰȷɉ",
	"k":   "ķĸǩḱḳḵ",
	"l":   "ĺļľłƚḷḹḻḽŀ",
	"m":   "ḿṁṃ",
	"n":   "ñńņňŋǹṅṇṉṋŉ",
	"o":   "ºòóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ",
	"p":   "ṕṗ",
	"r":   "ŕŗřȑȓɍṙṛṝṟ",
	"s":   "śŝşšſșȿṡṣṥṧṩẛ",
	"t":   "ţťŧțṫṭṯṱẗ",
	"u":   "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự",
	"v":   "ṽṿ",
	"w":   "ŵẁẃẅẇẉẘ",
	"x":   "ẋẍ",
	"y":   "ýÿŷȳɏẏẙỳỵỷỹ",
	"z":   "źżžƶɀẑẓẕ",
	"ae":  "æǣǽ",
	"dz":  "ǆǳ",
	"ff":  "ﬀ",
	"fi":  "ﬁ",
	"fl":  "ﬂ",
	"ij":  "ĳ",
	"lj":  "ǉ",
	"nj":  "ǌ",
	"oe":  "œ",
	"ss":  "ß",
	"st":  "ﬅﬆ",
	"th":  "þ",
	"ffi": "ﬃ",
	"ffl": "ﬄ",
})

// signs maps signs of typography to those that people type for them.
var signs = foldTable(map[string]string{
	"'":   "‘’‚‛′ʼ‹›´",
	`"`:   "“”„‟″«»",
	"-":   "‐‑‒–—―−",
	"...": "…",
	"x":   "×",
	" ":   "\u00a0\u2007\u2009\u202f",
})

var accented = foldTable(map[string]string{
	"α": "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ",
	"β": "ϐ",
	"ε": "έϵἐἑἒἓἔἕὲέ",
	"η": "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ",
	"θ": "ϑ",
	"ι": "ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ",
	"κ": "ϰ",
	"μ": "µ",
	"ο": "όὀὁὂὃὄὅὸό",
	"π": "ϖ",
	"ρ": "ϱῤῥ",
	"σ": "ϲς",
	"υ": "ΰϋύϒϓϔὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ",
	"φ": "ϕ",
	"ω": "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ",
	"е": "ѐё",
})
