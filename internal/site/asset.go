// Files that pages load.

package site

import (
	"net/http"

	"almanac/internal/api"
	"almanac/internal/params"
	"almanac/internal/respond"
)

// filePolicy keeps an SVG from running what is in it, when it is opened as a page of its
// own: it may hold styles, and nothing else.
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// A fileKey is the name of a file that pages load, as the key of its *respond.Fragment.
type fileKey string

// Asset answers with a file that pages load.
var Asset = api.Unlisted(&api.Op{Name: "asset", Params: params.None, Serve: serveAsset})

func serveAsset(r *api.Call) (*respond.Response, error) {
	a := r.Pages.Files[r.Path["name"]]
	if a == nil {
		return nil, api.ErrNoRoute
	}
	kept, known := r.Memo.Load(fileKey(a.Name))
	if !known {
		kept, _ = r.Memo.LoadOrStore(fileKey(a.Name), respond.Packed(a.Text))
	}
	answer := &respond.Response{
		Status: http.StatusOK,
		Body:   kept.(*respond.Fragment).Body(),
		Media:  a.Media,
		Tag:    `"` + a.Name + `"`,
		Header: map[string]string{"Cache-Control": "public, max-age=31536000, immutable"},
	}
	if a.Image != nil {
		answer.Header["Content-Security-Policy"] = filePolicy
	}
	return answer, nil
}
