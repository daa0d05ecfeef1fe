// The commands version and sbom describe the build of the program.

package cli

import (
	"context"
	"fmt"
	"time"

	"almanac/internal/cli/build"
	"almanac/internal/text/caltime"
)

// Version returns the command by which a program says which version it is.
func Version(program string) Command {
	return New(
		"version",
		"",
		"say which version this is, and what it was built from",
		program+" version [flags]: which version this is, and what it was built from.",
		(*versionSettings).flags,
		func(_ context.Context, s *versionSettings, _ []string, p Process) error {
			return s.print(program, p)
		},
	)
}

// SBOM returns the command by which a program prints its bill of materials.
func SBOM(program string) Command {
	return New(
		"sbom",
		"",
		"print what the program is made of, as CycloneDX or SPDX",
		program+" sbom [flags]: print the bill of materials of this program: Go's standard library, "+
			"and the modules inside it.",
		(*sbomSettings).flags,
		func(_ context.Context, s *sbomSettings, _ []string, p Process) error {
			return s.print(program, p)
		},
	)
}

// versionSettings are the flags of version.
type versionSettings struct{ full, json bool }

func (s *versionSettings) flags(f *FlagSet) {
	f.BoolVar(
		&s.full,
		"full",
		false,
		"print the commit, the toolchain, the settings of the build and the hash of the program too",
	)
	f.BoolVar(&s.json, "json", false, "print all of it as JSON")
	f.NoVariables()
}

func (s *versionSettings) print(program string, p Process) error {
	if !s.full && !s.json {
		_, err := fmt.Fprintln(p.Stdout, program, build.Read().Version)
		return err
	}
	info, err := build.Running()
	if err != nil {
		return err
	}
	info.Program = program
	return PrintReport(p.Stdout, s.json, info, BuildRows(info).Print)
}

// BuildRows says what a program was built from.
func BuildRows(i build.Info) (all Rows) {
	all.Add("version", i.Version)
	commit := "unknown: it was built without git"
	if i.Commit != "" {
		commit = i.Commit + " of " + i.CommitTime
	}
	if i.Modified != nil && *i.Modified {
		commit += ", and changes that are in no commit"
	}
	all.Add("commit", commit)
	all.Add("toolchain", i.Go)
	for _, m := range i.Modules {
		all.Add("inside it", m.Path+" "+m.Version)
	}
	if len(i.Modules) == 0 {
		all.Add("inside it", "unknown: it was built without make")
	}
	if len(i.Linked) == 0 {
		all.Add("other modules", "none")
	}
	for _, m := range i.Linked {
		all.Add("other module", m.Path+" "+m.Version)
	}
	for _, s := range i.Settings {
		all.Add(s.Name, s.Value)
	}
	all.Add("SHA-256", i.SHA256)
	return all
}

// sbomSettings are the flags of sbom.
type sbomSettings struct{ format string }

func (s *sbomSettings) flags(f *FlagSet) {
	f.StringVar(
		&s.format,
		"format",
		"cyclonedx",
		"`form` of the document: cyclonedx, which is CycloneDX 1.6, or spdx, which is SPDX 2.3",
	)
	f.NoVariables()
}

func (s *sbomSettings) print(program string, p Process) error {
	if s.format != "cyclonedx" && s.format != "spdx" {
		return Usage(fmt.Errorf("-format %q: must be cyclonedx or spdx", s.format))
	}
	info, err := build.Running()
	if err != nil {
		return err
	}
	info.Program = program
	now := caltime.System().Now().UTC().Format(time.RFC3339)
	text := info.CycloneDX(now)
	if s.format == "spdx" {
		text = info.SPDX(now)
	}
	_, err = p.Stdout.Write(text)
	return err
}
