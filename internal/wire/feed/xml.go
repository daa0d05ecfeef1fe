// XML 1.0.

package feed

import "strings"

// xmlEscapes has the sign that ends "]]>" too, and blanks, which parsers make spaces of, or line
// feeds.
var xmlEscapes = strings.NewReplacer(
	"&",
	"&amp;",
	"<",
	"&lt;",
	">",
	"&gt;",
	`"`,
	"&#34;",
	"\t",
	"&#9;",
	"\n",
	"&#10;",
	"\r",
	"&#13;",
)

// appendXML appends a text as it stands in an element or an attribute. Characters that XML
// forbids, such as most control characters, are left out; invalid UTF-8 becomes U+FFFD.
func appendXML(b []byte, s string) []byte {
	s = strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == '\ufffe' || c == '\uffff' {
			return -1
		}
		return c
	}, s)
	return append(b, xmlEscapes.Replace(s)...)
}

// An attribute of an element; one without a value is left out.
type attribute struct{ name, value string }

// appendTag appends the start tag of an element, without its end.
func appendTag(b []byte, name string, attributes []attribute) []byte {
	b = append(append(b, '<'), name...)
	for _, a := range attributes {
		if a.value != "" {
			b = append(append(append(b, ' '), a.name...), `="`...)
			b = append(appendXML(b, a.value), '"')
		}
	}
	return b
}

// appendElement appends an element with a text.
func appendElement(b []byte, name, text string, attributes ...attribute) []byte {
	b = appendXML(append(appendTag(b, name, attributes), '>'), text)
	return append(append(append(b, "</"...), name...), ">\n"...)
}

// appendEmpty appends an element without content.
func appendEmpty(b []byte, name string, attributes ...attribute) []byte {
	return append(appendTag(b, name, attributes), "/>\n"...)
}
