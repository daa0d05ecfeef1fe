package command

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/rest"
)

// This file does what README.md says, in the order in which it says it.

// A readmeBlock is a fenced block.
type readmeBlock struct {
	section, lang, text string
	line                int
}

// readme reads the blocks of README.md.
func readme(t *testing.T) []readmeBlock {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []readmeBlock
	section, open := "", false
	for i, line := range strings.Split(string(text), "\n") {
		lang, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && !open:
			blocks, open = append(blocks, readmeBlock{section, lang, "", i + 2}), true
		case fence:
			open = false
		case open:
			blocks[len(blocks)-1].text += line + "\n"
		case strings.HasPrefix(line, "## "):
			section = line[3:]
		}
	}
	return blocks
}

// A reader is somebody who follows README.md, with a copy of this directory
// and a module beside it.
type reader struct {
	*testing.T
	almanac, yours string   // directories
	env            []string // with the variables set so far
	old            string   // a site of The Events Calendar

	server *exec.Cmd // nil when it is stopped
	ready  readyLine
	token  string
	output string // of the last command
}

// TestReadme executes every command of README.md as it is printed, but for
// what differs between one reader and the next: the port (ALMANAC_ADDR asks
// for a free one), the token, and the site that a calendar comes from, in whose
// place is a second server.
//
// One command is not executed: `make test`, which would run this test again.
// It is what runs it.
func TestReadme(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "make", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("README.md is not tried out: there is no %s on this machine", tool)
		}
	}
	dir := t.TempDir()
	r := &reader{
		T: t, almanac: filepath.Join(dir, "almanac"), yours: filepath.Join(dir, "yours"),
		// So Go knows what it built in the directory of another run.
		env: append(cleanEnvironment(), "ALMANAC_ADDR=127.0.0.1:0", "GOFLAGS=-trimpath "+os.Getenv("GOFLAGS")),
	}
	old := startServer(t, append([]string{"-memory", "-also", "/wp-json/tribe/events/v1"}, still[2:]...)...)
	fill(t, old.admin())
	r.old = old.url
	copyCheckout(t, r.almanac)
	if err := os.Mkdir(r.yours, 0o700); err != nil {
		t.Fatal(err)
	}

	for _, b := range readme(t) {
		switch {
		case b.text == "make test\n":
			t.Logf("line %d: make test is not executed, since it runs this test", b.line)
		case b.lang == "nginx": // TestNginx
		case b.lang == "sh":
			r.run(b)
		case b.lang == "go":
			r.write(filepath.Join(r.yours, "concert_test.go"), b.text)
			r.shell(b, r.yours, "go mod init yours")
		case recipes[b.lang].file != "":
			r.recipe(b, recipes[b.lang])
		case b.lang == "json" && b.section == "Accounts":
			r.tryUsers(b)
		case b.lang == "json" && b.section == "Seeds and exports":
			r.write(filepath.Join(r.almanac, "try", "town.json"), b.text)
		case b.lang == "json":
			r.compare(b)
		default:
			t.Errorf("line %d: a block of %q, which this test knows nothing of", b.line, b.lang)
		}
	}
	r.stop()
	// What is left is ignored by git, and the tests can be run beside it.
	left, err := os.ReadDir(r.almanac)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range left {
		if _, err := os.Lstat(entry.Name()); err != nil && !ignored(t, entry.Name()) {
			t.Errorf("the commands of README.md leave %s in the checkout, which git does not ignore", entry.Name())
		}
	}
}

// run runs a block of commands. One that speaks to the server needs it to run,
// one that touches its directory needs it to be stopped, as README.md says.
func (r *reader) run(b readmeBlock) {
	r.Helper()
	switch {
	case b.text == "make run\n":
		r.start(b, "make", "run")
	case strings.HasPrefix(b.text, "./almanac serve"):
		r.stop()
		r.start(b, "sh", "-c", "exec "+b.text)
		r.stop()
	case strings.HasPrefix(b.text, "TOKEN="):
		r.env = append(r.env, strings.TrimSpace(r.filled(b.text)))
	case strings.HasPrefix(b.text, "go mod"):
		r.shell(b, r.yours, b.text)
	default:
		if strings.Contains(b.text, "almanac-data") {
			r.stop()
		}
		if strings.Contains(b.text, "127.0.0.1:8080") && r.server == nil {
			r.start(b, "make", "run")
		}
		r.shell(b, r.almanac, b.text)
		if strings.HasPrefix(r.output, `{"code":`) {
			r.Errorf("line %d: refused: %s", b.line, r.output)
		}
		if b.section == "Import" && !regexp.MustCompile(`(?m)^ +events +[0-9]+ `).MatchString(r.output) {
			r.Errorf("line %d: printed no table: %s", b.line, r.output)
		}
		if strings.HasSuffix(b.text, "/events'\n") && !strings.Contains(r.output, `"title":"Concert"`) {
			r.Errorf("line %d: the concert is not listed: %s", b.line, r.output)
		}
	}
}

// filled puts in what differs between readers.
func (r *reader) filled(text string) string {
	return strings.NewReplacer(
		"127.0.0.1:8080", strings.TrimPrefix(r.ready.URL, "http://"),
		"4711", strconv.Itoa(r.ready.PID),
		"alm_…", r.token,
		"https://calendar.example.org", r.old,
	).Replace(text)
}

// shell runs commands until one fails.
func (r *reader) shell(b readmeBlock, dir, text string) {
	r.Helper()
	var stdout bytes.Buffer
	cmd := exec.Command("sh", "-e", "-c", r.filled(text))
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, r.env, &stdout, r.Output()
	err := cmd.Run()
	r.output = stdout.String()
	if err != nil {
		r.Fatalf("line %d: %s: %v\n%s", b.line, text, err, r.output)
	}
}

// start starts a server and waits for its ready line.
func (r *reader) start(b readmeBlock, name string, args ...string) {
	r.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.almanac, r.env
	first := r.token == ""
	r.ready = startProcess(r.T, cmd)
	r.server = cmd
	r.Cleanup(func() { // when the test ends early; make does not take its server along
		if r.server == cmd {
			_ = signalTo(r.ready.PID, os.Kill)
		}
	})
	if first {
		r.token = r.ready.Token
	}
	line, err := json.Marshal(map[string]any{"url": r.ready.URL, "api": r.ready.API, "pid": r.ready.PID, "token": r.ready.Token})
	if err != nil {
		r.Fatalf("line %d: %v", b.line, err)
	}
	r.output = string(line)
}

// stop stops the server, as Ctrl-C does, if there is one.
func (r *reader) stop() {
	r.Helper()
	if r.server == nil {
		return
	}
	if err := signalTo(r.ready.PID, syscall.SIGTERM); err != nil {
		r.Fatal(err)
	}
	if err := r.server.Wait(); err != nil {
		r.Errorf("the server ended with: %v", err)
	}
	r.server = nil
}

func signalTo(pid int, s os.Signal) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Signal(s)
}

// compare compares what the last block printed with what README.md says.
func (r *reader) compare(b readmeBlock) {
	r.Helper()
	var want, got any
	if err := json.Unmarshal([]byte(r.filled(b.text)), &want); err != nil {
		r.Fatalf("line %d: %v", b.line, err)
	}
	if err := json.Unmarshal([]byte(r.output), &got); err != nil {
		r.Fatalf("line %d: %v: %s", b.line, err, r.output)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("line %d (-README.md, +printed):\n%s", b.line, diff)
	}
}

// tryUsers serves with a users file, in which the hash is that of a token.
func (r *reader) tryUsers(b readmeBlock) {
	r.Helper()
	const token = "alm_secret"
	sum := sha256.Sum256([]byte(token))
	file := filepath.Join(r.TempDir(), "users.json")
	r.write(file, strings.ReplaceAll(b.text, `"…"`, `"`+hex.EncodeToString(sum[:])+`"`))
	s := startServer(r, append([]string{"-memory", "-users", file}, still...)...)
	caller{url: s.url, token: token, client: s.client}.must(r, "POST", api+"/tags", `{"name":"free"}`)
}

func (r *reader) write(name, text string) {
	r.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
}

// ignored reports whether git leaves a file or directory at the top out, which is
// where the commands of README.md put what they make.
func ignored(t *testing.T, name string) bool {
	t.Helper()
	patterns, err := os.ReadFile(".gitignore")
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(strings.Fields(string(patterns)), func(p string) bool {
		matched, _ := filepath.Match(strings.Trim(p, "/"), name)
		return matched
	})
}

// copyCheckout copies this directory, without what git ignores and what no
// command of README.md needs.
func copyCheckout(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || ignored(t, name)):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		case ignored(t, name) || !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The table of flags says what serve takes, all of it and nothing else.
func TestReadmeFlags(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Flags of serve")
	section, _, _ = strings.Cut(section, "\n## ")
	got := map[string][2]string{}
	flagRow := regexp.MustCompile("(?m)^\\| `-([a-z-]+)` \\| (.*?) \\| .* \\| (`[A-Z_]+`|none) \\|$")
	for _, row := range flagRow.FindAllStringSubmatch(section, -1) {
		got[row[1]] = [2]string{row[2], row[3]}
	}
	inWords := map[string]string{ // defaults that are not a value
		"memory": "off", "freeze": "off", "explain": "off", "strict-input": "off", "worlds": "off", "exit-with-parent": "off",
		"negotiate": "off", "url": "the host asked", "users": "`users.json` in the data directory",
		"seed": "none", "token": "none", "clock": "the real time", "also": "none",
		"tls-cert": "none", "tls-key": "none", "trusted-proxies": "none", "no-limits": "off", "no-sandbox": "off",
	}
	want := map[string][2]string{}
	flags, _ := serveFlags()
	flags.VisitAll(func(f *flag.Flag) {
		value := "`" + f.DefValue + "`"
		if words, ok := inWords[f.Name]; ok {
			value = words
		}
		want[f.Name] = [2]string{value, "`" + variable(f.Name) + "`"}
		if slices.Contains(flags.typed, f.Name) {
			want[f.Name] = [2]string{value, "none"}
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("flags of serve (-serve, +README.md):\n%s", diff)
	}
}

// Every route outside the namespace is in a table.
func TestReadmeRoutes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	almanactest.Routes(func(pattern string, _ *rest.Op) {
		_, path, _ := strings.Cut(pattern, " ")
		path = strings.NewReplacer("{id}", "ID", "{name}", "NAME").Replace(path)
		if strings.HasPrefix(path, "/_almanac/") && !regexp.MustCompile(`(?m)^\| .*`+regexp.QuoteMeta(path)+"(`| )").Match(text) {
			t.Errorf("no table of README.md has %s", pattern)
		}
	})
}
