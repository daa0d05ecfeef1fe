// Release makes a release in the folder dist: programs for every system, archives, an OCI image,
// packages for Debian and for tests in Node and Python, bills of materials, sums and a statement
// of how it was made. It is no part of the program.
//
//	go run ./internal/tools/release -version v1.0.0 [-key FILE] [-targets linux/amd64,…]
//
// Everything in a release follows from the commit, the version and the toolchain: no clock, no
// name of a user or of a folder, no network and no setting of the environment goes into it. So
// whoever has the three makes the same bytes.
//
//	main.go      what is made, in which order
//	source.go    the commit and the toolchain, and the programs that they make
//	archive.go   tar.gz and zip
//	image.go     the OCI image
//	package.go   packages for Debian
//	fixtures.go  packages for tests in Node and Python
//	statement.go sums, the statement of how it was made, and signatures
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"almanac/i18n"
	"almanac/internal/cli/build"
)

// name is the name of the server, and of all files of a release. moverName is that of the program
// that moves calendars.
const (
	name      = "almanac"
	moverName = "almanac-move"
)

// versions are the names of releases: Semantic Versioning 2.0.0, with a v before it.
var versions = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

func main() {
	version := flag.String("version", "", "`version` of the release: v1.0.0")
	key := flag.String(
		"key",
		"",
		"`file` with an ed25519 private key, PKCS #8 in PEM; without it nothing is signed",
	)
	out := flag.String(
		"out",
		"dist",
		"`folder` to make, which must not be there or be an earlier release",
	)
	only := flag.String(
		"targets",
		"",
		"make these `systems` alone, as linux/amd64,linux/arm/v7: for trials, it is no release",
	)
	flag.Parse()
	if err := release(*version, *key, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A maker makes the files of a release in a folder.
type maker struct {
	source
	dir   string
	made  []string // files, in the order in which they were made
	notes []string // printed at the end
}

// release makes a release.
func release(version, key, out, only string) error {
	if !versions.MatchString(version) {
		return fmt.Errorf("VERSION=%q: must be a version such as v1.0.0 or v1.1.0-rc.1", version)
	}
	for _, l := range i18n.Languages() {
		if err := translated(l.Tag, l.Keys()); err != nil {
			return err
		}
	}
	signer, err := readKey(key)
	if err != nil {
		return err
	}
	targets, err := chosen(only)
	if err != nil {
		return err
	}
	src, err := readSource(version)
	if err != nil {
		return err
	}
	if err := emptied(out); err != nil {
		return err
	}
	m := &maker{source: src, dir: out}
	var programs []program
	for _, t := range targets {
		p, err := src.build(t)
		if err != nil {
			return err
		}
		programs = append(programs, p)
		fmt.Printf("%x  %s %s\n", sha256.Sum256(p.content), t, name)
		fmt.Printf("%x  %s %s\n", sha256.Sum256(p.mover), t, moverName)
	}
	if err := m.all(programs, signer); err != nil {
		return err
	}
	for _, file := range m.made {
		fmt.Println(filepath.Join(out, file))
	}
	for _, note := range m.notes {
		fmt.Println(note)
	}
	return nil
}

// translated refuses a language without the text of some keys, which a server shows in English.
func translated(tag string, keys []string) error {
	missing := slices.DeleteFunc(
		i18n.English().Keys(),
		func(key string) bool { return slices.Contains(keys, key) },
	)
	if len(missing) > 0 {
		return fmt.Errorf(
			"i18n/locales/%s.json has no translation of %s",
			tag,
			strings.Join(missing, ", "),
		)
	}
	return nil
}

// all makes the files of a release.
func (m *maker) all(programs []program, signer *signer) error {
	for _, p := range programs {
		if err := m.archive(p); err != nil {
			return err
		}
	}
	for _, p := range programs {
		if p.debian != "" {
			if err := m.debian(p); err != nil {
				return err
			}
		}
	}
	if err := m.image(programs); err != nil {
		return err
	}
	for _, l := range libraries {
		if err := m.library(l); err != nil {
			return err
		}
	}
	info := build.Info{
		Version:    m.version,
		Commit:     m.commit,
		CommitTime: m.time(),
		Go:         m.toolchain,
		Program:    name,
		Module:     name,
		Modules:    m.modules,
	}
	if err := m.write(m.file(".cdx.json"), info.CycloneDX("")); err != nil {
		return err
	}
	if err := m.write(m.file(".spdx.json"), info.SPDX("")); err != nil {
		return err
	}
	return m.vouch(signer)
}

// file returns the name of a file of the release: almanac_v1.0.0_linux_amd64.tar.gz.
func (m *maker) file(rest string) string { return name + "_" + m.version + rest }

// write makes a file.
func (m *maker) write(file string, content []byte) error {
	m.made = append(m.made, file)
	return os.WriteFile(filepath.Join(m.dir, file), content, 0o644)
}

// emptied makes a folder, or empties that of an earlier release. Nothing else is removed.
func emptied(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, f := range files {
		if ours := f.Name() == sumsName || strings.HasPrefix(f.Name(), name+"_v") || strings.HasPrefix(f.Name(), sumsName+"."); !ours {
			return fmt.Errorf(
				"%s: there is %q, which is no file of a release; name another folder with -out",
				dir,
				f.Name(),
			)
		}
	}
	for _, f := range files {
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}
