// Venues and organizers that a form names.

package desk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/markup"
	"almanac/internal/pages"
	"almanac/store"
)

// similarMost is how many venues of almost the same name a form offers.
const similarMost = 5

// newPlace is the choice of a new venue beside some with almost the same name.
const newPlace = "new"

// place returns the member of the API for the venue that a form names: a known one by its name, or
// a new one. If there are venues of almost the same name and none is chosen yet, it returns them.
func (p *page) place(v *store.View, name, chosen string) (member any, similar []option) {
	if name == "" {
		return "", nil
	}
	if chosen != "" && chosen != newPlace {
		return chosen, nil
	}
	folded := markup.Fold(name)
	if id := p.named(v, store.Venues)[folded]; id != "" {
		return id, nil
	}
	var found []store.Record
	for r := range v.Each(store.Venues) {
		if chosen == "" && access.MayName(p.Caller, r) && !api.IsTrash(r) &&
			isSimilar(folded, markup.Fold(pages.NameOf(r))) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b store.Record) int { return cmp.Compare(a.Key(), b.Key()) })
	for _, r := range found[:min(len(found), similarMost)] {
		similar = append(
			similar,
			option{strconv.FormatInt(r.Key(), 10), p.nameWithTown(r), len(similar) == 0},
		)
	}
	return map[string]any{"venue": name}, similar
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
	all := items(names, ";")
	known := p.named(v, store.Organizers)
	for i, name := range all {
		if id := known[markup.Fold(name.(string))]; id != "" {
			all[i] = id
		} else {
			all[i] = map[string]any{"organizer": name}
		}
	}
	return all
}

// named returns the ids of the records that the caller may choose, by their folded names: the
// oldest one of a name.
func (p *page) named(v *store.View, k store.Kind) map[string]string {
	known := map[string]string{}
	for r := range v.Each(k) {
		name := markup.Fold(pages.NameOf(r))
		isOlder := known[name] == "" || r.Key() < api.ParseID(known[name])
		if isOlder && access.MayName(p.Caller, r) && !api.IsTrash(r) {
			known[name] = strconv.FormatInt(r.Key(), 10)
		}
	}
	return known
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
