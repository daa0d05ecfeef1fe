package house

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This file follows the links of the documents.

// filesEnding returns the files of the repository with an ending, but for data of tests and of
// servers.
func filesEnding(t *testing.T, ending string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "try" || d.Name() == "testdata" || len(name) > 1 && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case strings.HasSuffix(name, ending):
			found = append(found, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// prose returns a document without its fenced blocks.
func prose(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(string(text), "")
}

// anchors returns the names by which links lead to the headings of a document, as
// pages of repositories make them: letter case and punctuation go, spaces become
// hyphens.
func anchors(text string) []string {
	var all []string
	for _, heading := range regexp.MustCompile("(?m)^#+ (.*)$").FindAllStringSubmatch(text, -1) {
		plain := regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`).ReplaceAllString(heading[1], "$1")
		plain = regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(plain), "")
		all = append(all, strings.ReplaceAll(plain, " ", "-"))
	}
	return all
}

// Every relative link in a document leads to a file, and to a heading in it.
func TestLinks(t *testing.T) {
	atTop(t)
	t.Parallel()
	links := 0
	for _, name := range filesEnding(t, ".md") {
		text := prose(t, name)
		for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(text, -1) {
			target, heading, _ := strings.Cut(link[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			links++
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: the link %s leads nowhere: %v", name, link[1], err)
			} else if heading != "" && !slices.Contains(anchors(prose(t, file)), heading) {
				t.Errorf("%s: the link %s leads to no heading of %s, which has %q", name, link[1], file, anchors(prose(t, file)))
			}
		}
	}
	if links < 50 {
		t.Errorf("found only %d links", links)
	}
}

// Every document that a comment or a message in the code names is there.
func TestLinksInCode(t *testing.T) {
	atTop(t)
	t.Parallel()
	named := 0
	for _, name := range filesEnding(t, ".go") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range regexp.MustCompile(`[A-Za-z./]+\.md\b`).FindAllString(string(text), -1) {
			named++
			document = strings.TrimLeft(document, "./")
			_, atTop := os.Stat(document)
			_, beside := os.Stat(path.Join(path.Dir(name), document))
			if atTop != nil && beside != nil {
				t.Errorf("%s names %s, which is not there", name, document)
			}
		}
	}
	if named < 10 {
		t.Errorf("found only %d documents that are named", named)
	}
}
