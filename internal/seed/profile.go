// Built-in seeds, and the parts of them that are made.

package seed

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

// profiles are the built-in seeds, without what is made of them below.
//
//go:embed profiles/*.json
var profiles embed.FS

// makers make what is added to a built-in seed.
var makers = map[string]func() any{"@small": nil, "@city": recurring, "@torture": large}

// ProfileNames returns the names of the built-in seeds, the plainest first.
func ProfileNames() []string { return []string{"@small", "@city", "@torture"} }

// Profile returns the text of a built-in seed: a file like others, to be planted
// or to begin one's own with. It is the same every time; only the dates that it
// leads to are not.
//
// "@small" has ten events, "@city" a year of a town with about 500 and two series
// without an end, and "@torture" what calendars fall over.
func Profile(name string) ([]byte, error) {
	maker, ok := makers[name]
	if !ok {
		return nil, fmt.Errorf("there is no built-in seed %q; there are %s, and a file whose name begins with @ is ./@…", name,
			strings.Join(ProfileNames(), ", "))
	}
	text, err := profiles.ReadFile("profiles/" + name[1:] + ".json")
	if err != nil || maker == nil {
		return text, err
	}
	more, err := encode(maker())
	if err != nil {
		return nil, err
	}
	last, err := profiles.ReadFile("profiles/" + name[1:] + "-recurring.json") // the last ids are theirs
	return slices.Concat(text, more, last), err
}
