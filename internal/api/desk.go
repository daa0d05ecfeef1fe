// The desk: pages on which signed-in people write. Its operations have the caller of a session, whom a cookie names.

package api

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"almanac/i18n"
	"almanac/internal/account"
	"almanac/internal/front"
	"almanac/internal/params"
	"almanac/internal/respond"
)

// DeskPath is the path of the desk. Browsers send its cookies below it alone.
const DeskPath = "/desk/"

// NewDesk makes an operation of the desk, which answers with a page in the language of its reader, and refuses with one.
// Servers without Options.Sessions have no route for it. Its routes are at the neutral base address alone: cookies have one
// path.
func NewDesk(name string, serve func(*Call) (*respond.Response, error), refuse func(*Call, *Error) (*respond.Response, error)) *Op {
	return &Op{Name: name, Params: params.None, Serve: serve, refuse: refuse, traits: unlisted | desk,
		exists: func(s *Server) bool { return s.Sessions != nil }}
}

// isAt reports whether a base address has the route.
func (rt *route) isAt(b *front.Base) bool {
	return !rt.ops[0].op.is(desk) || b.Prefix == "" && b.Host == "" && b.Namespace == Namespace
}

// errCrossSite refuses a form that a page of another site sent.
var errCrossSite = &Error{Status: http.StatusForbidden, Code: "rest_cross_site",
	Message: "This form was sent by a page of another site, and changed nothing. Open the desk and fill in the form there."}

// enter finds the caller of a request to the desk, and the language. Other sites cannot send its forms.
func (r checking) enter() error {
	var protection http.CrossOriginProtection
	for _, origin := range r.origins() {
		_ = protection.AddTrustedOrigin(origin) // without a host there is none
	}
	if protection.Check(r.HTTP) != nil {
		return errCrossSite
	}
	tag := ""
	if chosen, err := r.HTTP.Cookie(r.CookieName("language")); err == nil {
		tag = chosen.Value
	}
	if cookie, err := r.HTTP.Cookie(r.CookieName("session")); err == nil {
		if r.Session, r.Caller, err = r.Sessions.Find(cookie.Value, r.accounts); err != nil {
			return err
		}
	}
	if r.Session.Language != "" {
		tag = r.Session.Language
	}
	chosen, ok := i18n.Find(tag)
	if !ok {
		chosen, ok = i18n.Negotiate(strings.Join(r.HTTP.Header["Accept-Language"], ","), i18n.Languages())
	}
	if ok && chosen.Tag != r.Language.Tag {
		r.Language = chosen
	}
	r.Asked.Language = []string{r.Language.Tag}
	return nil
}

// origins returns the origins of pages that may send forms: as the request was asked, and that of Options.URL.
func (r *Call) origins() []string {
	host, secure := r.Front.AskedAs(r.HTTP)
	scheme := "http://"
	if secure {
		scheme = "https://"
	}
	origins := []string{scheme + host}
	if u, err := url.Parse(r.Site.Origin); err == nil {
		origins = append(origins, u.Scheme+"://"+u.Host)
	}
	return origins
}

// IsSecure reports whether the desk is asked by https, as the client sees it.
func (r *Call) IsSecure() bool {
	_, secure := r.Front.AskedAs(r.HTTP)
	return secure || strings.HasPrefix(r.Site.Origin, "https://")
}

// CookieName returns the name of a cookie. By https it has a prefix, with which browsers take it by https alone.
func (r *Call) CookieName(of string) string {
	if r.IsSecure() {
		return "__Secure-almanac-" + of
	}
	return "almanac-" + of
}

// Authenticate returns the account of a login with a token, as in basic authentication. Failures count with those of the API.
func (r *Call) Authenticate(login, token string) (account.Account, error) {
	basic := http.Request{Header: http.Header{}}
	basic.SetBasicAuth(login, token)
	return checking{r}.login(basic.Header.Get("Authorization"))
}

// Linked returns the account that a link signs in. Failures count as those of logins do.
func (r *Call) Linked(link string) (account.Account, error) {
	id, err := r.Sessions.Linked(link)
	if err != nil {
		return account.Account{}, checking{r}.failedLogin(err)
	}
	if a, ok := r.accounts.Enabled(id); ok {
		return a, nil
	}
	return account.Account{}, account.ErrNoLink
}

// Run answers as another operation does, with the parameters and the condition of If-Match that a page found for it: the
// checks, the rights and the effect are those of a request to its own route. The error is a *params.Invalid, a
// *params.Missing or an *Error.
func (r *Call) Run(op *Op, path map[string]string, in *params.Input, ifMatch string) (*respond.Response, error) {
	page, asked := r.Input, r.Op
	defer func() { r.Input, r.Op = page, asked }()
	hr := *r.HTTP
	hr.Header = http.Header{}
	if ifMatch != "" {
		hr.Header.Set("If-Match", ifMatch)
	}
	r.HTTP, r.Op, r.Path, r.In = &hr, op, path, in
	answer, err := op.Serve(r)
	var invalid *params.Invalid
	var missing *params.Missing
	if err != nil && !errors.As(err, &invalid) && !errors.As(err, &missing) {
		err = errorOf(err, r.Log)
	}
	return answer, err
}
