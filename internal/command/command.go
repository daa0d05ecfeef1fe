// Package command has the commands of the program: serve, which answers requests, and commands that create, check,
// move and restore data.
//
// A command has flags and arguments, and uses the environment and streams of a Process, and no other state of the
// operating system process, so that tests can run commands concurrently. main has the Table of all commands.
//
//	command.go          the type of a command, and the table
//	flags.go            flags, which are environment variables too, and the values that weaken a server
//	serve.go            serve, with settings.go, network.go, service.go and sandbox.go
//	report.go           tables for people, and the same as JSON
//	import.go …         one file for each other command
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/internal/systemd"
)

// A Process is the environment of a command.
type Process struct {
	Getenv         func(string) string
	Stdout, Stderr io.Writer
	Stdin          io.Reader // read by serve -exit-with-parent alone; nil is at its end
}

// A Command is one command of the program.
type Command struct {
	name      string
	arguments string // as help has them: "FILE..."
	summary   string // short description for the list of commands
	run       func(ctx context.Context, args []string, p Process) error
	help      func(args []string, p Process) error
}

// flagged returns a command made of its flags, their settings, and a function that runs with settings and arguments.
// The synopsis begins its help. A command without arguments refuses them.
func flagged[S any](name, arguments, summary, synopsis string, flags func(*S, *flagSet),
	run func(context.Context, *S, []string, Process) error) Command {
	return Command{name, arguments, summary,
		func(ctx context.Context, args []string, p Process) error {
			f, s := declare(name, synopsis, flags)
			if helped, err := f.parse(args, p); helped || err != nil {
				return err
			}
			if arguments == "" && f.NArg() > 0 {
				return usageError{fmt.Errorf("%s takes no argument %q (see almanac help %s)", name, f.Arg(0), name)}
			}
			return run(ctx, s, f.Args(), p)
		},
		func(_ []string, p Process) error {
			f, _ := declare(name, synopsis, flags)
			return f.help(p.Stdout)
		},
	}
}

// A Table is the commands of a program, in the order in which help lists them.
// The first one runs when none is named. Every Table also has help.
type Table []Command

// aliases are commands that people ask for as flags.
var aliases = map[string]string{
	"-h": "help", "-help": "help", "--help": "help", "-version": "version", "--version": "version",
}

// Main runs the command that the arguments name, reports an error on standard
// error, and returns the exit status: 0, or 2 after a mistake in how the program
// was called, or 1 after any other failure.
func (t Table) Main(ctx context.Context, args []string, p Process) int {
	err := t.run(ctx, args, p)
	if err != nil {
		prefix := ""
		if systemd.IsJournal(p.Getenv, p.Stderr) {
			prefix = systemd.ErrorPrefix
		}
		fmt.Fprintf(p.Stderr, "%salmanac: %v\n", prefix, err)
	}
	return status(err)
}

// run runs the command that the arguments name.
func (t Table) run(ctx context.Context, args []string, p Process) error {
	name := t[0].name
	if len(args) > 0 && (!strings.HasPrefix(args[0], "-") || aliases[args[0]] != "") {
		name, args = cmp.Or(aliases[args[0]], args[0]), args[1:]
	}
	if name == "help" {
		return t.help(args, p)
	}
	c, err := t.find("command", name, " and help")
	if err != nil {
		return err
	}
	return c.run(ctx, args, p)
}

// find returns the command with a name. The error says what was looked for, and lists the commands and more.
func (t Table) find(what, name, more string) (Command, error) {
	if i := slices.IndexFunc(t, func(c Command) bool { return c.name == name }); i >= 0 {
		return t[i], nil
	}
	return Command{}, usageError{fmt.Errorf("there is no %s %q; there are %s%s", what, name, t.names(), more)}
}

func (t Table) names() string {
	var names []string
	for _, c := range t {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// help says what the program or one of its commands takes.
func (t Table) help(args []string, p Process) error {
	if len(args) > 0 {
		c, err := t.find("command", args[0], " and help")
		if err != nil {
			return err
		}
		return c.help(args[1:], p)
	}
	var b strings.Builder
	b.WriteString("almanac serves a calendar of events over HTTP.\n\n")
	line := func(call, summary string) { fmt.Fprintf(&b, "    almanac %-20s  %s\n", call, summary) }
	for i, c := range t {
		if i == 0 {
			line("["+c.name+"] [flags]", c.summary+" (the default)")
		} else {
			line(c.name+" "+cmp.Or(c.arguments, "[flags]"), c.summary)
		}
	}
	line("help [COMMAND]", "say what a command takes")
	_, err := io.WriteString(p.Stdout, b.String())
	return err
}

// A usageError is a mistake in how a command was called: exit status 2.
type usageError struct{ error }

// status returns the exit status for an error.
func status(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return 2
	default:
		return 1
	}
}
