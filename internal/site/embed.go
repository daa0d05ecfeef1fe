// The page that shows how other sites embed the calendar.

package site

import (
	"fmt"
	"html/template"

	"almanac/internal/api"
	"almanac/internal/pages"
	"almanac/internal/respond"
)

// EmbedGuide is the code of frames for other sites, to copy.
var EmbedGuide = api.ForPages(api.NewPage("docs.embed", serveEmbedGuide, refuse))

// embedGuidePath is its path below each base address.
const embedGuidePath = "/docs/embed"

func serveEmbedGuide(r *api.Call) (*respond.Response, error) {
	p := &page{Call: r}
	w := p.texts()
	f := p.frame(w.Text("site.embed"))
	f.Canonical = p.PageAt(embedGuidePath)
	f.Views = p.views("")
	f.Description = w.Text("site.embed-note")
	f.Alternates.Path = embedGuidePath
	f.Languages.Path = embedGuidePath
	guide := &pages.Guide{Heading: f.Title, Note: f.Description}
	add := func(text, view, query string, width string, height int) {
		to := address{View: view}
		address := p.Site.Origin + p.Base.Prefix + api.EmbedPath + p.Slugs.Page(to.Path()) + query
		guide.Codes = append(guide.Codes, pages.Code{
			Heading: text,
			Example: template.URL(address),
			Text: fmt.Sprintf(
				`<iframe src="%s" title="%s" width="%s" height="%d" loading="lazy"></iframe>`,
				template.HTMLEscapeString(
					address,
				),
				template.HTMLEscapeString(f.Site),
				width,
				height,
			),
		})
	}
	add(w.Text("site.list"), "", "", "360", 640)
	add(w.Text("site.compact"), "", "?compact", "260", 420)
	add(w.Text("site.this-weekend"), "this-weekend", "", "360", 480)
	add(w.Text("site.week"), "week", "", "100%", 480)
	add(w.Text("site.month"), "month", "", "100%", 900)
	return p.pageResponse(f, guide, "")
}
