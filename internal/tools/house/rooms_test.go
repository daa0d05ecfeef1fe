package house

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the rooms of the house: the folders that docs/ARCHITECTURE.md tells of, and the
// direction in which packages of one import those of another.

// A room is a folder with the packages below it.
type room struct {
	folder string
	rank   int // packages import those of their own room and of rooms with a lower rank
}

var rooms = []room{
	{"internal/tools", 14},
	{"almanactest", 13},
	{"internal/serve", 12},
	{"move", 11},
	{"internal/desk", 10},
	{"internal/site", 9},
	{"internal/api", 8},
	{"internal/write", 7},
	{"internal/wire", 6},
	{"filters", 6},
	{"internal/cli", 5},
	{"internal/people", 4},
	{"store", 3},
	{"internal/text", 2},
	{"i18n", 1},
}

// roomOf returns the room of a package below the module; that of package main is the highest.
func roomOf(name string) room {
	for _, r := range rooms {
		if name == r.folder || strings.HasPrefix(name, r.folder+"/") {
			return r
		}
	}
	return room{name, len(rooms)}
}

// Packages import those of their own room, and of the rooms below it.
func TestDirection(t *testing.T) {
	atTop(t)
	for _, p := range goList(t, "./...") {
		name, _ := below(p.ImportPath)
		from := roomOf(name)
		if from.rank == len(rooms) && name != "" {
			t.Errorf("%s is in no room; docs/ARCHITECTURE.md tells of them", p.ImportPath)
		}
		for _, imported := range p.Imports {
			other, ours := below(imported)
			to := roomOf(other)
			if ours && from != to && to.rank >= from.rank {
				t.Errorf("%s > %s: the room %s is not below %s", name, other, to.folder, from.folder)
			}
		}
	}
}

// The table of rooms in docs/ARCHITECTURE.md has each folder once.
func TestRooms(t *testing.T) {
	atTop(t)
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([\\w/]+)/` \\|").FindAllSubmatch(text, -1) {
		told = append(told, string(row[1]))
	}
	var want []string
	for _, r := range rooms {
		want = append(want, r.folder)
	}
	slices.Sort(told)
	slices.Sort(want)
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("rooms that the document tells of (-want +got):\n%s", diff)
	}
}
