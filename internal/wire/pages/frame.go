// The frame of every page.

package pages

import (
	"html/template"
	"slices"
)

// A Frame is the part of a page around its content.
type Frame struct {
	Words       Words
	Lang, Dir   string
	Title       string   // of the page, without the name of the site
	Site        string   // name
	About       string   // a line below the name, or ""
	Logo        *Image   // of a height that the header has room for, or nil
	Home        string   // address of the list of coming events
	Styles      []string // addresses of the style sheets
	Description string   // for search engines and those who show links
	Canonical   string   // address of the page
	Origin      string   // of the site
	API         string   // address of the content of the page in the API
	Record      string   // address of the record of the page, as JSON, or ""
	Short       string   // address of the page by the id of its record, or ""
	Hidden      bool     // search engines are asked not to list the page
	Image       *Image   // shown with links to the page, or nil
	Type        string   // og:type
	Data        []string // JSON-LD of the events, in fragments, after markup.DropUnshown
	Alternates  Versions // the same page in other languages: Lang is that, or x-default
	Feeds       []Link   // of the content
	Views       []Link   // list, month, week, day
	Soon        []Link   // days near today, and free events
	Languages   Versions // for people
	Others      Versions // for people too, folded
	Links       []Link   // of the owner
	Front       bool     // the front page, whose first heading is the name of the site
	Search      *Search  // nil for none
	Strip       *Strip   // preview bar; nil for none
	Bare        bool     // shown in a frame of another site: without header and footer
	Below       []Link   // at the end of a bare page
	Suggest     *Link    // to the form of proposals, or nil
	Embed       string   // HTML with which other sites show the page, or ""
	Compact     bool     // dates and titles alone
}

// A Strip says above the page of an event that this is a preview, and what comes next.
type Strip struct {
	Lang, Dir     string
	Text          string
	Style         string        // address of its style sheet
	Back          Link          // to the form of the event
	Action        string        // address of the form that makes the event public
	Button, Value string        // of that form; Button "" is none
	More          template.HTML // made by the desk
}

// Versions are a page in several languages. The addresses of the links end where the path of
// the page follows.
type Versions struct {
	Links  []Link
	Origin template.URL // stands before each address; "" where they have theirs
	Path   template.URL
}

// all returns links to the page.
func (v Versions) all() Translations {
	links := slices.Clone(v.Links)
	path := normal(v.Path)
	for i := range links {
		links[i].Href = v.Origin + links[i].Href + path
	}
	return links
}

// Words are the texts of a language.
type Words interface {
	// Text returns the text of a key, with what stands in it as {name} replaced by values,
	// which come as name and value in turn.
	Text(key string, values ...string) string
	// Count returns the form of a text for a number.
	Count(key string, n int) string
}

// A Search is the form that looks for events.
type Search struct {
	Action   string
	Text     string
	Date     string // ISO, or ""
	Hidden   []Field
	Choices  []Choice
	Featured bool
	Once     bool // each series is one entry
}

// IsFiltered reports whether a list has less than all events by a choice.
func (s *Search) IsFiltered() bool {
	isChosen := func(o Option) bool { return o.Chosen }
	return s.Featured ||
		slices.ContainsFunc(
			s.Choices,
			func(c Choice) bool { return slices.ContainsFunc(c.Options, isChosen) },
		)
}

// A Field is a value that a form sends.
type Field struct{ Name, Value string }

// A Choice is one of several that a list is narrowed by.
type Choice struct {
	Name, Label string
	Options     []Option
}

// An Option is one of a Choice.
type Option struct {
	Value, Text string
	Chosen      bool
}

// A Form asks for something. Its fields are those of the desk, made by the templates there.
type Form struct {
	Heading string
	Fields  template.HTML
}

// A QR is a code that leads a telephone to an address.
type QR struct {
	Side int    // in modules
	Path string // SVG path of the dark modules
}
