// Pages: the calendar for people, at the addresses that records show.

package rest

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"almanac/filters"
	"almanac/i18n"
	"almanac/internal/front"
	"almanac/internal/limit"
	"almanac/internal/markup"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/store"
)

// A page is a request for a page, or for a feed at its address.
type page struct {
	*request
	Address         // as asked: the query counts before the path
	path    Address // of the path alone
	filter  *filters.Events
	queries [2]*string // of links to views, without and with a date
}

// newPage returns a request with its address. If no page has it, the address is the zero address.
func newPage(r *request) *page {
	p := &page{request: r}
	p.path, p.Address, _ = r.pageAddress(r.base, r.http)
	return p
}

// pageAddress returns the address of a page, and what its path alone says. It reports whether it is one.
func (s *Server) pageAddress(b *front.Base, hr *http.Request) (path, asked Address, ok bool) {
	below := strings.TrimPrefix(strings.TrimPrefix(hr.URL.Path, strings.ToLower(b.Prefix)), embedPath)
	below, ok = s.slugs.Meant(strings.TrimSuffix(below, "/"))
	if ok && int64(len(hr.URL.RawQuery)) <= most(int64(s.bounds.Query)) {
		path, ok = ParseAddress(below)
	}
	if !ok {
		return path, asked, false
	}
	in, _ := params.Read(params.Source{Method: http.MethodGet, Query: hr.URL.RawQuery}) // nothing can be wrong without a body
	return path, path.with(in), true
}

// The operations at the addresses of pages. The query may name another view, or an event: then that one answers.
var (
	List  = atPage("page.list")
	Month = atPage("page.month") // or a week
	Event = atPage("page.event")
	View  = atPage("page.view") // a list, a month or an event, by the path
)

func atPage(name string) *Op {
	return &Op{Name: name, Params: params.None, unlisted: true, choose: choosePage}
}

// The operations that answer with pages. Their parameters are those of lists of events: an address of a page is
// another way to write a query.
var (
	pageList  = pageOp("page.list", servePageList)
	pageMonth = pageOp("page.month", servePageMonth)
	pageEvent = pageOp("page.event", servePageEvent)
	noPage    = &Op{Name: "page.none", Params: params.None, serve: serveRenamed, html: true, unlisted: true, texts: true}
)

// pageOp makes an operation that answers with a page.
func pageOp(name string, serve func(*page) (*respond.Response, error)) *Op {
	op := listOp(name, params.EventList, func(r *request) (*respond.Response, error) {
		p := newPage(r)
		if answer, err := p.find(); answer != nil || err != nil {
			return answer, err
		}
		return serve(p)
	})
	op.unlisted, op.texts, op.html = true, true, true
	return op
}

// choosePage returns the operation of the page that is asked for, or of the feed.
func choosePage(h *handler, hr *http.Request) *Op {
	_, a, ok := h.server.pageAddress(h.base, hr)
	switch {
	case ok && a.Format != "":
		return a.feed()
	case h.server.theme == nil:
		return noRoute
	case !ok:
		return noPage
	}
	return a.operation()
}

// operation returns the operation that answers with the page.
func (a *Address) operation() *Op {
	switch view := a.display(); {
	case a.Single:
		return pageEvent
	case view == "month" || view == "week":
		return pageMonth
	}
	return pageList
}

// Home answers browsers with a page, and programs as Root does.
var Home = &Op{Name: Root.Name, Params: Root.Params, texts: true, serve: Root.serve, choose: func(h *handler, hr *http.Request) *Op {
	_, a, ok := h.server.pageAddress(h.base, hr)
	switch {
	case ok && a.Format != "":
		return a.feed()
	case ok && h.server.theme != nil && (wantsHTML(hr) || namesPage(hr)):
		return a.operation()
	}
	return Root
}}

// Embedded is a page for frames on other sites, behind the path /embed: without header and footer, and links lead to the
// pages around the frame.
var Embedded = &Op{Name: "page.embed", Params: params.None, unlisted: true, people: true, choose: func(h *handler, hr *http.Request) *Op {
	if _, a, ok := h.server.pageAddress(h.base, hr); ok {
		return a.operation()
	}
	return noPage
}}

// words is the texts of a language, for pages.
type words struct{ i18n.Language }

// Text returns a text with values in it.
func (w words) Text(key string, values ...string) string {
	text := w.Language.Text(key)
	if len(values) == 0 {
		return text
	}
	return strings.NewReplacer(values...).Replace(text)
}

// filterMost is the most bytes of a filter of a list: each of the hundred links of a page repeats them.
const filterMost = 1000

// find finds the subject of the page, and asks for it in the parameters of the API. It returns an answer if the page is
// elsewhere.
func (p *page) find() (*respond.Response, error) {
	if p.Single {
		id, err := p.eventID()
		if err != nil {
			return p.refused(err)
		}
		if own := p.ownPage(id); own != "" {
			return p.leadTo(own)
		}
		p.request.path = map[string]string{"id": itoa(int(id))}
		p.in = params.Given(map[string]any{"include": itoa(int(id))}, p.request.path)
		return nil, nil
	}
	if p.View == "" && (p.Venue != "" || p.Organizer != "") {
		p.View = "list"
	}
	query, err := p.listQuery(p.op)
	if err != nil {
		return p.refused(err)
	}
	for name, text := range p.parameters() {
		if len(text) > filterMost {
			return nil, invalid(name, fmt.Sprintf("%s must have at most %d bytes.", name, filterMost))
		}
	}
	if own := p.ownArchive(); own != "" {
		return p.leadTo(own)
	}
	if view := p.display(); view == "day" || view == "today" {
		query["per_page"] = itoa(p.maxPerPage)
	}
	p.in = params.Given(query, nil)
	return nil, nil
}

// ownArchive returns the address of the page of a category or a tag that a query asks for; "" of other queries.
func (p *page) ownArchive() string {
	if p.in.Text("tribe_events_cat") == "" && p.in.Text("tag") == "" || p.isEmbedded() {
		return ""
	}
	to := p.subject()
	to.View, to.Page, to.Featured = p.display(), numberOf(p.Page), p.Featured
	day, dated := parseDay(p.From)
	switch view := to.View; {
	case view == "list":
		to.View = ""
	case view == "day" && !dated:
		to.View = "today"
	case view == "day":
		to.View, to.Day = "", day.Format(time.DateOnly)
	case (view == "month" || view == "week") && dated:
		to = to.at(view, day)
	}
	return string(p.link(to))
}

// ownPage returns the address that the page of an event has, where it was asked for by its date in a
// series or in a query; "" for where it is, in frames, and for an event that has no slug in its address.
func (p *page) ownPage(id int64) (own string) {
	if p.isEmbedded() || p.Date == "" && p.path.Event != "" {
		return ""
	}
	_ = p.store.View(func(v *store.View) error {
		if own = p.maker(v).Page(v.Event(id)); strings.Contains(own, "?") {
			own = ""
		}
		return nil
	})
	return own
}

// isEmbedded reports whether a page is asked for that is shown in a frame.
func (p *page) isEmbedded() bool {
	return p.route != nil && strings.HasPrefix(p.route.pattern+"/", embedPath+"/")
}

const embedPath = "/embed"

// texts returns the texts of the request's language.
func (p *page) texts() words { return words{p.language} }

// maker returns a maker of pages of records, whose linked records come from a source.
func (p *page) maker(from render.Source) *pages.Maker {
	show := p.renderer(from)
	return &pages.Maker{
		Renderer: &show, Words: p.texts(), Locale: p.language.Locale(), Base: p.site.Origin + p.base.Prefix, Zone: p.zone,
		Now: p.zone.Wall(p.now), View: func(day string) template.URL {
			to := p.archive()
			to.Day = day
			return p.link(to)
		},
		Text: func(html string) template.HTML {
			return template.HTML(markup.AppendPage(nil, html, markup.PageOptions{Origin: p.site.Origin, PictureHosts: p.look.PictureHosts,
				FrameHosts: p.look.FrameHosts, Heading: 2}))
		},
		Brief:   func(html string) template.HTML { return template.HTML(markup.AppendPageExcerpt(nil, html)) },
		Picture: p.picture, At: storedSlug(p.Venue),
	}
}

// pageResponse answers with a page, which is remembered as lists are.
func (p *page) pageResponse(f pages.Frame, what any, l list) (*respond.Response, error) {
	policy := p.look.policy
	if p.isEmbedded() {
		f.Bare, f.Hidden, f.Alternates, f.Feeds, f.Data = true, true, pages.Versions{}, nil, nil // they are those of the page itself
		policy = p.look.embedPolicy
	}
	theme, err := p.theme()
	if err != nil {
		return nil, err
	}
	b, err := theme.Page(p.buffers.body[:0], f, what)
	if err != nil {
		return nil, err
	}
	p.buffers.body = b
	if !p.holdShared(len(b)) { // it may wait for long until it is read
		p.dropBody()
		return nil, limit.ErrBusy
	}
	header := p.discovery(f.API)
	header["Content-Security-Policy"], header["Referrer-Policy"] = policy, "strict-origin-when-cross-origin"
	header["X-Robots-Tag"] = "all"
	if f.Hidden {
		header["X-Robots-Tag"] = "noindex"
	}
	answer := &respond.Response{Status: http.StatusOK, Body: respond.Body{Text: b}, Media: "text/html; charset=utf-8", Tag: l.tag,
		Header: header, Keys: everyKind}
	if f.Record != "" {
		answer.Links = []string{"<" + f.Record + `>; rel="alternate"; title="JSON"; type="application/json"`}
	}
	if f.Short != "" {
		answer.Links = append(answer.Links, "<"+f.Short+">; rel=shortlink")
	}
	p.remember(answer, l.version)
	return answer, nil
}
