// The packages for tests in other languages, with the version of the release.

package main

import (
	"fmt"
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
	{
		"node",
		"almanactest/node",
		[]string{"package.json", "LICENSE", "README.md", "*.js", "*.d.ts", "tls/*.pem"},
		"package.json",
		`"version": "0.0.0"`,
		"package",
	},
	{
		"python",
		"almanactest/python",
		[]string{
			"pyproject.toml",
			"LICENSE",
			"README.md",
			"almanactest/*.py",
			"almanactest/py.typed",
			"almanactest/tls/*.pem",
			"backend/*.py",
		},
		"pyproject.toml",
		`version = "0.0.0"`,
		"almanactest",
	},
}

// library makes the archive of a package, which npm and pip install.
func (m *maker) library(l library) error {
	files, err := entries(l.root+"/", l.dir, l.files)
	if err != nil {
		return err
	}
	for i, f := range files {
		if text := string(f.content); f.name == l.root+"/"+l.manifest {
			if strings.Count(text, l.version) != 1 {
				return fmt.Errorf("%s: %s has no %s, or two", l.dir, l.manifest, l.version)
			}
			files[i].content = []byte(
				strings.Replace(
					text,
					l.version,
					strings.Replace(l.version, "0.0.0", m.version[1:], 1),
					1,
				),
			)
		}
	}
	content, err := tarred(withFolders(files), m.stamp)
	if err != nil {
		return err
	}
	return m.write(m.file("_"+l.language+".tgz"), gzipped(content))
}
