package cldr

// This file reads the plural rules of CLDR ("Language Plural Rules" in part 3 of Unicode
// Technical Standard #35), as far as they are about integers.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Category is one of the forms that words have beside a number.
type Category string

// The categories. A language has some of them; most have One and Other.
const (
	Zero  Category = "zero"
	One   Category = "one"
	Two   Category = "two"
	Few   Category = "few"
	Many  Category = "many"
	Other Category = "other"
)

var categories = []Category{Zero, One, Two, Few, Many, Other}

// Categories returns the categories that integers have in the language, in the order
// of the constants. Where Other is for fractions alone, it is not among them.
func (l *Locale) Categories() []Category {
	return slices.DeleteFunc(
		slices.Clone(categories),
		func(c Category) bool { return l.facts.Plurals[c] == nil },
	)
}

// Plural returns the category of an integer. The sign does not matter.
func (l *Locale) Plural(n int) Category {
	u := magnitude(n)
	for category, rule := range l.facts.Plurals {
		if category != Other && rule.matches(u) {
			return category // no other rule matches the number too
		}
	}
	return Other
}

func magnitude(n int) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// A plural is a rule such as "n % 10 = 2..4 and n % 100 != 12..14 or n = 7": relations
// joined by "and", which binds closer, and "or". An empty rule is the default.
type plural struct {
	any [][]relation
}

// A relation compares a number, or its remainder after a division, with ranges.
type relation struct {
	modulo uint64 // or 0
	not    bool
	ranges [][2]uint64
}

func (p *plural) matches(n uint64) bool {
	return slices.ContainsFunc(p.any, func(all []relation) bool {
		return !slices.ContainsFunc(all, func(r relation) bool {
			left := n
			if r.modulo > 0 {
				left %= r.modulo
			}
			in := slices.ContainsFunc(
				r.ranges,
				func(bounds [2]uint64) bool { return bounds[0] <= left && left <= bounds[1] },
			)
			return in == r.not
		})
	})
}

// UnmarshalText reads a rule.
func (p *plural) UnmarshalText(source []byte) error {
	if len(source) == 0 {
		return nil
	}
	var err error
	number := func(s string) uint64 {
		n, failed := strconv.ParseUint(s, 10, 64)
		if failed != nil && err == nil {
			err = fmt.Errorf("plural rule %q: %w", source, failed)
		}
		return n
	}
	for either := range strings.SplitSeq(string(source), " or ") {
		var all []relation
		for text := range strings.SplitSeq(either, " and ") {
			var r relation
			left, right, ok := strings.Cut(text, " = ")
			if !ok {
				left, right, r.not = strings.Cut(text, " != ")
			}
			operand, modulo, divided := strings.Cut(left, " % ")
			if divided {
				r.modulo = number(modulo)
			}
			if operand != "n" {
				return fmt.Errorf("plural rule %q: %q is not a relation of n", source, text)
			}
			for bounds := range strings.SplitSeq(right, ",") {
				low, high, isRange := strings.Cut(bounds, "..")
				if !isRange {
					high = low
				}
				r.ranges = append(r.ranges, [2]uint64{number(low), number(high)})
			}
			all = append(all, r)
		}
		p.any = append(p.any, all)
	}
	return err
}
