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

	"almanac/internal/cli/systemd"
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
						"%s takes no argument %q (see %s help %s)",
						name,
						given[0],
						program(synopsis),
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

// program returns the name of the program that a synopsis begins with.
func program(synopsis string) string {
	name, _, _ := strings.Cut(synopsis, " ")
	return name
}

// A Program is a program with commands. Every program also has help.
type Program struct {
	Name     string
	Does     string // it, as help begins: "serves a calendar of events over HTTP."
	Commands Table
	Default  string // the command that runs when none is named; "" is help

	// The other program, and its commands, for people who ask this one for them.
	Other string
	Moved []string
}

// A Table is commands, in the order in which help lists them.
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
func (g Program) Main(ctx context.Context, args []string, p Process) int {
	err := g.Run(ctx, args, p)
	if err != nil {
		prefix := ""
		if systemd.IsJournal(p.Getenv, p.Stderr) {
			prefix = systemd.ErrorPrefix
		}
		fmt.Fprintf(&stream{to: p.Stderr}, "%s%s: %v\n", prefix, g.Name, err)
	}
	return Status(err)
}

// Run runs the command that the arguments name.
func (g Program) Run(ctx context.Context, args []string, p Process) error {
	name := cmp.Or(g.Default, "help")
	if len(args) > 0 && (!strings.HasPrefix(args[0], "-") || aliases[args[0]] != "") {
		name = cmp.Or(aliases[args[0]], args[0])
		args = args[1:]
	}
	if name == "help" {
		return g.help(args, p)
	}
	c, err := g.find(name)
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
func (g Program) help(args []string, p Process) error {
	if len(args) > 0 {
		c, err := g.find(args[0])
		if err != nil {
			return err
		}
		return c.Help(args[1:], p)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n", g.Name, g.Does)
	line := func(call, summary string) { fmt.Fprintf(&b, "    %s %-20s  %s\n", g.Name, call, summary) }
	for _, c := range g.Commands {
		if c.Name == g.Default {
			line("["+c.Name+"] [flags]", c.Summary+" (the default)")
		} else {
			line(c.Name+" "+cmp.Or(c.Arguments, "[flags]"), c.Summary)
		}
	}
	line("help [COMMAND]", "say what a command takes")
	if g.Other != "" {
		fmt.Fprintf(&b, "\nThe program %s has the commands %s.\n", g.Other, strings.Join(g.Moved, ", "))
	}
	_, err := io.WriteString(p.Stdout, b.String())
	return err
}

// find returns the command with a name. The error says which program has it.
func (g Program) find(name string) (Command, error) {
	if slices.Contains(g.Moved, name) {
		return Command{}, Usage(fmt.Errorf(
			"the program %[2]s has the command %[1]s (see %[2]s help %[1]s)",
			name,
			g.Other,
		))
	}
	return g.Commands.Find("command", name, " and help")
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
