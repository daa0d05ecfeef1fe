// Package build reports the origin of a program: its version and commit, the toolchain,
// and the modules inside the standard library. The linker puts all of it into the program,
// so no network is needed.
//
//	info := build.Read()
//	bill := info.CycloneDX(now)
package build

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

// `make` sets these with the linker's -X. They are empty in programs built without it, as
// with `go run`: then the version and the commit are Go's own stamps, and the modules are
// not known.
var (
	version string // of a release: v1.0.0
	commit  string // of a release: the commit and its time, with a comma between
	modules string // modules in the standard library: golang.org/x/net@v0.47.0,…
)

// An Info describes the origin of a program. Unknown texts are empty.
type Info struct {
	Program    string    `json:"program,omitempty"`     // its name: almanac
	Version    string    `json:"version"`               // v1.0.0, or a pseudo-version of Go's
	Commit     string    `json:"commit,omitempty"`      // of git, in hexadecimal
	CommitTime string    `json:"commit_time,omitempty"` // RFC 3339
	Modified   *bool     `json:"modified,omitempty"`    // whether the tree had changes that are in no commit
	Go         string    `json:"go"`                    // go1.26.1
	Module     string    `json:"module"`                // the path of the program's module
	Settings   []setting `json:"settings"`              // of the build: GOOS, GOARCH, CGO_ENABLED, …
	Modules    []Module  `json:"modules"`               // copies inside of Go's standard library
	Linked     []Module  `json:"linked"`                // other modules in the program; this one has none
	SHA256     string    `json:"sha256,omitempty"`      // of the program's file
}

// A setting is a setting of a build. A Module is a module with its version.
type (
	setting struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	Module struct {
		Path    string `json:"path"`
		Version string `json:"version"`
	}
)

// Read returns the Info of the running program, without its hash.
func Read() Info {
	i := Info{Version: "(unknown)", Settings: []setting{}, Linked: []Module{}}
	if b, ok := debug.ReadBuildInfo(); ok {
		i = of(b)
	}
	i.Modules = parseModules(modules)
	if version != "" {
		i.Version = version
	}
	if hash, time, ok := strings.Cut(commit, ","); ok {
		i.Commit = hash
		i.CommitTime = time
		i.Modified = new(false) // a release is made from a clean tree
	}
	return i
}

// of returns the Info of Go's own stamps.
func of(b *buildinfo.BuildInfo) Info {
	i := Info{
		Version:  b.Main.Version,
		Go:       b.GoVersion,
		Module:   b.Main.Path,
		Settings: []setting{},
		Linked:   []Module{},
	}
	if i.Version == "" {
		i.Version = "(unknown)"
	}
	for _, d := range b.Deps {
		i.Linked = append(i.Linked, Module{d.Path, d.Version})
	}
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Commit = s.Value
		case "vcs.time":
			i.CommitTime = s.Value
		case "vcs.modified":
			i.Modified = new(s.Value == "true")
		case "vcs":
		default:
			i.Settings = append(i.Settings, setting{s.Key, s.Value})
		}
	}
	return i
}

// parseModules reads a list of PATH@VERSION with commas between. It is empty for "", and never
// nil.
func parseModules(list string) []Module {
	found := []Module{}
	for _, one := range strings.Split(list, ",") {
		if path, version, ok := strings.Cut(one, "@"); ok {
			found = append(found, Module{path, version})
		}
	}
	return found
}

// Running returns what the running program was built from, with the hash of its file.
func Running() (Info, error) {
	info := Read()
	file, err := os.Executable()
	if err != nil {
		return info, err
	}
	f, err := os.Open(file)
	if err != nil {
		return info, err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return info, err
	}
	info.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return info, nil
}
