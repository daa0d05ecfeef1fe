// The packages for tests in other languages, with the version of the release.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A library is a package of almanactest for another language.
type library struct {
	language string
	dir      string
	files    []string // patterns, in dir
	manifest string   // the file with the version
	version  string   // how the manifest has it, with the one of the sources
	root     string   // the folder in the archive, as the language has it
}

var libraries = []library{
	{"node", "almanactest/node", []string{"package.json", "LICENSE", "README.md", "*.js", "*.d.ts", "tls/*.pem"}, "package.json",
		`"version": "0.0.0"`, "package"},
	{"python", "almanactest/python", []string{"pyproject.toml", "LICENSE", "README.md", "almanactest/*.py", "almanactest/py.typed",
		"almanactest/tls/*.pem"}, "pyproject.toml", `version = "0.0.0"`, "almanactest"},
}

// library makes the archive of a package, which npm and pip install.
func (m *maker) library(l library) error {
	var files []entry
	for _, pattern := range l.files {
		names, err := filepath.Glob(filepath.Join(l.dir, pattern))
		if err != nil || len(names) == 0 {
			return fmt.Errorf("%s: there is no %s", l.dir, pattern)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			below := filepath.ToSlash(strings.TrimPrefix(name, filepath.FromSlash(l.dir)))
			if below == "/"+l.manifest {
				if strings.Count(string(text), l.version) != 1 {
					return fmt.Errorf("%s: %s has no %s, or two", l.dir, l.manifest, l.version)
				}
				text = []byte(strings.Replace(string(text), l.version, strings.Replace(l.version, "0.0.0", m.version[1:], 1), 1))
			}
			files = append(files, entry{name: l.root + below, mode: 0o644, content: text})
		}
	}
	content, err := tarred(withFolders(files), m.stamp)
	if err != nil {
		return err
	}
	return m.write(m.file("_"+l.language+".tgz"), gzipped(content))
}
