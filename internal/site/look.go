// The owner's choices for pages, and the files that pages load.

package site

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/params"
)

// Icon answers with an icon at the address at which browsers look for one: the logo, or ours.
var Icon = api.Unlisted(&api.Op{Name: "icon", Params: params.None, Serve: serveIcon})

func serveIcon(r *api.Call) (*respond.Response, error) {
	text := pages.Icon
	media := "image/svg+xml"
	if logo := r.Pages.Logo; logo != nil {
		text = logo.Text
		media = logo.Media
	}
	return &respond.Response{
		Status: http.StatusOK,
		Body:   respond.Text(text),
		Media:  media,
		Header: map[string]string{
			"Cache-Control":           "public, max-age=86400",
			"Content-Security-Policy": filePolicy,
		},
	}, nil
}

// assetAddress returns the address of a file that pages load.
func (p *page) assetAddress(name string) string {
	return p.Site.Origin + "/assets/" + name
}

// dress puts into a frame what the owner chose.
func (p *page) dress(f *pages.Frame) {
	f.About = p.Pages.About
	for _, link := range p.Pages.Links {
		link.Text = cmp.Or(link.Text, p.text("site.contact"))
		f.Links = append(f.Links, link)
	}
	if p.Submissions != nil {
		f.Suggest = &pages.Link{
			Text: p.text("site.suggest"),
			Href: template.URL(p.PageAt(SuggestPath)),
		}
	}
	for _, name := range p.Pages.Styles {
		f.Styles = append(f.Styles, p.assetAddress(name))
	}
	if logo := p.Pages.Logo; logo != nil {
		f.Logo = new(*logo.Image)
		f.Logo.Source = p.assetAddress(logo.Name)
	}
	if picture := p.Pages.Picture; picture != nil {
		f.Image = new(*picture.Image)
		f.Image.Source = p.assetAddress(picture.Name)
	}
}

// embed puts into a frame the code with which other sites show the page, if the owner named some.
func (p *page) embed(f *pages.Frame) {
	if strings.HasSuffix(p.Pages.EmbedPolicy, "'none'") {
		return
	}
	address := p.Site.Origin + p.Base.Prefix + api.EmbedPath + string(f.Languages.Path)
	f.Embed = fmt.Sprintf(
		`<iframe src="%s" title="%s" width="100%%" height="800" loading="lazy"></iframe>`,
		template.HTMLEscapeString(address),
		template.HTMLEscapeString(f.Site),
	)
}

// picture returns the address of a picture, "" if no browser can fetch it, its host, and whether
// pages show it: pictures of the site, and of hosts that the owner named. A picture without a host
// came from another site.
func (p *page) picture(address string) (source, host string, isShown bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "", "", false
	}
	own := strings.HasPrefix(address, p.Site.Origin+"/")
	return address, u.Host, own || slices.Contains(p.Pages.PictureHosts, strings.ToLower(u.Host))
}

// share sets the picture that programs show with links to a page, if its record has one: they load
// it themselves, wherever it is.
func share(f *pages.Frame, image *pages.Image, elsewhere *pages.Link) {
	switch {
	case image != nil:
		f.Image = image
	case elsewhere != nil:
		f.Image = &pages.Image{Source: string(elsewhere.Href)}
	}
}
