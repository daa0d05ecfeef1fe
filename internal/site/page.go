// Package site answers with pages for people: lists, months and weeks of events, and events. It
// also answers with calendars and feeds at the addresses of these pages, where The Events Calendar
// has them.
//
//	on("GET /events/month/{day}", site.Page)
//
// It promises that each address of a page is read and printed by one type, address; that a page
// shows what a list of the API with the same parameters has; and that a page tells nobody about a
// record that the API would not show.
//
// An address stands for parameters of the API: find, in page.go, translates it (subject.go), and
// the functions of package api find the records. Package pages has the models and the templates.
//
// The files: address.go, page.go (operations), subject.go, series.go and moved.go (records with
// the names in an address); list.go and days.go, month.go, event.go (views), part.go
// (their parts, with their data for search engines), frame.go, choices.go and look.go
// (the frame around them), error.go; legacy_feed.go, sitemap.go.
package site

import (
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/filters"
	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/api/front"
	"almanac/internal/api/respond"
	"almanac/internal/text/markup"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
	"almanac/store"
)

// A page is a request for a page, or for a feed at its address.
type page struct {
	*api.Call
	address         // as asked: the query counts before the path
	path    address // of the path alone
	filter  *filters.Events
	queries [2]*string // of links to views, without and with a date
	strip   *pages.Strip
}

// The operations at the addresses of pages.
var (
	// Page is a list, a month or an event, or a feed in its place, as path and query say.
	Page = api.Unlisted(&api.Op{Name: "page", Params: params.None, Choose: choose})

	// Home answers browsers with a page, and programs as Root does.
	Home = api.Localized(&api.Op{
		Name:   api.Root.Name,
		Params: api.Root.Params,
		Serve:  api.Root.Serve,
		Choose: chooseHome,
	})

	// Embedded is a page for frames on other sites, behind the path /embed: without header and
	// footer, and links lead to the pages around the frame.
	Embedded = api.ForPages(api.Unlisted(&api.Op{
		Name:   "page.embed",
		Params: params.None,
		Choose: chooseEmbedded,
	}))
)

// The operations that answer with pages. Their parameters are those of lists of events: an address
// of a page is another way to write a query.
var (
	pageList  = view("page.list", servePageList)
	pageMonth = view("page.month", servePageMonth)
	pageEvent = view("page.event", servePageEvent)
	noPage    = api.NewPage("page.none", api.ServeRenamed, refuse)
)

// view makes an operation that answers with a page.
func view(name string, serve func(*page) (*respond.Response, error)) *api.Op {
	return api.NewPage(name, func(r *api.Call) (*respond.Response, error) {
		p := newPage(r)
		if answer, err := p.find(); answer != nil || err != nil {
			return answer, err
		}
		return serve(p)
	}, refuse)
}

// newPage returns a request with its address. If no page has it, the address is the zero address.
func newPage(r *api.Call) *page {
	p := &page{Call: r}
	p.path, p.address, _ = addressOf(r.Server, r.Base, r.HTTP)
	if p.path.Category == "" {
		return p
	}
	if _, inPlace := p.findCategory(&p.path); inPlace {
		return p
	}
	below, _ := belowOf(r.Server, r.Base, r.HTTP)
	words := r.Words(r.Base)
	other, ok := parseAddress(below, words, words)
	if !ok {
		return p
	}
	if found, _ := p.findCategory(&other); found {
		p.path = other // what looked like the slug of a category is a word
		p.address = other.with(queryOf(r.HTTP))
	}
	return p
}

// findCategory reports whether the category of a path is there, and whether it is in its place,
// below the categories that the path names.
func (p *page) findCategory(path *address) (found, inPlace bool) {
	_ = p.Store.View(func(v *store.View) error {
		t, _ := v.BySlug(store.Categories, api.StoredSlug(path.Category)).(*store.Term)
		found = t != nil
		inPlace = found && aboveOf(v, t) == api.StoredSlug(path.Above)
		return nil
	})
	return found, inPlace
}

// addressOf returns the address of a page, and what its path alone says. It reports whether it is
// one.
func addressOf(s *api.Server, b *front.Base, hr *http.Request) (path, asked address, ok bool) {
	below, ok := belowOf(s, b, hr)
	if !ok || !s.MayQuery(hr) {
		return path, asked, false
	}
	words := s.Words(b)
	path, ok = parseAddress(below, words, nil)
	if !ok {
		path, ok = parseAddress(below, words, words)
	}
	if !ok {
		return path, asked, false
	}
	return path, path.with(queryOf(hr)), true
}

// belowOf returns the path below a base address, as we write it. It reports whether the site
// writes it so.
func belowOf(s *api.Server, b *front.Base, hr *http.Request) (below string, ok bool) {
	below = strings.TrimPrefix(
		strings.TrimPrefix(hr.URL.Path, strings.ToLower(b.Prefix)),
		api.EmbedPath,
	)
	return s.Slugs.Meant(strings.TrimSuffix(below, "/"))
}

// noQuery has no parameters, as most addresses.
var noQuery = params.Given(nil, nil)

// queryOf returns the parameters of a query.
func queryOf(hr *http.Request) *params.Input {
	if hr.URL.RawQuery == "" {
		return noQuery
	}
	in, _ := params.Read(params.Source{
		Method: http.MethodGet,
		Query:  hr.URL.RawQuery,
	}) // nothing can be wrong without a body
	return in
}

// filterMost is the most bytes of a filter of a list: each of the hundred links of a page repeats
// them.
const filterMost = 1000

// find finds the subject of the page, and asks for it in the parameters of the API. It returns an
// answer if the page is elsewhere.
func (p *page) find() (*respond.Response, error) {
	if p.Single {
		id, err := p.eventID()
		if err != nil {
			return p.refused(err)
		}
		if p.path.Foreign {
			return p.LeadTo(p.inOurWords())
		}
		if own := p.ownPage(id); own != "" {
			return p.LeadTo(own)
		}
		p.Call.Path = map[string]string{"id": strconv.Itoa(int(id))}
		p.In = params.Given(map[string]any{"include": strconv.Itoa(int(id))}, p.Call.Path)
		return nil, nil
	}
	if p.View == "" && (p.Venue != "" || p.Organizer != "") {
		p.View = "list"
	}
	query, err := p.listQuery(p.Op)
	if err != nil {
		return p.refused(err)
	}
	if p.path.Foreign {
		return p.LeadTo(p.inOurWords())
	}
	sent := p.parameters()
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		if len(sent[name]) > filterMost {
			return nil, api.Invalid(
				name,
				fmt.Sprintf("%s must have at most %d bytes.", name, filterMost),
			)
		}
	}
	if own := p.ownArchive(); own != "" {
		return p.LeadTo(own)
	}
	if view := p.display(); view == "day" || view == "today" || dayWords[view] != "" {
		query["per_page"] = strconv.Itoa(p.MaxPerPage)
	}
	p.In = params.Given(query, nil)
	return nil, nil
}

// ourPath returns the path of a page as we write it, with the present slugs above its category.
func (p *page) ourPath() string {
	to := p.path
	to.Above = ""
	if to.Category == p.Category {
		to.Above = p.Above
	}
	return p.Slugs.Page(to.Path())
}

// inOurWords returns the address of a page that was asked for in words of another language.
func (p *page) inOurWords() string {
	path := p.ourPath()
	if p.isEmbedded() {
		path = api.EmbedPath + path
	}
	if query := p.HTTP.URL.RawQuery; query != "" {
		path += "?" + query
	}
	return p.Site.Origin + p.Base.Prefix + path
}

// ownPage returns the address that the page of an event has, where it was asked for by its date in
// a series or in a query; "" for where it is, in frames, and for an event that has no slug in its
// address.
func (p *page) ownPage(id int64) (own string) {
	if p.isEmbedded() || p.Date == "" && p.path.Event != "" {
		return ""
	}
	_ = p.Store.View(func(v *store.View) error {
		own = p.maker(v).Page(v.Event(id))
		if strings.Contains(own, "?") {
			own = ""
		}
		return nil
	})
	return own
}

// isEmbedded reports whether a page is asked for that is shown in a frame.
func (p *page) isEmbedded() bool {
	return strings.HasPrefix(p.Pattern()+"/", api.EmbedPath+"/")
}

// maker returns a maker of pages of records, whose linked records come from a source.
func (p *page) maker(from render.Source) *pages.Maker {
	show := p.Renderer(from)
	return &pages.Maker{
		Renderer: &show,
		Words:    p.texts(),
		Locale:   p.Language.Locale(),
		Base:     p.Site.Origin + p.Base.Prefix,
		Zone:     p.Zone,
		Now:      p.wall(),
		Moment:   p.Now,
		View: func(day string) template.URL {
			to := p.archive()
			to.Day = day
			return p.link(to)
		},
		Text: func(html string) template.HTML {
			return template.HTML(markup.AppendPage(nil, html, markup.PageOptions{
				Origin:       p.Site.Origin,
				PictureHosts: p.Pages.PictureHosts,
				FrameHosts:   p.Pages.FrameHosts,
				Heading:      2,
			}))
		},
		Brief: func(html string) template.HTML {
			return template.HTML(markup.AppendPageExcerpt(nil, html))
		},
		Picture: p.picture,
		At:      api.StoredSlug(p.Venue),
	}
}

// text returns a text in the request's language, with values in it.
func (p *page) text(key string, values ...string) string {
	return p.texts().Text(key, values...)
}

// wall returns the time of the request on the clocks of the site.
func (p *page) wall() time.Time {
	return p.Zone.Wall(p.Now)
}

// texts returns the texts of the request's language.
func (p *page) texts() words {
	return words{p.Language}
}

// ownArchive returns the address of the page of a category or a tag that a query asks for; "" of
// other queries.
func (p *page) ownArchive() string {
	if p.In.Text("tribe_events_cat") == "" && p.In.Text("tag") == "" || p.isEmbedded() {
		return ""
	}
	to := p.subject()
	to.View = p.display()
	to.Page = numberOf(p.Page)
	day, dated := parseDay(p.From)
	switch view := to.View; {
	case view == "list":
		to.View = ""
	case view == "day" && !dated:
		to.View = "today"
	case view == "day":
		to.View = ""
		to.Day = day.Format(time.DateOnly)
	case (view == "month" || view == "week") && dated:
		to = to.at(view, day)
	}
	return string(p.link(to))
}

// choose returns the operation of the page that is asked for, or of the feed.
func choose(s *api.Server, b *front.Base, hr *http.Request) *api.Op {
	_, a, ok := addressOf(s, b, hr)
	switch {
	case ok && a.Format != "":
		return a.feed()
	case s.Pages.Theme == nil:
		return api.NoRoute
	case !ok:
		return noPage
	}
	return a.operation()
}

// operation returns the operation that answers with the page.
func (a *address) operation() *api.Op {
	switch view := a.display(); {
	case a.Single:
		return pageEvent
	case view == "month" || view == "week":
		return pageMonth
	}
	return pageList
}

// chooseHome is choose for the address that programs know too, and for addresses without a route:
// Accept of browsers names HTML. Below the root of the API that clients of the original know there
// is JSON for browsers too, as Accept of some programs names HTML.
func chooseHome(s *api.Server, b *front.Base, hr *http.Request) *api.Op {
	_, a, ok := addressOf(s, b, hr)
	switch {
	case ok && a.Format != "":
		return a.feed()
	case s.Pages.Theme == nil || b.Prefix != "" && b.Namespace != api.Namespace || queryOf(hr).Sent("rest_route"),
		!strings.Contains(hr.Header.Get("Accept"), "text/html") && !namesPage(hr):
		return api.Root
	case !ok:
		return noPage
	}
	return a.operation()
}

// namesPage reports whether the query asks for a page, as links to the original do, whatever
// Accept says: programs that check links name no HTML.
func namesPage(hr *http.Request) bool {
	if hr.URL.RawQuery == "" {
		return false
	}
	in := queryOf(hr)
	return in.Text("p") != "" || in.Text("tribe_events") != "" ||
		in.Text("post_type") == "tribe_events"
}

// chooseEmbedded is choose for frames, which have no feeds.
func chooseEmbedded(s *api.Server, b *front.Base, hr *http.Request) *api.Op {
	if _, a, ok := addressOf(s, b, hr); ok {
		return a.operation()
	}
	return noPage
}

// words is the texts of a language, for pages.
type words struct{ i18n.Language }

// Text returns a text with values in it.
func (w words) Text(key string, values ...string) string {
	text := w.Language.Text(key)
	switch len(values) {
	case 0:
		return text
	case 2: // a Replacer of one name makes a table for it, and months have hundreds of such texts
		return strings.ReplaceAll(text, values[0], values[1])
	}
	return strings.NewReplacer(values...).Replace(text)
}

// pageResponse answers with a page.
func (p *page) pageResponse(f pages.Frame, what any, tag string) (*respond.Response, error) {
	policy := p.Pages.Policy
	if p.isEmbedded() {
		f.Compact = queryOf(p.HTTP).Sent("compact")
		f.Below = []pages.Link{{
			Text: p.text("site.all-events"),
			Href: template.URL(p.PageAt(p.archive().Path())),
		}}
		if len(f.Feeds) > 0 {
			f.Below = append(f.Below, pages.Link{
				Text: p.text("site.subscribe"),
				Href: f.Feeds[0].Href,
			})
		}
		// These are those of the page itself.
		f.Bare = true
		f.Hidden = true
		f.Alternates = pages.Versions{}
		f.Feeds = nil
		f.Soon = nil
		f.Data = nil
		policy = p.Pages.EmbedPolicy
	}
	theme, err := p.Pages.Theme()
	if err != nil {
		return nil, err
	}
	b, err := theme.Page(f, what)
	if err != nil {
		return nil, err
	}
	header := p.Discovery(f.API)
	header["Content-Security-Policy"] = policy
	header["Referrer-Policy"] = "strict-origin-when-cross-origin"
	header["X-Robots-Tag"] = "all"
	if f.Hidden {
		header["X-Robots-Tag"] = "noindex"
	}
	answer := &respond.Response{
		Status: http.StatusOK,
		Body:   respond.Text(b),
		Media:  "text/html; charset=utf-8",
		Tag:    tag,
		Header: header,
	}
	if f.Record != "" {
		answer.Links = []string{
			"<" + f.Record + `>; rel="alternate"; title="JSON"; type="application/json"`,
		}
	}
	if f.Short != "" {
		answer.Links = append(answer.Links, "<"+f.Short+">; rel=shortlink")
	}
	return answer, nil
}
