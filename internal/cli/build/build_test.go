package build

import (
	"debug/buildinfo"
	"encoding/json"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ofRelease is a program with modules of all sorts.
var ofRelease = Info{
	Version:    "v1.2.3",
	Commit:     strings.Repeat("ab", 20),
	CommitTime: "2031-05-04T03:02:01Z",
	Go:         "go1.26.1",
	Program:    "almanac",
	Module:     "almanac",
	Settings:   []setting{{"GOOS", "linux"}},
	Modules:    []Module{{"golang.org/x/net", "v0.47.0"}, {"golang.org/x/text", "v0.32.0"}},
	Linked:     []Module{{"example.org/other", "v0.1.0"}},
	SHA256:     strings.Repeat("cd", 32),
}

// A bill of materials names the toolchain, what is inside it and what is beside it, and says
// what depends on what.
func TestCycloneDX(t *testing.T) {
	t.Parallel()
	var bill struct {
		BOMFormat, SpecVersion, SerialNumber string
		Metadata                             struct {
			Timestamp string
			Component struct {
				Version string
				Hashes  []struct{ Content string }
			}
		}
		Components   []struct{ Name, Version, PURL string }
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
		Compositions []struct{ Aggregate string }
	}
	read := func(i Info) {
		t.Helper()
		text := i.CycloneDX("2040-01-01T00:00:00Z")
		if err := json.Unmarshal(text, &bill); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	read(ofRelease)
	var got []string
	for _, c := range bill.Components {
		got = append(got, c.Name+" "+c.Version+" "+c.PURL)
	}
	for _, d := range bill.Dependencies {
		got = append(got, d.Ref+": "+strings.Join(d.DependsOn, " "))
	}
	got = append(
		got,
		bill.Metadata.Timestamp,
		bill.Metadata.Component.Version,
		bill.Metadata.Component.Hashes[0].Content,
		bill.Compositions[0].Aggregate,
	)
	const inside = "pkg:golang/golang.org/x/net@v0.47.0 pkg:golang/golang.org/x/text@v0.32.0"
	want := []string{
		"stdlib 1.26.1 pkg:golang/stdlib@1.26.1",
		"golang.org/x/net v0.47.0 pkg:golang/golang.org/x/net@v0.47.0",
		"golang.org/x/text v0.32.0 pkg:golang/golang.org/x/text@v0.32.0",
		"example.org/other v0.1.0 pkg:golang/example.org/other@v0.1.0",
		"pkg:golang/almanac@v1.2.3: pkg:golang/stdlib@1.26.1 pkg:golang/example.org/other@v0.1.0",
		"pkg:golang/stdlib@1.26.1: " + inside,
		"2031-05-04T03:02:01Z",
		"v1.2.3",
		strings.Repeat("cd", 32),
		"complete",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	serial := bill.SerialNumber
	read(ofRelease)
	if bill.SerialNumber != serial ||
		len(serial) != len("urn:uuid:00000000-0000-8000-8000-000000000000") {
		t.Errorf("serial numbers of one program are %q and %q", serial, bill.SerialNumber)
	}
	unknown := ofRelease
	unknown.Modules = nil
	unknown.CommitTime = ""
	read(unknown)
	if got := bill.Compositions[0].Aggregate; got != "incomplete" ||
		bill.Metadata.Timestamp != "2040-01-01T00:00:00Z" ||
		bill.SerialNumber == serial {
		t.Errorf(
			"a program built without make says that its bill is %s, of %s",
			got,
			bill.Metadata.Timestamp,
		)
	}
}

func TestSPDX(t *testing.T) {
	t.Parallel()
	read := func(i Info) (got []string) {
		t.Helper()
		var bill struct {
			SPDXVersion  string
			CreationInfo struct{ Created string }
			Packages     []struct {
				SPDXID, Name, VersionInfo string
				Checksums                 []struct{ ChecksumValue string }
			}
			Relationships []struct{ SpdxElementId, RelationshipType, RelatedSpdxElement string }
		}
		text := i.SPDX("2040-01-01T00:00:00Z")
		if err := json.Unmarshal(text, &bill); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		got = append(got, bill.SPDXVersion, bill.CreationInfo.Created)
		for _, p := range bill.Packages {
			got = append(got, p.SPDXID+" "+p.Name+" "+p.VersionInfo)
		}
		for _, r := range bill.Relationships {
			got = append(got, r.SpdxElementId+" "+r.RelationshipType+" "+r.RelatedSpdxElement)
		}
		return got
	}
	const root, std, inside, beside = "SPDXRef-Package-program", "SPDXRef-Package-stdlib", "SPDXRef-Package-inside-", "SPDXRef-Package-beside-"
	want := []string{
		"SPDX-2.3",
		"2031-05-04T03:02:01Z",
		root + " almanac v1.2.3",
		std + " stdlib 1.26.1",
		inside + "1 golang.org/x/net v0.47.0",
		inside + "2 golang.org/x/text v0.32.0",
		beside + "1 example.org/other v0.1.0",
		"SPDXRef-DOCUMENT DESCRIBES " + root,
		root + " DEPENDS_ON " + std,
		std + " CONTAINS " + inside + "1",
		std + " CONTAINS " + inside + "2",
		root + " DEPENDS_ON " + beside + "1",
	}
	if diff := cmp.Diff(want, read(ofRelease)); diff != "" {
		t.Error(diff)
	}
	unknown := ofRelease
	unknown.Modules = nil
	if got := read(unknown); !slices.Contains(got, std+" CONTAINS NOASSERTION") {
		t.Errorf(
			"a program built without make says %q of what is inside the standard library",
			got,
		)
	}
}

// Stamps of git become the commit, and all other stamps become settings.
func TestStamps(t *testing.T) {
	t.Parallel()
	got := of(&buildinfo.BuildInfo{
		GoVersion: "go1.26.1",
		Main:      debug.Module{Path: "almanac"},
		Deps:      []*debug.Module{{Path: "example.org/other", Version: "v0.1.0"}},
		Settings: []debug.BuildSetting{{
			Key:   "GOOS",
			Value: "linux",
		}, {
			Key:   "vcs",
			Value: "git",
		}, {
			Key:   "vcs.revision",
			Value: "abc",
		},
			{
				Key:   "vcs.time",
				Value: "2031-05-04T03:02:01Z",
			}, {
				Key:   "vcs.modified",
				Value: "true",
			}},
	})
	modified := true
	want := Info{
		Version:    "(unknown)",
		Commit:     "abc",
		CommitTime: "2031-05-04T03:02:01Z",
		Modified:   &modified,
		Go:         "go1.26.1",
		Module:     "almanac",
		Settings:   []setting{{"GOOS", "linux"}},
		Linked:     []Module{{"example.org/other", "v0.1.0"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
