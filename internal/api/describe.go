// The description of the API at a base address (section 4.1 of the
// specification), in three forms.

package api

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"almanac/i18n"
	"almanac/internal/front"
	"almanac/internal/jsonout"
	"almanac/internal/openapi"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/respcache"
	"almanac/internal/respond"
)

// Doc answers GET /doc: an OpenAPI document.
var Doc = Localized(&Op{Name: "doc", Params: params.Doc, Serve: serveDoc})

// Docs answers GET /docs of a base address, the description for people, and DocsGroup
// GET /docs/{name}, the part that is about one kind of records.
var (
	Docs      = Localized(&Op{Name: "docs", Params: params.None, Serve: serveDocs})
	DocsGroup = Localized(Unlisted(&Op{Name: "docs.group", Params: params.None, Serve: serveDocs}))
)

// serveDoc answers GET /doc.
func serveDoc(call *Call) (*respond.Response, error) {
	r := description{call}
	values, err := r.values(nil)
	if err != nil {
		return nil, err
	}
	version := openapi.Version(values.Text("version"))
	if version != openapi.Version30 && version != openapi.Version31 {
		return nil, Invalid("version", "version must be 3.0 or 3.1.")
	}
	answer, err := r.static(string(version), r.Site.Origin, func() ([]byte, error) {
		api := r.described(r.Base, r.Language)
		return jsonout.Marshal(api.Document(respcache.UnknownOrigin+r.Base.Root, version))
	})
	if err == nil {
		answer.Links = r.siblings()
	}
	return answer, err
}

// docsStyle is the style sheet of the pages that describe the API, in the colours of the
// calendar's pages.
var docsStyle = slices.Concat(pages.Style, openapi.PageStyle)

// queryMost is how many bytes a search may have.
const queryMost = 200

// serveDocs answers GET /docs, also with a search, and of a group of operations.
func serveDocs(call *Call) (answer *respond.Response, err error) {
	r := description{call}
	group := r.Path["name"]
	query := strings.TrimSpace(r.In.Text("q"))
	switch {
	case group != "" && !openapi.HasPage(group):
		return nil, ErrNoRoute
	case group == "" && len(query) > queryMost:
		return nil, Invalid("q", "q must have at most "+itoa(queryMost)+" bytes.")
	case group == "" && query != "":
		query = strings.ToValidUTF8(query, "\uFFFD")
		api := r.described(r.Base, r.Language)
		var text []byte // made anew each time, since the searched text is no longer than a page of a list
		if text, err = api.Search(r.docsPlace(r.Site.Origin, "/docs?q="+url.QueryEscape(query)), query); err == nil {
			answer = &respond.Response{
				Status: http.StatusOK,
				Body: respond.Body{
					Text: text,
				},
				Tag: respond.Tag(text),
			}
		}
	default:
		answer, err = r.static(group, html.EscapeString(r.Site.Origin), func() ([]byte, error) {
			api := r.described(r.Base, r.Language)
			return api.Page(
				r.docsPlace(respcache.UnknownOrigin, strings.TrimSuffix("/docs/"+group, "/")),
				group,
			)
		})
	}
	if err != nil {
		return nil, err
	}
	answer.Links = r.siblings()
	answer.Media = "text/html; charset=UTF-8"
	answer.Header = r.Discovery(r.URL("/"))
	maps.Copy(answer.Header, map[string]string{
		"Content-Security-Policy": openapi.PagePolicy,
		"Referrer-Policy":         "no-referrer",
		"X-Robots-Tag":            "all",
	})
	if query != "" {
		answer.Header["X-Robots-Tag"] = "noindex"
	}
	return answer, nil
}

// docsPlace returns where a page is, at a path below the base address, and what it leads to
// from an origin.
func (r description) docsPlace(origin, path string) openapi.Place {
	at := openapi.Place{
		Address:   origin + r.Base.Root,
		Home:      origin,
		Docs:      origin + r.Base.Prefix + "/docs",
		Canonical: origin + r.Base.Prefix + path,
		Style:     origin + "/assets/" + pages.StyleName(docsStyle),
	}
	if r.Pages.Theme != nil {
		at.Calendar = origin + r.Base.Prefix + r.Slugs.Page("/events/")
	}
	for _, b := range r.Front.Bases() {
		page := openapi.Sibling{
			Tag:  b.Language.Tag,
			Name: b.Language.Name(),
			Dir:  b.Language.Dir,
			Here: b.Language.Tag == r.Language.Tag,
			Href: r.Front.Origin(b, origin) + b.Prefix + path,
		}
		switch {
		case r.Front.OfLanguage(page.Tag) == b:
			at.Siblings = append(at.Siblings, page)
		case b == r.Front.Neutral():
			page.Tag = "x-default"
			page.Name = ""
			at.Siblings = append(at.Siblings, page)
		}
	}
	return at
}

// described returns what there is at a base address, in the words of a language.
func (s *Server) described(b *front.Base, language i18n.Language) openapi.API {
	api := openapi.API{Language: language, PerPage: s.perPage, Namespace: b.Namespace}
	for _, rt := range s.routes {
		if _, ok := rt.below(); ok {
			api.Routes = append(api.Routes, rt.described())
		}
	}
	return api
}

// legacy is the namespace of the original that routes stand in, beside our own, and that its
// clients look for.
const legacy = "wp/v2"

// describedLegacy returns what there is in that namespace.
func (s *Server) describedLegacy(language i18n.Language) openapi.API {
	api := openapi.API{Language: language, PerPage: s.perPage, Namespace: legacy}
	for _, rt := range s.routes {
		if below, ok := strings.CutPrefix(rt.pattern, "/"+legacy); ok {
			described := rt.described()
			described.Path = below
			api.Routes = append(api.Routes, described)
		}
	}
	return api
}

// described returns a route with its path below the namespace, if it is there.
func (rt *route) described() openapi.Route {
	path := strings.TrimSuffix(rt.pattern, "{$}")
	if below, ok := rt.below(); ok {
		path = below
	}
	described := openapi.Route{Path: path, Unlisted: rt.ops[0].op.is(unlisted)}
	for _, ro := range rt.ops {
		op := openapi.Operation{
			Methods: ro.methods,
			Name:    ro.op.Name,
			Params:  ro.op.Params,
			Guarded: ro.op.permit != nil,
			Media:   ro.op.documents().Media,
		}
		for _, other := range ro.op.formats {
			op.Also = append(op.Also, other.documents().Media)
		}
		described.Operations = append(described.Operations, op)
	}
	return described
}

// staticBytes is the budget of static answers, also of a server that remembers no other:
// a document is the work of many requests, and of a site takes some hundred kilobytes.
const staticBytes = 64 << 20

// static returns the answer of an operation in the language of the request, in one of
// its variants, with an origin as its text needs it.
func (r description) static(
	form, origin string,
	make func() ([]byte, error),
) (*respond.Response, error) {
	e, err := r.statics.Static(
		r.Site.Number,
		r.Base.Number,
		r.Op.Name,
		form+" "+r.Language.Tag,
		origin,
		make,
	)
	if err != nil {
		return nil, err
	}
	return &respond.Response{Status: http.StatusOK, Body: e.Fragment.Body(), Tag: e.Tag}, nil
}
