// Proposals of people without an account: the public form, and the address of a proposal.

package desk

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/people/submission"
	"almanac/internal/site"
	"almanac/internal/text/markup"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// The operations of people without an account.
var (
	Suggest  = site.NewForm("page.suggest", proposing(serveSuggest))
	Propose  = site.NewForm("page.propose", proposing(servePropose))
	Proposal = site.NewForm("page.proposal", proposing(serveProposal))
	Resubmit = site.NewForm("page.resubmit", proposing(serveCorrect))
)

// mostOf is how many characters the fields of a proposal may have. The form has these fields
// alone: new categories and tags would be public at once, and the other fields are the affair of
// editors.
var mostOf = map[string]int{
	"title":       200,
	"date":        100, // checkTimes says what a date or a time that is too long is
	"starts":      100,
	"ends":        100,
	"last":        100,
	"venue":       200,
	"cost":        200,
	"free":        1,
	"description": 10_000,
	"organizer":   300,
	"website":     500,
	"virtual_url": 500,
	"categories":  200,
	"sender":      100,
	"email":       200,
}

// organizersMost is how many organizers a proposal has.
const organizersMost = 10

// A suggestion is the form of a proposal on a page.
type suggestion struct {
	editing
	Stamp string
	Note  string
	Open  bool // the form is shown, and not only the note

	Sent    row         // the proposal where the form is not shown; once it was decided, with its title alone
	Address string      // of that; "" is none
	Others  []elsewhere // the form in other languages
}

// An elsewhere is the form in another language. A button leads there with what was typed, or a
// link to a host of its own, which forms may not be sent to.
type elsewhere struct {
	i18n.Language
	Action string
	Link   bool
}

// proposing makes an operation for everybody: a token gives no more rights here.
func proposing(
	serve func(*page) (*respond.Response, error),
) func(*api.Call) (*respond.Response, error) {
	return func(r *api.Call) (*respond.Response, error) {
		r.Caller = account.Account{}
		return serve(&page{Call: r})
	}
}

// serveSuggest answers GET /events/suggest.
func serveSuggest(p *page) (*respond.Response, error) {
	return p.form(http.StatusOK, p.suggestion(form{}), p.T("site.suggest"))
}

// form shows a form of a proposal, or what became of it.
func (p *page) form(status int, ed *suggestion, title string) (*respond.Response, error) {
	if p.ReadOnly && ed.Open {
		ed.Open = false
		ed.Note = p.T("desk.read-only")
	}
	if ed.Open {
		p.Caller = account.Account{} // the choices are those of everybody
		p.view(func(v *store.View) {
			p.fill(v, &ed.editing)
		})
		ed.Others = p.elsewhere()
	}
	p.Body = ed
	fields, err := p.execute("suggest.html")
	if err != nil {
		return nil, err
	}
	style := p.Desk("files/" + styleName)
	return site.Form(p.Call, status, title, fields, style, p.suggestPath(), ed.Open)
}

// elsewhere returns the form in the other languages.
func (p *page) elsewhere() (others []elsewhere) {
	for _, b := range p.Front.Bases() {
		isFirst := b == p.Front.OfLanguage(b.Language.Tag)
		if b == p.Base || b.Namespace != p.Base.Namespace || !isFirst {
			continue
		}
		origin := p.Front.Origin(b, p.Site.Origin)
		others = append(others, elsewhere{
			Language: b.Language,
			Action:   origin + b.Prefix + p.Slugs.Page(p.suggestPath()),
			Link:     origin != p.Site.Origin,
		})
	}
	return others
}

// suggestPath returns the path of the form, or of the proposal, below each base address.
func (p *page) suggestPath() string {
	return proposalPath(p.Path["number"], p.Path["name"])
}

func proposalPath(number, secret string) string {
	return path.Join(site.SuggestPath, number, strings.ToUpper(secret)) + "/"
}

// suggestion returns a new form with values.
func (p *page) suggestion(values form) *suggestion {
	return &suggestion{
		editing: editing{
			Form: values,
			Key:  rand.Text(),
		},
		Stamp: p.Submissions.Stamp(p.Now),
		Note:  p.T("desk.suggest-note"),
		Open:  true,
	}
}

// servePropose answers POST /events/suggest. A program that fills in every field, or at once, gets
// the form again, as a person does who was quick.
func servePropose(p *page) (*respond.Response, error) {
	if p.sameSite() != nil {
		return p.form(http.StatusForbidden, &suggestion{
			Note: p.T("desk.cross-site"),
		}, p.T("site.suggest"))
	}
	ed := p.suggestion(p.sentProposal(form{}))
	was := form{"zone": p.Zone.Name()}
	if key := p.input("key"); len(key) == len(ed.Key) {
		ed.Key = key
	}
	early := !p.Submissions.IsReady(p.input("stamp"), p.Now)
	if _, ok := p.Submissions.Age(p.input("stamp"), p.Now); ok {
		ed.Stamp = p.input("stamp")
	}
	if p.input("do") == "language" {
		return p.form(http.StatusOK, ed, p.heading(ed))
	}
	if p.input("url") != "" || early {
		p.reject("", "desk.check-again")
		return p.formAgain(http.StatusUnprocessableEntity, ed, 0)
	}
	if p.check(ed.Form); p.Problems != nil {
		return p.formAgain(http.StatusUnprocessableEntity, ed, 0)
	}
	if wait, ok := p.Submissions.Take(p.Front.Client(p.HTTP)); !ok {
		p.reject("", "desk.too-many")
		return p.formAgain(http.StatusTooManyRequests, ed, wait)
	}
	sent := p.proposed(ed, was)
	if ed.Similar != nil {
		p.reject("venue", "desk.similar", "{name}", ed.Form["venue"])
		return p.formAgain(http.StatusUnprocessableEntity, ed, 0)
	}
	ed.Form.setTimes(sent)
	sent["title"] = ed.Form["title"]
	sent["status"] = string(store.Pending)
	secret := p.Submissions.Secret(ed.Key)
	full := false
	if err := p.owner(); err != nil {
		return nil, err
	}
	p.Call.Proposal = &store.Proposal{
		Key:   keyOf(secret),
		Name:  ed.Form["sender"],
		Email: ed.Form["email"],
	}
	id, err := p.once(ed.Key, func() (id int64, err error) {
		err = p.Submissions.Alone(func() error {
			full = p.waiting() >= p.Submissions.Most
			if !full {
				id, err = p.add(sent)
			}
			return err
		})
		if id != 0 {
			p.note(id)
		}
		return id, err
	})
	switch {
	case full:
		p.reject("", "desk.full")
		return p.formAgain(http.StatusServiceUnavailable, ed, time.Hour)
	case err != nil:
		return p.notTaken(ed, err)
	}
	return p.seeOther(id, secret), nil
}

// sentProposal returns the values that were sent of the fields of a proposal; the other ones are
// as they were.
func (p *page) sentProposal(was form) form {
	sent := p.sentForm()
	f := maps.Clone(was)
	sent["sender"] = strings.TrimSpace(p.input("sender"))
	sent["email"] = strings.TrimSpace(p.input("email"))
	f["sure"] = sent["sure"]
	for name := range mostOf {
		f[name] = sent[name]
	}
	return f
}

func (p *page) heading(ed *suggestion) string {
	if ed.IsNew() {
		return p.T("site.suggest")
	}
	return p.T("desk.proposal")
}

// formAgain shows the form with the problems. A wait says when to try again; 0 says nothing.
func (p *page) formAgain(
	status int,
	ed *suggestion,
	wait time.Duration,
) (*respond.Response, error) {
	answer, err := p.form(status, ed, p.heading(ed))
	if err == nil && wait > 0 {
		answer.Header["Retry-After"] = strconv.Itoa(int((wait + time.Second - 1) / time.Second))
	}
	return answer, err
}

// check finds mistakes that no operation of the API finds, in the order of the form.
func (p *page) check(f form) {
	for _, name := range slices.Sorted(maps.Keys(mostOf)) {
		if most := mostOf[name]; utf8.RuneCountInString(f[name]) > most {
			count := p.locale().Number(most)
			p.reject(name, "desk.too-long", "{field}", p.T(labels[name]), "{count}", count)
		}
	}
	if f["title"] == "" {
		p.complain("title")
	}
	p.checkTimes(f, form{})
	p.checkYear(f)
	p.checkCost(f)
	if strings.Count(f["organizer"], ";") >= organizersMost {
		p.complain("organizer")
	}
	if f["sender"] == "" {
		p.complain("sender")
	}
	if !pages.Mailbox.MatchString(f["email"]) {
		p.reject("email", "desk.bad-email")
	}
}

// proposed returns the members of the API for a proposal. Its place and its categories are public
// ones, or a place is new.
func (p *page) proposed(ed *suggestion, was form) (sent map[string]any) {
	f := maps.Clone(ed.Form)
	var among []store.Record
	p.view(func(v *store.View) {
		f["categories"] = strings.Join(
			slices.DeleteFunc(strings.Split(f["categories"], ","), func(id string) bool {
				return v.Term(store.Categories, api.ParseID(id)) == nil
			}),
			",",
		)
		sent = f.members(was)
		if f["venue"] != was["venue"] {
			chosen := p.input("place")
			if place := v.Venue(idOf(chosen)); chosen != newPlace &&
				(place == nil || !access.MayName(p.Caller, place)) {
				chosen = ""
			}
			sent["venue"], among = p.place(v, f["venue"], chosen)
		}
		if f["organizer"] != was["organizer"] {
			sent["organizer"] = p.organizers(v, f["organizer"])
		}
	})
	ed.Similar = p.similar(f["venue"], among)
	return sent
}

// owner lets the request write in the name of the account that owns proposals, with the rights of
// a contributor whatever its role: it publishes nothing, and stores no HTML unchanged.
func (p *page) owner() error {
	a, ok := p.Accounts.Enabled(p.Submissions.Account)
	if !ok || !a.May(account.CreateOwn) {
		return api.Over(
			http.StatusServiceUnavailable,
			"rest_no_proposals",
			"submissions",
			"Nothing can be proposed now.",
			time.Hour,
		)
	}
	a.Role = account.Contributor
	p.Caller = a
	return nil
}

// keyOf returns what is stored of the secret in an address.
func keyOf(secret string) string {
	sum := sha256.Sum256([]byte(strings.ToUpper(secret)))
	return hex.EncodeToString(sum[:])
}

// waiting returns how many proposals wait.
func (p *page) waiting() (n int) {
	p.view(func(v *store.View) {
		for r := range v.Each(store.Events) {
			if waits(r.(*store.Event)) {
				n++
			}
		}
	})
	return n
}

// waits reports whether an event is a proposal that nobody has decided on.
func waits(e *store.Event) bool {
	return e.Status == store.Pending && e.Proposal.Key != ""
}

// note writes a new proposal into the file of proposals.
func (p *page) note(id int64) {
	var n submission.Note
	p.view(func(v *store.View) {
		if e := v.Event(id); e != nil {
			n = submission.Note{
				Time:  p.Now.UTC(),
				ID:    id,
				Title: markup.Plain(e.Title),
				Start: e.Start.String(),
			}
		}
	})
	if err := p.Submissions.Write(n); err != nil {
		p.Log.Error("a proposal is not in the file of proposals", "id", id, "err", err)
	}
}

// notTaken shows the form with the reasons of an operation.
func (p *page) notTaken(ed *suggestion, err error) (*respond.Response, error) {
	status, err := p.reasons(err)
	if err != nil {
		return nil, err
	}
	return p.formAgain(status, ed, 0)
}

// seeOther leads to the address of a proposal.
func (p *page) seeOther(id int64, secret string) *respond.Response {
	p.Caller = account.Account{} // the access log names who asked
	answer := p.redirect(p.PageAt(proposalPath(digits(id), secret)))
	answer.Header["Referrer-Policy"] = "no-referrer"
	return answer
}
