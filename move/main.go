// Almanac-move brings calendars of other programs and sites to almanac, and holds servers to each
// other. It alone reads foreign files and connects to other sites; the server does neither.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // zones without the files of the system

	"almanac/internal/cli"
	"almanac/move/adopt"
	"almanac/move/compare"
	"almanac/move/conformance"
	"almanac/move/pull"
	"almanac/move/transfer"
)

// program is the program, with its commands in the order in which help lists them.
var program = cli.Program{
	Name: "almanac-move",
	Does: "brings calendars of other programs and sites to almanac.",
	Commands: cli.Table{
		transfer.Import,
		adopt.Command,
		pull.Command,
		compare.Command,
		conformance.Command(routes),
		cli.Version("almanac-move"),
		cli.SBOM("almanac-move"),
	},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := program.Main(ctx, os.Args[1:], cli.Process{
		Getenv: os.Getenv,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
	})
	stop()
	os.Exit(status)
}
