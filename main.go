// Almanac serves a catalogue of events, venues, organizers, categories and tags
// over HTTP. README.md says how to use it, docs/ARCHITECTURE.md how it is made.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // zones without the files of the system

	"almanac/internal/cli"
	"almanac/internal/serve/command"
	"almanac/internal/serve/confine"
)

// program is the program, with its commands in the order in which help lists them.
var program = cli.Program{
	Name: "almanac",
	Does: "serves a calendar of events over HTTP.",
	Commands: cli.Table{
		command.Service{Routes: routes, Confine: confine.Process, Hangups: hangups}.Command(),
		command.Export,
		command.Verify,
		command.Log,
		command.Identity,
		command.Backup,
		command.Restore,
		command.Users,
		command.Healthcheck,
		command.Audit(routes, confine.Process),
		cli.Version("almanac"),
		cli.SBOM("almanac"),
	},
	Default: "serve",
	Other:   "almanac-move",
	Moved:   []string{"import", "adopt", "pull", "compare", "conform"},
}

// hangups returns a channel of SIGHUP, which rotates logs.
func hangups() (<-chan os.Signal, func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	return c, func() {
		signal.Stop(c)
		close(c)
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := program.Main(ctx, os.Args[1:], cli.Process{
		Getenv: os.Getenv,
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
	})
	stop()
	os.Exit(status)
}
