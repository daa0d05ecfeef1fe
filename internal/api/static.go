// Answers that stay the same as long as the server runs.

package api

import (
	"bytes"
	"net/http"

	"almanac/internal/account"
	"almanac/internal/respcache"
	"almanac/internal/respond"
)

// staticBytes is the budget of static answers, also of a server that remembers no other:
// a document is the work of many requests, and of a site takes some hundred kilobytes.
const staticBytes = 64 << 20

// unknownOrigin stands for the scheme and host of a request in what is remembered of
// a base address: they alone change from one request to another.
const unknownOrigin = "https://origin.invalid"

// static returns the answer of an operation in the language of the request, in one of
// its variants. make is called when it is asked for the first time at this base
// address, and escape writes an origin as its text needs it.
func (r description) static(form string, escape func(string) string, make func() ([]byte, error)) (*respond.Response, error) {
	form += " " + r.Language.Tag
	key := respcache.AnswerKey(r.Site.Number, r.Op.Name, form, account.Account{})
	e := r.statics.Get(key)
	if e == nil {
		text, err := r.staticText(form, make)
		if err != nil {
			return nil, err
		}
		text = bytes.ReplaceAll(text, []byte(unknownOrigin), []byte(escape(r.Site.Origin)))
		e = &respcache.Entry{Fragment: respond.Fragment{Text: text}, Tag: respond.Tag(text)}
		r.statics.Put(key, e, respcache.Version{})
	}
	return &respond.Response{Status: http.StatusOK, Body: e.Fragment.Body(), Tag: e.Tag}, nil
}

// staticText returns the text of a static answer without its origin.
func (r description) staticText(form string, make func() ([]byte, error)) ([]byte, error) {
	key := respcache.AnswerKey(r.Base.Number, r.Op.Name, form, account.Account{})
	if e := r.statics.Get(key); e != nil {
		return e.Text, nil
	}
	text, err := make()
	if err == nil {
		r.statics.Put(key, &respcache.Entry{Fragment: respond.Fragment{Text: text}}, respcache.Version{})
	}
	return text, err
}

// asJSON writes an origin for JSON: no host has a character that needs an escape
// there.
func asJSON(origin string) string { return origin }
