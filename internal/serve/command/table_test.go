// Package command_test runs the commands as main does, through their table and by nothing else.
package command_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"almanac/almanactest"
	"almanac/internal/cli"
	"almanac/internal/serve/command"
	"almanac/move/transfer"
)

// program is the one of main, but for the confinement, which would hold the process of the tests
// too, and with the command of almanac-move that fills a data directory.
var program = cli.Program{Name: "almanac", Does: "serves.", Default: "serve", Commands: cli.Table{
	command.Service{Routes: almanactest.Routes}.Command(),
	transfer.Import,
	command.Export,
	command.Verify,
	command.Log,
	command.Identity,
	command.Backup,
	command.Restore,
	command.Users,
	command.Healthcheck,
	command.Audit(almanactest.Routes, nil),
	cli.Version("almanac"),
	cli.SBOM("almanac"),
}}

// A run is one run of a command.
type run struct {
	args           string // with DIR, URL and TOKEN for values of the test
	status         int
	stdout, stderr string // patterns of all of it
}

// Every command does its work through the table of commands, prints to the right stream, and ends
// with the right exit status. They run in this order, the first ones beside a server.
func TestTableOfCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const list = `{"events":[{"title":"Concert","start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 22:00:00","timezone":"UTC"}]}`
	if err := os.WriteFile(filepath.Join(dir, "list.json"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	places := map[string]string{"DIR": dir}
	tested := map[string]bool{"serve": true, "help": true}
	try := func(runs []run) {
		t.Helper()
		for _, r := range runs {
			args := strings.Fields(r.args)
			for i, arg := range args {
				for name, is := range places {
					arg = strings.ReplaceAll(arg, name, is)
				}
				args[i] = arg
			}
			if r.status != 2 && len(args) > 0 {
				tested[args[0]] = true
			}
			var out, diagnostics bytes.Buffer
			status := program.Main(t.Context(), args, cli.Process{
				Getenv: noVariables,
				Stdout: &out,
				Stderr: &diagnostics,
			})
			if status != r.status {
				t.Errorf("%s: exit status %d, want %d", r.args, status, r.status)
			}
			for _, printed := range [][2]string{{r.stdout, out.String()}, {r.stderr, diagnostics.String()}} {
				if !regexp.MustCompile(`(?s)^` + printed[0] + `$`).MatchString(printed[1]) {
					t.Errorf("%s: printed %q, want %q", r.args, printed[1], printed[0])
				}
			}
		}
	}

	try([]run{
		{
			"srve",
			2,
			"",
			`almanac: there is no command "srve"; there are serve, import, .*, sbom and help\n`,
		},
		{"-nonsense", 2, "", `almanac: .*-nonsense.*`},
		{
			"verify DIR",
			2,
			"",
			`almanac: verify takes no argument ".*" \(see almanac help verify\)\n`,
		},
		{
			"verify -data DIR/none",
			2,
			"",
			`almanac: -data: there is no log in ".*"; give the data directory of a server\n`,
		},
		{"help verify", 0, `almanac verify \[flags\]: read every byte .*`, ""},
		{"--help", 0, `almanac serves.*    almanac \[serve\] \[flags\] .*`, ""},
		{
			"healthcheck -data DIR/none",
			1,
			"",
			`almanac: the server of .*none is not live: no server answers there\n`,
		},
		{
			"import -to http://127.0.0.1:1 -token x DIR/list.json",
			1,
			`.*`,
			`almanac: .*http://127\.0\.0\.1:1 does not answer: .*`,
		},
	})

	// The server.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reading, writing := io.Pipe()
	ended := make(chan int, 1)
	log := &logBuffer{}
	go func() {
		args := []string{
			"serve",
			"-data",
			filepath.Join(dir, "data"),
			"-addr",
			"127.0.0.1:0",
			"-url",
			"http://calendar.example.org",
		}
		ended <- program.Main(ctx, args, cli.Process{
			Getenv: noVariables,
			Stdout: writing,
			Stderr: log,
		})
		writing.Close()
	}()
	var ready struct{ URL, Token string }
	line, err := bufio.NewReader(reading).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil || ready.Token == "" {
		t.Fatalf("the server printed %q: %v\n%s", line, err, log)
	}
	places["URL"], places["TOKEN"] = ready.URL, ready.Token
	try([]run{
		{"healthcheck -data DIR/data", 0, `the server of .*data is live, ready, writable\n`, ""},
		{"import -to URL -token wrong DIR/list.json", 1, `.*`, `.*401.*`},
		{"import -to URL -token TOKEN DIR/list.json", 0, `.*events +1 .*`, `.*`},
		{"users add -data DIR/data -role author ann", 0, `alm_\w+\n`, `.*`},
		{"export -data DIR/data DIR/export.json", 0, `.*`, `.*`},
		{"verify -data DIR/data", 0, `log  .*records    1 events, .* accounts\n.*`, ""},
		{"import -data DIR/data DIR/list.json", 0, `.*events +0 +0 +1 +0\n.*`, `.*`},
	})
	cancel()
	if status := <-ended; status != 0 {
		t.Errorf("serve ended with %d:\n%s", status, log)
	}

	try([]run{
		{"verify -data DIR/data", 0, `.*, 2 accounts\n.*`, ""},
		{"log -data DIR/data -kind events", 0, `.* created .*"Concert".*`, ""},
		{"identity -data DIR/data", 0, `calendar\.example\.org\n`, ""},
		{"users list -data DIR/data", 0, `ID +LOGIN .*admin +administrator .*ann +author .*`, ""},
		{"backup -data DIR/data DIR/backup.tgz", 0, `.*`, `.*`},
		{"restore -data DIR/restored DIR/backup.tgz", 0, `.*`, `.*`},
		{"restore -data DIR/restored DIR/backup.tgz", 1, "", `almanac: .*restored.*`},
		{"verify -data DIR/restored -head", 0, `[0-9a-f]{64}\n`, ""},
		{"export -data DIR/restored DIR/again.json", 0, `.*`, `.*`},
		{
			"audit -data DIR/restored -sandbox off",
			1,
			`ALMANAC AUDIT .*1 FINDINGS.*-sandbox off: .*`,
			`almanac: audit: 1 finding, .*`,
		},
		{"version", 0, `almanac .+\n`, ""},
		{"sbom", 0, `\{.*"CycloneDX".*`, ""},
	})
	exports := [2][]byte{}
	for i, name := range []string{"export.json", "again.json"} {
		if exports[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(exports[0], exports[1]) || !bytes.Contains(exports[0], []byte(`"Concert"`)) {
		t.Errorf(
			"the calendar was exported as %s, and what was restored of a backup as %s",
			exports[0],
			exports[1],
		)
	}
	var help strings.Builder
	program.Main(t.Context(), []string{"help"}, cli.Process{
		Getenv: noVariables,
		Stdout: &help,
		Stderr: &help,
	})
	for _, listed := range regexp.MustCompile(`(?m)^    almanac \[?([a-z]+)`).FindAllStringSubmatch(help.String(), -1) {
		if !tested[listed[1]] {
			t.Errorf("no run of the command %s", listed[1])
		}
	}
	if names := strings.Fields(log.String()); !slices.Contains(names, "msg=ready") {
		t.Errorf("the log of the server: %s", log)
	}
}

// noVariables is an empty environment.
func noVariables(string) string { return "" }

// A logBuffer keeps the log of a server that still runs.
type logBuffer struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
