package cost

// This file is about texts that are no amounts: markup is taken out of them, and
// they are made slugs for programs.

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// stripTags removes HTML tags. A tag that is not closed reaches to the end. The
// result has no beginning of a tag.
func stripTags(text string) string {
	for {
		// From the start each time: the removed tag may have been between
		// a "<" and a letter.
		tag := tagStart.FindStringIndex(text)
		if tag == nil {
			return text
		}
		_, rest, _ := strings.Cut(text[tag[0]:], ">")
		text = text[:tag[0]] + rest
	}
}

var tagStart = regexp.MustCompile("<[A-Za-z/!?]")

// reference is the length of the HTML character reference that text begins with,
// 0 if it begins with none.
func reference(text string) int {
	name, ok := strings.CutPrefix(text, "&")
	if !ok {
		return 0
	}
	name = strings.TrimPrefix(name, "#")
	end := strings.IndexFunc(name, func(r rune) bool {
		lower := r | 0x20
		return r > 'z' || (r < '0' || r > '9') && (lower < 'a' || lower > 'z')
	})
	if end < 1 || name[end] != ';' {
		return 0
	}
	return len(text) - len(name) + end + 1
}

// unaccented spells the letters of western Europe with ASCII ones.
var unaccented = strings.NewReplacer(
	"à",
	"a",
	"á",
	"a",
	"â",
	"a",
	"ã",
	"a",
	"ä",
	"a",
	"å",
	"a",
	"ā",
	"a",
	"ă",
	"a",
	"ą",
	"a",
	"æ",
	"ae",
	"ç",
	"c",
	"ć",
	"c",
	"č",
	"c",
	"ď",
	"d",
	"đ",
	"d",
	"ð",
	"d",
	"è",
	"e",
	"é",
	"e",
	"ê",
	"e",
	"ë",
	"e",
	"ē",
	"e",
	"ę",
	"e",
	"ě",
	"e",
	"ğ",
	"g",
	"ì",
	"i",
	"í",
	"i",
	"î",
	"i",
	"ï",
	"i",
	"ī",
	"i",
	"ı",
	"i",
	"ł",
	"l",
	"ñ",
	"n",
	"ń",
	"n",
	"ň",
	"n",
	"ò",
	"o",
	"ó",
	"o",
	"ô",
	"o",
	"õ",
	"o",
	"ö",
	"o",
	"ø",
	"o",
	"ő",
	"o",
	"œ",
	"oe",
	"ř",
	"r",
	"ś",
	"s",
	"š",
	"s",
	"ş",
	"s",
	"ș",
	"s",
	"ß",
	"s",
	"ť",
	"t",
	"ț",
	"t",
	"þ",
	"th",
	"ù",
	"u",
	"ú",
	"u",
	"û",
	"u",
	"ü",
	"u",
	"ū",
	"u",
	"ů",
	"u",
	"ű",
	"u",
	"ý",
	"y",
	"ÿ",
	"y",
	"ź",
	"z",
	"ż",
	"z",
	"ž",
	"z",
)

// slug is the text as one word for programs: "Pay what you can" becomes
// "pay-what-you-can". It is empty when there is neither a letter nor a digit.
// Letters of other scripts stay as they are, which is our choice.
func slug(text string) string {
	var b strings.Builder
	gap := false
	text = unaccented.Replace(strings.ToLower(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsDigit(r), r == '_':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case unicode.IsSpace(r), strings.ContainsRune("-–—./", r):
			gap = true
		case r == '&':
			size = max(size, reference(text[i:]))
		}
		i += size
	}
	return b.String()
}
