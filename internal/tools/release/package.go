// Packages for Debian: deb(5), an archive of ar(5) with the two of tar.

package main

import (
	"bytes"
	"crypto/md5"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maintained is the files of packages: debian/almanac.service, and those that Debian's
// package manager runs.
//
//go:embed debian
var maintained embed.FS

// debian makes the package of a program.
func (m *maker) debian(p program) error {
	files, err := packaged(p)
	if err != nil {
		return err
	}
	installed, err := tarred(files, m.stamp)
	if err != nil {
		return err
	}
	version := strings.Replace(
		strings.TrimPrefix(m.version, "v"),
		"-",
		"~",
		1,
	) // pre-releases sort before the release
	size := 0
	var sums strings.Builder
	for _, f := range files {
		size += (len(f.content) + 1023) / 1024
		if !strings.HasSuffix(f.name, "/") {
			fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.content), strings.TrimPrefix(f.name, "./"))
		}
	}
	about := fmt.Sprintf(
		"Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: the almanac authors <almanac@localhost>\n"+
			"Installed-Size: %d\nSection: web\nPriority: optional\nRecommends: systemd\n"+
			"Description: calendar of events over HTTP\n almanac serves events, venues, organizers, categories and tags, as JSON,\n"+
			" as pages and as calendars. It is one static program; another one,\n almanac-move, brings calendars from elsewhere.\n",
		name,
		version,
		p.debian,
		size,
	)
	control := []entry{{
		name: "./",
		mode: 0o755,
	}, {
		name:    "./control",
		mode:    0o644,
		content: []byte(about),
	},
		{name: "./md5sums", mode: 0o644, content: []byte(sums.String())},
		{name: "./conffiles", mode: 0o644, content: []byte("/etc/default/almanac\n")}}
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		text, err := maintained.ReadFile("debian/" + script)
		if err != nil {
			return err
		}
		control = append(control, entry{name: "./" + script, mode: 0o755, content: text})
	}
	controls, err := tarred(control, m.stamp)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, f := range []entry{{
		name:    "debian-binary",
		content: []byte("2.0\n"),
	}, {
		name:    "control.tar.gz",
		content: gzipped(controls),
	},
		{name: "data.tar.gz", content: gzipped(installed)}} {
		fmt.Fprintf(
			&b,
			"%-16s%-12d%-6d%-6d%-8s%-10d`\n",
			f.name,
			m.stamp.Unix(),
			0,
			0,
			"100644",
			len(f.content),
		)
		b.Write(f.content)
		if len(f.content)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return m.write(m.file("_"+p.debian+".deb"), b.Bytes())
}

// packaged returns the files that a package installs.
func packaged(p program) ([]entry, error) {
	files := []entry{
		{name: "./usr/bin/" + name, mode: 0o755, content: p.content},
		{name: "./usr/bin/" + moverName, mode: 0o755, content: p.mover},
	}
	for from, to := range map[string]string{
		"default":         "./etc/default/almanac",
		"almanac.service": "./usr/lib/systemd/system/almanac.service",
		"sysusers.conf":   "./usr/lib/sysusers.d/almanac.conf",
		"copyright":       "./usr/share/doc/almanac/copyright",
	} {
		text, err := maintained.ReadFile("debian/" + from)
		if err != nil {
			return nil, err
		}
		if p.arch == "arm" { // for which no filter of system calls is written
			text = bytes.Replace(text, []byte("SANDBOX=require"), []byte("SANDBOX=auto"), 1)
		}
		files = append(files, entry{name: to, mode: 0o644, content: text})
	}
	more, err := entries("./usr/share/doc/almanac/", ".", documents)
	return withFolders(append(files, more...)), err
}

// withFolders returns files in the order of their names, each after the folders that it is in.
func withFolders(files []entry) []entry {
	all := map[string]entry{}
	for _, f := range files {
		all[f.name] = f
		for i, c := range f.name {
			if c == '/' {
				all[f.name[:i+1]] = entry{name: f.name[:i+1], mode: 0o755}
			}
		}
	}
	var sorted []entry
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sorted = append(sorted, all[name])
	}
	return sorted
}
