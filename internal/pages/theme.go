// Templates and style.

package pages

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"almanac/internal/cache"
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
func StyleName(style []byte) string {
	sum := sha256.Sum256(style)
	return "style-" + hex.EncodeToString(sum[:6]) + ".css"
}

// A Theme is templates. It may be used by several goroutines at once.
type Theme struct {
	templates *template.Template
	shells    *cache.Cache[string, *shell] // nil: templates are executed for every page
}

// NewTheme returns our templates, with those of a site in the place of ours that have the
// same name; site may be nil. The error names the file and the line of a template that
// cannot be read.
func NewTheme(site fs.FS) (*Theme, error) {
	all := template.New("").Funcs(template.FuncMap{"dict": dict})
	all, err := all.ParseFS(ours, "theme/*.html")
	if err == nil && site != nil {
		var found []string
		if found, err = fs.Glob(site, "*.html"); err == nil && len(found) > 0 {
			all, err = all.ParseFS(site, found...)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	t := &Theme{all, cache.New[string, *shell](shellBytes)}
	for _, one := range all.Templates() {
		if one.Tree != nil && computes.MatchString(one.Tree.Root.String()) {
			t.shells = nil
		}
	}
	return t, nil
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

// A shown is what templates are given: the frame, and one of the others.
type shown struct {
	Frame
	List  *List
	Month *Month
	Event *Event
	Place *Place
}

// T returns a text, C one that counts.
func (s *shown) T(key string, values ...string) string { return s.Words.Text(key, values...) }
func (s *shown) C(key string, n int) string            { return s.Words.Count(key, n) }

// show returns what templates are given for a page.
func show(f Frame, what any) (*shown, error) {
	s := &shown{Frame: f}
	switch what := what.(type) {
	case *List:
		s.List = what
	case *Month:
		s.Month = what
	case *Event:
		s.Event = what
	case *Place:
		s.Place = what
	default:
		return nil, fmt.Errorf("pages: there is no page of a %T", what)
	}
	return s, nil
}

// A Part is a part of pages that may stand in many of them. Its template is given nothing
// else, so that it is the same wherever it stands.
type Part struct {
	Words Words
	Day   *Day  // day.html, of a list
	Below bool  // the list has a heading of its own
	Cell  *Cell // cell.html, of a month
}

// T returns a text, C one that counts.
func (p *Part) T(key string, values ...string) string { return p.Words.Text(key, values...) }
func (p *Part) C(key string, n int) string            { return p.Words.Count(key, n) }

// Part returns a part.
func (t *Theme) Part(p *Part) (template.HTML, error) {
	var b strings.Builder
	name := "day.html"
	if p.Cell != nil {
		name = "cell.html"
	}
	err := t.templates.ExecuteTemplate(&b, name, p)
	return template.HTML(b.String()), err
}
