// CSV (RFC 4180), for spreadsheets and for importers of The Events Calendar.

package feed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/text/markup"
	"almanac/internal/wire/render"
	"almanac/store"
	"almanac/store/record"
)

// CSV is a table of events, one row each: first the columns that the importer of The Events
// Calendar knows, then ours. It begins with a byte order mark, since Excel reads UTF-8 by it alone
// and would spoil every other file without a word when it saves it; that is the form in which
// Excel saves UTF-8 itself.
//
// No cell is a formula. A cell that markup.IsFormula takes for a formula, or for an escaped
// formula, gets one more apostrophe, which almanac-move import takes off again; but a decimal
// number such as -73.98 stays as it is.
var CSV = Format{
	Extension: ".csv",
	Media:     "text/csv; charset=utf-8; header=present",
	Whole:     true,
	Head: func(b []byte, l *List) []byte {
		b = append(b, "\ufeff"...)
		for i, c := range columns {
			b = appendCell(b, i, c.name)
		}
		for _, f := range l.Fields {
			b = appendCell(b, len(columns), f.Column())
		}
		return append(b, "\r\n"...)
	},
	Event: func(b []byte, r *render.Renderer, e *store.Event) []byte {
		inside, open := r.Inside(e)
		w := &row{
			Renderer: r,
			e:        e,
			inside:   inside,
			open:     open,
			series:   r.Series(e),
			venues:   r.AppendVenues(nil, inside),
		}
		if len(w.venues) > 0 {
			w.venue = w.venues[0]
		} else {
			w.venue = &store.Venue{}
		}
		for i, c := range columns {
			b = appendCell(b, i, c.value(w))
		}
		return b
	},
	Cells: func(b []byte, l *List, inside *store.Event) []byte {
		for _, column := range l.Fields {
			b = append(b, ',')
			for _, f := range inside.CustomFields {
				if f.Key == column.Key && f.Label == column.Label {
					b = appendCell(b, 0, f.Value)
				}
			}
		}
		return append(b, "\r\n"...)
	},
}

// mostFields limits the columns of custom fields.
const mostFields = 200

// AddFields adds columns for the custom fields of an event that a table has. Records may give a
// key different labels.
func (l *List) AddFields(inside *store.Event) {
	for _, f := range inside.CustomFields {
		if f.Value = ""; len(l.Fields) < mostFields && !slices.Contains(l.Fields, f) {
			l.Fields = append(l.Fields, f)
		}
	}
}

// A row is an event.
type row struct {
	*render.Renderer
	e, inside *store.Event
	open      bool
	series    *store.Series // or nil
	venues    []*store.Venue
	venue     *store.Venue // the first, or an empty one
}

type column struct {
	name  string
	value func(*row) string
}

// columns are the columns in their order. Texts of people are as they were typed, texts
// in HTML as they are shown, and lists are divided by commas.
var columns = append([]column{
	{"EVENT NAME", func(w *row) string { return strings.TrimSpace(w.e.Title) }},
	{"EVENT EXCERPT", func(w *row) string { return markup.Excerpt(w.inside.Excerpt) }},
	{"EVENT VENUE NAME", func(w *row) string { return strings.TrimSpace(w.venue.Name) }},
	{"EVENT ORGANIZER NAME", func(w *row) string {
		return listOf(
			w.AppendOrganizers(nil, w.inside),
			func(o *store.Organizer) string { return strings.TrimSpace(o.Name) },
		)
	}},
	{"EVENT START DATE", func(w *row) string { return w.e.Start.Time().Format(time.DateOnly) }},
	{"EVENT START TIME", func(w *row) string { return w.e.Start.Time().Format(time.TimeOnly) }},
	{"EVENT END DATE", func(w *row) string { return w.e.End.Time().Format(time.DateOnly) }},
	{"EVENT END TIME", func(w *row) string { return w.e.End.Time().Format(time.TimeOnly) }},
	{"ALL DAY EVENT", func(w *row) string { return w.flag(w.e.AllDay) }},
	{"TIMEZONE", func(w *row) string { return w.e.Timezone }},
	{"HIDE FROM EVENT LISTINGS", func(w *row) string { return w.flag(w.e.HideFromListings) }},
	{"STICKY IN MONTH VIEW", func(w *row) string { return w.flag(w.e.Sticky) }},
	{"FEATURE EVENT", func(w *row) string { return w.flag(w.e.Featured) }},
	{
		"EVENT CATEGORY",
		func(w *row) string { return w.terms(store.Categories, w.inside.Categories) },
	},
	{"EVENT TAGS", func(w *row) string { return w.terms(store.Tags, w.inside.Tags) }},
	{"EVENT COST", func(w *row) string { return w.inside.Cost.InTable() }},
	{"EVENT CURRENCY SYMBOL", func(w *row) string { return w.inside.Symbol }},
	{"EVENT CURRENCY POSITION", func(w *row) string { return w.inside.Position }},
	{"EVENT ISO CURRENCY CODE", func(w *row) string { return w.inside.Code }},
	{"EVENT FEATURED IMAGE", (*row).image},
	{"EVENT WEBSITE", func(w *row) string { return w.inside.Website }},
	{"EVENT SHOW MAP LINK", func(w *row) string { return w.flag(w.e.ShowMapLink) }},
	{"EVENT SHOW MAP", func(w *row) string { return w.flag(w.e.ShowMap) }},
	{"ALLOW COMMENTS", func(*row) string { return "FALSE" }}, // there are none here
	{"ALLOW TRACKBACKS AND PINGBACKS", func(*row) string { return "FALSE" }},
	{"EVENT DESCRIPTION", func(w *row) string { return markup.Content(w.inside.Description) }},

	{"GLOBAL ID", func(w *row) string { return w.GlobalID(w.e.ID) }},
	{
		"GLOBAL ID LINEAGE",
		func(w *row) string { return listOf(w.e.Origins, func(id string) string { return id }) },
	},
	{"EVENT STATUS", func(w *row) string { return string(w.e.Status) }},
	{"EVENT SLUG", func(w *row) string { return w.e.Slug }},
	{"EVENT PUBLISHED UTC", func(w *row) string { return utc(published(w.e)) }},
	{"EVENT MODIFIED UTC", func(w *row) string { return utc(w.e.Modified) }},
	{"EVENT PAGE", func(w *row) string { return w.EventPage(&w.e.Post) }},
	{"EVENT VENUE GLOBAL ID", (*row).venueID},
	{"EVENT VENUE ADDRESS", func(w *row) string { return w.venue.Address }},
	{"EVENT VENUE CITY", func(w *row) string { return w.venue.City }},
	{"EVENT VENUE STATE/PROVINCE", func(w *row) string { return region(w.venue) }},
	{"EVENT VENUE ZIP", func(w *row) string { return w.venue.Zip }},
	{"EVENT VENUE COUNTRY", func(w *row) string { return w.venue.Country }},
	{
		"EVENT VENUE LATITUDE",
		func(w *row) string { return w.degrees(func(g *store.Geo) float64 { return g.Lat }) },
	},
	{
		"EVENT VENUE LONGITUDE",
		func(w *row) string { return w.degrees(func(g *store.Geo) float64 { return g.Lng }) },
	},
	{"EVENT FURTHER VENUES", func(w *row) string {
		return listOf(
			w.venues[min(1, len(w.venues)):],
			func(v *store.Venue) string { return strings.TrimSpace(v.Name) },
		)
	}},
	{
		"EVENT SERIES",
		func(w *row) string { return w.recurrence(func(s *store.Series) string { return w.GlobalID(s.ID) }) },
	},
	{
		"EVENT SERIES RULE",
		func(w *row) string { return w.recurrence(func(s *store.Series) string { return s.Rule }) },
	},
	{"EVENT SERIES DATE", func(w *row) string {
		return w.recurrence(func(*store.Series) string { return w.e.Recurrence.Start.String() })
	}},
	{"EVENT SERIES CHANGED", func(w *row) string {
		return w.recurrence(
			func(*store.Series) string { return flag(len(w.e.Recurrence.Changed) > 0) },
		)
	}},
	{"EVENT STATE", func(w *row) string { return cmp.Or(w.e.State, "scheduled") }},
	{"EVENT STATE REASON", func(w *row) string { return w.inside.StateReason }},
}, plainColumns()...)

// plainColumns are the columns of the plain fields after ticketed, which has none.
func plainColumns() (all []column) {
	for _, f := range record.PlainFields(record.EventFields, "ticketed", "")[1:] {
		all = append(all, column{"EVENT " + f.Upper(" "), func(w *row) string {
			if value, is := f.At(w.inside).(*bool); is {
				return w.flag(*value)
			}
			return *f.At(w.inside).(*string)
		}})
	}
	return all
}

// flag returns a truth value, "" if it is not told.
func (w *row) flag(v bool) string {
	if !w.open {
		return ""
	}
	return flag(v)
}

func flag(v bool) string { return strings.ToUpper(strconv.FormatBool(v)) }

func (w *row) terms(k store.Kind, ids []int64) string {
	return listOf(w.AppendTerms(nil, k, ids), func(t *store.Term) string { return t.Name })
}

func (w *row) image() string {
	if image := w.Image(w.inside.Image); image != nil {
		return image.URL
	}
	return ""
}

func (w *row) venueID() string {
	if w.venue.ID == 0 {
		return ""
	}
	return w.UID(&w.venue.Post)
}

func (w *row) degrees(of func(*store.Geo) float64) string {
	if w.venue.Geo == nil {
		return ""
	}
	return string(appendDegrees(nil, of(w.venue.Geo)))
}

// recurrence returns a cell about the series of the event, "" without one.
func (w *row) recurrence(say func(*store.Series) string) string {
	if w.series == nil {
		return ""
	}
	return say(w.series)
}

// utc returns an instant as the JSON of an event shows it, "" for none.
func utc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return store.WallOf(t.UTC()).String()
}

// listOf returns the texts of a list in one text, divided by commas. A comma in a text
// has a backslash before it, and so has a backslash.
func listOf[T any](items []T, text func(T) string) string {
	escaped := make([]string, len(items))
	for i, item := range items {
		escaped[i] = escapeItem.Replace(text(item))
	}
	return strings.Join(escaped, ", ")
}

var escapeItem = strings.NewReplacer(`\`, `\\`, `,`, `\,`)

// appendCell appends the i-th cell of a row, which is quoted where programs that expect another
// separator would divide it. NUL is left out; invalid UTF-8 becomes U+FFFD.
func appendCell(b []byte, i int, text string) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	if text = strings.ReplaceAll(text, "\x00", ""); !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	if markup.IsFormula(text) && !isNumber(text) {
		text = "'" + text
	}
	if !strings.ContainsAny(text, "\",;\t\r\n") && text == strings.TrimSpace(text) {
		return append(b, text...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(text, `"`, `""`)...)
	return append(b, '"')
}

// isNumber reports whether a cell is a decimal number, which may be negative.
func isNumber(text string) bool {
	whole, fraction, found := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return isDigits(whole) && (!found || isDigits(fraction))
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
