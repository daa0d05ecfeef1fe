// Lists, and reads of one event, that are asked for again and again.

package api

import (
	"bytes"
	"net/http"

	"almanac/internal/respcache"
	"almanac/internal/respond"
	"almanac/store"
)

// Remembering looks for the answer of a request among the remembered ones, and adds to them.
type remembering struct{ *Call }

// listKey names the list that is asked for, or the record, by whom and how, if the answer
// may be remembered.
func (r remembering) listKey() respcache.Key {
	if r.Cache == nil || r.Op.memo == forgets || !r.Asked.Reads() || r.explain ||
		r.HTTP.ContentLength != 0 {
		return respcache.Key{}
	}
	query := r.query()
	if r.Op.memo == perState {
		query = r.Path["id"] + r.Path["slug"] + " " + query // it has one of the two, and another name with each
	}
	if r.asksPage != "" {
		query = r.asksPage
	}
	return respcache.AnswerKey(r.Site.Number, r.Op.Name, query, r.Caller)
}

// query returns the query, or the parameters that the address of a page stands for.
func (r remembering) query() string {
	if r.Alias == "" {
		return r.HTTP.URL.RawQuery
	}
	return r.In.Encode() + " " + r.Alias // answers name it
}

// version names what a list depends on that is found in a state, or a record, which looks the
// same at all times.
func (r remembering) version(state *store.State) respcache.Version {
	v := respcache.Version{State: state}
	if r.Op.memo == perSecond {
		v.Second = r.Now.Unix()
	}
	return v
}

// cachedResponse answers a list that was asked for before in the same state and the same
// second, or a record, without a look at the store or the parameters; nil if there is none.
func (r remembering) cachedResponse() *respond.Response {
	if r.Op.is(late) && r.Alias == "" {
		return nil
	}
	if r.Op.is(page) {
		r.asksPage = r.Language.Tag + " " + r.HTTP.URL.EscapedPath() + "?" + r.HTTP.URL.RawQuery
	}
	r.list = r.listKey()
	if e := r.Cache.Get(r.list); e != nil && e.Fresh(r.version(r.Store.State())) {
		return r.reuse(e)
	}
	return nil
}

// revalidate returns the answer to a list with a tag that the caller has, or that is remembered;
// nil if it must be made.
func (l *List) revalidate(v *store.View) *respond.Response {
	r := remembering{l.Call}
	l.version = r.version(v.State())
	if l.Asked.NotModified(l.Tag) {
		return r.notModified(l.Tag)
	}
	if e := l.Cache.Get(l.list); e != nil && e.Tag == l.Tag && l.IsPlain() {
		e.Validate(l.version)
		return r.reuse(e)
	}
	return nil
}

// plain reports whether every caller with the key gets the same answer: a caller without guesses
// left must not learn from answers to other callers.
func (r *Call) IsPlain() bool { return r.Asked.Form == nil && !r.Asked.Private }

// reuse returns a remembered answer, if it is there in the form that is asked for.
func (r remembering) reuse(e *respcache.Entry) *respond.Response {
	switch {
	case r.Op.memo == perSecond && r.Asked.NotModified(e.Tag): // of a record it has all the fields
		return r.notModified(e.Tag)
	case e.Answer == nil:
		return nil
	case e.Answer.Body.Text == nil:
		return r.resend(e)
	case !r.reserved.Shared(len(e.Answer.Body.Text)):
		return nil
	}
	return e.Answer
}

// notModified is a 304 with a tag.
func (r remembering) notModified(tag string) *respond.Response {
	r.buffers.notModified = respond.Response{Status: http.StatusNotModified, Tag: tag}
	return &r.buffers.notModified
}

// remember notes the tag of a list, and remembers the answer when it is asked for the
// second time.
func (r remembering) remember(a *respond.Response, v respcache.Version) {
	if r.list == (respcache.Key{}) || a.Tag == "" || a.Long != nil || !r.IsPlain() {
		return
	}
	next := &respcache.Entry{Tag: a.Tag}
	if old := r.Cache.Get(r.list); old != nil && old.Tag == a.Tag {
		next.Text = bytes.Clone(a.Body.Text)
		next.Answer = new(*a)
		next.Answer.Body = next.Fragment.Body()
	}
	r.Cache.Put(r.list, next, v)
}

// rememberOne notes the tag of a record that everybody sees alike, whose JSON is remembered, and
// remembers the answer around that when it is asked for the second time.
func (r remembering) rememberOne(a *respond.Response, it *item) {
	if r.list == (respcache.Key{}) || it.fragment == nil || !r.IsPlain() {
		return
	}
	next := &respcache.Entry{Tag: a.Tag}
	if old := r.Cache.Get(r.list); old != nil && old.Tag == a.Tag {
		next.Answer = a
	}
	r.Cache.Put(r.list, next, it.version)
}
