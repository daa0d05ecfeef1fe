// Answers that stay the same as long as the server runs: they are made once for
// each base address and kept.

package rest

import (
	"bytes"
	"sync"
)

// unknownOrigin stands for the scheme and host of a request in what is kept of a
// base address: they alone change from one request to another.
const unknownOrigin = "https://origin.invalid"

// steadyBytes is the budget of steady answers with their origins. A document takes
// some hundred kilobytes of it.
const steadyBytes = 64 << 20

// A steadyKey names a steady answer of one base address.
type steadyKey struct {
	op       *Op
	language string
	variant  string
}

// A siteSteadyKey names one of a site.
type siteSteadyKey struct {
	site uint64
	steadyKey
}

// A steadyAnswer is one with its origin, as it is sent.
type steadyAnswer struct {
	body body
	tag  string
	zip  func() []byte
}

// steady returns the answer of an operation in the language of the request, in
// one of its variants. make is called when it is asked for the first time at this
// base address, and escape writes an origin as its text needs it. Of sites that
// are not remembered (see siteOf) no more is kept.
func (r *request) steady(variant string, escape func(string) string, make func() ([]byte, error)) (*response, error) {
	key := steadyKey{r.op, r.language.Tag, variant}
	ofSite := siteSteadyKey{r.site.number, key}
	answer := r.steadies.Get(ofSite)
	if answer == nil {
		text, err := r.base.steadyText(key, make)
		if err != nil {
			return nil, err
		}
		text = bytes.ReplaceAll(text, []byte(unknownOrigin), []byte(escape(r.site.origin)))
		answer = &steadyAnswer{body: body{text: text}, tag: etag(text)}
		answer.zip = sync.OnceValue(func() []byte { return answer.body.gzip(nil) })
		if r.site.number != 0 {
			const zipped = 4 // the part of its length that a text takes when it is compressed, at most
			r.steadies.Put(ofSite, answer, int64(len(text)+len(text)/zipped))
		}
	}
	return &response{status: 200, json: answer.body, tag: answer.tag, zip: answer.zip}, nil
}

// asJSON writes an origin for JSON: no host has a character that needs an escape
// there.
func asJSON(origin string) string { return origin }

// steadyText returns the text of a steady answer without its origin.
func (b *base) steadyText(key steadyKey, make func() ([]byte, error)) ([]byte, error) {
	if text, ok := b.texts.Load(key); ok {
		return text.([]byte), nil
	}
	text, err := make()
	if err == nil {
		b.texts.Store(key, text)
	}
	return text, err
}
