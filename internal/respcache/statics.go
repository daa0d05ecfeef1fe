// Answers that never change.

package respcache

import (
	"bytes"

	"almanac/internal/account"
	"almanac/internal/respond"
)

// Statics keeps answers that change with the origin of a request, and with nothing else.
type Statics struct{ entries *Cache }

// staticBytes is the budget of static answers, also of a server that remembers no other:
// a document is the work of many requests, and of a site takes some hundred kilobytes.
const staticBytes = 64 << 20

// UnknownOrigin stands for the scheme and host of a request in the texts that Statics gets: they alone change from one
// request to another.
const UnknownOrigin = "https://origin.invalid"

// NewStatics makes an empty one.
func NewStatics() Statics { return Statics{New(staticBytes)} }

// Get returns the answer of an operation in a form, at a site that is below a base address, with an origin as the text
// needs it. It calls make when somebody asks for the first time at this base address.
func (c Statics) Get(site, base uint64, operation, form, origin string, make func() ([]byte, error)) (*Entry, error) {
	at := func(number uint64, make func() ([]byte, error)) (*Entry, error) {
		key := AnswerKey(number, operation, form, account.Account{})
		if e := c.entries.Get(key); e != nil {
			return e, nil
		}
		text, err := make()
		if err != nil {
			return nil, err
		}
		e := &Entry{Fragment: respond.Fragment{Text: text}, Tag: respond.Tag(text)}
		c.entries.Put(key, e, Version{})
		return e, nil
	}
	return at(site, func() ([]byte, error) {
		e, err := at(base, make)
		if err != nil {
			return nil, err
		}
		return bytes.ReplaceAll(e.Text, []byte(UnknownOrigin), []byte(origin)), nil
	})
}
