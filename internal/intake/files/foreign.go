// Forms of files that cannot be imported.

package files

import (
	"fmt"
	"strings"
)

// beginnings are the first bytes of common files that are no calendars.
var beginnings = []struct{ text, is string }{
	{"PK\x03\x04", `a spreadsheet (.xlsx, .ods) or another ZIP archive: save its table as "CSV UTF-8"`},
	{"\xd0\xcf\x11\xe0", `a spreadsheet of an old Excel (.xls): save its table as "CSV UTF-8"`},
	{"%PDF-", "a PDF"},
	{"\x1f\x8b", "compressed: unpack it with gunzip"},
	{"{\\rtf", "a text document (RTF)"},
	{"BEGIN:VCARD", "a list of contacts"},
	{"<!DOCTYPE html", "a page (HTML)"},
	{"<html", "a page (HTML)"},
	{"<", "XML"},
}

// foreign guesses the form of an unknown file from its first bytes and the columns of its first line, or returns "".
func foreign(head []byte, columns []string) string {
	text := strings.TrimSpace(string(head))
	if strings.Contains(text, "wordpress.org/export/") {
		return "an export of WordPress (WXR)"
	}
	for _, b := range beginnings {
		if len(text) >= len(b.text) && strings.EqualFold(text[:len(b.text)], b.text) {
			return b.is
		}
	}
	switch {
	case strings.Contains(text, "\x00"):
		return "no text, or UTF-16 without a byte order mark"
	case text != "" && (len(columns) > 1 && !strings.ContainsAny(text[:1], "{[") || !strings.ContainsAny(text[:1], `{["-0123456789tfn`)):
		return fmt.Sprintf("a table with the columns %.40q", columns[:min(len(columns), mostNames)])
	}
	return ""
}
