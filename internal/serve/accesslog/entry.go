// Package accesslog writes a line for each answered request.
//
//	l, err := accesslog.Open("access.log", accesslog.Combined, logger)
//	l.Add(&accesslog.Entry{Method: "GET", Target: "/events/", Status: 200})
//
// An Entry is always one line, and no caller waits for the disk: a goroutine writes the lines. If
// the buffer is full, lines are dropped, and the logger gets one message. A killed process loses
// only the last lines, the first of them maybe in part; the next Log ends that part before its own
// lines. The caller removes secrets, such as passwords in an address.
package accesslog

import (
	"encoding/json"
	"fmt"
	"time"

	"almanac/internal/text/jsonio"
)

// An Entry describes a request and its answer.
type Entry struct {
	Time      time.Time     `json:"time"` // when it came
	Took      time.Duration `json:"-"`
	Seconds   float64       `json:"seconds"` // Took, for the form as JSON
	Client    string        `json:"client"`
	User      string        `json:"user,omitempty"` // login of the account
	Method    string        `json:"method"`
	Target    string        `json:"target"` // path and query
	Protocol  string        `json:"protocol"`
	Status    int           `json:"status"` // 0: it was broken off before there was one
	Bytes     int64         `json:"bytes"`  // of the body of the answer
	Operation string        `json:"operation,omitempty"`
	Referer   string        `json:"referer,omitempty"`
	Agent     string        `json:"agent,omitempty"`
}

// longest is how many bytes a text of a client has in a line at most.
const longest = 1024

// Formats are the forms of lines, by their names.
var Formats = map[string]func(line []byte, e *Entry) []byte{
	"combined": appendCombined,
	"json":     appendJSON,
}

// appendCombined appends an entry as Apache's httpd and others write it.
func appendCombined(line []byte, e *Entry) []byte {
	line = appendField(line, e.Client, " ")
	line = append(line, " - "...)
	line = appendField(line, e.User, " ")
	line = e.Time.AppendFormat(append(line, " ["...), "02/Jan/2006:15:04:05 -0700")
	line = appendField(append(line, `] "`...), e.Method, " ")
	line = appendField(append(line, ' '), e.Target, " ")
	line = appendField(append(line, ' '), e.Protocol, " ")
	line = fmt.Appendf(line, `" %03d %d "`, e.Status, e.Bytes)
	line = appendField(line, e.Referer, "")
	line = appendField(append(line, `" "`...), e.Agent, "")
	return append(line, "\"\n"...)
}

// appendField appends a text as it can stand between quotes, and beside them when a
// space is among those to escape: as \x and two digits whatever ends one, begins an
// escape or is not visible ASCII.
func appendField(line []byte, text, more string) []byte {
	if text == "" {
		return append(line, '-')
	}
	for _, c := range []byte(cut(text)) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || more != "" && c == more[0] {
			line = fmt.Appendf(line, `\x%02X`, c)
		} else {
			line = append(line, c)
		}
	}
	return line
}

// cut returns no more of a text than a line may have.
func cut(text string) string {
	if len(text) > longest {
		return text[:longest] + "..."
	}
	return text
}

// appendJSON appends an entry as JSON in ASCII: terminals interpret some other characters as
// commands.
func appendJSON(line []byte, e *Entry) []byte {
	c := *e
	c.Seconds = e.Took.Seconds()
	for _, text := range []*string{&c.Client, &c.User, &c.Method, &c.Target, &c.Protocol, &c.Operation, &c.Referer, &c.Agent} {
		*text = cut(*text)
	}
	text, err := json.Marshal(c)
	if err != nil {
		return line // a year of five digits, which no clock has
	}
	line = append(line, jsonio.ASCII(text)...)
	return append(line, '\n')
}
