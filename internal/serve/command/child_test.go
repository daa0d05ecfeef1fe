package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"almanac/almanactest"
	"almanac/internal/cli"
	"almanac/internal/serve/confine"
	"almanac/store"
)

// The test binary as a server in a process of its own, with small files, so that segments and
// snapshots follow each other closely, or with a limit of disk space.

// childVariable holds the limits of a child, as JSON. A process that has it is
// one.
const childVariable = "TEST_OF_ALMANAC_CHILD"

// limits are the limits of a child in bytes; 0 is the default.
type limits struct {
	Segment, Snapshot int64 // as in store.Options
	File              int64 // no file can grow beyond this
	Confine           bool  // the process, and do in it what stdin says

	Flood     string // address of a server that is flooded; nothing is served
	Clients   int    // that flood it
	Unread    string // path of unread answers; "": unfinished bodies
	Addresses int    // that they come from then
}

// serveIfChild is main in a child, and does nothing elsewhere.
func serveIfChild() {
	text, ok := os.LookupEnv(childVariable)
	if !ok {
		return
	}
	var l limits
	err := json.Unmarshal([]byte(text), &l)
	if err == nil && l.File > 0 {
		err = limitFiles(l.File)
	}
	if err == nil && l.Unread != "" {
		unread(l.Flood, l.Unread, l.Clients, l.Addresses)
	}
	if err == nil && l.Flood != "" {
		flood(l.Flood, l.Clients)
	}
	if err == nil {
		err = serveChild(l)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "almanac:", err)
	}
	os.Exit(cli.Status(err))
}

func serveChild(l limits) error {
	var c Confiner
	ctx := context.Background()
	if l.Confine {
		c = confine.Process
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGTERM)
		defer stop()
		go probe(os.Stdin, os.Stderr)
	}
	g := Service{
		Routes:  almanactest.Routes,
		Confine: c,
		sizes: store.Options{
			Segment:  l.Segment,
			Snapshot: l.Snapshot,
		},
	}
	return g.Command().Run(ctx, os.Args[1:], cli.Process{
		Getenv: os.Getenv,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
	})
}

// childCommand returns the command of a child. Lists of it are not cut.
func childCommand(t testing.TB, dir, users string, l limits) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(
		file,
		append(
			on(dir, still...),
			"-addr",
			"127.0.0.1:0",
			"-users",
			users,
			"-max-per-page",
			"1000000",
			"-max-answer-mb",
			"0",
		)...)
	cmd.Env = append(cleanEnvironment(), childVariable+"="+string(text))
	return cmd
}
