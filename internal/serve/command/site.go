// The settings of the site that an administrator chose at the desk, below the flags.

package command

import (
	"cmp"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"almanac/i18n"
	"almanac/i18n/cldr"
	"almanac/internal/api"
	"almanac/internal/api/media"
	"almanac/internal/cli"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// chosen returns the settings of the site that flags decide.
func (s *settings) chosen(o *api.Options) (by store.Settings) {
	by.Name = o.Name
	by.Region = strings.ToUpper(cmp.Or(s.region, i18n.RegionOf(s.language)))
	by.Currency = o.Currency
	by.About = s.pages.text
	if s.declared.IsGiven("timezone") {
		by.Zone = o.Site.Name()
	}
	if s.declared.IsGiven("language") {
		by.Language = s.language
	}
	var links []string
	for _, link := range s.pages.links {
		links = append(links, link.Text+"="+string(link.Href))
	}
	by.Contact = strings.Join(links, ", ")
	return by
}

// machineZone returns the name of the zone of the machine, "" if it is unknown.
func machineZone(p cli.Process) string {
	name := strings.TrimPrefix(p.Getenv("TZ"), ":")
	if target, err := os.Readlink("/etc/localtime"); name == "" && err == nil {
		_, name, _ = strings.Cut(target, "zoneinfo/")
	}
	zone, err := caltime.LoadZone(name)
	if name == "" || err != nil {
		return ""
	}
	return zone.Name()
}

// settled returns options with the settings of the site where no flag decides. A setting that does
// not work any more is left out, and the log names it.
func settled(o api.Options, to *store.Settings) api.Options {
	region := o.Flags.Region
	if to != nil {
		region = cmp.Or(region, to.Region)
		o.Currency = cmp.Or(o.Flags.Currency, to.Currency)
	}
	o.Currency = cmp.Or(o.Currency, cldr.CurrencyOf(region))
	if to == nil {
		return o
	}
	failed := func(name string, err error) {
		o.Logger.Error("a setting of the site is left out", "setting", name, "err", err)
	}
	o.Name = cmp.Or(o.Flags.Name, to.Name)
	if o.Flags.Zone == "" && to.Zone != "" {
		if zone, err := caltime.LoadZone(to.Zone); err == nil {
			o.Site = zone
		} else {
			failed("zone", err)
		}
	}
	if chosen, known := i18n.Find(to.Language); known && o.Flags.Language == "" {
		o.Language = chosen
	}
	if in, known := o.Language.In(region); known {
		o.Language = in
	}
	o.Language = o.Language.With(to.First, to.Clock)
	o.Look.About = cmp.Or(o.Look.About, to.About)
	if len(o.Look.Links) == 0 && to.Contact != "" {
		o.Look.Links = []pages.Link{{Href: pages.ContactAt(to.Contact)}}
	}
	var err error
	if to.Colour != "" {
		if o.Look.Accent, err = pages.NewAccent(to.Colour); err != nil {
			failed("colour", err)
		}
	}
	if o.LogoFile == "" && to.Logo != 0 {
		if o.Look.Logo, err = media.Logo(o.Store, to.Logo); err != nil {
			failed("logo", err)
		}
	}
	return o
}

// A current returns the server for a request.
type current func() *api.Server

func (c current) ServeHTTP(w http.ResponseWriter, r *http.Request) { c().ServeHTTP(w, r) }

// Measure returns numbers about the present server.
func (c current) Measure() api.Measures { return c().Measure() }

// An edition is a server with the settings that it was made with.
type edition struct {
	settings *store.Settings
	server   *api.Server
}

// renewed returns a server that follows the settings of its store: a change of them makes another
// one over the same store, accounts and sessions. Requests end in the server in which they began.
func renewed(o api.Options, routes Routes) (current, error) {
	made := func() (*edition, error) {
		to := o.Store.Settings()
		server, err := api.New(settled(o, to), routes)
		if err == nil {
			server.Front.Neutral().Mux() // panics if two routes are one, as they are the same everywhere
		}
		return &edition{to, server}, err
	}
	first, err := made()
	if err != nil {
		return nil, err
	}
	var now atomic.Pointer[edition]
	now.Store(first)
	var turn sync.Mutex
	return func() *api.Server {
		if v := now.Load(); v.settings == o.Store.Settings() {
			return v.server
		}
		turn.Lock()
		defer turn.Unlock()
		if before := now.Load(); before.settings != o.Store.Settings() {
			next, err := made()
			if err != nil {
				o.Logger.Error("the settings of the site work after a restart", "err", err)
				next.server = before.server
			}
			now.Store(next)
		}
		return now.Load().server
	}, nil
}
