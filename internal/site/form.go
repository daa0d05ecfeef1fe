// The page with the form of proposals.

package site

import (
	"html/template"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/wire/pages"
)

// SuggestPath is the path of the form of proposals, below each base address.
const SuggestPath = "/events/suggest/"

// NewForm makes an operation that answers with a form for people without an account.
func NewForm(name string, serve func(*api.Call) (*respond.Response, error)) *api.Op {
	return api.ForProposals(api.NewPage(name, serve, refuse))
}

// Form answers with a page at a path that has a form, made by the templates of the desk with their
// style sheet. No cache keeps it. Below SuggestPath no search engine lists it, and browsers tell
// its address to nobody. An open form leads to other languages itself.
func Form(r *api.Call, status int, title string, fields template.HTML, style, path string,
	open bool) (*respond.Response, error) {
	p := &page{Call: r}
	hidden := path != SuggestPath
	f := p.frame(title)
	f.Canonical = p.PageAt(SuggestPath)
	f.Views = p.views("")
	f.Hidden = hidden
	f.Suggest = nil
	f.Alternates.Path = template.URL(p.Slugs.Page(SuggestPath))
	f.Languages.Path = template.URL(p.Slugs.Page(path))
	f.Others.Path = f.Languages.Path
	if open {
		f.Languages = pages.Versions{}
		f.Others = pages.Versions{}
	}
	f.Styles = append(f.Styles, style)
	answer, err := p.pageResponse(f, &pages.Form{Heading: title, Fields: fields}, "")
	if err != nil {
		return nil, err
	}
	answer.Status = status
	answer.Header["Cache-Control"] = "no-store"
	answer.Header["Referrer-Policy"] = "same-origin"
	if hidden { // without a referrer, browsers do not say that the form is from this site
		answer.Header["Referrer-Policy"] = "no-referrer"
	}
	return answer, nil
}
