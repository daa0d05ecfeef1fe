// The commands version and sbom describe the build of the program.

package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"time"

	"almanac/internal/build"
	"almanac/internal/caltime"
	"almanac/internal/cli"
)

// Version says which version the program is.
var Version = cli.New("version", "", "say which version this is, and what it was built from",
	"almanac version [flags]: which version this is, and what it was built from.",
	(*versionSettings).flags, printVersion)

// SBOM prints the bill of materials of the program.
var SBOM = cli.New(
	"sbom",
	"",
	"print what the program is made of, as CycloneDX or SPDX",
	"almanac sbom [flags]: print the bill of materials of this program: Go's standard library, and the modules "+
		"inside it.",
	(*sbomSettings).flags,
	printSBOM,
)

// versionSettings are the flags of version.
type versionSettings struct{ full, json bool }

func (s *versionSettings) flags(f *cli.FlagSet) {
	f.BoolVar(
		&s.full,
		"full",
		false,
		"print the commit, the toolchain, the settings of the build and the hash of the program too",
	)
	f.BoolVar(&s.json, "json", false, "print all of it as JSON")
	f.NoVariables()
}

func printVersion(_ context.Context, s *versionSettings, _ []string, p cli.Process) error {
	if !s.full && !s.json {
		_, err := fmt.Fprintln(p.Stdout, "almanac", version())
		return err
	}
	info, err := builtFrom()
	if err != nil {
		return err
	}
	return cli.PrintReport(p.Stdout, s.json, info, infoRows(info).Print)
}

// infoRows says what a program was built from.
func infoRows(i build.Info) (all cli.Rows) {
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

func (s *sbomSettings) flags(f *cli.FlagSet) {
	f.StringVar(
		&s.format,
		"format",
		"cyclonedx",
		"`form` of the document: cyclonedx, which is CycloneDX 1.6, or spdx, which is SPDX 2.3",
	)
	f.NoVariables()
}

func printSBOM(_ context.Context, s *sbomSettings, _ []string, p cli.Process) error {
	if s.format != "cyclonedx" && s.format != "spdx" {
		return cli.Usage(fmt.Errorf("-format %q: must be cyclonedx or spdx", s.format))
	}
	info, err := builtFrom()
	if err != nil {
		return err
	}
	now := caltime.System().Now().UTC().Format(time.RFC3339)
	text := info.CycloneDX(now)
	if s.format == "spdx" {
		text = info.SPDX(now)
	}
	_, err = p.Stdout.Write(text)
	return err
}

// builtFrom returns what the running program was built from, with the hash of its file.
func builtFrom() (build.Info, error) {
	info := build.Read()
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

// version returns the version that the program was built from.
func version() string { return build.Read().Version }
