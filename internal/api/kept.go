// Answers that are kept: whole, for strangers, as long as they are true.

package api

import (
	"cmp"
	"net/http"
	"time"

	"almanac/internal/api/front"
	"almanac/internal/api/respond"
	"almanac/internal/text/caltime"
	"almanac/store"
	"almanac/store/cache"
)

// newAnswers makes the memory of kept answers with a budget in bytes. 0 is 256 MiB; less is nil,
// which keeps nothing.
func newAnswers(budget int64) *cache.Cache[answerKey, *keptAnswer] {
	if budget < 0 {
		return nil
	}
	return cache.New[answerKey, *keptAnswer](cmp.Or(budget, 256<<20))
}

// An answerKey names an answer by all that a stranger's request says of it, so that nothing of the
// request has to be read further.
type answerKey struct {
	base                 *front.Base
	origin, language     string
	operation            string // its name, which stands for the format that was negotiated
	path, query, rawPath string
}

// A keptAnswer is an answer that is true in one state of the store from one moment until another.
type keptAnswer struct {
	answer      *respond.Response
	state       *store.State // nil: in every state
	from, until time.Time    // until the zero time is for ever
}

// answerKey returns the key of the answer, and whether it may be kept: that of a stranger who reads
// with an address alone.
func (r *Call) answerKey() (key answerKey, ok bool) {
	if r.answers == nil || !r.Op.is(kept) || !r.Caller.IsStranger() || !r.Asked.Reads() ||
		r.explain || r.HTTP.ContentLength != 0 {
		return key, false
	}
	return answerKey{
		base:      r.Base,
		origin:    r.Site.Origin,
		language:  r.Language.Tag,
		operation: r.Op.Name,
		path:      r.HTTP.URL.Path,
		query:     r.HTTP.URL.RawQuery,
		rawPath:   r.HTTP.URL.RawPath,
	}, true
}

// keptAnswer returns the answer with a key, if it is true now; else nil.
func (r *Call) keptAnswer(key answerKey) *respond.Response {
	one := r.answers.Get(key)
	if one == nil || one.state != nil && one.state != r.Store.State() ||
		!one.until.IsZero() && (r.Now.Before(one.from) || !r.Now.Before(one.until)) {
		return nil
	}
	return one.answer
}

// keep keeps the answer of a request in the state in which it was made. Nobody else has written
// since then: else parts of it may be of another state. A password in the query is a guess, which
// limits count, and other forms of a body tell of header fields that are those of one request:
// these answers are not kept.
func (r *Call) keep(key answerKey, state *store.State, a *respond.Response) {
	const overhead = 2 << 10 // of an answer beside its body, about
	if a.Status != http.StatusOK || a.File != nil || r.Asked.Form != nil || r.Asked.Private ||
		a.Body == nil || state != r.Store.State() ||
		!r.until.IsZero() && !r.until.After(r.Now) {
		return
	}
	one := &keptAnswer{answer: a, state: state, from: r.Now, until: r.until}
	if r.Op.is(constant) {
		one.state = nil
	}
	size := overhead + len(key.path) + len(key.query) + len(key.rawPath)
	r.answers.Put(key, one, int64(size)+a.Body.Memory())
}

// queryText returns the query, or the words that stand for it: of a page its address with its
// language, and where the address stands for parameters, these with the address, which answers
// name.
func (r *Call) queryText() string {
	switch {
	case r.Op.is(page):
		return r.Language.Tag + " " + r.HTTP.URL.EscapedPath() + "?" + r.HTTP.URL.RawQuery
	case r.Alias != "":
		return r.In.Encode() + " " + r.Alias
	}
	return r.HTTP.URL.RawQuery
}

// TrueUntil notes until when the answer is true in its state; the zero time is for ever. Without it
// a list is true until the end of the second, and any other answer for ever.
func (r *Call) TrueUntil(end time.Time) {
	r.until = end
}

// secondEnd returns the end of the second of the request, and minuteEnd that of its minute.
func (r *Call) secondEnd() time.Time {
	return r.Now.Truncate(time.Second).Add(time.Second)
}
func (r *Call) minuteEnd() time.Time {
	return r.Now.Truncate(time.Minute).Add(time.Minute)
}

// dayEnd returns the next midnight, in the zone of the site or in UTC.
func (r *Call) dayEnd() time.Time {
	utc := caltime.StartOfDay(r.Now.UTC()).AddDate(0, 0, 1)
	site := r.Zone.Instant(caltime.StartOfDay(r.Zone.Wall(r.Now)).AddDate(0, 0, 1))
	if site.After(r.Now) && site.Before(utc) {
		return site
	}
	return utc
}
