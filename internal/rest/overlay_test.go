// Overlays, applied to the English document.

package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/i18n"
	"almanac/internal/race"
)

// TestOverlays applies every overlay to the document that it says it is for, and
// compares with the document of its language.
func TestOverlays(t *testing.T) {
	race.Alone(t)
	s := describedServer(t, "")
	for _, l := range i18n.Languages() {
		t.Run(l.Tag, func(t *testing.T) {
			var overlay struct {
				Overlay, Extends string
				Info             struct{ Title, Version string }
				Actions          []struct {
					Target string
					Update map[string]any
				}
			}
			if err := json.Unmarshal(get(s, "cal.example.org", "/cal/events/v1/doc/overlay/"+strings.ToUpper(l.Tag)).Body.Bytes(),
				&overlay); err != nil {
				t.Fatal(err)
			}
			if overlay.Overlay != "1.0.0" || overlay.Info.Title == "" || overlay.Info.Version == "" || len(overlay.Actions) == 0 {
				t.Errorf("not an overlay: %.300v", overlay)
			}
			path, ok := strings.CutPrefix(overlay.Extends, "http://cal.example.org")
			if !ok {
				t.Fatalf("extends %q", overlay.Extends)
			}
			_, doc := askAdmin(t, s, "GET", path, "")
			for _, action := range overlay.Actions {
				target, err := follow(doc, action.Target)
				if err != nil {
					t.Fatal(err)
				}
				maps.Copy(target, action.Update)
			}
			_, want := askAdmin(t, s, "GET", "/"+l.Tag+"/cal/events/v1/doc", "")
			want.(map[string]any)["servers"] = at(t, doc, "servers")
			if diff := cmp.Diff(want, doc); diff != "" {
				t.Errorf("(-document +overlaid):\n%s", diff)
			}
		})
	}
}

// follow returns the object that a path leads to. It knows as much of JSONPath
// (RFC 9535) as names one: members and indexes.
func follow(value any, path string) (map[string]any, error) {
	whole := path
	path, ok := strings.CutPrefix(path, "$")
	for ok && path != "" {
		var name string
		switch {
		case strings.HasPrefix(path, "['"):
			name, path, ok = strings.Cut(path[2:], "']")
			value = member(value, name)
		case path[0] == '[':
			name, path, _ = strings.Cut(path[1:], "]")
			i, err := strconv.Atoi(name)
			list, isList := value.([]any)
			if ok = err == nil && isList && i < len(list); ok {
				value = list[i]
			}
		case path[0] == '.':
			end := strings.IndexAny(path[1:], ".[") + 1
			if end == 0 {
				end = len(path)
			}
			name, path = path[1:end], path[end:]
			value = member(value, name)
		default:
			ok = false
		}
	}
	object, isObject := value.(map[string]any)
	if !ok || !isObject {
		return nil, fmt.Errorf("%s leads to no object", whole)
	}
	return object, nil
}

func member(value any, name string) any {
	members, _ := value.(map[string]any)
	return members[name]
}
