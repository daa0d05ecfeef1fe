package media_test

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/api/media"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/contract"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

const (
	own       = "/cal/events/v1/media"
	wordpress = "/wp-json/wp/v2/media"
	jpegType  = "image/jpeg"
)

var asJSON = []string{"Content-Type", "application/json"}

var now = time.Date(2031, 5, 1, 9, 0, 0, 0, time.UTC)

// photo returns a JPEG.
func photo(width, height int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.RGBA{uint8(x), uint8(y), 90, 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// A desk asks a server as one role; "" is a stranger.
type desk struct {
	*testing.T
	srv *almanactest.Server
}

func start(t *testing.T, o almanactest.Options) desk {
	t.Helper()
	o.Now = now
	o.Also = "/wp-json/tribe/events/v1"
	return desk{t, contract.Start(t, o)}
}

// ask sends a request, wants a status, and returns the answer with its body.
func (d desk) ask(
	role account.Role,
	want int,
	method, path string,
	body []byte,
	headers ...string,
) (*http.Response, []byte) {
	d.Helper()
	resp, text := d.send(role, method, path, body, headers...)
	if resp.StatusCode != want {
		d.Fatalf(
			"%s %s as %q: status %d, want %d: %.500s",
			method,
			path,
			role,
			resp.StatusCode,
			want,
			text,
		)
	}
	return resp, text
}

// send sends a request, and returns the answer with its body.
func (d desk) send(
	role account.Role,
	method, path string,
	body []byte,
	headers ...string,
) (*http.Response, []byte) {
	d.Helper()
	hr, err := http.NewRequest(
		method,
		d.srv.URL+strings.TrimPrefix(path, d.srv.URL),
		bytes.NewReader(body),
	)
	if err != nil {
		d.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		hr.Header.Set(headers[i], headers[i+1])
	}
	resp, err := d.srv.As(role).Do(hr)
	if err != nil {
		d.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		d.Fatal(err)
	}
	return resp, text
}

// A medium has members of an upload in both forms.
type medium struct {
	ID        int64  `json:"id"`
	URL       string `json:"url"`
	SourceURL string `json:"source_url"`
	Alt       string `json:"alt"`
	Sizes     map[string]struct {
		Width, Height int
		URL           string
	} `json:"sizes"`
	Details struct {
		Sizes map[string]struct {
			SourceURL string `json:"source_url"`
		} `json:"sizes"`
	} `json:"media_details"`
	AltText string `json:"alt_text"`
}

func read[T any](d desk, text []byte) (v T) {
	d.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		d.Fatalf("%v: %s", err, text)
	}
	return v
}

// upload sends a picture as its own body.
func (d desk) upload(role account.Role, data []byte, query string) medium {
	d.Helper()
	_, text := d.ask(role, 201, "POST", own+query, data, "Content-Type", jpegType,
		"Content-Disposition", `attachment; filename="The Hall.JPG"`)
	return read[medium](d, text)
}

// form returns a form with a picture and its content type.
func form(name string, data []byte, fields ...string) (body []byte, kind string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(fields); i += 2 {
		_ = w.WriteField(fields[i], fields[i+1])
	}
	part, _ := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="` + name + `"`},
		"Content-Type":        {jpegType},
	})
	_, _ = part.Write(data)
	_ = w.Close()
	return b.Bytes(), w.FormDataContentType()
}

func TestUpload(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	d.ask(account.Author, 400, "POST", own, nil)
	sent, _ := d.ask(
		account.Author,
		201,
		"POST",
		own+"?alt=Two+benches&focus_x=0",
		photo(1000, 600),
		"Content-Type",
		jpegType,
	)
	if got, want := sent.Header.Get("Location"), d.srv.URL+own+"/1"; got != want {
		t.Errorf("Location: %q, want %q", got, want)
	}
	_, text := d.ask("", 404, "GET", own+"/1", nil)
	_, text = d.ask(account.Author, 200, "GET", own+"/1", nil)
	m := read[medium](d, text)
	if m.Alt != "Two benches" || !strings.HasPrefix(m.URL, d.srv.URL+"/media/") ||
		!strings.HasSuffix(m.URL, "/picture.jpg") {
		t.Errorf("uploaded: %s", text)
	}
	body, kind := form(
		"Poster (final).jpg",
		photo(1000, 600),
		"title",
		"Summer <b>fair</b>",
		"caption",
		"By <i>Ann</i><script>1</script>",
	)
	_, text = d.ask(account.Author, 201, "POST", own, body, "Content-Type", kind)
	fair := read[medium](d, text)
	if !strings.Contains(string(text), "By <i>Ann") || strings.Contains(string(text), "script") {
		t.Errorf("uploaded: %s", text)
	}
	if small := fair.Sizes["medium"]; small.Width != 300 || small.Height != 180 ||
		!strings.HasSuffix(small.URL, "/summer-fair-300x180.jpg") {
		t.Errorf("medium: %+v", small)
	}

	// Records show it, and everybody loads its files.
	d.ask(account.Author, 201, "POST", "/cal/events/v1/events", []byte(fmt.Sprintf(
		`{"title":"Fair","status":"publish","start_date":"2031-05-12","end_date":"2031-05-12","image":"%d"}`,
		fair.ID,
	)), asJSON...)
	_, text = d.ask("", 200, "GET", "/cal/events/v1/events", nil)
	list := read[struct{ Events []struct{ Image medium } }](d, text)
	if shown := list.Events[0].Image; shown.URL != fair.URL ||
		shown.Sizes["thumbnail"].URL != fair.Sizes["thumbnail"].URL {
		t.Errorf("the event shows %+v", shown)
	}
	for _, address := range []string{fair.URL, fair.Sizes["thumbnail"].URL} {
		resp, data := d.ask("", 200, "GET", address, nil)
		if _, err := jpeg.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", address, err)
		}
		got := map[string]string{}
		for _, name := range []string{"Content-Type", "Cache-Control", "X-Content-Type-Options", "Content-Security-Policy",
			"Content-Disposition"} {
			got[name] = resp.Header.Get(name)
		}
		want := map[string]string{
			"Content-Type":            jpegType,
			"Cache-Control":           "public, max-age=31536000, immutable",
			"X-Content-Type-Options":  "nosniff",
			"Content-Security-Policy": "default-src 'none'; sandbox",
			"Content-Disposition":     "inline; filename=" + address[strings.LastIndex(address, "/")+1:],
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", address, diff)
		}
		_, part := d.ask("", 206, "GET", address, nil, "Range", "bytes=10-19")
		if !bytes.Equal(part, data[10:20]) {
			t.Errorf("%s: a part is %q", address, part)
		}
		sum := sha256.Sum256(data)
		if tag, want := resp.Header.Get("ETag"), fmt.Sprintf(`"%x"`, sum[:16]); tag != want {
			t.Errorf("%s: the tag is %s, want %s", address, tag, want)
		}
		d.ask("", 304, "GET", address, nil, "If-None-Match", resp.Header.Get("ETag"))
		d.ask("", 200, "HEAD", address, nil)
	}
	folder := fair.URL[:strings.LastIndex(fair.URL, "/")]
	for _, name := range []string{"/sent", "/summer-fair.png", "", "/..%2f" + m.URL[len(d.srv.URL)+7:]} {
		d.ask("", 404, "GET", folder+name, nil)
	}

	// A record that is sent back as it was read names the same picture.
	d.ask(
		account.Author,
		200,
		"PATCH",
		"/cal/events/v1/events/3",
		[]byte(`{"image":{"url":"`+fair.URL+`"}}`),
		asJSON...)
	_, text = d.ask("", 200, "GET", "/cal/events/v1/events/3", nil)
	if got := read[struct{ Image medium }](d, text).Image.ID; got != fair.ID {
		t.Errorf("the event has the picture %d, want %d", got, fair.ID)
	}

	// After the deletion its addresses are gone, and the event has no picture.
	d.ask(account.Author, 412, "DELETE", fmt.Sprint(own, "/", fair.ID), nil, "If-Match", `"x"`)
	d.ask(account.Author, 200, "DELETE", fmt.Sprint(own, "/", fair.ID), nil)
	d.ask(account.Author, 404, "DELETE", fmt.Sprint(own, "/", fair.ID), nil)
	d.ask("", 404, "GET", fair.URL, nil)
	_, text = d.ask("", 200, "GET", "/cal/events/v1/events/3", nil)
	if !strings.Contains(string(text), `"image":false`) {
		t.Errorf("after the deletion: %s", text)
	}
	if err := d.srv.Store.Check(); err != nil {
		t.Error(err)
	}
}

// Addresses never change what they show: another point for the thumbnail has new addresses.
func TestFocus(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	m := d.upload(account.Author, photo(1000, 600), "")
	at := fmt.Sprint(own, "/", m.ID)
	_, text := d.ask(account.Author, 200, "PATCH", at, []byte(`{"alt":"The hall"}`), asJSON...)
	if got := read[medium](d, text); got.URL != m.URL || got.Alt != "The hall" {
		t.Errorf("another text: %s", text)
	}
	d.ask(account.Author, 400, "PATCH", at, []byte(`{"focus_y":101}`), asJSON...)
	_, text = d.ask(
		account.Author,
		200,
		"PATCH",
		at,
		[]byte(`{"focus_x":0,"title":"Town hall"}`),
		asJSON...)
	next := read[medium](d, text)
	if next.URL == m.URL || next.Alt != "The hall" ||
		!strings.HasSuffix(next.URL, "/town-hall.jpg") {
		t.Errorf("another point: %s", text)
	}
	d.ask("", 404, "GET", m.Sizes["thumbnail"].URL, nil)
	d.ask("", 200, "GET", next.Sizes["thumbnail"].URL, nil)
	small := d.upload(account.Author, photo(3, 3), "")
	_, text = d.ask(
		account.Author,
		200,
		"PATCH",
		fmt.Sprint(own, "/", small.ID),
		[]byte(`{"focus_x":0}`),
		asJSON...)
	if got := read[medium](d, text); got.URL != small.URL {
		t.Errorf("another point of a picture without a thumbnail: %s", text)
	}
}

// A picture that an import takes is found by all addresses of the image that it was before.
func TestImportPicture(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	image := &store.Image{
		URL:     "https://old.example/b.jpg",
		Origins: []string{"https://old.example/a.jpg"},
	}
	d.srv.Seed(image)
	take := func(address string, data []byte, want media.Taken) {
		t.Helper()
		_, text := d.ask(
			account.Administrator,
			200,
			"POST",
			"/_almanac/import/picture?address="+address,
			data,
			"Content-Type",
			jpegType,
		)
		if diff := cmp.Diff(want, read[media.Taken](d, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", address, diff)
		}
	}
	take(image.URL, nil, media.Taken{})
	take(image.URL, photo(30, 20), media.Taken{ID: image.ID, Outcome: write.Updated})
	other := &store.Image{
		URL:     "https://old.example/d.jpg",
		Origins: []string{"https://old.example/e.jpg"},
	}
	d.srv.Seed(other)
	take(other.Origins[0], photo(30, 20), media.Taken{ID: other.ID, Outcome: write.Updated})
	for _, i := range []*store.Image{image, other} {
		for _, address := range []string{i.URL, i.Origins[0]} {
			take(address, nil, media.Taken{ID: i.ID, Outcome: write.Unchanged})
		}
	}
	take("https://old.example/c.jpg", photo(30, 20), media.Taken{
		ID:      other.ID + 1,
		Outcome: write.Created,
	})
}

// A file that was damaged on the disk is not shown, and no other file is made of it.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	st, err := store.Open(store.Options{Dir: dir, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	d := start(t, almanactest.Options{Store: st})
	m := d.upload(account.Author, photo(1000, 600), "")
	flip := func(name string) {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(dir, "media", "*", name))
		if err != nil || len(found) != 1 {
			t.Fatal(name, found, err)
		}
		data, err := os.ReadFile(found[0])
		if err == nil {
			data[len(data)/2] ^= 1
			err = os.WriteFile(found[0], data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	address := m.Sizes["thumbnail"].URL
	whole, text := d.ask("", 200, "GET", address, nil)
	part, half := d.ask("", 206, "GET", address, nil, "Range", "bytes=10-19")
	if part.ContentLength != 10 || !bytes.Equal(half, text[10:20]) {
		t.Errorf("a part of a file: %d bytes", part.ContentLength)
	}
	flip(path.Base(address))
	resp, text := d.ask("", 404, "GET", address, nil)
	if resp.Header.Get("Cache-Control") == whole.Header.Get("Cache-Control") ||
		strings.Contains(string(text), dir) {
		t.Errorf("the answer for a damaged file: %v %s", resp.Header, text)
	}
	d.ask("", 404, "HEAD", address, nil)
	d.ask("", 404, "GET", address, nil, "Range", "bytes=0-9")
	d.ask(
		"",
		304,
		"GET",
		address,
		nil,
		"If-None-Match",
		whole.Header.Get("ETag"),
	) // what the client has is whole
	d.ask("", 200, "GET", m.URL, nil)

	at := fmt.Sprint(own, "/", m.ID)
	flip(store.SentName)
	d.ask(account.Author, 500, "PATCH", at, []byte(`{"focus_x":0}`), asJSON...)
	d.ask("", 200, "GET", m.URL, nil)
	d.ask(account.Author, 200, "PATCH", at, []byte(`{"alt":"The hall"}`), asJSON...)
	logo, err := media.Logo(st, m.ID)
	if _, text := d.ask("", 200, "GET", m.Sizes["w480"].URL, nil); err != nil ||
		!bytes.Equal(logo.Text, text) {
		t.Errorf("the logo is not the smaller size: %v", err)
	}
	flip(path.Base(m.Sizes["w480"].URL))
	if _, err := media.Logo(st, m.ID); err == nil {
		t.Error("a damaged file is a logo")
	}

	err = st.Update(1, func(tx *store.Tx) error {
		i := *tx.Image(m.ID)
		i.Filesize++
		return tx.Put(&i)
	})
	if err != nil {
		t.Fatal(err)
	}
	d.ask("", 404, "GET", m.URL, nil) // one byte is missing

	// A directory or a named pipe in the place of a file is no picture either, and nobody waits
	// for it.
	found, err := filepath.Glob(filepath.Join(dir, "media", "*", path.Base(address)))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	kinds := map[string]func() error{
		"directory": func() error { return os.Mkdir(found[0], 0o700) },
	}
	if mkfifo, err := exec.LookPath("mkfifo"); err == nil {
		kinds["pipe"] = exec.Command(mkfifo, found[0]).Run
	}
	for name, make := range kinds {
		if err := errors.Join(os.Remove(found[0]), make()); err != nil {
			t.Fatal(name, err)
		}
		d.ask("", 404, "GET", address, nil)
		d.ask("", 404, "GET", address, nil, "If-None-Match", whole.Header.Get("ETag"))
	}
}

// Two clients as the documentation of WordPress has them: one sends the bytes, the other one a
// form.
func TestAttachments(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	resp, text := d.ask(
		account.Author,
		201,
		"POST",
		wordpress,
		photo(1000, 600),
		"Content-Type",
		jpegType,
		"Content-Disposition",
		`attachment; filename=hall.jpg`,
	)
	a := read[medium](d, text)
	if resp.Header.Get("Location") != d.srv.URL+wordpress+"/1" ||
		a.Details.Sizes["medium"].SourceURL == "" || !strings.Contains(string(text), `"title":{"raw":"hall","rendered":"hall"}`) ||
		a.Details.Sizes["full"].SourceURL != a.SourceURL {
		t.Errorf("the answer to bytes: %s", text)
	}
	d.ask("", 200, "GET", a.SourceURL, nil)
	d.ask(
		account.Author,
		200,
		"POST",
		wordpress+"/1",
		[]byte(`{"alt_text":"The hall","caption":"x","title":"Hall"}`),
		asJSON...)
	body, kind := form("poster.jpg", photo(300, 300), "title", "Poster", "alt_text", "A poster")
	_, text = d.ask(account.Author, 201, "POST", wordpress, body, "Content-Type", kind)
	got := read[struct {
		Title, Caption struct{ Rendered string }
		AltText        string `json:"alt_text"`
		MediaType      string `json:"media_type"`
		MimeType       string `json:"mime_type"`
		Type, Slug     string
	}](d, text)
	if got.Title.Rendered != "Poster" || got.AltText != "A poster" || got.MediaType != "image" ||
		got.MimeType != jpegType || got.Slug != "poster" {
		t.Errorf("the answer to a form: %s", text)
	}
	resp, text = d.ask(account.Author, 200, "GET", wordpress+"?per_page=1", nil)
	if list := read[[]medium](d, text); len(list) != 1 || list[0].ID != 2 ||
		resp.Header.Get("X-WP-Total") != "2" ||
		resp.Header.Get("X-WP-TotalPages") != "2" {
		t.Errorf("the list: %s", text)
	}
	if link := resp.Header.Values("Link"); !slices.Contains(link,
		"<"+d.srv.URL+wordpress+`?per_page=1&page=2>; rel="next"`) {
		t.Errorf("the links of the list: %q", link)
	}
	for query, want := range map[string]string{
		"slug=poster":                 "2",
		"slug=poste":                  "",
		"slug=hall":                   "1",
		"search=hall":                 "1",
		"include=1":                   "1",
		"include=1,2&slug=hall":       "1",
		"include[]=7":                 "",
		"exclude=2":                   "1",
		"author=3":                    "2 1",
		"author=4":                    "",
		"after=2031-05-01T08:59:59":   "2 1",
		"after=2031-05-01T09:00:00":   "",
		"before=tomorrow&exclude=1":   "2",
		"offset=0":                    "2 1",
		"parent=0":                    "2 1",
		"parent=1":                    "",
		"mime_type=image/jpeg":        "2 1",
		"mime_type=image/png":         "",
		"media_type=image":            "2 1",
		"media_type=video":            "",
		"order=asc":                   "1 2",
		"orderby=id":                  "2 1",
		"orderby=title":               "2 1",
		"orderby=slug&order=asc":      "1 2",
		"orderby=author&order=asc":    "1 2",
		"orderby=include&include=1,2": "1 2",
		"orderby=modified&order=asc":  "1 2",
		"orderby=parent":              "2 1",
	} {
		var ids []string
		_, text = d.ask(account.Author, 200, "GET", wordpress+"?"+query, nil)
		for _, one := range read[[]medium](d, text) {
			ids = append(ids, fmt.Sprint(one.ID))
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
	for _, query := range []string{
		"include=" + strings.Repeat("1,", 1000),
		"include=0",
		"exclude=x",
		"author=me",
		"after=soon",
		"offset=10",
		"parent=x",
		"media_type=picture",
		"orderby=rand",
		"order=up",
		"context=raw",
		"page=0",
	} {
		_, text = d.ask(account.Author, 400, "GET", wordpress+"?"+query, nil)
		if !strings.Contains(string(text), `"rest_invalid_param"`) {
			t.Errorf("%.40s: %s", query, text)
		}
	}
	_, text = d.ask(account.Author, 200, "GET", wordpress+"?context=edit&_fields=id,title", nil)
	if want := `[{"id":2,"title":{"raw":"Poster","rendered":"Poster"}},` +
		`{"id":1,"title":{"raw":"Hall","rendered":"Hall"}}]`; string(text) != want {
		t.Errorf("the list for editing: %s, want %s", text, want)
	}
	d.ask("", 401, "GET", wordpress+"?context=edit", nil)
	d.ask(account.Subscriber, 403, "GET", wordpress+"?context=edit", nil)
	_, text = d.ask(account.Author, 400, "GET", wordpress+"?page=9", nil)
	if !strings.Contains(string(text), `"rest_post_invalid_page_number"`) {
		t.Errorf("a page behind the last one: %s", text)
	}
	_, text = d.ask(account.Author, 200, "GET", wordpress+"/1", nil)
	if got := read[medium](d, text); got.AltText != "The hall" || got.SourceURL != a.SourceURL {
		t.Errorf("read: %s", text)
	}
	d.ask(account.Author, 501, "DELETE", wordpress+"/1", nil)
	d.ask(account.Author, 200, "DELETE", wordpress+"/1?force=true", nil)
	d.ask(account.Author, 404, "GET", wordpress+"/1", nil)
	_, text = d.ask(account.Author, 200, "GET", wordpress+"?slug=hall", nil)
	if string(text) != "[]" {
		t.Errorf("the slug of a removed picture finds %s", text)
	}
	_, text = d.ask(account.Author, 201, "POST", wordpress, photo(2, 2), "Content-Type", jpegType,
		"Content-Disposition", `attachment; filename*=UTF-8''%01a%0Ab%7F%C2%85%FFc.jpg`)
	if !strings.Contains(string(text), `"title":{"raw":"abc","rendered":"abc"}`) {
		t.Errorf("the name of a file with control characters: %s", text)
	}
	_, text = d.ask("", 200, "GET", "/wp-json/", nil)
	if !strings.Contains(string(text), `"wp/v2"`) ||
		!strings.Contains(string(text), `"/wp/v2/media"`) {
		t.Errorf("the root: %.600s", text)
	}
}

// A picture that is not the one of its Content-MD5 is not stored.
func TestSums(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	sent := photo(300, 300)
	sum := fmt.Sprintf("%X", md5.Sum(sent))
	for _, route := range []string{own, wordpress} {
		headers := []string{
			"Content-Type",
			jpegType,
			"Content-Disposition",
			"attachment; filename=hall.jpg",
			"Content-MD5",
		}
		d.ask(account.Author, 412, "POST", route, photo(301, 300), append(headers, sum)...)
		d.ask(account.Author, 201, "POST", route, sent, append(headers, sum)...)
	}
	if _, text := d.ask(account.Author, 200, "GET", own, nil); !strings.Contains(
		string(text),
		`"total":2`,
	) {
		t.Errorf("the list after two refusals and two uploads: %s", text)
	}
}

// Each role in front of an upload of an author, in turn shown by nothing, by a draft and by a
// published event.
func TestRights(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	roles := []account.Role{
		"",
		account.Subscriber,
		account.Contributor,
		account.Author,
		account.Editor,
		account.Administrator,
	}
	may := func(role account.Role) bool {
		return role == account.Author || role == account.Editor || role == account.Administrator
	}
	for i, role := range roles {
		want := []int{401, 403, 403, 201, 201, 201}[i]
		d.ask(role, want, "POST", own, photo(2, 2), "Content-Type", jpegType)
		d.ask(role, want, "POST", wordpress, photo(2, 2), "Content-Type", jpegType)
	}
	var author int64
	_ = d.srv.Store.View(
		func(v *store.View) error { author = v.Uploads()[0].(*store.Image).Author; return nil },
	)
	m := d.upload(account.Editor, photo(300, 300), "?title=Secret")
	at := fmt.Sprint(own, "/", m.ID)
	e := store.Event{
		Title: "Fair",
		Post: store.Post{
			Status: store.Draft,
			Image:  m.ID,
			Author: author + 100,
		},
	}
	for _, shown := range []bool{false, false, true} {
		for i, role := range roles {
			seen := shown || role == account.Editor || role == account.Administrator
			read := map[bool]int{true: 200, false: 404}[seen]
			d.ask(role, read, "GET", at, nil)
			d.ask(role, read, "GET", fmt.Sprint(wordpress, "/", m.ID), nil)
			for _, list := range []string{own, own + "?search=secret", wordpress} {
				if _, text := d.ask(role, 200, "GET", list, nil); strings.Contains(
					string(text),
					m.URL,
				) != seen {
					t.Errorf("%q finds the picture in %s, want %t: %s", role, list, seen, text)
				}
			}
			change := []int{401, 403, 403, 404, 200, 200}[i]
			if shown && change == 404 {
				change = 403
			}
			if !seen && !may(role) {
				change = []int{401, 403, 403}[i]
			}
			d.ask(role, change, "PATCH", at, []byte(`{"caption":"x"}`), asJSON...)
			if change != 200 {
				d.ask(role, change, "DELETE", at, nil)
				d.ask(role, change, "DELETE", fmt.Sprint(wordpress, "/", m.ID, "?force=true"), nil)
			}
		}
		if e.ID == 0 {
			d.srv.Seed(&e)
			continue
		}
		published := e
		published.Status = store.Publish
		d.srv.Seed(&published)
	}
	mine := d.upload(account.Author, photo(3, 3), "")
	d.ask(account.Author, 200, "DELETE", fmt.Sprint(own, "/", mine.ID), nil)
	d.ask(account.Editor, 200, "DELETE", at, nil)
}

// leavesFiles reports whether the store in memory has the file of any picture.
func leavesFiles(
	d desk,
) bool {
	return !strings.HasSuffix(fmt.Sprint(d.srv.Store.Media()), "map[]}")
}

// Each limit is named in its refusal, which leaves nothing.
func TestLimits(t *testing.T) {
	t.Parallel()
	picture := photo(400, 400)
	for _, test := range []struct {
		name   string
		limits func(*admission.Limits)
		data   []byte
		status int
		says   string
	}{
		{"bytes", func(l *admission.Limits) { l.Picture = 1000 }, picture, 413, "-max-picture-mb"},
		{"pixels", func(l *admission.Limits) { l.Pixels = 1000 }, picture, 413, "-max-picture-pixels"},
		{"quota", func(l *admission.Limits) { l.PictureQuota = 1000 }, picture, 507, "-picture-quota-mb"},
		{"all", func(l *admission.Limits) { l.Pictures = 1000 }, picture, 507, "-pictures-mb"},
		{"bodies", func(l *admission.Limits) { l.BodyBytes = 1000 }, picture, 201, ""}, // alone in its part it is read
		{"no picture", func(*admission.Limits) {}, []byte("<svg/>"), 415, "JPEG, PNG, GIF or WebP"},
		{"half a picture", func(*admission.Limits) {}, picture[:len(picture)/2], 400, "damaged or cut off"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			limits := admission.Default()
			test.limits(&limits)
			d := start(t, almanactest.Options{Limits: &limits})
			for _, role := range []account.Role{account.Author, account.Editor} {
				status := test.status
				if test.name == "quota" && role == account.Editor {
					status = 201
				}
				_, text := d.ask(role, status, "POST", own, test.data, "Content-Type", jpegType)
				if status != 201 && !strings.Contains(string(text), test.says) {
					t.Errorf("the refusal says nothing of %s: %s", test.says, text)
				}
				if status != 201 && leavesFiles(d) {
					t.Error("files are left")
				}
			}
		})
	}
}

// One picture at a time is decoded, and some may wait. The next one is told to come again.
func TestQueue(t *testing.T) {
	t.Parallel()
	asked := make(chan *admission.Bounds, 1)
	decoding := func(on func(string, *api.Op)) {
		on("GET /bounds", &api.Op{
			Name:   "bounds",
			Params: params.None,
			Serve: func(r *api.Call) (*respond.Response, error) {
				asked <- r.Bounds()
				return &respond.Response{Status: 200}, nil
			},
		})
		on("POST "+own, media.Media.Create)
	}
	accounts, err := account.Memory(account.User{
		Account: account.Account{
			ID:    1,
			Login: "ann",
			Role:  account.Author,
		},
		Token: "ann",
	})
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, err := api.New(api.Options{Store: st, Accounts: accounts}, decoding)
	if err != nil {
		t.Fatal(err)
	}
	apitest.Serve(s, "GET", "http://cal.example.org/bounds", "")
	turns := (<-asked).Decoding
	first := turns.Hold(admission.Key{})
	if err := first.Grow(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	send := func() int {
		w := apitest.Serve(
			s,
			"POST",
			"http://cal.example.org"+own,
			string(photo(2, 2)),
			"Content-Type",
			jpegType,
			"Authorization",
			"Bearer ann",
		)
		if w.Code == 503 && w.Header().Get("Retry-After") == "" {
			t.Error("a refusal without Retry-After")
		}
		return w.Code
	}
	results := make(chan int)
	for range admission.PicturesWaiting + 5 {
		go func() { results <- send() }()
	}
	for range 5 {
		if got := <-results; got != 503 {
			t.Errorf("status %d, want 503", got)
		}
	}
	first.End()
	for range admission.PicturesWaiting {
		if got := <-results; got != 201 {
			t.Errorf("status %d, want 201", got)
		}
	}
}

// Clients that ask too often wait, and a picture that lost its file is a mistake of the server.
func TestRates(t *testing.T) {
	t.Parallel()
	limits := admission.Default()
	limits.Rate = limit.Rate{N: 1, Per: time.Hour}
	d := start(t, almanactest.Options{Limits: &limits})
	d.ask(account.Editor, 201, "POST", own, photo(200, 200), "Content-Type", jpegType)
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		if resp, _ := d.ask(account.Editor, 429, method, own+"/1", nil); resp.Header.Get(
			"Retry-After",
		) == "" {
			t.Errorf("%s: a refusal without Retry-After", method)
		}
	}
	d.ask(account.Editor, 429, "POST", own, photo(2, 2), "Content-Type", jpegType)

	d = start(t, almanactest.Options{})
	directory := strings.Repeat("1", 32)
	hash := strings.Repeat("2", 64)
	address := store.MediaPath + directory + "/a.jpg"
	d.srv.Seed(&store.Image{
		URL:       address,
		Directory: directory,
		Sent:      hash,
		Hash:      hash,
		Type:      jpegType,
		Date:      now,
		Modified:  now,
		Extension: "jpg",
		Width:     9,
		Height:    9,
		Filesize:  9,
		Sizes:     []store.ImageSize{{Name: "medium", URL: address, Hash: hash}},
	})
	d.ask(account.Editor, 500, "PATCH", own+"/1", []byte(`{"focus_x":9}`), asJSON...)
	d.ask(account.Editor, 404, "GET", address, nil)
	d.ask(account.Editor, 200, "GET", own+"/1", nil)
}

// A refused parameter leaves no file.
func TestStrictInput(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{StrictInput: true})
	d.ask(account.Author, 400, "POST", own+"?captoin=x", photo(2, 2), "Content-Type", jpegType)
	if leavesFiles(d) {
		t.Error("files are left")
	}
}

// A world has its own pictures.
func TestWorlds(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{Worlds: true})
	common := d.upload(account.Author, photo(2, 2), "")
	d.srv.Seed(store.Venue{Name: "Hall"}) // worlds begin as what is seeded last
	world := desk{t, d.srv.World(t)}
	inside := world.upload(account.Author, photo(3, 3), "")
	world.ask("", 200, "GET", common.URL, nil)
	world.ask("", 200, "GET", inside.URL, nil)
	d.ask("", 404, "GET", inside.URL, nil)
}
