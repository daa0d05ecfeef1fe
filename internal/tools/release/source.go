// The source of a release, and the programs.

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"almanac/internal/cli/build"
)

// A source is the source of a release.
type source struct {
	version   string
	commit    string // in hexadecimal
	stamp     time.Time
	toolchain string // go1.26.1
	vendored  string // modules in the standard library, as the linker is told
	modules   []build.Module
}

// time returns the time of the commit, which is that of every file.
func (s *source) time() string { return s.stamp.Format(time.RFC3339) }

// A target is a system that programs are made for.
type target struct {
	os, arch, level string
	setting         string // the least processor, as Go says it
	debian          string // the architecture of Debian, "" for none
}

// targets are the systems of a release. The Linux programs are in the image.
var targets = []target{
	{"linux", "amd64", "", "GOAMD64=v1", "amd64"},
	{"linux", "arm64", "", "GOARM64=v8.0", "arm64"},
	{"linux", "arm", "v7", "GOARM=7", "armhf"},
	{"linux", "riscv64", "", "GORISCV64=rva20u64", "riscv64"},
	{"darwin", "amd64", "", "GOAMD64=v1", ""},
	{"darwin", "arm64", "", "GOARM64=v8.0", ""},
	{"windows", "amd64", "", "GOAMD64=v1", ""},
	{"windows", "arm64", "", "GOARM64=v8.0", ""},
	{"freebsd", "amd64", "", "GOAMD64=v1", ""},
	{"freebsd", "arm64", "", "GOARM64=v8.0", ""},
}

// String returns a system as containers name it: linux/arm/v7.
func (t target) String() string { return strings.TrimSuffix(t.os+"/"+t.arch+"/"+t.level, "/") }

// chosen returns the targets that a list names, all for "".
func chosen(list string) ([]target, error) {
	if list == "" {
		return targets, nil
	}
	var found []target
	for _, one := range strings.Split(list, ",") {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == one })
		if i < 0 {
			return nil, fmt.Errorf("-targets: there is no %q; there are %v", one, targets)
		}
		found = append(found, targets[i])
	}
	return found, nil
}

// A program is the server for a system, with the program that moves calendars.
type program struct {
	target
	content []byte
	mover   []byte
}

// file returns the name of the file of a program.
func (p program) file(name string) string {
	if p.os == "windows" {
		return name + ".exe"
	}
	return name
}

// readSource returns what a release is made of, if no file differs from the commit. Git is told to
// trust a checkout that belongs to another user.
func readSource(version string) (source, error) {
	s := source{version: version, toolchain: runtime.Version()}
	changed, err := git("status", "--porcelain")
	if err != nil {
		return s, err
	}
	if changed != "" {
		return s, fmt.Errorf(
			"the tree differs from its commit, and nobody else could make this release; commit, or remove:\n%s",
			changed,
		)
	}
	if s.commit, err = git("rev-parse", "HEAD"); err != nil {
		return s, err
	}
	stamp, err := git("show", "-s", "--format=%cI", "HEAD")
	if err != nil {
		return s, err
	}
	if s.stamp, err = time.Parse(time.RFC3339, stamp); err != nil {
		return s, err
	}
	s.stamp = s.stamp.UTC()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return s, fmt.Errorf("go env GOROOT: %w", err)
	}
	text, err := os.ReadFile(
		filepath.Join(strings.TrimSpace(string(root)), "src", "vendor", "modules.txt"),
	)
	s.vendored, s.modules = vendored(string(text))
	return s, err
}

// vendored returns the modules in a vendor/modules.txt of Go, as PATH@VERSION with commas and as a
// list.
func vendored(text string) (list string, modules []build.Module) {
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "#" {
			list += "," + fields[1] + "@" + fields[2]
			modules = append(modules, build.Module{Path: fields[1], Version: fields[2]})
		}
	}
	return strings.TrimPrefix(list, ","), modules
}

func git(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "safe.directory=*"}, args...)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(out)), err
}

// build makes the programs for a system.
func (s *source) build(t target) (program, error) {
	content, err := s.compile(t, ".")
	if err != nil {
		return program{}, err
	}
	mover, err := s.compile(t, "./move")
	return program{t, content, mover}, err
}

// compile makes the program of a package for a system. Of the environment it keeps where things
// are.
func (s *source) compile(t target, main string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "program")
	const pkg = "almanac/internal/cli/build."
	linked := fmt.Sprintf("-s -w -buildid= -X %sversion=%s -X %scommit=%s,%s -X %smodules=%s",
		pkg, s.version, pkg, s.commit, s.time(), pkg, s.vendored)
	cmd := exec.Command(
		"go",
		"build",
		"-trimpath",
		"-buildvcs=false",
		"-ldflags",
		linked,
		"-o",
		file,
		main,
	)
	cmd.Env = []string{
		"GOENV=off",
		"GOFLAGS=",
		"GOTOOLCHAIN=local",
		"GOPROXY=off",
		"GOWORK=off",
		"GO111MODULE=on",
		"GOEXPERIMENT=",
		"GOFIPS140=off",
		"GODEBUG=",
		"CGO_ENABLED=0",
		"GOOS=" + t.os,
		"GOARCH=" + t.arch,
		t.setting,
	}
	for _, kept := range []string{"PATH", "HOME", "TMPDIR", "GOCACHE", "GOROOT", "GOMODCACHE", "GOPATH", "SystemRoot", "LocalAppData"} {
		if value := os.Getenv(kept); value != "" {
			cmd.Env = append(cmd.Env, kept+"="+value)
		}
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	return os.ReadFile(file)
}
