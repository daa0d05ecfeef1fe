// The page of audit.

package command

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/cli"
)

// An auditReport is everything that audit found.
type auditReport struct {
	Time      time.Time `json:"time"`
	Directory string    `json:"directory"` // "" with -memory
	Findings  []string  `json:"findings"`
	Sections  []section `json:"sections"`
}

// A section is a table. Rows of a label and a text have no heading.
type section struct {
	Title string   `json:"title"`
	Rows  cli.Rows `json:"rows"`
}

// find notes a finding.
func (r *auditReport) find(format string, values ...any) {
	r.Findings = append(r.Findings, fmt.Sprintf(format, values...))
}

// print prints the report as a page.
func (r *auditReport) print(out io.Writer) error {
	findings := section{Title: "Findings"}
	for i, finding := range r.Findings {
		findings.Rows.Add(fmt.Sprint(i+1), finding)
	}
	if len(r.Findings) == 0 {
		findings.Rows.Add("none", "")
	}
	w := new(bytes.Buffer)
	fmt.Fprintf(
		w,
		"ALMANAC AUDIT  %s  %s\n",
		r.Time.Format("2006-01-02 15:04 UTC"),
		cmp.Or(r.Directory, "in memory"),
	)
	for i, s := range append([]section{findings}, r.Sections...) {
		fmt.Fprintf(w, "\n%d %s\n\n", i+1, strings.ToUpper(s.Title))
		s.write(w)
	}
	_, err := out.Write(w.Bytes())
	return err
}

const (
	pageWidth = 96 // columns of a page
	lastWidth = 36 // of the last cell of a row, at least
	gap       = "  "
)

// write writes the rows in columns. The last cell of a row takes as many lines as it needs. The
// widest other cells are cut where the page has no room for them.
func (s section) write(w *bytes.Buffer) {
	if len(s.Rows) == 0 {
		return
	}
	last := len(s.Rows[0]) - 1
	widths := make([]int, last+1)
	for _, row := range s.Rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	left := pageWidth - len(gap) - min(widths[last], lastWidth)
	for {
		sum := 0
		widest := 0
		for i, n := range widths[:last] {
			sum += n + len(gap)
			if n > widths[widest] {
				widest = i
			}
		}
		if sum <= left {
			break
		}
		widths[widest]--
	}
	for _, row := range s.Rows {
		line := ""
		for i, cell := range row[:last] {
			if runes := []rune(cell); len(runes) > widths[i] {
				cell = string(runes[:widths[i]-1]) + "…"
			}
			line += fmt.Sprintf("%s%-*s", gap, widths[i], cell)
		}
		indent := utf8.RuneCountInString(line)
		line += gap
		for word := range strings.FieldsSeq(row[last]) {
			if n := utf8.RuneCountInString(line); n > indent+len(gap) &&
				n+utf8.RuneCountInString(word) > pageWidth {
				w.WriteString(strings.TrimRight(line, " ") + "\n")
				line = strings.Repeat(" ", indent) + gap
			}
			line += word + " "
		}
		w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
