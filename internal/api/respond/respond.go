// Package respond writes answers: from a Response and the options of the Request it makes header
// fields, a body and the bytes on the wire.
//
//	respond.Write(w, &respond.Request{Request: hr}, &respond.Response{Status: 200, Body: respond.Text(text)})
//
// It promises that an answer has its length, its cache policy and its entity tag; that a client
// that has it already gets a 304; and that it is compressed for clients that accept that. It knows
// nothing of operations and records, which decide the content of an answer before.
//
// The files: respond.go (input), write.go (the order of writing), headers.go (with entity tags and
// conditions), body.go (the bytes of a body) and form.go (its other forms, which parameters ask
// for).
package respond

import (
	"io"
	"net/http"
)

// A Response is the answer of an operation. Nothing changes it when it has been made.
type Response struct {
	Status int
	Body   *Body             // nil is an empty one
	File   File              // a file, in the place of Body; Write closes it
	Media  string            // type of a body that is no JSON
	Tag    string            // entity tag, if it is known without the bytes
	Header map[string]string // header fields of this answer alone
	Total  *Total            // of a list
	Links  []string          // values of the Link header (RFC 8288, section 3)
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
	HeadMeant  bool                // it was sent with another method, and HEAD is meant
	Form       *Form               // the form of the body; nil is its own
	Turn       func() (end func()) // begins the making of another form of a long body, one at a time
	Private    bool                // the answer shows what a password opens
	Secret     bool                // its address opens it
	Own        bool                // pages of other sites do not read the answer
	Root       []string            // value of the Link header that leads to where the API begins
	Language   []string            // of the answer
	Chosen     bool                // the language depends on Accept-Language
	Negotiated bool                // its format depends on Accept
	Fields     []string            // headers that other sites may send; nil: the safelisted ones
	Allow      []string            // methods; nil tells none
	Ignored    string              // names of parameters that nothing is made of
	Adjusted   string              // a parameter that was made fit another, with its value
	Shared     []string            // Cache-Control of public answers; nil: caches revalidate each time
}
