package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// A logo is known by its content, and shown in its proportion.
func TestLogo(t *testing.T) {
	t.Parallel()
	var pngText, jpegText bytes.Buffer
	if err := png.Encode(&pngText, image.NewGray(image.Rect(0, 0, 300, 100))); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&jpegText, image.NewGray(image.Rect(0, 0, 50, 100)), nil); err != nil {
		t.Fatal(err)
	}
	// Headers of RFC 9649, of 400 × 100 pixels.
	const lossy = "RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x00\x30\x01\x00\x9d\x01\x2a\x90\x01\x64\x00"
	const lossless = "RIFF\x24\x00\x00\x00WEBPVP8L\x18\x00\x00\x00\x2f\x8f\xc1\x18\x00\x00\x00\x00\x00\x00"
	const extended = "RIFF\x24\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x8f\x01\x00\x63\x00\x00"
	const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><!-- a logo --><svg xmlns="http://www.w3.org/2000/svg" `
	for _, tt := range []struct {
		name, text string
		want       string // kind and width, or a part of the error
	}{
		{"PNG", pngText.String(), "logo-… .png image/png 120"}, {"JPEG", jpegText.String(), "logo-… .jpeg image/jpeg 20"},
		{"lossy WebP", lossy, "logo-… .webp image/webp 160"}, {"lossless WebP", lossless, "logo-… .webp image/webp 160"},
		{"extended WebP", extended, "logo-… .webp image/webp 160"},
		{"SVG with a box", svg + `viewBox="0,0 20,10"/>`, "logo-… .svg image/svg+xml 80"},
		{"SVG of pixels", svg + `width="30px" height="10" viewBox="0 0 1 1"/>`, "logo-… .svg image/svg+xml 120"},
		{"SVG of percents", svg + `width="100%" height="100%" viewBox="0 0 10 10"/>`, "logo-… .svg image/svg+xml 40"},
		{"SVG without a size", svg + `/>`, "needs a viewBox"}, {"SVG of nothing", svg + `viewBox="0 0 0 0"/>`, "needs a viewBox"},
		{"SVG without end", svg + `viewBox="0 0 inf 1"/>`, "needs a viewBox"},
		{"SVG with a prefix", "<!-- > --><svg:svg a='>' viewBox = '0 0 20 10' >", "logo-… .svg image/svg+xml 80"},
		{"SVG in a comment", "<!-- <svg viewBox='0 0 20 10'/> --><g/>", "no picture"},
		{"another element", "<svgs viewBox='0 0 20 10'/>", "no picture"},
		{"a page", "<!DOCTYPE html><html><svg viewBox='0 0 1 1'/></html>", "no picture of the kinds PNG, JPEG, WebP and SVG"},
		{"a short WebP", extended[:20], "no picture"}, {"a GIF", "GIF89a\x01\x00\x01\x00\x00\x00\x00;", "no picture"},
		{"a program", "#!/bin/sh\n", "no picture"}, {"nothing", "", "no picture"},
		{"too large", pngText.String() + strings.Repeat("\x00", LogoMost), "more than 1024 KB"},
	} {
		logo, err := NewLogo([]byte(tt.text))
		got := fmt.Sprint(err)
		if err == nil {
			kind, extension, _ := strings.Cut(logo.Name, ".")
			got = fmt.Sprintf(
				"%s… .%s %s %d",
				kind[:len("logo-")],
				extension,
				logo.Media,
				logo.Image.Width,
			)
			if logo.Image.Height != logoHeight {
				t.Errorf("%s: %d pixels high", tt.name, logo.Image.Height)
			}
		}
		if err == nil && got != tt.want || err != nil && !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestStyle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"h1 { color: red }":              "",
		"h1 {}\n\xff":                    "line 2 is not UTF-8",
		"\x00":                           "line 1 is not UTF-8",
		"a\ufffdb":                       "",
		strings.Repeat(" ", StyleMost+1): "more than 256 KB",
	} {
		style, err := NewStyle([]byte(text))
		if want == "" &&
			(err != nil || string(style.Text) != text || style.Name != StyleName([]byte(text))) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.20q: %v, %v; want %q", text, style, err, want)
		}
	}
}

// Templates of a site are refused when they could not show what there is to show, with
// their names and lines.
func TestThemeOfSite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"turn.html", "{{.Name}}\n", ""},
		{"frame.html", "{{if .List}}<h1>{{.List.Heading}}</h1>{{end}}", ""},
		{".git", "x", ""},
		{"lists.html", "", "lists.html: there is no template of this name to replace; there are address.html, "},
		{"style.css", "", "style.css: there is no template"},
		{"list.html", "<p>\n{{.List.Heading}\n", "list.html:2: "},
		{"list.html", "<p>\n{{.List.Title}}\n", "list.html:2:"},
		{"list.html", "{{if .List.Earlier}}\n{{end}}<p {{with .List.Empty}}class=\"{{.}}{{end}}>", "list.html:2:"},
		{"entry.html", "{{.Entry.Image.Source}}", "entry.html:1:"}, // not every event has a picture
		{"turn.html", "{{template \"turn.html\" .}}", "turn.html"},
		{"day.html", "\n{{/* nothing */}}\n", `day.html:1: empty, and so would leave ours in its place; a template of {{""}}`},
		{"day.html", "\n\xff", "day.html:2: not UTF-8"},
		{"cell.html", strings.Repeat(" ", templateMost+1), "cell.html: has more than 256 KB"},
	} {
		theme, err := NewTheme(fstest.MapFS{tt.name: {Data: []byte(tt.text)}})
		switch {
		case tt.want == "" && err != nil,
			tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s %.40q: %v, want %q", tt.name, tt.text, err, tt.want)
		case err == nil && !strings.HasPrefix(theme.Name, "theme-"):
			t.Errorf("%s: the theme is named %q", tt.name, theme.Name)
		}
	}
	if theme, err := NewTheme(fstest.MapFS{
		"turn.html": {
			Data: []byte(`<p class="mine">{{.Name}}</p>`),
		},
	}); err != nil {
		t.Error(err)
	} else if f, list := samples()["list"](); true {
		b, err := theme.Page(f, list)
		text := string(b)
		if err != nil || !strings.Contains(text, `<p class="mine">More pages`) || !strings.Contains(text, `<header class="site">`) {
			t.Errorf("one template of a site, and ours: %v %s", err, b)
		}
	}
	dir := t.TempDir()
	if err := os.Symlink("/dev/zero", dir+"/list.html"); err == nil {
		if _, err := NewTheme(os.DirFS(dir)); err == nil ||
			!strings.Contains(err.Error(), "list.html: not a regular file") {
			t.Errorf("a device: %v", err)
		}
	}
}

// The samples have every member of every model, so that nothing which a template says of
// one is left untried.
func TestSamples(t *testing.T) {
	t.Parallel()
	var full sample
	d := json.NewDecoder(bytes.NewReader(sampleText))
	d.DisallowUnknownFields()
	if err := d.Decode(&full); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{} // members with a value
	all := map[string]bool{}
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			visit(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Name() + "." + v.Type().Field(i).Name
				all[name], seen[name] = true, seen[name] || !v.Field(i).IsZero()
				if !v.Field(i).IsZero() {
					visit(v.Field(i))
				}
			}
		}
	}
	visit(reflect.ValueOf(full))
	seen["Frame.Words"] = true // of texts
	if diff := cmp.Diff(all, seen); diff != "" {
		t.Errorf("sample.json (-members, +with a value):\n%s", diff)
	}
	theme, err := NewTheme(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := theme.check(); err != nil {
		t.Errorf("our own templates: %v", err)
	}
}
