package command

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
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
	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/tools/apitest"
)

// This file does what README.md and the pages of docs/ say, in the order in which
// they say it.

// A block is a fenced block of a document.
type block struct {
	page, section, lang, text string
	line                      int
}

// String returns where a block is, as an editor finds it.
func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// blocksOf reads the blocks of a document.
func blocksOf(t *testing.T, page string) []block {
	t.Helper()
	var blocks []block
	section := ""
	open := false
	for i, line := range strings.Split(readFile(t, page), "\n") {
		lang, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && !open:
			blocks = append(blocks, block{page, section, lang, "", i + 2})
			open = true
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

// elsewhere are the documents that TestDocs does not execute, and what does.
var elsewhere = map[string]string{
	"docs/differences.md": "TestConversations plays testdata/conversations/differences.txt, and TestDifferencesAreShown compares the two",
	"docs/verify.md":      ".ci/release",
	"store/FORMAT.md":     "store: TestFormatCommands",
}

// documents returns the documents of the repository, from the top.
func documents(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || ignored(t, name)):
			return filepath.SkipDir
		case filepath.Ext(name) == ".md":
			found = append(found, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A reader is somebody who follows a page, in a copy of this directory that is built, with a
// module beside it. One reader after the other has the copy.
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

// TestDocs executes every command of README.md and of the pages of docs/ as it is
// printed, each page by itself. It builds the program once; a page that refers to
// the start in README.md has the rest of that executed before. The test puts in the values
// that differ between readers: the port (ALMANAC_ADDR asks for a free one), the
// token, and a second server for the site that a calendar comes from.
//
// One command is not executed: `make test`, which runs this test.
func TestDocs(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "make", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf(
				"the commands of the documents are not tried out: there is no %s on this machine",
				tool,
			)
		}
	}
	old := startServer(
		t,
		append([]string{"-memory", "-also", "/wp-json/tribe/events/v1"}, still[2:]...)...)
	fill(t, old.Admin())
	checkout := filepath.Join(t.TempDir(), "almanac")
	copyCheckout(t, checkout)
	// So Go knows what it built in the directory of another run.
	env := append(
		cleanEnvironment(),
		"ALMANAC_ADDR=127.0.0.1:0",
		"GOFLAGS=-trimpath "+os.Getenv("GOFLAGS"),
	)
	cmd := exec.Command("make", "build")
	cmd.Dir = checkout
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make build: %v\n%s", err, out)
	}
	for _, page := range documents(t) {
		blocks := blocksOf(t, page)
		manual := regexp.MustCompile(`^(README|docs/(README|[a-z]+))\.md$`).
			MatchString(page)
			// more documents describe the code
		switch {
		case elsewhere[page] != "":
		case !manual && slices.ContainsFunc(blocks, func(b block) bool { return b.lang != "" }):
			t.Errorf(
				"%s has a block in a language: move it into docs/, where it is executed, or name what executes it",
				page,
			)
		case manual && !slices.ContainsFunc(blocks, func(b block) bool { return b.lang == "sh" }):
			t.Errorf("%s has no command that could be executed", page)
		case manual:
			t.Run(page, func(t *testing.T) {
				r := &reader{
					T:       t,
					almanac: checkout,
					yours:   filepath.Join(filepath.Dir(checkout), "yours"),
					env:     env,
					old:     old.URL,
				}
				if page == "docs/moving.md" { // two sites are compared at the same time
					r.env = slices.Concat(
						env,
						[]string{"ALMANAC_CLOCK=2031-05-10 12:00:00", "ALMANAC_FREEZE=true"},
					)
				}
				r.follow(page)
			})
		}
	}
	for page, by := range elsewhere {
		if _, err := os.Stat(page); err != nil {
			t.Errorf("%s is executed by %s: %v", page, by, err)
		}
	}
}

// seedFiles has the names that docs/seeds.md gives the seeds that it shows, by section.
var seedFiles = map[string]string{"A seed": "town.json", "Events that come again": "choir.json"}

// follow executes the blocks of a page.
func (r *reader) follow(page string) {
	r.Helper()
	if err := os.Mkdir(r.yours, 0o700); err != nil {
		r.Fatal(err)
	}
	r.Cleanup(r.tidy)
	blocks := blocksOf(r.T, page)
	if strings.Contains(readFile(r.T, page), "](../README.md#start)") {
		start := slices.DeleteFunc(
			blocksOf(r.T, "README.md"),
			func(b block) bool { return b.section != "Start" },
		)
		blocks = append(start, blocks...)
	}
	for _, b := range blocks {
		switch {
		case b.text == "make test\n":
			r.Logf("%v: make test is not executed, since it runs this test", b)
		case b.lang == "nginx", b.lang == "caddy": // TestNginx and TestCaddy try them
		case b.lang == "ini": // release: TestUnit
		case b.lang == "html":
			r.tryFrames(b)
		case b.lang == "sh":
			r.run(b)
		case b.lang == "text":
			if diff := cmp.Diff(b.text, strings.ReplaceAll(r.output, "\r", "")); diff != "" {
				r.Errorf("%v (-page, +printed):\n%s", b, diff)
			}
		case b.lang == "go":
			r.write(filepath.Join(r.yours, "concert_test.go"), b.text)
			r.runShell(b, r.yours, "go mod init yours")
		case recipes[b.lang].file != "":
			r.recipe(b, recipes[b.lang])
		case b.lang == "json" && b.section == "A file of accounts":
			r.tryUsers(b)
		case b.lang == "json" && b.page == "docs/seeds.md" && seedFiles[b.section] != "":
			r.write(filepath.Join(r.almanac, "try", seedFiles[b.section]), b.text)
		case b.lang == "json":
			r.compare(b)
		default:
			r.Errorf("%v: a block of %q, which this test knows nothing of", b, b.lang)
		}
	}
	r.stop()
}

// tidy removes what a page leaves. Git ignores these files, and the tests can be run beside them.
func (r *reader) tidy() {
	err := os.RemoveAll(r.yours)
	left, unread := os.ReadDir(r.almanac)
	for _, entry := range left {
		name := entry.Name()
		isOurs := name == "almanac" || name == "almanac-move"
		if _, absent := os.Lstat(name); absent == nil && !ignored(r.T, name) || isOurs {
			continue
		}
		if !ignored(r.T, name) {
			r.Errorf("the commands leave %s in the checkout, which git does not ignore", name)
		}
		err = errors.Join(err, os.RemoveAll(filepath.Join(r.almanac, name)))
	}
	if err := errors.Join(err, unread); err != nil {
		r.Error(err)
	}
}

// missing reports whether a tool is not on this machine.
func missing(tool string) bool {
	_, err := exec.LookPath(tool)
	return err != nil
}

// run runs a block of commands. A block that speaks to the server needs it to run,
// and a block that touches its directory needs it to be stopped, as the page says.
func (r *reader) run(b block) {
	r.Helper()
	switch {
	case b.text == "make build\n"+startCommand:
		r.start(b, "sh", "-c", "exec "+startCommand)
	case strings.HasPrefix(b.text, "./almanac serve"):
		r.stop()
		if b.page == "README.md" && !strings.Contains(b.text, " -addr 127.0.0.1:") {
			r.Errorf("%v: the server of Start has the port", b)
		}
		r.start(
			b,
			"sh",
			"-c",
			"exec "+regexp.MustCompile(`-addr 127\.0\.0\.1:\d+`).
				ReplaceAllString(b.text, "-addr 127.0.0.1:0"),
		)
		r.stop()
	case strings.HasPrefix(b.text, "TOKEN="):
		r.env = append(r.env, strings.TrimSpace(r.filled(b.text)))
	case strings.HasPrefix(b.text, "openssl") && missing("openssl"):
		r.Logf("%v is not executed: there is no openssl on this machine", b)
	case strings.Contains(b.text, "rsync") && missing("rsync"):
		r.Logf("%v is not executed: there is no rsync on this machine", b)
	case strings.HasPrefix(b.text, "go mod"):
		r.runShell(b, r.yours, b.text)
	default:
		asks := strings.Contains(b.text, "127.0.0.1:8080") ||
			strings.Contains(b.text, "./almanac healthcheck")
		if strings.Contains(b.text, "almanac-data") && !asks {
			r.stop()
		}
		if asks && r.server == nil {
			if r.token == "" {
				r.Errorf(
					"%v: asks a server, and the page does not lead to the start in README.md",
					b,
				)
			}
			r.start(b, "sh", "-c", "exec "+startCommand)
		}
		r.runShell(b, r.almanac, b.text)
		if strings.HasPrefix(r.output, `{"code":`) {
			r.Errorf("%v: refused: %s", b, r.output)
		}
		if strings.Contains(b.text, "./almanac-move import ") &&
			!regexp.MustCompile(`(?m)^ +events +[0-9]+ `).MatchString(r.output) {
			r.Errorf("%v: printed no table: %s", b, r.output)
		}
		if strings.HasSuffix(b.text, "/events'\n") &&
			!strings.Contains(r.output, `"title":"Concert"`) {
			r.Errorf("%v: the concert is not listed: %s", b, r.output)
		}
	}
}

// startCommand is how README.md starts the server, and how it is started again.
const startCommand = "./almanac serve\n"

// filled puts in what differs between readers.
func (r *reader) filled(text string) string {
	return strings.NewReplacer(
		"127.0.0.1:8080", strings.TrimPrefix(r.ready.URL, "http://"),
		"4711", strconv.Itoa(r.ready.PID),
		"alm_…", r.token,
		"http://127.0.0.1:8080/desk/link?token=…", r.ready.Desk,
		"https://calendar.example.org", r.old,
	).Replace(text)
}

// runShell runs commands until one fails.
func (r *reader) runShell(b block, dir, text string) {
	r.Helper()
	var stdout bytes.Buffer
	cmd := exec.Command("sh", "-e", "-c", r.filled(text))
	cmd.Dir = dir
	cmd.Env = r.env
	cmd.Stdout = &stdout
	cmd.Stderr = r.Output()
	err := cmd.Run()
	r.output = stdout.String()
	if err != nil {
		r.Fatalf("%v: %s: %v\n%s", b, text, err, r.output)
	}
}

// start starts a server and waits for its ready line.
func (r *reader) start(b block, name string, args ...string) {
	r.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = r.almanac
	cmd.Env = r.env
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
	line, err := json.Marshal(map[string]any{
		"url":   r.ready.URL,
		"api":   r.ready.API,
		"pid":   r.ready.PID,
		"token": r.ready.Token,
		"desk":  r.ready.Desk,
	})
	if err != nil {
		r.Fatalf("%v: %v", b, err)
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

// tryFrames asks for the pages that frames show.
func (r *reader) tryFrames(b block) {
	r.Helper()
	frames := regexp.MustCompile(`<iframe src="([^"]*)"`).
		FindAllStringSubmatch(r.filled(b.text), -1)
	if frames == nil {
		r.Errorf("%v: no frame", b)
	}
	for _, frame := range frames {
		a := caller{Client: http.DefaultClient}.Do(r, "GET", frame[1], "")
		if a.Status != http.StatusOK || !strings.Contains(a.Body, `<base target="_top">`) {
			r.Errorf("%v: %s: %d %s", b, frame[1], a.Status, a.Body)
		}
	}
}

// compare compares what the last block printed with what the page says.
func (r *reader) compare(b block) {
	r.Helper()
	var want, got any
	if err := json.Unmarshal([]byte(r.filled(b.text)), &want); err != nil {
		r.Fatalf("%v: %v", b, err)
	}
	if err := json.Unmarshal([]byte(r.output), &got); err != nil {
		r.Fatalf("%v: %v: %s", b, err, r.output)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("%v (-page, +printed):\n%s", b, diff)
	}
}

// tryUsers serves with a users file, in which the hash is that of a token.
func (r *reader) tryUsers(b block) {
	r.Helper()
	const token = "alm_secret"
	sum := sha256.Sum256([]byte(token))
	file := filepath.Join(r.TempDir(), "users.json")
	r.write(file, strings.ReplaceAll(b.text, `"…"`, `"`+hex.EncodeToString(sum[:])+`"`))
	s := startServer(r, append([]string{"-memory", "-users", file}, still...)...)
	caller{
		URL:    s.URL,
		Token:  token,
		Client: s.Client,
	}.Must(r, "POST", v1+"/tags", `{"name":"free"}`)
}

func (r *reader) write(name, text string) {
	r.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
}

// ignored reports whether git leaves a file or directory at the top out, which is
// where the commands of the documents put what they make.
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
// command of the documents needs.
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

// The tables of flags say what each command takes, all of it and nothing else.
func TestDocsFlags(t *testing.T) {
	t.Parallel()
	commands := []struct {
		page, from, to string // the part of the page that documents the command
		flags          *cli.FlagSet
	}{
		{"docs/serve.md", "## Flags", "", flagsOf("serve", (*settings).served)},
		{
			"docs/internet.md",
			"## Health checks",
			"\n## ",
			flagsOf("healthcheck", (*healthSettings).flags),
		},
		{"docs/backups.md", "## Save", "\n## ", flagsOf("backup", (*backupSettings).flags)},
		{
			"docs/backups.md",
			"## Go back in time",
			"\n## ",
			flagsOf("restore", (*restoreSettings).flags),
		},
		{"docs/data.md", "## Is everything", "\n## ", flagsOf("verify", (*verifySettings).flags)},
		{"docs/data.md", "## Who changed what", "\n## ", flagsOf("log", (*historySettings).flags)},
		{"docs/audit.md", "", "", auditOnly()},
		{"docs/seeds.md", "## Export", "", flagsOf("export", (*exportSettings).flags)},
	}
	inWords := map[string]string{ // defaults that are not a value
		"serve url":   "the requested host",
		"serve clock": "the real time",
		"serve users": "in the data directory",
		"serve slow":  "none",
		"restore at":  "the end",
		"restore seq": "the end",
		"log kind":    "all",
		"log id":      "any",
		"log n":       "all",
	}
	for _, c := range commands {
		_, part, found := strings.Cut(readFile(t, c.page), c.from)
		if !found {
			t.Errorf("%s has no %q", c.page, c.from)
		}
		if c.to != "" {
			part, _, _ = strings.Cut(part, c.to)
		}
		apitest.DocumentedFlags(t, part, c.flags, inWords)
	}
}

// The table of `almanac users` names every one of its commands, with its flags.
func TestDocsUsers(t *testing.T) {
	t.Parallel()
	text := readFile(t, "docs/accounts.md")
	for _, c := range usersCommands {
		row := regexp.MustCompile("(?m)^\\| .*`" + c.Name + "[` ].*$").FindString(text)
		var help bytes.Buffer
		if err := c.Help(nil, cli.Process{Stdout: &help}); err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^  -(\S+)`).FindAllStringSubmatch(help.String(), -1) {
			common := found[1] == "data" || found[1] == "users" || found[1] == "force"
			if row == "" || !common && !strings.Contains(row, "-"+found[1]) {
				t.Errorf("docs/accounts.md says nothing of users %s -%s", c.Name, found[1])
			}
		}
	}
}

// Every route outside the namespace is in a table.
func TestDocsRoutes(t *testing.T) {
	t.Parallel()
	var text string
	for _, page := range documents(t) {
		text += readFile(t, page)
	}
	almanactest.Routes(func(pattern string, _ *api.Op) {
		_, path, _ := strings.Cut(pattern, " ")
		path = strings.NewReplacer("{id}", "ID", "{name}", "NAME").Replace(path)
		if strings.HasPrefix(path, "/_almanac/") &&
			!regexp.MustCompile(`(?m)^\| .*`+regexp.QuoteMeta(path)+"(`| )").MatchString(text) {
			t.Errorf("no table of the documents has %s", pattern)
		}
	})
}

// docs/languages.md lists the languages that there are, and no others.
func TestDocsLanguages(t *testing.T) {
	t.Parallel()
	_, list, _ := strings.Cut(readFile(t, "docs/languages.md"), "The languages are ")
	list, _, _ = strings.Cut(list, ". ")
	var got, want []string
	for _, tag := range regexp.MustCompile("`([A-Za-z-]+)`").FindAllStringSubmatch(list, -1) {
		got = append(got, tag[1])
	}
	for _, l := range i18n.Languages() {
		want = append(want, l.Tag)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("languages (-there are, +docs/languages.md):\n%s", diff)
	}
	if count := fmt.Sprintf("**In %d languages.**", len(want)); !strings.Contains(
		readFile(t, "README.md"),
		count,
	) {
		t.Errorf("README.md does not say %q", count)
	}
}
