// The cookies of the desk: of a session, and of the language before the sign-in.

package desk

import (
	"net/http"
	"net/url"
	"strings"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/people/account"
)

// Desk returns the path of a page of the desk, as browsers know it.
func (p *page) Desk(below string) string {
	u, err := url.Parse(p.Site.Origin)
	if err != nil {
		return api.DeskPath + below
	}
	return strings.TrimSuffix(u.Path, "/") + api.DeskPath + below
}

// isSecure reports whether the desk is asked by https, as the client sees it.
func (p *page) isSecure() bool {
	_, secure := p.Front.AskedAs(p.HTTP)
	return secure || strings.HasPrefix(p.Site.Origin, "https://")
}

// cookieName returns the name of a cookie. By https it has a prefix, with which browsers take it
// by https alone.
func (p *page) cookieName(of string) string {
	if p.isSecure() {
		return "__Secure-almanac-" + of
	}
	return "almanac-" + of
}

// setCookie sets a cookie with the answer; an empty value removes it.
func (p *page) setCookie(of, value string, seconds int) {
	if value == "" {
		seconds = -1
	}
	c := http.Cookie{
		Name:     p.cookieName(of),
		Value:    value,
		Path:     p.Desk(""),
		MaxAge:   seconds,
		HttpOnly: true,
		Secure:   p.isSecure(),
		SameSite: http.SameSiteLaxMode,
	}
	p.cookie = c.String()
}

// begin begins a session, always a new one. A link that is given is used up.
func (p *page) begin(a account.Account, linked string) error {
	one := account.Session{
		Browser: browserOf(p.HTTP.UserAgent()),
	}
	if client := p.Front.Client(p.HTTP); client.IsValid() {
		one.Address = client.String()
	}
	if chosen, err := p.HTTP.Cookie(p.cookieName("language")); err == nil {
		if l, ok := i18n.Find(chosen.Value); ok {
			one.Language = l.Tag
		}
	}
	value, err := p.Call.Sessions.Begin(a, linked, one)
	if err == nil {
		p.Caller = a
		p.setCookie("session", value, int(account.SessionTime.Seconds()))
		by := "token"
		if linked != "" {
			by = "link"
		}
		p.Log.Info("signed in", "login", a.Login, "address", p.Front.Client(p.HTTP), "by", by)
	}
	return err
}

// browsers and systems are parts of the User-Agent of browsers with their names. Browsers call
// themselves others, too: the first part that is there counts.
var (
	browsers = []fact{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser", "Samsung Internet"},
		{"Firefox", "Firefox"},
		{"FxiOS", "Firefox"},
		{"CriOS", "Chrome"},
		{"Chrome", "Chrome"},
		{"Safari", "Safari"},
	}
	systems = []fact{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"Windows", "Windows"},
		{"CrOS", "ChromeOS"},
		{"Mac OS", "Mac"},
		{"Linux", "Linux"},
	}
)

// browserOf returns the kind of a browser and of its system by its User-Agent: "Firefox, Android".
// It is "" for an unknown one: what a client calls itself is not kept.
func browserOf(agent string) string {
	var names []string
	for _, parts := range [][]fact{browsers, systems} {
		for _, part := range parts {
			if strings.Contains(agent, part.Name) {
				names = append(names, part.Value)
				break
			}
		}
	}
	return strings.Join(names, ", ")
}

// yearSeconds is how long a chosen language is kept before the sign-in.
const yearSeconds = 365 * 24 * 60 * 60

// choose keeps a language with the session, or in a cookie of a reader without one.
func (p *page) choose(l i18n.Language) error {
	if p.Session.SHA256 != "" {
		return p.Call.Sessions.SetLanguage(p.Caller.ID, p.Session.SHA256, l.Tag)
	}
	p.setCookie("language", l.Tag, yearSeconds)
	return nil
}
