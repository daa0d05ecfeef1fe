// The encoding of files, and forms that cannot be imported.

package files

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// beginnings are the first bytes of common files that are no calendars.
var beginnings = []struct{ text, is string }{
	{
		"PK\x03\x04",
		`a spreadsheet (.xlsx, .ods) or another ZIP archive: save its table as "CSV UTF-8"`,
	},
	{"\xd0\xcf\x11\xe0", `a spreadsheet of an old Excel (.xls): save its table as "CSV UTF-8"`},
	{"%PDF-", "a PDF"},
	{"\x1f\x8b", "compressed: unpack it with gunzip"},
	{"{\\rtf", "a text document (RTF)"},
	{"BEGIN:VCARD", "a list of contacts"},
	{"<!DOCTYPE html", "a page (HTML)"},
	{"<html", "a page (HTML)"},
	{"<", "XML"},
}

// foreign guesses the form of an unknown file from its first bytes and the columns of its first
// line, or returns "".
func foreign(head []byte, columns []string) string {
	text := strings.TrimSpace(string(head))
	for _, b := range beginnings {
		if begins(text, b.text) {
			return b.is
		}
	}
	switch {
	case strings.Contains(text, "\x00"):
		return "no text, or UTF-16 without a byte order mark"
	case text != "" && (len(columns) > 1 && !strings.ContainsAny(text[:1], "{[") || !strings.ContainsAny(text[:1], `{["-0123456789tfn`)):
		return fmt.Sprintf(
			"a table with the columns %.40q",
			columns[:min(len(columns), mostNames)],
		)
	}
	return ""
}

// begins reports whether a text begins with another one, in any letter case.
func begins(text, with string) bool {
	return len(text) >= len(with) && strings.EqualFold(text[:len(with)], with)
}

// decoded returns a file as UTF-8 without its byte order mark. It decodes UTF-16, which Excel
// writes as "Unicode text", if the byte order mark announces it.
func decoded(file io.Reader) io.Reader {
	text := bufio.NewReaderSize(file, headSize)
	bom, _ := text.Peek(3) // the next Read returns the error
	order := map[string]binary.ByteOrder{
		"\xff\xfe": binary.LittleEndian,
		"\xfe\xff": binary.BigEndian,
	}[string(bom[:min(2, len(bom))])]
	if order != nil {
		_, _ = text.Discard(2)
		return &utf16Reader{text: text, order: order}
	}
	if string(bom) == "\ufeff" {
		_, _ = text.Discard(3)
	}
	return text
}

// endsInCR reports whether the first line of a text ends in CR alone, as on old Macs.
func endsInCR(head []byte) bool {
	i := bytes.IndexAny(head, "\r\n")
	return i >= 0 && head[i] == '\r' && !bytes.HasPrefix(head[i+1:], []byte("\n"))
}

// lineFeeds is a text in which lines that end in CR alone end in LF for its readers.
type lineFeeds struct{ *bufio.Reader }

func (l lineFeeds) Read(p []byte) (n int, err error) {
	n, err = l.Reader.Read(p)
	next, _ := l.Peek(1)
	for i := range p[:n] {
		rest := p[i+1 : n]
		if len(rest) == 0 {
			rest = next
		}
		if p[i] == '\r' && !bytes.HasPrefix(rest, []byte("\n")) {
			p[i] = '\n'
		}
	}
	return n, err
}

// A utf16Reader reads UTF-16 as UTF-8.
type utf16Reader struct {
	text  *bufio.Reader
	order binary.ByteOrder
	next  []byte // the rest of a character
}

func (u *utf16Reader) Read(p []byte) (n int, err error) {
	if len(u.next) == 0 {
		err = u.advance()
	}
	n = copy(p, u.next)
	u.next = u.next[n:]
	return n, err
}

// advance reads a character. An unpaired surrogate becomes an invalid byte.
func (u *utf16Reader) advance() error {
	units, err := u.text.Peek(4)
	switch len(units) {
	case 0:
		return err
	case 1:
		return io.ErrUnexpectedEOF
	}
	c := rune(u.order.Uint16(units))
	size := 2
	if u.next = utf8.AppendRune(nil, c); utf16.IsSurrogate(c) {
		if u.next = []byte{0xff}; len(units) == 4 {
			if c = utf16.DecodeRune(c, rune(u.order.Uint16(units[2:]))); c != unicode.ReplacementChar {
				u.next = utf8.AppendRune(nil, c)
				size = 4
			}
		}
	}
	_, err = u.text.Discard(size)
	return err
}
