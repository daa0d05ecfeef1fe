// Files that pages load.

package site

import (
	"net/http"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/wire/params"
)

// filePolicy keeps an SVG from running what is in it, when it is opened as a page of its
// own: it may hold styles, and nothing else.
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// Asset answers with a file that pages load.
var Asset = api.Constant(api.Unlisted(&api.Op{
	Name:   "asset",
	Params: params.None,
	Serve:  serveAsset,
}))

func serveAsset(r *api.Call) (*respond.Response, error) {
	a := r.Pages.Files[r.Path["name"]]
	if a == nil {
		return nil, api.ErrNoRoute
	}
	answer := &respond.Response{
		Status: http.StatusOK,
		Body:   respond.Asset(a.Text),
		Media:  a.Media,
		Tag:    `"` + a.Name + `"`,
		Header: map[string]string{"Cache-Control": "public, max-age=31536000, immutable"},
	}
	if a.Image != nil {
		answer.Header["Content-Security-Policy"] = filePolicy
	}
	return answer, nil
}
