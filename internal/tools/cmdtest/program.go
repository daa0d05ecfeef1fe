// Package cmdtest runs commands of a program in tests, starts its server, and speaks to that. It is
// no part of the programs.
//
//	program := cmdtest.Program(run)
//	s := program.Start(t, "-memory")
//	table := program.MustImport(t, "-to", s.URL, "-token", s.Token, "events.json")
package cmdtest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/cli"
)

// A Program runs a command in this process, as main does.
type Program func(ctx context.Context, args []string, p cli.Process) error

// Run runs a command and returns what it printed.
func (run Program) Run(t testing.TB, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, diagnostics bytes.Buffer
	err = run(context.Background(), args, cli.Process{
		Getenv: None,
		Stdout: &out,
		Stderr: &diagnostics,
	})
	return out.String(), diagnostics.String(), err
}

// None is an environment without variables.
func None(string) string { return "" }

// Must runs a command that must succeed, and returns what it printed.
func (run Program) Must(t testing.TB, args ...string) string {
	t.Helper()
	stdout, stderr, err := run.Run(t, args...)
	if err != nil {
		t.Fatalf("almanac %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return stdout
}

// Import runs import and returns its exit status and what it printed.
func (run Program) Import(t testing.TB, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	stdout, stderr, err := run.Run(t, append([]string{"import"}, args...)...)
	if err != nil {
		stderr += fmt.Sprintln("almanac:", err)
	}
	return cli.Status(err), stdout, stderr
}

// MustImport runs an import that takes every record, and returns its table.
func (run Program) MustImport(t testing.TB, args ...string) string {
	t.Helper()
	exit, stdout, stderr := run.Import(t, args...)
	if exit != 0 || strings.Contains(stderr, ": record ") {
		t.Fatalf("import %v: exit status %d\n%s", args, exit, stderr)
	}
	return stdout
}
