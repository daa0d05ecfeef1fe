// Signing in and out, and the sessions of an account.

package desk

import (
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
)

// The operations on sessions.
var (
	SignIn   = api.Keeps(open("desk.sign-in", serveSignIn))
	Link     = open("desk.link", serveLink)
	Follow   = api.Keeps(open("desk.follow-link", serveFollow))
	SignOut  = api.Keeps(open("desk.sign-out", serveSignOut))
	Language = api.Keeps(open("desk.language", serveLanguage))
	Sessions = operation("desk.sessions", serveSessions)
	End      = api.Keeps(operation("desk.end-session", serveEnd))
	Stolen   = operation("desk.stolen", serveStolen)
	EndAll   = operation("desk.end-all", serveEndAll)
)

// A signIn is the form in which somebody signs in. The values of the form that was sent go with
// it, so that nothing typed is lost.
type signIn struct {
	Action string
	To     string // the page that comes next; "" goes on with the values
	Values []fact // of the form that was sent
	Login  string
}

// Names of the fields of the form, which no other form has.
const (
	loginField = "sign-in-login"
	tokenField = "sign-in-token"
	keptName   = "kept-name"
	keptFile   = "kept-file"
)

// valuesMost is how many fields of a form go with the form of a sign-in. The forms of the desk
// have fewer.
const valuesMost = 300

// keptMost is how many bytes of a file go with the form. The page has them, and not the server: it
// would keep them for strangers.
const keptMost = 8 << 20

// signInFirst answers a request without a session with the form. If the form was sent with another
// one, the request goes on: it returns nothing.
func (p *page) signInFirst() (*respond.Response, error) {
	if p.HTTP.Method != http.MethodPost {
		return p.showSignIn(http.StatusOK, signIn{Action: p.Desk("sign-in"), To: p.address()})
	}
	form := signIn{Action: p.address(), Login: p.input(loginField)}
	names := p.In.Names()
	slices.Sort(names)
	for _, name := range names[:min(len(names), valuesMost)] {
		if name != loginField && name != tokenField {
			form.Values = append(form.Values, fact{name, p.input(name)})
		}
	}
	if file := p.In.Upload(); file != nil && len(file.Data) > 0 && len(file.Data) <= keptMost {
		form.Values = append(
			form.Values,
			fact{keptName, file.Name},
			fact{keptFile, base64.RawURLEncoding.EncodeToString(file.Data)},
		)
	}
	if form.Login == "" {
		return p.showSignIn(http.StatusForbidden, form)
	}
	return p.signIn(form)
}

// signIn signs in by login and token, and returns nothing, or the form with the problem.
func (p *page) signIn(form signIn) (*respond.Response, error) {
	a, err := p.authenticate(form.Login, p.input(tokenField))
	var refused *api.Error
	switch {
	case errors.As(err, &refused):
		return nil, err
	case err == nil && !a.IsStranger():
		return nil, p.begin(a, "")
	}
	p.reject(loginField, "desk.wrong-login")
	return p.showSignIn(http.StatusForbidden, form)
}

func (p *page) showSignIn(status int, form signIn) (*respond.Response, error) {
	if form.Values != nil && form.Login == "" {
		p.reject(loginField, "desk.session-over")
	}
	return p.show(status, "sign-in.html", p.T("desk.sign-in"), form)
}

// serveSignIn answers GET and POST of /desk/sign-in.
func serveSignIn(p *page) (*respond.Response, error) {
	form := signIn{
		Action: p.Desk("sign-in"),
		To:     p.inside(p.input("to")),
		Login:  p.input(loginField),
	}
	if p.HTTP.Method != http.MethodPost {
		return p.showSignIn(http.StatusOK, form)
	}
	if answer, err := p.signIn(form); answer != nil || err != nil {
		return answer, err
	}
	if form.To == p.Desk("") {
		form.To = p.start()
	}
	return p.redirect(form.To), nil
}

// serveLink answers GET /desk/link with a button: programs that scan mail open links, too, and
// press none.
func serveLink(p *page) (*respond.Response, error) {
	a, err := p.linked(p.input("token"))
	if err != nil {
		return p.deadLink(err)
	}
	return p.show(
		http.StatusOK,
		"link.html",
		p.T("desk.sign-in"),
		struct{ Login, Token string }{a.Login, p.input("token")},
	)
}

// serveFollow answers POST /desk/link: it signs in.
func serveFollow(p *page) (*respond.Response, error) {
	link := p.input("token")
	a, err := p.linked(link)
	if err == nil {
		err = p.begin(a, link)
	}
	if err != nil {
		return p.deadLink(err)
	}
	return p.redirect(p.start()), nil
}

// deadLink answers a link that signs in nobody.
func (p *page) deadLink(err error) (*respond.Response, error) {
	if !errors.Is(err, account.ErrNoLink) {
		return nil, err
	}
	if !p.Caller.IsStranger() {
		return p.redirect(p.start() + "?done=link"), nil // perhaps it was used in this browser
	}
	p.reject(loginField, "desk.dead-link")
	return p.showSignIn(http.StatusForbidden, signIn{Action: p.Desk("sign-in"), To: p.Desk("")})
}

// serveSignOut answers POST /desk/sign-out.
func serveSignOut(p *page) (*respond.Response, error) {
	p.setCookie("session", "", 0) // also if the disk is full, and the session goes on without it
	if p.Session.SHA256 != "" {
		if err := p.Call.Sessions.End(p.Caller.ID, p.Session.SHA256); err != nil {
			return nil, err
		}
	}
	if _, isNamed := p.proxyUser(); isNamed {
		return p.redirect(p.Desk("account")), nil // which says that the proxy decides
	}
	return p.redirect(p.Desk("sign-in")), nil
}

// serveLanguage answers POST /desk/language.
func serveLanguage(p *page) (*respond.Response, error) {
	if l, ok := i18n.Find(p.input("language")); ok {
		if err := p.choose(l); err != nil {
			return nil, err
		}
	}
	return p.redirect(p.inside(p.input("to"))), nil
}

// A sessionRow is a session or a link on the page of the account.
type sessionRow struct {
	ID, When string
	Where    string // browser and address, as far as they are known
	Here     bool   // of the browser that shows it
}

// serveSessions answers GET /desk/account with the account, its sessions and its links.
func serveSessions(p *page) (*respond.Response, error) {
	own, links := p.Call.Sessions.Of(p.Caller.ID)
	var rows struct{ Sessions, Links []sessionRow }
	when := func(t time.Time) string {
		return p.locale().FullTime(p.Zone.Wall(t))
	}
	for _, one := range own {
		where := slices.DeleteFunc(
			[]string{one.Browser, one.Address},
			func(text string) bool {
				return text == ""
			},
		)
		rows.Sessions = append(rows.Sessions, sessionRow{
			ID:    one.SHA256,
			When:  when(one.Created),
			Where: strings.Join(where, "\u00a0· "),
			Here:  one.SHA256 == p.Session.SHA256,
		})
	}
	for _, l := range links {
		rows.Links = append(rows.Links, sessionRow{ID: l.SHA256, When: when(l.Expires)})
	}
	return p.show(http.StatusOK, "account.html", p.T("desk.account"), rows)
}

// A stolenPage is the page for the day on which a phone was stolen.
type stolenPage struct {
	Numbers []fact // of the ways into the account, each with its name
	Ended   bool   // the numbers are of those that were ended
	Fixed   bool   // the server may not change accounts: tokens and feeds stay
}

// serveStolen answers GET /desk/account/stolen with the other ways into the account.
func serveStolen(p *page) (*respond.Response, error) {
	own, links := p.Call.Sessions.Of(p.Caller.ID)
	n := account.Ended{SignIns: len(own), Links: len(links)}
	if p.Session.SHA256 != "" {
		n.SignIns--
	}
	for _, one := range p.Call.Accounts.List() {
		if one.ID == p.Caller.ID {
			n.Tokens = len(one.Tokens)
			n.Feeds = len(one.Feeds)
		}
	}
	return p.showStolen(stolenPage{}, n)
}

// serveEndAll answers POST of that page: it ends them.
func serveEndAll(p *page) (*respond.Response, error) {
	var n account.Ended
	err := p.Call.Accounts.Change(p.Caller, account.KeepFeeds, func(u *account.Users) (err error) {
		_, n, err = u.RevokeAll(p.Caller.Login, p.Session.SHA256)
		return err
	})
	if errors.Is(err, account.ErrFixed) {
		n, err = p.Call.Sessions.EndAll(p.Caller.ID, p.Session.SHA256)
	}
	if errors.Is(err, account.ErrNoRight) {
		err = api.ErrForbidden
	}
	if err != nil {
		return nil, err
	}
	p.Log.Info("all other ways into an account were ended",
		"login", p.Caller.Login, "address", p.Front.Client(p.HTTP))
	return p.showStolen(stolenPage{Ended: true}, n)
}

func (p *page) showStolen(body stolenPage, n account.Ended) (*respond.Response, error) {
	body.Fixed = !p.Call.Accounts.MayChange()
	number := func(key string, n int) {
		one := fact{p.T(key), p.locale().Number(n)}
		body.Numbers = append(body.Numbers, one)
	}
	number("desk.sign-ins", n.SignIns)
	number("desk.sign-in-links", n.Links)
	if !body.Fixed {
		number("desk.tokens", n.Tokens)
		number("desk.feeds", n.Feeds)
	}
	return p.show(http.StatusOK, "stolen.html", p.T("desk.stolen"), body)
}

// serveEnd answers POST /desk/account: it ends one of the sessions or links.
func serveEnd(p *page) (*respond.Response, error) {
	done := "ended"
	id := strings.TrimSpace(p.input("session"))
	if id == "" {
		done = "removed"
		id = strings.TrimSpace(p.input("link"))
	}
	if err := p.Call.Sessions.End(p.Caller.ID, id); err != nil {
		return nil, err
	}
	return p.redirect(p.Desk("account?done=" + done)), nil
}
