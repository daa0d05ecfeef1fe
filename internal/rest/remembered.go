// Lists, and reads of one event, that are asked for again and again.

package rest

import (
	"bytes"
	"net/http"

	"almanac/internal/respcache"
	"almanac/internal/respond"
	"almanac/store"
)

// listKey names the list that is asked for, or the record, by whom and how, if the answer
// may be remembered.
func (r *request) listKey() respcache.Key {
	if r.cache == nil || !r.op.list && !r.op.one || !r.asked.Reads() || r.explain || r.http.ContentLength != 0 {
		return respcache.Key{}
	}
	query := r.query()
	if r.op.one {
		query = r.path["id"] + r.path["slug"] + " " + query // it has one of the two, and another name with each
	}
	if r.asksPage != "" {
		query = r.asksPage
	}
	return respcache.AnswerKey(r.site.Number, r.op.Name, query, r.caller)
}

// query returns the query, or the parameters that the address of a page stands for.
func (r *request) query() string {
	if r.address == "" {
		return r.http.URL.RawQuery
	}
	return r.in.Encode() + " " + r.address // answers name it
}

// version names what a list depends on that is found in a state, or a record, which looks the
// same at all times.
func (r *request) version(state *store.State) respcache.Version {
	v := respcache.Version{State: state}
	if r.op.list {
		v.Second = r.now.Unix()
	}
	return v
}

// cachedResponse answers a list that was asked for before in the same state and the same
// second, or a record, without a look at the store or the parameters; nil if there is none.
func (r *request) cachedResponse() *respond.Response {
	if r.op.late && r.address == "" {
		return nil
	}
	if r.op.html {
		r.asksPage = r.language.Tag + " " + r.http.URL.EscapedPath() + "?" + r.http.URL.RawQuery
	}
	r.list = r.listKey()
	if e := r.cache.Get(r.list); e != nil && e.Fresh(r.version(r.store.State())) {
		return r.reuse(e)
	}
	return nil
}

// revalidate reports whether a list with a tag need not be made, since the caller has
// it or it is remembered: then it has its answer.
func (r *request) revalidate(l *list, v *store.View) bool {
	l.version, l.answer = r.version(v.State()), nil
	if r.asked.NotModified(l.tag) {
		l.answer = r.notModified(l.tag)
	} else if e := r.cache.Get(r.list); e != nil && e.Tag == l.tag && r.plain() {
		e.Validate(l.version)
		l.answer = r.reuse(e)
	}
	return l.answer != nil
}

// plain reports whether every caller with the key gets the same answer: a caller without guesses left must not
// learn from answers to other callers.
func (r *request) plain() bool { return r.asked.Form == nil && !r.asked.Private }

// reuse returns a remembered answer, if it is there in the form that is asked for.
func (r *request) reuse(e *respcache.Entry) *respond.Response {
	switch {
	case r.op.list && r.asked.NotModified(e.Tag): // of a record it has all the fields
		return r.notModified(e.Tag)
	case e.Answer == nil:
		return nil
	case e.Answer.Body.Text == nil:
		return r.resend(e)
	case !r.holdShared(len(e.Answer.Body.Text)):
		return nil
	}
	return e.Answer
}

// notModified is a 304 with a tag.
func (r *request) notModified(tag string) *respond.Response {
	r.buffers.notModified = respond.Response{Status: http.StatusNotModified, Tag: tag}
	return &r.buffers.notModified
}

// remember notes the tag of a list, and remembers the answer when it is asked for the
// second time.
func (r *request) remember(a *respond.Response, v respcache.Version) {
	if r.list == (respcache.Key{}) || a.Tag == "" || a.Long != nil || !r.plain() {
		return
	}
	next := &respcache.Entry{Tag: a.Tag}
	if old := r.cache.Get(r.list); old != nil && old.Tag == a.Tag {
		next.Text, next.Answer = bytes.Clone(a.Body.Text), new(*a)
		next.Answer.Body = next.Fragment.Body()
	}
	r.cache.Put(r.list, next, v)
}

// rememberOne notes the tag of a record that everybody sees alike, whose JSON is remembered, and
// remembers the answer around that when it is asked for the second time.
func (r *request) rememberOne(a *respond.Response, it *item) {
	if r.list == (respcache.Key{}) || it.fragment == nil || !r.plain() {
		return
	}
	next := &respcache.Entry{Tag: a.Tag}
	if old := r.cache.Get(r.list); old != nil && old.Tag == a.Tag {
		next.Answer = a
	}
	r.cache.Put(r.list, next, it.version)
}
