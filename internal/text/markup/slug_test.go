package markup_test

// Tests of slugs.

import (
	"regexp"
	"strings"
	"testing"

	"almanac/internal/text/markup"

	"github.com/google/go-cmp/cmp"
)

var slugs = []conversion{
	{"plain", "Summer Fair", "summer-fair"},
	{"empty", "", ""},
	{"nothing left", " &?! ", ""},
	{"number", "2031", "2031"},
	{"quotes and dashes", `Anna's "Old" -- Salt & Pepper`, "annas-old-salt-pepper"},
	{"curly quotes", "it’s “curly” «so»", "its-curly-so"},
	{"slash", "a/b", "a-b"},
	{"accents", "Émile & Zoë – naïve…", "emile-zoe-naive"},
	{"accents as marks", "e\u0301te\u0301", "ete"},
	{"ligatures", "Straße Æon", "strase-aeon"},
	{"dots and commas", "2,000.50 v1.2", "2000-50-v1-2"},
	{"removed signs", "10:30 (a) [b] {c} 5+5 x@y 50%", "1030-a-b-c-55-xy-50"},
	{"underscore", "all_day", "all_day"},
	{"tags", "<b>Bold</b> <script>go(1)</script><!-- x --> title", "bold-go1-title"},
	{"comparisons", "7 > 2 < 3", "7-2-3"},
	{"entities", "A &amp; B&#8211;C &lt;d&gt; Caf&eacute;", "a-b-c-d-cafe"},
	{"multiplication", "3x4 3×4", "3x4-3x4"},
	{"backslash", `back\slash`, "backslash"},
	{"dashes at the ends", "--a--", "a"},
	{"Japanese", "日本", "%e6%97%a5%e6%9c%ac"},
	{"Japanese punctuation", "夏、２０３１", "%e5%a4%8f-2031"},
	{"picture", "fun 🎆 night", "fun-%f0%9f%8e%86-night"},
	{"Cyrillic", "Ёлка", "%d1%91%d0%bb%d0%ba%d0%b0"},
	{"percent-encoded", "%E6%97%A5%e6%9c%ac", "%e6%97%a5%e6%9c%ac"},
	{"percent-encoded accent", "%c3%89t%C3%A9", "ete"},
	{"not percent-encoded", "100%de 50%25 %e6%97 %c0%af %", "100de-5025-e697-c0af"},
	{"signs and marks", "Gig™ © 10€ → ½", "gig-10e-%c2%bd"},
	{"invisible", "a\u200bb\u00adc\x00d\ufe0f", "abcd"},
	{"invalid UTF-8", "a\xffb", "ab"},
	{"long", strings.Repeat("x", 300), strings.Repeat("x", 200)},
	{"long, cut at a dash", strings.Repeat("x", 199) + " y", strings.Repeat("x", 199)},
	{
		"long, cut between characters",
		"ab" + strings.Repeat("日", 30),
		"ab" + strings.Repeat("%e6%97%a5", 22),
	},
}

func TestSlug(t *testing.T) { check(t, markup.Slug, slugs) }

// Languages spell some letters in their own way, as the original does: Norwegian and Swedish do
// not.
func TestSlugIn(t *testing.T) {
	const name = "Müller Straße Ärger ÖL Mu\u0308ller Æblø Ångstrøm Å"
	for language, want := range map[string]string{
		"de": "mueller-strasse-aerger-oel-mueller-aeblo-angstrom-a",
		"da": "muller-strase-arger-ol-muller-aebloe-aangstroem-aa",
		"nb": "muller-strase-arger-ol-muller-aeblo-angstrom-a",
		"sv": "muller-strase-arger-ol-muller-aeblo-angstrom-a",
		"en": "muller-strase-arger-ol-muller-aeblo-angstrom-a",
		"":   "muller-strase-arger-ol-muller-aeblo-angstrom-a",
	} {
		got := markup.SlugIn(language, name)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", language, diff)
		}
		if again := markup.SlugIn(language, got); again != got {
			t.Errorf("%q: %s becomes %s", language, got, again)
		}
		want = map[bool]string{true: "mueller-ueb", false: "muller-ub"}[language == "de"]
		if got := markup.SlugIn(language, "M%C3%BCller <b>&Uuml;b</b>"); got != want {
			t.Errorf("%q: %s", language, got)
		}
	}
}

func TestSuffix(t *testing.T) {
	long := strings.Repeat("x", 200)
	japanese := strings.Repeat("%e6%97%a5", 22) // 198 bytes
	cases := []struct {
		name, slug string
		n          int
		want       string
	}{
		{"second", "fair", 2, "fair-2"},
		{"eleventh", "fair", 11, "fair-11"},
		{"long", long, 10, long[:197] + "-10"},
		{"fits", japanese, 2, japanese + "-2"},
		{"between characters", japanese, 10, japanese[9:] + "-10"},
		{"at a dash", long[:197] + "-xx", 2, long[:197] + "-2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, markup.Suffix(c.slug, c.n)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestJoin(t *testing.T) {
	japanese := strings.Repeat("%e6%97%a5", 22) // 198 bytes
	for _, c := range []struct{ slug, end, want string }{
		{"fair", "2031-05-10", "fair-2031-05-10"},
		{japanese, "2031-05-10", japanese[9:] + "-2031-05-10"},
		{japanese, "2031-05-10-12", japanese[18:] + "-2031-05-10-12"},
		{japanese, strings.Repeat("x", 200), "-" + strings.Repeat("x", 200)},
	} {
		if diff := cmp.Diff(c.want, markup.Join(c.slug, c.end)); diff != "" {
			t.Errorf("%s and %s (-want +got):\n%s", c.slug, c.end, diff)
		}
	}
}

func FuzzSlug(f *testing.F) {
	for _, c := range slugs {
		f.Add(c.in, 2)
	}
	wellFormed := regexp.MustCompile(
		`^((%[c-f][0-9a-f](%[89ab][0-9a-f])+|[a-z0-9_])(-?(%[c-f][0-9a-f](%[89ab][0-9a-f])+|[a-z0-9_]))*)?$`,
	)
	f.Fuzz(func(t *testing.T, s string, n int) {
		slug := markup.Slug(s)
		if !wellFormed.MatchString(slug) || len(slug) > 200 {
			t.Errorf("Slug(%q) = %q", s, slug)
		}
		if again := markup.Slug(slug); again != slug {
			t.Errorf("Slug(%q) = %q, then %q", s, slug, again)
		}
		if n < 2 || slug == "" {
			return
		}
		if got := markup.Suffix(slug, n); !wellFormed.MatchString(got) || len(got) > 200 {
			t.Errorf("Suffix(%q, %d) = %q", slug, n, got)
		}
	})
}

// questions answers whether slugs are taken, and counts how often it was asked.
type questions struct {
	taken map[string]bool
	asked int
}

func (q *questions) free(wanted string) string {
	q.asked = 0
	return markup.FreeSlug(wanted, func(slug string) bool {
		q.asked++
		return q.taken[slug]
	})
}

// Each of many equal names gets a slug of its own after few questions, also when
// the slugs are as long as may be, some become free again, or somebody takes just
// those that are asked for.
func TestFreeSlug(t *testing.T) {
	const many, most = 1000, 64 + 32
	for _, wanted := range []string{"fair", strings.Repeat("x", 200), strings.Repeat("x", 196) + "-yyy"} {
		q := &questions{taken: map[string]bool{}}
		for n := range many {
			slug := q.free(wanted)
			if q.taken[slug] || slug == "" || q.asked > most {
				t.Fatalf("%q after %d others of %.9s and %d questions", slug, n, wanted, q.asked)
			}
			if want := markup.Suffix(wanted, n+1); n > 0 && slug != want {
				t.Fatalf("%q after %d others, want %q", slug, n, want)
			}
			q.taken[slug] = true
		}
		for _, n := range []int{64, 17, 2} {
			gone := markup.Suffix(wanted, n)
			q.taken[gone] = false
			if slug := q.free(wanted); slug != gone {
				t.Errorf("%q when %q is free again", slug, gone)
			}
		}
		q.taken[markup.Suffix(wanted, 2)], q.taken[markup.Suffix(wanted, 17)], q.taken[markup.Suffix(wanted, 64)] = true, true, true
		for high := 64; high <= 1<<30; high *= 2 {
			q.taken[markup.Suffix(wanted, high)] = true
		}
		for range 100 {
			slug := q.free(wanted)
			if q.taken[slug] || q.asked > most+40 {
				t.Fatalf("%q after %d questions where the powers of two are taken", slug, q.asked)
			}
			q.taken[slug] = true
		}
	}
}
