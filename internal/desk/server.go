// The state of the server, for administrators.

package desk

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"almanac/internal/build"
	"almanac/internal/respond"
	"almanac/store"
)

// Server is the operation of the page about the server.
var Server = administration("desk.server", serveServer)

// A serverPage has the facts about the server, each with its label, and the limits that requests
// met.
type serverPage struct {
	Problem        string // why changes are refused; "" is none
	Facts, Refused [][2]string
}

// serveServer answers GET /desk/server with the numbers that /metrics has.
func serveServer(p *page) (*respond.Response, error) {
	var shown serverPage
	l := p.Language.Locale()
	stats := p.Store.Stats()
	now := p.Measure()
	fact := func(key, value string) { shown.Facts = append(shown.Facts, [2]string{p.T(key), value}) }
	fact("desk.version", build.Read().Version)
	fact("desk.address", cmp.Or(p.Public(), p.Site.Origin))
	if p.Counts != nil {
		start, refused := p.Counts()
		fact("desk.running-since", l.FullTime(p.Zone.Wall(start)))
		for name, n := range refused {
			if n > 0 {
				shown.Refused = append(shown.Refused, [2]string{name, l.Number(int(n))})
			}
		}
		slices.SortFunc(shown.Refused, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	}
	for _, one := range []struct {
		key string
		store.Kind
	}{{"desk.events", store.Events}, {"desk.places", store.Venues}, {"desk.organizers", store.Organizers},
		{"desk.categories", store.Categories}, {"desk.tags", store.Tags}} {
		fact(one.key, l.Number(stats.Records[one.Kind]))
	}
	uploads := 0 // the pictures of the desk: others are addresses of other sites
	p.view(func(v *store.View) { uploads = len(v.Uploads()) })
	fact("desk.pictures", l.Number(uploads))
	switch sizes, err := p.Store.Sizes(); {
	case err == nil:
		fact("desk.size-log", p.megabytes(sizes.Log))
		fact("desk.size-snapshots", p.megabytes(sizes.Snapshots))
		fact("desk.size-pictures", p.megabytes(sizes.Media))
	case !errors.Is(err, errors.ErrUnsupported):
		return nil, err
	}
	if !stats.Snapshot.IsZero() {
		fact("desk.last-snapshot", l.FullTime(p.Zone.Wall(stats.Snapshot)))
	}
	if free, err := p.Store.Free(); err == nil {
		fact("desk.free-space", p.megabytes(free))
	}
	switch {
	case p.Store.Refusing() != nil:
		shown.Problem = p.T("desk.refusing")
	case !now.Writable:
		shown.Problem = p.T("desk.disk-full")
	}
	return p.show(http.StatusOK, "server.html", p.T("desk.server"), shown)
}

// megabytes returns a size in words.
func (p *page) megabytes(bytes int64) string {
	return p.T("desk.megabytes", "{count}", p.Language.Locale().Number(int((bytes+1<<20-1)>>20)))
}
