// Bills of materials.

package build

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
)

// object is a JSON object. Its members are printed in the order of their names.
type object = map[string]any

// identity returns 32 hexadecimal digits that are the same for the same program.
func (i *Info) identity() string {
	text, _ := json.Marshal(i) // of texts and bools
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x", sum[:16])
}

// A part is a component of a program: a module, the standard library among them.
type part struct{ name, version, ref string }

// parts returns the standard library of Go, the copies of modules inside it, and the modules
// that are linked beside it. Databases of advisories know the first as "stdlib".
func (i *Info) parts() (std part, inside, beside []part) {
	version := strings.TrimPrefix(i.Go, "go")
	std = part{"stdlib", version, "pkg:golang/stdlib@" + version}
	for _, m := range i.Modules {
		inside = append(inside, part{m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version})
	}
	for _, m := range i.Linked {
		beside = append(beside, part{m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version})
	}
	return std, inside, beside
}

// CycloneDX returns the bill of materials in the form of CycloneDX 1.6. Its time is that of
// the commit, or now (RFC 3339) if that is not known. It is marked incomplete if the modules
// inside the standard library are not known.
func (i *Info) CycloneDX(now string) []byte {
	std, inside, beside := i.parts()
	self := "pkg:golang/" + i.Module + "@" + i.Version
	id := i.identity()
	id = id[:12] + "8" + id[13:16] + "8" + id[17:] // RFC 9562, section 5.8
	program := object{
		"type":     "application",
		"bom-ref":  self,
		"name":     i.Program,
		"version":  i.Version,
		"purl":     self,
		"licenses": []any{object{"license": object{"id": "MIT"}}},
	}
	if i.SHA256 != "" {
		program["hashes"] = []any{object{"alg": "SHA-256", "content": i.SHA256}}
	}
	var properties []any
	for _, s := range append([]setting{{"vcs.revision", i.Commit}}, i.Settings...) {
		if s.Value != "" {
			properties = append(properties, object{"name": "build:" + s.Name, "value": s.Value})
		}
	}
	program["properties"] = properties
	library := func(p part) object {
		return object{
			"type":     "library",
			"bom-ref":  p.ref,
			"name":     p.name,
			"version":  p.version,
			"purl":     p.ref,
			"licenses": []any{object{"license": object{"id": "BSD-3-Clause"}}},
		}
	}
	components := []any{library(std)}
	direct := []string{std.ref}
	below := []string{}
	for _, p := range inside {
		components = append(components, library(p))
		below = append(below, p.ref)
	}
	for _, p := range beside {
		l := library(p)
		delete(l, "licenses")
		components = append(components, l)
		direct = append(direct, p.ref)
	}
	aggregate := "complete"
	if len(inside) == 0 {
		aggregate = "incomplete"
	}
	return printed(object{
		"$schema":     "http://cyclonedx.org/schema/bom-1.6.schema.json",
		"bomFormat":   "CycloneDX",
		"specVersion": "1.6",
		"version":     1,
		"serialNumber": "urn:uuid:" + strings.Join(
			[]string{id[:8], id[8:12], id[12:16], id[16:20], id[20:]},
			"-",
		),
		"metadata":   object{"timestamp": cmp.Or(i.CommitTime, now), "component": program},
		"components": components,
		"dependencies": []any{object{
			"ref":       self,
			"dependsOn": direct,
		}, object{
			"ref":       std.ref,
			"dependsOn": below,
		}},
		"compositions": []any{object{"aggregate": aggregate, "dependencies": []string{std.ref}}},
	})
}

// SPDX returns the bill of materials in the form of SPDX 2.3, as CycloneDX does.
func (i *Info) SPDX(now string) []byte {
	std, inside, beside := i.parts()
	relation := func(from, kind, to string) object {
		return object{"spdxElementId": from, "relationshipType": kind, "relatedSpdxElement": to}
	}
	pkg := func(id string, p part, purpose, license string) object {
		return object{
			"SPDXID":                id,
			"name":                  p.name,
			"versionInfo":           p.version,
			"downloadLocation":      "NOASSERTION",
			"filesAnalyzed":         false,
			"primaryPackagePurpose": purpose,
			"licenseConcluded":      license,
			"licenseDeclared":       license,
			"copyrightText":         "NOASSERTION",
			"externalRefs": []any{object{
				"referenceCategory": "PACKAGE-MANAGER",
				"referenceType":     "purl",
				"referenceLocator":  p.ref,
			}},
		}
	}
	const root, library = "SPDXRef-Package-program", "SPDXRef-Package-stdlib"
	program := pkg(
		root,
		part{i.Program, i.Version, "pkg:golang/" + i.Module + "@" + i.Version},
		"APPLICATION",
		"MIT",
	)
	if i.SHA256 != "" {
		program["checksums"] = []any{object{"algorithm": "SHA256", "checksumValue": i.SHA256}}
	}
	if i.Commit != "" {
		program["sourceInfo"] = "git commit " + i.Commit
	}
	packages := []any{program, pkg(library, std, "LIBRARY", "BSD-3-Clause")}
	relations := []any{
		relation("SPDXRef-DOCUMENT", "DESCRIBES", root),
		relation(root, "DEPENDS_ON", library),
	}
	for n, p := range inside {
		id := fmt.Sprintf("SPDXRef-Package-inside-%d", n+1)
		packages = append(packages, pkg(id, p, "LIBRARY", "BSD-3-Clause"))
		relations = append(relations, relation(library, "CONTAINS", id))
	}
	if len(inside) == 0 {
		relations = append(relations, relation(library, "CONTAINS", "NOASSERTION"))
	}
	for n, p := range beside {
		id := fmt.Sprintf("SPDXRef-Package-beside-%d", n+1)
		packages = append(packages, pkg(id, p, "LIBRARY", "NOASSERTION"))
		relations = append(relations, relation(root, "DEPENDS_ON", id))
	}
	return printed(object{
		"spdxVersion":       "SPDX-2.3",
		"dataLicense":       "CC0-1.0",
		"SPDXID":            "SPDXRef-DOCUMENT",
		"name":              i.Program + "-" + i.Version,
		"documentNamespace": "urn:almanac:sbom:" + i.identity(),
		"creationInfo": object{
			"created":  cmp.Or(i.CommitTime, now),
			"creators": []string{"Tool: almanac-" + i.Version},
		},
		"packages":      packages,
		"relationships": relations,
	})
}

func printed(o object) []byte {
	text, _ := json.MarshalIndent(o, "", "  ") // of texts, numbers and bools
	return append(text, '\n')
}
