package api

import (
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"testing"
	"time"

	"almanac/i18n"
	"almanac/internal/api/admission"
	"almanac/internal/people/submission"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/render"
	"almanac/store"
)

// unsettled are the options that no answer depends on, or whose state the tags name beside the
// settings.
var unsettled = []string{
	"Store",
	"Accounts",
	"Desk",
	"Sessions",
	"DeskUser",
	"Counts",
	"Flags",
	"LogoFile",
	"Machine",
	"Sent",
	"DocumentBytes",
	"Clock",
	"Passwords",
	"CacheBytes",
	"Observe",
	"Logger",
	"Trusted",
	"NoLimits",
	"Stopping",
	"ReadOnly", // its answers to reads are the same
	"Tenant",
}

// Entity tags change with every option, each limit and each part of a look, and with no start of
// the same.
func TestTagsOfSettings(t *testing.T) {
	t.Parallel()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	must := func(address string) *url.URL {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	base := func() Options {
		limits := admission.Default()
		return Options{
			Store:      st,
			Pages:      true,
			URL:        must("https://example.org"),
			Limits:     &limits,
			EventBase:  "termin",
			EventsBase: "termine",
			Look:       pages.Look{Logo: &pages.Asset{Name: "logo-1.png"}},
		}
	}
	tag := func(change func(*Options)) string {
		t.Helper()
		o := base()
		change(&o)
		s, err := New(o, func(func(string, *Op)) {})
		if err != nil {
			t.Fatal(err)
		}
		return string(s.fingerprint)
	}
	zone, err := caltime.LoadZone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	german, _ := i18n.Find("de")
	british, _ := i18n.English().In("GB")
	other := map[string]func(*Options){
		"Site":      func(o *Options) { o.Site = zone },
		"URL":       func(o *Options) { o.URL = must("https://example.com") },
		"Language":  func(o *Options) { o.Language = german },
		"Languages": func(o *Options) { o.Languages = []i18n.Language{german} },
		"Hosts": func(o *Options) {
			o.Hosts = map[string]*url.URL{
				"de": must("https://example.de"),
			}
		},
		"AllowHeaders": func(o *Options) { o.AllowHeaders = []string{"X-Test"} },
		"Also":         func(o *Options) { o.Also = "/wp-json/tribe/events/v1" },
		"Shared":       func(o *Options) { o.Shared = time.Minute },
		"Pages":        func(o *Options) { o.Pages = false },
		"Words":        func(o *Options) { o.Words = render.Words{"venue": {"spielort"}} },
		"DayEnds":      func(o *Options) { o.DayEnds = 6 * time.Hour },

		"Submissions": func(o *Options) { o.Submissions = submission.New(1, 1, caltime.Stopwatch()) },

		"Look":       func(o *Options) { o.Look = pages.Look{} },
		"Look.About": func(o *Options) { o.Look.About = "other" },
		"Look.Links": func(o *Options) {
			o.Look.Links = []pages.Link{{
				Text: "Contact",
				Href: "https://example.net/",
			}}
		},
		"Look.Style": func(o *Options) { o.Look.Style = &pages.Asset{Name: "style-1.css"} },
		"Look.Accent": func(o *Options) {
			o.Look.Accent = &pages.Asset{
				Name: "accent-1.css",
			}
		},
		"Look.Logo": func(o *Options) { o.Look.Logo = &pages.Asset{Name: "logo-2.png"} },
		"Look.Picture": func(o *Options) {
			o.Look.Picture = &pages.Asset{
				Name: "picture-2.png",
			}
		},
		"Look.Theme":        func(o *Options) { o.Look.Theme = &pages.Theme{Name: "theme-1"} },
		"Look.PictureHosts": func(o *Options) { o.Look.PictureHosts = []string{"example.net"} },
		"Look.FrameHosts":   func(o *Options) { o.Look.FrameHosts = []string{"example.net"} },
		"Look.Ancestors":    func(o *Options) { o.Look.Ancestors = []string{"https://example.net"} },
	}
	same := tag(func(*Options) {})
	if again := tag(func(*Options) {}); again != same {
		t.Error("the tag is another after a start with the same options")
	}
	if tag(func(o *Options) { o.Language = british }) == same {
		t.Error("the tag is the same in another region")
	}
	inBritain := tag(func(o *Options) { o.Language = british })
	if tag(func(o *Options) { o.Language = british.With("sunday", "") }) == inBritain {
		t.Error("the tag is the same with weeks from Sunday on")
	}
	if tag(func(o *Options) { o.Language = british.With("", "12") }) == inBritain {
		t.Error("the tag is the same with a clock of 12 hours")
	}
	if with := tag(func(o *Options) { o.Trusted = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} }); with != same {
		t.Error("the tag is another with an option that no answer depends on")
	}
	check := func(name string, value func(*Options) reflect.Value) {
		change := other[name]
		if change == nil {
			change = func(o *Options) {
				switch v := value(o); v.Kind() {
				case reflect.String:
					v.SetString("other")
				case reflect.Int, reflect.Int64:
					v.SetInt(v.Int() + 7)
				case reflect.Bool:
					v.SetBool(!v.Bool())
				case reflect.Struct: // a rate
					v.Field(0).SetInt(v.Field(0).Int() + 7)
				default:
					t.Fatalf("%s: say how it changes, or that no answer depends on it", name)
				}
			}
		}
		if tag(change) == same {
			t.Errorf("%s: the tag is the same", name)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		if !slices.Contains(unsettled, f.Name) && f.Name != "Limits" {
			check(
				f.Name,
				func(o *Options) reflect.Value { return reflect.ValueOf(o).Elem().FieldByIndex(f.Index) },
			)
		}
	}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[admission.Limits]()) {
		check(
			"Limits."+f.Name,
			func(o *Options) reflect.Value { return reflect.ValueOf(o.Limits).Elem().Field(i) },
		)
	}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[pages.Look]()) {
		check(
			"Look."+f.Name,
			func(o *Options) reflect.Value { return reflect.ValueOf(&o.Look).Elem().Field(i) },
		)
	}
}
