package command

import (
	"almanac/internal/api"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/cmdtest"
)

// Helpers of tests of several packages.
const (
	patience = apitest.Patience
	v1       = "/" + api.Namespace
)

var (
	await, dial, isClosed = apitest.Await, apitest.Dial, apitest.IsClosed

	startServer         = cmdtest.Program(run).Start
	command, mustRun    = cmdtest.Program(run).Run, cmdtest.Program(run).Must
	mustImport          = cmdtest.Program(run).MustImport
	still, on, none     = cmdtest.Still, cmdtest.On, cmdtest.None
	fill                = cmdtest.Fill
	tempFile, readFile  = cmdtest.TempFile, cmdtest.ReadFile
	replace             = cmdtest.Replace
	sample, shown, sums = cmdtest.Sample, cmdtest.Shown, cmdtest.Sums
)

type (
	lockedBuffer = apitest.Buffer
	testServer   = cmdtest.Server
	caller       = cmdtest.Caller
	answer       = cmdtest.Answer
	object       = cmdtest.Object
)
