// The accounts, for administrators: with the changes of `almanac users`, by the same functions.

package desk

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/store"
)

// The operations for administrators.
var (
	Accounts      = administration("desk.accounts", serveAccounts)
	ChangeAccount = administration("desk.change-account", serveChangeAccount)
)

// administration makes an operation for administrators.
func administration(name string, serve func(*page) (*respond.Response, error)) *api.Op {
	return api.SignedIn(operation(name, func(p *page) (*respond.Response, error) {
		if !p.MayAdminister() {
			return nil, api.ErrForbidden
		}
		return serve(p)
	}), account.Administer)
}

// An accountsPage is the list of accounts with the forms that change them.
type accountsPage struct {
	Fixed bool // the server may not change them
	Form  form // of a new account
	Roles []account.Role
	Rows  []accountRow
	Login string // of the account that Link signs in
	Link  string // a sign-in link, which is shown once; "" is none

	Invites bool // the link is an invitation
}

// An accountRow is an account in the list.
type accountRow struct {
	account.Listed
	Used string // when one of its tokens was used last; "" is unknown
}

// roleKeys are the keys of the words for roles.
var roleKeys = map[account.Role]string{
	account.Administrator: "desk.administrator",
	account.Editor:        "desk.editor",
	account.Author:        "desk.author",
	account.Contributor:   "desk.contributor",
	account.Subscriber:    "desk.subscriber",
}

// RoleWord returns the word for a role.
func (p *page) RoleWord(r account.Role) string {
	return p.T(roleKeys[r])
}

// WhyFixed says why the server may not change its accounts.
func (p *page) WhyFixed() string {
	if p.Call.Accounts.InMemory() {
		return p.T("desk.accounts-memory")
	}
	return p.T("desk.accounts-fixed")
}

// serveAccounts answers GET /desk/accounts.
func serveAccounts(p *page) (*respond.Response, error) {
	return p.showAccounts(http.StatusOK, accountsPage{})
}

func (p *page) showAccounts(status int, body accountsPage) (*respond.Response, error) {
	for _, one := range p.Call.Accounts.List() {
		last := time.Time{}
		for _, t := range one.Tokens {
			if t.Used.After(last) {
				last = t.Used
			}
		}
		row := accountRow{Listed: one}
		if !last.IsZero() {
			row.Used = p.locale().FullTime(p.Zone.Wall(last))
		}
		body.Rows = append(body.Rows, row)
	}
	body.Fixed = !p.Call.Accounts.MayChange()
	body.Roles = account.Roles()
	slices.Reverse(body.Roles)
	return p.show(status, "accounts.html", p.T("desk.accounts"), body)
}

// serveChangeAccount answers POST /desk/accounts: its buttons add an account, change one, or make
// a link for one.
func serveChangeAccount(p *page) (*respond.Response, error) {
	do := p.input("do")
	role := account.Role(p.input("role"))
	body := accountsPage{Login: strings.TrimSpace(p.input("login"))}
	if _, err := account.ParseRole(string(role)); err != nil && (do == "add" || do == "role") {
		return nil, api.ErrNoRoute
	}
	if do == "link" || do == "invite" {
		return p.showLink(body, do == "invite")
	}
	err := p.Call.Accounts.Change(
		p.Caller,
		account.Administer,
		func(u *account.Users) (err error) {
			switch do {
			case "add":
				_, err = u.Add(account.Account{
					Login: body.Login,
					Role:  role,
					Email: strings.TrimSpace(p.input("email")),
				})
			case "role":
				_, err = u.SetRole(body.Login, role, false)
			case "disable":
				_, err = u.Disable(body.Login, false)
			default:
				_, err = u.Enable(body.Login)
			}
			return err
		},
	)
	switch {
	case err == nil && do == "add":
		return p.showLink(body, true)
	case err == nil:
		return p.redirect(p.Desk("accounts?done=saved")), nil
	case errors.Is(err, account.ErrFixed), errors.Is(err, account.ErrNoRight):
		return nil, api.ErrForbidden
	case errors.Is(err, account.ErrLastAdmin):
		p.reject("", "desk.last-admin")
	case errors.Is(err, account.ErrNoUser):
		return nil, api.ErrNoRoute
	case do != "add" || errors.Is(err, store.ErrLatched):
		return nil, err
	default:
		body.Form = form{"login": body.Login, "email": p.input("email"), "role": string(role)}
		p.reject("login", "desk.bad-account")
	}
	return p.showAccounts(http.StatusUnprocessableEntity, body)
}

// showLink makes a link for an account, and shows it once. No address and no file has its secret.
func (p *page) showLink(body accountsPage, invites bool) (*respond.Response, error) {
	a, ok := p.Call.Accounts.Named(body.Login)
	if !ok {
		return nil, api.ErrNoRoute
	}
	secret, _, err := p.Call.Sessions.AddLink(p.Caller.ID, a, invites)
	if err != nil {
		return nil, err
	}
	body.Invites = invites
	body.Link = strings.TrimSuffix(p.Site.Origin, "/") + api.DeskPath + "link?token=" + secret
	return p.showAccounts(http.StatusOK, body)
}
