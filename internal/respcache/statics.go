// Answers that change with the origin of a request, and with nothing else.

package respcache

import (
	"bytes"

	"almanac/internal/account"
	"almanac/internal/respond"
)

// UnknownOrigin stands for the scheme and host of a request in the texts that Static gets: they
// alone change from one request to another.
const UnknownOrigin = "https://origin.invalid"

// Static returns the answer of an operation in a form, at a site that is below a base address,
// with an origin as the text needs it. It calls make when somebody asks for the first time at this
// base address.
func (c *Cache) Static(
	site, base uint64,
	operation, form, origin string,
	make func() ([]byte, error),
) (*Entry, error) {
	at := func(number uint64, make func() ([]byte, error)) (*Entry, error) {
		key := AnswerKey(number, operation, form, account.Account{})
		if e := c.Get(key); e != nil {
			return e, nil
		}
		text, err := make()
		if err != nil {
			return nil, err
		}
		e := &Entry{Fragment: respond.Fragment{Text: text}, Tag: respond.Tag(text)}
		c.Put(key, e, Version{})
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
