// What search engines ask for: robots.txt and sitemap.xml.

package rest

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"iter"
	"math"
	"net/http"
	"time"

	"almanac/filters"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// Robots answers with robots.txt: pages may be visited, the API need not be.
var Robots = &Op{Name: "robots", Params: params.None, serve: serveRobots, unlisted: true, people: true}

// Sitemap answers with the addresses of all pages of records that everybody finds (sitemaps.org,
// protocol 0.9). Those that are more than one file may have are in several, of which the query
// has the number, and the address without one names these.
var Sitemap = &Op{Name: "sitemap", Params: params.None, serve: serveSitemap, unlisted: true, people: true}

// sitemapMost is how many addresses a sitemap may have.
const sitemapMost = 50_000

func serveRobots(r *request) (*respond.Response, error) {
	text := "User-agent: *\nDisallow: " + r.base.Prefix + "/" + Namespace + "/\nSitemap: " + r.site.Origin + r.base.Prefix + "/sitemap.xml\n"
	return &respond.Response{Status: http.StatusOK, Body: respond.Body{Text: []byte(text)}, Media: "text/plain; charset=utf-8"}, nil
}

// serveSitemap takes what is of the file from lists whose order the store keeps: only terms,
// which are few, are put in order for it.
func serveSitemap(r *request) (*respond.Response, error) {
	part := 0
	if text := r.in.Text("part"); text != "" {
		if part = int(parseID(text)); part < 1 || part > math.MaxInt/r.sitemapMost {
			return nil, errNoRoute
		}
	}
	skip, room, total := (max(part, 1)-1)*r.sitemapMost, r.sitemapMost, 0
	var found []store.Record
	add := func(records []store.Record, n int) {
		found, total = append(found, records...), total+n
		skip, room = max(0, skip-n), room-len(records)
	}
	named := map[store.Record]string{} // addresses of terms, which name those above them
	var tag string
	_ = r.store.View(func(v *store.View) error { // it returns no error
		tag = r.stateTag(v)
		f := filters.AllEvents()
		f.Statuses = []store.Status{store.Publish}
		events := f.Find(v, skip, room)
		add(recordsOf(events.Events), events.Total)
		for _, k := range []store.Kind{store.Venues, store.Organizers} {
			posts, n, _ := (&filters.Posts{Kind: k, Statuses: f.Statuses}).Find(v, skip, room)
			add(posts, n)
		}
		for _, k := range []store.Kind{store.Categories, store.Tags} {
			terms, n, _ := (&filters.Terms{Taxonomy: k, HideEmpty: true, OrderBy: "id"}).Find(v, skip, room)
			add(recordsOf(terms), n)
			m := r.maker(v)
			for _, t := range terms {
				named[t] = m.RecordPage(t)
			}
		}
		return nil
	})
	if part > 1 && len(found) == 0 {
		return nil, errNoRoute
	}
	parts := r.addresses(found, named)
	if files := (total + r.sitemapMost - 1) / r.sitemapMost; part == 0 && files > 1 {
		parts = r.sitemaps(files)
	}
	return &respond.Response{Status: http.StatusOK, Media: "application/xml; charset=utf-8", Tag: tag,
		Long: &respond.Long{Size: -1, Parts: parts}, Keys: everyKind}, nil
}

func recordsOf[R store.Record](list []R) []store.Record {
	records := make([]store.Record, len(list))
	for i, record := range list {
		records[i] = record
	}
	return records
}

// sitemapStart returns the beginning of a file, up to what it lists.
func sitemapStart(root string) *bytes.Buffer {
	return bytes.NewBufferString(xml.Header + "<" + root + ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
}

// sitemaps returns the file that names some others.
func (r *request) sitemaps(files int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		b := sitemapStart("sitemapindex")
		for i := range files {
			fmt.Fprintf(b, "<sitemap><loc>%s/sitemap.xml?part=%d</loc></sitemap>\n", r.site.Origin+r.base.Prefix, i+1)
		}
		b.WriteString("</sitemapindex>\n")
		yield(b.Bytes())
	}
}

// addresses returns the file of the addresses of records.
func (r *request) addresses(records []store.Record, named map[store.Record]string) iter.Seq[[]byte] {
	m := r.maker(nil)
	return func(yield func([]byte) bool) {
		b := sitemapStart("urlset")
		for _, record := range records {
			address, ok := named[record]
			if !ok {
				address = m.RecordPage(record)
			}
			b.WriteString("<url><loc>")
			_ = xml.EscapeText(b, []byte(address)) // a bytes.Buffer does not fail
			b.WriteString("</loc>")
			if p := store.PostOf(record); p != nil {
				b.WriteString("<lastmod>" + p.Modified.UTC().Format(time.RFC3339) + "</lastmod>")
			}
			b.WriteString("</url>\n")
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
}
