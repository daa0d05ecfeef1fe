// CSV: the tables that people and The Events Calendar's importer write.

package files

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/intake"
	"almanac/internal/markup"
	"almanac/store"
	"almanac/store/record"
)

// rowSize limits the bytes of a row. maxBuffered limits the memory of the rows that are buffered
// until the order of day and month is known: their texts, and the overhead of each row and cell.
const (
	rowSize     = 8 << 20
	maxBuffered = 32 << 20

	rowOverhead, cellOverhead = 256, 64
)

// tableOf returns the table whose columns the header row of a file has, or nil, with the separator
// of cells and the names of columns. It chooses the separator that finds the most known columns,
// or else the most columns.
func tableOf(head []byte) (found *table, comma rune, header []string) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	most := 0
	for _, separator := range ",;\t" {
		r := csv.NewReader(bytes.NewReader(line))
		r.Comma = separator
		r.LazyQuotes = true
		names, _ := r.Read() // an invalid row has no names
		for i := range names {
			names[i] = columnName(names[i])
		}
		if found == nil && len(names) > len(header) {
			comma = separator
			header = names
		}
		for i := range tables {
			known := 0
			for _, name := range names {
				if _, ok := tables[i].columns[name]; ok {
					known++
				}
			}
			if known > most && slices.Contains(names, tables[i].name) &&
				slices.Contains(names, tables[i].beside) {
				found = &tables[i]
				comma = separator
				header = names
				most = known
			}
		}
	}
	return found, comma, header
}

// columnName returns the normal form of a name of a column. Names of custom fields stay as they
// are.
func columnName(name string) string {
	if _, isField := record.FieldOfColumn(name); isField {
		return strings.TrimSpace(name)
	}
	return strings.Join(strings.Fields(strings.ToUpper(strings.ReplaceAll(name, "_", " "))), " ")
}

type cellRow struct {
	line     int
	position int
	cells    map[string]string // by member, see table.columns
	fields   store.CustomFields
}

// unknownColumn is the prefix of columns that a table does not know.
const unknownColumn = "? "

// mostColumns limits the columns of a table that may be custom fields.
const mostColumns = 1000

type tableReader struct {
	*table
	file  string
	yield func(intake.Item) error
	dates dateOrder

	buffered     []cellRow // buffered until the order of dates is known
	bufferedSize int
}

// readTable reads CSV: a header row, then a record in each row.
func (rd Reader) readTable(
	text io.Reader,
	file string,
	columns *table,
	comma rune,
	yield func(intake.Item) error,
) error {
	bounded := &boundedReader{Reader: text}
	rows := csv.NewReader(bounded)
	rows.Comma = comma
	rows.FieldsPerRecord = -1
	bounded.consumed = rows.InputOffset
	t := &tableReader{
		table: columns,
		file:  file,
		yield: yield,
		dates: dateOrder{
			wanted: rd.DateOrder,
		},
	}
	header, err := rows.Read()
	if err != nil {
		return fmt.Errorf("%s:1: the header row: %w", file, err)
	}
	for i := range header {
		header[i] = columnName(header[i])
	}
	for position := 1; ; position++ {
		cells, err := rows.Read()
		var broken *csv.ParseError
		switch {
		case err == io.EOF:
			return t.release()
		case errors.As(err, &broken):
			reason := fmt.Errorf(
				"is no row: %w in line %d; a quote inside a quoted cell is written twice",
				broken.Err,
				broken.Line,
			)
			if err := t.item(cellRow{
				line:     broken.StartLine,
				position: position,
			}, nil, reason); err != nil {
				return err
			}
			continue
		case err != nil:
			return errors.Join(
				fmt.Errorf("%s: behind record %d: %w", file, position-1, err),
				t.release(),
			)
		}
		line, _ := rows.FieldPos(0)
		if err := t.row(header, cells, line, position); err != nil {
			return err
		}
	}
}

// A boundedReader fails if a row is longer than rowSize.
type boundedReader struct {
	io.Reader
	read     int64
	consumed func() int64 // bytes of whole rows
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.read-b.consumed() > rowSize {
		return 0, fmt.Errorf(
			"the row has more than %d MiB; is the quote missing that ends a cell of it?",
			rowSize>>20,
		)
	}
	n, err := b.Reader.Read(p)
	b.read += int64(n)
	return n, err
}

// row yields a row, or buffers it until the order of the dates in it is known.
func (t *tableReader) row(header, cells []string, line, position int) error {
	row := cellRow{line: line, position: position, cells: map[string]string{}}
	size := rowOverhead
	empty := true
	for i, cell := range cells {
		size += len(cell) + cellOverhead
		if !utf8.ValidString(cell) {
			return t.item(row, nil, errors.New(`is not UTF-8; save the file as "CSV UTF-8"`))
		}
		cell = uncovered(cell)
		empty = empty && cell == ""
		switch {
		case i < len(header):
			member, ok := t.columns[header[i]]
			if f, isField := record.FieldOfColumn(header[i]); isField && i < mostColumns {
				row.set(f, cell)
				continue
			} else if !ok {
				member = unknownColumn + header[i]
			}
			row.cells[member] = cmp.Or(cell, row.cells[member])
		case cell != "":
			return t.item(
				row,
				nil,
				fmt.Errorf("has %d cells, and the header row has %d", len(cells), len(header)),
			)
		}
	}
	if empty {
		return nil
	}
	t.dates.look(row.cells["start.date"], line)
	t.dates.look(row.cells["end.date"], line)
	if t.dates.isSettled() {
		return t.give(row)
	}
	t.buffered, t.bufferedSize = append(t.buffered, row), t.bufferedSize+size
	if t.bufferedSize < maxBuffered {
		return nil
	}
	return t.release()
}

// set sets a custom field. Two columns may have the same key, with two labels: the last one with a
// text counts.
func (r *cellRow) set(f store.CustomField, cell string) {
	f.Value = cell
	at := slices.IndexFunc(
		r.fields,
		func(other store.CustomField) bool { return other.Key == f.Key },
	)
	if at < 0 {
		r.fields = append(r.fields, f)
	} else if cell != "" {
		r.fields[at] = f
	}
}

// release yields the buffered rows. Their dates have the order that is known by now.
func (t *tableReader) release() error {
	t.dates.isDecided = true
	for _, row := range t.buffered {
		if err := t.give(row); err != nil {
			return err
		}
	}
	t.buffered, t.bufferedSize = nil, 0
	return nil
}

func (t *tableReader) give(row cellRow) error {
	draft, err := t.table.record(t.table, row.cells, &t.dates)
	if err == nil && row.fields != nil {
		draft["custom_fields"] = row.fields
	}
	return t.item(row, draft, err)
}

// item yields the draft of a row, or the reason why the row cannot become a record.
func (t *tableReader) item(row cellRow, draft intake.Draft, reason error) error {
	item := intake.Item{
		Kind:     t.kind.String(),
		File:     t.file,
		Position: row.position,
		Line:     row.line,
		Row:      true,
	}
	item.Take(draft, reason)
	return t.yield(item)
}

// uncovered returns the text of a cell without the space around it, and without the apostrophe
// that guards formulas.
func uncovered(cell string) string {
	if bare, ok := strings.CutPrefix(strings.TrimLeftFunc(cell, unicode.IsSpace), "'"); ok &&
		markup.IsFormula(bare) {
		return bare
	}
	return strings.TrimSpace(cell)
}

// Bytes that no text has hide the escaped characters of a list.
var (
	hidden = strings.NewReplacer(`\\`, "\xfe", `\,`, "\xff")
	bared  = strings.NewReplacer("\xfe", `\`, "\xff", ",")
)

// listed splits a list at its commas; "\," is a comma in an item and "\\" a backslash.
func listed(text string) (items []string) {
	for item := range strings.SplitSeq(hidden.Replace(text), ",") {
		if item = strings.TrimSpace(bared.Replace(item)); item != "" {
			items = append(items, item)
		}
	}
	return items
}
