// Pages: the calendar for people, at the addresses that records show.

package rest

import (
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"almanac/i18n"
	"almanac/internal/limit"
	"almanac/internal/markup"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/store"
)

// Site is the operation at the addresses of pages. It finds out which view is asked
// for, and lets the operation of that answer.
var Site = &Op{Name: "page", Params: params.None, serve: serveSite, page: true, html: true, list: true, unlisted: true, texts: true}

// Embed is Site for frames on other sites, behind the path /embed: without header and footer,
// and where the links of a page lead, the page around the frame goes.
var Embed = &Op{Name: "page.embed", Params: params.None, serve: serveSite, html: true, unlisted: true, texts: true, people: true}

// isEmbedded reports whether a page is asked for that is shown in a frame.
func (r *request) isEmbedded() bool {
	return r.route != nil && strings.HasPrefix(r.route.pattern+"/", embedPath+"/")
}

const embedPath = "/embed"

// The views of a site. Their parameters are those of lists of events: an address of a page
// is another way to write a query.
var (
	pageList  = pageOp("page.list", servePageList)
	pageMonth = pageOp("page.month", servePageMonth)
	pageEvent = pageOp("page.event", servePageEvent)
)

func pageOp(name string, serve func(*request) (*respond.Response, error)) *Op {
	op := listOp(name, params.EventList, serve)
	op.unlisted, op.texts, op.own = true, true, true
	return op
}

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

// askedMost is the most bytes of the filters of a list: each of the hundred links of a page repeats them.
const askedMost = 1000

// serveSite answers at the address of a page.
func serveSite(r *request) (*respond.Response, error) {
	asked := r.pageAddress(r.base, r.http)
	if asked == nil {
		return serveRenamed(r)
	}
	op, path, query := pageList, map[string]string(nil), map[string]any(nil)
	r.page = asked
	var err error
	switch {
	case has(asked, "tribe_events") || has(asked, "p"):
		var id int64
		op = pageEvent
		if id, err = r.subscribedEvent(asked); err == nil {
			if page := r.ownPage(id, asked); page != "" {
				return r.leadTo(page)
			}
			path = map[string]string{"id": itoa(int(id))}
			query = map[string]any{"include": itoa(int(id))}
		}
	default:
		if view := asked["eventDisplay"]; view == "month" || view == "week" {
			op = pageMonth
		}
		if asked["eventDisplay"] == "" && (has(asked, "tribe_venue") || has(asked, "tribe_organizer")) {
			asked["eventDisplay"] = "list"
		}
		query, err = r.listQuery(op, asked)
		for name, text := range asked {
			if len(text) > askedMost && err == nil {
				err = invalid(name, fmt.Sprintf("%s must have at most %d bytes.", name, askedMost))
			}
		}
		if view := asked["eventDisplay"]; (view == "day" || view == "today") && err == nil {
			query["per_page"] = itoa(r.maxPerPage)
		}
		if page := r.ownArchive(); page != "" && err == nil {
			return r.leadTo(page)
		}
	}
	if err != nil {
		return r.refused(err)
	}
	return r.answerAs(op, r.site.Origin+r.http.URL.EscapedPath(), path, query)
}

// ownArchive returns the address of the page of a category or a tag that a query asks for; "" of other queries.
func (r *request) ownArchive() string {
	if r.in.Text("tribe_events_cat") == "" && r.in.Text("tag") == "" || r.isEmbedded() {
		return ""
	}
	view := r.page["eventDisplay"]
	day, dated := parseDay(r.page["tribe-bar-date"])
	path := view + "/"
	switch {
	case view == "" || view == "list":
		path = ""
	case view == "day" && !dated:
		path = "today/"
	case view == "day":
		path = day.Format(time.DateOnly) + "/"
	case (view == "month" || view == "week") && dated:
		path = r.viewPath(view, day)
	}
	page, _ := strconv.Atoi(r.page["page"])
	return string(r.viewLink(r.subject(), path, page))
}

// ownPage returns the address that the page of an event has, where it was asked for by its date in a
// series or in a query; "" for where it is, in frames, and for an event that has no slug in its address.
func (r *request) ownPage(id int64, asked map[string]string) (page string) {
	if r.isEmbedded() || asked["date"] == "" && strings.Contains(r.http.URL.Path, r.slugs.Page("/event/")) {
		return ""
	}
	_ = r.store.View(func(v *store.View) error {
		if page = r.maker(v).Page(v.Event(id)); strings.Contains(page, "?") {
			page = ""
		}
		return nil
	})
	return page
}

// texts returns the texts of the request's language.
func (r *request) texts() words { return words{r.language} }

// maker returns a maker of pages of records, whose linked records come from a source.
func (r *request) maker(from render.Source) *pages.Maker {
	show := r.renderer(from)
	return &pages.Maker{
		Renderer: &show, Words: r.texts(), Locale: r.language.Locale(), Base: r.site.Origin + r.base.Prefix, Zone: r.zone,
		Now: r.zone.Wall(r.now), View: func(path string) template.URL { return r.viewLink(r.archive(), path, 1) },
		Text: func(html string) template.HTML {
			return template.HTML(markup.AppendPage(nil, html, markup.PageOptions{Origin: r.site.Origin, PictureHosts: r.look.PictureHosts,
				FrameHosts: r.look.FrameHosts, Heading: 2}))
		},
		Brief:   func(html string) template.HTML { return template.HTML(markup.AppendPageExcerpt(nil, html)) },
		Picture: r.picture, At: storedSlug(r.page["tribe_venue"]),
	}
}

// pageResponse answers with a page, which is remembered as lists are.
func (r *request) pageResponse(f pages.Frame, what any, l list) (*respond.Response, error) {
	policy := r.look.policy
	if r.isEmbedded() {
		f.Bare, f.Hidden, f.Alternates, f.Feeds, f.Data = true, true, pages.Versions{}, nil, nil // they are those of the page itself
		policy = r.look.embedPolicy
	}
	theme, err := r.theme()
	if err != nil {
		return nil, err
	}
	b, err := theme.Page(r.buffers.body[:0], f, what)
	if err != nil {
		return nil, err
	}
	r.buffers.body = b
	if !r.holdShared(len(b)) { // it may wait for long until it is read
		r.dropBody()
		return nil, limit.ErrBusy
	}
	header := r.discovery(f.API)
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
	r.remember(answer, l.version)
	return answer, nil
}
