// Templates and style.

package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template/parse"

	"almanac/internal/text/markup"
	"almanac/store/disk"
)

//go:embed theme/*.html
var ours embed.FS

// Style is the style sheet of every page, and StyleName its name, which changes with it.
//
//go:embed theme/style.css
var Style []byte

// Icon is the picture that browsers show beside the title of a page.
//
//go:embed theme/icon.svg
var Icon []byte

// StyleName returns the name of a style sheet: it changes when the sheet does, so that
// browsers may keep it for ever.
func StyleName(style []byte) string { return HashedName("style", style, ".css") }

// HashedName returns a name that changes with a content.
func HashedName(kind string, content []byte, extension string) string {
	sum := sha256.Sum256(content)
	return kind + "-" + hex.EncodeToString(sum[:6]) + extension
}

// A Theme is templates. It may be used by several goroutines at once.
type Theme struct {
	Name      string // changes with the templates that are not ours
	templates *template.Template
}

// templateMost is how large a template of a site may be.
const templateMost = 256 << 10

// NewTheme returns our templates, with those of a site in the place of ours that have the
// same name; site may be nil. Each of a site's is executed with samples of all that there
// is to show. The error names the file, and the line where there is one.
func NewTheme(site fs.FS) (*Theme, error) {
	t := &Theme{
		templates: template.New("").Funcs(template.FuncMap{
			"dict": dict,
		}),
	}
	_, err := t.templates.ParseFS(ours, "theme/*.html")
	if err == nil && site != nil {
		err = t.replaceAll(site)
	}
	if err != nil {
		return nil, err
	}
	if site == nil {
		return t, nil
	}
	return t, t.check()
}

// replaceAll puts the templates of a site in the place of ours.
func (t *Theme) replaceAll(site fs.FS) error {
	names, err := siteTemplates(site)
	if err != nil {
		return err
	}
	var all []byte
	for _, name := range names {
		text, err := disk.ReadIn(site, name)
		if err == nil {
			err = t.replace(name, string(text))
		}
		if err != nil {
			return err
		}
		all = append(append(append(all, name...), 0), text...)
	}
	t.Name = HashedName("theme", all, "")
	return nil
}

// siteTemplates returns the names of the templates in a directory. Hidden files belong to
// other programs.
func siteTemplates(site fs.FS) (names []string, err error) {
	known, _ := fs.Glob(ours, "theme/*.html") // the pattern is right
	for i := range known {
		known[i] = path.Base(known[i])
	}
	found, err := fs.ReadDir(site, ".")
	for _, entry := range found {
		name := entry.Name()
		if strings.HasPrefix(name, ".") {
			continue
		}
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf(
				"%s: there is no template of this name to replace; there are %s",
				name,
				strings.Join(known, ", "),
			)
		}
		file, err := fs.Stat(site, name) // follows links
		switch {
		case err != nil:
			return nil, err
		case !file.Mode().IsRegular():
			return nil, fmt.Errorf("%s: not a regular file", name)
		case file.Size() > templateMost:
			return nil, fmt.Errorf("%s: has more than %d KB", name, templateMost>>10)
		}
		names = append(names, name)
	}
	return names, err
}

// replace puts a text in the place of one of our templates.
func (t *Theme) replace(name, text string) error {
	alone, err := template.New(name).Funcs(template.FuncMap{"dict": dict}).Parse(text)
	switch i := firstInvalid([]byte(text)); {
	case i >= 0:
		return fmt.Errorf("%s:%d: not UTF-8 text", name, 1+strings.Count(text[:i], "\n"))
	case err != nil:
		return err
	case alone.Tree == nil || parse.IsEmptyTree(alone.Tree.Root):
		return fmt.Errorf(
			`%s:1: empty, and so would leave ours in its place; a template of {{""}} shows nothing`,
			name,
		)
	}
	_, err = t.templates.New(name).Parse(text)
	return err
}

// dict makes a map of names and values in turn, for templates that are given several things.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("dict has a name without a value")
	}
	all := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("dict: %v is no name", pairs[i])
		}
		all[name] = pairs[i+1]
	}
	return all, nil
}

// A shown is the argument of templates: the frame, and one content.
type shown struct {
	Frame
	List  *List
	Month *Month
	Event *Event
	Place *Place
	Form  *Form
}

// Data returns what search engines are told.
func (s *shown) Data() template.JS { return template.JS(strings.Join(s.Frame.Data, "")) }

// Alternates, Languages and Others return the page in other languages.
func (s *shown) Alternates() Translations { return s.Frame.Alternates.all() }
func (s *shown) Languages() Translations  { return s.Frame.Languages.all() }
func (s *shown) Others() Translations     { return s.Frame.Others.all() }

// T returns a text, C a text with a number.
func (s *shown) T(key string, values ...string) string { return s.Words.Text(key, values...) }
func (s *shown) C(key string, n int) string            { return s.Words.Count(key, n) }

// Page returns a page with a *List, a *Month, an *Event, a *Place or a *Form as its
// content. The words of the frame are those of its language. Nothing that people wrote, nor a
// template, brings controls into it, which could turn the direction of the rest.
func (t *Theme) Page(f Frame, what any) ([]byte, error) {
	s := shown{Frame: f}
	size := 32 << 10 // of a frame and of the data for search engines, about
	switch what := what.(type) {
	case *List:
		s.List = what
	case *Month:
		s.Month = what
		for _, week := range what.Weeks {
			size += len(week)
		}
	case *Event:
		s.Event = what
	case *Place:
		s.Place = what
	case *Form:
		s.Form = what
	default:
		return nil, fmt.Errorf("pages: there is no page of a %T", what)
	}
	var b bytes.Buffer
	b.Grow(size)
	err := t.templates.ExecuteTemplate(&b, "frame.html", &s)
	return markup.DropUnshown(b.Bytes()), err
}

// A Part is a part of pages that may stand in many of them. Its template is given nothing
// else, so that it is the same wherever it stands.
type Part struct {
	Words Words
	Day   *Day    // day.html, of a list
	Below bool    // the list has a heading of its own
	Alone bool    // the page says the day
	Cells []*Cell // cell.html for each, of a month
	Cell  *Cell   // the cell of the template
}

// T returns a text, C a text with a number.
func (p *Part) T(key string, values ...string) string { return p.Words.Text(key, values...) }
func (p *Part) C(key string, n int) string            { return p.Words.Count(key, n) }

// Part returns a part, without what DropUnshown takes out: pages are not looked through for that
// again.
func (t *Theme) Part(p *Part) (template.HTML, error) {
	var b bytes.Buffer
	var err error
	if p.Day != nil {
		err = t.templates.ExecuteTemplate(&b, "day.html", p)
	}
	for _, p.Cell = range p.Cells {
		err = errors.Join(err, t.templates.ExecuteTemplate(&b, "cell.html", p))
	}
	return template.HTML(markup.DropUnshown(b.Bytes())), err
}
