// The description of the API at a base address (section 4.1 of the
// specification), in three forms.

package rest

import (
	"html"
	"net/http"

	"almanac/i18n"
	"almanac/internal/front"
	"almanac/internal/jsonout"
	"almanac/internal/openapi"
	"almanac/internal/params"
	"almanac/internal/respond"
)

// Doc answers GET /doc: an OpenAPI document.
var Doc = &Op{Name: "doc", Params: params.Doc, serve: serveDoc, texts: true}

// Overlay answers GET /doc/overlay/{language}: what turns the English document
// into another language, for tools that keep one document.
var Overlay = &Op{Name: "overlay", Params: params.Overlay, serve: serveOverlay, unlisted: true}

// Page answers GET /docs of a base address: the description for people.
var Page = &Op{Name: "page", Params: params.None, serve: servePage, texts: true}

// serveDoc answers GET /doc.
func serveDoc(r *request) (*respond.Response, error) {
	values, err := r.values(nil)
	if err != nil {
		return nil, err
	}
	version := openapi.Version(values.Text("version"))
	if version != openapi.Version30 && version != openapi.Version31 {
		return nil, invalid("version", "version must be 3.0 or 3.1.")
	}
	answer, err := r.static(string(version), asJSON, func() ([]byte, error) {
		api := r.described(r.base, r.language)
		return jsonout.Marshal(api.Document(unknownOrigin+r.base.Root, version))
	})
	if err == nil {
		answer.Links = r.siblings()
	}
	return answer, err
}

// serveOverlay answers GET /doc/overlay/{language}.
func serveOverlay(r *request) (*respond.Response, error) {
	values, err := r.values(nil)
	if err != nil {
		return nil, err
	}
	asked := values.Text("language")
	language, ok := i18n.Match(asked)
	if !ok || r.front.OfLanguage(language.Tag) == nil {
		return nil, unknownLanguage(http.StatusNotFound, asked, r.front.Offered())
	}
	return r.static(language.Tag, asJSON, func() ([]byte, error) {
		// The English document is at the neutral address, or at that of -also.
		english := r.front.Neutral()
		if r.base.Namespace != english.Namespace {
			english = r.base
		}
		from, to := r.described(english, i18n.English()), r.described(english, language)
		overlay, err := to.Overlay(&from, unknownOrigin+english.Root+"/doc")
		if err != nil {
			return nil, err
		}
		return jsonout.Marshal(overlay)
	})
}

// pageHeader goes with the page: its policy, and what tells programs that know
// The Events Calendar's pages where its API is.
var pageHeader = map[string]string{
	"Content-Security-Policy": openapi.PagePolicy, "Referrer-Policy": "no-referrer", "X-TEC-API-VERSION": "v1",
}

// servePage answers GET /docs.
func servePage(r *request) (*respond.Response, error) {
	answer, err := r.static("", html.EscapeString, func() ([]byte, error) {
		var siblings []openapi.Sibling
		for _, b := range r.front.Bases() {
			if r.front.OfLanguage(b.Language.Tag) != b {
				continue
			}
			siblings = append(siblings, openapi.Sibling{
				Tag: b.Language.Tag, Name: b.Language.Name(), Dir: b.Language.Dir, Here: b.Language.Tag == r.language.Tag,
				Href: r.front.Origin(b, unknownOrigin) + b.Prefix + "/docs",
			})
		}
		api := r.described(r.base, r.language)
		return api.Page(unknownOrigin+r.base.Root, unknownOrigin, siblings)
	})
	if err != nil {
		return nil, err
	}
	answer.Links, answer.Media = r.siblings(), "text/html; charset=UTF-8"
	answer.Header = map[string]string{"X-TEC-API-ROOT": r.api("/"), "X-TEC-API-ORIGIN": r.site.Origin}
	for name, value := range pageHeader {
		answer.Header[name] = value
	}
	return answer, nil
}

// described returns what there is at a base address, in the words of a language.
func (s *Server) described(b *front.Base, language i18n.Language) openapi.API {
	api := openapi.API{Language: language, PerPage: s.perPage, Namespace: b.Namespace}
	for _, rt := range s.routes {
		below, ok := rt.below()
		if !ok {
			continue
		}
		described := openapi.Route{Path: below}
		for _, ro := range rt.ops {
			op := openapi.Operation{Methods: ro.methods, Name: ro.op.Name, Params: ro.op.Params, Guarded: ro.op.permit != nil,
				Media: ro.op.media()}
			for _, other := range inFormats[ro.op] {
				op.Also = append(op.Also, other.media())
			}
			described.Operations = append(described.Operations, op)
		}
		api.Routes = append(api.Routes, described)
	}
	return api
}
