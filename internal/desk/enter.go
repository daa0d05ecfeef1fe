// The caller of a request to the desk, whom a cookie or a sign-in names.

package desk

import (
	"net/http"
	"net/url"
	"strings"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/api/front"
	"almanac/internal/people/account"
)

// errCrossSite refuses a form that a page of another site sent.
var errCrossSite = &api.Error{
	Status:  http.StatusForbidden,
	Code:    "rest_cross_site",
	Message: "This form was sent by a page of another site, and changed nothing. Open the desk and fill in the form there.",
}

// enter finds the caller of a request to the desk, and the language. Other sites cannot send its
// forms.
func enter(r *api.Call) error {
	p := &page{Call: r}
	if err := p.sameSite(); err != nil {
		return err
	}
	tag := ""
	if chosen, err := r.HTTP.Cookie(p.cookieName("language")); err == nil {
		tag = chosen.Value
	}
	if name, isNamed := p.proxyUser(); isNamed {
		r.Caller, _ = r.Accounts.Named(name)
	} else if cookies := r.HTTP.CookiesNamed(p.cookieName("session")); len(cookies) == 1 { // of two, somebody else may have set one
		var err error
		r.Session, r.Caller, err = r.Sessions.Find(cookies[0].Value, r.Accounts)
		if err != nil {
			return err
		}
	}
	if r.Session.Language != "" {
		tag = r.Session.Language
	}
	chosen, ok := i18n.Find(tag)
	if !ok {
		chosen, ok = i18n.Negotiate(
			strings.Join(r.HTTP.Header["Accept-Language"], ","),
			i18n.Languages(),
		)
	}
	if ok && chosen.Tag != r.Language.Tag {
		r.Language = chosen
	}
	r.Asked.Language = []string{r.Language.Tag}
	return nil
}

// proxyUser returns the login of the account that a trusted proxy names, and whether it names one.
// It decides alone then, at each request anew: cookies do not count.
func (p *page) proxyUser() (login string, isNamed bool) {
	sent := strings.TrimSuffix(front.Sent(p.HTTP).URL.Path, "/")
	if p.DeskUser == "" || sent != strings.TrimSuffix(p.HTTP.URL.Path, "/") {
		return "", false // the proxy may take another spelling of the path for another place
	}
	return p.Front.Field(p.HTTP, p.DeskUser)
}

// sameSite refuses forms of other origins than the origin of this request and the origin of the
// site.
func (p *page) sameSite() error {
	host, secure := p.Front.AskedAs(p.HTTP)
	origins := []string{map[bool]string{false: "http://", true: "https://"}[secure] + host}
	if u, err := url.Parse(p.Site.Origin); err == nil {
		origins = append(origins, u.Scheme+"://"+u.Host)
	}
	var protection http.CrossOriginProtection
	for _, origin := range origins {
		_ = protection.AddTrustedOrigin(origin) // without a host there is none
	}
	if protection.Check(p.HTTP) != nil {
		return errCrossSite
	}
	return nil
}

// authenticate returns the account of a login with a token, as in basic authentication. Failures
// count with those of the API.
func (p *page) authenticate(login, token string) (account.Account, error) {
	basic := http.Request{Header: http.Header{}}
	basic.SetBasicAuth(login, token)
	a, err := p.Accounts.Authenticate(basic.Header.Get("Authorization"))
	if err != nil {
		err = p.FailedLogin(err)
	}
	return a, err
}

// linked returns the account that a link signs in. Failures count as those of logins do.
func (p *page) linked(link string) (account.Account, error) {
	a, err := p.Call.Sessions.Linked(link, p.Accounts)
	if err != nil {
		err = p.FailedLogin(err)
	}
	return a, err
}
