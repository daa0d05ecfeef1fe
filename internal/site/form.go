// The page with the form of proposals.

package site

import (
	"html/template"

	"almanac/internal/api"
	"almanac/internal/pages"
	"almanac/internal/respond"
)

// SuggestPath is the path of the form of proposals, below each base address.
const SuggestPath = "/events/suggest/"

// NewForm makes an operation that answers with a form for people without an account.
func NewForm(name string, serve func(*api.Call) (*respond.Response, error)) *api.Op {
	return api.ForProposals(api.NewPage(name, serve, refuse))
}

// Form answers with a page that has a form, made by the templates of the desk with their style sheet. No cache keeps it. If it is
// hidden, no search engine lists it, and browsers tell its address to nobody.
func Form(r *api.Call, status int, title string, fields template.HTML, style string, hidden bool) (*respond.Response, error) {
	p := &page{Call: r}
	f := p.frame(title)
	f.Canonical, f.Views, f.Hidden, f.Suggest = p.PageAt(SuggestPath), p.views(""), hidden, nil
	f.Alternates.Path, f.Languages.Path, f.Others.Path = suggestURL(p), suggestURL(p), suggestURL(p)
	f.Styles = append(f.Styles, style)
	answer, err := p.pageResponse(f, &pages.Form{Heading: title, Fields: fields}, "")
	if err != nil {
		return nil, err
	}
	answer.Status, answer.Keys = status, nil
	answer.Header["Cache-Control"], answer.Header["Referrer-Policy"] = "no-store", "same-origin"
	if hidden { // without a referrer, browsers do not say that the form is from this site
		answer.Header["Referrer-Policy"] = "no-referrer"
	}
	return answer, nil
}

func suggestURL(p *page) template.URL { return template.URL(p.Slugs.Page(SuggestPath)) }
