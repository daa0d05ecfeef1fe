// Notes: lines of the log that change no record, and say what happened to it.

package store

import (
	"bytes"
	"errors"
)

// A Note is the text of such a line.
type Note struct {
	Salvaged *Salvaged `json:"salvaged,omitempty"`
}

// Salvaged begins a log that was made of a damaged one, and lists everything that could
// not be read of that.
type Salvaged struct {
	Missing []string `json:"missing"`
}

// parseNote reads a note. Every byte must be as appendJSON writes it.
func parseNote(text []byte) (*Note, error) {
	n := new(Note)
	if err := decodeStrict(text, n); err != nil {
		return nil, err
	}
	if same, err := appendJSON(nil, n); err != nil || !bytes.Equal(same, text) || n.Salvaged == nil {
		return nil, errors.New("a note that is not in the order and form of this log")
	}
	return n, nil
}
