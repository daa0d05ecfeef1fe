// Tokens: a date cut into numbers, words and marks.

package caltime

import (
	"strconv"
	"strings"
)

type kind byte

const (
	end    kind = iota // after the last token, as often as it is asked for
	number             // a run of digits
	word               // a run of letters
	symbol             // any other byte
)

// A token is a piece of a date.
type token struct {
	kind  kind
	text  string // in lower case
	value int    // of a number of up to nine digits; longer ones are -1
	tight bool   // nothing stands between it and the token before
}

func (t token) digits() int {
	if t.kind != number {
		return 0
	}
	return len(t.text)
}

func (t token) is(k kind, text string) bool { return t.kind == k && t.text == text }

// scan cuts a text at spaces, commas and wherever the kind changes. Marks stand
// alone; bytes outside ASCII are marks that no form has.
func scan(text string) []token {
	text = strings.ToLower(text)
	tokens := make([]token, 0, 16)
	for i, tight := 0, false; i < len(text); {
		k := kindOf(text[i])
		if k == end {
			i = i + 1
			tight = false
			continue
		}
		start := i
		for i++; k != symbol && i < len(text) && kindOf(text[i]) == k; i++ {
		}
		t := token{kind: k, text: text[start:i], tight: tight}
		if k == number {
			t.value = valueOf(t.text)
		}
		tokens = append(tokens, t)
		tight = true
	}
	return tokens
}

// kindOf returns the kind a byte begins, and end for what only separates.
func kindOf(c byte) kind {
	switch {
	case '0' <= c && c <= '9':
		return number
	case 'a' <= c && c <= 'z':
		return word
	case c == ' ', c == ',', '\t' <= c && c <= '\r':
		return end
	}
	return symbol
}

func valueOf(digits string) int {
	if n, err := strconv.Atoi(digits); err == nil && len(digits) <= 9 {
		return n
	}
	return -1
}
