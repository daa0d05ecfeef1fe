// Almanac serves a catalogue of events, venues, organizers, categories and tags
// over HTTP. See README.md.
//
// This file only chooses the subcommand; each has a file of its own.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	_ "time/tzdata" // zones without the files of the system

	"almanac/internal/confine"
	"almanac/store"
)

// A process is what a command touches outside its arguments.
type process struct {
	getenv         func(string) string
	stdout, stderr io.Writer
	stdin          io.Reader // read by serve -exit-with-parent alone; nil is at its end
}

// A usageError is a mistake in how a command was called: exit status 2.
type usageError struct{ error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := start(ctx, os.Args[1:], process{os.Getenv, os.Stdout, os.Stderr, os.Stdin}, confine.Process)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "almanac:", err)
	}
	os.Exit(status(err))
}

// status gives the exit status for an error.
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

// commands are the subcommands by name, beside serve, which it is without a name.
var commands = map[string]func(ctx context.Context, args []string, p process) error{
	"import":  importFiles,
	"verify":  verify,
	"log":     history,
	"backup":  backup,
	"restore": restore,
	"users":   users,
	"export":  export,

	"healthcheck": healthcheck,
}

// aliases are commands that people ask for as flags.
var aliases = map[string]string{
	"-h": "help", "-help": "help", "--help": "help", "-version": "version", "--version": "version",
}

// run runs the program with its arguments, in a process that has more to do and
// must stay free to do it.
func run(ctx context.Context, args []string, p process) error { return start(ctx, args, p, nil) }

// start runs the program with its arguments. A server confines the process, with
// c if that is not nil.
func start(ctx context.Context, args []string, p process, c confiner) error {
	name := "serve"
	if len(args) > 0 && (!strings.HasPrefix(args[0], "-") || aliases[args[0]] != "") {
		name, args = cmp.Or(aliases[args[0]], args[0]), args[1:]
	}
	switch name {
	case "help":
		return help(args, p)
	case "version":
		_, err := fmt.Fprintln(p.stdout, "almanac", version())
		return err
	case "serve":
		return serveConfined(ctx, args, p, store.Options{}, c)
	}
	command, ok := commands[name]
	if !ok {
		return usageError{fmt.Errorf("there is no command %q; there are serve, import, export, verify, log, backup, restore, users, healthcheck, help and version", name)}
	}
	return command(ctx, args, p)
}

// version gives the version that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
}

const usage = `almanac serves a calendar of events over HTTP.

    almanac [serve] [flags]     serve (the default)
    almanac import FILE...      load calendars saved from other sites
    almanac export [FILE]       write all records as one JSON document
    almanac verify [flags]      say whether the files are as they were written
    almanac log [flags]         print who changed what
    almanac backup FILE         save a data directory in one file
    almanac restore FILE        make a data directory of such a file, or go back in time
    almanac users COMMAND       add, list and disable accounts, make and revoke tokens
    almanac healthcheck         say by the exit status whether the server answers
    almanac help [COMMAND]      say what a command takes
    almanac version             say which version this is
`

// help says what the program or one of its commands takes.
func help(args []string, p process) error {
	if len(args) == 0 {
		_, err := io.WriteString(p.stdout, usage)
		return err
	}
	if args[0] == "users" {
		return usersHelp(args[1:], p)
	}
	flags, ok := map[string]func() *flagSet{
		"serve":   func() *flagSet { f, _ := serveFlags(); return f },
		"import":  func() *flagSet { f, _ := importFlags(); return f },
		"verify":  func() *flagSet { f, _ := verifyFlags(); return f },
		"log":     func() *flagSet { f, _ := historyFlags(); return f },
		"backup":  func() *flagSet { f, _ := backupFlags(); return f },
		"restore": func() *flagSet { f, _ := restoreFlags(); return f },
		"export":  func() *flagSet { f, _ := exportFlags(); return f },

		"healthcheck": func() *flagSet { f, _ := healthFlags(); return f },
	}[args[0]]
	if !ok {
		return usageError{fmt.Errorf("there is no command %q; there are serve, import, export, verify, log, backup, restore, users, healthcheck, help and version", args[0])}
	}
	return flags().help(p.stdout)
}
