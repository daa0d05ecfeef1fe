// Bodies: JSON objects and multipart forms.

package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"strings"
	"unicode/utf8"
)

// A SyntaxError says that a body is not JSON although it claims to be.
type SyntaxError struct {
	Code   int // 1: too deep, 4: syntax, 5: encoding, 10: half a surrogate pair
	Reason string
}

func (e *SyntaxError) Error() string { return "the body is not valid JSON: " + e.Reason }

// Codes of a SyntaxError; clients know them.
const (
	tooDeep       = 1
	badSyntax     = 4
	badEncoding   = 5
	loneSurrogate = 10
)

// maxDepth is how deep lists and objects can nest in a body whatever is allowed:
// encoding/json reads no further.
const maxDepth = 10_000

// decodeJSON reads an object that nests no deeper than is allowed, 0 for as deep
// as can be. Other values count as no parameters at all.
func decodeJSON(body []byte, depth int) (map[string]any, error) {
	if depth == 0 {
		depth = maxDepth
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	if !utf8.Valid(body) {
		return nil, &SyntaxError{badEncoding, "it is not UTF-8"}
	}
	if err := checkText(body, depth); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, &SyntaxError{badSyntax, syntaxReason(err, dec.InputOffset())}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, &SyntaxError{badSyntax, fmt.Sprintf("more text after the value, at byte %d", dec.InputOffset())}
	}
	object, _ := value.(map[string]any)
	return object, nil
}

func syntaxReason(err error, offset int64) string {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends in the middle"
	}
	return fmt.Sprintf("%s, at byte %d", strings.TrimPrefix(err.Error(), "json: "), offset)
}

// checkText refuses what the standard decoder would let pass: nesting deeper than
// allowed and halves of surrogate pairs.
func checkText(body []byte, most int) error {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			if high, ok := escapedUnit(body[i:]); ok && high >= 0xD800 && high < 0xE000 {
				low, ok := escapedUnit(body[i+6:])
				if high >= 0xDC00 || !ok || low < 0xDC00 || low >= 0xE000 {
					return &SyntaxError{loneSurrogate, fmt.Sprintf("half a surrogate pair at byte %d", i)}
				}
				i += 10
			}
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return &SyntaxError{tooDeep, fmt.Sprintf("nested deeper than %d", most)}
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// escapedUnit reads a \uXXXX at the start of text.
func escapedUnit(text []byte) (unit rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 {
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	return unit, true
}

// parseMultipart reads the fields of a multipart form; files are not read.
func parseMultipart(body []byte, boundary string) map[string]any {
	var n nest
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for boundary != "" {
		part, err := parts.NextPart()
		if err != nil {
			break
		}
		if part.FileName() != "" {
			continue
		}
		value, err := io.ReadAll(part)
		if err != nil {
			break
		}
		n.add(part.FormName(), string(value))
	}
	return n.done()
}
