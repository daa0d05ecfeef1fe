// The changes of a record, and the way back to a former state.

package desk

import (
	"net/http"
	"strings"

	"almanac/internal/api"
	"almanac/internal/api/history"
	"almanac/internal/api/respond"
	"almanac/internal/wire/params"
	"almanac/store"
)

// The operations on the changes of an event.
var (
	events = &kind{
		Kind:     store.Events,
		Resource: api.Events,
		past:     history.Events,
		name:     "title",
		title:    "desk.events",
	}
	Changes = events.op("changes", events.serveChanges)
	Restore = events.op("restore", events.serveRestore)
)

// A changeList is the page of the changes of a record.
type changeList struct {
	listing
	Rows      []change
	Tag, Back string
}

// A change is a revision on that page.
type change struct {
	Title, When, Who string
	Fields           []changedField
	Number           int64  // of the revision that the button restores; 0 is no button
	Button           string // key of its text
}

// A changedField is a field with its value before and after a change.
type changedField struct{ Label, Old, New string }

// serveChanges answers GET /desk/events/{id}/changes, and that of other kinds, the newest first.
// They have a page of their own, because they are read from the whole log.
func (k *kind) serveChanges(p *page) (*respond.Response, error) {
	return k.showChanges(p, http.StatusOK)
}

func (k *kind) showChanges(p *page, status int) (*respond.Response, error) {
	l := changeList{Back: k.path(p, "/"+p.Path["id"])}
	title := ""
	number := p.number()
	err := p.Store.View(func(v *store.View) error {
		r, err := k.find(p, v)
		if err == nil {
			title = p.nameOf(r)
			l.Tag = p.TagOf(v, r)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	found, err := k.past.Read(p.Call, p.Path)
	if err != nil {
		return nil, err
	}
	l.Total = len(found)
	p.turn(&l.listing, number)
	p.view(func(v *store.View) {
		for i := min(l.Total, (number-1)*rowsMost); i < min(l.Total, number*rowsMost); i++ {
			one := k.change(p, v, &found[i])
			switch {
			case i > 0 && !isTrashed(&found[i]):
				one.Number = found[i].Number
				one.Button = "desk.restore-state"
			case i == 0 && l.Total > 1 && !isTrashed(&found[1]) && found[0].Verb != "merged":
				one.Number = found[1].Number
				one.Button = "desk.undo"
			}
			l.Rows = append(l.Rows, one)
		}
	})
	return p.show(status, "changes.html", title, l)
}

// verbs are the keys of the texts about the verb of a revision.
var verbs = map[string]string{
	"created":   "desk.created",
	"published": "desk.published",
	"trashed":   "desk.trashed",
	"restored":  "desk.restored",
	"merged":    "desk.merged",
	"written":   "desk.written",
	"changed":   "desk.changed",
}

// change returns a revision as the page shows it.
func (k *kind) change(p *page, v *store.View, one *store.Revision) change {
	account, _ := p.Accounts.Account(one.Account)
	c := change{
		Title: p.T(verbs[one.Verb]),
		When:  p.locale().FullTime(p.Zone.Wall(one.Time)),
		Who:   account.Login,
	}
	if one.Old == nil {
		return c
	}
	old := k.stateOf(p, v, one.Old)
	now := k.stateOf(p, v, one.New)
	for _, name := range k.names() {
		if old[name] != now[name] {
			a, b := apart(p.valueText(v, name, old[name]), p.valueText(v, name, now[name]))
			c.Fields = append(c.Fields, changedField{p.T(labels[name]), a, b})
		}
	}
	if c.Fields == nil && one.Verb == "changed" {
		c.Title = p.T("desk.changed-other")
	}
	return c
}

// stateOf returns the form of a record, and what no field of the form has.
func (k *kind) stateOf(p *page, v *store.View, r store.Record) form {
	if e, ok := r.(*store.Event); ok {
		f := p.formOf(v, e)
		f["state"] = strings.Join(p.stateWords(e), ", ")
		f["reason"] = e.StateReason
		f["password"] = e.Password
		return f
	}
	f := k.formOf(r)
	if post := store.PostOf(r); post != nil && statusKeys[post.Status] != "" {
		f["state"] = p.T(statusKeys[post.Status])
	}
	return f
}

// names returns the names of the fields of a record whose changes are shown.
func (k *kind) names() []string {
	all := []string{"name"}
	if k.Kind == store.Events {
		all = nil
		for _, field := range fields {
			all = append(all, field.Name)
		}
	}
	return append(append(all, k.fields...), "state", "reason")
}

// Two texts that are longer are shortened to the part in which they differ, with some of the text
// around it.
const (
	apartMost   = 300
	apartAround = 40
)

// apart shortens two long texts to the part in which they differ.
func apart(old, now string) (string, string) {
	a := []rune(old)
	b := []rune(now)
	if len(a)+len(b) <= apartMost {
		return old, now
	}
	from := 0
	to := 0 // equal at the begin, and at the end
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	for to < min(len(a), len(b))-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	part := func(r []rune) string {
		begin := max(from-apartAround, 0)
		end := min(len(r)-to+apartAround, len(r))
		before := ""
		after := ""
		if begin > 0 {
			before = "…"
		}
		end = min(end, begin+apartMost)
		if end < len(r) {
			after = "…"
		}
		return before + string(r[begin:end]) + after
	}
	return part(a), part(b)
}

// isTrashed reports whether a revision left the record in the trash: such a state is not restored.
func isTrashed(one *store.Revision) bool {
	p := store.PostOf(one.New)
	return p != nil && p.Status == store.Trash
}

// serveRestore answers POST /desk/events/{id}/changes, and that of other kinds.
func (k *kind) serveRestore(p *page) (*respond.Response, error) {
	where := map[string]string{"id": p.Path["id"], "number": p.input("number")}
	in := params.Given(nil, where)
	if _, err := p.Make(k.past.Restore, where, in, p.input("tag")); err != nil {
		return p.retry(
			err,
			func(status int) (*respond.Response, error) {
				return k.showChanges(p, status)
			},
		)
	}
	return p.redirect(k.path(p, "/"+p.Path["id"]+"/changes?done=restored")), nil
}
