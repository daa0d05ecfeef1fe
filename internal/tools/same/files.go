// Commands and the files that they write.

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// files compares what becomes of each sample.
func files(programs [2]string, samples string, report *report) error {
	names, err := filepath.Glob("testdata/import/*")
	if err != nil {
		return err
	}
	if samples != "" {
		more, err := filepath.Glob(filepath.Join(samples, "*"))
		if err != nil {
			return err
		}
		names = append(names, more...)
	}
	commands := [][]string{{"help"}, {"version", "-nonsense"}, {"srve"}}
	for _, command := range strings.Fields("serve export verify log backup restore users healthcheck audit version") {
		commands = append(commands, []string{"help", command})
	}
	for _, args := range commands {
		if err := command(programs, report, nil, args); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := sample(programs, report, name); err != nil {
			return err
		}
	}
	return nil
}

// sample imports a file twice, exports each time, and compares texts and files.
func sample(programs [2]string, report *report, name string) error {
	dir, err := os.MkdirTemp("", "same")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var dirs [2]string
	for i := range dirs {
		dirs[i] = filepath.Join(dir, []string{"base", "now"}[i])
		if err := os.Mkdir(dirs[i], 0o700); err != nil {
			return err
		}
	}
	for range 2 {
		for _, args := range [][]string{
			{"import", "-data", "DIR/data", "-partial", "-quiet", "-timezone", "Europe/Berlin", name},
			{"export", "-data", "DIR/data", "DIR/export.json"}, {"export", "-data", "DIR/data", "-format", "ics", "DIR/export.ics"},
			{"verify", "-data", "DIR/data"}, {"log", "-data", "DIR/data"},
		} {
			if err := command(programs, report, &dirs, args); err != nil {
				return err
			}
		}
		for _, file := range []string{"export.json", "export.ics"} {
			var answers [2]answer
			for i := range dirs {
				text, err := os.ReadFile(filepath.Join(dirs[i], file))
				if err != nil && !os.IsNotExist(err) {
					return err
				}
				answers[i].body = report.changing.ReplaceAll(text, []byte("…"))
			}
			report.compare(asked{method: file, path: "after " + name}, answers)
		}
	}
	return nil
}

// changing returns an expression for the text that differs from run to run: moments of a day and
// of its neighbours, hashes, lengths of files and of time.
func changing(day time.Time) *regexp.Regexp {
	var days []string
	for i := -1; i <= 1; i++ {
		days = append(
			days,
			day.AddDate(0, 0, i).Format("2006-01-02"),
			day.AddDate(0, 0, i).Format("20060102"),
		)
	}
	return regexp.MustCompile(
		`(?:` + strings.Join(
			days,
			"|",
		) + `)[T ]?\d\d:?\d\d:?\d\d(\.\d+)?Z?|[0-9a-f]{16,}|\d+ bytes|in [0-9.]+ ?[mµ]?s`,
	)
}

// mover returns the program beside another one that moves calendars; an old one does both.
func mover(program string) string {
	beside := program + "-move"
	if _, err := os.Stat(beside); err != nil {
		return program
	}
	return beside
}

// command compares what a command prints.
func command(programs [2]string, report *report, dirs *[2]string, args []string) error {
	var answers [2]answer
	for i, program := range programs {
		own := make([]string, len(args))
		for j, arg := range args {
			own[j] = arg
			if dirs != nil {
				own[j] = strings.ReplaceAll(arg, "DIR", dirs[i])
			}
		}
		var out bytes.Buffer
		if args[0] == "import" {
			program = mover(program)
		}
		cmd := exec.Command(program, own...)
		cmd.Stdout = &out
		cmd.Stderr = &out
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		text := out.Bytes()
		if dirs != nil {
			text = bytes.ReplaceAll(text, []byte(dirs[i]), []byte("DIR"))
		}
		answers[i] = answer{
			status: cmd.ProcessState.ExitCode(),
			body:   report.changing.ReplaceAll(text, []byte("…")),
		}
	}
	report.compare(asked{method: strings.Join(args, " ")}, answers)
	return nil
}
