// The description for people: a start, and a page for each group of operations.

package openapi

import (
	"bytes"
	_ "embed"
	"html/template"
	"slices"
	"strings"
	"sync"

	"almanac/internal/text/jsonio"
)

var (
	//go:embed page.html
	pageText string

	// PageStyle is the style of the pages beside the style sheet of package pages, which has their
	// colours.
	//
	//go:embed page.css
	PageStyle []byte
)

// pageTemplate is read for the first page: most processes show none.
var pageTemplate = sync.OnceValue(
	func() *template.Template { return template.Must(template.New("page").Parse(pageText)) },
)

// PagePolicy is the Content-Security-Policy of the pages: they load the style
// sheet and the icon of the site and nothing else, and are shown in no frame.
const PagePolicy = "default-src 'none'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// HasPage reports whether a group of operations has a page.
func HasPage(name string) bool {
	return slices.ContainsFunc(groups, func(g group) bool { return g.name == name })
}

// A Place is where a page is and what it leads to.
type Place struct {
	Address   string // of the namespace, no slash at the end
	Home      string // of the site
	Docs      string // of the start, in the language of the page
	Canonical string // of the page
	Style     string // of the style sheet
	Calendar  string // of the pages for people, or ""
	Siblings  []Sibling
}

// A Sibling is the page in a language. That without a language of its own has x-default
// for a tag, and no name.
type Sibling struct {
	Tag, Name, Dir string
	Href           string
	Here           bool // it is the language of the page
}

// A page is the data of the template, which calls its methods.
type page struct {
	*API
	Place
	Document Document
	Groups   []pageGroup
	Group    *pageGroup // of a page of one; nil for the start
	Earlier  *pageGroup
	Later    *pageGroup
}

// Page returns the page of a group of operations, or the start for "".
func (d *API) Page(at Place, group string) ([]byte, error) {
	p := &page{API: d, Place: at, Document: d.Document(at.Address, Version30)}
	p.Groups = p.groups()
	for i := range p.Groups {
		if p.Groups[i].Name != group {
			continue
		}
		p.Group = &p.Groups[i]
		if i > 0 {
			p.Earlier = &p.Groups[i-1]
		}
		if i+1 < len(p.Groups) {
			p.Later = &p.Groups[i+1]
		}
	}
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, p)
	return b.Bytes(), err
}

// T returns the text of a key as HTML.
func (p *page) T(key string) template.HTML { return prose(p.text(key)) }

// fill returns T with HTML in the places of names in braces.
func (p *page) fill(key string, pairs ...string) template.HTML {
	return template.HTML(strings.NewReplacer(pairs...).Replace(string(p.T(key))))
}

// Plain returns the text of a key without marks of codes, for titles.
func (p *page) Plain(key string) string { return plain(p.text(key)) }

// Prose writes a text of the document as HTML.
func (p *page) Prose(text string) template.HTML { return prose(text) }

// marks are the delimiters of code in texts.
var marks = strings.NewReplacer("`", "", "\u2066", "", "\u2069", "")

func plain(text string) string { return marks.Replace(text) }

// prose writes a text as HTML: text between backticks is code, which is read from left to right in
// every language.
func prose(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		part = template.HTMLEscapeString(plain(part))
		if i%2 == 1 {
			part = `<code dir="ltr">` + part + `</code>`
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}

// A pageGroup is the operations on one kind of records, and what these look like.
type pageGroup struct {
	Name       string
	Text       string
	Operations []pageOperation
	Schemas    []namedSchema
}

// A namedSchema is a schema that is shown by itself.
type namedSchema struct {
	Name   string
	Schema *schema
}

// A pageOperation is an operation of a path, with all its methods. Parts that an earlier one of
// the group has too are shown there alone.
type pageOperation struct {
	docOperation
	Methods []string
	Path    string
	Fields  *namedSchema   // of the request; nil for none
	Asks    *pageOperation // has the parameters of the query
	Sends   *pageOperation // has the fields
	Account bool           // it needs one
}

// groups returns the operations in the order of the document's tags.
func (p *page) groups() []pageGroup {
	all := make([]pageGroup, len(groups))
	for i, tag := range p.Document.Tags {
		g := pageGroup{Name: tag.Name, Text: tag.Description}
		for path, operations := range p.Document.Paths.All() {
			for method, o := range operations.(jsonio.Object).All() {
				o := o.(docOperation)
				last := len(g.Operations) - 1
				switch {
				case o.Tags[0] != tag.Name:
				case last >= 0 && g.Operations[last].same(path, o):
					g.Operations[last].Methods = append(
						g.Operations[last].Methods,
						strings.ToUpper(method),
					)
				default:
					g.Operations = append(g.Operations, p.operationAt(path, method, o))
				}
			}
		}
		for i := range g.Operations {
			g.Operations[i].refer(g.Operations[:i])
		}
		all[i] = g
	}
	for name, s := range p.Document.Components.Schemas.All() {
		if home := &all[homeOf(name)]; !isInput(
			name,
		) { // input schemas are shown with their operations
			home.Schemas = append(home.Schemas, namedSchema{name, s.(*schema)})
		}
	}
	return all
}

// isInput reports whether a schema describes requests.
func isInput(name string) bool {
	return strings.HasSuffix(name, "Create") || strings.HasSuffix(name, "Update")
}

// homeOf returns the place of the group whose page has a schema: the group that it is named after,
// or the first, whose records have most of the other schemas as members.
func homeOf(name string) int {
	return max(0, slices.IndexFunc(groups, func(g group) bool {
		return strings.HasPrefix(name, g.one) ||
			g.schema != "" && strings.HasPrefix(name, g.schema)
	}))
}

// operationAt returns what a page shows of an operation.
func (p *page) operationAt(path, method string, o docOperation) pageOperation {
	shown := pageOperation{
		docOperation: o,
		Methods:      []string{strings.ToUpper(method)},
		Path:         strings.TrimSuffix(path, "/"),
		Account:      o.Security != nil,
	}
	if o.RequestBody != nil {
		shown.Fields = p.inputOf(o.RequestBody)
	}
	return shown
}

// inputOf returns the schema of a request body.
func (p *page) inputOf(body *docBody) *namedSchema {
	for _, content := range body.Content.All() {
		if name, ok := strings.CutPrefix(content.(media).Schema.Ref, schemaPath); ok { // a file has no fields
			return &namedSchema{name, p.schemaNamed(name)}
		}
	}
	return nil
}

// schemaNamed returns the schema of a name.
func (p *page) schemaNamed(name string) *schema {
	for other, s := range p.Document.Components.Schemas.All() {
		if other == name {
			return s.(*schema)
		}
	}
	panic("openapi: no schema " + name)
}

// refer leaves out what an earlier operation has too.
func (o *pageOperation) refer(before []pageOperation) {
	for i := range before {
		first := &before[i]
		if asked := o.query(); len(asked) > 1 &&
			slices.EqualFunc(asked, first.query(), docParameter.says) {
			o.Asks = first
			o.Parameters = slices.DeleteFunc(slices.Clone(o.Parameters), docParameter.inQuery)
		}
		if o.Fields != nil && first.Fields != nil && o.Fields.Name == first.Fields.Name {
			o.Sends = first
			o.Fields = nil
		}
	}
}

// query returns the parameters in the query that are shown.
func (o *pageOperation) query() []docParameter {
	return slices.DeleteFunc(
		slices.Clone(o.Parameters),
		func(p docParameter) bool { return !p.inQuery() },
	)
}

func (p docParameter) inQuery() bool { return p.In == "query" }

// says reports whether two parameters are described in the same way.
func (p docParameter) says(other docParameter) bool {
	return p.Name == other.Name && p.Description == other.Description &&
		p.Required == other.Required
}

// Tried returns the address of an operation that can be tried by opening it, "" if
// it cannot.
func (p *page) Tried(o *pageOperation) string {
	if o.Methods[0] != "GET" || strings.Contains(o.Path, "{") {
		return ""
	}
	return p.Address + p.filled(o)
}

// same reports whether another method of a path is the same operation.
func (o *pageOperation) same(path string, other docOperation) bool {
	return o.Path == path && o.Summary == other.Summary
}
