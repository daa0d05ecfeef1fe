package i18n

// This file finds languages for those who do not ask for them by the tags they
// have here.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// meant maps older and less specific tags to the tags of this package. Without a
// region Portuguese is that of Portugal, and Chinese has simplified letters. ""
// is for a language that is not here, although a shorter tag might be.
var meant = map[string]string{
	"iw": "he", // ISO 639 until 1989
	"no": "nb", // of the two written forms, what most people write
	"pt": "pt-PT",
	"zh": "zh-Hans", "zh-hant": "", "zh-tw": "", "zh-hk": "", "zh-mo": "",
	"cmn": "zh-Hans", "cmn-hant": "",
}

// Match returns the language that a tag means: in any letter case, with
// underscores for hyphens, under an old name, or with more said than any language
// here does ("de-AT", "pt-AO"), as the lookup of RFC 4647, section 3.4, has it.
func Match(tag string) (Language, bool) {
	tag = strings.ToLower(strings.ReplaceAll(tag, "_", "-"))
	for tag != "" {
		if l, ok := Find(tag); ok {
			return l, true
		}
		if other, ok := meant[tag]; ok {
			return Find(other)
		}
		cut := strings.LastIndexByte(tag, '-')
		if cut < 0 {
			break
		}
		if tag = tag[:cut]; cut > 1 && tag[cut-2] == '-' {
			tag = tag[:cut-2] // a letter alone introduces what was cut
		}
	}
	return Language{}, false
}

// RegionOf returns the region that a tag names, as it stands there: "GB" of "en-GB"; "" for none.
func RegionOf(tag string) string {
	_, subtags, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	for subtag := range strings.SplitSeq(subtags, "-") {
		switch {
		case len(subtag) == 1:
			return "" // a letter alone introduces an extension
		case (len(subtag) == 2 || len(subtag) == 3) && strings.Trim(subtag, "0123456789") != "":
			return subtag
		}
	}
	return ""
}

// Negotiate returns the preferred language of a reader among the offered ones, by
// the value of an Accept-Language header (RFC 9110, section 12.5.4). It returns
// false if the reader prefers a language that is not offered, or has no preference.
func Negotiate(accept string, offered []Language) (Language, bool) {
	type wish struct {
		tag    string
		weight float64
	}
	var wishes []wish
	for item := range strings.SplitSeq(accept, ",") {
		tag, parameter, _ := strings.Cut(strings.TrimSpace(item), ";")
		w := wish{strings.TrimSpace(tag), 1}
		if q, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameter), " ", ""), "q="); ok {
			var err error
			if w.weight, err = strconv.ParseFloat(q, 64); err != nil || w.weight < 0 ||
				w.weight > 1 {
				continue
			}
		}
		if w.weight > 0 && w.tag != "" {
			wishes = append(wishes, w)
		}
	}
	slices.SortStableFunc(wishes, func(a, b wish) int { return cmp.Compare(b.weight, a.weight) })
	for _, w := range wishes {
		if w.tag == "*" {
			break
		}
		l, _ := Match(w.tag)
		if i := slices.IndexFunc(offered, func(o Language) bool { return o.Tag == l.Tag }); i >= 0 {
			return offered[i], true
		}
	}
	return Language{}, false
}
