// The description for people: one page of HTML that needs nothing else.

package openapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"

	"almanac/internal/jsonout"
)

// The parts of the page. Style and script stand in the page itself, and are
// named by their hashes in its Content-Security-Policy, so that no other runs.
var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string

	pageTemplate = template.Must(template.New("page").Parse(pageText))
)

// PagePolicy is the Content-Security-Policy of the page: it loads nothing, runs
// its own script and no other, and is shown in no frame.
var PagePolicy = "default-src 'none'; style-src '" + hashed(pageStyle) + "'; script-src '" + hashed(pageScript) +
	"'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// hashed names a text in a policy.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// A Sibling is the page in another language.
type Sibling struct {
	Tag, Name, Dir string
	Href           string
	Here           bool // it is this page
}

// A page is what the template shows. Its methods are called from there.
type page struct {
	*API
	Address  string // of the namespace, no slash at the end
	Home     string // of the site
	Siblings []Sibling
	Document Document
	Style    template.CSS
	Script   template.JS
}

// Page returns the page for an API at an address, on a site, with the same in
// other languages.
func (d *API) Page(address, home string, siblings []Sibling) ([]byte, error) {
	p := page{
		API: d, Address: address, Home: home, Siblings: siblings, Document: d.Document(address, Version30),
		Style: template.CSS(pageStyle), Script: template.JS(pageScript),
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, &p)
	return b.Bytes(), err
}

// Tag and Dir are the language of the page and which way it is written.
func (p *page) Tag() string { return p.Language.Tag }
func (p *page) Dir() string { return p.Language.Dir }

// T returns the text of a key as HTML.
func (p *page) T(key string) template.HTML { return prose(p.text(key)) }

// Plain returns the text of a key without marks of codes, for titles.
func (p *page) Plain(key string) string { return strings.ReplaceAll(p.text(key), "`", "") }

// Prose writes a text of the document as HTML.
func (p *page) Prose(text string) template.HTML { return prose(text) }

// prose writes a text as HTML: what stands between backticks is code, which is
// read from left to right in every language.
func prose(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		part = template.HTMLEscapeString(strings.NewReplacer("\u2066", "", "\u2069", "").Replace(part))
		if i%2 == 1 {
			part = `<code dir="ltr">` + part + `</code>`
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}

// A pageGroup is the operations on one kind of records.
type pageGroup struct {
	Name       string
	Text       string
	Operations []pageOperation
}

// A pageOperation is an operation of a path, with all its methods.
type pageOperation struct {
	docOperation
	Methods []string
	Path    string
	Fields  *schema // of what is sent; nil for nothing
	Account bool    // it needs one
	Curl    string
}

// Groups returns the operations in the order of the document's tags.
func (p *page) Groups() []pageGroup {
	var groups []pageGroup
	for _, tag := range p.Document.Tags {
		g := pageGroup{Name: tag.Name, Text: tag.Description}
		for path, operations := range p.Document.Paths.All() {
			for method, o := range operations.(jsonout.Object).All() {
				o, last := o.(docOperation), len(g.Operations)-1
				switch {
				case o.Tags[0] != tag.Name:
				case last >= 0 && g.Operations[last].same(path, o):
					g.Operations[last].Methods = append(g.Operations[last].Methods, strings.ToUpper(method))
				default:
					g.Operations = append(g.Operations, p.operationAt(path, method, o))
				}
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// operationAt returns what the page shows of an operation.
func (p *page) operationAt(path, method string, o docOperation) pageOperation {
	shown := pageOperation{docOperation: o, Methods: []string{strings.ToUpper(method)}, Path: strings.TrimSuffix(path, "/"),
		Account: o.Security != nil}
	if o.RequestBody != nil {
		for _, content := range o.RequestBody.Content.All() {
			shown.Fields = p.schemaOf(content.(media).Schema)
			break
		}
	}
	shown.Curl = p.curl(&shown)
	return shown
}

// schemaOf returns the schema that a reference leads to.
func (p *page) schemaOf(s *schema) *schema {
	name := strings.TrimPrefix(s.Ref, schemaPath)
	for other, target := range p.Document.Components.Schemas.All() {
		if other == name {
			return target.(*schema)
		}
	}
	return s
}

// Reads reports whether the operation changes nothing, so that it can be tried.
func (o *pageOperation) Reads() bool { return o.Methods[0] == "GET" }

// same reports whether another method of a path is the same operation.
func (o *pageOperation) same(path string, other docOperation) bool {
	return o.Path == path && o.Summary == other.Summary
}
