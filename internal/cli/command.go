// Package cli is the frame of a program with commands: their table, their flags and their reports.
//
//	var Version = cli.New("version", "", "say which version this is", "almanac version [flags]: ...", (*settings).flags, printVersion)
//
// A command uses the environment and the streams of a Process, and no other state of the process
// of the operating system, so that tests can run commands concurrently. Every flag is an
// environment variable too, unless its declaration says otherwise. A mistake in how a command was
// called has the exit status 2, any other error 1.
//
//	command.go    the type of a command, and the table
//	flags.go      flags, which are environment variables too, and the values that weaken a server
//	values.go     the kinds of values of flags
//	report.go     tables for people, and the same as JSON
//	plain.go      the streams, which escape control characters
package cli

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
	Name      string
	Arguments string // as help has them: "FILE..."
	Summary   string // short description for the list of commands
	Run       func(ctx context.Context, args []string, p Process) error
	Help      func(args []string, p Process) error
}

// New returns a command made of its flags, their settings, and a function that runs with settings
// and arguments. The synopsis begins its help. Flags may stand behind arguments. A command without
// arguments refuses them.
func New[S any](name, arguments, summary, synopsis string, flags func(*S, *FlagSet),
	run func(context.Context, *S, []string, Process) error) Command {
	return Command{name, arguments, summary,
		func(ctx context.Context, args []string, p Process) error {
			f, s := Declare(name, synopsis, flags)
			given, helped, err := f.Parse(args, p)
			if helped || err != nil {
				return err
			}
			if arguments == "" && len(given) > 0 {
				return Usage(
					fmt.Errorf(
						"%s takes no argument %q (see almanac help %s)",
						name,
						given[0],
						name,
					),
				)
			}
			return run(ctx, s, given, p)
		},
		func(_ []string, p Process) error {
			f, _ := Declare(name, synopsis, flags)
			return f.Help(p.Stdout)
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

// IsHelp reports whether a word asks for help.
func IsHelp(word string) bool { return word == "help" || aliases[word] == "help" }

// Main runs the command that the arguments name, reports an error on standard
// error, and returns the exit status: 0, or 2 after a mistake in how the program
// was called, or 1 after any other failure.
func (t Table) Main(ctx context.Context, args []string, p Process) int {
	err := t.Run(ctx, args, p)
	if err != nil {
		prefix := ""
		if systemd.IsJournal(p.Getenv, p.Stderr) {
			prefix = systemd.ErrorPrefix
		}
		fmt.Fprintf(&stream{to: p.Stderr}, "%salmanac: %v\n", prefix, err)
	}
	return Status(err)
}

// Run runs the command that the arguments name.
func (t Table) Run(ctx context.Context, args []string, p Process) error {
	name := t[0].Name
	if len(args) > 0 && (!strings.HasPrefix(args[0], "-") || aliases[args[0]] != "") {
		name = cmp.Or(aliases[args[0]], args[0])
		args = args[1:]
	}
	if name == "help" {
		return t.help(args, p)
	}
	c, err := t.Find("command", name, " and help")
	if err != nil {
		return err
	}
	p.Stdout = &stream{to: p.Stdout}
	p.Stderr = &stream{to: p.Stderr}
	return c.Run(ctx, args, p)
}

// Find returns the command with a name. The error says what was looked for, and lists the commands
// and more.
func (t Table) Find(what, name, more string) (Command, error) {
	if i := slices.IndexFunc(t, func(c Command) bool { return c.Name == name }); i >= 0 {
		return t[i], nil
	}
	return Command{}, Usage(
		fmt.Errorf("there is no %s %q; there are %s%s", what, name, t.Names(), more),
	)
}

// Names returns the names of the commands, separated by commas.
func (t Table) Names() string {
	var names []string
	for _, c := range t {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// help says what the program or one of its commands takes.
func (t Table) help(args []string, p Process) error {
	if len(args) > 0 {
		c, err := t.Find("command", args[0], " and help")
		if err != nil {
			return err
		}
		return c.Help(args[1:], p)
	}
	var b strings.Builder
	b.WriteString("almanac serves a calendar of events over HTTP.\n\n")
	line := func(call, summary string) { fmt.Fprintf(&b, "    almanac %-20s  %s\n", call, summary) }
	for i, c := range t {
		if i == 0 {
			line("["+c.Name+"] [flags]", c.Summary+" (the default)")
		} else {
			line(c.Name+" "+cmp.Or(c.Arguments, "[flags]"), c.Summary)
		}
	}
	line("help [COMMAND]", "say what a command takes")
	_, err := io.WriteString(p.Stdout, b.String())
	return err
}

type usageError struct{ error }

// Usage marks an error as a mistake in how a command was called: exit status 2.
func Usage(err error) error { return usageError{err} }

// Status returns the exit status for an error.
func Status(err error) int {
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
