// The owner's choices for pages, and the files that pages load.

package rest

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/respond"
)

// A look is a pages.Look with what pages and their headers have of it.
type look struct {
	pages.Look
	assets      map[string]*asset // by name
	styles      []string          // names, in the order in which they count
	policy      string            // Content-Security-Policy of every page
	embedPolicy string            // of pages in frames
}

// An asset is a file that pages load.
type asset struct {
	*pages.Asset
	fragment respond.Fragment
}

// assetPolicy keeps an SVG from running what is in it, when it is opened as a page of its
// own: it may hold styles, and nothing else.
const assetPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// newLook returns what pages have of a look.
func newLook(chosen pages.Look) look {
	l := look{Look: chosen, assets: map[string]*asset{}}
	add := func(a *pages.Asset) { l.assets[a.Name] = &asset{Asset: a, fragment: respond.Fragment{Text: a.Text}} }
	for _, sheet := range [][]byte{docsStyle, pages.Style} {
		add(&pages.Asset{Name: pages.StyleName(sheet), Media: "text/css; charset=utf-8", Text: sheet})
	}
	l.styles = []string{pages.StyleName(pages.Style)}
	if chosen.Style != nil {
		add(chosen.Style)
		l.styles = append(l.styles, chosen.Style.Name)
	}
	if chosen.Logo != nil {
		add(chosen.Logo)
	}
	pictures := strings.Join(append([]string{"'self'"}, chosen.PictureHosts...), " ")
	l.policy = "default-src 'none'; style-src 'self'; img-src " + pictures + "; media-src " + pictures + "; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; "
	if len(chosen.FrameHosts) > 0 {
		l.policy += "frame-src " + strings.Join(chosen.FrameHosts, " ") + "; "
	}
	l.embedPolicy = l.policy + "frame-ancestors " + cmp.Or(strings.Join(chosen.Ancestors, " "), "'none'")
	l.policy += "frame-ancestors 'none'"
	return l
}

// Asset answers with a file that pages load.
var Asset = &Op{Name: "asset", Params: params.None, serve: serveAsset, unlisted: true}

func serveAsset(r *request) (*respond.Response, error) {
	a := r.look.assets[r.path["name"]]
	if a == nil {
		return nil, errNoRoute
	}
	answer := &respond.Response{Status: http.StatusOK, Body: a.fragment.Body(), Media: a.Media, Tag: `"` + a.Name + `"`,
		Header: map[string]string{"Cache-Control": "public, max-age=31536000, immutable"}}
	if a.Image != nil {
		answer.Header["Content-Security-Policy"] = assetPolicy
	}
	return answer, nil
}

// Icon answers with an icon at the address at which browsers look for one: the logo, or ours.
var Icon = &Op{Name: "icon", Params: params.None, serve: serveIcon, unlisted: true}

func serveIcon(r *request) (*respond.Response, error) {
	text, media := pages.Icon, "image/svg+xml"
	if logo := r.look.Logo; logo != nil {
		text, media = logo.Text, logo.Media
	}
	return &respond.Response{Status: http.StatusOK, Body: respond.Body{Text: text}, Media: media,
		Header: map[string]string{"Cache-Control": "public, max-age=86400", "Content-Security-Policy": assetPolicy}}, nil
}

// assetAddress returns the address of a file that pages load.
func (p *page) assetAddress(name string) string { return p.site.Origin + "/assets/" + name }

// dress puts into a frame what the owner chose.
func (p *page) dress(f *pages.Frame) {
	f.About = p.look.About
	for _, name := range p.look.styles {
		f.Styles = append(f.Styles, p.assetAddress(name))
	}
	if logo := p.look.Logo; logo != nil {
		f.Logo = new(*logo.Image)
		f.Logo.Source = p.assetAddress(logo.Name)
	}
}

// picture returns the address of a picture, "" if no browser can fetch it, its host, and whether pages show it:
// pictures of the site, and of hosts that the owner named. A picture without a host came from another site.
func (p *page) picture(address string) (source, host string, shown bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "", "", false
	}
	own := strings.HasPrefix(address, p.site.Origin+"/")
	return address, u.Host, own || slices.Contains(p.look.PictureHosts, strings.ToLower(u.Host))
}

// pictureOf returns the address of a picture for those who show links to a page, "" for none: they ask
// for it themselves, wherever it is.
func pictureOf(shown *pages.Image, elsewhere *pages.Link) string {
	switch {
	case shown != nil:
		return shown.Source
	case elsewhere != nil:
		return string(elsewhere.Href)
	}
	return ""
}
