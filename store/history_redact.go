// Lines of the log for people: without the passwords in them.

package store

import (
	"encoding/json"
	"strings"
)

// redactedPassword stands in the place of a password, hashed or not.
const redactedPassword = `"…"`

// Redacted returns the line without the passwords of events, whether they are
// hashes or, from older programs, plain texts. The checksum in a line that had
// passwords does not match the result.
func (t Transaction) Redacted() []byte { return redact(t.Line) }

// redact puts something else in the place of every text that is the value of a
// member named password, in whatever way JSON allows to write that.
func redact(line []byte) []byte {
	var out []byte
	done, secret := 0, false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			end := textEnd(line, i)
			switch isName := after(line, end, ':'); {
			case isName:
				secret = namesPassword(line[i:end])
			case secret:
				out = append(append(out, line[done:i]...), redactedPassword...)
				done, secret = end, false
			}
			i = end - 1
		case ',', '{', '}', '[', ']':
			secret = false
		}
	}
	if out == nil {
		return line
	}
	return append(out, line[done:]...)
}

// textEnd returns where a JSON text ends that begins with the quote at i.
func textEnd(line []byte, i int) int {
	for i++; i < len(line) && line[i] != '"'; i++ {
		if line[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(line))
}

// after reports whether nothing but space is between i and a sign.
func after(line []byte, i int, sign byte) bool {
	for ; i < len(line); i++ {
		switch line[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return line[i] == sign
		}
	}
	return false
}

// namesPassword reports whether a JSON text is the name of the member.
func namesPassword(text []byte) bool {
	var name string
	return json.Unmarshal(text, &name) == nil && strings.EqualFold(name, "password")
}
