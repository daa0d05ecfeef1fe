// Proposals that wait for an editor.

package desk

import (
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/site"
	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// The operations on proposals that wait.
var (
	Waiting = operation("desk.waiting", serveWaiting)
	Look    = operation("desk.look", serveLook)
	Decide  = operation("desk.decide", serveDecide)
)

// MayDecide reports whether the account decides on proposals.
func (p *page) MayDecide() bool {
	return p.Submissions != nil && p.Caller.May(account.Publish)
}

// WaitingCount returns how many proposals wait for the account, "" if none does.
func (p *page) WaitingCount() (count string) {
	p.view(func(v *store.View) {
		if n := len(p.proposals(v)); n > 0 {
			count = p.locale().Number(n)
		}
	})
	return count
}

// proposals returns the proposals that wait and that the caller may edit, the oldest first.
func (p *page) proposals(v *store.View) (all []*store.Event) {
	for r := range v.Each(store.Events) {
		if e := r.(*store.Event); waits(e) && access.MayEdit(p.Caller, &e.Post) {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, byAge)
	return all
}

// serveWaiting answers GET /desk/waiting. The parameter all lists everything on one page, ticked.
func serveWaiting(p *page) (*respond.Response, error) {
	l := listing{}
	number := p.number()
	each := rowsMost
	all := p.input("all") != ""
	if all {
		number = 1
		each = bulkMost
	}
	p.view(func(v *store.View) {
		found := p.proposals(v)
		l.Total = len(found)
		for _, e := range part(found, number, each) {
			one := p.eventRow(v, e)
			one.Href = p.waitingPath(e.ID)
			one.Ticked = all
			one.Note += "\u00a0· " + e.Proposal.Name + "\u00a0· " + p.age(e.Date)
			l.Rows = append(l.Rows, one)
			l.Picks = l.Picks || one.Key != ""
		}
	})
	if !all {
		p.turn(&l, number)
	}
	return p.show(http.StatusOK, "waiting.html", p.T("desk.pending"), l)
}

// waitingPath returns the path of the page on which an editor decides on a proposal.
func (p *page) waitingPath(
	id int64,
) string {
	return p.Desk("waiting/" + digits(id))
}

// age says how many days ago a proposal was sent, by the calendar of the site.
func (p *page) age(sent time.Time) string {
	const day = 24 * time.Hour
	since := p.Zone.Wall(p.Now).Truncate(day).Sub(p.Zone.Wall(sent).Truncate(day))
	if since < day {
		return p.T("site.today")
	}
	return p.Language.Count("desk.days-ago", int(since/day))
}

// A decision is the strip above a proposal.
type decision struct {
	Action, Tag string
	Publishes   string // what becomes public with it
	Rows        []row  // events like it
	Asks        string // whether its days are meant; "" is no question
}

// serveLook answers GET /desk/waiting/{id} with the proposal as the public page would be, below a
// strip with the decision.
func serveLook(p *page) (*respond.Response, error) {
	var e *store.Event
	d := decision{Action: p.waitingPath(p.ID())}
	err := p.Store.View(func(v *store.View) (err error) {
		e, err = p.find(v)
		if err == nil {
			d.Tag = p.TagOf(v, e)
			d.Rows = p.alike(v, e)
			d.Publishes = p.publishes(v, e)
			p.checkYear(p.formOf(v, e))
			d.Asks = p.Wrong("sure")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !waits(e) {
		return p.redirect(p.eventPath(e.ID)), nil
	}
	p.Body = d
	more, err := p.execute("decide.html")
	if err != nil {
		return nil, err
	}
	return p.preview(e.ID, &pages.Strip{
		Text: p.T("desk.proposed-by", "{name}", e.Proposal.Name, "{email}", e.Proposal.Email),
		More: more,
	})
}

// alikeMost is how many events a decision names that are like a proposal.
const alikeMost = 5

// alike returns the oldest events on the same day at the same place, by its name.
func (p *page) alike(v *store.View, e *store.Event) (rows []row) {
	show := p.Renderer(v)
	names := func(e *store.Event) (all []string) {
		for _, place := range show.AppendVenues(nil, e) {
			all = append(all, markup.Fold(place.Name))
		}
		return all
	}
	places := names(e)
	isPlace := func(name string) bool {
		return slices.Contains(places, name)
	}
	day := caltime.StartOfDay(e.Start.Time())
	viewer := access.ViewerOf(p.Caller)
	var found []*store.Event
	for r := range v.Each(store.Events) {
		other := r.(*store.Event)
		if other.ID == e.ID || other.Status == store.Trash || !viewer.Sees(&other.Post) {
			continue
		}
		isThatDay := caltime.StartOfDay(other.Start.Time()).Equal(day)
		if isThatDay && slices.ContainsFunc(names(other), isPlace) {
			found = append(found, other)
		}
	}
	slices.SortFunc(found, byAge)
	for _, other := range found[:min(len(found), alikeMost)] {
		rows = append(rows, p.eventRow(v, other))
	}
	return rows
}

// publishes says which places and organizers become public with an event: those that were proposed
// with it. "" is none.
func (p *page) publishes(v *store.View, e *store.Event) string {
	var names []string
	for k, ids := range map[store.Kind][]int64{
		store.Venues:     e.Venues,
		store.Organizers: e.Organizers,
	} {
		for _, id := range ids {
			r := v.Get(k, id)
			if post := store.PostOf(r); post != nil && post.Status.Unpublished() &&
				e.Proposal.IsMade(k, id) {
				names = append(names, p.nameOf(r))
			}
		}
	}
	if names == nil || e.Status == store.Publish || !p.MayPublish() {
		return ""
	}
	slices.Sort(names)
	return p.T("desk.publishes", "{names}", strings.Join(names, "; "))
}

// preview answers with the public page of an event, below a strip that leads to its form.
func (p *page) preview(id int64, strip *pages.Strip) (*respond.Response, error) {
	strip.Lang = p.Language.Lang()
	strip.Dir = p.Language.Dir
	strip.Style = p.Styles()[len(p.Styles())-1]
	strip.Action = p.eventPath(id)
	strip.Back = pages.Link{Text: p.T("desk.change"), Href: template.URL(p.eventPath(id))}
	answer, err := site.Preview(p.Call, id, strip)
	if err == nil {
		answer.Header["Cache-Control"] = "no-store"
		answer.Header["Referrer-Policy"] = "same-origin"
	}
	return answer, err
}

// serveDecide answers POST /desk/waiting/{id}, and opens the next proposal. A proposal that was
// changed since the editor looked at it is looked at again.
func serveDecide(p *page) (*respond.Response, error) {
	button := p.input("do")
	next := int64(0)
	open := false
	err := p.Store.View(func(v *store.View) error {
		e, err := p.find(v)
		open = err == nil && waits(e)
		if open && button == "publish" && p.input("sure") == "" {
			p.checkYear(p.formOf(v, e))
		}
		for _, other := range p.proposals(v) {
			isFirst := next == 0 && other.ID != p.ID()
			isBehind := next < p.ID() && other.ID > p.ID()
			if isFirst || isBehind {
				next = other.ID
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !open || p.Problems != nil || button != "publish" && button != "decline" {
		return p.redirect(p.waitingPath(p.ID())), nil
	}
	done, _, err := p.press(button, p.Path["id"], p.input("tag"))
	if err != nil {
		return p.retry(err, func(status int) (*respond.Response, error) {
			return p.show(status, "bulk.html", p.T("desk.pending"), bulk{
				Back: p.waitingPath(p.ID()),
			})
		})
	}
	to := p.Desk("waiting")
	if next != 0 {
		to = p.waitingPath(next)
	}
	if done == "" {
		done = p.done(p.ID(), button)
	}
	return p.redirect(to + "?done=" + done), nil
}

// reasonMost is how many characters the reason of a decision has.
const reasonMost = 500

// decline sets the reason why a proposal is declined, for the write that follows. It returns the
// tag of the event.
func (p *page) decline(id, tag string) string {
	p.view(func(v *store.View) {
		if e := v.Event(api.ParseID(id)); e != nil {
			next := e.Proposal
			reason := []rune(strings.Join(strings.Fields(p.input("reason")), " "))
			next.Declined = string(reason[:min(len(reason), reasonMost)])
			p.Call.Proposal = &next
			if tag == "" {
				tag = p.TagOf(v, e)
			}
		}
	})
	return tag
}
