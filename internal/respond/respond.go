// Package respond writes answers: from a Response and the options of the Request it makes header
// fields, a body and the bytes on the wire.
//
//	respond.Write(w, &respond.Request{Request: hr}, &respond.Response{Status: 200, Body: respond.Body{Text: text}})
//
// It promises that an answer has its length, its cache policy and its entity tag; that a client
// that has it already gets a 304; and that it is compressed for clients that accept that. It knows
// nothing of operations and records, which decide the content of an answer before.
//
// The files: respond.go (input), write.go (the order of writing), headers.go (with entity tags and
// conditions), form.go, fields.go and pretty.go (other forms of a body, which parameters ask for),
// gzip.go (compressed bodies) and parts.go (bodies that are too long for memory).
package respond

import (
	"io"
	"net/http"
	"sync/atomic"
)

// A Response is the answer of an operation.
type Response struct {
	Status int
	Body   Body
	Long   *Long             // a body that is not in memory, in the place of Body
	File   File              // a file, in the place of Body; Write closes it
	Media  string            // type of a body that is no JSON
	Tag    string            // entity tag, if it is known without the bytes
	Header map[string]string // header fields of this answer alone
	Total  *Total            // of a list
	Links  []string          // values of the Link header (RFC 8288, section 3)
	Keys   []string          // values of Surrogate-Key and Cache-Tag, for shared caches; nil is none
}

// A File is a body that does not change. Clients may ask for a part of it (RFC 9110, section 14).
type File interface {
	io.ReadSeeker
	io.Closer
}

// A Total is the size of a list.
type Total struct{ Items, Pages int }

// A Request has the parts of a request that its answer depends on.
type Request struct {
	*http.Request
	HeadMeant  bool     // it was sent with another method, and HEAD is meant
	Form       *Form    // the form of the body; nil is its own
	Private    bool     // the answer shows what a password opens
	Secret     bool     // its address opens it
	Own        bool     // pages of other sites do not read the answer
	Root       []string // value of the Link header that leads to where the API begins
	Language   []string // of the answer
	Chosen     bool     // the language depends on Accept-Language
	Negotiated bool     // its format depends on Accept
	Fields     []string // headers that other sites may send; nil: the safelisted ones
	Allow      []string // methods; nil tells none
	Ignored    string   // names of parameters that nothing is made of
	Adjusted   string   // a parameter that was made fit another, with its value
	Shared     []string // Cache-Control of public answers; nil: caches revalidate each time
}

// A Body is a body in memory.
type Body struct {
	Text     []byte
	fragment *Fragment // that the text is; nil: it is sent once
}

// A Fragment is a text that is sent again and again. It is compressed when that is first
// asked for.
type Fragment struct {
	Text    []byte
	Grown   func(bytes int) // is told once how much the compressed form takes; nil tells nobody
	gzipped atomic.Pointer[[]byte]
}

// Body returns a body that is the piece.
func (p *Fragment) Body() Body { return Body{p.Text, p} }
