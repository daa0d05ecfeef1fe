// The settings of the site: the first page after a first start, and later the page "Site" of
// administrators.

package desk

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/i18n"
	"almanac/i18n/cldr"
	"almanac/internal/api"
	"almanac/internal/api/media"
	"almanac/internal/api/respond"
	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/internal/wire/pages"
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
	Fields  []siteField
	Tag     string // of the settings before the form was filled in
	Filled  string // country that the other choices were filled in for
	Check   bool   // what is usual in the country was filled in just now
	Guess   bool   // nobody has chosen anything yet, and the browser may know more
	Country string // of the first zones, in words
	There   string // time in the zone of the form
	Logo    string // address, "" for none
	First   bool   // there is no event yet
}

// A siteField is a field of the form, or what a flag decides in its place.
type siteField struct {
	field
	Flag      fact // its name and value
	Near, Far []choice
}

// A choice is an option of a field, with what the script of the desk needs: of a country what is
// usual there, of a zone its country.
type choice struct {
	option
	In, Zone, Currency, First, Clock string
}

// siteFields are the fields of the form in their order. Labels and notes are keys of texts.
var siteFields = []struct{ name, label, kind, note string }{
	{"name", "desk.site-name", "text", "desk.ends-note"},
	{"region", "desk.country", "choice", "desk.region-note"},
	{"zone", "desk.zone", "choice", "desk.site-zone-note"},
	{"currency", "desk.currency", "choice", "desk.currency-note"},
	{"first", "desk.first-day", "choice", ""},
	{"clock", "desk.clock", "choice", ""},
	{"language", "desk.site-language", "choice", "desk.site-language-note"},
	{"about", "desk.site-text", "text", "desk.ends-note"},
	{"contact", "desk.contact", "plain", "desk.contact-note"},
	{"colour", "desk.colour", "colour", "desk.colour-note"},
	{"logo", "desk.logo", "logo", "desk.logo-note"},
}

// Most bytes of texts of the site.
const (
	siteNameMost = 200
	siteTextMost = 500
)

// serveSite answers GET /desk/site. A setting without a choice is guessed: from the language of
// the browser, and from the machine.
func serveSite(p *page) (*respond.Response, error) {
	to := p.settings()
	own := p.Front.Neutral().Language
	s := &siteForm{Tag: tagOf(to), Guess: p.Store.Settings() == nil}
	region := cmp.Or(p.Flags.Region, to.Region)
	s.Form = form{
		"name":     to.Name,
		"region":   to.Region,
		"zone":     to.Zone,
		"currency": cmp.Or(to.Currency, cldr.CurrencyOf(region)),
		"first":    cmp.Or(to.First, dayName(own.Locale().Week().Days()[0])),
		"clock":    cmp.Or(to.Clock, own.Locale().Clock()),
		"language": cmp.Or(to.Language, own.Tag),
		"about":    to.About,
		"contact":  to.Contact,
		"colour":   to.Colour,
		"image":    "",
	}
	if to.Logo != 0 {
		s.Form["image"] = digits(to.Logo)
	}
	here := countryOf(p.Machine)
	if to.Zone == "" && here != "" {
		s.Form["zone"] = p.Machine
	}
	if s.Guess {
		s.Form["region"] = strings.ToUpper(regionOf(p.HTTP))
		if caltime.Countries()[s.Form["region"]] == nil {
			s.Form["region"] = here
		}
		if p.isEmpty() { // else readers know it in its language
			s.Form["language"] = p.Language.Tag
		}
		p.fillIn(s.Form)
	}
	s.Filled = s.Form["region"]
	return p.showSite(http.StatusOK, s)
}

// settings returns the settings of the site, empty ones before there are some.
func (p *page) settings() store.Settings {
	return *cmp.Or(p.Store.Settings(), new(store.Settings))
}

// tagOf names settings, for a form that is to change them.
func tagOf(s store.Settings) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%#v", s))
	return hex.EncodeToString(sum[:8])
}

// dayName returns the name of a day of the week as settings have it.
func dayName(day time.Weekday) string {
	return strings.ToLower(day.String())
}

// countryOf returns the country of a zone, "" if it is not that of a place.
func countryOf(zone string) string {
	for country, zones := range caltime.Countries() {
		if slices.Contains(zones, zone) {
			return country
		}
	}
	return ""
}

// regionOf returns the region of the first language of a browser, "" for none.
func regionOf(r *http.Request) string {
	first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	first, _, _ = strings.Cut(first, ";")
	return i18n.RegionOf(strings.TrimSpace(first))
}

// isEmpty reports whether there is no event yet.
func (p *page) isEmpty() (empty bool) {
	p.view(func(v *store.View) {
		empty = v.Len(store.Events) == 0
	})
	return empty
}

// fillIn puts into a form what is usual in its country: the zone, unless it is one of the country,
// the currency, the week and the clock. It reports whether there is such a country; without one,
// week and clock are those of the language.
func (p *page) fillIn(f form) (isCountry bool) {
	region := p.region(f)
	there := p.languageOf(f).Locale()
	if in, ok := there.In(region); ok {
		there = in
		isCountry = true
		f["currency"] = cldr.CurrencyOf(region)
	}
	zones := caltime.Countries()[region]
	if len(zones) > 0 && !slices.Contains(zones, f["zone"]) {
		f["zone"] = zones[0]
	}
	f["first"] = dayName(there.Week().Days()[0])
	f["clock"] = there.Clock()
	return isCountry
}

// region returns the country of the site that a form has.
func (p *page) region(f form) string {
	return cmp.Or(p.Flags.Region, f["region"])
}

// languageOf returns the language of the site that a form has.
func (p *page) languageOf(f form) i18n.Language {
	if l, ok := i18n.Find(f["language"]); ok && p.Flags.Language == "" {
		return l
	}
	return p.Front.Neutral().Language
}

// showSite shows the form.
func (p *page) showSite(status int, s *siteForm) (*respond.Response, error) {
	s.Form["colour"] = cmp.Or(s.Form["colour"], pages.HouseAccent)
	s.First = p.isEmpty()
	region := "-region"
	if i18n.RegionOf(p.Flags.Language) == p.Flags.Region {
		region = "-language"
	}
	flags := map[string]fact{
		"name":     {"-site-name", p.Flags.Name},
		"region":   {region, p.Flags.Region},
		"zone":     {"-timezone", p.Flags.Zone},
		"currency": {"-currency", p.Flags.Currency},
		"language": {"-language", p.Flags.Language},
		"about":    {"-site-text", p.Flags.About},
		"contact":  {"-link", p.Flags.Contact},
		"logo":     {"-logo", p.LogoFile},
	}
	for _, row := range siteFields {
		f := siteField{
			field: of(p, s.Form, row.name, row.label, row.kind, row.note),
			Flag:  flags[row.name],
		}
		if f.Type == "choice" && f.Flag.Value == "" {
			f.Near, f.Far = p.choices(s.Form, f.Name)
		}
		s.Fields = append(s.Fields, f)
	}
	regions, _ := p.locale().Names()
	s.Country = cmp.Or(regions[p.region(s.Form)], "–")
	if zone, err := caltime.LoadZone(cmp.Or(p.Flags.Zone, s.Form["zone"])); err == nil {
		s.There = p.locale().With("", s.Form["clock"]).Time(zone.Wall(p.Now))
	}
	p.view(func(v *store.View) {
		if i := v.Image(idOf(s.Form["image"])); i != nil && i.Directory != "" {
			s.Logo = p.public() + i.URL
		}
	})
	title := p.T("desk.site")
	if s.First {
		title = p.T("desk.set-up")
	}
	return p.show(status, "site.html", title, s)
}

// choices returns the options of a field; of zones those of the country before the others. One
// that the form has and nobody offers is the first.
func (p *page) choices(f form, name string) (near, far []choice) {
	l := p.locale()
	regions, currencies := l.Names()
	add := func(value, text string) *choice {
		near = append(near, choice{option: option{value, text, value == f[name]}})
		return &near[len(near)-1]
	}
	byText := func(a, b choice) int {
		return markup.Compare(a.Text, b.Text)
	}
	countries := caltime.Countries()
	switch name {
	case "region":
		own := p.languageOf(f).Locale()
		for code, zones := range countries {
			c := add(code, regions[code])
			c.Zone = zones[0]
			c.Currency = cldr.CurrencyOf(code)
			there, _ := own.In(code)
			c.First = dayName(there.Week().Days()[0])
			c.Clock = there.Clock()
		}
		slices.SortFunc(near, byText)
	case "zone":
		for country, zones := range countries {
			for _, zone := range zones {
				add(zone, strings.ReplaceAll(zone, "_", " ")).In = country
			}
		}
		add("UTC", "UTC")
		slices.SortFunc(near, byText)
	case "currency":
		for code, text := range currencies {
			add(code, code+" – "+text)
		}
		slices.SortFunc(near, byText)
	case "first":
		for _, day := range cldr.FirstDays {
			add(dayName(day), l.Weekdays()[day])
		}
	case "clock":
		for _, clock := range []string{"24", "12"} {
			add(clock, l.With("", clock).Time(time.Date(2000, 1, 1, 19, 30, 0, 0, time.UTC)))
		}
	case "language":
		for _, language := range i18n.Languages() {
			add(language.Tag, language.Name())
		}
	}
	isChosen := func(c choice) bool {
		return c.Chosen
	}
	if !slices.ContainsFunc(near, isChosen) {
		own := option{Value: f[name], Text: cmp.Or(f[name], "–"), Chosen: true}
		near = slices.Insert(near, 0, choice{option: own})
	}
	if name == "region" && f[name] != "" {
		near = slices.Insert(near, 0, choice{option: option{Text: "–"}})
	}
	if name == "zone" {
		region := p.region(f)
		for _, c := range near {
			if c.In == "" || c.In != region {
				far = append(far, c)
			}
		}
		near = slices.DeleteFunc(near, func(c choice) bool {
			return c.In == "" || c.In != region
		})
	}
	return near, far
}

// serveSaveSite answers POST /desk/site. After another country was chosen, what is usual there is
// shown before anything is saved: the script of the desk does that without a step of its own.
func serveSaveSite(p *page) (*respond.Response, error) {
	s := &siteForm{Form: form{}, Tag: p.input("tag"), Filled: p.input("filled")}
	for _, row := range siteFields {
		s.Form[row.name] = strings.TrimSpace(p.input(row.name))
	}
	s.Form["image"] = p.input("image")
	if region := s.Form["region"]; region != s.Filled && region != "" {
		s.Check = p.fillIn(s.Form)
		s.Filled = region
	}
	status, err := p.reasons(p.upload(s.Form))
	to := p.checkSite(s.Form)
	if err == nil && len(p.Problems) == 0 && !s.Check {
		status, err = p.reasons(p.writeSite(to, s.Tag))
		if len(p.Problems) > 0 {
			s.Tag = tagOf(p.settings())
		}
	}
	switch {
	case err != nil:
		return nil, err
	case len(p.Problems) > 0:
		return p.showSite(status, s)
	case s.Check:
		return p.showSite(http.StatusOK, s)
	}
	if p.isEmpty() {
		return p.redirect(p.Desk("events/new?done=saved")), nil
	}
	return p.redirect(p.Desk("site?done=saved")), nil
}

// checkSite returns the settings that a form says, and notes the problems of its fields. A field
// that a flag decides is not in the form, and stays as it is stored.
func (p *page) checkSite(f form) store.Settings {
	to := p.settings()
	line := func(field, label string, most int) string {
		text := strings.Join(strings.Fields(f[field]), " ")
		if len(text) > most {
			p.reject(field, "desk.bad", "{field}", p.T(label))
		}
		return text
	}
	if p.Flags.Name == "" {
		to.Name = line("name", "desk.site-name", siteNameMost)
	}
	if p.Flags.About == "" {
		to.About = line("about", "desk.site-text", siteTextMost)
	}
	if p.Flags.Contact == "" {
		to.Contact = line("contact", "desk.contact", siteTextMost)
		if to.Contact != "" && pages.ContactAt(to.Contact) == "" {
			p.reject("contact", "desk.bad-contact")
		}
	}
	if p.Flags.Zone == "" {
		if zone, err := caltime.LoadZone(f["zone"]); err != nil {
			p.reject("zone", "desk.bad-site-zone")
		} else {
			to.Zone = zone.Name()
		}
	}
	if p.Flags.Region == "" {
		to.Region = strings.ToUpper(f["region"])
		if _, ok := p.Front.Neutral().Language.In(to.Region); to.Region != "" && !ok {
			p.reject("region", "desk.bad-region")
		}
	}
	if p.Flags.Currency == "" {
		to.Currency = strings.ToUpper(f["currency"])
		if _, ok := cldr.Of("en").Currency(to.Currency); to.Currency != "" && !ok {
			p.reject("currency", "desk.bad-currency")
		}
	}
	to.First = f["first"]
	isFirst := func(day time.Weekday) bool {
		return dayName(day) == to.First
	}
	if to.First != "" && !slices.ContainsFunc(cldr.FirstDays, isFirst) {
		p.reject("first", "desk.bad", "{field}", p.T("desk.first-day"))
	}
	to.Clock = f["clock"]
	if to.Clock != "" && to.Clock != "12" && to.Clock != "24" {
		p.reject("clock", "desk.bad", "{field}", p.T("desk.clock"))
	}
	if p.Flags.Language == "" {
		to.Language = f["language"]
		if _, ok := i18n.Find(to.Language); to.Language != "" && !ok {
			p.reject("language", "desk.bad", "{field}", p.T("desk.site-language"))
		}
	}
	to.Colour = strings.ToLower(f["colour"])
	if to.Colour == pages.HouseAccent || to.Colour == "" {
		to.Colour = ""
	} else if _, err := pages.NewAccent(to.Colour); err != nil {
		var why *pages.AccentError
		errors.As(err, &why)
		p.reject("colour", "desk.bad-colour", "{colour}", why.Better)
	}
	if p.LogoFile == "" {
		to.Logo, _ = strconv.ParseInt(f["image"], 10, 64)
		if to.Logo != 0 {
			if _, err := media.Logo(p.Store, to.Logo); err != nil {
				p.reject("picture", "desk.bad-picture")
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
	err := p.Store.Update(p.Caller.ID, func(tx *store.Tx) error {
		if tagOf(tx.Settings()) != tag {
			return &api.Error{
				Status:  http.StatusPreconditionFailed,
				Code:    "rest_precondition_failed",
				Message: "The settings were changed.",
			}
		}
		return tx.SetSettings(to)
	})
	if err != nil {
		return api.ErrorOf(err, p.Log)
	}
	return nil
}

// IsUnplaced reports whether an administrator has yet to say where the calendar is: its zone is
// UTC, and nobody chose that.
func (p *page) IsUnplaced() bool {
	isUTC := p.Zone.Name() == caltime.UTC().Name()
	return isUTC && p.MayAdminister() && p.Flags.Zone == "" && p.settings().Zone == ""
}

// start returns the path of the page after a sign-in: that of the settings, as long as nobody has
// chosen some in an empty calendar.
func (p *page) start() string {
	if p.MayAdminister() && p.Store.Settings() == nil && p.Store.Untouched() {
		return p.Desk("site")
	}
	return p.Desk("")
}
