package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/people/account"
	"almanac/store"
)

// This file compares what audit says with what the program does.

// auditOnly returns the flags of audit that serve has not.
func auditOnly() *cli.FlagSet {
	all := flagsOf("audit", (*auditSettings).flags)
	serve := flagsOf("serve", (*settings).flags)
	return flagsOf("audit", func(_ *struct{}, left *cli.FlagSet) {
		all.VisitAll(func(f *flag.Flag) {
			if serve.Lookup(f.Name) == nil {
				left.Var(f.Value, f.Name, f.Usage)
			}
		})
	})
}

// audited runs audit in this process, and returns what it prints as JSON.
func audited(t *testing.T, flags ...string) (exit int, a auditReport) {
	t.Helper()
	exit, out, stderr := runCommand(t, append([]string{"audit", "-json"}, flags...)...)
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%v\n%s%s", err, out, stderr)
	}
	if (exit == 1) != (len(a.Findings) > 0) || exit > 1 {
		t.Errorf("exit status %d with %d findings", exit, len(a.Findings))
	}
	return exit, a
}

// rows returns the rows of a section.
func (a *auditReport) rows(t *testing.T, title string) cli.Rows {
	t.Helper()
	i := slices.IndexFunc(a.Sections, func(s section) bool { return s.Title == title })
	if i < 0 {
		t.Fatalf("there is no section %q", title)
	}
	return a.Sections[i].Rows
}

// texts returns the texts of the rows of a section that have a label.
func (a *auditReport) texts(t *testing.T, title, label string) (all []string) {
	t.Helper()
	for _, row := range a.rows(t, title) {
		if row[0] == label {
			all = append(all, row[1])
		}
	}
	return all
}

// mentions reports whether a finding has all of these texts.
func (a *auditReport) mentions(texts ...string) bool {
	return slices.ContainsFunc(a.Findings, func(finding string) bool {
		return !slices.ContainsFunc(
			texts,
			func(text string) bool { return !strings.Contains(finding, text) },
		)
	})
}

// Every flag of serve has a decision whether a value of it weakens something: its declaration
// names the weakness, or the list here has the flag.
func TestAuditDecisions(t *testing.T) {
	t.Parallel()
	harmless := strings.Fields(
		`access-log access-log-format address-word also cache-mb currency data day-ends desk documents-mb event-base events-base exit-with-parent
		language languages link logo max-per-page negotiate pages per-page picture rate read-only region seed shared-cache site-name site-text
		slow strict-input style submission-log submissions-max timezone tls-cert tls-key token-file unexpected url users world-ttl`,
	)
	f := flagsOf("serve", (*settings).flags)
	var left []string
	f.VisitAll(func(fl *flag.Flag) {
		if f.Weaken[fl.Name] == nil {
			left = append(left, fl.Name)
		}
	})
	slices.Sort(left)
	if diff := cmp.Diff(harmless, left); diff != "" {
		t.Errorf("flags of serve without a weakness (-decided, +declared):\n%s", diff)
	}
}

// Settings that weaken something are named, wherever they come from, and others are not.
func TestAuditSettings(t *testing.T) {
	t.Parallel()
	theme := t.TempDir() // in which nothing is replaced
	for _, tt := range []struct {
		flags []string
		want  string // in the finding; "" for none
	}{
		{nil, ""},
		{[]string{"-addr", ":8080"}, "no TLS"},
		{[]string{"-addr", "192.0.2.1:80"}, "no TLS"},
		{[]string{"-addr", "calendar.example.org:80"}, "no TLS"},
		{[]string{"-addr", "localhost:80"}, ""},
		{[]string{"-addr", "[::1]:80"}, ""},
		{[]string{"-addr", ":8080", "-trusted-proxies", "10.0.0.1"}, ""},
		{[]string{"-trusted-proxies", "127.0.0.1,fd00::/8"}, ""},
		{[]string{"-trusted-proxies", "203.0.113.7"}, ""},
		{[]string{"-trusted-proxies", "10.0.0.0/8,0.0.0.0/0"}, "0.0.0.0/0 is believed"},
		{[]string{"-trusted-proxies", "203.0.113.0/24"}, "is believed"},
		{[]string{"-no-limits"}, "no client is refused"},
		{[]string{"-no-sandbox"}, "all rights of its user"},
		{[]string{"-sandbox", "off"}, "all rights of its user"},
		{[]string{"-sandbox", "require"}, ""},
		{[]string{"-explain"}, "everybody is told"},
		{[]string{"-keep", "0"}, "as little as possible"},
		{[]string{"-keep", "1d"}, ""},
		{[]string{"-clock", "2031-05-10 12:00:00"}, "a clock"},
		{[]string{"-frame-ancestors", "https://choir.example"}, ""},
		{[]string{"-frame-ancestors", "*"}, "every site"},
		{[]string{"-frame-ancestors", "https://*.example"}, ""},
		{[]string{"-picture-hosts", "pictures.example.org"}, "load pictures"},
		{[]string{"-frame-hosts", "video.example.org"}, "load frames"},
		{[]string{"-theme", theme}, "templates"},
		{[]string{"-max-connections", "0"}, "lifted"},
		{[]string{"-max-body-kb", "0"}, "lifted"},
		{[]string{"-max-requests", "1"}, ""},
		{[]string{"-read-timeout", "0"}, "for ever"},
		{[]string{"-write-timeout", "0"}, "for ever"},
		{[]string{"-idle-timeout", "0"}, "for ever"},
		{[]string{"-wrong-logins", "off"}, "tokens may be guessed"},
		{[]string{"-wrong-passwords", "off"}, "passwords of events"},
		{[]string{"-rate", "50/s"}, ""},
		{[]string{"-timezone", "Europe/Rome", "-pages=false", "-strict-input"}, ""},
		{[]string{"-worlds"}, "calendars in the memory"},
		{[]string{"-token", "a-secret"}, "processes of this machine"},
	} {
		base := []string{"-memory"}
		_, a := audited(t, append(base, tt.flags...)...)
		a.Findings = slices.DeleteFunc(
			a.Findings,
			func(f string) bool { return strings.HasPrefix(f, "-memory true: nothing outlives") },
		)
		switch {
		case tt.want == "" && len(a.Findings) > 0:
			t.Errorf("%q: found %q", tt.flags, a.Findings)
		case tt.want != "" && (len(a.Findings) != 1 || !a.mentions(tt.flags[max(0, len(tt.flags)-2)], tt.want)):
			t.Errorf("%q: found %q, want one of %q", tt.flags, a.Findings, tt.want)
		}
		for i := 0; i+1 < len(tt.flags); i += 2 {
			given := a.texts(t, "Settings", tt.flags[i])
			if (len(given) != 1 || !strings.HasSuffix(given[0], ", by a flag")) &&
				!strings.Contains(tt.flags[i], "=") {
				t.Errorf("%q: the settings are %v", tt.flags, a.rows(t, "Settings"))
			}
		}
	}
	_, out, _ := runCommand(t, "audit", "-memory", "-token", "a-secret")
	if strings.Contains(out, "a-secret") ||
		!regexp.MustCompile(`-token +…, by a flag`).MatchString(out) {
		t.Errorf("a token on the page:\n%s", out)
	}

	var stdout, stderr bytes.Buffer
	err := run(t.Context(), []string{"audit"}, cli.Process{
		Getenv: func(name string) string {
			return map[string]string{"ALMANAC_MEMORY": "true", "ALMANAC_NO_LIMITS": "1"}[name]
		},
		Stdout: &stdout,
		Stderr: &stderr,
	})
	if cli.Status(err) != 1 || !strings.Contains(stdout.String(), "true, by ALMANAC_NO_LIMITS") {
		t.Errorf("of variables: %v\n%s", err, &stdout)
	}
	if exit, out, stderr := runCommand(t, "audit", "-per-page", "0"); exit != 2 || out != "" ||
		!strings.Contains(stderr, "-per-page 0") {
		t.Errorf("a mistake in a flag: exit status %d, %q, %s", exit, out, stderr)
	}
}

// A route refuses callers without the right that audit names: the answers are in
// testdata/rights.txt, which TestRightsAlone keeps.
func TestAuditRoutes(t *testing.T) {
	t.Parallel()
	_, a := audited(t, "-memory")
	answers := map[string][]string{} // by method and path, or what is asked of a record; one for each of everyone
	for _, line := range strings.Split(readFile(t, "testdata/rights.txt"), "\n") {
		if cells := regexp.MustCompile(`  +`).Split(line, -1); len(cells) == 1+len(everyone) {
			answers[cells[0]] = cells[1:]
		}
	}
	rights := map[string]account.Right{}
	for right := range account.Administer + 1 {
		rights[right.String()] = right
	}
	may := func(what, right string) {
		t.Helper()
		if answers[what] == nil {
			t.Errorf("testdata/rights.txt says nothing of %s", what)
			return
		}
		for i, role := range everyone {
			lets := answers[what][i] != "401" && answers[what][i] != "403"
			if answers[what][i] == "-" {
				continue // a stranger has no records
			}
			if lets != (right == "" || (account.Account{ID: 1, Role: role}).May(rights[right])) {
				t.Errorf(
					"%s of %q is answered %s, and audit says that it takes the right %q",
					what,
					role,
					answers[what][i],
					right,
				)
			}
		}
	}
	compared := 0
	least := regexp.MustCompile(`([^,()]+) \(([a-z]+)\)(?:, or )?`)
	for _, r := range a.rows(t, "Routes")[1:] {
		methods := strings.Split(r[0], ",")
		path := r[1]
		if strings.HasPrefix(path, "/desk") {
			continue // TestAuditDesk
		}
		asked := least.FindAllStringSubmatch(r[2], -1)
		control := r[2] == "administrators, and everybody on this machine"
		if asked == nil && r[2] != "everybody" && !control {
			t.Errorf("%v: for whom is it?", r)
		}
		strictest := ""
		for _, right := range asked {
			if got := rights[right[1]].Least(); string(got) != right[2] {
				t.Errorf("%q has %s, and audit says %s", right[1], got, right[2])
			}
			strictest = right[1] // the last one applies to other authors' records
		}
		for _, method := range methods {
			if path == "/" {
				path = "/{$}"
			}
			may(method+" "+path, strictest)
			compared++
			open := control ||
				path == "/event/{slug}" && method == "POST" // which takes the password of an event
			if method != "GET" && len(asked) == 0 && !open {
				t.Errorf("%s %s changes something, and asks for no right", method, path)
			}
		}
		for verb, method := range map[string]string{"edit": "PATCH", "delete": "DELETE"} {
			kind := strings.TrimSuffix(strings.TrimPrefix(path, v1+"/"), "/{id}")
			if !slices.Contains(methods, method) ||
				!slices.Contains([]string{"events", "venues", "organizers"}, kind) {
				continue
			}
			for i, of := range []string{"own draft", "own publish", "another's publish"} {
				if len(asked) != 3 {
					t.Fatalf("%s %s asks for %v", method, path, asked)
				}
				may(verb+" "+of+" of "+kind, asked[i][1])
				compared++
			}
		}
	}
	if compared < 110 {
		t.Errorf("compared only %d answers", compared)
	}
	// A server that is not for tests, and shows no pages, has fewer.
	_, b := audited(t, on(filepath.Join(t.TempDir(), "data"), "-pages=false")...)
	for _, r := range b.rows(t, "Routes")[1:] {
		if strings.Contains(r[2], "everybody on") || strings.HasPrefix(r[1], "/sitemap") {
			t.Errorf("-pages=false: there is %v", r)
		}
	}
}

// Audit names exactly the routes of the list that a server with the same flags answers. It says of
// the pages of the desk whom they let in: the others get the form of the sign-in, or are refused.
func TestAuditDesk(t *testing.T) {
	t.Parallel()
	flags := append(
		still,
		"-memory",
		"-users",
		usersFile(t),
		"-submissions",
		"admin",
		"-also",
		"/wp-json/tribe/events/v1",
	)
	_, a := audited(t, flags...)
	s := startServer(t, flags...)
	as := func(login, method, path string) answer {
		t.Helper()
		c := caller{URL: s.URL, Client: s.Client}
		if login == "" {
			return c.Do(t, method, path, "")
		}
		entered := c.Do(
			t,
			"POST",
			"/desk/sign-in",
			"sign-in-login="+login+"&sign-in-token=token+of+"+login,
		)
		cookie, _, _ := strings.Cut(entered.Header.Get("Set-Cookie"), ";")
		return c.Do(t, method, path, "", "Cookie", cookie)
	}
	listed := map[string]bool{}
	named := map[string]bool{}
	compared := 0
	almanactest.Routes(
		func(pattern string, _ *api.Op) { listed[strings.TrimSuffix(pattern, "{$}")] = true },
	)
	for _, r := range a.rows(t, "Routes")[1:] {
		named[r[0]+" "+r[1]] = true
		path, below := strings.CutPrefix(r[1], "/desk")
		if !below || path == "/sign-in" || path == "/link" || path == "/files/{name}" {
			continue // pages of the sign-in, and the style sheet
		}
		path = strings.Replace("/desk/"+strings.TrimPrefix(path, "/"), "{id}", "1", 1)
		asks := strings.Contains(as("", r[0], path).Body, `name="sign-in-login"`)
		if asks != (r[2] != "everybody") {
			t.Errorf("%v: a stranger is asked to sign in: %v", r, asks)
		}
		if r[0] == "GET" && asks && !strings.Contains(r[1], "{") {
			compared++
			refused := as("editor", "GET", path).Status == 403
			if refused != (r[2] == "administer (administrator)") ||
				as("admin", "GET", path).Status != 200 {
				t.Errorf(
					"%v: an editor is refused: %v, and an administrator gets %d",
					r,
					refused,
					as("admin", "GET", path).Status,
				)
			}
		}
	}
	if diff := cmp.Diff(listed, named); diff != "" || compared < 15 {
		t.Errorf("%d compared; routes (-list, +audit):\n%s", compared, diff)
	}
}

// treeOf returns the files of a directory: their modes, times and contents.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[name] = info.Mode().String() + " " + info.ModTime().String()
		if d.Type().IsRegular() {
			all[name] += " " + readFile(t, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// auditProgram runs the program, which confines itself.
func auditProgram(t *testing.T, flags ...string) auditReport {
	t.Helper()
	cmd := exec.Command(program(t), append([]string{"audit", "-json"}, flags...)...)
	cmd.Env = cleanEnvironment()
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var a auditReport
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return a
}

// Audit tells truly how a confined process fares: a confined server that tries the same fares
// alike, and an unconfined one may do more. Nothing is changed by it.
func TestAuditProcess(t *testing.T) {
	t.Parallel()
	binary, err := confinedTests()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	accounts := t.TempDir()
	users := filepath.Join(accounts, "users.json")
	replace(t, users, `{"users":[{"id":1,"login":"root","role":"administrator"}]}`)
	logs := t.TempDir()
	flags := on(
		dir,
		"-addr",
		"127.0.0.1:0",
		"-users",
		users,
		"-access-log",
		filepath.Join(logs, "access.log"),
	)
	cmd := exec.Command(binary, flags...)
	cmd.Env = append(cleanEnvironment(), childVariable+`={"Confine":true}`)
	s := startConfined(t, cmd, nil)

	before := treeOf(t, dir)
	a := auditProgram(t, flags...)
	if diff := cmp.Diff(before, treeOf(t, dir)); diff != "" {
		t.Errorf("audit changed the data directory (-before, +after):\n%s", diff)
	}
	says := func(label string) string { return strings.Join(a.texts(t, "Process", label), ", ") }
	if !s.logs(says("confined")) {
		t.Errorf(
			"audit says that a server is confined by %q, and the log of one\n%s",
			says("confined"),
			s.stderr,
		)
	}
	if diff := cmp.Diff([]string{dir, dir + ", " + accounts, logs},
		[]string{says("writes below"), says("reads below"), says("only writes below")}); diff != "" {
		t.Errorf("directories (-want, +audit):\n%s", diff)
	}
	probes := map[string]string{ // attempts of a server by those of audit
		"read " + filepath.Join(dir, "log", "00000000000000000001.jsonl"): "read " + filepath.Join(
			dir,
			"log",
			"00000000000000000001.jsonl",
		),
		"write " + filepath.Join(dir, "log", "00000000000000000001.jsonl"): "write " + filepath.Join(
			dir,
			"probe",
		),
		"read " + users:      "read " + users,
		"write " + users:     "write " + users,
		"read " + program(t): "read " + program(t),
		"make a file in " + os.TempDir(): "write " + filepath.Join(
			os.TempDir(),
			"almanac-audit-probe",
		),
		"listen to TCP":  "listen 127.0.0.1:0",
		"connect by TCP": "tcp 127.0.0.1:9",
	}
	before = map[string]string{}
	tried := map[string]string{}
	for _, row := range a.rows(t, "Attempts")[1:] {
		before[row[2]], tried[row[2]] = row[0], row[1]
	}
	got := map[string]string{}
	want := map[string]string{}
	for what, probe := range probes {
		if got[what] = tried[what]; got[what] != "refused" {
			got[what] = "done"
		}
		if want[what] = s.try(t, probe); want[what] != "refused" {
			want[what] = "done" // nobody listens there
		}
		if before[what] != "yes" {
			t.Errorf("before it was confined the process could not %s: %q", what, before[what])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what a confined process may do (-a server, +audit):\n%s", diff)
	}
	if got := tried["write "+filepath.Join(logs, "access.log")]; got != "yes" {
		t.Errorf("to write the access log was %q", got)
	}
	if s.files && s.calls {
		calls := strings.Fields(says("system calls"))
		if len(a.Findings) > 0 || !slices.Contains(calls, "accept4") ||
			slices.Contains(calls, "connect") {
			t.Errorf(
				"on a kernel that has everything: found %q, and these system calls pass: %q",
				a.Findings,
				calls,
			)
		}
		kernel := says("kernel says")
		if !strings.Contains(kernel, "NoNewPrivs: 1") || !strings.Contains(kernel, "Seccomp: 2") {
			t.Errorf("the kernel says %q", kernel)
		}
	}
	free := auditProgram(t, append(flags, "-no-sandbox")...)
	for _, row := range free.rows(t, "Attempts")[1:] {
		if row[0] != "yes" || row[1] != "yes" {
			t.Errorf("-no-sandbox: %q", row)
		}
	}
	how := strings.Join(free.texts(t, "Process", "confined"), "")
	if runtime.GOOS == "linux" && !free.mentions("-no-sandbox") ||
		!strings.Contains(how, "-sandbox=off") {
		t.Errorf("-no-sandbox: %q, found %q", how, free.Findings)
	}
	s.terminate(t)
}

// Audit describes the program as version does.
func TestAuditProgram(t *testing.T) {
	t.Parallel()
	a := auditProgram(t, "-memory")
	out, err := exec.Command(program(t), "version", "-full").Output()
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	if err := a.rows(t, "Program").Print(&printed); err != nil ||
		!strings.Contains(printed.String(), "toolchain ") {
		t.Errorf("the program: %v\n%s", err, &printed)
	}
	if diff := cmp.Diff(string(out), printed.String()); diff != "" {
		t.Errorf("the program (-version, +audit):\n%s", diff)
	}
}

// Audit describes a directory like verify: beside a server, a copy, and a damaged, missing or
// unreadable one. The page is complete in every case.
func TestAuditData(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	if err := os.Chmod(filepath.Dir(top), 0o755); err != nil { // it is closed to everybody
		t.Fatal(err)
	}
	dir := filepath.Join(top, "data")
	s := startServer(t, on(dir)...)
	fill(t, s.Admin())
	exit, a := audited(t, on(dir)...)
	_, head, _ := runCommand(t, "verify", "-head", "-data", dir)
	for label, want := range map[string]string{
		"verified": "yes: every byte",
		"head":     strings.TrimSpace(head),
		"log":      "12 transactions",
		"records":  "4 events",
		"identity": ".invalid",
		"formats":  "8 of the log",
	} {
		if got := a.texts(t, "Data directory", label); exit != 0 || len(got) != 1 ||
			!strings.Contains(got[0], want) {
			t.Errorf(
				"beside a server: exit status %d, %s is %q, want %q; found %q",
				exit,
				label,
				got,
				want,
				a.Findings,
			)
		}
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}

	damaged := filepath.Join(t.TempDir(), "damaged")
	if err := os.CopyFS(damaged, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(damaged, "log", "00000000000000000001.jsonl")
	replace(t, file, strings.Replace(readFile(t, file), "Town Hall", "Town Hell", 1))
	exit, a = audited(t, on(damaged)...)
	_, _, said := runCommand(t, "verify", "-data", damaged)
	broken := a.texts(t, "Data directory", "damaged")
	if exit != 1 || !slices.Equal(a.texts(t, "Data directory", "verified"), []string{"no"}) ||
		len(broken) == 0 ||
		!strings.Contains(said, broken[0]) ||
		!a.mentions("is not as it was written", "damaged") ||
		len(a.rows(t, "Tokens")) != 2 ||
		len(a.rows(t, "Routes")) < 50 {
		t.Errorf(
			"damaged: exit status %d, found %q, %+v; verify says %s",
			exit,
			a.Findings,
			broken,
			said,
		)
	}
	torn := tempFile(t, "users.json", `{"users":`)
	if _, a = audited(t, on(dir, "-users", torn)...); !a.mentions("users file", "unexpected end of JSON") {
		t.Errorf("with a damaged file of accounts, found %q", a.Findings)
	}

	missing := filepath.Join(t.TempDir(), "missing")
	if _, a = audited(t, on(missing)...); !a.mentions("there is no log", missing) ||
		isDirectory(missing) ||
		len(a.rows(t, "Routes")) < 50 {
		t.Errorf("missing: found %q", a.Findings)
	}
	if _, out, _ := runCommand(t, "audit", "-data", missing); !strings.Contains(
		out,
		missing+" could not be read",
	) {
		t.Errorf("missing: %s", out)
	}
	if _, a = audited(t, on(dir, "-tls-cert", file, "-tls-key", file)...); !a.mentions(
		"serve does not start",
		"PEM",
	) {
		t.Errorf("with a certificate that is none, found %q", a.Findings)
	}
	if _, a = audited(t, on(dir, "-style", missing)...); !a.mentions(
		"serve does not start",
		missing,
	) {
		t.Errorf("with a style that is missing, found %q", a.Findings)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, name := range []string{".", "log", "log/00000000000000000001.jsonl"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if _, a = audited(t, on(dir)...); !a.mentions("everybody", "write to "+dir+":", "chmod o-w") ||
		!a.mentions(
			"write to "+filepath.Join(dir, "log"),
		) || !a.mentions("everybody", "may read", "1 file") {
		t.Errorf("open to everybody: found %q", a.Findings)
	}
	if err := os.Chmod(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	if _, a = audited(t, on(dir)...); a.mentions("may read") {
		t.Errorf("in a closed directory: found %q", a.Findings)
	}
}

// Accounts and tokens are on the page, and what they are is not. Nothing on it is wider
// than the page.
func TestAuditAccounts(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	if err := startServer(t, on(dir)...).Stop(); err != nil { // which makes the first account
		t.Fatal(err)
	}
	token := mustUsers(
		t,
		"add",
		"-data",
		dir,
		"-role",
		"administrator",
		"-email",
		"root@example.org",
		"root",
	)
	mustUsers(
		t,
		"add",
		"-data",
		dir,
		"-role",
		"author",
		"-expires",
		"90d",
		"-name",
		"laptop",
		"ann",
	)
	mustUsers(
		t,
		"add",
		"-data",
		dir,
		"-role",
		"author",
		"-no-token",
		"a long\u202elogin that is not to make the page wider than it is, ever",
	)
	mustUsers(t, "disable", "-data", dir, "ann")
	_, a := audited(t, on(dir)...)
	accounts := a.rows(t, "Tokens")[1:]
	left := time.Duration(0)
	if len(accounts) == 4 {
		ends, err := time.Parse("2006-01-02 15:04", accounts[2][6])
		left = time.Until(ends)
		if accounts[1][2] != "administrator" || accounts[2][3] != "disabled" ||
			accounts[3][4] != "-" ||
			err != nil ||
			accounts[1][6] != "never" {
			left = 0
		}
	}
	if left > 91*24*time.Hour || left < 89*24*time.Hour {
		t.Errorf("accounts: %+v", accounts)
	}
	secrets := []string{token}
	kept, err := store.ReadAccounts(dir)
	for _, a := range kept {
		for _, s := range a.Tokens {
			secrets = append(secrets, s.SHA256)
		}
	}
	if err != nil || len(secrets) != 4 {
		t.Fatal(secrets, err)
	}
	for _, flags := range [][]string{on(dir), on(dir, "-json")} {
		_, out, _ := runCommand(t, append([]string{"audit"}, flags...)...)
		for _, secret := range secrets {
			if strings.Contains(out, secret) {
				t.Errorf("audit %q prints %s", flags, secret)
			}
		}
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); len(flags) == 2 &&
				(n > 100 || strings.HasSuffix(line, " \n")) {
				t.Errorf("a line of %d columns: %q", n, line)
			}
		}
		ann := regexp.MustCompile(
			`(?m)^  3 +ann +author +disabled +laptop +20\d\d-\d\d-\d\d +20\d\d-\d\d-\d\d \d\d:\d\d +-$`,
		)
		if len(flags) == 2 && !ann.MatchString(out) {
			t.Errorf("no line of ann:\n%s", out)
		}
	}
	plain := tempFile(t, "users.json",
		`{"users":[{"id":1,"login":"root","role":"administrator","token":"plain words"}]}`,
	)
	if _, a = audited(t, on(dir, "-users", plain)...); !a.mentions("root", "plain text") {
		t.Errorf("of a token in plain text, found %q", a.Findings)
	}
}
