package command

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/cli"

	"github.com/google/go-cmp/cmp"
)

// Pages have the owner's logo and styles, from files that are read once, when the server starts.
func TestLookFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	const style, svg = `@import "https://fonts.example/a.css"; h1 { color: red }`,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><script>alert(1)</script></svg>`
	replace(t, file("choir.css"), style)
	replace(t, file("logo"), svg)
	var shared bytes.Buffer
	if err := png.Encode(&shared, image.NewGray(image.Rect(0, 0, 12, 6))); err != nil {
		t.Fatal(err)
	}
	replace(t, file("shared"), shared.String())
	if err := os.Mkdir(file("theme"), 0o700); err != nil {
		t.Fatal(err)
	}
	replace(t, file("theme/turn.html"), `<p class="mine">{{.Name}}</p>`)
	s := startServer(
		t,
		append(
			still,
			"-memory",
			"-site-name",
			"St Mary’s",
			"-site-text",
			`Sung & "spoken"`,
			"-style",
			file("choir.css"),
			"-logo",
			file("logo"),
			"-picture",
			file("shared"),
			"-theme",
			file("theme"),
			"-picture-hosts",
			"Pictures.example, pictures.example:8443",
			"-frame-hosts",
			"player.example",
			"-link",
			"Con & tact=https://choir.example/a?b=c&d",
			"-link",
			"Mail=mailto:a@choir.example",
		)...)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	c := s.Admin()
	c.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Vespers","start_date":"2031-05-12 20:00","end_date":"2031-05-12 21:00",
		"image":"https://pictures.example/b.png","description":"<p><img src=\"https://pictures.example:8443/a.png\" alt=\"A\">`+
			`<img src=\"https://tracker.example/a.png\" alt=\"T\"></p><iframe src=\"https://player.example/1\" title=\"P\"></iframe>`+
			`<iframe src=\"https://other.example/1\" title=\"O\"></iframe>"}`,
	)

	list := c.Do(t, "GET", "/events/", "")
	event := c.Do(t, "GET", "/de/event/vespers/", "")
	for _, part := range []string{"<bdi>St Mary’s</bdi>", "Sung &amp; &#34;spoken&#34;", `width="80" height="40"`, `<p class="mine">`,
		`<img src="https://pictures.example/b.png"`,
		`<a href="https://choir.example/a?b=c&amp;d" rel="external"><bdi>Con &amp; tact</bdi></a>`,
		`<a href="mailto:a@choir.example"`} {
		if !strings.Contains(list.Body, part) {
			t.Errorf("a list has no %s: %s", part, list.Body)
		}
	}
	for part, want := range map[string]bool{`<img src="https://pictures.example:8443/a.png"`: true,
		`<iframe src="https://player.example/1"`: true, `src="https://tracker.example`: false,
		`src="https://other.example`: false, `<a href="https://tracker.example/a.png"`: true,
		`<a href="https://other.example/1"`: true} {
		// Attributes come in any order.
		tag, address, _ := strings.Cut(part, " ")
		if got := regexp.MustCompile(regexp.QuoteMeta(tag) + `[^>]* ?` + regexp.QuoteMeta(address)).MatchString(event.Body); got != want {
			t.Errorf("the page of an event has %s: %v, want %v: %s", part, got, want, event.Body)
		}
	}
	const policy = "default-src 'none'; style-src 'self'; img-src 'self' pictures.example pictures.example:8443; media-src 'self' " +
		"pictures.example pictures.example:8443; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-src player.example; " +
		"frame-ancestors 'none'"
	if diff := cmp.Diff(policy, event.Header.Get("Content-Security-Policy")); diff != "" {
		t.Errorf("policy (-want, +got):\n%s", diff)
	}
	const site = "http://calendar.example.org"
	var sheets []string
	for _, found := range regexp.MustCompile(`<link rel="stylesheet" href="([^"]*)">`).FindAllStringSubmatch(event.Body, -1) {
		sheets = append(sheets, strings.TrimPrefix(found[1], site))
	}
	if len(sheets) != 2 {
		t.Fatalf("style sheets: %v", sheets)
	}
	picture := regexp.MustCompile(`<meta property="og:image" content="([^"]*/assets/picture-[^"]*\.png)">
<meta property="og:image:width" content="12">`).
		FindStringSubmatch(list.Body)
	if picture == nil ||
		!strings.Contains(
			event.Body,
			`<meta property="og:image" content="https://pictures.example/b.png">`,
		) {
		t.Fatalf(
			"pictures with links to a list and to an event with one of its own: %s %s",
			list.Body,
			event.Body,
		)
	}
	logo := regexp.MustCompile(`<img src="([^"]*/assets/logo-[^"]*\.svg)"`).
		FindStringSubmatch(list.Body)
	if logo == nil {
		t.Fatal("the list has no logo")
	}
	for _, tt := range [][4]string{{sheets[1], style, "text/css; charset=utf-8", ""}, {strings.TrimPrefix(logo[1], site), svg, "image/svg+xml",
		"default-src 'none'; style-src 'unsafe-inline'; sandbox"}, {strings.TrimPrefix(picture[1], site), shared.String(), "image/png",
		"default-src 'none'; style-src 'unsafe-inline'; sandbox"}} {
		a := c.Do(t, "GET", tt[0], "")
		got := [4]string{
			tt[0],
			a.Body,
			a.Header.Get("Content-Type"),
			a.Header.Get("Content-Security-Policy"),
		}
		if diff := cmp.Diff(tt, got); diff != "" ||
			a.Header.Get("X-Content-Type-Options") != "nosniff" ||
			a.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s %v (-want, +got):\n%s", tt[0], a.Header, diff)
		}
	}
	// A look that changed is another page.
	other := startServer(t, append(still, "-memory", "-site-text", "Other")...)
	mine := startServer(t, append(still, "-memory")...)
	tag := other.Admin().Do(t, "GET", "/events/", "").Header.Get("ETag")
	if mine.Admin().Do(t, "GET", "/events/", "").Header.Get("ETag") == tag {
		t.Errorf("two looks have the tag %s", tag)
	}
}

// A link of the footer has a text, and leads to a page or to a mailbox. There are five at most.
func TestBadLinks(t *testing.T) {
	t.Parallel()
	five := strings.Repeat("-link A=https://a.example/ ", 5)
	for args, want := range map[string]string{
		"-link Contact":                     "must be a text and an address",
		"-link =https://a.example":          "must be a text",
		"-link A=javascript:alert(1)":       "mailto:",
		"-link A=//a.example":               "must be",
		"-link A=https:a":                   "must be",
		"-link A=mailto:":                   "must be",
		"-link A=ftp://a.example/":          "must be",
		five + "-link B=https://b.example/": "may be given 5 times",
	} {
		err := serveOnce(t, append([]string{"-memory"}, strings.Fields(args)...)...)
		if cli.Status(err) != 2 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// A file that pages cannot use is refused at the start, with the flag and the file.
func TestBadLookFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		replace(t, filepath.Join(dir, name), text)
		return filepath.Join(dir, name)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	device := filepath.Join(dir, "device.css")
	if err := os.Symlink("/dev/zero", device); err != nil {
		t.Skip(err)
	}
	theme := t.TempDir()
	replace(t, filepath.Join(theme, "list.html"), "<h1>\n{{.List.Nothing}}</h1>")
	hostile := t.TempDir()
	replace(t, filepath.Join(hostile, "lists.html"), "")
	for _, tt := range []struct{ flag, value, want string }{
		{"-style", filepath.Join(dir, "none.css"), "none.css: no such file"}, {"-style", dir, dir + ": not a regular file"},
		{"-style", device, "device.css: not a regular file"},
		{"-style", file("large.css", strings.Repeat(" ", 256<<10+1)), "large.css: it has more than 256 KB"},
		{"-style", file("logo.css", picture.String()), "logo.css: line 1 is not UTF-8"},
		{"-logo", filepath.Join(dir, "none.png"), "none.png: no such file"}, {"-logo", dir, dir + ": not a regular file"},
		{"-logo", file("page.png", "<!DOCTYPE html><script></script>"), "page.png: it is no picture of the kinds PNG, JPEG, WebP and SVG"},
		{"-logo", file("large.png", picture.String()+strings.Repeat(" ", 1<<20)), "large.png: it has more than 1024 KB"},
		{"-logo", file("a.gif", "GIF89a\x01\x00\x01\x00\x00\x00\x00;"), "a.gif: it is no picture of the kinds PNG, JPEG, WebP and SVG"},
		{"-picture", file("a.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>`),
			"a.svg: it is no picture of the kinds PNG and JPEG"},
		{"-picture", file("huge.png", picture.String()+strings.Repeat(" ", 2<<20)), "huge.png: it has more than 2048 KB"},
		{"-theme", filepath.Join(dir, "none"), "none: no such file"}, {"-theme", device, "device.css: "},
		{"-theme", theme, "list.html:2:"},
		{"-theme", hostile, "lists.html: there is no template of this name to replace; there are address.html,"},
		{"-picture-hosts", "https://a.example", `"https://a.example" must be the name of a host`},
		{"-picture-hosts", "a.example,", `"" must be`}, {"-picture-hosts", "a.example b.example", "each by itself"},
		{"-picture-hosts", "a.example; script-src *", `"a.example; script-src *" must be`}, {"-picture-hosts", "data:", `"data:" must be`},
		{"-picture-hosts", "*", `"*" must be`}, {"-picture-hosts", "*.example", `"*.example" must be`},
		{"-picture-hosts", "bücher.example", "xn--"}, {"-picture-hosts", "a..example", `"a..example" must be`},
		{"-picture-hosts", "a.example/pictures", "without https:// and path"}, {"-picture-hosts", "'self'", `"'self'" must be`},
		{"-picture-hosts", "a.example:https", `"a.example:https" must be`}, {"-frame-hosts", "'unsafe-inline'", "-frame-hosts"},
		{"-frame-hosts", "[::1]", `"[::1]" must be`}, {"-frame-ancestors", "https://a.example; script-src *", `"https://a.example;" must be`},
		{"-frame-ancestors", "https://a.example,https://b.example", "spaces between several"}, {"-frame-ancestors", "https:", `"https:" must be`},
		{"-frame-ancestors", "https://a.example/page", `must be a site`}, {"-frame-ancestors", "ftp://a.example", `must be a site`},
		{"-frame-ancestors", "https://*", `must be a site`}, {"-frame-ancestors", "https://a.*", `must be a site`},
		{"-frame-ancestors", "'unsafe-inline'", `must be a site`},
	} {
		err := serveOnce(t, "-memory", tt.flag, tt.value)
		if cli.Status(err) != 2 || !strings.HasPrefix(err.Error(), tt.flag) ||
			!strings.Contains(err.Error(), tt.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf(
				"%s %s: exit status %d (%v), want 2 and %q",
				tt.flag,
				tt.value,
				cli.Status(err),
				err,
				tt.want,
			)
		}
	}
}

// A night that ends by -day-ends is on the page of its first day alone.
func TestDayEnds(t *testing.T) {
	t.Parallel()
	for ends, want := range map[string]bool{
		"":      false,
		"02:30": false,
		"02:29": true,
		"00:00": true,
	} {
		flags := append(still, "-memory")
		if ends != "" {
			flags = append(flags, "-day-ends", ends)
		}
		c := startServer(t, flags...).Admin()
		c.Must(
			t,
			"POST",
			v1+"/events",
			`{"title":"Party","start_date":"2031-05-12 22:00","end_date":"2031-05-13 02:30"}`,
		)
		if got := strings.Contains(c.Do(t, "GET", "/events/2031-05-13/", "").Body, "Party"); got != want {
			t.Errorf("with -day-ends %q it is on its second day: %v", ends, got)
		}
	}
}
