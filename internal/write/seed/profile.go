// Built-in seeds, with generated parts.

package seed

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/text/jsonio"
)

// profiles are the built-in seeds, without their generated parts.
//
//go:embed profiles/*.json
var profiles embed.FS

// makers generate the additional records of built-in seeds.
var makers = map[string]func() any{"@small": nil, "@city": recurring, "@torture": large}

// ProfileNames returns the names of the built-in seeds, simplest first.
func ProfileNames() []string { return []string{"@small", "@city", "@torture"} }

// Profile returns the text of a built-in seed, to plant it or to derive a seed from it. The text
// is always the same; its dates are relative.
//
// "@small" has ten events, "@city" a year of a town with about 500 events and two infinite series,
// and "@torture" values that often break calendars.
func Profile(name string) ([]byte, error) {
	maker, ok := makers[name]
	if !ok {
		return nil, fmt.Errorf(
			"there is no built-in seed %q; there are %s, and a file whose name begins with @ is ./@…",
			name,
			strings.Join(ProfileNames(), ", "),
		)
	}
	text, err := profiles.ReadFile("profiles/" + name[1:] + ".json")
	if err != nil || maker == nil {
		return text, err
	}
	more, err := jsonio.Marshal(maker())
	if err != nil {
		return nil, err
	}
	last, err := profiles.ReadFile(
		"profiles/" + name[1:] + "-recurring.json",
	) // has the highest ids
	return slices.Concat(text, more, last), err
}
