// Command size prints how large the programs are, by package and in all: the server, and what
// almanac-move has beyond it.
//
//	go run ./internal/tools/size
//
// Size is counted in tokens, as go/scanner reads them: without comments, and without the
// semicolons that the scanner adds at the ends of lines. A line of code is a line on which a token
// begins. Files of tests and of other systems than Linux are not counted.
package main

import (
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"slices"
	"strings"
	"text/tabwriter"
)

// A size is how much code a package has, or several together.
type size struct {
	name   string
	tokens int
	lines  int
}

func (s *size) add(other size) {
	s.tokens += other.tokens
	s.lines += other.lines
}

func main() {
	packages, err := measure(".", "./move")
	if err == nil {
		err = report(packages)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

// report prints the table.
func report(packages []size) error {
	linked, err := measure(".")
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "tokens\tlines\ttokens a line\t  \tpackage")
	server := size{name: "server"}
	moving := size{name: "almanac-move beyond it"}
	for _, p := range packages {
		print(out, p)
		if slices.Contains(linked, p) {
			server.add(p)
		} else {
			moving.add(p)
		}
	}
	all := size{name: "programs"}
	all.add(server)
	all.add(moving)
	for _, sum := range []size{moving, server, all} {
		print(out, sum)
	}
	return out.Flush()
}

// print writes a row of the table.
func print(out *tabwriter.Writer, s size) {
	fmt.Fprintf(
		out,
		"%d\t%d\t%.1f\t  \t%s\n",
		s.tokens,
		s.lines,
		float64(s.tokens)/float64(max(1, s.lines)),
		s.name,
	)
}

// measure returns the packages of programs on Linux, the largest first.
func measure(programs ...string) ([]size, error) {
	list := exec.Command(
		"go",
		"list",
		"-deps",
		"-f",
		`{{if not .Standard}}{{.ImportPath}}{{range .GoFiles}}{{"\t"}}{{$.Dir}}/{{.}}{{end}}{{end}}`,
	)
	list.Args = append(list.Args, programs...)
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	var packages []size
	for row := range strings.Lines(string(out)) {
		cells := strings.Split(strings.TrimSpace(row), "\t")
		p := size{name: strings.TrimPrefix(cells[0], "almanac/")}
		if cells[0] == "almanac" {
			p.name = "main"
		}
		for _, file := range cells[1:] {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			p.add(count(text))
		}
		packages = append(packages, p)
	}
	slices.SortFunc(packages, func(a, b size) int {
		return cmp.Or(cmp.Compare(b.tokens, a.tokens), cmp.Compare(a.name, b.name))
	})
	return packages, nil
}

// count returns the size of a file.
func count(text []byte) (s size) {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	var scan scanner.Scanner
	scan.Init(file, text, nil, 0)
	last := 0
	for {
		at, tok, literal := scan.Scan()
		if tok == token.EOF {
			return s
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		s.tokens++
		if line := file.Line(at); line != last {
			s.lines++
			last = line
		}
	}
}
