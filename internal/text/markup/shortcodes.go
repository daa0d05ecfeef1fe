package markup

// This file runs shortcodes: names in brackets that stand for HTML in descriptions.

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// shortcode finds the tags of the shortcodes that run, and one of them in two pairs of brackets.
// Quoted attributes may hold brackets.
var shortcode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`\[(\[?)(/?)(gallery|caption|embed)((?:\s(?:[^"'\]\[]|"[^"]*"|'[^']*')*)?)\](\]?)`,
	)
})

// withShortcodes replaces the shortcodes that run by HTML, in the text between tags:
//
//   - [gallery] shows the pictures attached to a record: records have none here, so it shows nothing;
//   - [caption]<img> text[/caption] is a figure;
//   - [embed]address[/embed] is a link, since nothing is fetched.
//
// A shortcode in two pairs of brackets, [[gallery]], is shown in one pair and does not run. All
// others are text, since only the site they come from knows their meaning. Tags are not searched:
// a shortcode that reaches from one attribute into another would join attributes that Sanitize has
// checked separately.
func withShortcodes(s string) string {
	if i := strings.IndexByte(s, '['); i < 0 || !shortcode().MatchString(s[i:]) {
		return s
	}
	r := runner{out: make([]byte, 0, len(s)+len(s)/8)}
	for z := newScanner(s); z.next(); {
		if z.kind == text {
			r.text(z.raw)
			continue
		}
		z.skipHidden()
		r.out = append(r.out, z.raw...)
	}
	return string(r.out)
}

// A runner writes HTML in which shortcodes have run. A shortcode with an end is written as it is,
// and replaced together with its content when its end is found. Of two that wait, the second
// counts.
type runner struct {
	out   []byte
	open  string // the name of the shortcode that waits for its end, or ""
	attrs string // its attributes
	start int    // where it begins in out
	inner int    // where its content does
}

func (r *runner) text(s string) {
	for {
		at := shortcode().FindStringSubmatchIndex(s)
		if at == nil {
			break
		}
		r.out = append(r.out, s[:at[0]]...)
		group := func(n int) string { return s[at[2*n]:at[2*n+1]] }
		raw := s[at[0]:at[1]]
		name := group(3)
		attrs := group(4)
		double := group(1) != ""
		end := group(2) != ""
		switch {
		case double && group(5) != "":
			r.out = append(
				append(r.out, "&#91;"...),
				raw[2:len(raw)-1]...) // an entity, so that it never runs
		case double:
			r.out = append(r.out, '[')
			r.tag(raw[1:], name, attrs, end)
		default:
			raw := strings.TrimSuffix(raw, group(5))
			rest := group(5)
			r.tag(raw, name, attrs, end)
			r.out = append(r.out, rest...)
		}
		s = s[at[1]:]
	}
	r.out = append(r.out, s...)
}

// tag runs what a tag of a shortcode completes.
func (r *runner) tag(raw, name, attrs string, end bool) {
	switch {
	case name == "gallery" && !end:
		return
	case !end:
		r.open = name
		r.attrs = attrs
		r.start = len(r.out)
		r.out = append(r.out, raw...)
		r.inner = len(r.out)
		return
	case r.open == "" || r.open != name:
		r.out = append(r.out, raw...)
		return
	}
	content := string(r.out[r.inner:])
	whole := string(r.out[r.start:]) + raw
	r.out = r.out[:r.start]
	r.open = ""
	if name == "caption" {
		r.out = append(r.out, figure(r.attrs, content)...)
	} else {
		r.out = append(r.out, link(content, whole)...)
	}
}

// link returns a link to the address that is the content of a shortcode, or the whole of it as it
// was when that is no address of the web.
func link(content, whole string) string {
	address, ok := cleanURL(strings.TrimSpace(content))
	if lower := strings.ToLower(address); !ok || strings.ContainsAny(address, "<> \"'") ||
		!strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") {
		return whole
	}
	return `<a href="` + address + `">` + address + "</a>"
}

// captioned finds the picture that a caption begins with, in a link or not.
var captioned = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)^\s*((?:<a\s[^<>]*>\s*)?<img\s[^<>]*>(?:\s*</a>)?)(.*)$`)
})

var alignments = []string{"alignnone", "alignleft", "alignright", "aligncenter"}

// captionPadding is the padding in pixels that themes add to the width of a picture with a
// caption.
const captionPadding = 10

// figure returns the figure of a caption, or its content if it has no text. Only attributes with
// values of known forms are used: they come from any author, and are never cleaned.
func figure(attrs, content string) string {
	media := ""
	words := content
	if m := captioned().FindStringSubmatch(content); m != nil {
		media = m[1]
		words = m[2]
	}
	id := ""
	style := ""
	align := "alignnone"
	for a := range attributes("<caption" + attrs + ">") {
		switch {
		case a.name == "width" && isNumber(a.value, 1, 99_999):
			n, _ := strconv.Atoi(a.value)
			style = ` style="width: ` + strconv.Itoa(n+captionPadding) + `px"`
		case a.name == "align" && slices.Contains(alignments, a.value):
			align = a.value
		case a.name == "id":
			if number, ok := strings.CutPrefix(a.value, "attachment_"); ok && isNumber(number, 1, math.MaxInt) {
				id = a.value
			}
		case a.name == "caption" && strings.TrimSpace(words) == "":
			words = escapeTags.Replace(a.value)
		}
	}
	words = strings.TrimSpace(words)
	if words == "" {
		return content
	}
	captionID := ""
	if id != "" {
		name := "caption-" + strings.Replace(id, "_", "-", 1)
		captionID = ` id="` + name + `"`
		if i := strings.Index(strings.ToLower(media), "<img"); i >= 0 {
			i += len("<img")
			media = media[:i] + ` aria-describedby="` + name + `"` + media[i:]
		}
		id = ` id="` + id + `"`
	}
	return "<figure" + id + style + ` class="wp-caption ` + align + `">` + media +
		"<figcaption" + captionID + ` class="wp-caption-text">` + words + "</figcaption></figure>"
}
