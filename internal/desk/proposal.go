// The address of a proposal, at which the person reads, corrects and withdraws it.

package desk

import (
	"crypto/subtle"
	"net/http"
	"strings"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/store"
)

// serveProposal answers GET /events/suggest/{number}/{name}.
func serveProposal(p *page) (*respond.Response, error) {
	ed, _, err := p.proposal()
	if err != nil {
		return nil, err
	}
	// Its sender reads the next steps, and not the form again.
	if ed.Open && p.input("change") == "" {
		ed.Open = false
		ed.Note = p.T(becameOf(ed.Event))
		ed.Address = p.PageAt(p.suggestPath())
		p.Caller = account.Account{}
		p.view(func(v *store.View) {
			ed.Sent = p.eventRow(v, ed.Event)
		})
	}
	return p.form(http.StatusOK, ed, p.heading(ed))
}

// proposal returns the stored proposal as a form, and its values.
func (p *page) proposal() (*suggestion, form, error) {
	ed := p.suggestion(form{})
	err := p.Store.View(func(v *store.View) (err error) {
		ed.Event, err = p.findProposal(v)
		if err != nil {
			return err
		}
		ed.Open = waits(ed.Event)
		if ed.Open {
			if err := p.owner(); err != nil {
				return err
			}
			ed.Tag = p.TagOf(v, ed.Event)
			owner := p.Caller
			p.Caller = account.Account{} // the places and organizers are those of everybody, and those of the proposal
			ed.Form = p.formOf(v, ed.Event)
			p.Caller = owner
			ed.Form["sender"] = ed.Event.Proposal.Name
			ed.Form["email"] = ed.Event.Proposal.Email
		}
		if !ed.Open {
			ed.Note = p.T(becameOf(ed.Event))
		}
		ed.Reason = ed.Event.Proposal.Declined
		if ed.Event.Status == store.Publish {
			ed.Public = p.Renderer(v).EventPage(&ed.Event.Post)
		}
		if ed.Event.Status == store.Publish || ed.Event.Status == store.Trash {
			ed.Sent.Title = p.nameOf(ed.Event) // not what an editor makes of it before that
		}
		return nil
	})
	return ed, ed.Form, err
}

// findProposal returns the event of the address. An unknown address and an unknown event are
// alike.
func (p *page) findProposal(v *store.View) (*store.Event, error) {
	e := v.Event(api.ParseID(p.Path["number"]))
	key := ""
	if e != nil {
		key = e.Proposal.Key
	}
	if subtle.ConstantTimeCompare([]byte(key), []byte(keyOf(p.Path["name"]))) != 1 {
		return nil, api.ErrNoRoute
	}
	return e, nil
}

// becameOf returns the key of the text about the state of a proposal.
func becameOf(e *store.Event) string {
	switch {
	case waits(e):
		return "desk.waits"
	case e.Status == store.Publish:
		return "desk.published"
	case e.Status == store.Trash && e.Proposal.Email == "":
		return "desk.withdrawn"
	case e.Status == store.Trash:
		return "desk.declined"
	}
	return "desk.taken"
}

// serveCorrect answers POST /events/suggest/{number}/{name}. The address itself is the right to do
// so: no other site knows it.
func serveCorrect(p *page) (*respond.Response, error) {
	ed, was, err := p.proposal()
	switch {
	case err != nil:
		return nil, err
	case !ed.Open:
		return p.form(http.StatusConflict, ed, p.heading(ed))
	}
	secret := strings.ToUpper(p.Path["name"])
	next := ed.Event.Proposal
	if p.input("do") == "withdraw" {
		next.Name = ""
		next.Email = ""
		p.Call.Proposal = &next
		_, err = p.change(api.Events.Delete, p.Path["number"], nil, "")
		if err != nil {
			return p.notTaken(ed, err)
		}
		return p.seeOther(ed.Event.ID, secret), nil
	}
	tag := p.input("tag")
	ed.Form = p.sentProposal(was)
	if p.input("do") == "language" {
		ed.Tag = tag
		return p.form(http.StatusOK, ed, p.heading(ed))
	}
	if p.check(ed.Form); p.Problems != nil {
		return p.formAgain(http.StatusUnprocessableEntity, ed, 0)
	}
	if wait, ok := p.Submissions.Take(p.Front.Client(p.HTTP)); !ok {
		p.reject("", "desk.too-many")
		return p.formAgain(http.StatusTooManyRequests, ed, wait)
	}
	contributor := p.Caller
	p.Caller.ID = 0
	p.Caller.Role = ""
	sent := p.proposed(ed, was)
	if ed.Similar != nil {
		p.reject("venue", "desk.similar", "{name}", ed.Form["venue"])
		return p.formAgain(http.StatusUnprocessableEntity, ed, 0)
	}
	p.Caller = contributor
	next.Name = ed.Form["sender"]
	next.Email = ed.Form["email"]
	p.Call.Proposal = &next
	_, err = p.change(api.Events.Update, p.Path["number"], sent, tag)
	if err != nil {
		return p.notTaken(ed, err)
	}
	return p.seeOther(ed.Event.ID, secret), nil
}
