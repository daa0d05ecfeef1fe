// Files that are larger than memory.

package jsonio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxValue is how much of a file is held in memory at a time.
const maxValue = 64 << 20

// A Stream reads a file token by token, and the values in it that the caller
// wants as a whole, each of at most 64 MiB. Its errors name the file, the line
// and the column.
type Stream struct {
	text *tracker
	dec  *json.Decoder
	file string
}

// NewStream reads a file with a name.
func NewStream(r io.Reader, file string) *Stream {
	text := bufio.NewReader(r)
	if prefix, _ := text.Peek(len(byteOrderMark)); string(prefix) == byteOrderMark {
		_, _ = text.Discard(len(prefix))
	}
	t := &tracker{r: text, line: 1, column: 1}
	return &Stream{t, json.NewDecoder(t), file}
}

// More reports whether the list or object that was begun goes on.
func (s *Stream) More() bool { return s.dec.More() }

// Next begins the next value of the file: it returns its bracket, its brace or, if
// it is plain, the value. Behind the last one the error is io.EOF.
func (s *Stream) Next() (json.Token, error) {
	token, err := s.dec.Token()
	if err == io.EOF {
		return nil, err
	}
	return token, s.Locate(err)
}

// Token returns the next bracket, brace, name or plain value inside the current value.
func (s *Stream) Token() (json.Token, error) {
	token, err := s.dec.Token()
	return token, s.Locate(err)
}

// Value returns the next value as a whole.
func (s *Stream) Value() (json.RawMessage, error) {
	s.text.drop(s.dec.InputOffset())
	var value json.RawMessage
	err := s.dec.Decode(&value)
	return value, s.Locate(err)
}

// Locate adds file, line and column to an error about what was read last; nil
// stays nil.
func (s *Stream) Locate(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", s.file, errCutOff)
	}
	s.text.drop(s.dec.InputOffset())
	rest := s.text.kept
	skipped := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))

	// The decoder does not say where in a value the error is. Reading the value
	// once more does, if it fails in the same way.
	var value json.RawMessage
	var syntax *json.SyntaxError
	if again := json.Unmarshal(rest[skipped:], &value); errors.As(again, &syntax) &&
		again.Error() == err.Error() {
		skipped += int(syntax.Offset) - 1
	}
	s.text.drop(s.text.base + int64(skipped))
	return fmt.Errorf("%s: line %d, column %d: %w", s.file, s.text.line, s.text.column, err)
}

// A tracker passes a text on, and counts lines and columns up to the dropped part. It keeps the
// rest.
type tracker struct {
	r            io.Reader
	kept         []byte
	base         int64 // offset of kept in the text
	line, column int   // of kept, from 1; columns count characters
}

func (t *tracker) Read(p []byte) (int, error) {
	if len(t.kept) > maxValue {
		return 0, fmt.Errorf("a record is larger than %d MiB", maxValue>>20)
	}
	n, err := t.r.Read(p[:min(len(p), 32<<10)]) // limits the bytes kept after a value
	t.kept = append(t.kept, p[:n]...)
	return n, err
}

// drop forgets the text before an offset.
func (t *tracker) drop(offset int64) {
	n := max(0, min(int(offset-t.base), len(t.kept)))
	for _, c := range t.kept[:n] {
		switch {
		case c == '\n':
			t.line = t.line + 1
			t.column = 1
		case utf8.RuneStart(c):
			t.column++
		}
	}
	t.kept = append(t.kept[:0], t.kept[n:]...)
	t.base += int64(n)
}
