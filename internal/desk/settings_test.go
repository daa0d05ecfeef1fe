package desk_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// picture returns a PNG.
func picture() []byte {
	var b bytes.Buffer
	all := image.NewGray(image.Rect(0, 0, 60, 40))
	all.Set(3, 3, color.White)
	_ = png.Encode(&b, all)
	return b.Bytes()
}

// sendSite sends the form of the settings.
func (b *browser) sendSite(file []byte, pairs ...string) answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(pairs); i += 2 {
		_ = form.WriteField(pairs[i], pairs[i+1])
	}
	part, _ := form.CreateFormFile("picture", "logo.png")
	_, _ = part.Write(file)
	_ = form.Close()
	return b.do("POST", "/desk/site", form.FormDataContentType(), body.String())
}

// selected returns the values of the choices of a form.
func selected(body string) map[string]string {
	all := map[string]string{}
	sheet, _, _ := strings.Cut(body, "<footer")
	for _, m := range regexp.MustCompile(`(?s)<select [^>]*name="(\w+)".*?</select>`).FindAllStringSubmatch(sheet, -1) {
		for _, value := range regexp.MustCompile(`<option value="([^"]*)" selected`).FindAllStringSubmatch(m[0], -1) {
			all[m[1]] += value[1]
		}
	}
	return all
}

// An administrator comes to the settings first, then to the form of an event; later the home page
// comes first.
func TestSite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *api.Options) { o.Machine = "Europe/Vienna" })
	b := w.browser()
	b.header.Set("Accept-Language", "de-AT,de;q=0.9")
	signIn := func() string {
		return b.post(
			"/desk/sign-in",
			"sign-in-login",
			"administrator",
			"sign-in-token",
			"administrator",
		).location
	}
	if got := signIn(); got != "/desk/site" {
		t.Error("the first sign-in leads to", got)
	}
	got := b.get("/desk/site")
	want := map[string]string{
		"name":    "",
		"about":   "",
		"contact": "",
		"filled":  "AT",
		"image":   "",
		"tag":     fields(got.body)["tag"],
		"to":      "/desk/site",
	}
	places := map[string]string{
		"zone":     "Europe/Vienna",
		"region":   "AT",
		"currency": "EUR",
		"first":    "monday",
		"clock":    "24",
		"language": "de",
	}
	if diff := cmp.Diff(places, selected(got.body)); diff != "" {
		t.Error("guesses:", diff)
	}
	if diff := cmp.Diff(want, fields(got.body)); diff != "" ||
		!strings.Contains(got.body, `value="#8a3324"`) {
		t.Error("guesses:", diff, got.body)
	}
	tag := want["tag"]
	if got := b.sendSite([]byte("<svg onload=alert(1)>"), "tag", tag, "name", "Kirchenchor", "zone", "Berlin",
		"region", "Tyrol", "filled", "Tyrol", "colour", "#ffcc00"); got.status != 415 ||
		strings.Count(got.body, `class="problem"`) != 4 || fields(got.body)["name"] != "Kirchenchor" ||
		selected(got.body)["region"] != "Tyrol" ||
		selected(got.body)["zone"] != "Berlin" ||
		w.store.Settings() != nil {
		t.Error("mistakes:", got.status, got.body)
	}
	if got := b.sendSite(nil, "tag", tag, "name", strings.Repeat("x", 201)); got.status != 422 ||
		w.store.Settings() != nil {
		t.Error("a name of 201 bytes:", got.status)
	}
	if got := b.sendSite(picture(), "tag", tag, "name", "  Kirchenchor \r\n Dorf", "zone", "Europe/Vienna",
		"region", "AT", "filled", "AT", "colour", "#0B5D3B"); got.status != 303 ||
		got.location != "/desk/events/new?done=saved" {
		t.Fatal(got.status, got.location, got.body)
	}
	saved := *w.store.Settings()
	if diff := cmp.Diff(store.Settings{
		Name:   "Kirchenchor Dorf",
		Zone:   "Europe/Vienna",
		Region: "AT",
		Colour: "#0b5d3b",
		Logo:   saved.Logo,
	},
		saved); diff != "" || saved.Logo == 0 {
		t.Error(diff)
	}
	if got := signIn(); got != "/desk/" {
		t.Error("the second sign-in leads to", got)
	}

	// A form of before another change changes nothing, and keeps its values.
	if got := b.sendSite(nil, "tag", tag, "name", "Late", "zone", "UTC", "image", "1"); got.status != 412 ||
		fields(got.body)["name"] != "Late" ||
		*w.store.Settings() != saved {
		t.Error("a form of before:", got.status, *w.store.Settings())
	}
	shown := fields(b.get("/desk/site").body)
	w.put(eventOf(1, store.Publish, "Concert"))
	if got := b.sendSite(nil, "tag", shown["tag"], "name", "", "zone", "UTC", "region", "", "filled", "AT",
		"colour", "#8a3324", "no-picture", "1", "image", shown["image"]); got.location != "/desk/site?done=saved" ||
		*w.store.Settings() != (store.Settings{Zone: "UTC"}) {
		t.Error("emptied:", got.status, got.location, *w.store.Settings())
	}
}

// The logo goes out of the settings with its picture.
func TestLogoRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Administrator)
	b.sendSite(
		picture(),
		"tag",
		fields(b.get("/desk/site").body)["tag"],
		"name",
		"Choir",
		"zone",
		"UTC",
	)
	if w.store.Settings().Logo == 0 {
		t.Fatal("no logo")
	}
	b.header.Set("Authorization", "Bearer administrator")
	got := b.do("DELETE", "/cal/events/v1/media/1", "", "")
	if diff := cmp.Diff(store.Settings{
		Name: "Choir",
		Zone: "UTC",
	}, *w.store.Settings()); got.status != 200 || diff != "" {
		t.Error(got.status, got.body, diff)
	}
}

// Administrators alone see and change the settings, from pages of the desk alone.
func TestSiteRights(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, role := range roles {
		b := w.as(role)
		may := role == account.Administrator
		if got := b.get("/desk/site"); (got.status == 200) != may ||
			strings.Contains(b.get("/desk/").body, `href="/desk/site"`) != may {
			t.Error(role, "reads:", got.status)
		}
		b.header.Set("Sec-Fetch-Site", "cross-site")
		if got := b.sendSite(nil, "name", "Other"); got.status != 403 {
			t.Error(role, "from another site:", got.status)
		}
		b.header.Del("Sec-Fetch-Site")
		tag := fields(b.get("/desk/site").body)["tag"]
		if got := b.sendSite(picture(), "tag", tag, "name", string(role), "zone", "UTC"); (got.status == 303) != may {
			t.Error(role, "writes:", got.status)
		}
	}
	if diff := cmp.Diff("administrator", w.store.Settings().Name); diff != "" {
		t.Error(diff)
	}
	if got := w.browser().get("/desk/site"); strings.Contains(got.body, `name="colour"`) {
		t.Error("a stranger sees the settings")
	}
}

// Flags stand above settings. A form that names one all the same leaves the stored one as it is.
func TestSiteFlags(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *api.Options) {
		o.Flags = store.Settings{
			Name:     "Choir",
			Zone:     "Europe/Berlin",
			Region:   "DE",
			Currency: "EUR",
			Language: "de",
			About:    "A line",
			Contact:  "Contact=https://choir.example/",
		}
		o.LogoFile = "logo.png"
	})
	b := w.as(account.Administrator)
	got := b.get("/desk/site")
	for _, text := range []string{"Choir: chosen with -site-name", "Europe/Berlin: chosen with -timezone", "DE: chosen with -region",
		"EUR: chosen with -currency", "de: chosen with -language", "A line: chosen with -site-text",
		"Contact=https://choir.example/: chosen with -link", "logo.png: chosen with -logo"} {
		if !strings.Contains(got.body, text) {
			t.Errorf("no %q", text)
		}
	}
	for _, field := range []string{"name", "zone", "region", "currency", "about", "contact", "picture"} {
		if strings.Contains(got.body, `name="`+field+`"`) {
			t.Error("a field that a flag decides:", field)
		}
	}
	b.sendSite(
		picture(),
		"tag",
		fields(got.body)["tag"],
		"name",
		"Other",
		"zone",
		"Asia/Tokyo",
		"region",
		"JP",
		"filled",
		"JP",
		"currency",
		"JPY",
		"language",
		"ja",
		"about",
		"Other",
		"contact",
		"a@b.example",
		"colour",
		"#0b5d3b",
		"first",
		"sunday",
		"clock",
		"12",
	)
	if diff := cmp.Diff(store.Settings{
		Colour: "#0b5d3b",
		First:  "sunday",
		Clock:  "12",
	}, *w.store.Settings()); diff != "" {
		t.Error(diff)
	}

	// A language with a country decides both.
	w = newWorld(t, func(o *api.Options) {
		o.Flags = store.Settings{
			Region:   "AT",
			Language: "de-AT",
		}
	})
	if got := w.as(account.Administrator).get("/desk/site"); !strings.Contains(
		got.body,
		">AT: chosen with -language",
	) ||
		selected(got.body)["zone"] != "Europe/Vienna" ||
		selected(got.body)["currency"] != "EUR" {
		t.Error(selected(got.body), got.body)
	}
}

// A store that takes no change answers with the form, and everything that was typed.
func TestSiteUnwritable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	st, err := store.Open(store.Options{Dir: dir, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	w := newWorld(t, func(o *api.Options) { o.Store = st })
	b := w.as(account.Administrator)
	tag := fields(b.get("/desk/site").body)["tag"]
	if err := os.Remove(filepath.Join(dir, "lock")); err != nil {
		t.Skip("the lock cannot be removed here:", err)
	}
	if got := b.sendSite(nil, "tag", tag, "name", "Choir", "zone", "UTC"); got.status != http.StatusServiceUnavailable ||
		fields(got.body)["name"] != "Choir" ||
		st.Settings() != nil {
		t.Error(got.status, got.body)
	}
}

// Who chooses another country is shown what is usual there, and nothing is saved before that was
// seen. A zone of the country stays, and so does everything that was typed.
func TestSiteCountry(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *api.Options) { o.Machine = "Etc/UTC" })
	b := w.as(account.Administrator)
	b.header.Set("Accept-Language", "en")
	page := b.get("/desk/site").body
	want := map[string]string{
		"region":   "",
		"zone":     "",
		"currency": "",
		"first":    "sunday",
		"clock":    "12",
		"language": "en",
	}
	if diff := cmp.Diff(want, selected(page)); diff != "" ||
		!strings.Contains(page, `<option value="JP" data-zone="Asia/Tokyo" `+
			`data-currency="JPY" data-first="sunday" data-clock="24">Japan</option>`) ||
		!strings.Contains(page, `<option value="Asia/Tokyo" data-in="JP">`) {
		t.Error("nothing is known:", diff, page)
	}
	b.header.Set("Accept-Language", "de")
	want["language"] = "de"
	want["first"] = "monday"
	want["clock"] = "24"
	if diff := cmp.Diff(want, selected(b.get("/desk/site").body)); diff != "" {
		t.Error("a language is known, and no country:", diff)
	}
	b.header.Set("Accept-Language", "en")
	tag := fields(page)["tag"]
	if got := b.sendSite(nil, "tag", tag, "name", "Choir"); got.status != 422 ||
		!strings.Contains(got.body, "Choose a time zone.") {
		t.Error("without a zone:", got.status, got.body)
	}
	for _, tt := range []struct{ region, zone, wantZone, currency, first, clock, there string }{
		{"DE", "", "Europe/Berlin", "EUR", "monday", "24", "It is now 14:00 there."},
		{"GB", "Europe/Berlin", "Europe/London", "GBP", "monday", "24", "It is now 13:00 there."},
		{"JP", "Asia/Tokyo", "Asia/Tokyo", "JPY", "sunday", "24", "It is now 21:00 there."},
		{"US", "America/Los_Angeles", "America/Los_Angeles", "USD", "sunday", "12", "It is now 5:00\u202fAM there."},
		{"MV", "", "Indian/Maldives", "MVR", "friday", "24", "It is now 17:00 there."},
	} {
		got := b.sendSite(
			nil,
			"tag",
			tag,
			"filled",
			"",
			"name",
			"Chor",
			"region",
			tt.region,
			"zone",
			tt.zone,
			"language",
			"en",
			"currency",
			"CHF",
			"about",
			"Songs",
			"contact",
			"choir@example.org",
		)
		want := map[string]string{
			"region":   tt.region,
			"zone":     tt.wantZone,
			"currency": tt.currency,
			"first":    tt.first,
			"clock":    tt.clock,
			"language": "en",
		}
		shown := fields(got.body)
		if diff := cmp.Diff(want, selected(got.body)); got.status != 200 || diff != "" || w.store.Settings() != nil || shown["name"] != "Chor" ||
			shown["about"] != "Songs" || shown["contact"] != "choir@example.org" ||
			shown["filled"] != tt.region ||
			!strings.Contains(got.body, "This is usual in ") ||
			!strings.Contains(got.body, tt.there) {
			t.Errorf("%s: %d %s %s", tt.region, got.status, diff, got.body)
		}
	}
	typed := map[string]string{
		"tag":      tag,
		"filled":   "GB",
		"name":     "Choir",
		"region":   "GB",
		"zone":     "Europe/London",
		"currency": "GBP",
		"first":    "sunday",
		"clock":    "12",
		"language": "en",
		"about":    " Songs of\nthe sea ",
		"contact":  "choir@example.org",
	}
	send := func(name, value string) answer {
		var pairs []string
		for field, text := range typed {
			if field == name {
				text = value
			}
			pairs = append(pairs, field, text)
		}
		return b.sendSite(nil, pairs...)
	}
	for _, wrong := range [][2]string{{"contact", "choir.example"}, {"contact", "javascript:alert(1)"}, {"first", "tuesday"}, {"clock", "13"},
		{"language", "tlh"}, {"about", strings.Repeat("x", 501)}, {"currency", "ZZZ"}, {"zone", "Berlin"}} {
		if got := send(wrong[0], wrong[1]); got.status != 422 ||
			strings.Count(got.body, `class="problem"`) != 1 ||
			w.store.Settings() != nil {
			t.Error("a mistake is saved:", wrong, got.status)
		}
	}
	if got := send("", ""); got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	saved := store.Settings{
		Name:     "Choir",
		Zone:     "Europe/London",
		Region:   "GB",
		Currency: "GBP",
		First:    "sunday",
		Clock:    "12",
		Language: "en",
		About:    "Songs of the sea",
		Contact:  "choir@example.org",
	}
	if diff := cmp.Diff(saved, *w.store.Settings()); diff != "" {
		t.Error(diff)
	}
	want = map[string]string{
		"region":   "GB",
		"zone":     "Europe/London",
		"currency": "GBP",
		"first":    "sunday",
		"clock":    "12",
		"language": "en",
	}
	if diff := cmp.Diff(want, selected(b.get("/desk/site").body)); diff != "" {
		t.Error("the stored choices are others than those of the country:", diff)
	}
}

// The language of a calendar that readers know is not guessed, and its country is.
func TestSiteOfReaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(eventOf(1, store.Publish, "Concert"))
	b := w.as(account.Administrator)
	b.header.Set("Accept-Language", "de-DE")
	want := map[string]string{
		"region":   "DE",
		"zone":     "Europe/Berlin",
		"currency": "EUR",
		"first":    "monday",
		"clock":    "24",
		"language": "en",
	}
	if diff := cmp.Diff(want, selected(b.get("/desk/site").body)); diff != "" {
		t.Error(diff)
	}
}

// An administrator of a calendar in UTC is asked where it is, until somebody says that, in a
// setting or with a flag.
func TestUnplaced(t *testing.T) {
	t.Parallel()
	berlin, err := caltime.LoadZone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		set  func(*api.Options)
		role account.Role
		want bool
	}{
		{"nobody said", func(*api.Options) {}, account.Administrator, true},
		{"an editor", func(*api.Options) {}, account.Editor, false},
		{"a flag", func(o *api.Options) { o.Flags.Zone = "UTC" }, account.Administrator, false},
		{"another zone", func(o *api.Options) { o.Site = berlin }, account.Administrator, false},
	} {
		w := newWorld(t, tt.set)
		w.put(eventOf(1, store.Publish, "Concert"))
		asks := func() bool {
			home := w.as(tt.role).get("/desk/").body
			return strings.Contains(
				home,
				`its times are read as UTC. <a href="/desk/site">Say where it is</a>`,
			)
		}
		if got := asks(); got != tt.want {
			t.Errorf("%s: asks %t", tt.name, got)
		}
		if b := w.as(tt.role); tt.want {
			b.sendSite(
				nil,
				"tag",
				fields(b.get("/desk/site").body)["tag"],
				"name",
				"Choir",
				"zone",
				"UTC",
			)
			if asks() {
				t.Error(tt.name, "and asks again after UTC was chosen")
			}
		}
	}
}
