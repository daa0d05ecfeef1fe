// Files for search engines: robots.txt and sitemap.xml.

package site

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"net/http"
	"sort"
	"time"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/wire/params"
	"almanac/store"
)

// Robots answers with robots.txt (RFC 9309): pages and feeds may be visited, the rest of the API
// need not be.
var Robots = api.ForPages(api.Unlisted(&api.Op{
	Name:   "robots",
	Params: params.None,
	Serve:  serveRobots,
}))

// Sitemap answers with the addresses of all public pages of records (sitemaps.org, protocol 0.9).
// More addresses than one file may have are split into files, whose number is in the query; the
// address without one has their index.
var Sitemap = api.ForPages(api.Unlisted(api.Listed(&api.Op{
	Name:   "sitemap",
	Params: params.None,
	Serve:  serveSitemap,
})))

func serveRobots(r *api.Call) (*respond.Response, error) {
	api := r.Base.Prefix + "/" + api.Namespace + "/"
	text := "User-agent: *\nAllow: " + api + "events.\nAllow: " + api + "*.ics\nDisallow: " + api + "\n" +
		"Sitemap: " + r.Site.Origin + r.Base.Prefix + "/sitemap.xml\n"
	return &respond.Response{
		Status: http.StatusOK,
		Body: respond.Text(
			[]byte(text)),

		Media: "text/plain; charset=utf-8",
	}, nil
}

// serveSitemap answers with a file of addresses, or with the index of the files.
func serveSitemap(r *api.Call) (*respond.Response, error) {
	part := 0
	if text := r.In.Text("part"); text != "" {
		part = int(api.ParseID(text))
		if part < 1 || part > math.MaxInt/r.Pages.SitemapMost {
			return nil, api.ErrNoRoute
		}
	}
	l := api.List{Call: r}
	look := func(v *store.View, _ params.Values) error {
		l.Tag = r.StateTag(v)
		files := sitemapFiles(r, v)
		if part > max(1, files) {
			return api.ErrNoRoute
		}
		return nil
	}
	answer, err := l.DoDocument(look, func(w io.Writer) error {
		files := 0
		_ = r.Store.View(func(v *store.View) error { // it returns no error
			files = sitemapFiles(r, v)
			return nil
		})
		if part == 0 && files > 1 {
			_, err := w.Write(sitemaps(r, files))
			return err
		}
		walk := pageWalk{
			Call: r,
			skip: (max(part, 1) - 1) * r.Pages.SitemapMost,
			room: r.Pages.SitemapMost,
		}
		return walk.write(w)
	})
	if err == nil {
		answer.Media = "application/xml; charset=utf-8"
	}
	return answer, err
}

// sitemapFiles returns how many files the sitemap has.
func sitemapFiles(r *api.Call, v *store.View) int {
	total := 0
	for _, k := range sitemapKinds {
		total += countOf(v, k)
	}
	return (total + r.Pages.SitemapMost - 1) / r.Pages.SitemapMost
}

// countOf returns how many records of a kind everybody finds.
func countOf(v *store.View, k store.Kind) int {
	if isTerm(k) {
		return filters.UsedTerms(v, k)
	}
	_, total := pagesOf(v, k, 0, 0)
	return total
}

// sitemapKinds are the kinds of records whose pages are in the sitemap, in its order.
var sitemapKinds = []store.Kind{
	store.Events,
	store.Venues,
	store.Organizers,
	store.Categories,
	store.Tags,
}

// isTerm reports whether a kind is one of terms.
func isTerm(k store.Kind) bool {
	return k == store.Categories || k == store.Tags
}

// pagesOf returns the records of a kind that everybody finds, but of one of terms, from a position
// on, and how many there are. The store keeps them in this order.
func pagesOf(v *store.View, k store.Kind, from, most int) (records []store.Record, total int) {
	published := []store.Status{store.Publish}
	if k == store.Events {
		f := filters.AllEvents()
		f.Statuses = published
		found := f.Find(v, from, most)
		return recordsOf(found.Events), found.Total
	}
	f := filters.Posts{Kind: k, Statuses: published}
	records, total, _ = f.Find(filters.Inside(v), from, most)
	return records, total
}

func recordsOf[R store.Record](list []R) []store.Record {
	records := make([]store.Record, len(list))
	for i, record := range list {
		records[i] = record
	}
	return records
}

// sitemaps returns the index of the files.
func sitemaps(r *api.Call, files int) []byte {
	b := sitemapStart("sitemapindex")
	for i := range files {
		fmt.Fprintf(
			b,
			"<sitemap><loc>%s/sitemap.xml?part=%d</loc></sitemap>\n",
			r.Site.Origin+r.Base.Prefix,
			i+1,
		)
	}
	b.WriteString("</sitemapindex>\n")
	return b.Bytes()
}

// sitemapStart returns the beginning of a file, before its entries.
func sitemapStart(root string) *bytes.Buffer {
	return bytes.NewBufferString(
		`<?xml version="1.0" encoding="UTF-8"?>` + "\n<" + root + ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n",
	)
}

// A pageWalk goes through the records of a file of the sitemap, kind by kind, in as many states of
// the store as there are chunks.
type pageWalk struct {
	*api.Call
	skip  int           // records that are in earlier files
	room  int           // for addresses
	kind  int           // in sitemapKinds
	at    int           // records of the kind that are before the next one
	last  store.Record  // nil at the beginning of a kind
	state *store.State  // in which it was found
	terms []*store.Term // that are left of a kind of terms
}

// write writes the file.
func (w pageWalk) write(to io.Writer) error {
	b := sitemapStart("urlset")
	for more := true; more; b.Reset() {
		found := w.next()
		_ = w.Store.View(func(v *store.View) error { // it returns no error
			m := (&page{Call: w.Call}).maker(v)
			for _, record := range found {
				b.WriteString("<url><loc>")
				b.WriteString(html.EscapeString(m.RecordPage(record)))
				b.WriteString("</loc>")
				if p := store.PostOf(record); p != nil {
					b.WriteString(
						"<lastmod>" + p.Modified.UTC().Format(time.RFC3339) + "</lastmod>",
					)
				}
				b.WriteString("</url>\n")
			}
			more = len(found) > 0
			return nil
		})
		if !more {
			b.WriteString("</urlset>\n")
		}
		if _, err := b.WriteTo(to); err != nil {
			return err
		}
	}
	return nil
}

// next returns the next records, none at the end of the file.
func (w *pageWalk) next() (records []store.Record) {
	for ; w.kind < len(sitemapKinds) && w.room > 0; w.kind, w.last = w.kind+1, nil {
		var total int
		if k := sitemapKinds[w.kind]; isTerm(k) {
			records, total = w.nextTerms(k)
		} else {
			_ = w.Store.View(func(v *store.View) error { // it returns no error
				records, total = w.nextOf(v, k)
				return nil
			})
		}
		if n := len(records); n > 0 {
			w.skip = 0
			w.room = w.room - n
			w.last = records[n-1]
			return records
		}
		w.skip = max(0, w.skip-total)
	}
	return nil
}

// nextTerms is nextOf for a kind of terms. The store does not keep them in order, so that those of
// the file are found at once.
func (w *pageWalk) nextTerms(k store.Kind) (records []store.Record, total int) {
	if w.last == nil {
		f := filters.Terms{Taxonomy: k, HideEmpty: true, OrderBy: "id"}
		w.terms, total, _ = f.Find(w.Store.View, w.skip, w.room)
	}
	n := min(len(w.terms), api.DocumentChunk)
	records = recordsOf(w.terms[:n])
	w.terms = w.terms[n:]
	return records, total
}

// nextOf returns the next records of a kind, and how many there are in all.
func (w *pageWalk) nextOf(v *store.View, k store.Kind) (records []store.Record, total int) {
	switch {
	case w.last == nil:
		w.at = w.skip
	case w.state != v.State():
		w.at = sort.Search(countOf(v, k), func(i int) bool {
			records, _ := pagesOf(v, k, i, 1)
			return isBehind(records[0], w.last)
		})
	}
	w.state = v.State()
	records, total = pagesOf(v, k, w.at, min(w.room, api.DocumentChunk))
	w.at += len(records)
	return records, total
}

// isBehind reports whether a record stands behind another one of its kind in the order of pagesOf.
func isBehind(record, other store.Record) bool {
	if e, ok := record.(*store.Event); ok {
		return store.ByStart(e, other.(*store.Event)) > 0
	}
	p := store.PostOf(record)
	q := store.PostOf(other)
	if p == nil {
		return record.Key() > other.Key()
	}
	return cmp.Or(q.Date.Compare(p.Date), cmp.Compare(q.ID, p.ID)) > 0
}
