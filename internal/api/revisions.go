// The revisions of a record, its restoring, and the merge of two records: operations that the specification does not have.

package api

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/account"
	"almanac/internal/jsonout"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/internal/write"
	"almanac/store"
)

// withRevisions adds the operations on revisions to those on one kind of records. Callers with the right to edit a record have them.
func (of Resource) withRevisions(k store.Kind) Resource {
	list, restore := params.RevisionList(of.Read.Params), params.RevisionRestore(of.Read.Params)
	of.Revisions = Unlisted(&Op{Name: k.String() + ".revisions", Params: list, permit: of.Update.permit,
		Serve: func(r *Call) (*respond.Response, error) { return listRevisions(r, k) }})
	of.Restore = Unlisted(&Op{Name: k.String() + ".restore", Params: restore, permit: of.Update.permit,
		Serve: func(r *Call) (*respond.Response, error) { return restoreRevision(r, k) }})
	return of
}

// withMerge adds the merge of two records of a kind.
func (of Resource) withMerge(k store.Kind) Resource {
	of.Merge = Unlisted(&Op{Name: k.String() + ".merge", Params: params.Merge(of.Read.Params), permit: mayMerge(of.Update.permit),
		Serve: func(r *Call) (*respond.Response, error) { return merge(r, k) }})
	return of
}

// mayMerge lets a caller merge with the rights to edit the record and the events of other accounts.
func mayMerge(edit *permission) *permission {
	return &permission{[]account.Right{account.EditOthers},
		func(r *Call, v *store.Reader) bool { return r.Caller.May(account.EditOthers) && edit.may(r, v) }}
}

// recordOf returns the record in the path.
func (r *Call) recordOf(v *store.Reader, k store.Kind) (store.Record, error) {
	if k == store.Events {
		return r.event(v)
	}
	return v.Get(k, r.ID()), nil
}

// revisions returns the revisions of the record in the path, oldest first, after the checks of the request. To callers who may edit
// only their own records it shows nothing of the time when the record belonged to another account.
func (r *Call) revisions(k store.Kind) (found []store.Revision, values params.Values, err error) {
	err = r.Store.View(func(v *store.View) (err error) {
		if values, err = r.values(&v.Reader); err == nil {
			_, err = r.recordOf(&v.Reader, k)
		}
		return err
	})
	if err != nil {
		return nil, values, err
	}
	found, err = r.Store.Revisions(k, r.ID())
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
	return found, values, err
}

// A revision is a store.Revision in an answer.
type revision struct {
	Number    int64           `json:"number"`
	Modified  time.Time       `json:"modified"`
	Operation string          `json:"operation"`
	Account   *revisionAuthor `json:"account"` // null for the server itself
	Changes   jsonout.Object  `json:"changes"`
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
func listRevisions(r *Call, k store.Kind) (*respond.Response, error) {
	found, values, err := r.revisions(k)
	if err != nil {
		return nil, err
	}
	slices.Reverse(found)
	l := List{Call: r, Name: "revisions", path: k.String() + "/" + itoa(int(r.ID())) + "/revisions", Total: len(found)}
	l.Paging = l.paging(values)
	l.query = []pair{{"per_page", itoa(l.perPage)}}
	if l.Page > 1 && l.Offset() >= len(found) {
		return nil, NoPage("revision")
	}
	found = found[min(l.Offset(), len(found)):min(l.Offset()+l.perPage, len(found))]
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
	size := 0
	for i, one := range found {
		text, err := r.revisionJSON(links[i], &one)
		if err != nil {
			return nil, err
		}
		if size += len(text); !r.reserved.Answer(size) {
			return nil, errBusy
		}
		l.items = append(l.items, item{record: one.New, fragment: &respond.Fragment{Text: text}, size: int64(len(text))})
	}
	return l.Response()
}

// revisionJSON returns a revision as JSON, with the members that answers show to the caller in another way than before.
func (r *Call) revisionJSON(links *render.Links, one *store.Revision) ([]byte, error) {
	shown := revision{Number: one.Number, Modified: one.Time.Truncate(time.Second), Operation: one.Verb}
	if one.Account != 0 {
		author, _ := r.accounts.Account(one.Account)
		shown.Account = &revisionAuthor{one.Account, author.Login}
	}
	if one.Old == nil {
		return jsonout.Marshal(shown)
	}
	members := map[string]revisedMember{}
	for i, record := range []store.Record{one.Old, one.New} {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(r.openRendering(links, record).append(nil), &all); err != nil {
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
	return jsonout.Marshal(shown)
}

// restoreRevision answers POST /events/{id}/revisions/{number}/restore, and that of other kinds: the record becomes again as
// that change left it.
func restoreRevision(r *Call, k store.Kind) (*respond.Response, error) {
	found, values, err := r.revisions(k)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(found, func(one store.Revision) bool { return one.Number == values.Int("number") })
	if at < 0 {
		return nil, recordNotFound("revision", values.Int("number"))
	}
	return r.Write(func(tx *store.Tx, values params.Values) (made store.Record, _ *write.Report, err error) {
		old, err := r.recordOf(&tx.Reader, k)
		if err == nil {
			err = r.Precondition(tx, old)
		}
		if err == nil {
			made, err = r.Editor().Restore(tx, old, found[at].New)
		}
		return made, nil, err
	})
}

// merge answers POST /venues/{id}/merge, and that of other kinds: the record in the path goes, and all links to it lead
// to the other record.
func merge(r *Call, k store.Kind) (*respond.Response, error) {
	events := 0
	answer, err := r.Write(func(tx *store.Tx, values params.Values) (made store.Record, _ *write.Report, err error) {
		from, into := tx.Get(k, r.ID()), tx.Get(k, values.Int("into"))
		p, to := store.PostOf(from), store.PostOf(into)
		switch {
		case from == into:
			return nil, nil, Invalid("into", "into must be another record than the one in the path.")
		case p != nil && p.Status == store.Trash:
			return nil, nil, inTrash(strings.TrimSuffix(k.String(), "s"))
		case to != nil && to.Status == store.Trash:
			return nil, nil, Invalid("into", "into must be a record that is not in the trash.")
		case p == nil && tx.IsBelow(k, into.Key(), from.Key()):
			return nil, nil, Invalid("into", "into must not be a category below the one in the path.")
		case p != nil && !(r.mayDelete(p) && r.mayEdit(to)):
			return nil, nil, errForbidden
		}
		if err = r.Precondition(tx, from); err == nil {
			made, events, err = r.Editor().Merge(tx, from, into)
		}
		return made, nil, err
	})
	if err == nil {
		answer.Header["X-Almanac-Moved"] = "events=" + itoa(events)
	}
	return answer, err
}
