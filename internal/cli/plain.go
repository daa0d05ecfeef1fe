// Text without characters that a terminal obeys. Documents, sites and records choose the text that
// commands print.

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"almanac/internal/cli/systemd"
)

// Line returns a text as a part of one line: control characters, also those that end a line or
// turn its direction, are escaped as in JSON.
func Line(text string) string {
	line, rest := appendPlain(nil, []byte(text), "")
	return string(line) + strings.Repeat(`\ufffd`, len(rest))
}

// appendPlain appends a text without control characters, except some to keep, and returns the
// incomplete character at its end.
func appendPlain(to, text []byte, keep string) (plain, rest []byte) {
	for to = slices.Grow(to, len(text)); ; {
		ascii := 0
		for ascii < len(text) && text[ascii] >= ' ' && text[ascii] < 0x7f {
			ascii++
		}
		to = append(to, text[:ascii]...)
		text = text[ascii:]
		if !utf8.FullRune(text) {
			return to, text
		}
		r, size := utf8.DecodeRune(text)
		isInvalid := r == utf8.RuneError && size == 1
		if isControl := unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r); isInvalid ||
			isControl && !strings.ContainsRune(keep, r) {
			to = fmt.Appendf(to, `\u%04x`, r)
		} else {
			to = append(to, text[:size]...)
		}
		text = text[size:]
	}
}

// A stream is standard output or standard error, which people read. Text that is JSON stays the
// same JSON.
type stream struct {
	to   io.Writer
	mu   sync.Mutex
	rest []byte // incomplete character
}

func (s *stream) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	plain, rest := appendPlain(nil, append(s.rest, text...), "\n\t")
	s.rest = slices.Clone(rest)
	_, err := s.to.Write(plain)
	return len(text), err
}

// Unwrap returns the file, for package systemd.
func (s *stream) Unwrap() io.Writer { return s.to }

// Raw returns a stream for a document: programs get its bytes as they are, and a terminal gets
// plain text.
func Raw(w io.Writer) io.Writer {
	if s, ok := w.(*stream); ok && !systemd.IsTerminal(s) {
		return s.to
	}
	return w
}
