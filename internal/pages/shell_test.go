package pages

import (
	"hash/maphash"
	"html/template"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/markup"
	"almanac/internal/race"
)

// nasty are texts, and pieces of some, that html/template shows as something else.
var nasty = []string{"&", "<b>", "\"", "'", "+", "\x00", "a b", "=`", "é漢\u202e", "%41", "%4", "%", "javascript:alert(1)",
	"http://x/?a=b&c=(d)",
	"https:x", "/a:b", "mailto:a@b", "tel:+1 2", "zq7text", "zq7text3& '\"<>+=`é;", "ZgotmplZ", "\xff", "{{.}}", "</script>", "#", "a|b\\c"}

// fixed finds the names of texts that are the same on all pages of a shape.
var fixed = regexp.MustCompile(`\.(Feeds|Views)\.(Text|Lang|Dir|Rel|Type)$|\.Known$`)

// A shape has everything of a model, so that pages of one differ in their texts alone, and not in
// those that are fixed.
func TestShapes(t *testing.T) {
	s := &shown{}
	var all []reflect.Value
	var names []string
	var fill func(v reflect.Value, name string)
	fill = func(v reflect.Value, name string) {
		switch v.Kind() {
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), name)
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fill(v.Index(0), name)
			fill(v.Index(1), name)
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i), name+"."+v.Type().Field(i).Name)
			}
			return
		case reflect.String:
			if v.SetString("text"); strings.HasSuffix(name, ".Known") {
				v.SetString("") // else the options are not in the shape
			}
		}
		all, names = append(all, v), append(names, name)
	}
	fill(reflect.ValueOf(s).Elem(), "shown")
	shape := func() string {
		var v visitor
		v.show(s)
		return string(v.shape)
	}
	before, texts := shape(), 0
	for i, v := range all {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		if v.SetZero(); v.Kind() == reflect.Bool {
			v.SetBool(true)
		} else if v.Kind() == reflect.Int {
			v.SetInt(7)
		} else if fixed.MatchString(names[i]) {
			v.SetString("other")
		}
		if v.Kind() != reflect.Interface && shape() == before {
			t.Errorf("%s is not in the shape", names[i])
		}
		if v.Set(old); v.Kind() == reflect.String && !fixed.MatchString(names[i]) {
			texts++
		}
	}
	var v visitor
	if v.show(s); len(v.texts) != texts {
		t.Errorf("%d texts, want %d", len(v.texts), texts)
	}
}

// parts returns what Part made of a page.
func parts(what any) (all []*template.HTML) {
	var made []template.HTML
	switch what := what.(type) {
	case *List:
		made = what.Days
	case *Month:
		made = what.Weeks
	case *Place:
		made = what.List.Days
	}
	for i := range made {
		all = append(all, &made[i])
	}
	return all
}

// A page is the same, whatever its texts are, as when its templates are executed for it.
func TestShells(t *testing.T) {
	race.Alone(t)
	theme, err := NewTheme(nil)
	if err != nil {
		t.Fatal(err)
	}
	if theme.shells == nil {
		t.Fatal("a template does more with texts than to show them")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var change func(v reflect.Value)
	change = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if v.Len() == 0 || rng.IntN(4) > 0 {
				return
			}
			s := ""
			for range 1 + rng.IntN(3) {
				s += nasty[rng.IntN(len(nasty))]
			}
			v.SetString(s)
		case reflect.Pointer:
			if !v.IsNil() {
				change(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				change(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				change(v.Field(i))
			}
		}
	}
	for name, sample := range samples() {
		for n := range 15 {
			f, what := sample()
			if n > 0 {
				lang := f.Lang
				change(reflect.ValueOf(&f).Elem())
				change(reflect.ValueOf(what))
				f.Lang = lang
				for _, part := range parts(what) {
					*part = template.HTML(markup.DropUnshown([]byte(*part))) // as Part does
				}
			}
			s, err := show(f, what)
			if err != nil {
				t.Fatal(err)
			}
			want, err := theme.execute(nil, &s)
			if err != nil {
				t.Fatal(err)
			}
			got, err := theme.Page([]byte("before"), f, what)
			if diff := cmp.Diff("before"+string(markup.DropUnshown(want)), string(got)); err != nil || diff != "" {
				t.Fatalf("%s %d: %v\n%s", name, n, err, diff)
			}
			var v visitor
			if v.show(&s); strings.Contains(string(v.shape), refused) {
				continue // one of the fixed texts is what stands for no text
			}
			if open := theme.shells.Get(maphash.Bytes(shapes, v.shape)); open == nil || len(open.texts) < 20 {
				t.Fatalf("%s: there is no shell of the page: %+v", name, open)
			} else if _, ok := open.fill(nil, v.texts); n == 0 && !ok {
				t.Errorf("%s: the texts are not shown in the shell", name)
			}
		}
	}
}

// Options and languages that are known are in the shell; pages that differ in them have another.
func TestKnown(t *testing.T) {
	theme, err := NewTheme(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []string{"", "1", "2", "1"} {
		for _, path := range []template.URL{"/", "/events/?a=b&c", "/50%"} {
			f := frame("Search" + known)
			f.Languages.Known, f.Languages.Origin, f.Languages.Path = known, "https://example.org", path
			f.Languages.Links[0].Text += known
			f.Search.Choices[1].Known, f.Search.Choices[1].Options[0].Text = known, "Hall & "+known
			s, err := show(f, &List{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := theme.execute(nil, &s)
			if err != nil {
				t.Fatal(err)
			}
			got, err := theme.Page(nil, f, s.List)
			if diff := cmp.Diff(string(want), string(got)); err != nil || diff != "" {
				t.Errorf("%q, %s: %v\n%s", known, path, err, diff)
			}
		}
	}
}

// Templates of a site that compute with texts are executed for every page, and those that
// show one where it is not known what becomes of it too.
func TestShellsOfSites(t *testing.T) {
	for name, text := range map[string]string{
		"computes": `{{if eq .Title "Search"}}{{.Title}}{{end}}`,
		"measures": `{{len .Title}}`,
		"script":   `<script>var title = {{.Title}}</script>`,
		"query":    `<a href="?t={{.Title}}">`,
		"style":    `<p style="color: {{.Title}}">`,
		"bare":     `<p title={{.Title}}>`,
		"pictures": `<img srcset="{{.Title}}">`,
		"dashes":   `<p>{{with .Title}}{{.}}{{end}}{{.Title}}</p>`,
	} {
		theme, err := NewTheme(fstest.MapFS{"frame.html": {Data: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		for _, title := range []string{"Upcoming events", "Search", "a b&c", "a, b", markStart + "0" + markEnd} {
			s, err := show(frame(title), &List{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := theme.execute(nil, &s)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := theme.Page(nil, s.Frame, s.List); err != nil || string(got) != string(want) {
				t.Errorf("%s: %q, %v; want %q", name, got, err, want)
			}
		}
	}
}
