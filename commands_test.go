package main

import (
	"strings"
	"testing"

	"almanac/internal/cli"
	"almanac/internal/tools/apitest"
)

// The manual has every command and every flag.
func TestCommandsAreDocumented(t *testing.T) {
	t.Parallel()
	apitest.Documented(t, "docs", program)
}

// Whoever asks for a command of the other program is told so, as of a mistake.
func TestMovedCommands(t *testing.T) {
	t.Parallel()
	for _, name := range program.Moved {
		for _, args := range [][]string{{name, "-data", "x", "y"}, {name}, {"help", name}} {
			var out, mistakes strings.Builder
			status := program.Main(t.Context(), args, cli.Process{
				Getenv: func(string) string { return "" },
				Stdout: &out,
				Stderr: &mistakes,
			})
			want := "almanac: the program almanac-move has the command " + name +
				" (see almanac-move help " + name + ")\n"
			if status != 2 || out.Len() > 0 || mistakes.String() != want {
				t.Errorf("%q: status %d, %q, %q", args, status, &out, &mistakes)
			}
		}
	}
}
