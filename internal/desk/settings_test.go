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
	"strings"
	"testing"
	"time"

	"almanac/internal/account"
	"almanac/internal/api"
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

// An administrator comes to the settings first, then to the form of an event; later the home page comes first.
func TestSite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *api.Options) { o.Machine = "Europe/Vienna" })
	b := w.browser()
	b.header.Set("Accept-Language", "de-AT,de;q=0.9")
	signIn := func() string {
		return b.post("/desk/sign-in", "sign-in-login", "administrator", "sign-in-token", "administrator").location
	}
	if got := signIn(); got != "/desk/site" {
		t.Error("the first sign-in leads to", got)
	}
	got := b.get("/desk/site")
	want := map[string]string{"name": "", "zone": "Europe/Vienna", "region": "AT", "currency": "EUR", "image": "",
		"tag": fields(got.body)["tag"], "to": "/desk/site"}
	if diff := cmp.Diff(want, fields(got.body)); diff != "" || !strings.Contains(got.body, `value="#8a3324"`) {
		t.Error("guesses:", diff, got.body)
	}
	tag := want["tag"]
	if got := b.sendSite([]byte("<svg onload=alert(1)>"), "tag", tag, "name", "Kirchenchor", "zone", "Berlin", "region", "Tyrol", "colour",
		"#ffcc00"); got.status != 415 || strings.Count(got.body, `class="problem"`) != 4 || fields(got.body)["name"] != "Kirchenchor" ||
		fields(got.body)["region"] != "TYROL" && fields(got.body)["region"] != "Tyrol" || w.store.Settings() != nil {
		t.Error("mistakes:", got.status, got.body)
	}
	if got := b.sendSite(nil, "tag", tag, "name", strings.Repeat("x", 201)); got.status != 422 || w.store.Settings() != nil {
		t.Error("a name of 201 bytes:", got.status)
	}
	if got := b.sendSite(picture(), "tag", tag, "name", "  Kirchenchor \r\n Dorf", "zone", "Europe/Vienna", "region", "at", "colour",
		"#0B5D3B"); got.status != 303 || got.location != "/desk/events/new?done=saved" {
		t.Fatal(got.status, got.location, got.body)
	}
	saved := *w.store.Settings()
	if diff := cmp.Diff(store.Settings{Name: "Kirchenchor Dorf", Zone: "Europe/Vienna", Region: "AT", Colour: "#0b5d3b", Logo: saved.Logo},
		saved); diff != "" || saved.Logo == 0 {
		t.Error(diff)
	}
	if got := signIn(); got != "/desk/" {
		t.Error("the second sign-in leads to", got)
	}

	// A form of before another change changes nothing, and keeps its values.
	if got := b.sendSite(nil, "tag", tag, "name", "Late", "image", "1"); got.status != 412 || fields(got.body)["name"] != "Late" ||
		*w.store.Settings() != saved {
		t.Error("a form of before:", got.status, *w.store.Settings())
	}
	shown := fields(b.get("/desk/site").body)
	w.put(eventOf(1, store.Publish, "Concert"))
	if got := b.sendSite(nil, "tag", shown["tag"], "name", "", "zone", "", "region", "", "colour", "#8a3324", "no-picture", "1", "image",
		shown["image"]); got.location != "/desk/site?done=saved" || *w.store.Settings() != (store.Settings{}) {
		t.Error("emptied:", got.status, got.location, *w.store.Settings())
	}
}

// The logo goes out of the settings with its picture.
func TestLogoRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Administrator)
	b.sendSite(picture(), "tag", fields(b.get("/desk/site").body)["tag"], "name", "Choir")
	if w.store.Settings().Logo == 0 {
		t.Fatal("no logo")
	}
	b.header.Set("Authorization", "Bearer administrator")
	got := b.do("DELETE", "/cal/events/v1/media/1", "", "")
	if diff := cmp.Diff(store.Settings{Name: "Choir"}, *w.store.Settings()); got.status != 200 || diff != "" {
		t.Error(got.status, got.body, diff)
	}
}

// Administrators alone see and change the settings, from pages of the desk alone.
func TestSiteRights(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, role := range roles {
		b, may := w.as(role), role == account.Administrator
		if got := b.get("/desk/site"); (got.status == 200) != may || strings.Contains(b.get("/desk/").body, `href="/desk/site"`) != may {
			t.Error(role, "reads:", got.status)
		}
		b.header.Set("Sec-Fetch-Site", "cross-site")
		if got := b.sendSite(nil, "name", "Other"); got.status != 403 {
			t.Error(role, "from another site:", got.status)
		}
		b.header.Del("Sec-Fetch-Site")
		if got := b.sendSite(picture(), "tag", fields(b.get("/desk/site").body)["tag"], "name", string(role)); (got.status == 303) != may {
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
		o.Flags = store.Settings{Name: "Choir", Zone: "Europe/Berlin", Region: "DE", Logo: 1}
	})
	b := w.as(account.Administrator)
	got := b.get("/desk/site")
	for _, text := range []string{"Choir: chosen with -site-name", "Europe/Berlin: chosen with -timezone", "DE: chosen with -region",
		"Chosen with -logo"} {
		if !strings.Contains(got.body, text) {
			t.Errorf("no %q", text)
		}
	}
	for _, field := range []string{"name", "zone", "region", "picture"} {
		if strings.Contains(got.body, `name="`+field+`"`) {
			t.Error("a field that a flag decides:", field)
		}
	}
	b.sendSite(picture(), "tag", fields(got.body)["tag"], "name", "Other", "zone", "Asia/Tokyo", "region", "JP", "colour", "#0b5d3b")
	if diff := cmp.Diff(store.Settings{Colour: "#0b5d3b"}, *w.store.Settings()); diff != "" {
		t.Error(diff)
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
	if got := b.sendSite(nil, "tag", tag, "name", "Choir"); got.status != http.StatusServiceUnavailable ||
		fields(got.body)["name"] != "Choir" || st.Settings() != nil {
		t.Error(got.status, got.body)
	}
}
