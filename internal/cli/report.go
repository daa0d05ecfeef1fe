// Reports are printed as text for people, and as JSON for programs.

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// Rows are a table. Most have a label and a text in each row.
type Rows [][]string

// Add adds a row.
func (r *Rows) Add(cells ...string) { *r = append(*r, cells) }

// Print prints the rows in columns.
func (r Rows) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, cells := range r {
		for i, cell := range cells {
			if i > 0 {
				fmt.Fprint(t, "\t")
			}
			fmt.Fprint(t, Line(cell))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// PrintReport prints a report: its value as JSON, or else as print does.
func PrintReport(w io.Writer, asJSON bool, value any, print func(io.Writer) error) error {
	if !asJSON {
		return print(w)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}
