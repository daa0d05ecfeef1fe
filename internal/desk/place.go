// Venues and organizers that a form names.

package desk

import (
	"slices"
	"strings"

	"almanac/internal/api"
	"almanac/internal/people/access"
	"almanac/internal/text/markup"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// similarMost is how many venues of almost the same name a form offers.
const similarMost = 5

// newPlace is the choice of a new venue beside some with almost the same name.
const newPlace = "new"

// place returns the member of the API for the venue that a form names: a known one by its name, or
// a new one. If none is chosen yet, it also returns the venues that similar has to compare.
func (p *page) place(v *store.View, name, chosen string) (member any, among []store.Record) {
	if name == "" {
		return "", nil
	}
	if chosen != "" && chosen != newPlace {
		return chosen, nil
	}
	if id := p.idNamed(v, store.Venues, name); id != "" {
		return id, nil
	}
	if chosen == "" {
		among = v.Some(store.Venues, namesAmong)
	}
	return map[string]any{"venue": name}, among
}

// idNamed returns the id of the oldest record with a name that the caller may choose, "" for none.
func (p *page) idNamed(v *store.View, k store.Kind, name string) string {
	for _, r := range p.named(v, k, name) {
		return digits(r.Key())
	}
	return ""
}

// named returns the records with a name that the caller may choose, the oldest first. Names are
// equal whatever their case and accents, but if very many hold the words of the name: then accents
// count.
func (p *page) named(v *store.View, k store.Kind, name string) []store.Record {
	folded := markup.Fold(name)
	found, ok := v.Named(k, folded, namesAmong)
	if !ok {
		found = slices.Collect(v.ByName(k, name))
	}
	found = slices.DeleteFunc(found, func(r store.Record) bool {
		return !access.MayName(p.Caller, r) || api.IsTrash(r) || markup.Fold(pages.NameOf(r)) != folded
	})
	slices.SortFunc(found, byAge)
	return found
}

// similar returns the oldest of some venues that have almost a name and that the caller may choose.
// It is for outside of a View: names are compared letter by letter.
func (p *page) similar(name string, among []store.Record) (similar []option) {
	folded := markup.Fold(name)
	var found []store.Record
	for _, r := range among {
		if access.MayName(p.Caller, r) && !api.IsTrash(r) &&
			isSimilar(folded, markup.Fold(pages.NameOf(r))) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, byAge)
	for _, r := range found[:min(len(found), similarMost)] {
		similar = append(
			similar,
			option{digits(r.Key()), p.nameWithTown(r), len(similar) == 0},
		)
	}
	return similar
}

// similarRunes is how many letters a name has at most whose letters are compared one by one.
const similarRunes = 200

// isSimilar reports whether one of two folded names has the other in it, or they differ in a few
// letters.
func isSimilar(a, b string) bool {
	x := []rune(a)
	y := []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) >= 5 && strings.Contains(string(y), string(x)) {
		return true
	}
	most := 1 + len(x)/6
	return len(x) >= 3 && len(y) <= similarRunes && len(y)-len(x) <= most && distance(x, y) <= most
}

// distance returns how many letters have to be changed, added or removed to make one text of
// another (Levenshtein).
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := row[0]
		row[0]++
		for j := range b {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// nameWithTown returns the name of a record, and the town of a venue.
func (p *page) nameWithTown(r store.Record) string {
	if venue, ok := r.(*store.Venue); ok && venue.City != "" {
		return p.nameOf(r) + ", " + venue.City
	}
	return p.nameOf(r)
}

// organizers returns the member of the API for the organizers that a form names.
func (p *page) organizers(v *store.View, names string) any {
	all := []any{}
	for _, name := range items(names, ";") {
		if id := p.idNamed(v, store.Organizers, name); id != "" {
			all = append(all, id)
		} else {
			all = append(all, map[string]any{"organizer": name})
		}
	}
	return all
}
