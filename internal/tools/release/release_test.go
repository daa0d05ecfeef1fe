package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/i18n"
	"almanac/internal/cli/build"
)

// made makes a release of programs that do nothing, and returns its files.
func made(t *testing.T, dir string, s *signer) map[string][]byte {
	t.Helper()
	m := &maker{
		dir: dir,
		source: source{
			version:   "v1.2.3-rc.1",
			commit:    strings.Repeat("ab", 20),
			toolchain: "go1.26.1",
			stamp:     time.Date(2031, 5, 4, 3, 2, 1, 0, time.UTC),
			modules: []build.Module{{
				Path:    "golang.org/x/net",
				Version: "v0.47.0",
			}},
		},
	}
	var programs []program
	for _, on := range targets {
		programs = append(programs, program{
			on,
			[]byte("the program for " + on.String()),
			[]byte("the mover for " + on.String()),
		})
	}
	if err := m.all(programs, s); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, file := range m.made {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		files[file] = text
	}
	return files
}

// atRoot runs a test in the root of the project, where releases are made.
func atRoot(t *testing.T) {
	t.Helper()
	t.Chdir(filepath.Join("..", "..", ".."))
}

// untar returns the headers and the contents of an archive.
func untar(t *testing.T, content []byte) (headers []*tar.Header, contents map[string]string) {
	t.Helper()
	contents = map[string]string{}
	r := io.Reader(bytes.NewReader(content))
	if bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		if z.Name != "" || !z.ModTime.IsZero() {
			t.Errorf("the compressed archive says %q of %v", z.Name, z.ModTime)
		}
		r = z
	}
	for a := tar.NewReader(r); ; {
		h, err := a.Next()
		if err == io.EOF {
			return headers, contents
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(a)
		if err != nil {
			t.Fatal(err)
		}
		headers = append(headers, h)
		contents[h.Name] = string(text)
	}
}

// A release has a file for each system, the same bytes whoever makes it.
func TestRelease(t *testing.T) {
	atRoot(t)
	files := made(t, t.TempDir(), nil)
	var want []string
	for _, rest := range []string{"_linux_amd64.tar.gz", "_linux_arm64.tar.gz", "_linux_armv7.tar.gz", "_linux_riscv64.tar.gz",
		"_darwin_amd64.tar.gz", "_darwin_arm64.tar.gz", "_windows_amd64.zip", "_windows_arm64.zip", "_freebsd_amd64.tar.gz",
		"_freebsd_arm64.tar.gz", "_amd64.deb", "_arm64.deb", "_armhf.deb", "_riscv64.deb", "_oci.tar", "_node.tgz", "_python.tgz",
		".cdx.json", ".spdx.json",
		".provenance.json"} {
		want = append(want, "almanac_v1.2.3-rc.1"+rest)
	}
	want = slices.Sorted(slices.Values(append(want, "SHA256SUMS")))
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(files, made(t, t.TempDir(), nil)); diff != "" {
		t.Errorf("the same release, made twice: %s", diff)
	}
}

// Archives hold the program, executable, and its documents, of the time of the commit and of
// nobody.
func TestArchives(t *testing.T) {
	atRoot(t)
	files := made(t, t.TempDir(), nil)
	const base = "almanac_v1.2.3-rc.1_linux_armv7"
	headers, contents := untar(t, files[base+".tar.gz"])
	var list []string
	for _, h := range headers {
		list = append(
			list,
			fmt.Sprintf(
				"%s %o %d %d %s",
				h.Name,
				h.Mode,
				h.Uid,
				h.Gid,
				h.ModTime.UTC().Format(time.RFC3339),
			),
		)
	}
	const rest = " 644 0 0 2031-05-04T03:02:01Z"
	for _, want := range []string{base + "/ 755 0 0 2031-05-04T03:02:01Z", base + "/almanac 755 0 0 2031-05-04T03:02:01Z",
		base + "/CHANGELOG.md" + rest, base + "/LICENSE" + rest, base + "/README.md" + rest, base + "/docs/ 755 0 0 2031-05-04T03:02:01Z",
		base + "/docs/serve.md" + rest, base + "/store/FORMAT.md" + rest} {
		if !slices.Contains(list, want) {
			t.Errorf("there is no %q in %q", want, list)
		}
	}
	if got := contents[base+"/almanac"]; got != "the program for linux/arm/v7" {
		t.Errorf("the program is %q", got)
	}
	if got := contents[base+"/almanac-move"]; got != "the mover for linux/arm/v7" {
		t.Errorf("the program that moves calendars is %q", got)
	}
	zipped := files["almanac_v1.2.3-rc.1_windows_amd64.zip"]
	z, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open("almanac_v1.2.3-rc.1_windows_amd64/almanac.exe")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Open("almanac_v1.2.3-rc.1_windows_amd64/almanac-move.exe"); err != nil {
		t.Error(err)
	}
	if text, err := io.ReadAll(f); err != nil || string(text) != "the program for windows/amd64" {
		t.Errorf("the program is %q, %v", text, err)
	}
}

// The unit of a package requires the sandbox, but on the one machine that has it in part. The
// manual shows it.
func TestUnit(t *testing.T) {
	atRoot(t)
	manual, err := os.ReadFile("docs/operate.md")
	if err != nil {
		t.Fatal(err)
	}
	unit, err := maintained.ReadFile("debian/almanac.service")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(manual, slices.Concat([]byte("\n```ini\n"), unit, []byte("```\n"))) {
		t.Error("docs/operate.md does not show internal/tools/release/debian/almanac.service")
	}
	for _, on := range targets {
		if on.debian == "" {
			continue
		}
		files, err := packaged(program{target: on})
		if err != nil {
			t.Fatal(err)
		}
		want := "\nEnvironment=ALMANAC_SANDBOX=require\nEnvironmentFile=-/etc/default/almanac\n" // which may say something else
		if on.arch == "arm" {
			want = strings.Replace(want, "require", "auto", 1)
		}
		i := slices.IndexFunc(
			files,
			func(f entry) bool { return strings.HasSuffix(f.name, "almanac.service") },
		)
		if i < 0 || !strings.Contains(string(files[i].content), want) {
			t.Errorf("%v: the unit has no %q", on, want)
		}
	}
}

// A package that is installed tells which address its service waits for, and starts it if that is
// set.
func TestInstallation(t *testing.T) {
	script, err := maintained.ReadFile("debian/postinst")
	if err != nil {
		t.Fatal(err)
	}
	stubs := t.TempDir()
	for name, text := range map[string]string{"systemd-sysusers": "", "systemctl": `echo "$@"`} {
		if err := os.WriteFile(filepath.Join(stubs, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	systemd := "[ -d /run/systemd/system ]"
	settings := filepath.Join(stubs, "default")
	waits := "daemon-reload\nalmanac: not started yet. Its address names the calendar for good: set ALMANAC_URL in " + settings +
		", then\nalmanac: systemctl enable --now almanac\n"
	for _, test := range []struct{ name, settings, old, want string }{
		{"without settings", "", "", waits},
		{"with an address", "ALMANAC_URL=https://calendar.example.org\n", "", "daemon-reload\nenable --now almanac.service\n"},
		{"an address that is a comment", "#ALMANAC_URL=https://calendar.example.org\n", "", waits},
		{"a newer version", "", "1.0.0", "daemon-reload\ntry-restart almanac.service\n"},
	} {
		if err := os.WriteFile(settings, []byte(test.settings), 0o600); err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer(systemd, "true", "settings=/etc/default/almanac", "settings="+settings).
			Replace(string(script))
		run := exec.Command("sh", "-c", text, "postinst", "configure", test.old)
		run.Env = append(os.Environ(), "PATH="+stubs+":"+os.Getenv("PATH"))
		if out, err := run.CombinedOutput(); err != nil || string(out) != test.want {
			t.Errorf("%s: %v, %q, want %q", test.name, err, out, test.want)
		}
	}
	if !strings.Contains(string(script), systemd) {
		t.Error("the script does not look for systemd")
	}
}

// Every link of a document in a release leads to a file of the same archive.
func TestLinksInArchives(t *testing.T) {
	atRoot(t)
	all := map[string]map[string]string{}
	for name, content := range made(t, t.TempDir(), nil) {
		switch {
		case strings.HasSuffix(name, "gz"):
			_, all[name] = untar(t, content)
		case strings.HasSuffix(name, ".zip"):
			z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
			if err != nil {
				t.Fatal(err)
			}
			all[name] = map[string]string{}
			for _, f := range z.File {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				all[name][f.Name] = string(text)
			}
		case strings.HasSuffix(name, ".deb"):
			_, installed, _ := bytes.Cut(content, fmt.Appendf(nil, "%-16s", "data.tar.gz"))
			_, all[name] = untar(t, installed[44:]) // behind the rest of the header
		}
	}
	for name, files := range all {
		links := 0
		for file, text := range files {
			if path.Ext(file) != ".md" {
				continue
			}
			text = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, "")
			for _, link := range regexp.MustCompile(`\]\(([^)\s#]+)`).FindAllStringSubmatch(text, -1) {
				target := path.Join(path.Dir(file), link[1])
				if strings.HasPrefix(file, "./") {
					target = "./" + target
				}
				if _, ok := files[target]; !ok && !strings.Contains(link[1], "://") {
					if _, ok := files[target+"/"]; !ok {
						t.Errorf("%s: the link of %s to %s leads nowhere", name, file, link[1])
					}
				}
				links++
			}
		}
		if manual := !strings.HasSuffix(name, "_node.tgz") && !strings.HasSuffix(name, "_python.tgz"); manual &&
			links < 100 {
			t.Errorf("%s: found only %d links", name, links)
		}
	}
	if len(all) != 16 {
		t.Errorf("looked into %d archives", len(all))
	}
}

// The packages for tests in other languages have the version of the release.
func TestLibraries(t *testing.T) {
	atRoot(t)
	files := made(t, t.TempDir(), nil)
	for language, want := range map[string]struct{ files, manifest, version string }{
		"node": {"package/ package/LICENSE package/README package/index.d.ts package/index.js package/package.json package/process.js " +
			"package/tls/ package/tls/authority.pem package/tls/server.pem",
			"package/package.json", `"version": "1.2.3-rc.1"`},
		"python": {"almanactest/ almanactest/LICENSE almanactest/README almanactest/almanactest/ almanactest/almanactest/__init__.py " +
			"almanactest/almanactest/plugin.py almanactest/almanactest/process.py almanactest/almanactest/py.typed " +
			"almanactest/almanactest/tls/ almanactest/almanactest/tls/authority.pem almanactest/almanactest/tls/server.pem " +
			"almanactest/almanactest/world.py almanactest/backend/ almanactest/backend/almanactest_build.py almanactest/pyproject.toml",
			"almanactest/pyproject.toml", `version = "1.2.3-rc.1"`},
	} {
		headers, contents := untar(t, files["almanac_v1.2.3-rc.1_"+language+".tgz"])
		var list []string
		for _, h := range headers {
			list = append(list, strings.TrimSuffix(h.Name, ".md"))
		}
		if diff := cmp.Diff(want.files, strings.Join(list, " ")); diff != "" {
			t.Error(diff)
		}
		if !strings.Contains(contents[want.manifest], want.version) {
			t.Errorf("%s has no %s:\n%s", want.manifest, want.version, contents[want.manifest])
		}
	}
}

// The image names each blob by its hash, from the index of all systems down to the layer, and
// the programs in it are those of the archive and run as nobody.
func TestImage(t *testing.T) {
	atRoot(t)
	_, blobs := untar(t, made(t, t.TempDir(), nil)["almanac_v1.2.3-rc.1_oci.tar"])
	read := func(d descriptor, into any) string {
		t.Helper()
		text, ok := blobs["blobs/"+strings.ReplaceAll(d.Digest, ":", "/")]
		if sum := sha256.Sum256([]byte(text)); !ok ||
			"sha256:"+hex.EncodeToString(sum[:]) != d.Digest ||
			len(text) != d.Size {
			t.Fatalf("%+v: there is %d bytes, %v", d, len(text), ok)
		}
		if into != nil {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
		}
		return text
	}
	var layout, index struct{ Manifests []descriptor }
	if err := json.Unmarshal([]byte(blobs["index.json"]), &layout); err != nil ||
		len(layout.Manifests) != 1 {
		t.Fatal(err, blobs["index.json"])
	}
	read(layout.Manifests[0], &index)
	var platforms []string
	for _, m := range index.Manifests {
		var manifest struct {
			Config descriptor
			Layers []descriptor
		}
		var config struct {
			Config struct{ User string }
			RootFS struct {
				IDs []string `json:"diff_ids"`
			}
		}
		read(m, &manifest)
		read(manifest.Config, &config)
		headers, contents := untar(t, []byte(read(manifest.Layers[0], nil)))
		platform := strings.TrimSuffix(
			m.Platform["os"]+"/"+m.Platform["architecture"]+"/"+m.Platform["variant"],
			"/",
		)
		platforms = append(platforms, platform)
		if contents["almanac"] != "the program for "+platform ||
			contents["almanac-move"] != "the mover for "+platform ||
			headers[2].Uid != nobody ||
			config.Config.User != "65532:65532" ||
			len(headers) != 3 ||
			len(config.RootFS.IDs) != 1 {
			t.Errorf("%s: %v %q %+v", platform, headers, contents, config)
		}
	}
	if diff := cmp.Diff([]string{"linux/amd64", "linux/arm64", "linux/arm/v7", "linux/riscv64"}, platforms); diff != "" {
		t.Error(diff)
	}
}

// A descriptor is one of the OCI Image Specification.
type descriptor struct {
	Digest   string
	Size     int
	Platform map[string]string
}

// The public key verifies the sums, and the sums and the statement verify all files. Signatures
// are in neither.
func TestSignatures(t *testing.T) {
	atRoot(t)
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, pem.EncodeToMemory(&pem.Block{
		Type:  "PRIVATE KEY",
		Bytes: der,
	}), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := readKey(key)
	if err != nil {
		t.Fatal(err)
	}
	files := made(t, t.TempDir(), s)
	unsigned := made(t, t.TempDir(), nil)
	for _, file := range []string{"SHA256SUMS", "almanac_v1.2.3-rc.1.provenance.json"} {
		if !ed25519.Verify(public, files[file], files[file+".sig"]) {
			t.Errorf("the signature of %s is none", file)
		}
		delete(files, file+".sig")
	}
	if diff := cmp.Diff(unsigned, files); diff != "" {
		t.Errorf("signing changed more than it added: %s", diff)
	}
	var statement struct {
		Subject []struct {
			Name   string
			Digest map[string]string
		}
	}
	if err := json.Unmarshal(files["almanac_v1.2.3-rc.1.provenance.json"], &statement); err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(files["SHA256SUMS"])), "\n") {
		sum, file, _ := strings.Cut(line, "  ")
		sums[file] = sum
	}
	for file, content := range files {
		if want := fmt.Sprintf("%x", sha256.Sum256(content)); file != "SHA256SUMS" &&
			sums[file] != want {
			t.Errorf("SHA256SUMS has %q for %s, want %s", sums[file], file, want)
		}
	}
	for _, of := range statement.Subject {
		if sums[of.Name] != of.Digest["sha256"] {
			t.Errorf("the statement has %v for %s", of.Digest, of.Name)
		}
	}
	if len(sums) != len(files)-1 || len(statement.Subject) != len(files)-2 {
		t.Errorf(
			"%d sums and %d subjects of %d files",
			len(sums),
			len(statement.Subject),
			len(files),
		)
	}
}

// Wrong arguments are refused before anything is made or removed.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "holiday.jpg")
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ version, key, targets, want string }{
		{"", "", "", `VERSION="": must be a version`},
		{"1.0.0", "", "", `VERSION="1.0.0": must be a version`},
		{"v1.0", "", "", `VERSION="v1.0": must be a version`},
		{"v1.0.0", key, "", "there is no PEM in it"},
		{"v1.0.0", filepath.Join(dir, "none"), "", "no such file"},
		{"v1.0.0", "", "plan9/amd64", `there is no "plan9/amd64"`},
	} {
		if err := release(test.version, test.key, dir, test.targets); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	if err := translated("de", i18n.English().Keys()[1:]); err == nil ||
		!strings.Contains(err.Error(), i18n.English().Keys()[0]) {
		t.Errorf("a text without a translation: %v", err)
	}
	if err := emptied(dir); err == nil ||
		!strings.Contains(err.Error(), "is no file of a release") {
		t.Errorf("a folder with other files: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

// The list of modules inside the standard library has the format of Go.
func TestVendored(t *testing.T) {
	t.Parallel()
	const file = "# golang.org/x/crypto v0.46.1\n## explicit; go 1.24.0\ngolang.org/x/crypto/chacha20\n# golang.org/x/net " +
		"v0.47.1\n## explicit\n"
	list, found := vendored(file)
	want := []build.Module{{
		Path:    "golang.org/x/crypto",
		Version: "v0.46.1",
	}, {
		Path:    "golang.org/x/net",
		Version: "v0.47.1",
	}}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	if list != "golang.org/x/crypto@v0.46.1,golang.org/x/net@v0.47.1" {
		t.Errorf("the linker is told %q", list)
	}
}
