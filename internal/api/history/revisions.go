// Package history answers requests about the revisions of a record. It restores a record as a
// revision left it, and merges two records.
//
// Package store keeps the log that all of it is read from, and package write restores and merges.
package history

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
	"almanac/internal/write"
	"almanac/store"
)

// Operations are the operations on the past of one kind of records, which the specification does
// not have. Callers with the right to edit a record have them; to merge, they need the right to
// the events of other accounts, too.
type Operations struct {
	Revisions, Restore *api.Op
	Merge              *api.Op // nil for events
	kind               store.Kind
}

// The operations of each kind.
var (
	Events     = operations(store.Events, api.Events)
	Venues     = operations(store.Venues, api.Venues)
	Organizers = operations(store.Organizers, api.Organizers)
	Categories = operations(store.Categories, api.Categories)
	Tags       = operations(store.Tags, api.Tags)
)

func operations(k store.Kind, of api.Resource) Operations {
	revisions := &api.Op{
		Name:   k.String() + ".revisions",
		Params: params.RevisionList(of.Read.Params),
		Serve:  func(r *api.Call) (*respond.Response, error) { return listRevisions(r, k) },
	}
	restore := api.NewChange(api.Op{
		Name:   k.String() + ".restore",
		Params: params.RevisionRestore(of.Read.Params),
		Change: func(r *api.Call) (api.Change, error) { return restoreRevision(r, k) },
	}, api.Stored)
	all := Operations{
		Revisions: api.Unlisted(api.GuardedAs(revisions, of.Update)),
		Restore:   api.Unlisted(api.GuardedAs(restore, of.Update)),
		kind:      k,
	}
	if k != store.Events {
		may := func(r *api.Call, v *store.Reader) bool {
			return r.Caller.May(account.EditOthers) && of.Update.IsOpenTo(r, v)
		}
		merging := api.NewChange(api.Op{
			Name:   k.String() + ".merge",
			Params: params.Merge(of.Read.Params),
			Change: func(r *api.Call) (api.Change, error) { return merge(r, k) },
		}, merged)
		all.Merge = api.Unlisted(api.Guarded(merging, account.EditOthers, may))
	}
	return all
}

// Read returns the revisions that the operation lists, the newest first, to a page that shows them
// in another form.
func (of Operations) Read(
	r *api.Call,
	path map[string]string,
) (found []store.Revision, err error) {
	err = r.As(of.Revisions, path, params.Given(nil, path), func() (err error) {
		found, _, err = revisionsOf(r, of.kind)
		return err
	})
	return found, err
}

// recordOf returns the record in the path.
func recordOf(r *api.Call, v *store.Reader, k store.Kind) (store.Record, error) {
	if k == store.Events {
		return r.FindEvent(v)
	}
	return v.Get(k, r.ID()), nil
}

// revisionsOf returns the revisions of the record in the path, newest first, after the checks of
// the request. To callers who may edit only their own records it shows nothing of the time when
// the record belonged to another account.
func revisionsOf(
	r *api.Call,
	k store.Kind,
) (found []store.Revision, values params.Values, err error) {
	err = r.InView(func(v *store.View, sent params.Values) error {
		values = sent
		_, err := recordOf(r, &v.Reader, k)
		return err
	})
	if err != nil {
		return nil, values, err
	}
	if failed := r.Bounds().Histories.Do(r.HTTP.Context(), r.Key(), func() { found, err = r.Store.Revisions(k, r.ID()) }); failed != nil {
		return nil, values, failed
	}
	foreign := func(record store.Record) bool {
		p := store.PostOf(record)
		return p != nil && p.Author != r.Caller.ID && !r.Caller.May(account.EditOthers)
	}
	found = slices.DeleteFunc(found, func(one store.Revision) bool { return foreign(one.New) })
	for i := range found {
		if foreign(found[i].Old) {
			found[i].Old = nil
		}
	}
	slices.Reverse(found)
	return found, values, err
}

// A revision is a store.Revision in an answer.
type revision struct {
	Number    int64           `json:"number"`
	Modified  time.Time       `json:"modified"`
	Operation string          `json:"operation"`
	Account   *revisionAuthor `json:"account"` // null for the server itself
	Changes   jsonio.Object   `json:"changes"`
}

// A revisionAuthor is the account that made a revision.
type revisionAuthor struct {
	ID    int64  `json:"id"`
	Login string `json:"login,omitempty"` // left out for a removed account
}

// A revisedMember is a member of a record before and after a change; nil is absent.
type revisedMember struct {
	Old json.RawMessage `json:"old,omitempty"`
	New json.RawMessage `json:"new,omitempty"`
}

// listRevisions answers GET /events/{id}/revisions, and that of other kinds: the newest first.
func listRevisions(r *api.Call, k store.Kind) (*respond.Response, error) {
	found, values, err := revisionsOf(r, k)
	if err != nil {
		return nil, err
	}
	l := &api.List{
		Call: r,
		Name: "revisions",
		Path: k.String() + "/" + strconv.FormatInt(r.ID(), 10) + "/revisions",
	}
	l.AskPage(values)
	if found = api.OfPage(l, found); l.Page > 1 && len(found) == 0 {
		return nil, api.NoPage("revision")
	}
	links := make([]*render.Links, len(found))
	_ = r.Store.View(func(v *store.View) error {
		for i, one := range found {
			links[i] = render.Gather(v, one.New)
			if one.Old != nil {
				links[i].Add(v, one.Old)
			}
		}
		return nil
	})
	for i, one := range found {
		text, err := revisionJSON(r, links[i], &one)
		if err != nil {
			return nil, err
		}
		if !l.ShowText(one.New, text) {
			break
		}
	}
	return l.Response()
}

// revisionJSON returns a revision as JSON, with the members that answers show to the caller in
// another way than before.
func revisionJSON(r *api.Call, links *render.Links, one *store.Revision) ([]byte, error) {
	shown := revision{
		Number:    one.Number,
		Modified:  one.Time.Truncate(time.Second),
		Operation: one.Verb,
	}
	if one.Account != 0 {
		author, _ := r.Accounts.Account(one.Account)
		shown.Account = &revisionAuthor{one.Account, author.Login}
	}
	if one.Old == nil {
		return jsonio.Marshal(shown)
	}
	show := r.Renderer(links)
	members := map[string]revisedMember{}
	show.TermLinks = true
	show.Unlocked = func(*store.Event) bool { return true } // the caller may edit it
	for i, record := range []store.Record{one.Old, one.New} {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(show.Append(nil, record), &all); err != nil {
			return nil, err
		}
		for name, text := range all {
			m := members[name]
			*[]*json.RawMessage{&m.Old, &m.New}[i] = text
			members[name] = m
		}
	}
	if was, ok := one.Old.(*store.Event); ok && was.Password != one.New.(*store.Event).Password {
		members["password"] = revisedMember{New: json.RawMessage("null")} // neither is shown
	}
	delete(members, "modified")
	delete(members, "modified_utc")
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if m := members[name]; !bytes.Equal(m.Old, m.New) {
			shown.Changes.Add(name, m)
		}
	}
	return jsonio.Marshal(shown)
}

// restoreRevision answers POST /events/{id}/revisions/{number}/restore, and that of other kinds:
// the record becomes again as that change left it.
func restoreRevision(r *api.Call, k store.Kind) (change api.Change, err error) {
	found, values, err := revisionsOf(r, k)
	if err != nil {
		return change, err
	}
	at := slices.IndexFunc(
		found,
		func(one store.Revision) bool { return one.Number == values.Int("number") },
	)
	if at < 0 {
		return change, api.RecordNotFound("revision", values.Int("number"))
	}
	return r.Write(
		func(tx *store.Tx, values params.Values) (made store.Record, _ *write.Report, err error) {
			old, err := recordOf(r, &tx.Reader, k)
			if err == nil {
				err = r.Precondition(tx, old)
			}
			if err == nil {
				made, err = r.Editor().Restore(tx, old, found[at].New)
			}
			return made, nil, err
		},
	)
}
