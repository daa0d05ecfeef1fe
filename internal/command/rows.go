// Rows are printed as tables for people, and as JSON for programs.

package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// rows are a table. Most have a label and a text in each row.
type rows [][]string

func (r *rows) add(cells ...string) { *r = append(*r, cells) }

// print prints the rows in columns.
func (r rows) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, cells := range r {
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// writeJSON prints a value for programs and people.
func writeJSON(w io.Writer, value any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}
