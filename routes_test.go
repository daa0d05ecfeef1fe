package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write anew what the tests compare with")

// The fixture serves the same routes. With -update, its copy is written anew.
func TestFixtureRoutes(t *testing.T) {
	const file = "almanactest/routes.go"
	text, err := os.ReadFile("routes.go")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(text), "package main\n", "package almanactest\n", 1)
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
			"%s is not the copy of routes.go; go test -run TestFixtureRoutes -update . makes it (-want, +got):\n%s",
			file,
			diff,
		)
	}
}
