package command

import (
	"context"
	"io"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/cli/socket"
	"almanac/store"
)

// The exit status of healthcheck says whether a server is as somebody needs it.
func TestHealthcheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	startServer(t, on(dir)...)
	for _, test := range []struct {
		name, dir string
		args      []string
		status    int
		want      string // a part of what is printed
	}{
		{"a server", dir, nil, 0, "the server of " + dir + " is live, ready, writable\n"},
		{"a server that may take for ever", dir, []string{"-timeout", "0"}, 0, "writable"},
		{"no server", filepath.Join(dir, "none"), nil, 1, "is not live: no server answers there"},
		{"a full disk", unwell(t, true, false, "Full."), nil, 1, "is live, ready, not writable: Full."},
		{"a full disk, to be read", unwell(t, true, false, "Full."), []string{"-need", "ready"}, 0, "not writable: Full."},
		{"a busy server", unwell(t, false, true, "Busy."), nil, 1, "is live, not ready, writable: Busy."},
		{"a busy server, to be read", unwell(t, false, true, "Busy."), []string{"-need", "ready"}, 1, "not ready"},
		{"a busy server that lives", unwell(t, false, true, "Busy."), []string{"-need", "live"}, 0, "not ready"},
		{"a silent server", silent(t), []string{"-timeout", "50ms"}, 1, "is not live: it does not answer within 50ms"},
		{"an unknown need", dir, []string{"-need", "rested"}, 2, `-need "rested"`},
		{"an argument", dir, []string{dir}, 2, "no argument"},
	} {
		args := append([]string{"healthcheck", "-timeout", patience.String(), "-data", test.dir}, test.args...)
		exit, out, stderr := runCommand(t, args...)
		if exit != test.status || !strings.Contains(out+stderr, test.want) {
			t.Errorf("%s: exit status %d: %s%s; want %d with %q", test.name, exit, out, stderr, test.status, test.want)
		}
	}
	p := cli.Process{Stdout: io.Discard, Stderr: io.Discard, Getenv: func(name string) string {
		return map[string]string{"ALMANAC_DATA": dir}[name]
	}}
	if err := run(t.Context(), []string{"healthcheck"}, p); err != nil {
		t.Errorf("by the variables of serve: %v", err)
	}
}

// unwell returns a directory whose server has such a health.
func unwell(t *testing.T, ready, writable bool, reason string) string {
	d := &directory{store: new(store.Store), measure: func() api.Measures {
		return api.Measures{Ready: ready, Writable: writable, Reason: reason}
	}}
	return answered(t, d.operations())
}

// silent returns a directory whose server does not answer.
func silent(t *testing.T) string {
	return answered(t, socket.Operations{
		"GET /health": func(ctx context.Context, _ url.Values, _ io.Reader, _ io.Writer) error {
			<-ctx.Done()
			return nil
		},
	})
}

// answered returns a directory in which operations are done.
func answered(t *testing.T, operations socket.Operations) string {
	t.Helper()
	dir := t.TempDir()
	end, err := socket.Serve(t.Context(), dir, operations, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return dir
}
