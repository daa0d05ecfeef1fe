package transfer_test

import (
	"context"
	"flag"
	"os"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/serve/command"
	"almanac/internal/tools/cmdtest"
	"almanac/move/transfer"
)

var update = flag.Bool("update", false, "rewrite what the tests compare with")

// observe sees every exchange of servers in this process. TestMain sets it.
var observe func(api.Exchange)

func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil { // files are named from the top, as users name them
		panic(err)
	}
	os.Exit(cmdtest.Watched(func(see func(api.Exchange)) int {
		observe = see
		return m.Run()
	}))
}

// run runs import, or a command of the server that it imports into, in this process.
func run(ctx context.Context, args []string, p cli.Process) error {
	program := cli.Program{Name: "almanac", Commands: cli.Table{
		transfer.Import,
		command.Service{Routes: almanactest.Routes, Observe: observe}.Command(),
		command.Export,
		command.Log,
		command.Users,
	}}
	return program.Run(public(ctx), args, p)
}

// Helpers of tests of several packages.
const v1 = "/" + api.Namespace

var (
	startServer           = cmdtest.Program(run).Start
	runCommand, mustRun   = cmdtest.Program(run).Run, cmdtest.Program(run).Must
	runImport, mustImport = cmdtest.Program(run).Import, cmdtest.Program(run).MustImport
	still, on             = cmdtest.Still, cmdtest.On
	tempFile, readFile    = cmdtest.TempFile, cmdtest.ReadFile
	replace               = cmdtest.Replace
	sample, shown, sums   = cmdtest.Sample, cmdtest.Shown, cmdtest.Sums
)

type object = cmdtest.Object
