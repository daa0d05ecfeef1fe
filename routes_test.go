package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write anew what the tests compare with")

// The fixture serves the same routes. With -update, its copy is written anew.
func TestFixtureRoutes(t *testing.T) {
	holdCopy(t, "almanactest/routes.go", func(text string) string {
		return strings.Replace(text, "package main\n", "package almanactest\n", 1)
	})
}

// specifiedRoute is a route that the specification has.
var specifiedRoute = regexp.MustCompile(`(?m)^	on\("[A-Z,]+ /cal/events/v1` +
	`(/doc|/(events|venues|organizers|categories|tags)(/\{id\}|/by-slug/\{slug\})?)?", api\.[\w.]+\)\n`)

// The program almanac-move holds servers to the routes of the specification. With -update, its
// copy is written anew.
func TestSpecifiedRoutes(t *testing.T) {
	holdCopy(t, "move/routes.go", func(text string) string {
		return "package main\n\nimport \"almanac/internal/api\"\n\n" +
			"// routes is every route of the specification, as routes.go of the server has it.\n" +
			"func routes(on func(pattern string, op *api.Op)) {\n" +
			strings.Join(specifiedRoute.FindAllString(text, -1), "") + "}\n"
	})
}

// holdCopy compares a file with what it must have of routes.go.
func holdCopy(t *testing.T, file string, of func(text string) string) {
	t.Helper()
	text, err := os.ReadFile("routes.go")
	if err != nil {
		t.Fatal(err)
	}
	want := of(string(text))
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf(
			"%s is not what routes.go makes it; go test -run '%s' -update . does (-want, +got):\n%s",
			file,
			t.Name(),
			diff,
		)
	}
}
