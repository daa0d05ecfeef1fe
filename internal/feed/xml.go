// XML 1.0.

package feed

import "unicode/utf8"

// appendXML appends a text as it stands in an element or an attribute. Characters that XML forbids, such as
// most control characters, are left out; invalid UTF-8 becomes U+FFFD.
func appendXML(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '&':
				b = append(b, "&amp;"...)
			case c == '<':
				b = append(b, "&lt;"...)
			case c == '>': // of "]]>"
				b = append(b, "&gt;"...)
			case c == '"':
				b = append(b, "&#34;"...)
			case c == '\t', c == '\n', c == '\r': // which parsers make spaces of, or line feeds
				b = append(b, "&#"...)
				if c >= 10 {
					b = append(b, '1')
				}
				b = append(b, '0'+c%10, ';')
			case c >= ' ':
				b = append(b, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError:
			b = append(b, "\ufffd"...)
		case r != '\ufffe' && r != '\uffff':
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return b
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
