// The state of the server, for administrators.

package desk

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"almanac/internal/api/respond"
	"almanac/internal/cli/build"
	"almanac/store"
)

// Server is the operation of the page about the server.
var Server = administration("desk.server", serveServer)

// A serverPage has the facts about the server, each with its label, and the limits that requests
// met.
type serverPage struct {
	Problem        string // why changes are refused; "" is none
	Facts, Refused []fact
}

// serveServer answers GET /desk/server with the numbers that /metrics has.
func serveServer(p *page) (*respond.Response, error) {
	var body serverPage
	l := p.locale()
	stats := p.Store.Stats()
	now := p.Measure()
	add := func(key, value string) {
		body.Facts = append(body.Facts, fact{p.T(key), value})
	}
	add("desk.version", build.Read().Version)
	add("desk.address", cmp.Or(p.Public(), p.Site.Origin))
	if p.Counts != nil {
		start, refused := p.Counts()
		add("desk.running-since", l.FullTime(p.Zone.Wall(start)))
		for name, n := range refused {
			if n > 0 {
				body.Refused = append(body.Refused, fact{name, l.Number(int(n))})
			}
		}
		slices.SortFunc(body.Refused, func(a, b fact) int {
			return cmp.Compare(a.Name, b.Name)
		})
	}
	for _, k := range []*kind{events, Venues.kind, Organizers.kind, Categories.kind, Tags.kind} {
		add(k.title, l.Number(stats.Records[k.Kind]))
	}
	uploads := 0 // the pictures of the desk: others are addresses of other sites
	p.view(func(v *store.View) {
		uploads = len(v.Uploads())
	})
	add("desk.pictures", l.Number(uploads))
	switch sizes, err := p.Store.Sizes(); {
	case err == nil:
		add("desk.size-log", p.megabytes(sizes.Log))
		add("desk.size-snapshots", p.megabytes(sizes.Snapshots))
		add("desk.size-pictures", p.megabytes(sizes.Media))
	case !errors.Is(err, errors.ErrUnsupported):
		return nil, err
	}
	if !stats.Snapshot.IsZero() {
		add("desk.last-snapshot", l.FullTime(p.Zone.Wall(stats.Snapshot)))
	}
	if free, err := p.Store.Free(); err == nil {
		add("desk.free-space", p.megabytes(free))
	}
	switch {
	case p.Store.Refusing() != nil:
		body.Problem = p.T("desk.refusing")
	case !now.Writable:
		body.Problem = p.T("desk.disk-full")
	}
	return p.show(http.StatusOK, "server.html", p.T("desk.server"), body)
}

// megabytes returns a size in words.
func (p *page) megabytes(bytes int64) string {
	return p.T("desk.megabytes", "{count}", p.locale().Number(int((bytes+1<<20-1)>>20)))
}
