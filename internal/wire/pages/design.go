// The design of a site: the look that its owner chose, with the files and the policies of its
// pages.

package pages

import (
	"cmp"
	"strings"
)

// A Design is a Look with the files that pages load, and the headers that allow them.
type Design struct {
	Look
	Theme       func() (*Theme, error) // nil if there are no pages
	Files       map[string]*Asset      // by name
	Styles      []string               // names, in the order in which they count
	Policy      string                 // Content-Security-Policy of pages
	EmbedPolicy string                 // of pages in frames

	SitemapMost int // addresses in a file of the sitemap
}

// sitemapMost is the limit of the protocol (sitemaps.org, protocol 0.9).
const sitemapMost = 50_000

// NewDesign returns the design with a look. The sheets are more style sheets than that of pages.
func NewDesign(chosen Look, sheets ...[]byte) *Design {
	d := &Design{Look: chosen, Files: map[string]*Asset{}, SitemapMost: sitemapMost}
	for _, sheet := range append(sheets, Style) {
		name := StyleName(sheet)
		d.Files[name] = &Asset{Name: name, Media: "text/css; charset=utf-8", Text: sheet}
	}
	d.Styles = []string{StyleName(Style)}
	for _, sheet := range []*Asset{chosen.Accent, chosen.Style} {
		if sheet != nil {
			d.Files[sheet.Name] = sheet
			d.Styles = append(d.Styles, sheet.Name)
		}
	}
	for _, picture := range []*Asset{chosen.Logo, chosen.Picture} {
		if picture != nil {
			d.Files[picture.Name] = picture
		}
	}
	pictures := strings.Join(append([]string{"'self'"}, chosen.PictureHosts...), " ")
	d.Policy = "default-src 'none'; style-src 'self'; img-src " + pictures + "; media-src " + pictures + "; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; "
	if len(chosen.FrameHosts) > 0 {
		d.Policy += "frame-src " + strings.Join(chosen.FrameHosts, " ") + "; "
	}
	d.EmbedPolicy = d.Policy + "frame-ancestors " + cmp.Or(
		strings.Join(chosen.Ancestors, " "),
		"'none'",
	)
	d.Policy += "frame-ancestors 'none'"
	return d
}
