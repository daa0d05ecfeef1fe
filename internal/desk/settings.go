// The settings of the site: the first page after a first start, and later the page "Site" of administrators.

package desk

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"almanac/i18n"
	"almanac/i18n/cldr"
	"almanac/internal/api"
	"almanac/internal/caltime"
	"almanac/internal/media"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// The operations on the settings of the site.
var (
	Site     = administration("desk.site", serveSite)
	SaveSite = api.Uploads(administration("desk.save-site", serveSaveSite))
)

// A siteForm is the settings on a page.
type siteForm struct {
	Form    form
	Tag     string               // of the settings before the form was filled in
	Decided map[string][2]string // flags above the settings, by field: name and value
	Logo    string               // address, "" for none
	First   bool                 // there is no event yet
}

// siteNameMost is how many bytes a name of the site has at most.
const siteNameMost = 200

// serveSite answers GET /desk/site.
func serveSite(p *page) (*respond.Response, error) {
	to := p.settings()
	f := form{"name": to.Name, "zone": to.Zone, "region": to.Region, "currency": to.Currency, "colour": to.Colour, "image": ""}
	if to.Logo != 0 {
		f["image"] = strconv.FormatInt(to.Logo, 10)
	}
	if p.Store.Settings() == nil {
		f["zone"], f["region"] = p.Machine, regionOf(p.HTTP)
		f["currency"] = cldr.CurrencyOf(f["region"])
	}
	return p.showSite(http.StatusOK, &siteForm{Form: f, Tag: tagOf(to)})
}

// serveSaveSite answers POST /desk/site.
func serveSaveSite(p *page) (*respond.Response, error) {
	s := &siteForm{Form: form{}, Tag: p.In.Text("tag")}
	for _, name := range []string{"name", "zone", "region", "currency", "colour", "image"} {
		s.Form[name] = strings.TrimSpace(p.In.Text(name))
	}
	status, err := p.reasons(p.upload(s.Form))
	to := p.checkSite(s.Form)
	if err == nil && len(p.Problems) == 0 {
		if status, err = p.reasons(p.writeSite(to, s.Tag)); len(p.Problems) > 0 {
			s.Tag = tagOf(p.settings())
		}
	}
	switch {
	case err != nil:
		return nil, err
	case len(p.Problems) > 0:
		return p.showSite(status, s)
	}
	if p.isEmpty() {
		return p.redirect(p.Desk("events/new?done=saved")), nil
	}
	return p.redirect(p.Desk("site?done=saved")), nil
}

// settings returns the settings of the site, empty ones before there are some.
func (p *page) settings() store.Settings { return *cmp.Or(p.Store.Settings(), new(store.Settings)) }

// tagOf names settings, for a form that is to change them.
func tagOf(s store.Settings) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%#v", s))
	return hex.EncodeToString(sum[:8])
}

// checkSite returns the settings that a form says, and notes the problems of its fields. A field that a flag decides is not in the
// form, and stays as it is stored.
func (p *page) checkSite(f form) store.Settings {
	to, problem := p.settings(), func(field, text string) { p.Problems = append(p.Problems, problem{field, text}) }
	if p.Flags.Name == "" {
		if to.Name = strings.Join(strings.Fields(f["name"]), " "); len(to.Name) > siteNameMost {
			problem("name", p.T("desk.bad", "{field}", p.T("desk.site-name")))
		}
	}
	if p.Flags.Zone == "" {
		if to.Zone = f["zone"]; to.Zone != "" {
			if zone, err := caltime.LoadZone(to.Zone); err != nil {
				problem("zone", p.T("desk.bad-zone"))
			} else {
				to.Zone = zone.Name()
			}
		}
	}
	if p.Flags.Region == "" {
		to.Region = strings.ToUpper(f["region"])
		if _, known := p.Front.Neutral().Language.In(to.Region); to.Region != "" && !known {
			problem("region", p.T("desk.bad-region"))
		}
	}
	if p.Flags.Currency == "" {
		to.Currency = strings.ToUpper(f["currency"])
		if _, known := cldr.Of("en").Currency(to.Currency); to.Currency != "" && !known {
			problem("currency", p.T("desk.bad-currency"))
		}
	}
	to.Colour = strings.ToLower(f["colour"])
	if to.Colour == pages.HouseAccent || to.Colour == "" {
		to.Colour = ""
	} else if _, err := pages.NewAccent(to.Colour); err != nil {
		var why *pages.AccentError
		errors.As(err, &why)
		problem("colour", p.T("desk.bad-colour", "{colour}", why.Better))
	}
	if p.Flags.Logo == 0 {
		if to.Logo, _ = strconv.ParseInt(f["image"], 10, 64); to.Logo != 0 {
			if _, err := media.Logo(p.Store, to.Logo); err != nil {
				problem("picture", p.T("desk.bad-picture"))
				f["image"] = ""
			}
		}
	}
	return to
}

// writeSite stores the settings, unless others were stored meanwhile.
func (p *page) writeSite(to store.Settings, tag string) error {
	if to == p.settings() && p.Store.Settings() != nil {
		return nil
	}
	_, err := p.Run(&api.Op{Name: "desk.settings", Params: params.None, Serve: func(r *api.Call) (*respond.Response, error) {
		return nil, r.Store.Update(r.Caller.ID, func(tx *store.Tx) error {
			if tagOf(tx.Settings()) != tag {
				return &api.Error{Status: http.StatusPreconditionFailed, Code: "rest_precondition_failed", Message: "The settings were changed."}
			}
			return tx.SetSettings(to)
		})
	}}, nil, p.In, "")
	return err
}

// showSite shows the form.
func (p *page) showSite(status int, s *siteForm) (*respond.Response, error) {
	s.Form["colour"], s.First, s.Decided = cmp.Or(s.Form["colour"], pages.HouseAccent), p.isEmpty(), map[string][2]string{}
	for name, flag := range map[string][2]string{"name": {"-site-name", p.Flags.Name}, "zone": {"-timezone", p.Flags.Zone},
		"region": {"-region", p.Flags.Region}, "currency": {"-currency", p.Flags.Currency}} {
		if flag[1] != "" {
			s.Decided[name] = flag
		}
	}
	if p.Flags.Logo != 0 {
		s.Decided["logo"] = [2]string{"-logo", ""}
	}
	p.view(func(v *store.View) {
		if i := v.Image(api.ParseID(cmp.Or(s.Form["image"], "0"))); i != nil && i.Directory != "" {
			s.Logo = p.public() + i.URL
		}
	})
	title := p.T("desk.site")
	if s.First {
		title = p.T("desk.set-up")
	}
	return p.show(status, "site.html", title, s)
}

// isEmpty reports whether there is no event yet.
func (p *page) isEmpty() (empty bool) {
	p.view(func(v *store.View) { empty = v.Len(store.Events) == 0 })
	return empty
}

// start returns the path of the page after a sign-in: that of the settings, as long as nobody has chosen some in an empty calendar.
func (p *page) start() string {
	if p.MayAdminister() && p.Store.Settings() == nil && p.Store.Untouched() {
		return p.Desk("site")
	}
	return p.Desk("")
}

// regionOf returns the region of the first language of a browser, "" for none.
func regionOf(r *http.Request) string {
	first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	first, _, _ = strings.Cut(first, ";")
	return i18n.RegionOf(strings.TrimSpace(first))
}
