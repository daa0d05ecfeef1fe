// Package desk is the desk: the pages below /desk/ on which people keep the calendar in a browser.
//
//	on("GET /desk", desk.Home)
//
// It promises that a form becomes the parameters of an operation of the API, and that this
// operation checks and writes them: the desk decides nothing about rights and rules. A refused
// input comes back in its form, with the reasons beside the fields.
//
// The files: desk.go (the frame of every page, its style sheet and script), enter.go (the caller),
// cookie.go and sign.go (sessions), home.go (the list of events), form.go (an event as a form, and
// back), repeat.go (its series), check.go (its mistakes), event.go (the page with that form),
// save.go (its buttons), place.go (the venue that a form names), conflict.go (two changes of one
// event), records.go (venues, organizers, categories and tags), changes.go (what a record was, and
// how it becomes so again), merge.go (two records that are the same), bulk.go (many events at
// once), pictures.go (uploads), suggest.go and proposal.go (the form of people without an account,
// and the address of their proposal), waiting.go (the decision on proposals), feeds.go (the secret
// feeds of one's account), settings.go (the settings of the site), accounts.go and server.go (for
// administrators).
package desk

import (
	"cmp"
	"crypto/rand"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"almanac/i18n"
	"almanac/i18n/cldr"
	"almanac/internal/api"
	"almanac/internal/api/front"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/text/markup"
	"almanac/internal/wire/pages"
	"almanac/store"
)

//go:embed theme/*.html
var files embed.FS

//go:embed theme/style.css
var style []byte

//go:embed theme/desk.js
var script []byte

var (
	styleName  = pages.StyleName(style)
	scriptName = pages.HashedName("desk", script, ".js")
	theme      = sync.OnceValue(func() *template.Template { // most servers have no desk
		return template.Must(template.New("").Funcs(template.FuncMap{
			"of": of,
		}).ParseFS(files, "theme/*.html"))
	})
)

// A page is a request to the desk, with what its template shows.
type page struct {
	*api.Call
	Title    string
	Problems []problem
	Body     any           // of the template of the page
	Content  template.HTML // the executed template
	Nonce    string        // random name of the script in the policy, which allows no other
	cookie   string        // value of Set-Cookie; "" is none
}

// A label is the key of the text for a field, or for a value of one.
type label struct{ Name, Key string }

// A fact is a value with its name.
type fact struct{ Name, Value string }

// A problem is a reason why a form was not taken.
type problem struct {
	Field string // "" of the whole form
	Text  string
}

// A field has the parts that the template of a field of a form shows.
type field struct {
	*page
	Name, Label, Value, Type, Note, Wrong string
	Required                              bool // and marked so in the public form
}

// of returns a field of a page for its template: its name, the key of its label, its type, and the
// key of a note.
func of(p *page, values form, name, label, kind, note string) field {
	f := field{page: p, Name: name, Label: p.T(label), Value: values[name], Type: kind}
	if note != "" {
		f.Note = p.T(note)
	}
	f.Wrong = p.Wrong(name)
	if _, ok := p.Body.(*suggestion); ok {
		f.Required = slices.Contains([]string{"title", "date", "sender", "email"}, name)
	}
	layout := map[string]string{"date": time.DateOnly, "time": timeLayout, "moment": momentLayout}[kind]
	if _, err := time.Parse(layout, f.Value); layout != "" && f.Value != "" && err != nil {
		f.Type = "plain" // which shows what was typed
	}
	return f
}

// reject adds a problem of a field, with a text of the catalogue.
func (p *page) reject(field, key string, values ...string) {
	p.Problems = append(p.Problems, problem{field, p.T(key, values...)})
}

// Wrong returns what is wrong with a field, "" if nothing is.
func (p *page) Wrong(name string) string {
	for _, wrong := range p.Problems {
		if wrong.Field == name {
			return wrong.Text
		}
	}
	return ""
}

// Opens reports whether a fold of a form that was not taken is open: something is wrong with one of
// its fields, or one was filled in.
func (p *page) Opens(values form, names ...string) bool {
	return p.Problems != nil && slices.ContainsFunc(names, func(name string) bool {
		return values[name] != "" || p.Wrong(name) != ""
	})
}

// open makes an operation that needs no session.
func open(name string, serve func(*page) (*respond.Response, error)) *api.Op {
	return api.NewDesk(api.Op{
		Name: name,
		Serve: func(r *api.Call) (*respond.Response, error) {
			p := &page{Call: r, Nonce: rand.Text()}
			if answer := p.lead(); answer != nil {
				return answer, nil
			}
			answer, err := serve(p)
			if err != nil && p.cookie != "" {
				answer, err = refuse(r, api.ErrorOf(err, r.Log))
			}
			if err == nil && p.cookie != "" {
				answer.Header["Set-Cookie"] = p.cookie
			}
			return answer, err
		},
	}, enter, refuse)
}

// operation makes an operation for accounts that are signed in. Others sign in first, on the same
// page.
func operation(name string, serve func(*page) (*respond.Response, error)) *api.Op {
	return api.SignedIn(open(name, func(p *page) (*respond.Response, error) {
		if p.Caller.IsStranger() {
			if answer, err := p.signInFirst(); answer != nil || err != nil {
				return answer, err
			}
		}
		return serve(p)
	}))
}

// lead leads to the path as browsers have to write it, since they send cookies to no other one.
func (p *page) lead() *respond.Response {
	if strings.HasPrefix(front.Sent(p.HTTP).URL.Path, api.DeskPath) ||
		p.HTTP.Method != http.MethodGet && p.HTTP.Method != http.MethodHead {
		return nil
	}
	return p.redirect(p.address())
}

// address returns path and query of the page, as browsers know it.
func (p *page) address() string {
	address := p.Desk(p.below())
	if p.HTTP.URL.RawQuery != "" {
		address += "?" + p.HTTP.URL.RawQuery
	}
	return address
}

// below returns the path of the page below the desk.
func (p *page) below() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.HTTP.URL.Path, "/desk"), "/")
}

// redirect leads to another page of the desk.
func (p *page) redirect(to string) *respond.Response {
	header := p.header()
	header["Location"] = to
	return &respond.Response{
		Status: http.StatusSeeOther,
		Header: header,
		Media:  "text/html; charset=utf-8",
	}
}

// inside returns the path of a page of the desk that a form names, or the home page.
func (p *page) inside(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.ContainsAny(to, "\\\r\n") {
		return p.Desk("")
	}
	below := path.Clean(u.Path) // as browsers do
	if strings.HasSuffix(u.Path, "/") {
		below += "/"
	}
	if !strings.HasPrefix(below, p.Desk("")) {
		return p.Desk("")
	}
	return (&url.URL{Path: below, RawQuery: u.RawQuery}).RequestURI()
}

// header returns the header fields of every page of the desk: no cache keeps it, no other site
// frames it.
func (p *page) header() map[string]string {
	return map[string]string{
		"Cache-Control":   "no-store",
		"Referrer-Policy": "same-origin",
		"Content-Security-Policy": "default-src 'none'; script-src 'nonce-" + p.Nonce + "'; style-src 'self'; img-src 'self'; " +
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	}
}

// view looks at the records.
func (p *page) view(look func(v *store.View)) {
	_ = p.Store.View(func(v *store.View) error {
		look(v)
		return nil
	})
}

// all returns the records of a kind, in no order, to be looked at outside of the View: there may be
// very many, and records never change.
func (p *page) all(k store.Kind) (records []store.Record) {
	p.view(func(v *store.View) {
		records = slices.AppendSeq(make([]store.Record, 0, v.Len(k)), v.Each(k))
	})
	return records
}

// locale returns how the language of the reader writes dates and numbers.
func (p *page) locale() *cldr.Locale {
	return p.Language.Locale()
}

// input returns the value of a field that was sent, or of a parameter of the address.
func (p *page) input(name string) string {
	return p.In.Text(name)
}

// digits writes an id.
func digits(id int64) string {
	return strconv.FormatInt(id, 10)
}

// idOf reads an id. An empty text is 0, the id of no record.
func idOf(text string) int64 {
	return api.ParseID(cmp.Or(text, "0"))
}

// byAge orders records of a kind, the oldest first.
func byAge[R store.Record](a, b R) int {
	return cmp.Compare(a.Key(), b.Key())
}

// show answers with a page that a template shows.
func (p *page) show(status int, name, title string, body any) (*respond.Response, error) {
	p.Title = title
	p.Body = body
	content, err := p.execute(name)
	if err != nil {
		return nil, err
	}
	p.Content = content
	html, err := p.execute("frame.html")
	if err != nil {
		return nil, err
	}
	return &respond.Response{
		Status: status,
		Body:   respond.Text(markup.DropUnshown([]byte(html))),
		Media:  "text/html; charset=utf-8",
		Header: p.header(),
	}, nil
}

// execute returns what a template makes of the page.
func (p *page) execute(name string) (template.HTML, error) {
	var b strings.Builder
	err := theme().ExecuteTemplate(&b, name, p)
	return template.HTML(b.String()), err
}

// refuse returns the page that says why a request was refused.
func refuse(r *api.Call, e *api.Error) (*respond.Response, error) {
	p := &page{Call: r, Nonce: rand.Text()}
	answer, err := p.show(e.Status, "refused.html", p.T(refusal(e)), nil)
	if err == nil {
		for name, value := range e.Header() {
			answer.Header[name] = value
		}
	}
	return answer, err
}

// refusal returns the key of the text that says what an error of the API says to programs.
func refusal(e *api.Error) string {
	switch {
	case e.Code == "rest_cross_site":
		return "desk.cross-site"
	case e.Code == "rest_cannot_delete":
		return "desk.others-use"
	case e.Code == "rest_record_in_use":
		return "desk.in-use"
	case e.Status == http.StatusForbidden || e.Status == http.StatusUnauthorized:
		return "desk.not-allowed"
	case strings.HasPrefix(e.Code, "rest_picture"):
		return "desk.bad-picture"
	case e.Status == http.StatusRequestEntityTooLarge:
		return "site.too-long"
	case e == api.ErrNoRoom:
		return "desk.disk-full"
	case e.Code == "rest_read_only":
		return "desk.read-only"
	case e.Code == "rest_store_unavailable":
		return "desk.refusing"
	case e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable || e.Status == http.StatusInsufficientStorage:
		return "site.busy"
	case e.Status < http.StatusInternalServerError:
		return "site.not-found"
	}
	return "site.failed"
}

// File answers with the style sheet of the desk, or with its script, which no page needs.
var File = api.NewDesk(api.Op{
	Name: "desk.file",
	Serve: func(r *api.Call) (*respond.Response, error) {
		name := r.Path["name"]
		text := style
		media := "text/css; charset=utf-8"
		switch name {
		case styleName:
		case scriptName:
			text = script
			media = "text/javascript; charset=utf-8"
		default:
			return nil, api.ErrNoRoute
		}
		return &respond.Response{
			Status: http.StatusOK,
			Body:   respond.Asset(text),
			Media:  media,
			Tag:    `"` + name + `"`,
			Header: map[string]string{"Cache-Control": "public, max-age=31536000, immutable"},
		}, nil
	},
}, enter, nil)

// The following are for templates.

// T returns a text with values in it. Pages have no isolates: marks hold the code together that
// the catalogue isolates.
func (p *page) T(key string, values ...string) string {
	return strings.NewReplacer(append(values, "\u2066`", "\u200e", "`\u2069", "\u200e", "`", "")...).
		Replace(p.Language.Text(key))
}

// Styles returns the addresses of the style sheets of public pages, and of the desk after them.
func (p *page) Styles() (all []string) {
	for _, name := range p.Pages.Styles {
		all = append(all, p.public()+"/assets/"+name)
	}
	return append(all, p.Desk("files/"+styleName))
}

// Script returns the address of the script of the desk.
func (p *page) Script() string {
	return p.Desk("files/" + scriptName)
}

// public returns what stands before the paths of public files.
func (p *page) public() string {
	return strings.TrimSuffix(p.Desk(""), api.DeskPath)
}

// Languages returns the languages in their own words.
func (p *page) Languages() []i18n.Language {
	return i18n.Languages()
}

// Here returns the path and query of the page, for forms that come back to it. Pages that answer a
// form have none, so that nothing leads away from a text that is not saved.
func (p *page) Here() string {
	if p.HTTP.Method != http.MethodGet {
		return ""
	}
	return p.address()
}

// At reports whether the page is below a path of the desk.
func (p *page) At(below string) bool {
	return p.below() == below || below != "" && strings.HasPrefix(p.below(), below+"/")
}

// Public returns the address of the calendar for everybody, "" if there are no pages.
func (p *page) Public() string {
	if p.Pages.Theme == nil {
		return ""
	}
	return p.PageAt("/events/")
}

// The rights that templates ask for; the API checks them again.

func (p *page) MayCreate() bool {
	return p.Caller.May(account.CreateOwn)
}
func (p *page) MayPublish() bool {
	return p.Caller.May(account.Publish)
}
func (p *page) MayUpload() bool {
	return p.Caller.May(account.UploadImages)
}

func (p *page) MayAdminister() bool {
	return p.Caller.May(account.Administer)
}

// Done returns the text that says what a form did, which its address names.
func (p *page) Done() string {
	key := map[string]string{
		"saved":     "desk.saved",
		"published": "desk.published",
		"sent":      "desk.sent",
		"trashed":   "desk.trashed",
		"scheduled": "desk.scheduled",
		"restored":  "desk.restored",
		"ended":     "desk.ended",
		"merged":    "desk.merged",
		"removed":   "desk.removed",
		"declined":  "desk.declined",
		"link":      "desk.link-used",
	}[p.input("done")]
	if key == "" || p.HTTP.Method != http.MethodGet {
		return ""
	}
	if dates, err := strconv.Atoi(p.input("dates")); err == nil && dates > 0 {
		number := p.locale().Number(dates)
		return p.T(key) + " " + p.T("desk.dates-changed", "{count}", number)
	}
	return p.T(key, "{login}", p.Caller.Login)
}
