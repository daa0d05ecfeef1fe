// CSV: the tables that people and The Events Calendar's importer write.

package files

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/text/markup"
	"almanac/internal/write/intake"
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

// A tableForm is what the beginning of a file says about the table in it.
type tableForm struct {
	*table
	comma    rune
	isNamed  bool     // the first line names the separator
	header   []string // names of columns, as the file has them
	ofEvents bool     // there is no table, because columns of events are missing
}

// reader returns a reader of the rows of a text in this form, and skips the line that names the
// separator.
func (f *tableForm) reader(text io.Reader) *csv.Reader {
	r := csv.NewReader(text)
	r.Comma = f.comma
	r.FieldsPerRecord = -1
	return r
}

// names reads the header row.
func (f *tableForm) names(r *csv.Reader) (names []string, err error) {
	if names, err = r.Read(); err == nil && f.isNamed {
		names, err = r.Read()
	}
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names, err
}

// tableOf returns the form of the table that a file begins with. It has no table if the columns
// are those of none. It chooses the separator that finds the most known columns, or else the most
// columns.
func tableOf(head []byte) (found tableForm) {
	separators := ",;\t"
	named := separatorLine(head)
	if named != 0 {
		separators = string(named)
	}
	most := 0
	for _, separator := range separators {
		f := tableForm{comma: separator, isNamed: named != 0}
		r := f.reader(newTableText(bytes.NewReader(head), separator))
		r.LazyQuotes = true
		f.header, _ = f.names(r) // an invalid row has no names
		if found.table == nil && len(f.header) > len(found.header) {
			found = f
		}
		for i := range tables {
			f.table = &tables[i]
			if known := f.table.knows(f.header); known > most {
				found = f
				most = known
			}
		}
	}
	if found.table != nil && found.kind != store.Events {
		for _, name := range found.header {
			if ofEvents[columnName(name)] {
				found.table = nil
				found.ofEvents = true
				return found
			}
		}
	}
	return found
}

// ofEvents are columns that only tables of events have.
var ofEvents = map[string]bool{
	"EVENT": true, "EVENT NAME": true, "EVENT TITLE": true, "SUBJECT": true,
	"START DATE": true, "EVENT START DATE": true, "EVENT DATE": true,
}

// knows returns how many of the columns the table has; 0 if one is missing that it needs.
func (t *table) knows(header []string) (known int) {
	needed := map[string]bool{t.member(t.name): true, t.member(t.beside): true}
	isNamed := false
	for _, name := range header {
		name = columnName(name)
		isNamed = isNamed || name == t.name
		member := t.member(name)
		if delete(needed, member); member != unknownColumn {
			known++
		}
	}
	if !isNamed || len(needed) > 0 {
		return 0
	}
	return known
}

// member returns the member of a record for a column, or unknownColumn. People leave out the first
// word of a name that all columns have, as in START DATE.
func (t *table) member(column string) string {
	if member, ok := t.columns[column]; ok {
		return member
	}
	first, _, _ := strings.Cut(t.name, " ")
	member, ok := t.columns[first+" "+column]
	if !ok || quiet[member] || strings.HasPrefix(member, "recurrence.") {
		return unknownColumn
	}
	return member
}

// columnName returns the normal form of a name of a column. Names of custom fields stay as they
// are.
func columnName(name string) string {
	if _, isField := record.FieldOfColumn(name); isField {
		return strings.TrimSpace(name)
	}
	name = strings.TrimRight(name, "?:* ")
	return strings.Join(strings.Fields(strings.ToUpper(strings.ReplaceAll(name, "_", " "))), " ")
}

type cellRow struct {
	line     int
	position int
	cells    map[string]string // by member, see table.columns
	fields   store.CustomFields
}

// unknownColumn is the member of columns that a table does not know.
const unknownColumn = "?"

// mostColumns limits the columns of a table that may be custom fields.
const mostColumns = 1000

type tableReader struct {
	*table
	file    string
	yield   func(intake.Item) error
	dates   dateOrder
	columns []column
	names   map[string]string // columns of the file, by member
	rooms   map[uint64]uint64 // hashes of the first venue by those of name and start
	seed    maphash.Seed
	left    leftOut
	beyond  string // what left counts cells without a column as

	buffered     []cellRow // buffered until the order of dates is known
	bufferedSize int
}

// A column is a column of a file.
type column struct {
	name    string // as the file has it
	member  string // see table.columns, or unknownColumn
	field   store.CustomField
	isField bool
}

// readTable reads CSV: a header row, then a record in each row. It reports the numbers of cells
// that have no place in a record to page.
func (rd Reader) readTable(
	text io.Reader,
	file string,
	form *tableForm,
	yield func(intake.Item) error,
	page func(Page),
) error {
	bounded := &boundedReader{Reader: newTableText(text, form.comma)}
	rows := form.reader(bounded)
	bounded.consumed = rows.InputOffset
	t := &tableReader{
		table: form.table,
		file:  file,
		yield: yield,
		dates: dateOrder{
			wanted: rd.DateOrder,
		},
		names: map[string]string{},
		rooms: map[uint64]uint64{},
		seed:  maphash.MakeSeed(),
		left:  leftOut{},
	}
	header, err := form.names(rows)
	if err != nil {
		return fmt.Errorf("%s:1: the header row: %w", file, err)
	}
	t.head(header)
	err = t.rows(rows)
	if page != nil && len(t.left) > 0 {
		page(Page{file: file, left: t.left})
	}
	return err
}

// head reads the header row.
func (t *tableReader) head(header []string) {
	for i, name := range header {
		c := column{name: name}
		c.field, c.isField = record.FieldOfColumn(columnName(name))
		if c.isField = c.isField && i < mostColumns; !c.isField {
			c.member = t.member(columnName(name))
			t.names[c.member] = cmp.Or(t.names[c.member], name)
		}
		t.columns = append(t.columns, c)
	}
	for _, name := range []string{"start", "end"} {
		t.names[name+"_date"] = t.names[name+".date"]
	}
}

// rows yields the rows behind the header row.
func (t *tableReader) rows(rows *csv.Reader) error {
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
				fmt.Errorf("%s: behind record %d: %w", t.file, position-1, err),
				t.release(),
			)
		}
		line, _ := rows.FieldPos(0)
		if err := t.row(cells, line, position); err != nil {
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
func (t *tableReader) row(cells []string, line, position int) error {
	row := cellRow{line: line, position: position, cells: map[string]string{}}
	size := rowOverhead
	empty := true
	for i, cell := range cells {
		size += len(cell) + cellOverhead
		if !utf8.ValidString(cell) {
			return t.item(row, nil, errors.New(`is not UTF-8; save the file as "CSV UTF-8"`))
		}
		if cell = uncovered(cell); i >= len(t.columns) {
			if cell != "" {
				t.beyond = cmp.Or(t.beyond, fmt.Sprintf("cells in no column, the first in line %d", line))
				t.left.count(t.beyond)
			}
			continue
		}
		empty = empty && cell == ""
		c := &t.columns[i]
		before := row.cells[c.member]
		switch {
		case c.isField:
			row.set(c.field, cell)
		case c.member == unknownColumn:
			if cell != "" {
				t.left.count(fmt.Sprintf("cells of the column %.100q", c.name))
			}
		case c.member != "" && before != "" && cell != "" && cell != before:
			t.left.count(fmt.Sprintf("cells of the column %.100q, which another column says too", c.name))
		default:
			row.cells[c.member] = cmp.Or(before, cell)
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
	draft, err := t.record(t, row.cells)
	if err == nil && row.fields != nil {
		draft["custom_fields"] = row.fields
	}
	return t.item(row, draft, err)
}

// item yields the draft of a row, or the reason why the row cannot become a record.
func (t *tableReader) item(row cellRow, draft Draft, reason error) error {
	item := intake.Item{
		Kind:     t.kind.String(),
		File:     t.file,
		Position: row.position,
		Line:     row.line,
		Row:      true,
		Names:    t.names,
	}
	item.OtherVenue, _ = draft[otherVenue].(bool)
	delete(draft, otherVenue)
	draft.Fill(&item, reason)
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
