// What search engines ask for: robots.txt and sitemap.xml.

package rest

import (
	"bytes"
	"encoding/xml"
	"net/http"
	"time"

	"almanac/filters"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// Robots answers with robots.txt: pages may be visited, the API need not be.
var Robots = &Op{Name: "robots", Params: params.None, serve: serveRobots, unlisted: true, people: true}

// Sitemap answers with the addresses of all events that everybody finds (sitemaps.org,
// protocol 0.9), the latest changed first.
var Sitemap = &Op{Name: "sitemap", Params: params.None, serve: serveSitemap, unlisted: true, people: true}

// sitemapMost is how many addresses a sitemap may have.
const sitemapMost = 50_000

func serveRobots(r *request) (*respond.Response, error) {
	text := "User-agent: *\nDisallow: " + r.base.Prefix + "/" + Namespace + "/\nSitemap: " + r.site.Origin + r.base.Prefix + "/sitemap.xml\n"
	return &respond.Response{Status: http.StatusOK, Body: respond.Body{Text: []byte(text)}, Media: "text/plain; charset=utf-8"}, nil
}

func serveSitemap(r *request) (*respond.Response, error) {
	var found *filters.Found
	var tag string
	err := r.store.View(func(v *store.View) error {
		tag = r.stateTag(v)
		f := filters.AllEvents()
		f.Statuses, f.OrderBy, f.Desc = []store.Status{store.Publish}, "modified", true
		found = f.Find(v, 0, sitemapMost)
		return nil
	})
	if err == nil {
		err = found.Finish(r.http.Context(), 0)
	}
	if err != nil {
		return nil, err
	}
	m := r.maker(nil)
	parts := func(yield func([]byte) bool) {
		b := bytes.NewBufferString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
		for _, e := range found.Events {
			b.WriteString("<url><loc>")
			_ = xml.EscapeText(b, []byte(m.Page(e))) // a bytes.Buffer does not fail
			b.WriteString("</loc><lastmod>" + e.Modified.UTC().Format(time.RFC3339) + "</lastmod></url>\n")
			if b.Len() >= respond.PartSize {
				if !yield(b.Bytes()) {
					return
				}
				b.Reset()
			}
		}
		b.WriteString("</urlset>\n")
		yield(b.Bytes())
	}
	return &respond.Response{Status: http.StatusOK, Media: "application/xml; charset=utf-8", Tag: tag,
		Long: &respond.Long{Size: -1, Parts: parts}}, nil
}
