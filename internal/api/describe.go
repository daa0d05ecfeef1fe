// The description of the API at a base address (section 4.1 of the
// specification), in three forms.

package api

import (
	"bytes"
	"html"
	"maps"
	"net/http"
	"slices"
	"strings"

	"almanac/i18n"
	"almanac/internal/api/front"
	"almanac/internal/api/openapi"
	"almanac/internal/api/respond"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/params"
)

// Doc answers GET /doc: an OpenAPI document.
var Doc = Constant(Localized(&Op{Name: "doc", Params: params.Doc, Serve: serveDoc}))

// Docs answers GET /docs of a base address, the description for people, and DocsGroup
// GET /docs/{name}, the part that is about one kind of records.
var (
	Docs      = Constant(Localized(&Op{Name: "docs", Params: params.None, Serve: serveDocs}))
	DocsGroup = Unlisted(&Op{
		Name:   "docs.group",
		Params: params.None,
		Serve:  serveDocs,
		traits: kept | constant | localized,
	})
)

// serveDoc answers GET /doc.
func serveDoc(r *Call) (*respond.Response, error) {
	values, err := r.values(nil)
	if err != nil {
		return nil, err
	}
	version := openapi.Version(values.Text("version"))
	if version != openapi.Version30 && version != openapi.Version31 {
		return nil, Invalid("version", "version must be 3.0 or 3.1.")
	}
	text, err := r.originText(string(version), r.Site.Origin, func(origin string) ([]byte, error) {
		api := r.describeAPI(r.Base, r.Language)
		return jsonio.Marshal(api.Document(origin+r.Base.Root, version))
	})
	return &respond.Response{
		Status: http.StatusOK,
		Body:   respond.Text(text),
		Links:  r.siblings(),
	}, err
}

// serveDocs answers GET /docs, also of a group of operations.
func serveDocs(r *Call) (answer *respond.Response, err error) {
	group := r.Path["name"]
	if group != "" && !openapi.HasPage(group) {
		return nil, ErrNoRoute
	}
	own := html.EscapeString(r.Site.Origin)
	text, err := r.originText("/docs/"+group, own, func(origin string) ([]byte, error) {
		api := r.describeAPI(r.Base, r.Language)
		return api.Page(r.docsPlace(origin, strings.TrimSuffix("/docs/"+group, "/")), group)
	})
	if err != nil {
		return nil, err
	}
	answer = &respond.Response{Status: http.StatusOK, Body: respond.Text(text)}
	answer.Links = r.siblings()
	answer.Media = "text/html; charset=UTF-8"
	answer.Header = r.Discovery(r.URL("/"))
	maps.Copy(answer.Header, map[string]string{
		"Content-Security-Policy": openapi.PagePolicy,
		"Referrer-Policy":         "no-referrer",
		"X-Robots-Tag":            "all",
	})
	return answer, nil
}

// unknownOrigin stands for the scheme and host of a request in a text that is made for all of them.
const unknownOrigin = "https://origin.invalid"

// A textKey names a text that is the same at a base address but for the origin of the request.
type textKey struct {
	base           *front.Base
	language, form string
}

// originText returns a text in the language of the request. It is made once for all origins: a
// client makes up hosts faster than the server describes itself.
func (r *Call) originText(
	form, origin string,
	make func(origin string) ([]byte, error),
) ([]byte, error) {
	key := textKey{r.Base, r.Language.Tag, form}
	text, ok := r.texts.Load(key)
	if !ok {
		made, err := make(unknownOrigin)
		if err != nil {
			return nil, err
		}
		text, _ = r.texts.LoadOrStore(key, made)
	}
	return bytes.ReplaceAll(text.([]byte), []byte(unknownOrigin), []byte(origin)), nil
}

// docsPlace returns where a page is, at a path below the base address, and what it leads to
// from an origin.
func (r *Call) docsPlace(origin, path string) openapi.Place {
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

// docsStyle is the style sheet of the pages that describe the API, in the colours of the
// calendar's pages.
var docsStyle = slices.Concat(pages.Style, openapi.PageStyle)

// describeAPI returns what there is at a base address, in the words of a language.
func (s *Server) describeAPI(b *front.Base, language i18n.Language) openapi.API {
	api := openapi.API{Language: language, PerPage: s.perPage, Namespace: b.Namespace}
	for _, rt := range s.routes {
		if _, ok := rt.below(); ok {
			api.Routes = append(api.Routes, rt.describe())
		}
	}
	return api
}

// describe returns a route with its path below the namespace, if it is there.
func (rt *route) describe() openapi.Route {
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
			Media:   ro.op.formatOrJSON().Media,
		}
		for _, other := range ro.op.formats {
			op.Also = append(op.Also, other.formatOrJSON().Media)
		}
		described.Operations = append(described.Operations, op)
	}
	return described
}
