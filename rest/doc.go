// The description of the API at a base address (section 4.1 of the
// specification).

package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"

	"almanac/openapi"
	"almanac/params"
	"almanac/wire"
)

// Doc answers GET /doc.
var Doc = &Op{Name: "doc", Params: params.None, serve: serveDoc}

// serveDoc answers GET /doc.
func serveDoc(r *request) (*response, error) {
	address, err := wire.Marshal(map[string]string{"url": r.api("/")})
	if err != nil {
		return nil, err
	}
	text := bytes.Replace(r.base.doc(), nowhere, address, 1)
	return &response{status: http.StatusOK, body: json.RawMessage(text), links: r.siblings()}, nil
}

// nowhere stands for the address in the document that is kept: it alone changes
// with the host of a request.
var nowhere = []byte(`{"url":""}`)

// description gives the document of a base address, without the address itself.
// It is made when it is first asked for.
func (s *Server) description(b *base) func() []byte {
	return sync.OnceValue(func() []byte {
		api := s.described(b)
		text, err := wire.Marshal(api.Document(""))
		if err != nil {
			panic(err) // it is made of constants
		}
		return text
	})
}

// described gives what there is at a base address.
func (s *Server) described(b *base) openapi.API {
	api := openapi.API{Text: b.language.Text, PerPage: s.perPage, Namespace: b.namespace}
	for _, rt := range b.routes {
		below, ok := rt.below()
		if !ok {
			continue
		}
		described := openapi.Route{Path: below}
		for _, ro := range rt.ops {
			described.Operations = append(described.Operations,
				openapi.Operation{Methods: ro.methods, Name: ro.op.Name, Params: ro.op.Params, Guarded: ro.op.permit != nil})
		}
		api.Routes = append(api.Routes, described)
	}
	return api
}
